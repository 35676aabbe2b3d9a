//! Time, which can be made to pass.

use std::time::Instant;

/// Milliseconds, as the server counts them.
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

    /// Lets so many ms go by at once.
    pub(super) fn pass(&mut self, ms: i64) {
        self.passed += ms;
    }
}

/// The clock of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The server's number.
    pub id: i64,
    /// The main time, in seconds.
    pub main: i64,
    /// What a player may be late, in seconds.
    pub additional: i64,
    /// Whether one side's time is what the other uses.
    pub is_sandglass: bool,
}

impl TimeControl {
    /// Those there are: none has the number 0.
    pub const ALL: [TimeControl; 4] = [
        TimeControl { id: 1, main: 7200, additional: 60, is_sandglass: false },
        TimeControl { id: 2, main: 1800, additional: 20, is_sandglass: false },
        TimeControl { id: 3, main: 14400, additional: 180, is_sandglass: false },
        TimeControl { id: 4, main: 900, additional: 0, is_sandglass: true },
    ];

    /// The one with this number.
    pub fn numbered(id: i64) -> Option<TimeControl> {
        TimeControl::ALL.into_iter().find(|control| control.id == id)
    }

    pub(super) fn name(&self) -> &'static str {
        ["02:00:00+01:00", "00:30:00+00:20", "04:00:00+03:00", "Sandglass 00:15:00"]
            [self.id as usize - 1]
    }
}

/// What is left of a player's time after a turn of `ms`, of which each counts twice.
pub(super) fn after_turn(stored: i64, ms: i64) -> i64 {
    ((stored - ms).max(0) - ms).max(0)
}
