//! Generates tables by retrograde analysis: [plan](Plan) which tables and in
//! what order, solve each fibre by fibre, write it, read it back; and
//! [verify](verify()) finished tables by an independent road.
//!
//! Nothing here prints: what happens is told to a [`Progress`].
//!
//! # Where things are
//!
//! * `family.rs`: what this crate does, compiled once for each family of games
//! * `plan.rs`: which tables, in what order, with how much memory; estimate.rs has what was
//!   measured: time and disk
//! * `needs.rs`: what a signature leads to
//! * `run.rs`: one signature after the other: load, solve, hand on
//! * `build.rs`: all of them, written; rehearse.rs: parts, to see what the whole would take
//! * `solve/`: the solver: one signature, fibre by fibre
//!   * `method.rs`: how a signature is solved: the trait; games.rs has which game does what
//!   * `slots/`: the method of chess: sets of cells in slots of king placements
//!   * `solver.rs`: the method of draughts and Alapo: the fibres in order, in batches
//!     (schedule.rs), by all threads
//!   * `kernel.rs`: what such a game does inside of a batch: the trait
//!   * `rows/`: the kernel of draughts and Alapo: quiet moves as rows of bits
//!   * `exits/`: its conversions, as any game's rules give them, or for draughts many positions
//!     at once
//!   * `placements.rs`: placements of kings, and their moves
//!   * `frames.rs`: the values of a signature, to be looked up (lookup.rs)
//!   * `solved.rs`: the frames of all that is solved; load.rs makes them from tables
//!   * `results.rs`: what a batch of fibres comes to, solved now or before: the one routine that
//!     packs a solved fibre
//!   * `journal.rs`: unfinished work, for a run that is killed
//!   * `arrays.rs`: large arrays: memory, or scratch files that keep to --memory
//!   * `footprint.rs`: what something takes; each part tells its own
//! * `write.rs`: a solved signature to a file
//! * `verify/`: finished tables, derived again from the forward moves: all of them in memory
//!   (whole.rs), or a sample of any size (sample.rs); or compared with a list of digests
//!   (digests.rs)
//! * `profile.rs`: where the time goes
//! * `tests/gen/`: tables against a plain solver, journals, errors, memory told and taken

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

pub use damka_system::memory;
pub use error::GenError;
pub use family::{Family, build, rehearse, verify};
pub use options::Options;
pub use plan::{Job, Plan};
pub use profile::Phase;
pub use progress::{Event, Progress, Silent, Stop};
pub use solve::{Instructions, Solution, Solvable, journals};
pub use verify::{Check, DigestList, DigestListError, Finding, Sample, TableDigest, Verification};
