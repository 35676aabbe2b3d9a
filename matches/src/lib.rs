//! Matches between two competitors: each opening is played twice, with colours reversed, and the
//! results give a difference in strength.
//!
//! ```
//! use damka_matches::{Match, Entrant, Openings, EntrantSettings};
//! use damka_engine::Control;
//! use damka_games::Russian;
//! use std::ops::ControlFlow;
//!
//! let entrant = |text: &str| {
//!     let setup: EntrantSettings = text.parse().unwrap();
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
//! * `settings.rs`: the settings of an entrant as text. Its competitor is the engine (engine_competitor.rs),
//!   a simple baseline (baseline.rs) or another program (outside.rs)
//! * `openings.rs`: the openings; deal.rs hands each out once
//! * `runner.rs`: a match, whose pairs are played by several threads; referee.rs plays one game
//! * `contested.rs`: what a match needs of each family of games
//! * `tally.rs`: results and Elo; standings.rs: those of a round robin; sprt.rs: the sequential probability ratio test

mod baseline;
mod competitor;
mod contested;
mod deal;
mod engine_competitor;
mod error;
mod game;
mod openings;
mod outside;
mod pair;
mod referee;
mod runner;
mod settings;
mod sprt;
mod standings;
mod tally;

pub use baseline::Baseline;
pub use competitor::{Choice, Competitor};
pub use contested::Contested;
pub use engine_competitor::EngineCompetitor;
pub use error::MatchError;
pub use game::{GameClock, Played, Reason};
pub use openings::{OpeningError, Openings};
pub use pair::Pair;
pub use runner::{Entrant, Match};
pub use settings::{EntrantSettings, EntrantSettingsError, Opponent, TableChoice};
pub use sprt::{Sprt, SprtError, SprtVerdict};
pub use standings::{Pairing, Standings};
pub use tally::{Elo, Tally};
