//! Slots: the placements of both kings.

use super::board::{SQUARES, Symmetry, king_steps, squares};
use damka_games::Color;
use std::sync::LazyLock;

/// The placements of two kings that are not adjacent, as slots.
#[derive(Debug)]
pub(super) struct KingPairs {
    /// The squares of White's and Black's king, by slot.
    pairs: Vec<[u8; 2]>,
    /// By the squares of the kings: the slot, and the symmetry that maps the placement onto it.
    slots: Vec<Option<(u16, Symmetry)>>,
    /// The moves of White's and Black's king, by slot.
    links: [Vec<Vec<Link>>; 2],
    /// How many placements of the kings share each slot.
    weights: Vec<u32>,
}

/// A king move: the target slot, and the symmetry that maps the placement after the move onto it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) slot: u16,
    pub(super) symmetry: Symmetry,
}

impl KingPairs {
    /// The pairs for fibres with pawns. Each is a slot of its own: mirror images belong to the mirrored
    /// fibre.
    pub(super) fn beside_pawns() -> &'static KingPairs {
        static PAIRS: LazyLock<KingPairs> = LazyLock::new(|| KingPairs::new(1));
        &PAIRS
    }

    /// The pairs for fibres without pawns. Symmetric pairs share a slot.
    pub(super) fn folded() -> &'static KingPairs {
        static PAIRS: LazyLock<KingPairs> = LazyLock::new(|| KingPairs::new(8));
        &PAIRS
    }

    fn new(symmetries: usize) -> KingPairs {
        let mut slots = vec![None; SQUARES * SQUARES];
        let mut pairs: Vec<[u8; 2]> = Vec::new();
        let mut weights = Vec::new();
        for white in 0..64 {
            for black in squares(!(king_steps(white) | 1 << white)) {
                if slots[index([white, black])].is_some() {
                    continue;
                }
                let slot = pairs.len() as u16;
                let mut weight = 0;
                for symmetry in Symmetry::all().take(symmetries) {
                    let image = [white, black].map(|square| symmetry.square(square));
                    let entry = &mut slots[index(image)];
                    if entry.is_none() {
                        *entry = Some((slot, symmetry.inverse()));
                        weight += 1;
                    }
                }
                pairs.push([white, black]);
                weights.push(weight);
            }
        }
        let links = Color::BOTH.map(|mover| {
            let moves = |pair: &[u8; 2]| {
                let reached = squares(king_steps(pair[mover as usize])).filter_map(|square| {
                    let mut pair = *pair;
                    pair[mover as usize] = square;
                    slots[index(pair)].map(|(slot, symmetry)| Link { slot, symmetry })
                });
                reached.collect()
            };
            pairs.iter().map(moves).collect()
        });
        KingPairs { pairs, slots, links, weights }
    }

    /// The number of slots.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The squares of White's and Black's king.
    #[inline]
    pub(super) fn pair(&self, slot: usize) -> [u8; 2] {
        self.pairs[slot]
    }

    /// The moves of this side's king.
    #[inline]
    pub(super) fn links(&self, mover: Color, slot: usize) -> &[Link] {
        &self.links[mover as usize][slot]
    }

    /// How many placements of the kings share this slot.
    pub(super) fn weight(&self, slot: usize) -> u32 {
        self.weights[slot]
    }

    /// The slot of this placement, and the symmetry that maps the placement onto it; `None` if the
    /// kings are adjacent or on the same square.
    pub(super) fn find(&self, pair: [u8; 2]) -> Option<(usize, Symmetry)> {
        self.slots[index(pair)].map(|(slot, symmetry)| (slot.into(), symmetry))
    }
}

fn index([white, black]: [u8; 2]) -> usize {
    usize::from(white) << 6 | usize::from(black)
}
