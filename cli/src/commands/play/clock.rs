//! The clocks of both sides.

use damka_engine::TimeControl;
use damka_games::Color;
use damka_matches::GameClock;
use std::fmt;
use std::time::{Duration, Instant};

/// The clocks of a game. One of them runs, until the game ends or a move is taken back.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    clock: GameClock,
    /// The time left of each side, at the start of the current turn.
    left: [Duration; 2],
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks that show the full time and do not run.
    pub(super) fn new(clock: GameClock) -> Clocks {
        Clocks { clock, left: [clock.base; 2], running: None }
    }

    /// Resets both clocks, and starts that of the side to move.
    pub(super) fn start(&mut self, turn: Color) {
        *self = Clocks { running: Some((turn, Instant::now())), ..Clocks::new(self.clock) };
    }

    /// Stops the clocks for the rest of the game.
    pub(super) fn stop(&mut self) {
        if let Some((turn, _)) = self.running {
            self.left[turn as usize] = self.left(turn);
            self.running = None;
        }
    }

    /// Ends the turn of the side to move.
    pub(super) fn press(&mut self) {
        if let Some((turn, _)) = self.running {
            self.left[turn as usize] = self.left(turn) + self.clock.increment;
            self.running = Some((!turn, Instant::now()));
        }
    }

    /// The side whose time is up, if any.
    pub(super) fn loser(&self) -> Option<Color> {
        self.running.map(|(turn, _)| turn).filter(|&turn| self.left(turn).is_zero())
    }

    /// The time control of the side to move, for the search.
    pub(super) fn control(&self) -> Option<TimeControl> {
        let (turn, _) = self.running?;
        Some(TimeControl { left: self.left(turn), increment: self.clock.increment, moves: None })
    }

    fn left(&self, side: Color) -> Duration {
        let passed =
            self.running.filter(|&(turn, _)| turn == side).map(|(_, since)| since.elapsed());
        self.left[side as usize].saturating_sub(passed.unwrap_or_default())
    }
}

impl fmt::Display for Clocks {
    /// Shows the time left: `White 4:53, Black 5:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = Color::BOTH.map(|side| {
            // Rounded up, so that 0 means that the time is up.
            let seconds = self.left(side).as_millis().div_ceil(1000);
            format!("{side} {}:{:02}", seconds / 60, seconds % 60)
        });
        let stopped = if self.running.is_none() { " (stopped)" } else { "" };
        write!(f, "{white}, {black}{stopped}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(base: u64, increment: u64) -> Clocks {
        let [base, increment] = [base, increment].map(Duration::from_millis);
        Clocks::new(GameClock { base, increment })
    }

    #[test]
    fn only_the_side_to_move_loses_time_and_moves_add_some() {
        let mut clocks = clocks(60_000, 5_000);
        assert_eq!(clocks.to_string(), "White 1:00, Black 1:00 (stopped)");
        clocks.start(Color::White);
        std::thread::sleep(Duration::from_millis(20));
        clocks.press();
        assert_eq!(clocks.left(Color::White).as_secs(), 64);
        assert!(clocks.control().is_some_and(|control| control.left <= Duration::from_secs(60)));
        clocks.stop();
        assert!(clocks.to_string().ends_with("(stopped)") && clocks.control().is_none());
        clocks.start(Color::Black);
        assert_eq!(clocks.left(Color::White).as_secs(), 60);
    }

    #[test]
    fn a_player_without_time_loses() {
        let mut clocks = clocks(10, 0);
        clocks.start(Color::Black);
        assert_eq!(clocks.loser(), None);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(clocks.loser(), Some(Color::Black));
        clocks.stop();
        assert_eq!(clocks.loser(), None);
    }
}
