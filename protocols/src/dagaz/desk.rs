//! What is known of the sessions: which of those that a list shows are to be played now, and which
//! first. Nothing here asks a server.

use super::options::Pace;
use super::site::SiteGame;
use super::turn::{Ended, Job, Outcome, Pending};
use super::wire::Row;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tracing::{info, warn};

/// What is not shown for so long is forgotten.
const MEMORY: Duration = Duration::from_secs(24 * 3600);

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
    /// The row for which all has been done.
    done: Option<(String, u64)>,
    /// When the last turn ended: lists asked for before are of the past.
    ended: Option<Instant>,
    /// Not to be tried before.
    not_before: Option<Instant>,
    failures: u32,
    pending: Option<Pending>,
    offered: u64,
    /// What was left on the clock at the last turn; `None` without one.
    left: Option<Duration>,
    /// Since when it waits for its turn.
    since: Option<Instant>,
    shown: Instant,
    /// Why it was left alone, as it was told.
    told: String,
}

impl Session {
    fn new(now: Instant) -> Session {
        Session {
            is_busy: false,
            done: None,
            ended: None,
            not_before: None,
            failures: 0,
            pending: None,
            offered: 0,
            // New games are begun soon.
            left: Some(Duration::ZERO),
            since: None,
            shown: now,
            told: String::new(),
        }
    }

    /// Says why it is left alone, unless it has been said.
    fn tell(&mut self, row: &Row, why: String) {
        if self.told != why {
            warn!(session = row.id, variant = row.variant, "left alone: {why}");
            self.told = why;
        }
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
        self.sessions.retain(|_, session| session.is_busy || now - session.shown < MEMORY);
        let mut due: Vec<(Instant, Job)> = Vec::new();
        for row in rows {
            let session = self.sessions.entry(row.id).or_insert_with(|| Session::new(now));
            session.shown = now;
            let game = match game_of(&self.games, &row) {
                Ok(game) => game,
                Err(None) => continue,
                Err(Some(why)) => {
                    session.tell(&row, why);
                    continue;
                }
            };
            let is_past = session.ended.is_some_and(|ended| asked <= ended);
            let is_early = session.not_before.is_some_and(|at| now < at);
            // What is still shown after long was not done after all, or can be done by now.
            let is_fresh =
                session.ended.is_some_and(|ended| now - ended < self.pace.longest_back_off);
            let is_done = session.done.as_ref().is_some_and(|(setup, last_turn)| {
                is_fresh && (setup, *last_turn) == (&row.setup, row.last_turn)
            });
            let is_listed = due.iter().any(|(_, job)| job.row.id == row.id);
            if session.is_busy || is_past || is_early || is_done || is_listed {
                continue;
            }
            let since = *session.since.get_or_insert(now);
            let job = Job {
                row,
                game,
                pending: session.pending.clone(),
                failures: session.failures,
                offered: session.offered,
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
        session.done = Some((job.row.setup.clone(), job.row.last_turn));
        let Some(ended) = ended else { return };
        session.offered = ended.offered;
        match ended.outcome {
            Outcome::Again(error, pending) => {
                session.done = None;
                session.failures += 1;
                session.pending = pending.map(|pending| *pending);
                let wait = self.pace.after(session.failures);
                session.not_before = Some(now + wait);
                info!(session = job.row.id, %error, wait_ms = wait.as_millis() as u64, "to be tried again");
                return;
            }
            Outcome::Left(why) => session.tell(&job.row, why.to_string()),
            Outcome::Done => session.told.clear(),
        }
        session.left = ended.left;
        (session.failures, session.not_before) = (0, None);
        (session.pending, session.since) = (None, None);
    }
}

/// The game of a row that can be played; else why it cannot, if that is worth saying.
fn game_of(games: &[SiteGame], row: &Row) -> Result<SiteGame, Option<String>> {
    let game = games.iter().find(|game| game.variant == row.variant).ok_or(None)?;
    if row.id == 0 || row.status != Row::STARTED {
        return Err(None);
    }
    if row.is_ai {
        return Err(Some("the opponent's page plays the other side".to_owned()));
    }
    match row.setup.is_empty() && !game.begins_as_usual(row.selector) {
        true => Err(Some(format!("it begins with start position {} of its game", row.selector))),
        false => Ok(*game),
    }
}
