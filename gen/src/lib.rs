//! Generates tables by retrograde analysis: [plan](Plan) which tables and in
//! what order, [solve](solve()) each, write it, read it back; and
//! [verify](verify()) finished tables by an independent road.
//!
//! Nothing here prints: what happens is told to a [`Progress`].

mod build;
mod dense;
mod error;
mod fibre;
mod library;
mod needs;
mod plan;
mod profile;
mod progress;
mod solve;
mod verify;
mod write;

pub use build::{Options, build};
pub use dense::{Dense, Half};
pub use error::GenError;
pub use fibre::{Instructions, Solution, Solvable};
pub use library::Library;
pub use plan::{Job, Plan};
pub use profile::Phase;
pub use progress::{Event, Progress, Silent, Stop};
pub use solve::solve;
pub use verify::{Finding, Sample, Verification, verify, verify_sample};
