//! The rules of chess against cozy-chess, an implementation from outside, against published
//! figures, against the laws, and against themselves backwards.

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

/// A few men put anywhere, often with pawns that have just made a double step, often with the
/// right to castle; some are impossible.
fn thrown(random: &mut Random) -> Setup {
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
    let white = [CastlingRights::WHITE_SHORT, CastlingRights::WHITE_LONG];
    let black = [CastlingRights::BLACK_SHORT, CastlingRights::BLACK_LONG];
    for (color, rank, rights) in [(Color::White, 0, white), (Color::Black, 56, black)] {
        let at = |file: u8| SquareSet::from(Square::new(rank + file));
        match random.below(3) {
            0 => {
                put(random, color, 0, at(4));
                put(random, color, 2, at(7));
                put(random, color, 2, at(0));
                let some = random.below(4);
                for (bit, right) in rights.into_iter().enumerate() {
                    castling = if some >> bit & 1 != 0 { castling | right } else { castling };
                }
            }
            _ => put(random, color, 0, board),
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

/// Those of so many [`thrown`] ones that are possible.
fn thrown_positions(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut random = Random::new(seed);
    let setups = std::iter::repeat_with(move || thrown(&mut random)).take(count);
    setups.filter_map(|setup| Chess.position(&setup).ok())
}
