//! Legal moves.
//!
//! Pins are found first, so no move needs to be tried and taken back.

use super::castling::Castling;
use super::geometry::{
    RANKS_1_AND_8, between, diagonal, forward, king_steps, knight_leaps, moved, pawn_attacks,
    pawn_captures, shifted, straight, third_rank,
};
use super::position::Position;
use super::{BISHOP, KNIGHT, Move, PAWN, QUEEN, ROOK};
use crate::{Kind, MoveList, Position as _, Square, SquareSet};

/// The kinds that a pawn can be promoted to.
pub(super) const PROMOTED: [Kind; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

pub(super) fn moves(position: &Position) -> MoveList<Move> {
    list(position, MoveFilter::ALL)
}

impl Position {
    /// The legal captures and promotions.
    pub fn captures_and_promotions(&self) -> MoveList<Move> {
        list(self, MoveFilter { pieces: self.side(!self.turn()), steps: RANKS_1_AND_8 })
    }
}

/// A filter for legal moves.
#[derive(Clone, Copy)]
struct MoveFilter {
    /// Accepts moves of pieces and captures by pawns onto these squares.
    pieces: SquareSet,
    /// Accepts steps of pawns onto these squares.
    steps: SquareSet,
}

impl MoveFilter {
    const ALL: MoveFilter =
        MoveFilter { pieces: SquareSet::new(u64::MAX), steps: SquareSet::new(u64::MAX) };
}

fn list(position: &Position, filter: MoveFilter) -> MoveList<Move> {
    let mut moves = MoveList::new();
    each(position, filter, |origin, targets| match origin {
        Origin::Piece(from) => {
            // One by one: `extend` would count the squares first, which is slow on many processors.
            for to in targets {
                moves.push(Move { from, to, promotion: None });
            }
        }
        Origin::Pawns(step) => {
            for to in targets {
                let from = moved(to, -step);
                match RANKS_1_AND_8.contains(to) {
                    false => moves.push(Move { from, to, promotion: None }),
                    true => {
                        moves.extend(PROMOTED.map(|kind| Move { from, to, promotion: Some(kind) }))
                    }
                }
            }
        }
    });
    moves
}

pub(super) fn count(position: &Position) -> u64 {
    let mut count = 0;
    each(position, MoveFilter::ALL, |origin, targets| {
        count += u64::from(targets.len());
        let promoting = targets & RANKS_1_AND_8;
        if matches!(origin, Origin::Pawns(_)) && !promoting.is_empty() {
            count += u64::from(promoting.len()) * (PROMOTED.len() as u64 - 1);
        }
    });
    count
}

/// Where the moves to a set of target squares come from.
enum Origin {
    /// One piece can move to each of the targets.
    Piece(Square),
    /// A pawn can move to each of the targets, by this difference of square indices.
    Pawns(i8),
}

/// Calls `found` with origins and target squares, so that each legal move that passes the filter is
/// in exactly one call.
#[inline]
fn each(position: &Position, filter: MoveFilter, mut found: impl FnMut(Origin, SquareSet)) {
    let turn = position.turn();
    let mine = position.side(turn);
    let occupied = position.occupied();
    let king = position.king(turn);
    let Threats { checkers, evasions, straight_pins, diagonal_pins } = Threats::of(position);

    found(Origin::Piece(king), king_moves(position, king, filter.pieces, checkers.is_empty()));
    let evasions = match checkers.bits() {
        0 => !mine,
        one if one.is_power_of_two() => evasions & !mine,
        _ => return,
    };
    let targets = evasions & filter.pieces;
    let pinned = straight_pins | diagonal_pins;
    for from in mine & position.kind(KNIGHT) & !pinned {
        found(Origin::Piece(from), knight_leaps(from) & targets);
    }
    // A pinned piece stays on its line, and cannot reach the line of another pin.
    for from in mine & position.straight_sliders() & !diagonal_pins {
        let line = if straight_pins.contains(from) { straight_pins } else { !SquareSet::EMPTY };
        found(Origin::Piece(from), straight(from, occupied) & targets & line);
    }
    for from in mine & position.diagonal_sliders() & !straight_pins {
        let line = if diagonal_pins.contains(from) { diagonal_pins } else { !SquareSet::EMPTY };
        found(Origin::Piece(from), diagonal(from, occupied) & targets & line);
    }

    let pawns = mine & position.kind(PAWN);
    let free = pawns & !pinned;
    let ahead = forward(turn);
    let single = shifted(free, ahead) | shifted(pawns & straight_pins, ahead) & straight_pins;
    let single = single & !occupied;
    let double = shifted(single & third_rank(turn), ahead) & !occupied;
    found(Origin::Pawns(ahead), single & evasions & filter.steps);
    found(Origin::Pawns(2 * ahead), double & evasions & filter.steps);
    let captures = pawn_captures(turn, free);
    let pinned_captures = pawn_captures(turn, pawns & diagonal_pins);
    for ((step, to), (_, pinned_to)) in captures.into_iter().zip(pinned_captures) {
        let taken = (to | pinned_to & diagonal_pins) & position.side(!turn);
        found(Origin::Pawns(step), taken & targets);
    }
    if let Some(to) = position.en_passant() {
        for from in pawn_attacks(!turn, to.into()) & pawns {
            if position.may_take_en_passant(from, to) {
                found(Origin::Piece(from), to.into());
            }
        }
    }
}

/// The squares of `targets` to which the king may move, and if it is not in check the rooks with which
/// it may castle.
#[inline]
fn king_moves(
    position: &Position,
    king: Square,
    targets: SquareSet,
    may_castle: bool,
) -> SquareSet {
    let turn = position.turn();
    let occupied = position.occupied();
    let beside = king_steps(king) & !position.side(turn) & targets;
    let mut rooks = match may_castle {
        true => position.castling().rooks_of(turn) & targets,
        false => SquareSet::EMPTY,
    };
    for rook in rooks {
        if !(occupied & Castling::new(king, rook).empty()).is_empty() {
            rooks &= !SquareSet::from(rook);
        }
    }
    if beside.is_empty() && rooks.is_empty() {
        return SquareSet::EMPTY;
    }
    // The king does not block attacks on squares behind it.
    let attacked = position.attacked(!turn, occupied & !SquareSet::from(king));
    let mut moves = beside & !attacked;
    for rook in rooks {
        if position.is_castling_safe(&Castling::new(king, rook), attacked) {
            moves |= rook.into();
        }
    }
    moves
}

/// Checks and pins against the king of the side to move.
struct Threats {
    /// The pieces that give check.
    checkers: SquareSet,
    /// The squares of the checkers and those between them and the king. A move there ends a single
    /// check.
    evasions: SquareSet,
    /// Pins along ranks and files: the squares between the king and each enemy piece that would
    /// give check if a single piece of the king's side did not block it, and the square of that
    /// enemy piece.
    straight_pins: SquareSet,
    /// Pins along diagonals: the squares as in `straight_pins`.
    diagonal_pins: SquareSet,
}

impl Threats {
    #[inline]
    fn of(position: &Position) -> Threats {
        let turn = position.turn();
        let (mine, enemy) = (position.side(turn), position.side(!turn));
        let king = position.king(turn);
        let leapers = knight_leaps(king) & position.kind(KNIGHT)
            | pawn_attacks(turn, king.into()) & position.kind(PAWN);
        let mut checkers = leapers & enemy;
        let mut evasions = checkers;
        let mut lines = |reached: SquareSet, sliders: SquareSet| {
            let mut pins = SquareSet::EMPTY;
            for slider in reached & sliders & enemy {
                let way = between(king, slider);
                let blockers = way & mine;
                if blockers.is_empty() {
                    checkers |= slider.into();
                    evasions |= way | slider.into();
                } else if blockers.bits().is_power_of_two() {
                    pins |= way | slider.into();
                }
            }
            pins
        };
        let straight_pins = lines(straight(king, enemy), position.straight_sliders());
        let diagonal_pins = lines(diagonal(king, enemy), position.diagonal_sliders());
        Threats { checkers, evasions, straight_pins, diagonal_pins }
    }
}
