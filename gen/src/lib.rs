//! Generates tables by retrograde analysis: [plan](Plan) which tables and in
//! what order, solve each fibre by fibre, write it, read it back; and
//! [verify](verify()) finished tables by an independent road.
//!
//! Nothing here prints: what happens is told to a [`Progress`].

mod alloc;
mod build;
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
