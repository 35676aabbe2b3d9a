//! What is different from one kind of game to the next: how a signature is solved.

use super::arrays::ScratchFiles;
use super::footprint::{Footprint, MemoryOptions};
use super::frames::Part;
use super::journal::JournalOptions;
use super::lookup::SolvedByMaterial;
use super::simd::Instructions;
use super::solution::Solution;
use crate::cost::Cost;
use crate::profile::Profile;
use crate::{GenError, Stop};
use damka_games::Material;
use damka_probe::Table;
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::fmt::Debug;
use std::sync::Arc;

/// A game that the solver can make tables for.
pub trait Solvable: Indexable {
    /// What solves its signatures.
    type Method: Method<Self>;

    /// Tables of up to this many pieces are built in seconds, so that programs
    /// may build them when they are needed.
    const QUICK_PIECES: u32;

    /// How far the men of both sides have come: grows with every move of a man
    /// that stays one. Always the same in games without men.
    fn advance(_position: &Self::Position) -> u32 {
        0
    }

    /// Whether exits are found for many positions at once, where that is quicker. What is
    /// expected of a generation depends on it, not what it finds.
    fn finds_exits_at_once(self) -> bool {
        true
    }
}

/// The scores of a solved signature as other signatures look them up.
pub(crate) type FramesOf<G> = <<G as Solvable>::Method as Method<G>>::Frames;

/// What is shared by all signatures that are solved.
pub(crate) type SharedOf<G> = <<G as Solvable>::Method as Method<G>>::Shared;

/// What all signatures are solved with.
pub struct Setting<'a, G: Solvable> {
    pub(crate) game: G,
    pub(crate) metric: Metric,
    pub(crate) instructions: Instructions,
    /// Where large arrays go, if not into memory.
    pub(crate) scratch: Option<&'a ScratchFiles>,
    pub(crate) shared: SharedOf<G>,
    pub(crate) stop: &'a Stop,
}

/// What a signature is solved with.
pub struct Context<'a, G: Solvable> {
    pub(crate) setting: &'a Setting<'a, G>,
    /// The signatures that this one leads to.
    pub(crate) successors: &'a SolvedByMaterial<FramesOf<G>>,
    /// The signatures that will be solved or loaded and lead to this one.
    pub(crate) users: &'a [Signature<G>],
    /// How unfinished work is kept, if it is to be kept.
    pub(crate) journal: Option<JournalOptions<'a>>,
    /// The fibres to solve; others keep whatever values.
    pub(crate) part: Part,
    pub(crate) profile: &'a Profile,
    /// Told how many positions have been solved since it was last told.
    pub(crate) advanced: &'a (dyn Fn(u64) + Sync),
}

/// How frames are loaded from a table.
#[derive(Debug)]
pub struct Loading<G: Solvable, F> {
    /// What it takes besides the frames, for a signature of so many positions.
    pub(crate) footprint: fn(&Signature<G>, u64, MemoryOptions) -> Footprint,
    /// The frames of the signature of a table, given those of what it leads to.
    ///
    /// # Errors
    /// The table is damaged, it was interrupted, or there is no memory.
    pub(crate) load: Load<G, F>,
}

/// Loads a table.
type Load<G, F> = fn(&Setting<'_, G>, &Table<G>, &SolvedByMaterial<F>) -> Result<F, GenError>;

/// How the signatures of a game are solved, and how their scores are kept for the signatures that
/// lead to them.
pub trait Method<G: Solvable>: 'static {
    /// The scores of a solved signature.
    type Frames: Debug + Send + Sync;
    /// What is shared by all signatures that are solved.
    type Shared: Debug + Default + Send + Sync;

    /// How frames are loaded from a table. Without this, a signature that has a table is solved
    /// again where its frames are needed.
    const LOADING: Option<Loading<G, Self::Frames>>;

    /// What a position of a signature may cost: an estimate.
    fn cost(signature: &Signature<G>) -> Cost;

    /// What the frames of these materials take, as far as `users`, signatures that lead to them,
    /// ask for them.
    fn frames_footprint(
        game: G,
        materials: [Material; 2],
        users: &[Signature<G>],
        options: MemoryOptions,
    ) -> Footprint;

    /// What these frames take with [colours exchanged](Method::turned).
    fn turned_footprint(game: G, materials: [Material; 2], options: MemoryOptions) -> Footprint;

    /// What solving a signature of `positions` positions takes, its own frames and values
    /// included.
    fn footprint(signature: &Signature<G>, positions: u64, options: MemoryOptions) -> Footprint;

    /// Solves a signature.
    ///
    /// # Errors
    /// It was interrupted, a distance is too long, or there is no memory.
    fn solve(
        signature: Signature<G>,
        context: &Context<'_, G>,
    ) -> Result<(Solution<G>, Self::Frames), GenError>;

    /// Forgets of the frames of these materials what `users` do not ask for.
    fn keep(_frames: &mut Self::Frames, _materials: [Material; 2], _users: &[Signature<G>]) {}

    /// Frames with colours exchanged.
    ///
    /// # Errors
    /// There is no memory.
    fn turned(
        setting: &Setting<'_, G>,
        frames: &Arc<Self::Frames>,
    ) -> Result<Self::Frames, GenError>;
}
