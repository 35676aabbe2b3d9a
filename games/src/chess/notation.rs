//! Moves as text: SAN as in PGN, long algebraic notation, and UCI. Russian letters of pieces are
//! parsed, too.

use super::castling::{Castling, LONG, SHORT};
use super::geometry::SIZE;
use super::position::Position;
use super::{BISHOP, Chess, KING, KNIGHT, Move, PAWN, QUEEN, ROOK};
use crate::foreign::latin;
use crate::grid::{named_square, square_name};
use crate::{CastlingProblem, Game, Kind, MoveError, Position as _, Square, SquareSet};
use std::fmt;

const MOVE: &str = "a move as in Nf3, exd5, e8=Q, O-O, e2-e4 or e7e8q";

/// Suffixes of moves that are ignored, because they follow from the position.
const REMARKS: [char; 5] = ['+', '#', '×', '!', '?'];

/// The Russian letters of pieces.
const RUSSIAN: [(char, Kind); 6] =
    [('Ф', QUEEN), ('Л', ROOK), ('С', BISHOP), ('К', KNIGHT), ('П', PAWN), ('п', PAWN)];

/// White's figurines, by kind; Black's follow them.
const FIGURINES: [char; 6] = ['♔', '♕', '♖', '♗', '♘', '♙'];

impl fmt::Display for Move {
    /// The notation of UCI with its option `UCI_Chess960`: `e2e4`, `e7e8q`, castling with the square
    /// of the rook, as `e1h1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&squares(*self))
    }
}

/// The squares of a move and the letter of its promotion.
fn squares(mv: Move) -> String {
    let mut text = String::with_capacity(5);
    text += square_name::<SIZE>(mv.from);
    text += square_name::<SIZE>(mv.to);
    text.extend(mv.promotion.map(|kind| letter(kind).to_ascii_lowercase()));
    text
}

/// A move in the notation of UCI. Castling as in standard chess has the king's target square,
/// `e1g1`; other castling has the rook's square, as an ordinary king step might have the same
/// target.
pub(super) fn coordinates(position: &Position, mv: Move) -> String {
    match position.castling_of(mv) {
        Some(castling) if castling.is_standard() => squares(Move { to: castling.king[1], ..mv }),
        _ => squares(mv),
    }
}

fn letter(kind: Kind) -> char {
    Chess::KINDS[kind.index()]
}

/// A legal move in SAN.
pub(super) fn format(position: &Position, mv: Move) -> String {
    let after = position.play(mv);
    let mut text = match position.castling_of(mv) {
        Some(castling) => castling.text().to_owned(),
        None => format_steps(position, mv),
    };
    if after.is_in_check(after.turn()) {
        text.push(if after.moves().is_empty() { '#' } else { '+' });
    }
    text
}

/// SAN of a move other than castling, without `+` and `#`.
fn format_steps(position: &Position, mv: Move) -> String {
    let kind = kind_of(position, mv);
    let from = square_name::<SIZE>(mv.from);
    let (file, rank) = from.split_at(1);
    let mut text = String::with_capacity(8);
    if kind == PAWN {
        text += if position.is_capture(mv) { file } else { "" };
    } else {
        text.push(letter(kind));
        let others = others_to(position, mv, kind);
        let same = |part: fn(u8) -> u8| {
            others.iter().any(|other| part(other.index()) == part(mv.from.index()))
        };
        text += match (others.is_empty(), same(|at| at % 8), same(|at| at / 8)) {
            (true, ..) => "",
            (false, false, _) => file,
            (false, true, false) => rank,
            (false, true, true) => from,
        };
    }
    text += if position.is_capture(mv) { "x" } else { "" };
    text += square_name::<SIZE>(mv.to);
    if let Some(kind) = mv.promotion {
        text.extend(['=', letter(kind)]);
    }
    text
}

/// Where other pieces of the same kind stand that can legally move to the same square.
fn others_to(position: &Position, mv: Move, kind: Kind) -> Vec<Square> {
    // Moves are only generated if there is another such piece at all.
    if position.pieces(position.turn(), kind).len() < 2 {
        return Vec::new();
    }
    let legal = position.moves().into_iter();
    let others = legal.filter(|other| other.to == mv.to && other.from != mv.from);
    others.filter(|&other| kind_of(position, other) == kind).map(|other| other.from).collect()
}

/// The kind of the moved piece.
fn kind_of(position: &Position, mv: Move) -> Kind {
    position.piece_at(mv.from).map_or(PAWN, |(_, kind)| kind)
}

/// Parses a move: SAN with Latin or Russian letters or figurines, long algebraic notation, or UCI.
/// Redundant signs (`x`, `+`, `#`) may be missing or wrong; a piece or square that is given must be
/// right.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    let pattern = Pattern::parse(text);
    let pattern = pattern.ok_or_else(|| MoveError::NotAMove(text.to_owned(), MOVE))?;
    let legal = position.moves();
    let found: Vec<Move> = legal.iter().copied().filter(|&mv| pattern.fits(position, mv)).collect();
    let name = |mv| format(position, mv);
    match found[..] {
        [mv] => Ok(mv),
        [] => Err(match pattern.castling_problem(position) {
            Some(problem) => MoveError::Castling(text.to_owned(), problem),
            None => MoveError::illegal(text, legal.into_iter().map(name)),
        }),
        _ => {
            let found: Vec<String> = found.into_iter().map(name).collect();
            Err(MoveError::Ambiguous(text.to_owned(), found.join(", ")))
        }
    }
}

