//! The cells of a slot from which a piece can move into a given set, for all placements of the
//! other pieces at once: 64 cells per word, eight words per vector.
//!
//! A slider passes free squares and stops at the first occupied one, which may be a hole where it
//! has captured. So a set spreads along a ray by `set | passed & free`, one step per square, and
//! one chain serves all origins on the line. A knight's move is a single step that must not spread
//! further.

use super::board::{
    AxisKind, DIAGONAL, FILE_A, FILE_H, SIZE, SQUARES, STRAIGHT, SquareLine, knight_leaps, squares,
};
use super::lanes::{EMPTY, Lanes, and, down, is_empty, or, up};
use damka_tables::processor::{Processor, Work};
use std::sync::LazyLock;

/// The squares a knight's move from each square.
static LEAPS: LazyLock<[u64; SQUARES]> =
    LazyLock::new(|| std::array::from_fn(|square| knight_leaps(square as u8)));

/// The words in a slot with this many axes.
pub(super) fn words(axes: usize) -> usize {
    SQUARES.pow(axes.saturating_sub(1) as u32)
}

/// The set of squares that are the digits of a cell of `axes` axes.
#[inline(always)]
pub(super) fn squares_at(axes: usize, mut cell: usize) -> u64 {
    let mut set = 0;
    for _ in 0..axes {
        set |= 1 << (cell % SQUARES);
        cell /= SQUARES;
    }
    set
}

/// Adds to `into` the cells of a slot from which the piece of `kind` on `axis`, one of `axes`, can
/// move into `from`. Only the cells in `wanted` are correct; others may or may not be added.
/// `blocked` has the squares of kings and pawns.
pub(super) struct Reach<'a> {
    pub(super) kind: AxisKind,
    pub(super) axis: usize,
    pub(super) axes: usize,
    pub(super) blocked: u64,
    pub(super) from: &'a [u64],
    pub(super) wanted: &'a [u64],
    pub(super) into: &'a mut [u64],
}

impl Work for Reach<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Processor>(self, _: P) {
        // The kind must be a constant where the loops are compiled.
        match self.kind {
            AxisKind::Queen => self.add(AxisKind::Queen),
            AxisKind::Rook => self.add(AxisKind::Rook),
            AxisKind::Bishop => self.add(AxisKind::Bishop),
            AxisKind::Knight => self.add(AxisKind::Knight),
        }
    }
}

impl Reach<'_> {
    #[inline(always)]
    fn add(self, kind: AxisKind) {
        let Reach { axis, axes, blocked, from, wanted, into, .. } = self;
        if axis + 1 == axes {
            return along_bits(kind, axes, blocked, from, wanted, into);
        }
        let (from, wanted) = (from.as_chunks().0, wanted.as_chunks().0);
        let into = into.as_chunks_mut().0;
        if axis + 2 == axes {
            along_words(kind, axes, blocked, from, wanted, into);
        } else {
            along_vectors(kind, axis, axes, blocked, from, wanted, into);
        }
    }
}

