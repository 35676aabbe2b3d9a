//! The exits of a fibre, as the kernel of rows of bits wants them: captures, and moves of men.

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

/// Finds what the conversions of a fibre are worth.
pub trait Exits<G: Indexable>: Send + Sync {
    /// Room to work in.
    type Buffers: Default + Send;

    /// Gets ready for fibres of `game` in which White and Black have these materials.
    fn new(game: G, cache: &PlacementCache, materials: [Material; 2]) -> Self;

    /// The bytes of the buffers for fibres of `positions` positions, one side to move, on each of which
    /// `threads` threads work.
    fn buffer_bytes(game: G, positions: usize, threads: usize) -> usize;

    /// Finds what the exits of a fibre with these men are worth.
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

/// Which exits of a fibre are to be found.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The side to move.
    pub(super) mover: Color,
    /// Only those of positions in which nothing but captures is legal.
    pub(super) forced_only: bool,
    /// All threads are there to help.
    pub(super) parallel: bool,
}

/// What the exits of a fibre are worth to the side to move: a row for each placement of its
/// kings, in it a score for each placement of the others.
#[derive(Debug, Default)]
pub struct ExitScores {
    /// Positions in which nothing but captures is legal. NONE: others.
    pub(super) forced: Vec<u8>,
    /// The best exit of other positions, if there are any. NONE: no exit.
    pub(super) exits: Vec<u8>,
    /// Whether there are any of these.
    pub(super) has_exits: bool,
}

impl ExitScores {
    /// The bytes that they take for `positions` positions; `has_exits` says whether some that are not
    /// forced have exits.
    pub(super) fn bytes(positions: usize, has_exits: bool) -> usize {
        positions * if has_exits { 2 } else { 1 }
    }

    /// Begins a fibre of `rows` rows of `columns` scores.
    pub(super) fn clear(&mut self, rows: usize, columns: usize) {
        self.has_exits = false;
        self.exits.clear();
        self.forced.clear();
        self.forced.resize(rows * columns, NONE);
    }

    /// Only who wins is known from here on.
    #[inline(always)]
    pub(super) fn forget_distances(&mut self) {
        for scores in [&mut self.forced, &mut self.exits] {
            for score in scores.iter_mut() {
                *score = score::without_distance_or_none(*score);
            }
        }
    }

    /// Makes room for exits of positions that are not forced.
    pub(super) fn with_exits(&mut self) {
        if !std::mem::replace(&mut self.has_exits, true) {
            self.exits.resize(self.forced.len(), NONE);
        }
    }
}
