//! What is known of the sessions: which of those that a list shows are to be played now, and which
//! first. Nothing here asks a server.

use super::error::CallError;
use super::foreign::Foreign;
use super::options::Pace;
use super::site::SiteGame;
use super::turn::{Ended, Job, Left, Outcome, Pending, Seat};
use super::wire::Row;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tracing::{error, info, warn};

/// What is not shown for so long is forgotten.
const MEMORY: Duration = Duration::from_secs(24 * 3600);

/// So many sessions are remembered; with more, only those in whose turn something has begun.
const MOST: usize = 10_000;

/// What is taken to be left on a clock of which nothing is known: a game without a clock can wait,
/// but not for ever.
const WITHOUT_CLOCK: Duration = Duration::from_secs(3600);

/// What is known of all sessions that lists have shown.
pub(super) struct Desk {
    games: Vec<SiteGame>,
    pace: Pace,
    sessions: HashMap<u64, Session>,
}

/// What is known of a session.
#[derive(Debug)]
struct Session {
    /// Whether a turn is being taken.
    is_busy: bool,
    /// The row in whose turn something was done last.
    taken: Option<Taken>,
    /// When the last turn ended: lists asked for before are of the past.
    ended: Option<Instant>,
    /// Not to be tried before.
    not_before: Option<Instant>,
    failures: u32,
    pending: Option<Pending>,
    offered: u64,
    seat: Option<Seat>,
    /// What was left on the clock at the last turn; `None` without one.
    left: Option<Duration>,
    /// Since when it waits for its turn.
    since: Option<Instant>,
    shown: Instant,
    /// Why it was left alone, as it was told.
    told: String,
}

/// A row in whose turn something was done.
#[derive(Debug)]
struct Taken {
    setup: Foreign,
    last_turn: u64,
    /// When the first turn ended that was taken for it.
    since: Instant,
    /// Until when it is believed that all has been done: answers may be lost or come from somebody
    /// else. `None` if there is more to do.
    done_until: Option<Instant>,
    /// Whether it was told that the game does not move on.
    is_alarmed: bool,
}

impl Taken {
    fn is_of(&self, row: &Row) -> bool {
        self.setup == row.setup && self.last_turn == row.last_turn
    }
}

impl Session {
    fn new(now: Instant) -> Session {
        Session {
            is_busy: false,
            taken: None,
            ended: None,
            not_before: None,
            failures: 0,
            pending: None,
            offered: 0,
            seat: None,
            // New games are begun soon.
            left: Some(Duration::ZERO),
            since: None,
            shown: now,
            told: String::new(),
        }
    }

    /// Says why it is left alone, unless it has been said.
    fn tell(&mut self, row: &Row, game: Option<SiteGame>, why: String, is_usual: bool) {
        if self.told != why {
            let game = game.map(|game| game.game.name());
            match is_usual {
                true => info!(session = row.id, game, "left alone: {why}"),
                false => warn!(session = row.id, game, "left alone: {why}"),
            }
            self.told = why;
        }
    }

    /// What was done in the turn of a row, now that it has ended.
    fn taken(&mut self, row: &Row, now: Instant) -> &mut Taken {
        let before = self.taken.take().filter(|taken| taken.is_of(row));
        self.taken.insert(before.unwrap_or_else(|| Taken {
            setup: row.setup.clone(),
            last_turn: row.last_turn,
            since: now,
            done_until: None,
            is_alarmed: false,
        }))
    }
}

impl Desk {
    /// Nothing is known.
    pub(super) fn new(games: Vec<SiteGame>, pace: Pace) -> Desk {
        Desk { games, pace, sessions: HashMap::new() }
    }

