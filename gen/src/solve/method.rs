//! How the signatures of a game are solved: the interface that each method implements.

use super::arrays::ScratchFiles;
use super::by_material::SolvedByMaterial;
use super::footprint::{Footprint, MemoryOptions};
use super::instructions::Instructions;
use super::journal::JournalOptions;
use super::part::Part;
use super::solution::Solution;
use crate::cost::PositionCost;
use crate::profile::Profile;
use crate::seed_scores::{SeedError, SeedReader, SeedWriter};
use crate::{GenError, Stop};
use damka_games::{Color, Material, SquareSet};
use damka_probe::Table;
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::fmt::{Debug, Display};
use std::io;
use std::sync::Arc;

/// A game whose tables the solver can make.
pub trait Solvable: Indexable {
    /// The method that solves its signatures.
    type Method: Method<Self>;

    /// Tables of up to this many pieces are built in seconds, so programs may build them on demand.
    const QUICK_PIECES: u32 = 3;

    /// How far the men of both sides have advanced. Increases with every move of a man that does
    /// not promote. Constant in games without men.
    fn advance(_position: &Self::Position) -> u32 {
        0
    }

    /// The squares on which a man of `color` becomes another piece. None in games without men.
    fn promotion_squares(_color: Color) -> SquareSet {
        SquareSet::EMPTY
    }

    /// Whether exits can be found for many positions at once, which is quicker. Affects cost
    /// estimates only, never values.
    fn has_bulk_exits(self) -> bool {
        true
    }
}

/// The scores of a solved signature, in the form in which other signatures look them up.
pub(crate) type FramesOf<G> = <<G as Solvable>::Method as Method<G>>::Frames;

/// What is looked up in the scores of a solved signature.
pub(crate) type DemandOf<G> = <<G as Solvable>::Method as Method<G>>::Demand;

/// State shared by all signatures of a run.
pub(crate) type SharedOf<G> = <<G as Solvable>::Method as Method<G>>::Shared;

/// Settings and shared state for solving all signatures of a run.
pub struct Setting<'a, G: Solvable> {
    pub(crate) game: G,
    pub(crate) metric: Metric,
    pub(crate) instructions: Instructions,
    /// Where large arrays go; `None` keeps them in memory.
    pub(crate) scratch: Option<&'a ScratchFiles>,
    pub(crate) shared: SharedOf<G>,
    pub(crate) stop: &'a Stop,
}

/// The inputs for solving one signature.
pub struct Context<'a, G: Solvable> {
    pub(crate) setting: &'a Setting<'a, G>,
    /// The frames of the signatures that one move from this one leads to.
    pub(crate) successors: &'a SolvedByMaterial<FramesOf<G>>,
    /// The signatures, still to be solved or loaded, that lead to this one.
    pub(crate) users: &'a [Signature<G>],
    /// How unfinished work is journalled; `None` disables the journal.
    pub(crate) journal: Option<JournalOptions<'a>>,
    /// The fibres to solve; the values of other fibres are unspecified.
    pub(crate) part: Part,
    pub(crate) profile: &'a Profile,
    /// Progress callback. The argument is the number of positions solved since the previous call.
    pub(crate) on_progress: &'a (dyn Fn(u64) + Sync),
}

/// How frames are loaded from a table.
#[derive(Debug)]
pub struct Loading<G: Solvable, F> {
    /// Memory needed besides the frames, for a signature with the given number of positions.
    pub(crate) footprint: fn(&Signature<G>, u64, MemoryOptions) -> Footprint,
    /// Makes the frames of a table's signature, as far as some signatures look them up, from the
    /// table and the frames of its successors.
    ///
    /// # Errors
    /// Fails if the table is damaged, the run is interrupted or memory runs out.
    pub(crate) load: Load<G, F>,
}

