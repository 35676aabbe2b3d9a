//! The state of the server: the tables of its database.

use super::clock::{Clock, TimeControl};
use super::violation::Violation;
use std::collections::{BTreeMap, BTreeSet};

/// The server's database, and the violations found by the referee.
#[derive(Default)]
pub(super) struct State {
    pub(super) clock: Clock,
    pub(super) users: Vec<User>,
    pub(super) tokens: Vec<Token>,
    pub(super) sessions: BTreeMap<i64, Session>,
    pub(super) tournaments: BTreeMap<i64, Tournament>,
    /// The last numbers of sessions, seats, moves, alerts and tournaments.
    numbers: [i64; 5],
    /// The number of changes of sessions, by which lists are ordered.
    changes: u64,
    pub(super) violations: Vec<Violation>,
    /// The registered bot of each variant. Lists show this user more sessions.
    pub(super) registered: BTreeMap<i64, i64>,
    /// The turn after which games are ended as drawn.
    pub(super) longest: Option<i64>,
    /// By how many seconds tokens are treated as older than they are.
    pub(super) token_age: i64,
}

/// A user; the first one has the number 1.
pub(super) struct User {
    pub(super) login: String,
    pub(super) password: String,
    pub(super) is_admin: bool,
    /// The sessions in the last list for this user.
    pub(super) shown: BTreeSet<i64>,
}

/// A valid token.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) user: i64,
    pub(super) device: String,
}

#[derive(Clone)]
pub(super) struct Session {
    pub(super) id: i64,
    pub(super) variant: i64,
    pub(super) time_control: Option<TimeControl>,
    pub(super) is_closed: bool,
    pub(super) changed: u64,
    pub(super) start: Option<String>,
    /// The current position.
    pub(super) setup: Option<String>,
    pub(super) last_turn: Option<i64>,
    /// The seat that moved last.
    pub(super) last_seat: Option<i64>,
    /// The number of the player to move; `None` while an arbiter decides.
    pub(super) next_player: Option<i64>,
    /// The start of the turn.
    pub(super) turn_began: Option<i64>,
    pub(super) seats: Vec<Seat>,
    pub(super) moves: Vec<Move>,
    pub(super) alerts: Vec<Alert>,
    /// Whether a request about the session was executed late, so that its sender could not know the state.
    pub(super) may_be_late: bool,
    /// How the session was closed, according to the referee.
    pub(super) ending: Option<Ending>,
}

#[derive(Clone)]
pub(super) struct Seat {
    pub(super) uid: i64,
    pub(super) user: i64,
    pub(super) player: i64,
    /// The remaining time, in ms.
    pub(super) time: Option<i64>,
    pub(super) result: Option<i64>,
}

#[derive(Clone)]
pub(super) struct Move {
    pub(super) id: i64,
    pub(super) uid: i64,
    pub(super) user: i64,
    pub(super) turn: i64,
    pub(super) text: String,
    pub(super) setup: Option<String>,
    pub(super) note: Option<String>,
    pub(super) time_delta: Option<i64>,
    pub(super) is_seen: bool,
}

#[derive(Clone)]
pub(super) struct Alert {
    pub(super) uid: i64,
    pub(super) result: i64,
    pub(super) turn: i64,
}

/// How a session was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By a player, as the rules say.
    Played,
    /// By a resignation.
    Resigned,
    /// By an agreement on a draw.
    Agreed,
    /// By another user, or with a wrong result.
    Others,
}

pub(super) struct Tournament {
    pub(super) title: String,
    pub(super) variant: i64,
    pub(super) is_closed: bool,
    pub(super) members: Vec<i64>,
}

/// The kinds of objects with numbers.
#[derive(Clone, Copy)]
pub(super) enum Numbered {
    Session,
    Seat,
    Move,
    Alert,
    Tournament,
}

impl State {
    pub(super) fn number(&mut self, of: Numbered) -> i64 {
        self.numbers[of as usize] += 1;
        self.numbers[of as usize]
    }

    pub(super) fn change(&mut self) -> u64 {
        self.changes += 1;
        self.changes
    }

