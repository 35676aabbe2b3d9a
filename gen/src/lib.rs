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
//!    that exist, and lists the rest as [`Job`]s, each after everything that it leads to, with its
//!    memory, time and disk space (`job.rs`, `cost.rs`, the footprints in `solve/`).
//! 3. The runner (`run.rs`) takes one job after the other. It drops the frames, or the parts of
//!    frames, that no later job reads, and loads those that the next one needs from tables
//!    (`solve/solved.rs`). If memory is short, the work has stages, and nothing is kept from one to
//!    the next.
//! 4. The method of the game solves the signature (`solve/`): fibre by fibre, the most advanced men
//!    first. It resumes a journal if there is one, and writes its own if the work is long.
//! 5. The method returns the [`Solution`], the packed values in index order that are written, and
//!    the frames, the scores that later signatures look up.
//! 6. For each metric, the solution is compressed block by block into a temporary file, which is
//!    synced, read back and renamed (`write.rs`). Then the journal is removed.
//!
//! Several processes may share the work ([`build_share()`], `share.rs`). Each builds some
//! signatures. It locks these instead of the directory (`locks.rs`), restores frames from seed
//! files that the others have left (`seed_file.rs`), and leaves seed files of its own, with what
//! the rest of the set looks up (`users.rs`). The manifest (`manifest.rs`) records what need not be
//! done again.
//!
//! [`rehearse()`] takes steps 3 and 4 with a part of the fibres. [`verify()`] reads finished tables and
//! derives every value again from those after each legal move; it shares no code with the solver.
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
