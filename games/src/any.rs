use crate::{Alapo, Chess, Draughts, Game, excerpt};
use std::str::FromStr;
use thiserror::Error;

/// Why a name is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnknownGame {
    /// No game has this name.
    #[error("there is no game `{0}`: the games are {names}", names = names(AnyGame::all()))]
    NoGame(String),
    /// The name is that of the draughts family, which is not a single game.
    #[error("`{0}` is a family of games: name one of {names}", names = names(draughts()))]
    Family(String),
}

/// The name of the draughts family, which is rejected: if a variant were guessed, the values could
/// be those of another game.
const FAMILY: &str = "draughts";

fn draughts() -> impl Iterator<Item = AnyGame> {
    Draughts::ALL.iter().copied().map(AnyGame::Draughts)
}

/// The names of games, separated by commas.
fn names(games: impl Iterator<Item = AnyGame>) -> String {
    games.map(AnyGame::name).collect::<Vec<_>>().join(", ")
}

macro_rules! families {
    ($dollar:tt $($(#[$doc:meta])* $family:ident;)*) => {
        /// A game chosen at run time. This is the only list of all games, by family.
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

        /// Calls a macro with the types of all families, separated by commas.
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($family:ty),*) => { [$(<$family as damka_games::Game>::ALL.len()),*] };
        /// }
        /// let games: usize = damka_games::for_families!(count).into_iter().sum();
        /// assert_eq!(games, damka_games::AnyGame::all().count());
        /// ```
        #[macro_export]
        macro_rules! for_families {
            ($dollar callback:ident) => {
                $dollar callback! { $($crate::$family),* }
            };
        }

        /// Evaluates an expression for a game chosen at run time; the expression is compiled once
        /// per family: `with_game!(any, game => work(game))`.
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
}

impl FromStr for AnyGame {
    type Err = UnknownGame;

    /// The game that has this [name](Game::is_named).
    ///
    /// ```
    /// use damka_games::AnyGame;
    /// let game = |name: &str| name.parse::<AnyGame>().map(AnyGame::name);
    /// assert_eq!(game("Shashki"), Ok("russian"));
    /// assert_eq!(game("checkers"), Ok("english"));
    /// // The name of a family of eight games.
    /// assert!(game("draughts").is_err());
    /// ```
    fn from_str(name: &str) -> Result<AnyGame, UnknownGame> {
        let named = |any: &AnyGame| with_game!(*any, game => game.is_named(name));
        AnyGame::all().find(named).ok_or_else(|| match name.eq_ignore_ascii_case(FAMILY) {
            true => UnknownGame::Family(name.to_owned()),
            false => UnknownGame::NoGame(excerpt(name)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_known_by_the_names_that_people_use() {
        for (name, game) in [
            ("russian", "russian"),
            ("Russian", "russian"),
            ("SHASHKI", "russian"),
            ("Шашки", "russian"),
            ("checkers", "english"),
            ("American", "english"),
            ("pool", "pool"),
            ("makhos", "thai"),
            ("Alapo", "alapo"),
            ("CHESS", "chess"),
        ] {
            assert_eq!(name.parse::<AnyGame>().map(AnyGame::name), Ok(game), "{name}");
        }
    }

    /// If two games had the same name, one would never be found.
    #[test]
    fn no_two_games_share_a_name() {
        let mut names: Vec<&str> = AnyGame::all()
            .flat_map(|any| with_game!(any, game => [&[game.name()], game.aliases()].concat()))
            .collect();
        names.push(FAMILY);
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(names.iter().all(|name| *name == name.to_lowercase()));
    }

    #[test]
    fn a_name_that_means_several_games_lists_them() {
        let error = |name: &str| name.parse::<AnyGame>().expect_err(name).to_string();
        assert_eq!(
            error("Draughts"),
            "`Draughts` is a family of games: name one of russian, english, brazilian, pool, \
             czech, spanish, italian, thai"
        );
        assert!(error("gomoku").starts_with("there is no game `gomoku`: the games are russian, "));
    }
}
