use damka_engine::PlayerSettings;
use damka_games::AnyGame;
use std::time::Duration;

/// The options of a bot, for any site.
#[derive(Clone, Debug)]
pub struct BotOptions {
    /// The games that are played.
    pub games: Vec<AnyGame>,
    /// The settings of the players. `threads` is the number of threads of each search. `memory` is
    /// the size of the transposition tables of each game, divided among the searches.
    pub settings: PlayerSettings<()>,
    /// The number of searches at a time, at least 1. They share tables, cache, weights and book.
    pub searches: usize,
    /// The longest time for a move. `None` for what the clock allows, at most a minute, or 5 seconds
    /// without a clock.
    pub move_time: Option<Duration>,
    /// How new games are found. Games that others start are played in any case.
    pub seek: SeekOptions,
    /// Whether to take the turns that are due now, and end.
    pub once: bool,
    /// Whether to log what would be done now, and end. Nothing is changed on the server.
    pub dry_run: bool,
    /// Intervals and time limits.
    pub pace: Pace,
}

impl BotOptions {
    /// A bot that plays these games when others start them, one search at a time.
    pub fn new(games: impl IntoIterator<Item = AnyGame>) -> BotOptions {
        BotOptions {
            games: games.into_iter().collect(),
            settings: PlayerSettings::new(()),
            searches: 1,
            move_time: None,
            seek: SeekOptions::default(),
            once: false,
            dry_run: false,
            pace: Pace::default(),
        }
    }
}

/// How a bot finds new games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeekOptions {
    /// Whether the bot creates games that wait for an opponent, one of each kind at a time.
    pub create: bool,
    /// Whether the bot accepts challenges, and games of others that wait for an opponent.
    pub accept: bool,
    /// Whether the bot enters tournaments.
    pub tournaments: bool,
    /// The bot looks for no more games while this many are open, including those that wait for an
    /// opponent. Games without a move for an hour are not counted.
    pub max_games: usize,
}

impl Default for SeekOptions {
    fn default() -> SeekOptions {
        SeekOptions { create: false, accept: false, tournaments: false, max_games: 4 }
    }
}

impl SeekOptions {
    /// Whether new games are looked for at all.
    pub(crate) fn is_active(&self) -> bool {
        self.create || self.accept || self.tournaments
    }
}

/// The intervals and time limits of a bot. The defaults suit a server on the Internet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The interval between the starts of two requests for the games in which the bot is to move.
    pub poll: Duration,
    /// The interval at which the bot lists the user's games and looks for new ones.
    pub seek: Duration,
    /// The first wait after a failure. It is doubled with each further failure.
    pub back_off: Duration,
    /// The longest wait after a failure.
    pub longest_back_off: Duration,
    /// The time limit for making a connection.
    pub connect: Duration,
    /// The time limit for a request and its answer, the connection included.
    pub call: Duration,
    /// How long a move may be stored without being passed on to the opponent before it is taken
    /// back.
    pub undo: Duration,
    /// How long a turn may fail before an error is logged.
    pub alarm: Duration,
    /// The interval between two summaries in the log.
    pub summary: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            poll: Duration::from_secs(1),
            seek: Duration::from_secs(30),
            back_off: Duration::from_secs(2),
            longest_back_off: Duration::from_secs(60),
            connect: Duration::from_secs(10),
            call: Duration::from_secs(30),
            undo: Duration::from_secs(60),
            alarm: Duration::from_secs(600),
            summary: Duration::from_secs(600),
        }
    }
}

impl Pace {
    /// The wait after this many failures in a row.
    pub(crate) fn after(&self, failures: u32) -> Duration {
        let doubled = 1u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
        self.back_off.saturating_mul(doubled).min(self.longest_back_off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_longest() {
        let pace = Pace::default();
        let waits = [1, 2, 3, 5, 6, 40, u32::MAX].map(|failures| pace.after(failures).as_secs());
        assert_eq!(waits, [2, 4, 8, 32, 60, 60, 60]);
    }
}
