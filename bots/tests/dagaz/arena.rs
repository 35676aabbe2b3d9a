//! A server and two bots on it.

use super::log;
use damka_bots::dagaz::{self, Account};
use damka_bots::{BotError, BotOptions, Pace, Password};
use damka_engine::Control;
use damka_tests::dagaz::{DELAY, Ending, Mock, Violation};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The maximum time to wait for an event. It is long because machines may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// The time after which bots take back a move that is stored only in part: longer than any answer
/// takes.
const UNDO: Duration = DELAY.saturating_mul(2);

pub(super) const PASSWORDS: [&str; 2] = ["pw-of-white-7f3a", "pw-of-black-c041"];

pub(super) struct Arena {
    pub(super) mock: Mock,
    /// The two users, by number.
    pub(super) users: [i64; 2],
    bots: Vec<Running>,
}

/// A running bot.
struct Running {
    stop: Arc<Control>,
    thread: JoinHandle<()>,
}

impl Arena {
    /// A server with two users, without running bots.
    pub(super) fn new() -> Arena {
        log::listen();
        let mock = Mock::new();
        let users = [0, 1].map(|i| mock.add_user(["white", "black"][i], PASSWORDS[i]));
        Arena { mock, users, bots: Vec::new() }
    }

    /// A server with two bots that play all games.
    pub(super) fn with_bots() -> Arena {
        Arena::with(|_| ())
    }

    /// Like `with_bots`, with bots that do not wait for late answers.
    pub(super) fn with_impatient_bots() -> Arena {
        Arena::with(|options| options.pace.call = DELAY * 2 / 3)
    }

    /// Like `with_bots`, with other options.
    pub(super) fn with(change: impl Fn(&mut BotOptions)) -> Arena {
        let mut arena = Arena::new();
        for i in [0, 1] {
            let mut options = arena.options();
            change(&mut options);
            arena.start(arena.account(i), options);
        }
        arena
    }

    /// The account of one of the two users.
    pub(super) fn account(&self, user: usize) -> Account {
        let password = Password::new(PASSWORDS[user]);
        Account::new(&self.mock.url(), ["white", "black"][user], password)
    }

    /// The options of a fast bot.
    pub(super) fn options(&self) -> BotOptions {
        let mut options = BotOptions::new(dagaz::games());
        options.settings.memory = 1 << 20;
        options.move_time = Some(Duration::from_millis(1));
        options.searches = 2;
        options.pace = Pace {
            poll: Duration::from_millis(3),
            seek: Duration::from_millis(20),
            back_off: Duration::from_millis(5),
            longest_back_off: Duration::from_millis(40),
            connect: Duration::from_millis(500),
            call: Duration::from_secs(5),
            undo: UNDO,
            ..Pace::default()
        };
        options
    }

    /// Starts a bot.
    pub(super) fn start(&mut self, account: Account, options: BotOptions) {
        let stop = Arc::new(Control::default());
        let control = Arc::clone(&stop);
        let bot = dagaz::bot(account, options).expect("options that make sense");
        let start = Instant::now();
        let run = move || loop {
            match bot.run(&control) {
                Ok(()) => return,
                // On a busy machine the answer to the first login may be late.
                Err(BotError::Server { .. }) if start.elapsed() < PATIENCE => {}
                Err(error) => panic!("{error}"),
            }
        };
        self.bots.push(Running { stop, thread: thread::spawn(run) });
    }

    /// Stops the bots, after checking that all still run.
    pub(super) fn stop(&mut self) {
        for bot in &self.bots {
            assert!(!bot.thread.is_finished(), "a bot has stopped");
            bot.stop.stop();
        }
        for bot in self.bots.drain(..) {
            bot.thread.join().expect("no error");
        }
    }

    /// Waits until a condition holds, while all bots run.
    pub(super) fn wait(&self, what: &str, is_so: impl Fn(&Mock) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(&self.mock) {
            let has_ended = self.bots.iter().any(|bot| bot.thread.is_finished());
            assert!(!has_ended, "a bot has ended; waited for: {what}\n{}", log::last());
            if Instant::now() > deadline {
                let open = self.mock.games().into_iter().filter(|game| !game.is_closed);
                let open: Vec<String> = open.map(|game| format!("{game:?}")).collect();
                let calls = self.mock.last_calls();
                let calls: Vec<String> = calls.iter().map(|call| format!("{call:?}")).collect();
                panic!("not {what}:\n{}\n{}\n{}", open.join("\n"), calls.join("\n"), log::last());
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until no game is open.
    pub(super) fn wait_for_ends(&self) {
        self.wait("all over", |mock| mock.open_games() == 0);
    }

    /// Asserts that there are no violations, and that the log is clean.
    pub(super) fn assert_clean(&self) {
        if let Some(first) = self.mock.violations().first() {
            let Violation { breach, session, detail } = first;
            panic!("{breach:?} in session {session}: {detail}\n{}", log::last());
        }
        log::assert_clean();
    }

    /// Asserts also that all games have ended by the rules, with the same result for both sides.
    pub(super) fn assert_played(&self) {
        self.assert_clean();
        for game in self.mock.games() {
            assert!(matches!(game.ending, Some(Ending::Played | Ending::Agreed)), "{game:#?}");
            let results = [[Some(1), Some(2)], [Some(2), Some(1)], [Some(3), Some(3)]];
            assert!(results.contains(&game.results), "{game:#?}");
        }
    }
}

impl Drop for Arena {
    /// Stops the bots after a failed test.
    fn drop(&mut self) {
        self.bots.iter().for_each(|bot| bot.stop.stop());
    }
}
