//! Alpha-beta search over any game damka knows.
//!
//! So far a plain one: it proves wins and losses within a number of plies, from
//! the rules alone. The tests hold the tables against it.

pub mod pdn;
mod solve;

pub use solve::{Outcome, solve};
