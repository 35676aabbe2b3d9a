use crate::competitor::Choice;
use damka_engine::{DrawReason, History, Playable, Score};
use damka_games::{Color, Game};
use damka_protocols::Fault;
use damka_records::{GameResult, OPENING, Ply, Record};
use std::fmt;
use std::time::Duration;

/// The clock of an entrant for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// The initial time.
    pub base: Duration,
    /// The increment for each move.
    pub increment: Duration,
}

/// The reason for the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The loser has no legal move.
    Stuck,
    /// The game is drawn by the rules.
    Rules(DrawReason),
    /// The game was adjudicated by tables.
    Tables,
    /// The game was too long and is a draw.
    TooLong,
    /// The loser ran out of time.
    Time,
    /// The loser resigned.
    Resigned,
    /// The loser's program failed.
    Fault(Fault),
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// The game.
    pub game: History<G>,
    /// The choices of the competitors, one for each move after the opening.
    pub choices: Vec<Choice<G>>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason for its end.
    pub reason: Reason,
}

impl Reason {
    /// Whether the loser forfeited the game: its program failed, or its time was over.
    pub fn is_forfeit(&self) -> bool {
        matches!(self, Reason::Time | Reason::Fault(_))
    }
}

impl<G: Playable> Played<G> {
    /// The reason in the words of the game.
    fn termination(&self) -> String {
        match (&self.reason, self.winner) {
            (Reason::Stuck, Some(winner)) => format!("{} {}", !winner, G::LOST),
            (reason, _) => reason.to_string(),
        }
    }

    /// The game as a record with these names. Scores and depths are written as comments, and the moves of
    /// the opening, which no player has chosen, have the comment [`OPENING`].
    pub fn record(&self, white: &str, black: &str) -> Record<G> {
        let mut record = Record::new(self.game.start());
        record.tags.set("White", white);
        record.tags.set("Black", black);
        record.tags.set("Termination", &self.termination());
        record.line.plies = self.game.moves().iter().map(|&mv| Ply::new(mv)).collect();
        let opening = record.line.plies.len().saturating_sub(self.choices.len());
        let (opening, chosen) = record.line.plies.split_at_mut(opening);
        opening.iter_mut().for_each(|ply| ply.comments.push(OPENING.to_owned()));
        for (ply, choice) in chosen.iter_mut().zip(&self.choices) {
            // Some programs give no score.
            if choice.depth > 0 || choice.score != Score::DRAW {
                ply.comments.push(format!("{}/{}", choice.score, choice.depth));
            }
        }
        record.result = match self.winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        };
        record
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Stuck => "no legal move",
            Reason::Rules(reason) => return write!(f, "{reason}"),
            Reason::Tables => "tables",
            Reason::TooLong => "too many moves",
            Reason::Time => "time",
            Reason::Resigned => "resigned",
            Reason::Fault(fault) => return write!(f, "the loser's program {fault}"),
        })
    }
}
