use crate::competitor::Choice;
use damka_engine::{DrawReason, History, Playable, Score};
use damka_games::{Color, Game};
use damka_protocols::Fault;
use damka_records::{GameResult, Ply, Record};
use std::fmt;
use std::time::Duration;

/// The clock that a player has for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// What it shows at first.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// Why a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The loser could not move.
    Stuck,
    /// It is drawn by the rules.
    Rules(DrawReason),
    /// Tables know who wins.
    Tables,
    /// It has become too long: a draw.
    TooLong,
    /// The loser's time was up.
    Time,
    /// The loser gave up.
    Resigned,
    /// The loser's program could not go on.
    Fault(Fault),
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// The game.
    pub game: History<G>,
    /// What the players thought of each move that they chose: the last ones of the game.
    pub choices: Vec<Choice<G>>,
    /// Who has won; `None` if it was a draw.
    pub winner: Option<Color>,
    /// Why it has ended.
    pub reason: Reason,
}

impl<G: Playable> Played<G> {
    /// Why it has ended, in words of the game.
    fn termination(&self) -> String {
        match (&self.reason, self.winner) {
            (Reason::Stuck, Some(winner)) => format!("{} {}", !winner, G::LOST),
            (reason, _) => reason.to_string(),
        }
    }

    /// The game as it is written down, between White and Black of these names. Scores
    /// and depths are comments.
    pub fn record(&self, white: &str, black: &str) -> Record<G> {
        let mut record = Record::new(self.game.start());
        record.tags.set("White", white);
        record.tags.set("Black", black);
        record.tags.set("Termination", &self.termination());
        record.line.plies = self.game.moves().iter().map(|&mv| Ply::new(mv)).collect();
        let book = record.line.plies.len().saturating_sub(self.choices.len());
        for (ply, choice) in record.line.plies[book..].iter_mut().zip(&self.choices) {
            // Some programs tell nothing.
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
