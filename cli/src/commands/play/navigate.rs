//! Goes back and forward in a game.

use super::command::Ahead;
use super::session::Session;
use damka_engine::Playable;
use damka_games::{Position, printable};
use std::io::{self, Write};

impl<G: Playable> Session<G> {
    /// Takes back the person's last move and the moves after it. If a resignation or the clock has ended
    /// the game, only continues it.
    pub(super) fn undo(&mut self) -> io::Result<()> {
        if self.goes_on() {
            self.show_board()?;
            // The person may have changed sides since then.
            return self.answer();
        }
        let mut plies = 0;
        while self.walk.back() {
            plies += 1;
            if self.is_by_hand() {
                self.replaces = true;
                self.stop_clocks();
                return self.show_board();
            }
        }
        for _ in 0..plies {
            self.walk.forward();
        }
        writeln!(self.out, "There is nothing to take back.")
    }

    /// Replays the person's move that was taken back last, and the engine's reply.
    pub(super) fn redo(&mut self) -> io::Result<()> {
        if !self.walk.forward() {
            return writeln!(self.out, "There is no move to replay.");
        }
        self.replaces = false;
        while !self.is_by_hand() && self.walk.forward() {}
        self.show_board()?;
        self.answer()
    }

    pub(super) fn back(&mut self, plies: usize) -> io::Result<()> {
        self.leave();
        match (0..plies).all(|_| self.walk.back()) {
            true => {}
            false => writeln!(self.out, "This is the start of the game.\n")?,
        }
        self.show_board()
    }

    pub(super) fn forward(&mut self, ahead: Ahead) -> io::Result<()> {
        self.leave();
        match ahead {
            Ahead::Plies(plies) => {
                if !(0..plies).all(|_| self.walk.forward()) {
                    writeln!(self.out, "This is the end of the line.\n")?;
                }
            }
            Ahead::Into(text) => {
                let mv = self.walk.position().parse_move(text);
                if !mv.is_ok_and(|mv| self.walk.enter(mv)) {
                    let text = printable(text);
                    return writeln!(self.out, "No line here begins with `{text}`.");
                }
            }
        }
        self.show_board()
    }

    /// Continues a game that a resignation or the clock has ended. Returns whether it had ended so.
    fn goes_on(&mut self) -> bool {
        let was_ended = std::mem::take(&mut self.is_ended);
        if was_ended {
            self.walk.set_winner(None);
        }
        was_ended
    }

    /// Prepares to leave the current position. The way the game ended is kept.
    fn leave(&mut self) {
        (self.is_ended, self.replaces) = (false, false);
        self.stop_clocks();
    }
}
