use damka_engine::{Limits, TimeControl};
use std::time::Duration;

/// The time for a move without a clock.
const WITHOUT_CLOCK: Duration = Duration::from_secs(5);

/// The longest time for a move with a clock: people do not like to wait.
const LONGEST: Duration = Duration::from_secs(60);

/// The time that the bot may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeBudget {
    /// There is no clock.
    #[default]
    None,
    /// Time for the rest of the game.
    Game {
        /// The remaining time.
        left: Duration,
        /// The increment for each move.
        increment: Duration,
    },
    /// Time for this move.
    Move(Duration),
}

impl TimeBudget {
    /// The limits of a search. `longest` is the longest time for a move that the operator allows.
    pub fn limits(self, longest: Option<Duration>) -> Limits {
        match self {
            TimeBudget::None => Limits::time(longest.unwrap_or(WITHOUT_CLOCK)),
            TimeBudget::Game { left, increment } => {
                let clock = Some(TimeControl { left, increment, moves: None });
                Limits { clock, ..Limits::time(longest.unwrap_or(LONGEST)) }
            }
            TimeBudget::Move(time) => Limits::time(time.min(longest.unwrap_or(LONGEST))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operator_limits_the_time_for_a_move() {
        let [second, hour] = [1, 3600].map(Duration::from_secs);
        let game = TimeBudget::Game { left: hour, increment: second };
        let clock = Some(TimeControl { left: hour, increment: second, moves: None });
        for (clock, longest, limits) in [
            (TimeBudget::None, None, Limits::time(WITHOUT_CLOCK)),
            (TimeBudget::None, Some(hour), Limits::time(hour)),
            (game, None, Limits { clock, ..Limits::time(LONGEST) }),
            (game, Some(second), Limits { clock, ..Limits::time(second) }),
            (TimeBudget::Move(second), None, Limits::time(second)),
            (TimeBudget::Move(hour), Some(second), Limits::time(second)),
        ] {
            assert_eq!(clock.limits(longest), limits, "{clock:?} {longest:?}");
        }
    }
}