/// Signature of [`Loading::load`].
type Load<G, F> =
    fn(&Setting<'_, G>, &Table<G>, &SolvedByMaterial<F>, &[Signature<G>]) -> Result<F, GenError>;

/// What some signatures look up in the frames of another one. Displayed and parsed as a single
/// word.
pub trait Demand: Clone + Debug + Display + Send + Sync {
    /// Parses the text of a demand; `None` if it is not valid.
    fn parse(text: &str) -> Option<Self>;

    /// Whether frames that hold this demand also hold all of `other`.
    fn covers(&self, other: &Self) -> bool;

    /// Whether nothing is looked up.
    fn is_nothing(&self) -> bool;
}

/// How the signatures of a game are solved, and how their scores are kept for the signatures that
/// lead to them.
pub trait Method<G: Solvable>: 'static {
    /// The scores of a solved signature.
    type Frames: Debug + Send + Sync;
    /// What is looked up in frames.
    type Demand: Demand;
    /// State shared by all signatures of a run.
    type Shared: Debug + Default + Send + Sync;

    /// How frames are loaded from a table. With `None`, a signature that already has a table is
    /// solved again when its frames are needed.
    const LOADING: Option<Loading<G, Self::Frames>>;

    /// Estimates the cost of each position of a signature.
    fn cost(signature: &Signature<G>) -> PositionCost;

    /// Memory for the parts of the frames of these materials that `users`, the signatures that lead
    /// to them, read.
    fn frames_footprint(
        game: G,
        materials: [Material; 2],
        users: &[Signature<G>],
        options: MemoryOptions,
    ) -> Footprint;

    /// Memory for the parts of these frames that `users` read, if they are [colour-exchanged
    /// copies](Method::exchanged) of another material's frames.
    fn exchanged_footprint(
        game: G,
        materials: [Material; 2],
        users: &[Signature<G>],
        options: MemoryOptions,
    ) -> Footprint;

    /// Memory for solving a signature of `positions` positions, including its values and its own
    /// frames, of which `users` will read some.
    fn footprint(
        signature: &Signature<G>,
        positions: u64,
        users: &[Signature<G>],
        options: MemoryOptions,
    ) -> Footprint;

    /// Solves a signature.
    ///
    /// # Errors
    /// Fails if the run is interrupted, a distance does not fit or memory runs out.
    fn solve(
        signature: Signature<G>,
        context: &Context<'_, G>,
    ) -> Result<(Solution<G>, Self::Frames), GenError>;

    /// What `users` look up in the frames of these materials.
    fn demand(materials: [Material; 2], users: &[Signature<G>]) -> Self::Demand;

    /// Writes the parts of frames that are in demand to a seed file.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    ///
    /// # Panics
    /// If the frames do not hold all of `demand`.
    fn save(
        frames: &Self::Frames,
        materials: [Material; 2],
        demand: &Self::Demand,
        seed: &mut SeedWriter<'_>,
    ) -> io::Result<()>;

    /// Reads the parts in `demand` from a seed file that holds `held`, which must cover them.
    ///
    /// # Errors
    /// Fails if the file cannot be read or does not contain `held`, or memory runs out.
    fn restore(
        setting: &Setting<'_, G>,
        materials: [Material; 2],
        held: &Self::Demand,
        demand: &Self::Demand,
        seed: &mut SeedReader<'_>,
    ) -> Result<Self::Frames, SeedError>;

    /// Drops the parts of frames that `users` do not read.
    ///
    /// # Errors
    /// Fails if memory runs out.
    fn prune(
        setting: &Setting<'_, G>,
        frames: &mut Self::Frames,
        materials: [Material; 2],
        users: &[Signature<G>],
    ) -> Result<(), GenError>;

    /// Returns the parts of frames that `users` read, with colours exchanged.
    ///
    /// # Errors
    /// Fails if memory runs out.
    fn exchanged(
        setting: &Setting<'_, G>,
        frames: &Arc<Self::Frames>,
        users: &[Signature<G>],
    ) -> Result<Self::Frames, GenError>;
}