/// Moves along an axis before the last two: its squares are whole vectors apart.
#[inline(always)]
fn along_vectors(
    kind: AxisKind,
    axis: usize,
    axes: usize,
    blocked: u64,
    from: &[Lanes],
    wanted: &[Lanes],
    into: &mut [Lanes],
) {
    let inner_axes = axes - 3 - axis;
    let stride = SIZE * SQUARES.pow(inner_axes as u32);
    // Masks of what may pass each square, considering kings, pawns and the piece of the last axis.
    let passed: [Lanes; SQUARES] = std::array::from_fn(|square| match blocked >> square & 1 {
        0 => [!(1 << square); 8],
        _ => EMPTY,
    });
    let mut free = passed;
    let block = SQUARES * stride;
    let blocks = from.chunks_exact(block).zip(wanted.chunks_exact(block));
    for (outer, ((from, wanted), into)) in blocks.zip(into.chunks_exact_mut(block)).enumerate() {
        for inner in 0..stride {
            let (mut any, mut any_wanted) = (EMPTY, EMPTY);
            for square in 0..SQUARES {
                any = or(any, from[square * stride + inner]);
                any_wanted = or(any_wanted, wanted[square * stride + inner]);
            }
            if any == EMPTY || any_wanted == EMPTY {
                continue;
            }
            let at = |square: usize| square * stride + inner;
            if kind == AxisKind::Knight {
                for square in 0..SQUARES {
                    let leaps = squares(LEAPS[square]).map(|leap| from[at(leap.into())]);
                    into[at(square)] = leaps.fold(into[at(square)], or);
                }
                continue;
            }
            // Block the squares of the pieces on the other axes.
            let rank = SIZE * (inner % SIZE);
            let others = squares_at(axis, outer) | squares_at(inner_axes, inner / SIZE);
            let touched = others | 0xFF << rank;
            (0..SIZE).for_each(|file| free[rank + file][file] = 0);
            squares(others).for_each(|square| free[square as usize] = EMPTY);
            if kind.is_straight() {
                along_lines(&STRAIGHT, stride, inner, &free, from, into);
            }
            if kind.is_diagonal() {
                along_lines(&DIAGONAL, stride, inner, &free, from, into);
            }
            squares(touched).for_each(|square| free[square as usize] = passed[square as usize]);
        }
    }
}

/// Spreads along these lines in both directions. `inner` is the index of the first square's vector.
#[inline(always)]
fn along_lines(
    lines: &[SquareLine],
    stride: usize,
    inner: usize,
    free: &[Lanes; SQUARES],
    from: &[Lanes],
    into: &mut [Lanes],
) {
    for &SquareLine { start, step, len } in lines {
        let (mut square, mut reached) = (start, EMPTY);
        for _ in 0..len {
            let at = square * stride + inner;
            into[at] = or(into[at], reached);
            reached = or(from[at], and(reached, free[square]));
            square += step;
        }
        reached = EMPTY;
        for _ in 0..len {
            square -= step;
            let at = square * stride + inner;
            into[at] = or(into[at], reached);
            reached = or(from[at], and(reached, free[square]));
        }
    }
}

/// A ray along a rank of words, in three steps instead of seven.
macro_rules! rays {
    ($from:expr, $free:expr, $shift:ident) => {{
        let (reached, free) = ($from, $free);
        let reached = or(reached, and(free, $shift::<1>(reached)));
        let free = and(free, $shift::<1>(free));
        let reached = or(reached, and(free, $shift::<2>(reached)));
        let free = and(free, $shift::<2>(free));
        let reached = or(reached, and(free, $shift::<4>(reached)));
        $shift::<1>(reached)
    }};
}

/// Moves along the second-to-last axis: its squares are adjacent words.
#[inline(always)]
fn along_words(
    kind: AxisKind,
    axes: usize,
    blocked: u64,
    from: &[Lanes],
    wanted: &[Lanes],
    into: &mut [Lanes],
) {
    let blocks = from.as_chunks::<SIZE>().0.iter().zip(wanted.as_chunks::<SIZE>().0);
    for (outer, ((from, wanted), into)) in blocks.zip(into.as_chunks_mut().0).enumerate() {
        if is_empty(from) || is_empty(wanted) {
            continue;
        }
        if kind == AxisKind::Knight {
            leap_along_words(from, into);
            continue;
        }
        let blocked = blocked | squares_at(axes - 2, outer);
        let free: [Lanes; SIZE] = std::array::from_fn(|rank| {
            std::array::from_fn(|file| {
                let square = SIZE * rank + file;
                if blocked >> square & 1 == 0 { !(1 << square) } else { 0 }
            })
        });
        // Steps along the columns of vectors, with a shift for the direction.
        macro_rules! columns {
            ($ranks:expr, $shift:path) => {
                let mut reached = EMPTY;
                for rank in $ranks {
                    into[rank] = or(into[rank], reached);
                    reached = $shift(or(from[rank], and(reached, free[rank])));
                }
            };
        }
        if kind.is_straight() {
            columns!(0..SIZE, std::convert::identity);
            columns!((0..SIZE).rev(), std::convert::identity);
            for rank in 0..SIZE {
                into[rank] = or(
                    into[rank],
                    or(rays!(from[rank], free[rank], up), rays!(from[rank], free[rank], down)),
                );
            }
        }
        if kind.is_diagonal() {
            columns!(0..SIZE, up::<1>);
            columns!((0..SIZE).rev(), up::<1>);
            columns!(0..SIZE, down::<1>);
            columns!((0..SIZE).rev(), down::<1>);
        }
    }
}

