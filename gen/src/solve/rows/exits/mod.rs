//! The scores of a fibre's exits, which are captures and moves of men.

mod draughts;
mod one_by_one;

pub(in crate::solve) use draughts::{DraughtsExits, can_find};
pub(in crate::solve) use one_by_one::OneByOne;

use super::lookup::Lookup;
use super::placements::PlacementCache;
use crate::solve::instructions::Instructions;
use crate::solve::score::{self, NONE};
use damka_games::{Color, Material, Pieces};
use damka_tables::Indexable;

/// Finds the scores of a fibre's exits.
pub trait Exits<G: Indexable>: Send + Sync {
    /// Working memory, reused from fibre to fibre.
    type Buffers: Default + Send;

    /// Prepares for fibres of `game` in which White and Black have these materials.
    fn new(game: G, cache: &PlacementCache, materials: [Material; 2]) -> Self;

    /// The size in bytes of the buffers for fibres of `positions` positions with one side to move,
    /// each processed by `threads` threads.
    fn buffer_bytes(game: G, positions: usize, threads: usize) -> usize;

    /// Finds the scores of the exits of a fibre with these men.
    fn find(
        &self,
        instructions: Instructions,
        lookup: Lookup<'_, G>,
        men: &Pieces,
        task: Task,
        buffers: &mut Self::Buffers,
        found: &mut ExitScores,
    );
}

/// The exits to find.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The side to move.
    pub(super) mover: Color,
    /// Whether to find only those of positions in which only captures are legal.
    pub(super) forced_only: bool,
    /// Whether all threads work on this fibre.
    pub(super) parallel: bool,
}

/// The scores of a fibre's exits for the side to move: a row for each placement of its kings, with
/// a score for each placement of the other kings.
#[derive(Debug, Default)]
pub struct ExitScores {
    /// The scores of positions in which only captures are legal; NONE for others.
    pub(super) forced: Vec<u8>,
    /// The best exits of other positions, if there are any; NONE without exits.
    pub(super) exits: Vec<u8>,
    /// Whether other positions have exits.
    pub(super) has_exits: bool,
}

impl ExitScores {
    /// The size in bytes for `positions` positions. `has_exits` is whether positions that are not
    /// forced have exits.
    pub(super) fn bytes(positions: usize, has_exits: bool) -> usize {
        positions * if has_exits { 2 } else { 1 }
    }

    /// Starts a fibre of `rows` rows of `columns` scores.
    pub(super) fn clear(&mut self, rows: usize, columns: usize) {
        self.has_exits = false;
        self.exits.clear();
        self.forced.clear();
        self.forced.resize(rows * columns, NONE);
    }

    /// Reduces scores to win, draw and loss.
    #[inline(always)]
    pub(super) fn forget_distances(&mut self) {
        for scores in [&mut self.forced, &mut self.exits] {
            for score in scores.iter_mut() {
                *score = score::without_distance_or_none(*score);
            }
        }
    }

    /// Makes room for the exits of positions that are not forced.
    pub(super) fn with_exits(&mut self) {
        if !std::mem::replace(&mut self.has_exits, true) {
            self.exits.resize(self.forced.len(), NONE);
        }
    }
}
