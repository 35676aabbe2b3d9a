use super::{Player, Seat, Settings, SettingsError};
use damka_games::Game;
use damka_games::{Brazilian, English, Pool, Russian};
use std::str::FromStr;
use thiserror::Error;

/// A draughts variant that is chosen when the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraughtsVariant {
    /// Russian draughts.
    Russian,
    /// English draughts.
    English,
    /// Brazilian draughts.
    Brazilian,
    /// American pool checkers.
    Pool,
}

/// A name that no variant has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is none of the variants {names}", names = DraughtsVariant::names())]
pub struct UnknownVariant(pub String);

impl DraughtsVariant {
    /// All variants.
    pub const ALL: [DraughtsVariant; 4] = [
        DraughtsVariant::Russian,
        DraughtsVariant::English,
        DraughtsVariant::Brazilian,
        DraughtsVariant::Pool,
    ];

    /// The variant's name, as the command line and the Hub protocol have it.
    pub fn name(self) -> &'static str {
        match self {
            DraughtsVariant::Russian => Russian::NAME,
            DraughtsVariant::English => English::NAME,
            DraughtsVariant::Brazilian => Brazilian::NAME,
            DraughtsVariant::Pool => Pool::NAME,
        }
    }

    /// All names, with spaces between.
    pub(crate) fn names() -> String {
        DraughtsVariant::ALL.map(DraughtsVariant::name).join(" ")
    }

    /// Somebody who plays this variant, with the start position on the board.
    pub(super) fn player(self, settings: &Settings) -> Result<Box<dyn Player>, SettingsError> {
        Ok(match self {
            DraughtsVariant::Russian => Box::new(Seat::<Russian>::new(settings)?),
            DraughtsVariant::English => Box::new(Seat::<English>::new(settings)?),
            DraughtsVariant::Brazilian => Box::new(Seat::<Brazilian>::new(settings)?),
            DraughtsVariant::Pool => Box::new(Seat::<Pool>::new(settings)?),
        })
    }
}

impl FromStr for DraughtsVariant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<DraughtsVariant, UnknownVariant> {
        let found = DraughtsVariant::ALL.into_iter().find(|variant| variant.name() == name);
        found.ok_or_else(|| UnknownVariant(name.to_owned()))
    }
}
