//! Generates tables by retrograde analysis. [Plans](Plan) which tables to build and in what order,
//! solves each signature fibre by fibre, writes its tables and reads them back. Also
//! [verifies](verify()) finished tables by an independent method.
//!
//! Nothing here prints; events are reported to a [`Progress`].
//!
//! # How a signature is built
//!
//! What `damka gen russian KKMvKM` does, step by step:
//!
//! 1. [`build()`] locks the game's directory (`build.rs`).
//! 2. [`Plan`] closes the signatures under captures and promotions (`needs.rs`), opens the tables
//!    that exist, and lists the rest as [`Job`]s, each after everything that it leads to, with
//!    estimates of its memory, time and disk space (`job.rs`, `cost.rs`, the footprints in `solve/`).
//! 3. The runner (`run.rs`) takes one job after the other. It keeps *frames*: the scores of solved
//!    signatures that later jobs look up. It drops those that no later job reads, wholly or in part,
//!    and loads from tables what the next job needs (`solve/solved.rs`). If memory is short, the work
//!    is divided into stages, and no frames are kept from one stage to the next.
//! 4. The method of the game solves the signature (`solve/`): fibre by fibre (a fibre is one
//!    placement of all men), the most advanced men first. If the work is long, it keeps a journal,
//!    and resumes from an existing one.
//! 5. The method returns the [`Solution`], which has the packed values for the tables in index order,
//!    and the frames of the signature.
//! 6. For each metric, the solution is compressed block by block into a temporary file, which is
//!    synced, read back and renamed (`write.rs`). Then the journal is removed.
//!
//! Several processes may share the work ([`build_share()`], `share.rs`). Each builds some of the
//! signatures. It locks these, not the whole directory (`locks.rs`), restores frames from the seed
//! files of other processes (`seed_file.rs`), and writes seed files with the scores that other
//! processes look up (`users.rs`). The manifest (`manifest.rs`) lists the tables known to be sound.
//!
//! [`rehearse()`] runs steps 3 and 4 for some of the fibres only. [`verify()`] reads finished tables
//! and derives every value again from those after each legal move; it shares no code with the solver.
//!
//! # Modules
//!
//! * `family.rs`: the entry points of this crate, compiled once for each family of games;
//!   `request.rs`, `options.rs`, `progress.rs`: what a caller passes to them
//! * `job.rs`, `plan.rs`, `users.rs`, `run.rs`, `build.rs`, `rehearse.rs`, `write.rs`: the steps above
//! * `share.rs`, `locks.rs`, `manifest.rs`, `seed_file.rs` (its scores: `seed_scores.rs`): the work of
//!   several processes
//! * `solve/`: the solver, with its two methods, `solve/rows/` and `solve/slots/`
//! * `verify/`: derives the values of finished tables again, by forward moves: all of them in
//!   memory (`whole.rs`), or a sample of tables of any size (`sample.rs`); or compares tables with
//!   a list of digests (`digests.rs`)
//! * `halve.rs`: leaves one side to move out of finished tables
//! * `profile.rs`: processor time by phase; `parallel.rs`: loops on several threads
//! * `tests/gen/`: tables against a plain solver, journals, errors, predicted and used memory

mod alloc;
mod build;
mod cost;
mod error;
mod family;
mod halve;
mod job;
mod locks;
mod manifest;
mod needs;
mod open;
mod options;
mod parallel;
mod plan;
mod profile;
mod progress;
mod rehearse;
mod request;
mod run;
mod seed_file;
mod seed_scores;
mod share;
mod solve;
mod users;
mod verify;
mod write;

/// Names that the macro `family` uses in other crates.
#[doc(hidden)]
pub mod instantiate {
    pub use crate::build::build;
    pub use crate::rehearse::rehearse;
    pub use crate::share::{build_share, shares};
    pub use crate::verify::verify;
    pub use damka_tables::Signature;
}

pub use damka_system::memory;
pub use error::GenError;
pub use family::{Family, build, build_share, plan, rehearse, shares, verify};
pub use job::Job;
pub use options::Options;
pub use plan::Plan;
pub use profile::Phase;
pub use progress::{Event, NoProgress, Progress, Stop};
pub use request::Request;
pub use share::Share;
pub use solve::{ByRules, Instructions, Solution, Solvable, journals};
pub use verify::{Check, DigestList, DigestListError, Finding, Sample, TableDigest, Verification};
