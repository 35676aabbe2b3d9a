//! How long to think.
//!
//! The server takes twice the length of a turn from the clock, and never more than is left. What
//! it calls additional time is not added: by so much the clock may be overdrawn in one turn, and is
//! at nothing again in the next.

use damka_engine::{Limits, TimeControl};
use std::time::Duration;

/// What a turn takes besides thinking: requests, and other searches.
const RESERVE: Duration = Duration::from_secs(2);

/// The time for a move where there is no clock, unless it was told.
const WITHOUT_CLOCK: Duration = Duration::from_secs(5);

/// The longest time for a move, unless it was told: nobody likes to wait for longer.
const LONGEST: Duration = Duration::from_secs(60);

/// The time for a move where none is left: the server does not look at its clocks, and the opponent
/// may not either.
const SHORTEST: Duration = Duration::from_millis(100);

/// So many moves may be to come.
const MOVES: u32 = 30;

/// What is left on a clock, as the server tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// Milliseconds left; less than nothing if it is overdrawn.
    pub(super) left: Option<i64>,
    /// Milliseconds by which it may be overdrawn.
    pub(super) additional: Option<i64>,
}

impl Clock {
    /// Whether there is one.
    fn is_there(self) -> bool {
        self.left.is_some_and(|left| left != 0) || self.additional.unwrap_or_default() > 0
    }

    /// What is left to play with, if there is a clock: less than nothing is nothing.
    pub(super) fn remaining(self) -> Option<Duration> {
        self.is_there().then(|| millis(self.left.unwrap_or_default()))
    }

    /// The limits of a search. `longest` is the longest time for a move that was told.
    pub(super) fn limits(self, longest: Option<Duration>) -> Limits {
        let Some(left) = self.remaining() else {
            return Limits::time(longest.unwrap_or(WITHOUT_CLOCK));
        };
        // By thinking so long the clock comes to nothing.
        let game = (left / 2).saturating_sub(RESERVE);
        let overdraft =
            self.left.unwrap_or_default().saturating_add(self.additional.unwrap_or_default());
        let turn = millis(overdraft).saturating_sub(RESERVE);
        let longest = longest.unwrap_or(LONGEST);
        // In time trouble each turn may take what the clock may be overdrawn by, and the game goes on.
        let floor = millis(self.additional.unwrap_or_default()).saturating_sub(RESERVE).min(turn);
        match game / MOVES > floor / 2 {
            true => {
                let control = TimeControl { left: game, increment: Duration::ZERO, moves: None };
                Limits { clock: Some(control), ..Limits::time(longest) }
            }
            false => Limits::time((floor / 2).max(SHORTEST).min(longest)),
        }
    }
}

fn millis(number: i64) -> Duration {
    Duration::from_millis(number.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_engine::Control;
    use proptest::prelude::*;

    fn clock(left: i64, additional: i64) -> Clock {
        Clock { left: Some(left), additional: Some(additional) }
    }

    /// The longest time that a search takes with these limits.
    fn longest(limits: &Limits) -> Duration {
        let share = limits.clock.map_or(Duration::MAX, |control| control.left / 3);
        limits.time.map_or(share, |time| time.min(share))
    }

    #[test]
    fn without_a_clock_the_time_is_fixed() {
        for clock in [Clock::default(), clock(0, 0), Clock { left: None, additional: Some(0) }] {
            assert_eq!(clock.remaining(), None);
            assert_eq!(clock.limits(None), Limits::time(WITHOUT_CLOCK));
            let second = Duration::from_secs(1);
            assert_eq!(clock.limits(Some(second)), Limits::time(second));
        }
    }

    #[test]
    fn half_an_hour_is_a_quarter_of_an_hour_of_thinking() {
        let limits = clock(1_800_000, 20_000).limits(None);
        let control = limits.clock.expect("a share of the clock");
        assert_eq!(control.left, Duration::from_secs(900) - RESERVE);
        assert_eq!(limits.time, Some(LONGEST));
    }

    #[test]
    fn in_time_trouble_a_part_of_the_overdraft_is_used() {
        for left in [3_000, 1, 0, -1_000] {
            let limits = clock(left, 20_000).limits(None);
            let time = longest(&limits);
            assert!(
                time >= Duration::from_secs(8) && time <= Duration::from_secs(18),
                "{left} {time:?}"
            );
        }
        assert_eq!(clock(-60_000, 20_000).limits(None), Limits::time(SHORTEST));
        assert_eq!(clock(100, 0).limits(None), Limits::time(SHORTEST));
    }

    proptest! {
        /// The turn ends before the clock is at nothing, though it takes twice its length, or
        /// before it is overdrawn too far; and where neither can be had, at once.
        #[test]
        fn no_turn_is_too_long(left in -100_000i64..20_000_000, additional in 0i64..200_000) {
            prop_assume!(left != 0 || additional != 0);
            let time = longest(&clock(left, additional).limits(None));
            let is_within = 2 * time <= millis(left) || time + RESERVE <= millis(left + additional);
            prop_assert!(is_within || time <= SHORTEST, "{left} {additional} {time:?}");
        }

        #[test]
        fn any_numbers_are_a_clock(left: Option<i64>, additional: Option<i64>, longest: Option<u32>) {
            let longest = longest.map(|time| Duration::from_millis(time.into()));
            let limits = Clock { left, additional }.limits(longest);
            let control = Control::default();
            let _ = damka_engine::Clock::start(&limits, &control).is_over();
            prop_assert!(limits.time.is_some());
        }
    }
}
