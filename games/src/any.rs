use crate::{Alapo, Chess, Draughts, Game, excerpt};
use std::str::FromStr;
use thiserror::Error;

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no game `{0}`: there are {names}", names = AnyGame::names())]
pub struct UnknownGame(String);

macro_rules! families {
    ($dollar:tt $($(#[$doc:meta])* $family:ident;)*) => {
        /// A game that is chosen when the program runs: the one list of all games, by family.
        ///
        /// ```
        /// use damka_games::{AnyGame, Game, with_game};
        /// let game: AnyGame = "english".parse().unwrap();
        /// assert_eq!(with_game!(game, game => game.name()), "english");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AnyGame {
            $($(#[$doc])* $family($family),)*
        }

        impl AnyGame {
            /// All games.
            pub fn all() -> impl Iterator<Item = AnyGame> {
                std::iter::empty()$(.chain($family::ALL.iter().copied().map(AnyGame::$family)))*
            }
        }

        /// Does the same with a game of any family, compiled once for each family:
        /// `with_game!(any, game => work(game))`.
        #[macro_export]
        macro_rules! with_game {
            ($dollar any:expr, $dollar game:ident => $dollar work:expr) => {
                match $dollar any {
                    $($crate::AnyGame::$family($dollar game) => $dollar work,)*
                }
            };
        }
    };
}

families! { $
    /// A variant of draughts.
    Draughts;
    /// Alapo.
    Alapo;
    /// Chess.
    Chess;
}

impl AnyGame {
    /// The game's name, see [`Game::name`].
    pub fn name(self) -> &'static str {
        with_game!(self, game => game.name())
    }

    /// The rules in a line, see [`Game::summary`].
    pub fn summary(self) -> String {
        with_game!(self, game => game.summary())
    }

    /// The names of all games, with commas between.
    fn names() -> String {
        AnyGame::all().map(AnyGame::name).collect::<Vec<_>>().join(", ")
    }
}

impl FromStr for AnyGame {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<AnyGame, UnknownGame> {
        AnyGame::all().find(|game| game.name() == name).ok_or_else(|| UnknownGame(excerpt(name)))
    }
}