    /// The current second, by which tokens are made and checked.
    pub(super) fn second(&self) -> i64 {
        self.clock.now() / 1000 + self.token_age
    }

    /// Adds a user; returns the user's number.
    pub(super) fn add_user(&mut self, login: &str, password: &str) -> i64 {
        self.users.push(User {
            login: login.to_owned(),
            password: password.to_owned(),
            is_admin: false,
            shown: BTreeSet::new(),
        });
        self.users.len() as i64
    }

    pub(super) fn user(&self, id: i64) -> Option<&User> {
        self.users.get(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    pub(super) fn user_mut(&mut self, id: i64) -> Option<&mut User> {
        self.users.get_mut(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    /// Adds a session without players.
    pub(super) fn add_session(&mut self, variant: i64, time_control: Option<TimeControl>) -> i64 {
        let (id, changed) = (self.number(Numbered::Session), self.change());
        let session = Session {
            id,
            variant,
            time_control,
            is_closed: false,
            changed,
            start: None,
            setup: None,
            last_turn: None,
            last_seat: None,
            next_player: Some(1),
            turn_began: None,
            seats: Vec::new(),
            moves: Vec::new(),
            alerts: Vec::new(),
            may_be_late: false,
            ending: None,
        };
        self.sessions.insert(id, session);
        id
    }

    /// Adds a seat for a user; returns its number.
    pub(super) fn add_seat(&mut self, session: i64, user: i64, player: i64) -> Option<i64> {
        let uid = self.number(Numbered::Seat);
        let session = self.sessions.get_mut(&session)?;
        let time = session.time_control.map(|control| control.main * 1000);
        session.seats.push(Seat { uid, user, player, time, result: None });
        session.seats.sort_by_key(|seat| seat.player);
        Some(uid)
    }

    /// The session of a seat.
    pub(super) fn session_of(&self, uid: i64) -> Option<&Session> {
        self.sessions.values().find(|session| session.seat(uid).is_some())
    }

    pub(super) fn session_of_mut(&mut self, uid: i64) -> Option<&mut Session> {
        self.sessions.values_mut().find(|session| session.seat(uid).is_some())
    }
}

impl Session {
    /// The status: 1 waiting, 2 started, 3 finished.
    pub(super) fn status(&self) -> i64 {
        match self.seats.len() {
            _ if self.is_closed => 3,
            2 => 2,
            _ => 1,
        }
    }

    pub(super) fn seat(&self, uid: i64) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.uid == uid)
    }

    pub(super) fn seat_of(&self, user: i64) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.user == user)
    }

    pub(super) fn opponent(&self, uid: i64) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.uid != uid)
    }

    pub(super) fn free_player(&self) -> Option<i64> {
        (1..=2).find(|&player| self.seats.iter().all(|seat| seat.player != player))
    }

    /// Whether this user is to move.
    pub(super) fn awaits(&self, user: i64) -> bool {
        let mut seats = self.seats.iter();
        self.status() == 2
            && seats.any(|seat| seat.user == user && Some(seat.player) == self.next_player)
    }

    /// Closes the session as drawn, as a user who does not play in it.
    pub(super) fn break_off(&mut self) {
        self.close(Ending::Others, |_| 3);
    }

    /// Closes the session, with a result for each seat.
    pub(super) fn close(&mut self, ending: Ending, results: impl Fn(i64) -> i64) {
        self.is_closed = true;
        self.ending = Some(ending);
        for seat in &mut self.seats {
            seat.result = Some(results(seat.uid));
        }
    }

    /// The number of moves in the table of moves.
    pub(super) fn turns(&self) -> i64 {
        self.moves.last().map_or(0, |mv| mv.turn)
    }

    /// Starts the turn's clock, if it does not run.
    pub(super) fn begin_turn(&mut self, now: i64) {
        self.turn_began.get_or_insert(now);
    }

    /// A seat's remaining time, negative if it has run out, and whether its clock runs.
    pub(super) fn time_left(&self, uid: i64, now: i64) -> Option<(i64, bool)> {
        let left = self.seat(uid)?.time?;
        Some(match self.turn_began {
            Some(began) if now > began => (left - (now - began), true),
            _ => (left, false),
        })
    }
}
