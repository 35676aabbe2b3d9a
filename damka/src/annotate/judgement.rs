//! Verdicts on positions, and the judgement of moves: mistakes and only moves.

use super::Judged;
use crate::Answer;
use crate::answer::DtwStatus;
use crate::recorded::RecordedPly;
use damka_records::OPENING;
use damka_tables::Wdl;

/// The evaluation, in hundredths of a pawn or man, at which a win is e times as likely as a loss.
/// The value for chess is from <https://lichess.org/page/accuracy>; the one for the other games is
/// what `damka tune` starts with.
pub(super) const CHESS_SCALE: f64 = 271.6;
pub(super) const SCALE: f64 = 100.0;

/// How much of the expected result a move must lose to be an inaccuracy, a mistake or a blunder, as
/// on lichess. The expected result is 1 for a win, 0 for a draw and -1 for a loss.
const INACCURACY: f64 = 0.1;
const MISTAKE: f64 = 0.2;
const BLUNDER: f64 = 0.3;

/// The source of the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Source {
    /// Tables, or the rules where the game is over: the value is exact.
    Tables,
    /// An engine.
    Engine,
    /// Unknown: no table has the position and no engine was used.
    None,
}

/// The verdict on a position of a game, from the view of the side that plays the move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Verdict {
    /// The result; `None` if it is unknown.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::answer::value_word"))]
    pub value: Option<Wdl>,
    /// The distance to the win or loss in plies, the move included.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
    /// An engine's evaluation in hundredths of a pawn or man.
    pub score: Option<i32>,
    /// How deep the engine searched, in plies.
    pub depth: Option<u16>,
    /// The source of the value.
    pub source: Source,
}

impl Verdict {
    /// The verdict on an unknown position.
    pub(super) const UNKNOWN: Verdict = Verdict {
        value: None,
        dtw: None,
        dtw_status: DtwStatus::Unknown,
        score: None,
        depth: None,
        source: Source::None,
    };

    /// The verdict for the side that plays a move which leads to this one.
    pub(super) fn before_move(self) -> Verdict {
        Verdict {
            value: self.value.map(Wdl::before_move),
            dtw: self.dtw.map(|dtw| dtw + 1),
            score: self.score.map(|score| -score),
            ..self
        }
    }

    /// The expected result, from -1 for a loss to 1 for a win.
    fn expected(self, scale: f64) -> Option<f64> {
        let of_score = |score| (f64::from(score) / (2.0 * scale)).tanh();
        match self.value {
            Some(Wdl::Win) => Some(1.0),
            Some(Wdl::Draw) => Some(0.0),
            Some(Wdl::Loss) => Some(-1.0),
            None => self.score.map(of_score),
        }
    }
}

/// The judgement of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Judgement {
    /// By tables: no other move keeps the result.
    OnlyMove,
    /// By an engine: it loses a little of the expected result.
    Inaccuracy,
    /// By an engine: it loses some of the expected result.
    Mistake,
    /// By an engine: it loses much of the expected result.
    Blunder,
    /// By tables: a win before, a draw or a loss after it.
    ThrewAwayWin,
    /// By tables: a draw before, a loss after it.
    ThrewAwayDraw,
}

impl Judgement {
    /// The numeric annotation (NAG).
    pub(super) fn nag(self) -> Option<u8> {
        match self {
            Judgement::OnlyMove => None,
            Judgement::Inaccuracy => Some(6),
            Judgement::Mistake => Some(2),
            Judgement::Blunder | Judgement::ThrewAwayWin | Judgement::ThrewAwayDraw => Some(4),
        }
    }

    /// Whether another move should have been played.
    pub(super) fn is_bad(self) -> bool {
        self != Judgement::OnlyMove
    }
}

/// The judgement of a move, if it deserves one.
pub(super) fn judgement(
    before: &Judged,
    after: Verdict,
    ply: &RecordedPly,
    scale: f64,
) -> Option<Judgement> {
    if ply.comments.iter().any(|comment| comment == OPENING) {
        return None;
    }
    if let Some(answer) = &before.answer {
        // An engine's score cannot be compared with a result.
        if after.source != Source::Tables {
            return None;
        }
        let value = answer.value?;
        return match (value, after.value?) {
            (Wdl::Win, Wdl::Draw | Wdl::Loss) => Some(Judgement::ThrewAwayWin),
            (Wdl::Draw, Wdl::Loss) => Some(Judgement::ThrewAwayDraw),
            (Wdl::Loss, _) => None,
            _ => is_only_move(answer).then_some(Judgement::OnlyMove),
        };
    }
    let is_best = before.line.coordinates.first().is_some_and(|best| *best == ply.coordinates);
    let lost = before.verdict.expected(scale)? - after.expected(scale)?;
    match lost {
        _ if is_best => None,
        BLUNDER.. => Some(Judgement::Blunder),
        MISTAKE.. => Some(Judgement::Mistake),
        INACCURACY.. => Some(Judgement::Inaccuracy),
        _ => None,
    }
}

/// Whether one move keeps the result, and all others are known not to.
fn is_only_move(answer: &Answer) -> bool {
    let keeps = answer.moves.iter().filter(|mv| mv.value == answer.value).count();
    let known = answer.moves.iter().all(|mv| mv.value.is_some());
    known && keeps == 1 && answer.moves.len() > 1
}