    /// The sessions to be played, of those of a list that was asked for at this time: first those
    /// whose clock would run out first, had it run since they wait.
    pub(super) fn due(&mut self, rows: Vec<Row>, asked: Instant, now: Instant) -> Vec<Job> {
        let is_full = self.sessions.len() > MOST;
        self.sessions.retain(|_, session| {
            let is_needed = session.is_busy || session.pending.is_some();
            is_needed || !is_full && now - session.shown < MEMORY
        });
        let mut due: Vec<(Instant, Job)> = Vec::new();
        for row in rows {
            let game = self.games.iter().find(|game| game.variant == row.variant).copied();
            let is_unnamed = row.variant == 0;
            if row.id == 0 || row.status != Row::STARTED || game.is_none() && !is_unnamed {
                continue;
            }
            let session = self.sessions.entry(row.id).or_insert_with(|| Session::new(now));
            session.shown = now;
            let Some(game) = game else {
                let why = "the server does not say which game it is (`variant_id`)".to_owned();
                session.tell(&row, None, why, false);
                continue;
            };
            if let Some(why) = unplayable(game, &row) {
                session.tell(&row, Some(game), why, false);
                continue;
            }
            let is_past = session.ended.is_some_and(|ended| asked <= ended);
            let is_early = session.not_before.is_some_and(|at| now < at);
            let taken = session.taken.as_ref().filter(|taken| taken.is_of(&row));
            let is_done = taken.and_then(|taken| taken.done_until).is_some_and(|until| now < until);
            let is_listed = due.iter().any(|(_, job)| job.row.id == row.id);
            if session.is_busy || is_past || is_early || is_done || is_listed {
                continue;
            }
            let unmoved = taken.map_or(Duration::ZERO, |taken| now - taken.since);
            let since = *session.since.get_or_insert(now);
            let job = Job {
                row,
                game,
                pending: session.pending.clone(),
                failures: session.failures,
                offered: session.offered,
                seat: session.seat,
                unmoved,
            };
            due.push((since + session.left.unwrap_or(WITHOUT_CLOCK), job));
        }
        due.sort_by_key(|(deadline, job)| (*deadline, job.row.id));
        due.into_iter().map(|(_, job)| job).collect()
    }

    /// Whether turns are being taken.
    pub(super) fn is_busy(&self) -> bool {
        self.sessions.values().any(|session| session.is_busy)
    }

    /// A turn begins.
    pub(super) fn begin(&mut self, job: &Job) {
        if let Some(session) = self.sessions.get_mut(&job.row.id) {
            session.is_busy = true;
        }
    }

    /// A turn has ended; `None` if it did not come to an end.
    pub(super) fn end(&mut self, job: &Job, ended: Option<Ended>, now: Instant) {
        let Some(session) = self.sessions.get_mut(&job.row.id) else { return };
        session.is_busy = false;
        session.ended = Some(now);
        let is_waiting = ended.as_ref().is_some_and(|ended| {
            matches!(ended.outcome, Outcome::Left(Left::Waiting | Left::NoPosition))
        });
        let taken = session.taken(&job.row, now);
        taken.done_until = Some(now + self.pace.longest_back_off);
        let unmoved = now - taken.since;
        if unmoved >= self.pace.alarm && !is_waiting && !taken.is_alarmed {
            taken.is_alarmed = true;
            error!(
                session = job.row.id,
                game = job.game.game.name(),
                turn = job.row.last_turn,
                minutes = unmoved.as_secs() / 60,
                "a game does not move on"
            );
        }
        let Some(ended) = ended else { return };
        session.offered = ended.offered;
        session.seat = ended.seat;
        match ended.outcome {
            Outcome::Again(error, pending) => {
                session.taken(&job.row, now).done_until = None;
                session.failures += 1;
                session.pending = pending.map(|pending| *pending);
                let mut wait = self.pace.after(session.failures);
                if session.pending.is_some() && error == CallError::Timeout {
                    // The move may still be under way, and must not meet itself: the server might
                    // store both.
                    wait = wait.max(self.pace.call);
                }
                session.not_before = Some(now + wait);
                info!(session = job.row.id, %error, wait_ms = wait.as_millis() as u64, "to be tried again");
                return;
            }
            Outcome::Left(why) => {
                session.tell(&job.row, Some(job.game), why.to_string(), why.is_usual());
            }
            Outcome::Undone => session.taken = None,
            Outcome::Done => session.told.clear(),
        }
        session.left = ended.left;
        (session.failures, session.not_before) = (0, None);
        (session.pending, session.since) = (None, None);
    }
}

/// Why the game of a row cannot be played.
fn unplayable(game: SiteGame, row: &Row) -> Option<String> {
    if row.is_ai {
        return Some("the opponent's page plays the other side".to_owned());
    }
    let is_usual = !row.setup.is_empty() || game.begins_as_usual(row.selector);
    (!is_usual).then(|| format!("it begins with start position {} of its game", row.selector))
}

