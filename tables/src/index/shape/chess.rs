use super::{Indexable, Slice, Step, Symmetry};
use damka_games::chess::{KING, Move, PAWN, Position};
use damka_games::grid::{distance, flip, mirror, transpose};
use damka_games::{Chess, Color, Game, Material, MoveList, Position as _, Square};
use std::ops::Range;

const BOARD: Range<u32> = 0..64;
/// The ranks of pawns.
const RANKS_2_TO_7: Range<u32> = 8..56;

/// Pawns first, then the kings, then other pieces in order of strength. Without pawns the kings
/// lead, and the board has all its symmetries; with pawns only the mirror image left to right.
impl Indexable for Chess {
    const INDEX_VERSION: u16 = 2;
    const FOLDS_AFTER_SYMMETRIC_LEADS: bool = false;
    const DISTANCES_OF_ONE_SIDE: bool = true;
    const HAS_CONVERSIONS: bool = true;

    fn slices(mover: &Material, opponent: &Material) -> Vec<(u64, Slice)> {
        let steps = |kind, zone: &Range<u32>, colors: [Color; 2]| {
            let zone = zone.clone();
            colors.map(|color| {
                let count = u32::from([mover, opponent][color as usize][kind]);
                Step { color, kind, count, zone: zone.clone() }
            })
        };
        // An odd number of pawns is never its own mirror image, so with such a lead all images share
        // numbers.
        let first = match opponent[PAWN] % 2 {
            0 => Color::White,
            _ => Color::Black,
        };
        let pawns = steps(PAWN, &RANKS_2_TO_7, [first, !first]);
        let kings = steps(KING, &BOARD, Color::BOTH);
        let others = Chess::kinds().filter(|&kind| kind != PAWN && kind != KING);
        let others = others.flat_map(|kind| steps(kind, &BOARD, Color::BOTH));
        let all = pawns.into_iter().chain(kings).chain(others);
        vec![(0, all.filter(|step| step.count > 0).collect())]
    }

    #[inline]
    fn slice_key(_: Color, _: &Position) -> u64 {
        0
    }

    fn leader(_: &Material, _: &Material) -> Color {
        Color::White
    }

    #[inline]
    fn may_lead(first: Square, second: Square) -> bool {
        distance::<8>(first, second) > 1
    }

    fn symmetries(mover: &Material, opponent: &Material) -> &'static [Symmetry] {
        match mover[PAWN] + opponent[PAWN] {
            0 => &[mirror::<8>, flip::<8>, turn, transpose, turn_left, turn_right, transpose_other],
            _ => &[mirror::<8>],
        }
    }

    #[inline]
    fn is_legal(position: &Position) -> bool {
        !position.is_in_check(!position.turn())
    }

    #[inline]
    fn conversions(position: &Position) -> MoveList<Move> {
        match position.may_capture_or_promote() {
            true => position.captures_and_promotions(),
            false => MoveList::new(),
        }
    }

    #[inline]
    fn no_table_reason(position: &Position) -> Option<&'static str> {
        position.may_castle().then_some("a side may castle")
    }
}

/// Turns the board by 180 degrees.
fn turn(set: u64) -> u64 {
    set.reverse_bits()
}

/// Reflects the board in the diagonal a8-h1.
fn transpose_other(set: u64) -> u64 {
    turn(transpose(set))
}

/// Turns the board by 90 degrees.
fn turn_left(set: u64) -> u64 {
    mirror::<8>(transpose(set))
}

/// Turns the board by 90 degrees in the opposite direction.
fn turn_right(set: u64) -> u64 {
    flip::<8>(transpose(set))
}
