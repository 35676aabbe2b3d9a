//! The server's time, which tests can advance.

use std::time::Instant;

/// A clock in milliseconds.
pub(super) struct Clock {
    began: Instant,
    passed: i64,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { began: Instant::now(), passed: 1_700_000_000_000 }
    }
}

impl Clock {
    pub(super) fn now(&self) -> i64 {
        self.passed + self.began.elapsed().as_millis() as i64
    }

    /// Advances the clock by `ms` at once.
    pub(super) fn pass(&mut self, ms: i64) {
        self.passed += ms;
    }
}

/// A time control of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The server's number for this time control.
    pub id: i64,
    /// The main time, in seconds.
    pub main: i64,
    /// By how much a player may exceed the limit, in seconds.
    pub additional: i64,
    /// Whether one side gains the time that the other uses.
    pub is_sandglass: bool,
}

impl TimeControl {
    /// All time controls. The number 0 means none.
    pub const ALL: [TimeControl; 4] = [
        TimeControl { id: 1, main: 7200, additional: 60, is_sandglass: false },
        TimeControl { id: 2, main: 1800, additional: 20, is_sandglass: false },
        TimeControl { id: 3, main: 14400, additional: 180, is_sandglass: false },
        TimeControl { id: 4, main: 900, additional: 0, is_sandglass: true },
    ];

    /// The time control with this number.
    pub fn numbered(id: i64) -> Option<TimeControl> {
        TimeControl::ALL.into_iter().find(|control| control.id == id)
    }

    pub(super) fn name(&self) -> &'static str {
        ["02:00:00+01:00", "00:30:00+00:20", "04:00:00+03:00", "Sandglass 00:15:00"]
            [self.id as usize - 1]
    }
}

/// A player's remaining time after a turn of `ms`, which is subtracted twice.
pub(super) fn after_turn(stored: i64, ms: i64) -> i64 {
    ((stored - ms).max(0) - ms).max(0)
}