#[cfg(test)]
mod tests {
    use super::super::scripted::logged;
    use super::*;
    use damka_games::{Alapo, AnyGame};

    const SETUP: &str = "?turn=0;&setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w";

    fn row(id: u64, last_turn: u64) -> Row {
        let setup = Foreign::from(SETUP);
        Row { id, status: Row::STARTED, variant: 134, setup, last_turn, ..Row::default() }
    }

    fn desk() -> Desk {
        let game = SiteGame::of(AnyGame::Alapo(Alapo)).expect("a game of the site");
        Desk::new(vec![game], Pace::default())
    }

    fn ids(jobs: &[Job]) -> Vec<u64> {
        jobs.iter().map(|job| job.row.id).collect()
    }

    fn ended(outcome: Outcome, left: Option<u64>) -> Option<Ended> {
        Some(Ended { outcome, left: left.map(Duration::from_secs), offered: 0, seat: None })
    }

    /// A desk and a time, for steps of seconds.
    struct Day {
        desk: Desk,
        start: Instant,
    }

    impl Day {
        fn new() -> Day {
            Day { desk: desk(), start: Instant::now() }
        }

        fn at(&self, second: u64) -> Instant {
            self.start + Duration::from_secs(second)
        }

        /// What is due of a list that comes at once.
        fn due(&mut self, second: u64, rows: &[Row]) -> Vec<Job> {
            let now = self.at(second);
            self.desk.due(rows.to_vec(), now, now)
        }

        /// Takes a turn in a session.
        fn turn(&mut self, second: u64, job: &Job, ended: Option<Ended>) {
            self.desk.begin(job);
            assert!(self.desk.is_busy());
            self.desk.end(job, ended, self.at(second));
        }
    }

    #[test]
    fn what_can_be_played_is_due() {
        let mut day = Day::new();
        let rows = [
            row(1, 0),
            Row { status: Row::WAITING, ..row(2, 0) },
            Row { is_ai: true, ..row(3, 0) },
            Row { variant: 31, ..row(4, 0) },
            Row { setup: Foreign::default(), ..row(5, 0) },
            Row { setup: Foreign::default(), selector: 2, ..row(6, 0) },
            Row { selector: 2, ..row(7, 0) },
            row(0, 0),
            row(1, 0),
        ];
        assert_eq!(ids(&day.due(0, &rows)), [1, 5, 7]);
    }

    #[test]
    fn a_turn_is_taken_once() {
        let mut day = Day::new();
        let job = day.due(0, &[row(1, 0)]).remove(0);
        day.desk.begin(&job);
        assert!(day.due(1, &[row(1, 0)]).is_empty());
        let [first, second] = [day.at(1), day.at(2)];
        day.desk.end(&job, ended(Outcome::Done, None), second);
        // A list that was asked for before the turn ended is of the past.
        assert!(day.desk.due(vec![row(1, 2)], first, day.at(3)).is_empty());
        assert!(day.due(3, &[row(1, 0)]).is_empty());
        assert_eq!(ids(&day.due(4, &[row(1, 2)])), [1]);
        // What is still shown after a while is looked at again.
        assert_eq!(ids(&day.due(70, &[row(1, 0)])), [1]);
    }

    #[test]
    fn what_has_failed_waits_longer_each_time() {
        let mut day = Day::new();
        let mut second = 0;
        for wait in [2, 4, 8, 16, 32, 60, 60] {
            let jobs = day.due(second, &[row(1, 0)]);
            assert_eq!(ids(&jobs), [1], "{second}");
            day.turn(second, &jobs[0], ended(Outcome::Again(CallError::Fault(500), None), None));
            assert!(day.due(second + wait - 1, &[row(1, 0)]).is_empty());
            second += wait;
        }
        let jobs = day.due(second, &[row(1, 0)]);
        assert_eq!(jobs[0].failures, 7);
        day.turn(second, &jobs[0], ended(Outcome::Left(Left::NotOurs), None));
        let jobs = day.due(second + 1, &[row(1, 1)]);
        assert_eq!(jobs[0].failures, 0);
    }

