use damka_games::AnyGame;

/// A game that both the site and damka have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SiteGame {
    pub(super) game: AnyGame,
    /// The number of the game on the site.
    pub(super) variant: u64,
    /// The number of the group of games that this game belongs to.
    pub(super) group: u64,
    /// The number of the usual start position; 0 if there is only one start position.
    pub(super) usual: u64,
}

impl SiteGame {
    /// The game on the site, if the site has it.
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

    /// Whether this number of a start position is that of the usual one.
    pub(super) fn starts_as_usual(self, selector: u64) -> bool {
        selector == 0 || selector == self.usual
    }
}

/// The games that a bot can play: those of the site that damka has.
pub fn games() -> impl Iterator<Item = AnyGame> {
    AnyGame::all().filter(|&game| SiteGame::of(game).is_some())
}
