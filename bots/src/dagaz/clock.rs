//! The time for a move by the clock of the server.
//!
//! After a turn, the server subtracts twice the turn's duration from the clock, but never more than is
//! left. The server's "additional time" is not an increment: in one turn the clock may be overdrawn by
//! this much, and in the next it is at 0 again.

use crate::time_budget::TimeBudget;
use std::time::Duration;

/// What a turn takes besides the search: requests, and waiting for other searches.
const RESERVE: Duration = Duration::from_secs(2);

/// The time for a move if none is left. The bot plays on: the server does not enforce its clocks, and the
/// opponent may not claim the win.
const SHORTEST: Duration = Duration::from_millis(100);

/// The assumed number of moves that are still to be played.
const MOVES_TO_GO: u32 = 30;

/// A clock as the server reports it, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ServerClock {
    /// The remaining time; negative if it is overdrawn.
    pub(super) left: Option<i64>,
    /// By how much it may be overdrawn in a turn.
    pub(super) additional: Option<i64>,
}

impl ServerClock {
    /// The remaining time, at least 0; `None` if there is no clock.
    pub(super) fn remaining(self) -> Option<Duration> {
        let is_there =
            self.left.is_some_and(|left| left != 0) || self.additional.unwrap_or_default() > 0;
        is_there.then(|| millis(self.left.unwrap_or_default()))
    }

    /// The time that the bot may use.
    pub(super) fn budget(self) -> TimeBudget {
        let Some(left) = self.remaining() else { return TimeBudget::None };
        // Half of the clock, because the server subtracts twice the time.
        let game = (left / 2).saturating_sub(RESERVE);
        let overdraft =
            self.left.unwrap_or_default().saturating_add(self.additional.unwrap_or_default());
        let turn = millis(overdraft).saturating_sub(RESERVE);
        // In time trouble, each turn may overdraw the clock by the additional time without losing the game.
        let floor = millis(self.additional.unwrap_or_default()).saturating_sub(RESERVE).min(turn);
        match game / MOVES_TO_GO > floor / 2 {
            true => TimeBudget::Game { left: game, increment: Duration::ZERO },
            false => TimeBudget::Move((floor / 2).max(SHORTEST)),
        }
    }
}

fn millis(number: i64) -> Duration {
    Duration::from_millis(number.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_engine::{Control, Limits};
    use proptest::prelude::*;

    fn clock(left: i64, additional: i64) -> ServerClock {
        ServerClock { left: Some(left), additional: Some(additional) }
    }

    /// The limits of a search if the operator sets none.
    fn limits(left: i64, additional: i64) -> Limits {
        clock(left, additional).budget().limits(None)
    }

    /// The longest time that a search takes with these limits.
    fn longest(limits: &Limits) -> Duration {
        let share = limits.clock.map_or(Duration::MAX, |control| control.left / 3);
        limits.time.map_or(share, |time| time.min(share))
    }

    #[test]
    fn a_clock_at_zero_without_additional_time_is_none() {
        let absent = ServerClock { left: None, additional: Some(0) };
        for clock in [ServerClock::default(), clock(0, 0), absent] {
            assert_eq!((clock.remaining(), clock.budget()), (None, TimeBudget::None));
        }
    }

    #[test]
    fn half_an_hour_is_a_quarter_of_an_hour_of_thinking() {
        let limits = limits(1_800_000, 20_000);
        let control = limits.clock.expect("a share of the clock");
        assert_eq!(control.left, Duration::from_secs(900) - RESERVE);
        assert_eq!(limits.time, Some(Duration::from_secs(60)));
    }

    #[test]
    fn in_time_trouble_a_part_of_the_overdraft_is_used() {
        for left in [3_000, 1, 0, -1_000] {
            let time = longest(&limits(left, 20_000));
            assert!(
                time >= Duration::from_secs(8) && time <= Duration::from_secs(18),
                "{left} {time:?}"
            );
        }
        assert_eq!(limits(-60_000, 20_000), Limits::time(SHORTEST));
        assert_eq!(limits(100, 0), Limits::time(SHORTEST));
    }

    proptest! {
        /// A turn ends before twice its duration has used up the clock, or before it has overdrawn the clock
        /// too far. If neither is possible, the move is made at once.
        #[test]
        fn no_turn_is_too_long(left in -100_000i64..20_000_000, additional in 0i64..200_000) {
            prop_assume!(left != 0 || additional != 0);
            let time = longest(&limits(left, additional));
            let is_within = 2 * time <= millis(left) || time + RESERVE <= millis(left + additional);
            prop_assert!(is_within || time <= SHORTEST, "{left} {additional} {time:?}");
        }

        #[test]
        fn any_numbers_give_a_time(left: Option<i64>, additional: Option<i64>, longest: Option<u32>) {
            let longest = longest.map(|time| Duration::from_millis(time.into()));
            let limits = ServerClock { left, additional }.budget().limits(longest);
            let control = Control::default();
            let _ = damka_engine::Clock::start(&limits, &control).is_over();
            prop_assert!(limits.time.is_some());
        }
    }
}
