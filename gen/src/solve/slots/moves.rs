//! Predecessors: the cells of a slot from which a side can move into a given set, by a king move,
//! which leads to another slot, or by a piece move within the slot.

use super::board::{SQUARES, Symmetry, pawn_captures};
use super::lanes::{EMPTY, Lanes, is_empty, or};
use super::pairs::Link;
use super::reach::Reach;
use super::world::{Cells, World};
use damka_games::Color;
use damka_tables::processor::{Processor, Work};

/// Finds the cells of a slot from which `mover` can move into `from`. Only the cells in `wanted`
/// are correct; others may or may not be included. Returns false if there are none, in which case
/// `into` is not written.
pub(super) struct Moves<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) mover: Color,
    pub(super) slot: usize,
    pub(super) from: &'a Cells,
    pub(super) wanted: &'a [u64],
    pub(super) into: &'a mut [u64],
}

impl Work for Moves<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> bool {
        let Moves { world, mover, slot, from, wanted, into } = self;
        let links = world.pairs.links(mover, slot);
        let links = || links.iter().filter(|link| from.any[usize::from(link.slot)]);
        if links().next().is_none() && !from.any[slot] {
            return false;
        }
        let words = |link: &Link| &from.words[world.range(link.slot.into())];
        // Most king moves need no symmetry: combine these slots in one pass.
        let mut same: [&[u64]; 8] = [&[]; 8];
        let mut number = 0;
        for link in links().filter(|link| link.symmetry == Symmetry::IDENTITY) {
            same[number] = words(link);
            number += 1;
        }
        unite(&same[..number], into);
        for link in links().filter(|link| link.symmetry != Symmetry::IDENTITY) {
            add_image(world.axes, link.symmetry, words(link), into);
        }
        if from.any[slot] {
            let from = &from.words[world.range(slot)];
            reach_by_pieces(processor, world, mover, slot, from, wanted, into);
        }
        true
    }
}

/// Adds the cells of a slot from which a piece of `mover` can move into `from`. Only the cells in
/// `wanted` are correct.
#[inline(always)]
fn reach_by_pieces<P: Processor>(
    processor: P,
    world: &World<'_>,
    mover: Color,
    slot: usize,
    from: &[u64],
    wanted: &[u64],
    into: &mut [u64],
) {
    let (axes, blocked) = (world.axes, world.blocked(slot));
    for axis in world.fibre.axes_of(mover) {
        let kind = world.fibre.pieces()[axis].kind;
        processor.run(Reach { kind, axis, axes, blocked, from, wanted, into });
    }
}

/// Writes the union of sets to `into`.
#[inline(always)]
fn unite(sets: &[&[u64]], into: &mut [u64]) {
    let (lanes, rest) = into.as_chunks_mut();
    for (i, into) in lanes.iter_mut().enumerate() {
        let mut union: Lanes = EMPTY;
        for set in sets {
            union = or(union, set.as_chunks().0[i]);
        }
        *into = union;
    }
    let first = 8 * lanes.len();
    for (i, into) in rest.iter_mut().enumerate() {
        *into = sets.iter().fold(0, |union, set| union | set[first + i]);
    }
}

/// Adds the cells that a symmetry maps into `from`.
#[inline(always)]
fn add_image(axes: usize, symmetry: Symmetry, from: &[u64], into: &mut [u64]) {
    macro_rules! dispatch {
        ($($known:literal)*) => {
            match symmetry.number() {
                $($known => add_known_image(axes, Symmetry::numbered($known), from, into),)*
                _ => {}
            }
        };
    }
    // The symmetry must be a constant where the loop is compiled.
    dispatch!(0 1 2 3 4 5 6 7);
}

#[inline(always)]
fn add_known_image(axes: usize, symmetry: Symmetry, from: &[u64], into: &mut [u64]) {
    let back = symmetry.inverse();
    let image = |square: usize| usize::from(symmetry.square(square as u8));
    match axes {
        0 => into[0] |= from[0],
        1 => into[0] |= back.set(from[0]),
        _ => {
            let (from, into) = (from.as_chunks::<SQUARES>().0, into.as_chunks_mut::<SQUARES>().0);
            for (block, into) in into.iter_mut().enumerate() {
                let mut other = 0;
                for axis in 0..axes - 2 {
                    other |= image(block >> (6 * axis) & (SQUARES - 1)) << (6 * axis);
                }
                let from = &from[other];
                if is_empty(from.as_chunks().0) {
                    continue;
                }
                for (square, into) in into.iter_mut().enumerate() {
                    *into |= back.set(from[image(square)]);
                }
            }
        }
    }
}

/// Finds the cells of a slot in which pieces of `color` attack the other king. `buffer` has space
/// for one set.
pub(super) struct Attacks<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) color: Color,
    pub(super) slot: usize,
    pub(super) into: &'a mut [u64],
    pub(super) buffer: &'a mut [u64],
}

impl Work for Attacks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) {
        let Attacks { world, color, slot, into, buffer } = self;
        let king = world.pairs.pair(slot)[!color as usize];
        let pawns = world.fibre.pawns()[color as usize];
        if pawns & pawn_captures(!color, king) != 0 {
            into.fill(!0);
            return;
        }
        // The cells in which a piece of `color` has moved onto the king's square.
        buffer.fill(0);
        for axis in world.fibre.axes_of(color) {
            if axis + 1 == world.axes {
                buffer.iter_mut().for_each(|word| *word |= 1 << king);
                continue;
            }
            let stride = SQUARES.pow((world.axes - 2 - axis) as u32);
            for block in buffer.chunks_exact_mut(SQUARES * stride) {
                block[usize::from(king) * stride..][..stride].fill(!0);
            }
        }
        into.fill(0);
        let all = vec![!0; world.words];
        reach_by_pieces(processor, world, color, slot, buffer, &all, into);
    }
}
