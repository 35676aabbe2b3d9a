use damka_engine::PlayerSettings;
use damka_games::AnyGame;
use std::fmt;
use std::time::Duration;

/// What a bot is told.
#[derive(Clone, Debug)]
pub struct BotOptions {
    /// Where the server is: `https://host`, `http://127.0.0.1:3000`; `/api` may be left out.
    pub url: String,
    /// The bot's user, who must exist.
    pub user: String,
    /// His password.
    pub password: Password,
    /// The games that are played, among [those of the site](super::games).
    pub games: Vec<AnyGame>,
    /// With what means; threads and memory are those of each search.
    pub settings: PlayerSettings<()>,
    /// How many searches there may be at a time, at least one.
    pub searches: usize,
    /// The longest time for a move; `None` for what the clock of the game allows, or, of a game
    /// without a clock, for five seconds.
    pub move_time: Option<Duration>,
    /// How games are found besides those that others bring about.
    pub seek: Seek,
    /// Whether an arbiter confirms moves: they are sent without the position they lead to, and
    /// games that are won are left to him to close.
    pub arbiter: bool,
    /// Whether only those moves are made that are due now.
    pub once: bool,
    /// Whether it is only told what would be done: nothing that changes anything is sent, but the
    /// login.
    pub dry_run: bool,
    /// How soon things are done.
    pub pace: Pace,
}

impl BotOptions {
    /// A bot that only plays the games that others bring about, one search at a time.
    pub fn new(url: &str, user: &str, password: Password) -> BotOptions {
        BotOptions {
            url: url.to_owned(),
            user: user.to_owned(),
            password,
            games: super::games().collect(),
            settings: PlayerSettings::new(()),
            searches: 1,
            move_time: None,
            seek: Seek::default(),
            arbiter: false,
            once: false,
            dry_run: false,
            pace: Pace::default(),
        }
    }
}

/// A secret that is neither printed nor logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Takes it in.
    pub fn new(text: impl Into<String>) -> Password {
        Password(text.into())
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(...)")
    }
}

/// How a bot finds games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seek {
    /// Whether a game of its own waits for an opponent, one of each kind.
    pub create: bool,
    /// Whether it joins games of others that wait.
    pub accept: bool,
    /// Whether it enters tournaments.
    pub tournaments: bool,
    /// With so many open games, waiting ones included, it looks for no others. Games in which nobody
    /// has moved for an hour do not count.
    pub max_games: usize,
    /// The clock of the games it creates, by the server's number: 0 for none, 1 for 2 hours and a
    /// minute, 2 for half an hour and 20 seconds, 3 for 4 hours and 3 minutes, 4 for a sandglass
    /// of 15 minutes.
    pub time_control: u32,
}

impl Default for Seek {
    fn default() -> Seek {
        Seek { create: false, accept: false, tournaments: false, max_games: 4, time_control: 2 }
    }
}

impl Seek {
    /// Whether games are looked for at all.
    pub(super) fn is_active(&self) -> bool {
        self.create || self.accept || self.tournaments
    }
}

/// How soon a bot does things. What is usual suits a server on the Internet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How long after the beginning of one look at the list of games the next one comes.
    pub poll: Duration,
    /// How long after one look at the user's games, and for new ones, the next one comes.
    pub seek: Duration,
    /// How long it waits after something has failed, and at first after the server could not be
    /// asked; twice as long each time that happens again.
    pub back_off: Duration,
    /// The longest of such waits.
    pub longest_back_off: Duration,
    /// The longest time for a connection to be made.
    pub connect: Duration,
    /// The longest time for a request and its answer, the connection included.
    pub call: Duration,
    /// How long a move may be recorded without the session moving on before it is taken back and
    /// sent again.
    pub undo: Duration,
    /// How long a game may wait for a turn that does not succeed before that is told as an error.
    pub alarm: Duration,
    /// How long after one summary the next one is logged.
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
    /// How long to wait after so many failures in a row.
    pub(super) fn after(&self, failures: u32) -> Duration {
        let doubled = 1u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
        self.back_off.saturating_mul(doubled).min(self.longest_back_off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let options = BotOptions::new("http://localhost", "bot", Password::new("s3cret"));
        assert!(!format!("{options:?}").contains("s3cret"));
    }

    #[test]
    fn waits_grow_to_the_longest() {
        let pace = Pace::default();
        let waits = [1, 2, 3, 5, 6, 40, u32::MAX].map(|failures| pace.after(failures).as_secs());
        assert_eq!(waits, [2, 4, 8, 32, 60, 60, 60]);
    }
}
