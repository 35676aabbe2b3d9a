//! Endings that cannot be won despite a material advantage (fortresses).

use super::distance::DARK;
use damka_games::chess::{BISHOP, KING, PAWN, Position};
use damka_games::grid::file;
use damka_games::{Color, Position as _, Square, SquareSet};

const FILE_A: SquareSet = file::<8>(0);
const FILE_H: SquareSet = file::<8>(7);
const FILES_A_AND_B: SquareSet = SquareSet::new(0x0303_0303_0303_0303);
const FILES_G_AND_H: SquareSet = SquareSet::new(0xC0C0_C0C0_C0C0_C0C0);
const RANKS_1_AND_2: SquareSet = SquareSet::new(0xFFFF);
const RANKS_7_AND_8: SquareSet = SquareSet::new(0xFFFF << 48);

/// Whether a lone king holds the draw against rook pawns: it stands on one of the four squares of
/// the corner where they would promote, and the other side has nothing else but bishops of the
/// wrong colour for that corner. They can never drive the king out, and may stalemate it.
#[inline]
pub(super) fn is_fortress(position: &Position) -> bool {
    let lone = |color: &Color| position.side(*color).len() == 1;
    let Some(defender) = Color::BOTH.into_iter().find(lone) else { return false };
    let others = position.side(!defender) & !position.kind(KING);
    let [pawns, bishops] = [PAWN, BISHOP].map(|kind| others & position.kind(kind));
    let (corner, files) = match pawns {
        _ if pawns.is_empty() || others != pawns | bishops => return false,
        _ if (pawns & !FILE_A).is_empty() => (0, FILES_A_AND_B),
        _ if (pawns & !FILE_H).is_empty() => (7, FILES_G_AND_H),
        _ => return false,
    };
    let (first, ranks) = match defender {
        Color::White => (0, RANKS_1_AND_2),
        Color::Black => (56, RANKS_7_AND_8),
    };
    let corner = Square::new(first + corner);
    let unguarded = if DARK.contains(corner) { !DARK } else { DARK };
    (bishops & !unguarded).is_empty() && (files & ranks).contains(position.king(defender))
}
