//! The games of the site, by its numbers.

use damka_games::AnyGame;

/// A game that the site and damka have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SiteGame {
    pub(super) game: AnyGame,
    /// The site's number of the game.
    pub(super) variant: u64,
    /// And of what it is a variant of.
    pub(super) group: u64,
    /// Which of several start positions the usual one is; 0 if there is one.
    pub(super) usual: u64,
}

impl SiteGame {
    /// The site's game, if the site has this one.
    pub(super) fn of(game: AnyGame) -> Option<SiteGame> {
        let (variant, group, usual) = match game.name() {
            "russian" => (3, 22, 1),
            "english" => (45, 22, 0),
            "alapo" => (134, 30, 0),
            "chess" => (31, 30, 1),
            _ => return None,
        };
        Some(SiteGame { game, variant, group, usual })
    }

    /// Whether games that begin by this choice of a start position begin with the usual one.
    pub(super) fn begins_as_usual(self, selector: u64) -> bool {
        selector == 0 || selector == self.usual
    }
}

/// The games that a bot can play: those of the site that damka knows.
pub fn games() -> impl Iterator<Item = AnyGame> {
    AnyGame::all().filter(|&game| SiteGame::of(game).is_some())
}