/// A parsed move.
enum Pattern {
    /// [`SHORT`] or [`LONG`].
    Castling(&'static str),
    Steps {
        /// `None` if the text has both squares and no letter.
        kind: Option<Kind>,
        /// File and rank of the origin, as far as given.
        file: Option<u8>,
        rank: Option<u8>,
        to: Square,
        promotion: Option<Kind>,
    },
}

impl Pattern {
    /// Why castling is not legal; `None` if it is, and for other moves.
    fn castling_problem(&self, position: &Position) -> Option<CastlingProblem> {
        let Pattern::Castling(text) = *self else { return None };
        let turn = position.turn();
        let rooks = position.castling().rooks_of(turn).into_iter();
        let mut castlings = rooks.map(|rook| Castling::new(position.king(turn), rook));
        let Some(castling) = castlings.find(|castling| castling.text() == text) else {
            return Some(CastlingProblem::NoRight(turn));
        };
        let occupied = position.occupied();
        if let Some(square) = (occupied & castling.empty()).first() {
            return Some(CastlingProblem::Occupied(square_name::<SIZE>(square).to_string()));
        }
        if position.is_in_check(turn) {
            return Some(CastlingProblem::InCheck);
        }
        let attacked = position.attacked(!turn, occupied & !SquareSet::from(castling.king[0]));
        if position.is_castling_safe(&castling, attacked) {
            return None;
        }
        // The king's target may be attacked only when the rook has left its square.
        let square = (attacked & castling.way()).first().unwrap_or(castling.king[1]);
        Some(CastlingProblem::Attacked(square_name::<SIZE>(square).to_string()))
    }

    fn parse(text: &str) -> Option<Pattern> {
        let text = text.trim_end_matches(REMARKS).trim_end();
        let text = text.strip_suffix("e.p.").unwrap_or(text).trim_end();
        // No move is longer than `Pa7xb8(Q)`, so the rest need not be read.
        let chars: Vec<char> = text.chars().take(10).collect();
        let plain: Vec<char> = chars.iter().copied().map(latin).collect();
        match plain[..] {
            ['O' | 'o' | '0', '-', 'O' | 'o' | '0'] => return Some(Pattern::Castling(SHORT)),
            ['O' | 'o' | '0', '-', 'O' | 'o' | '0', '-', 'O' | 'o' | '0'] => {
                return Some(Pattern::Castling(LONG));
            }
            _ => {}
        }
        let (kind, chars) = match chars[..] {
            ['К' | 'K', 'р' | 'p', ref rest @ ..] => (Some(KING), rest),
            [first, ref rest @ ..] if piece(first).is_some() => (piece(first), rest),
            ref all => (None, all),
        };
        let (chars, promotion) = match *chars {
            [ref rest @ .., '(', c, ')'] | [ref rest @ .., '=' | '/', c] => (rest, Some(c)),
            [ref rest @ .., '1'..='8', c] if !c.is_ascii_digit() => {
                (&chars[..rest.len() + 1], Some(c))
            }
            _ => (chars, None),
        };
        let promotion = match promotion {
            Some(c) => Some(c.to_uppercase().find_map(piece)?),
            None => None,
        };
        let chars: Vec<char> = chars.iter().copied().map(latin).collect();
        let [from @ .., file, rank] = &chars[..] else { return None };
        let to = named_square::<SIZE>(*file, *rank)?;
        let from = match from {
            [rest @ .., 'x' | 'X' | '-' | ':'] if kind.is_some() || !rest.is_empty() => rest,
            _ => from,
        };
        let file_of = |c: char| named_square::<SIZE>(c, '1').map(|square| square.index() % 8);
        let rank_of = |c: char| named_square::<SIZE>('a', c).map(|square| square.index() / 8);
        let (file, rank) = match *from {
            [] => (None, None),
            [c] if file_of(c).is_some() => (file_of(c), None),
            [c] => (None, Some(rank_of(c)?)),
            [file, rank] => (Some(file_of(file)?), Some(rank_of(rank)?)),
            _ => return None,
        };
        let has_both_squares = file.is_some() && rank.is_some();
        let kind = kind.or((!has_both_squares).then_some(PAWN));
        Some(Pattern::Steps { kind, file, rank, to, promotion })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let castling = position.castling_of(mv);
        match *self {
            Pattern::Castling(text) => castling.is_some_and(|c| c.text() == text),
            Pattern::Steps { kind, file, rank, to, promotion } => {
                let from = mv.from.index();
                let arrives = match castling {
                    // The rook's square means castling only if the king's square is given as well:
                    // `Kh1` is not castling. The king's target means castling only if no king step
                    // leads there.
                    Some(Castling { king: [_, target], .. }) => {
                        mv.to == to && file.is_some() && rank.is_some()
                            || target == to && from.abs_diff(target.index()) > 1
                    }
                    None => mv.to == to,
                };
                arrives
                    && kind.is_none_or(|kind| kind == kind_of(position, mv))
                    && file.is_none_or(|file| file == from % 8)
                    && rank.is_none_or(|rank| rank == from / 8)
                    && promotion.is_none_or(|kind| Some(kind) == mv.promotion)
            }
        }
    }
}

/// The kind of piece of a Latin or Russian capital letter or a figurine. `К` is the Russian knight;
/// the Russian king has two letters, `Кр`.
fn piece(c: char) -> Option<Kind> {
    let russian = RUSSIAN.iter().find(|&&(letter, _)| letter == c);
    if let Some(&(_, kind)) = russian {
        return Some(kind);
    }
    let white = char::from_u32(u32::from(c).saturating_sub(FIGURINES.len() as u32));
    let is = |kind: &Kind| {
        let (letter, figurine) = (letter(*kind), FIGURINES[kind.index()]);
        c == letter || c == figurine || white == Some(figurine)
    };
    Chess::kinds().find(is)
}