#[inline(always)]
fn leap_along_words(from: &[Lanes; SIZE], into: &mut [Lanes; SIZE]) {
    // Not with `map`, whose closure would not be compiled for the instruction set.
    let (mut near, mut far) = (*from, *from);
    near.iter_mut().for_each(|lanes| *lanes = or(up::<2>(*lanes), down::<2>(*lanes)));
    far.iter_mut().for_each(|lanes| *lanes = or(up::<1>(*lanes), down::<1>(*lanes)));
    for rank in 0..SIZE {
        let mut reached = into[rank];
        for (distance, from) in [(1, &near), (2, &far)] {
            if rank >= distance {
                reached = or(reached, from[rank - distance]);
            }
            if rank + distance < SIZE {
                reached = or(reached, from[rank + distance]);
            }
        }
        into[rank] = reached;
    }
}

/// Moves along the last axis: its squares are the bits of a word.
#[inline(always)]
fn along_bits(
    kind: AxisKind,
    axes: usize,
    blocked: u64,
    from: &[u64],
    wanted: &[u64],
    into: &mut [u64],
) {
    if axes == 1 {
        into[0] |= reach_in_word(kind, from[0], !blocked);
        return;
    }
    let all = from.as_chunks::<SIZE>().0.iter().zip(wanted.as_chunks::<SIZE>().0);
    for (number, ((from, wanted), into)) in all.zip(into.as_chunks_mut::<SIZE>().0).enumerate() {
        if *from == EMPTY || *wanted == EMPTY {
            continue;
        }
        let others = blocked | squares_at(axes - 2, number / SIZE);
        let rank = SIZE * (number % SIZE);
        for file in 0..SIZE {
            let free = !(others | 1 << (rank + file));
            into[file] |= reach_in_word(kind, from[file], free);
        }
    }
}

/// The squares from which a piece reaches `from`, where it can pass the squares `free`.
#[inline(always)]
pub(super) fn reach_in_word(kind: AxisKind, from: u64, free: u64) -> u64 {
    const NOT_A: u64 = !FILE_A;
    const NOT_H: u64 = !FILE_H;
    const ALL: u64 = !0;
    // The target squares of a step lie within `$mask`.
    macro_rules! ray {
        ($shift:tt $by:literal $mask:ident) => {{
            let free = free & $mask;
            let reached = from | free & (from $shift $by);
            let free = free & (free $shift $by);
            let reached = reached | free & (reached $shift (2 * $by));
            let free = free & (free $shift (2 * $by));
            let reached = reached | free & (reached $shift (4 * $by));
            (reached $shift $by) & $mask
        }};
    }
    let mut into = 0;
    if kind.is_straight() {
        into |= ray!(<< 8 ALL) | ray!(>> 8 ALL) | ray!(<< 1 NOT_A) | ray!(>> 1 NOT_H);
    }
    if kind.is_diagonal() {
        into |= ray!(<< 9 NOT_A) | ray!(>> 9 NOT_H) | ray!(<< 7 NOT_H) | ray!(>> 7 NOT_A);
    }
    if kind == AxisKind::Knight {
        let left = from >> 1 & NOT_H;
        let right = from << 1 & NOT_A;
        let left_2 = left >> 1 & NOT_H;
        let right_2 = right << 1 & NOT_A;
        let (far, near) = (left | right, left_2 | right_2);
        into |= far << 16 | far >> 16 | near << 8 | near >> 8;
    }
    into
}
