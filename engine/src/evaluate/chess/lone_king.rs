//! Endings against a lone king: how to mate it, and when it cannot be mated despite a material
//! advantage (fortresses). This cannot be learned from games: the tables give all won positions the
//! same value, and fortresses are rare.

use super::distance::DARK;
use damka_games::chess::{BISHOP, KING, PAWN, Position, QUEEN, ROOK};
use damka_games::grid::{distance, file};
use damka_games::{Color, Position as _, Square, SquareSet};

/// The terms that drive a lone king to its mate, in hundredths of a pawn: for each step of that king
/// away from the centre; for each step that the kings are closer together; and, against bishops and
/// knights only, for each diagonal nearer to a corner of a bishop's colour.
const FROM_CENTRE: i32 = 30;
const KINGS_CLOSE: i32 = 30;
const NEAR_CORNER: i32 = 100;

const FILE_A: SquareSet = file::<8>(0);
const FILE_H: SquareSet = file::<8>(7);
const FILES_A_AND_B: SquareSet = SquareSet::new(0x0303_0303_0303_0303);
const FILES_G_AND_H: SquareSet = SquareSet::new(0xC0C0_C0C0_C0C0_C0C0);
const RANKS_1_AND_2: SquareSet = SquareSet::new(0xFFFF);
const RANKS_7_AND_8: SquareSet = SquareSet::new(0xFFFF << 48);

/// The evaluation of a position, for the side to move, corrected if a side has a lone king.
#[inline]
pub(super) fn corrected(position: &Position, evaluation: i32) -> i32 {
    let lone = |color: &Color| position.side(*color).len() == 1;
    let Some(defender) = Color::BOTH.into_iter().find(lone) else { return evaluation };
    if is_fortress(position, defender) {
        return 0;
    }
    let mop_up = mop_up(position, defender);
    evaluation + if position.turn() == defender { -mop_up } else { mop_up }
}

/// How near the lone king is to its mate
/// ([mop-up evaluation](https://www.chessprogramming.org/Mop-up_Evaluation)). 0 while there are
/// pawns, as one will be promoted first.
fn mop_up(position: &Position, defender: Color) -> i32 {
    let kind = |kind| position.kind(kind);
    if !kind(PAWN).is_empty() {
        return 0;
    }
    let king = position.king(defender);
    let [rank, file] = [king.index() / 8, king.index() % 8].map(i32::from);
    let from_centre = [rank, file].map(|place| place.max(7 - place) - 4).iter().sum::<i32>();
    let kings_close = 7 - i32::from(distance::<8>(king, position.king(!defender)));
    // The long diagonal between the other two corners is farthest from a corner.
    let corners = [(DARK, (rank + file - 7).abs()), (!DARK, (rank - file).abs())];
    let bishops = kind(BISHOP);
    let attacked = corners.into_iter().filter(|&(color, _)| !(bishops & color).is_empty());
    let near_corner = match (kind(QUEEN) | kind(ROOK)).is_empty() {
        true => attacked.map(|(_, near)| near).max().unwrap_or(0),
        false => 0,
    };
    FROM_CENTRE * from_centre + KINGS_CLOSE * kings_close + NEAR_CORNER * near_corner
}

/// Whether a lone king holds the draw against rook pawns: it stands on one of the four squares of
/// the corner where they would promote, and the other side has nothing else but bishops of the
/// wrong colour for that corner. They can never drive the king out, and may stalemate it.
fn is_fortress(position: &Position, defender: Color) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Chess, Game};

    fn mop_up(fen: &str) -> i32 {
        corrected(&Chess.parse_fen(fen).expect(fen), 0)
    }

    #[test]
    fn a_lone_king_is_driven_to_a_corner_that_a_bishop_attacks() {
        // The bishop is on a dark square, like a1 and h8.
        let nearer = [
            "8/8/8/8/2N1K3/4B3/8/k7 w - - 0 1",
            "8/8/8/8/2N1K3/4B3/k7/8 w - - 0 1",
            "8/8/k7/8/2N1K3/4B3/8/8 w - - 0 1",
            "k7/8/8/8/2N1K3/4B3/8/8 w - - 0 1",
        ];
        assert!(nearer.map(mop_up).is_sorted_by(|one, other| one > other));
        assert!(mop_up("7k/8/8/8/2N1K3/4B3/8/8 w - - 0 1") > mop_up(nearer[3]));
        assert_eq!(
            mop_up("k7/8/8/4K3/8/8/8/7R w - - 0 1"),
            -mop_up("k7/8/8/4K3/8/8/8/7R b - - 0 1")
        );
        assert_eq!(mop_up("k7/8/8/4K3/8/8/P7/7R w - - 0 1"), 0, "a pawn will be promoted");
        assert_eq!(mop_up("k7/8/8/4K3/8/8/8/r6R w - - 0 1"), 0, "not alone");
    }
}