    #[test]
    fn the_shortest_clock_comes_first_and_nobody_waits_for_ever() {
        let mut day = Day::new();
        let rows = |turn| [row(1, turn), row(2, turn), row(3, turn)];
        for (job, left) in day.due(0, &rows(0)).iter().zip([None, Some(900), Some(60)]) {
            day.turn(1, job, ended(Outcome::Done, left));
        }
        assert_eq!(ids(&day.due(2, &rows(2))), [3, 2, 1]);
        // One that is new comes before them; one without a clock comes when it has waited.
        let mut all = rows(2).to_vec();
        all.push(row(4, 0));
        assert_eq!(ids(&day.due(3, &all)), [4, 3, 2, 1]);
        let job = day.due(5000, &rows(2)).remove(0);
        day.turn(5000, &job, ended(Outcome::Done, Some(60)));
        assert_eq!(ids(&day.due(5001, &[row(1, 2), row(3, 4)])), [1, 3]);
    }

    #[test]
    fn a_turn_that_never_ended_is_not_taken_again_at_once() {
        let mut day = Day::new();
        let job = day.due(0, &[row(1, 0)]).remove(0);
        day.turn(1, &job, None);
        assert!(!day.desk.is_busy() && day.due(2, &[row(1, 0)]).is_empty());
    }

    /// How often a log has this.
    fn count(log: &str, what: &str) -> usize {
        log.lines().filter(|line| line.contains(what)).count()
    }

    #[test]
    fn a_game_that_does_not_move_on_is_an_error_told_once() {
        let rows = [row(1, 0)];
        for (outcome, is_alarming) in [
            (Outcome::Left as fn(Left) -> Outcome, true),
            (|_| Outcome::Done, true),
            (|_| Outcome::Again(CallError::Fault(500), None), true),
            (|_| Outcome::Left(Left::Waiting), false),
        ] {
            let mut day = Day::new();
            let log = logged(|| {
                for minute in 0..30 {
                    let job = day.due(minute * 70, &rows).remove(0);
                    day.turn(minute * 70 + 1, &job, ended(outcome(Left::Moved), None));
                }
            });
            assert_eq!(
                count(&log, "ERROR a game does not move on session=1"),
                usize::from(is_alarming),
                "{log}"
            );
        }
        // One that moves on never is.
        let mut day = Day::new();
        let log = logged(|| {
            for minute in 0..30 {
                let job = day.due(minute * 70, &[row(1, minute)]).remove(0);
                day.turn(minute * 70 + 1, &job, ended(Outcome::Done, None));
            }
        });
        assert_eq!(log, "");
    }

    #[test]
    fn a_session_without_a_number_of_its_game_is_told_once() {
        let mut day = Day::new();
        let rows = [Row { variant: 0, ..row(1, 0) }, Row { variant: 31, ..row(2, 0) }];
        let log = logged(|| (0..3).for_each(|second| assert!(day.due(second, &rows).is_empty())));
        assert_eq!(
            count(&log, "WARN left alone: the server does not say which game it is"),
            1,
            "{log}"
        );
        assert_eq!(log.lines().count(), 1, "{log}");
    }

    #[test]
    fn a_game_that_ends_meanwhile_is_no_warning() {
        for (left, level) in
            [(Left::NotOurs, "INFO"), (Left::Unknown, "INFO"), (Left::Moved, "WARN")]
        {
            let mut day = Day::new();
            let job = day.due(0, &[row(1, 0)]).remove(0);
            let log = logged(|| day.turn(1, &job, ended(Outcome::Left(left), None)));
            assert!(log.contains(&format!("{level} left alone")), "{log}");
        }
    }

    #[test]
    fn a_turn_knows_how_long_its_game_has_not_moved_on() {
        let mut day = Day::new();
        let unmoved = |day: &mut Day, second, turn| day.due(second, &[row(1, turn)]).remove(0);
        let job = unmoved(&mut day, 0, 0);
        assert_eq!(job.unmoved, Duration::ZERO);
        day.turn(1, &job, ended(Outcome::Left(Left::Moved), None));
        let job = unmoved(&mut day, 61, 0);
        assert_eq!(job.unmoved, Duration::from_secs(60));
        // After a move was taken back the turn begins anew.
        day.turn(62, &job, ended(Outcome::Undone, None));
        let job = unmoved(&mut day, 63, 0);
        assert_eq!(job.unmoved, Duration::ZERO);
        day.turn(64, &job, ended(Outcome::Done, None));
        assert_eq!(unmoved(&mut day, 65, 2).unmoved, Duration::ZERO);
    }
}
