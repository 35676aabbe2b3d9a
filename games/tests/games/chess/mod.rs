//! Compares the rules of chess with cozy-chess, an independent implementation, with published
//! figures and with the laws, and un-moves with moves.

mod chess960;
mod fen;
mod moves;
mod notation;
mod perft;
mod unmoves;

use damka_games::chess::{CastlingRights, Position};
use damka_games::{
    Chess, Color, Game, Kind, Pieces, Position as _, Random, Setup, Square, SquareSet,
};

fn position(fen: &str) -> Position {
    Chess.parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

/// The legal castlings in a position, as in SAN.
fn castlings(fen: &str) -> String {
    let p = position(fen);
    let texts = p.moves().into_iter().map(|mv| p.format_move(mv));
    sorted(texts.filter(|text| text.starts_with('O'))).join(" ")
}

/// The positions of games played at random, to their ends or for 300 plies.
fn played(seed: u64, games: u64) -> impl Iterator<Item = Position> {
    (0..games).flat_map(move |game| {
        let mut random = Random::numbered(seed, game);
        let after = move |position: &Position| {
            let moves = position.moves();
            random.pick(&moves).map(|mv| position.play(mv))
        };
        std::iter::successors(Some(Chess.start()), after).take(300)
    })
}

/// The FEN of a position of standard chess or Chess960, without counters, as cozy-chess writes it:
/// rights to castle are the files of the rooks (Shredder-FEN).
fn shredder(position: &Position) -> String {
    let fen = position.fen();
    let mut fields: Vec<&str> = fen.split(' ').take(4).collect();
    let mut files = String::new();
    for (color, first) in [(Color::White, b'A'), (Color::Black, b'a')] {
        let rooks = position.castling().rooks_of(color).into_iter();
        let letters = rooks.map(|rook| char::from(first + rook.index() % 8));
        files.extend(letters.collect::<Vec<_>>().into_iter().rev());
    }
    if !files.is_empty() {
        fields[2] = &files;
    }
    fields.join(" ")
}

/// A few pieces on random squares, often with pawns that have just made a double step, often with
/// the right to castle, as in standard chess or Chess960. Some setups are impossible.
fn random_setup(random: &mut Random) -> Setup {
    let mut pieces = Pieces::default();
    let mut empty = !SquareSet::EMPTY;
    let (mut castling, mut en_passant) = (CastlingRights::NONE, None);
    let mut put = |random: &mut Random, color, kind, squares: SquareSet| {
        let squares: Vec<Square> = (squares & empty).into_iter().collect();
        if let Some(square) = random.pick(&squares) {
            pieces[(color, Kind::new(kind))] |= square.into();
            empty &= !SquareSet::from(square);
        }
    };
    let board = !SquareSet::EMPTY;
    for (color, rank) in [(Color::White, 0), (Color::Black, 56)] {
        let king = 1 + random.below(6) as u8;
        let [long, king, short] = match random.below(4) {
            0 => [0, 4, 7],
            1 => [
                random.below(king.into()) as u8,
                king,
                king + 1 + random.below((7 - king).into()) as u8,
            ],
            _ => {
                put(random, color, 0, board);
                continue;
            }
        };
        put(random, color, 0, Square::new(rank + king).into());
        for rook in [long, short].map(|file| Square::new(rank + file)) {
            put(random, color, 2, rook.into());
            if random.below(2) == 0 {
                castling = castling | CastlingRights::of_rook(rook);
            }
        }
    }
    let turn = Color::BOTH[random.below(2) as usize];
    if random.below(3) == 0 {
        let file = random.below(8) as u8;
        let (rank, passed) = if turn == Color::White { (32, 40) } else { (24, 16) };
        en_passant = Some(Square::new(passed + file));
        put(random, !turn, 5, Square::new(rank + file).into());
        let beside = [file.wrapping_sub(1), file + 1].into_iter().filter(|&file| file < 8);
        put(random, turn, 5, beside.map(|file| Square::new(rank + file)).collect());
    }
    for _ in 0..random.below(6) {
        let kind = 1 + random.below(5) as usize;
        let squares = if kind == 5 { SquareSet::new(0x00FF_FFFF_FFFF_FF00) } else { board };
        let color = Color::BOTH[random.below(2) as usize];
        put(random, color, kind, squares);
    }
    Setup { castling, en_passant, ..Setup::new(pieces, turn) }
}

/// The possible positions among `count` setups of [`random_setup`].
fn random_positions(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut random = Random::new(seed);
    let setups = std::iter::repeat_with(move || random_setup(&mut random)).take(count);
    setups.filter_map(|setup| Chess.position(&setup).ok())
}
