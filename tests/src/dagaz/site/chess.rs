//! Chess: four characters for castling rights, the en passant square after every double step, and
//! counters. The site's pages do not update the counters: they write `0 1`, and read an en passant
//! square only if `0 1` follows it.

use super::board::Board;
use damka_games::chess::{Move, PAWN, Position};
use damka_games::{Chess, Color, Game, Position as _, Square};

const NAMES: [&str; 6] = ["King", "Queen", "Rook", "Bishop", "Knight", "Pawn"];

/// The castling rights, in the order of a state's lowest bits.
const RIGHTS: &str = "KQkq";

/// The text after the rows. `passed` is the square that a pawn has just passed; the position itself
/// stores it only if the pawn can be captured.
pub(super) fn tail(position: &Position, passed: Option<Square>) -> String {
    let board = Board::new(Chess);
    let side = if position.turn() == Color::White { 'w' } else { 'b' };
    let rights = RIGHTS.chars().enumerate();
    let rights = rights.map(|(i, c)| if position.state() >> i & 1 == 1 { c } else { '-' });
    let rights: String = rights.collect();
    let passed = passed.or(position.en_passant()).map(|square| board.name(square));
    format!("{side} {rights} {} 0 1", passed.unwrap_or_else(|| "-".to_owned()))
}

/// The text after the rows after a legal move; `tail_before` is the text before it.
pub(super) fn tail_after(before: &Position, tail_before: &str, mv: Move) -> String {
    let after = before.play(mv);
    let tail = tail(&after, passed(before, mv));
    let mut counters = tail_before.split(' ').skip(3).map(|counter| counter.parse().unwrap_or(0));
    let [clock, number]: [u32; 2] = [counters.next().unwrap_or(0), counters.next().unwrap_or(1)];
    let men = |position: &Position| Color::BOTH.map(|color| position.side(color).len());
    let is_pawn = before.piece_at(mv.from).is_some_and(|(_, kind)| kind == PAWN);
    let clock = if is_pawn || men(before) != men(&after) { 0 } else { clock + 1 };
    let number = match before.turn() {
        Color::Black if number > 1 => number + 1,
        _ => number,
    };
    let fields = tail.strip_suffix(" 0 1").unwrap_or(&tail);
    format!("{fields} {clock} {number}")
}

/// The square that a pawn passes by a double step.
fn passed(position: &Position, mv: Move) -> Option<Square> {
    let board = Board::new(Chess);
    let [(file, from), (_, to)] = [mv.from, mv.to].map(|square| board.place(square));
    let (_, kind) = position.piece_at(mv.from)?;
    (kind == PAWN && (from - to).abs() == 2).then_some(())?;
    board.square((file, (from + to) / 2))
}

/// The name of a move: from, to, and the piece that arrives.
pub(super) fn name(position: &Position, mv: Move) -> String {
    let board = Board::new(Chess);
    let step = |from, to, name: &str| format!("{}-{} {name}", board.name(from), board.name(to));
    let [(from, rank), (to, _)] = [mv.from, mv.to].map(|square| board.place(square));
    let is_castling = position.side(position.turn()).contains(mv.to);
    if !is_castling {
        let kind = position.play(mv).piece_at(mv.to).map_or("", |(_, kind)| NAMES[kind.index()]);
        return step(mv.from, mv.to, kind);
    }
    let [king, rook] = if to > from { [6, 5] } else { [2, 3] };
    match [king, rook].map(|file| board.square((file, rank))) {
        [Some(king), Some(rook)] => {
            format!("{} {}", step(mv.from, king, "King"), step(mv.to, rook, "Rook"))
        }
        _ => String::new(),
    }
}

/// Reads the rows and the text after them.
pub(super) fn assemble(rows: &str, tail: &str, turn: Color) -> Result<Position, String> {
    let wrong = || format!("not what follows the rows: {tail}");
    let fields: Vec<&str> = tail.split(' ').collect();
    let [_, rights, passed, clock, number] = fields[..] else { return Err(wrong()) };
    if [clock, number].iter().any(|counter| counter.parse::<u16>().is_err()) {
        return Err(wrong());
    }
    let passed = if (clock, number) == ("0", "1") { passed } else { "-" };
    let in_place = rights.len() == RIGHTS.len()
        && rights.chars().zip(RIGHTS.chars()).all(|(c, right)| c == right || c == '-');
    if !in_place {
        return Err(wrong());
    }
    let rights = match rights.replace('-', "") {
        none if none.is_empty() => "-".to_owned(),
        some => some,
    };
    let side = if turn == Color::White { 'w' } else { 'b' };
    let fen = format!("{rows} {side} {rights} {passed} 0 1");
    Chess.parse_fen(&fen).map_err(|error| error.to_string())
}
