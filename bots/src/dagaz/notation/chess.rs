//! Chess: FENs whose castling field has four places, `rnbqkbnr/.../RNBQKBNR w KQkq - 0 1`, and with
//! an en-passant square after every double step; moves with the piece's name, `g1-f3 Knight`,
//! `a7-a8 Queen`, `e1-g1 King h1-f1 Rook`.

use super::{Notation, letter};
use damka_games::chess::{BISHOP, Castling, KING, KNIGHT, Move, PAWN, Position, QUEEN, ROOK};
use damka_games::{Chess, Color, Counted, Game, Kind, MoveCounters, Position as _, Square};

/// The letter of each castling right, the side, and the squares of king and rook.
const CASTLINGS: [(char, Color, u8, u8); 4] = [
    ('K', Color::White, 4, 7),
    ('Q', Color::White, 4, 0),
    ('k', Color::Black, 60, 63),
    ('q', Color::Black, 60, 56),
];

const NAMES: [(Kind, &str); 6] = [
    (KING, "King"),
    (QUEEN, "Queen"),
    (ROOK, "Rook"),
    (BISHOP, "Bishop"),
    (KNIGHT, "Knight"),
    (PAWN, "Pawn"),
];

impl Notation for Chess {
    fn read(self, text: &str, turn: Color) -> Option<Counted<Position>> {
        let mut fields = text.split_whitespace();
        let rows = fields.next().unwrap_or_default();
        let rights = fields.nth(1).unwrap_or_default();
        let passed = fields.next().unwrap_or("-");
        let side = letter(self, turn);
        let bare = self.parse_fen(&format!("{rows} {side}")).ok()?;
        let stands = |color, kind, at| bare.piece_at(Square::new(at)) == Some((color, kind));
        let keeps = |&&(right, color, king, rook): &&(char, Color, u8, u8)| {
            rights.contains(right) && stands(color, KING, king) && stands(color, ROOK, rook)
        };
        let kept: String = CASTLINGS.iter().filter(keeps).map(|&(right, ..)| right).collect();
        let kept = if kept.is_empty() { "-" } else { &kept };
        let fen = format!("{rows} {side} {kept}");
        // An impossible en passant square is ignored.
        let position = self.parse_fen(&format!("{fen} {passed}"));
        let position = position.or_else(|_| self.parse_fen(&fen)).ok()?;
        let mut counter = |usual| fields.next().map_or(usual, |text| counter(text, usual));
        let MoveCounters { halfmove_clock, fullmove_number } = MoveCounters::START;
        let counters = MoveCounters {
            halfmove_clock: counter(halfmove_clock),
            fullmove_number: counter(fullmove_number).max(fullmove_number),
        };
        Some(Counted { position, counters: Some(counters) })
    }

    fn write(position: &Counted<Position>, last: Option<Move>) -> String {
        let counters = position.counters.unwrap_or(MoveCounters::START);
        let MoveCounters { halfmove_clock, fullmove_number } = counters;
        let position = without_counters(&position.position, last);
        format!("{position} {halfmove_clock} {fullmove_number}")
    }

    /// The site's pages write the counters `0 1` in all positions, and find an en passant square only if
    /// these counters follow it. So a fullmove number of 1 is not increased.
    fn play(before: &Counted<Position>, mv: Move) -> Counted<Position> {
        let mut after = before.play(mv);
        if let (Some(MoveCounters { fullmove_number: 1, .. }), Some(counters)) =
            (before.counters, &mut after.counters)
        {
            counters.fullmove_number = 1;
        }
        after
    }

    fn read_move(position: &Position, text: &str) -> Option<Move> {
        let mut words = text.split_whitespace();
        let (from, to) = words.next()?.split_once('-')?;
        let name = words.next();
        let fits = |mv: &Move| {
            Chess.square_name(mv.from) == from
                && Chess.square_name(target(position, *mv)) == to
                && mv.promotion.is_none_or(|kind| name == Some(name_of(kind)))
        };
        position.moves().into_iter().find(fits)
    }

    fn write_move(position: &Position, mv: Move) -> String {
        let Some((_, kind)) = position.piece_at(mv.from) else { return mv.to_string() };
        let name = Chess.square_name(mv.from);
        let text = format!(
            "{name}-{} {}",
            Chess.square_name(target(position, mv)),
            name_of(mv.promotion.unwrap_or(kind))
        );
        match position.castling_of(mv) {
            Some(Castling { rook, .. }) => {
                let [from, to] = rook.map(|square| Chess.square_name(square));
                format!("{text} {from}-{to} {}", name_of(ROOK))
            }
            None => text,
        }
    }
}

/// The square on which the moved piece arrives.
fn target(position: &Position, mv: Move) -> Square {
    position.castling_of(mv).map_or(mv.to, |castling| castling.king[1])
}

/// The FEN without halfmove clock and fullmove number.
fn without_counters(position: &Position, last: Option<Move>) -> String {
    let fen = position.fen();
    let rows = fen.split(' ').next().unwrap_or_default();
    let side = letter(Chess, position.turn());
    // The lowest bits of the state are the rights, in this order.
    let right = |(i, &(right, ..)): (usize, &(char, Color, u8, u8))| match position.state() >> i & 1
    {
        0 => '-',
        _ => right,
    };
    let rights: String = CASTLINGS.iter().enumerate().map(right).collect();
    let passed = last.and_then(|mv| passed(position, mv)).or(position.en_passant());
    let passed = passed.map_or("-".to_owned(), |square| Chess.square_name(square));
    format!("{rows} {side} {rights} {passed}")
}

/// A counter of a FEN; `usual` if it is not a number, clamped if it is too large.
fn counter(text: &str, usual: u16) -> u16 {
    match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse().unwrap_or(u16::MAX),
        false => usual,
    }
}

/// The square that a pawn has passed over in a double step; `None` for other moves.
fn passed(position: &Position, mv: Move) -> Option<Square> {
    let [from, to] = [mv.from, mv.to].map(|square| square.index());
    let is_pawn = matches!(position.piece_at(mv.to), Some((_, PAWN)));
    (is_pawn && from.abs_diff(to) == 16).then(|| Square::new(from.midpoint(to)))
}

fn name_of(kind: Kind) -> &'static str {
    NAMES.iter().find(|(named, _)| *named == kind).map_or("", |(_, name)| name)
}
