//! The output of `play`: boards, moves, hints.

use super::session::{Session, thought};
use crate::commands::board::draw;
use crate::commands::notation::{named, numbered};
use crate::words;
use damka_engine::{Playable, Report};
use damka_games::Position;
use damka_tables::metric::Metric;
use std::io::{self, Write};

impl<G: Playable> Session<G> {
    pub(super) fn show_board(&mut self) -> io::Result<()> {
        let position = self.walk.position();
        let last = self.walk.game().moves().last().map(|&mv| G::from_to(mv));
        let board = draw::<G>(position, last, self.viewer);
        let clocks = self.clocks_text().map_or(String::new(), |clocks| format!(" {clocks}."));
        writeln!(self.out, "{board}{} to move.{clocks}", position.turn())?;
        let next: Vec<String> =
            self.walk.continuations().map(|mv| position.format_move(mv)).collect();
        match &next[..] {
            [] => {}
            [only] => writeln!(self.out, "Next: {only}")?,
            [main, others @ ..] => {
                writeln!(self.out, "Next: {main}; variations: {}", others.join(" "))?;
            }
        }
        if self.shows_moves {
            self.show_moves()?;
        }
        match self.shows_eval {
            true => self.show_eval(),
            false => Ok(()),
        }
    }

    /// Shows the engine's evaluation of the position.
    pub(super) fn show_eval(&mut self) -> io::Result<()> {
        let found = self.search();
        match found.best() {
            Some(_) => {
                let turn = self.walk.position().turn();
                writeln!(self.out, "Evaluation for {turn}: {}.", thought(&found))
            }
            None => writeln!(self.out, "There is no legal move."),
        }
    }

    pub(super) fn show_fen(&mut self) -> io::Result<()> {
        writeln!(self.out, "{}", self.walk.game().counted().fen())
    }

    /// Shows the legal moves, best first if tables rank them.
    pub(super) fn show_moves(&mut self) -> io::Result<()> {
        let position = self.walk.position();
        let ranked = [Metric::Dtw, Metric::Wdl].into_iter().find_map(|metric| {
            let ranked = self.tables.moves(position, metric).ok()?;
            Some((metric, ranked))
        });
        let name = |mv| position.format_move(mv);
        let Some((metric, ranked)) = ranked.filter(|(_, ranked)| !ranked.is_empty()) else {
            let moves: Vec<String> = position.moves().into_iter().map(name).collect();
            return match moves.is_empty() {
                true => writeln!(self.out, "There is no legal move."),
                false => writeln!(self.out, "{}", moves.join(" ")),
            };
        };
        let named: Vec<_> = ranked.iter().map(|ranked| (name(ranked.mv), ranked.value)).collect();
        let width = named.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in named {
            writeln!(
                self.out,
                "  {name:width$}  {}",
                words::outcome(value.wdl(), words::plies(value, metric))
            )?;
        }
        Ok(())
    }

    /// Shows the engine's best move and its score.
    pub(super) fn show_hint(&mut self, found: &Report<G>, thought: &str) -> io::Result<()> {
        let names = named::<G>(self.walk.position(), found.pv.iter().copied());
        let Some(best) = names.first() else {
            return writeln!(self.out, "There is no legal move.");
        };
        writeln!(self.out, "The engine would play {best} ({thought}).")?;
        writeln!(self.out, "  {}", numbered(&self.walk.game().counted(), &names))
    }

    pub(super) fn show_tables(&mut self) -> io::Result<()> {
        let position = self.walk.position();
        let value = |metric| self.tables.value(position, metric).map(|value| (value, metric));
        match value(Metric::Dtw).or_else(|_| value(Metric::Wdl)) {
            Ok((value, metric)) => {
                let result =
                    words::result::<G>(value.wdl(), words::plies(value, metric), position.turn());
                writeln!(self.out, "{result}.")
            }
            Err(error) => {
                let error = damka_games::printable(&error.to_string());
                writeln!(self.out, "Unknown: {error}.")
            }
        }
    }
}
