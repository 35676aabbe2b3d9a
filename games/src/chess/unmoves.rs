//! Un-moves.

use super::geometry::{RANKS_1_AND_8, forward, last_rank, moved, reached, third_rank};
use super::moves::PROMOTED;
use super::position::{Position, beside};
use super::{KING, MOST_PAWNS, Move, PAWN};
use crate::{Kind, Position as _, PositionList, Square, SquareSet};

/// The legal positions from which a quiet move leads to `position`, with the same castling rights
/// and without an en passant square.
///
/// So castling itself is not undone, nor is a move of a king or rook that may still castle. An en
/// passant square determines the last move.
pub(super) fn unmoves(position: &Position) -> PositionList<Position> {
    let mut list = PositionList::new();
    let mover = !position.turn();
    let pieces = position.side(mover);
    let empty = !position.occupied();
    let back = -forward(mover);
    let mut add = |kind: Kind, from: Square, to: Square| {
        let before = position.unplay(kind, Move { from, to, promotion: None });
        if !before.is_in_check(position.turn()) {
            list.push(before);
        }
    };
    if let Some(passed) = position.en_passant() {
        add(PAWN, moved(passed, back), beside(passed));
        return list;
    }

    let pawns = pieces & position.kind(PAWN);
    for to in pawns {
        let from = moved(to, back);
        if !empty.contains(from) || RANKS_1_AND_8.contains(from) {
            continue;
        }
        add(PAWN, from, to);
        let start = moved(from, back);
        if third_rank(mover).contains(from) && empty.contains(start) {
            let mut after = *position;
            after.allow_en_passant(from);
            if after.en_passant().is_none() {
                add(PAWN, start, to);
            }
        }
    }
    let rooks = position.castling().rooks_of(mover);
    let king = if rooks.is_empty() { SquareSet::EMPTY } else { position.king(mover).into() };
    let unmoved = rooks | king;
    for kind in [KING].into_iter().chain(PROMOTED) {
        for to in pieces & position.kind(kind) & !unmoved {
            for from in reached(kind, to, position.occupied()) & empty {
                add(kind, from, to);
            }
            let pawn = moved(to, back);
            let may_be_promoted = kind != KING && pawns.len() < MOST_PAWNS;
            if may_be_promoted && last_rank(mover).contains(to) && empty.contains(pawn) {
                add(PAWN, pawn, to);
            }
        }
    }
    list
}
