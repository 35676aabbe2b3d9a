//! Generates tables by retrograde analysis. [Plans](Plan) which tables to build and in what order,
//! solves each signature fibre by fibre, writes its tables and reads them back. Also
//! [verifies](verify()) finished tables by an independent method.
//!
//! Nothing here prints; events are reported to a [`Progress`].
//!
//! # Modules
//!
//! * `family.rs`: the entry points of this crate, compiled once for each family of games
//! * `plan.rs`: which tables, in what order, with how much memory; `estimate.rs` predicts time and
//!   disk space from measurements
//! * `needs.rs`: the signatures that a signature leads to
//! * `run.rs`: processes one signature after the other: load, solve, pass on
//! * `build.rs`: builds and writes all tables; `rehearse.rs`: solves parts, to estimate the whole
//! * `solve/`: the solver: one signature, fibre by fibre
//!   * `method.rs`: the trait for how a signature is solved; `games.rs` chooses one for each game
//!   * `slots/`: the method of chess: sets of cells in slots of king placements
//!   * `solver.rs`: the method of draughts and Alapo: fibres in order, in batches (`schedule.rs`),
//!     by all threads
//!   * `kernel.rs`: the trait for the work inside a batch
//!   * `rows/`: the kernel of draughts and Alapo: quiet moves as rows of bits
//!   * `exits/`: the conversions of that kernel, from any game's rules, or for draughts many
//!     positions at once
//!   * `placements.rs`: placements of kings, and their moves
//!   * `frames.rs`: the values of a signature, for look-ups (`lookup.rs`)
//!   * `solved.rs`: the frames of all solved signatures; `load.rs` loads them from tables
//!   * `results.rs`: the results of a batch of fibres, just solved or restored; the only code that
//!     packs a solved fibre
//!   * `journal.rs`: unfinished work, for resuming a run that was killed
//!   * `arrays.rs`: large arrays, in memory or in scratch files to stay within --memory
//!   * `footprint.rs`: memory and scratch space; each component computes its own
//! * `write.rs`: writes a solved signature to a file
//! * `verify/`: derives the values of finished tables again, by forward moves: all of them in
//!   memory (`whole.rs`), or a sample of tables of any size (`sample.rs`); or compares tables with
//!   a list of digests (`digests.rs`)
//! * `profile.rs`: processor time by phase
//! * `tests/gen/`: tables against a plain solver, journals, errors, predicted and used memory

mod alloc;
mod build;
mod cost;
mod error;
mod estimate;
mod family;
mod needs;
mod open;
mod options;
mod plan;
mod profile;
mod progress;
mod rehearse;
mod run;
mod solve;
mod verify;
mod write;

/// What [`families`] refers to.
#[doc(hidden)]
pub mod instantiate {
    pub use crate::build::build;
    pub use crate::rehearse::rehearse;
    pub use crate::verify::verify;
    pub use damka_probe::Access;
    pub use damka_tables::Signature;
}

pub use damka_system::memory;
pub use error::GenError;
pub use family::{Family, build, rehearse, verify};
pub use options::Options;
pub use plan::{Job, Plan};
pub use profile::Phase;
pub use progress::{Event, Progress, Silent, Stop};
pub use solve::{ByRules, Instructions, Solution, Solvable, journals};
pub use verify::{Check, DigestList, DigestListError, Finding, Sample, TableDigest, Verification};
