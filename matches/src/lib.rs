//! Matches: two players, the same openings with both colours, and what the results say
//! about who is stronger.
//!
//! ```
//! use damka_matches::{Match, Entrant, Openings, Setup};
//! use damka_engine::Control;
//! use damka_games::Russian;
//! use std::ops::ControlFlow;
//!
//! let entrant = |text: &str| {
//!     let setup: Setup = text.parse().unwrap();
//!     Entrant::new(Russian, text, setup, None).unwrap()
//! };
//! let planned = Match {
//!     entrants: [entrant("depth=4,memory=1M"), entrant("opponent=plain,depth=2")],
//!     openings: Openings::random(Russian, 6, 1),
//!     pairs: 1,
//!     seed: 1,
//!     concurrency: 1,
//!     longest: 200,
//!     tables: None,
//!     sprt: None,
//! };
//! let tally = planned.run(&Control::default(), |_, _| ControlFlow::Continue(()))?;
//! assert_eq!(tally.games(), 2);
//! # Ok::<(), damka_matches::MatchError>(())
//! ```
//!
//! # Where things are
//!
//! * `setup.rs`: a player's settings, as text; searcher.rs, baseline.rs and outside.rs: who plays
//! * `openings.rs`: how games begin; deal.rs sees that each opening is played once
//! * `runner.rs`: a match, its pairs played by several threads; referee.rs sees a game to its end
//! * `tally.rs`: results and Elo; sprt.rs: the sequential test

mod baseline;
mod deal;
mod error;
mod game;
mod openings;
mod outside;
mod pair;
mod player;
mod referee;
mod runner;
mod searcher;
mod setup;
mod sprt;
mod tally;

pub use baseline::Baseline;
pub use error::MatchError;
pub use game::{GameClock, Played, Reason};
pub use openings::{OpeningError, Openings};
pub use pair::Pair;
pub use player::{Choice, Player};
pub use runner::{Entrant, Match};
pub use searcher::Searcher;
pub use setup::{Opponent, Setup, SetupError, TableChoice};
pub use sprt::{Sprt, SprtError, Verdict};
pub use tally::{Elo, Tally};
