//! Annotations of moves as text in the record of a game: writes them, and finds those of an earlier
//! annotation.

use super::game::GivenUp;
use super::judgement::{Judgement, Source, Verdict};
use crate::recorded::{Note, RecordedPly};
use damka_tables::Wdl;

/// The note on a move: what it adds, and which earlier annotations it replaces.
pub(super) fn note(
    number: usize,
    ply: &RecordedPly,
    before: Verdict,
    after: Verdict,
    judgement: Option<Judgement>,
    best: &[String],
) -> Note {
    // A result without a distance is written once.
    let is_repeated = number > 0
        && judgement.is_none()
        && [before, after].iter().all(|verdict| verdict.source == Source::Tables)
        && after.dtw.is_none()
        && after.value == before.value;
    let comment = if is_repeated { None } else { comment(before, after, judgement) };
    let mut note = Note {
        nag: judgement.and_then(Judgement::nag),
        comments: comment.into_iter().collect(),
        variation: best.to_vec(),
        ..Note::default()
    };
    if after.source == Source::None {
        return note;
    }
    for comment in &ply.comments {
        let Some(earlier) = Earlier::parse(comment) else { continue };
        note.replaces.push(comment.clone());
        note.replaced_nags.extend(earlier.judgement.and_then(Judgement::nag));
        note.replaces_variation |= earlier.judgement.is_some_and(Judgement::is_bad);
    }
    note
}

/// An earlier comment: one that [`comment`] added to the record, or the score that a program wrote
/// when it played the game. Both have the same form.
struct Earlier {
    judgement: Option<Judgement>,
}

impl Earlier {
    /// Parses a comment. `None` if it may be a person's, such as a single word.
    fn parse(comment: &str) -> Option<Earlier> {
        let (value, text) = match comment.split_once(", ") {
            Some((value, text)) => (value, Some(text)),
            None => (comment, None),
        };
        let judgement = match text {
            Some(text) => Some(Judgement::parse(text)?),
            None => None,
        };
        let is_score = value.split_once('/').is_some_and(|(score, depth)| {
            let is_number = score.starts_with(['+', '-']) && score.parse::<f64>().is_ok();
            (is_number || is_decided_score(score)) && depth.parse::<u16>().is_ok()
        });
        let is_result = [Wdl::Win, Wdl::Draw, Wdl::Loss].iter().any(|wdl| {
            value.strip_prefix(wdl.word()).is_some_and(|rest| match rest {
                "" => judgement.is_some(),
                rest => is_distance(rest),
            })
        });
        (is_score || is_result).then_some(Earlier { judgement })
    }
}

/// Whether a text is a score of `damka match` for a win or loss: `win`, or `win in 9`.
fn is_decided_score(text: &str) -> bool {
    [Wdl::Win, Wdl::Loss].iter().any(|wdl| {
        text.strip_prefix(wdl.word()).is_some_and(|rest| {
            let plies = rest.strip_prefix(" in ").map(str::parse::<u16>);
            rest.is_empty() || plies.is_some_and(|plies| plies.is_ok())
        })
    })
}

/// Whether a text is the end of [`words`] with a distance: ` in 25 plies`.
fn is_distance(text: &str) -> bool {
    let number = text
        .strip_prefix(" in ")
        .and_then(|text| text.strip_suffix(" plies").or_else(|| text.strip_suffix(" ply")));
    number.is_some_and(|number| number.parse::<u16>().is_ok())
}

impl Judgement {
    /// The words of a comment on a move; `before` is the value before it.
    fn text(self, before: Verdict) -> String {
        match (self, before.dtw) {
            (Judgement::OnlyMove, _) => "only move".to_owned(),
            (Judgement::Inaccuracy, _) => "inaccuracy".to_owned(),
            (Judgement::Mistake, _) => "mistake".to_owned(),
            (Judgement::Blunder, _) => "blunder".to_owned(),
            (Judgement::ThrewAwayWin, Some(dtw)) => format!("throws away a win{}", distance(dtw)),
            (Judgement::ThrewAwayWin, None) => "throws away a win".to_owned(),
            (Judgement::ThrewAwayDraw, _) => "throws away a draw".to_owned(),
        }
    }

    /// The judgement that these words of a comment express.
    fn parse(text: &str) -> Option<Judgement> {
        Some(match text {
            "only move" => Judgement::OnlyMove,
            "inaccuracy" => Judgement::Inaccuracy,
            "mistake" => Judgement::Mistake,
            "blunder" => Judgement::Blunder,
            "throws away a draw" => Judgement::ThrewAwayDraw,
            text => {
                let rest = text.strip_prefix("throws away a win")?;
                (rest.is_empty() || is_distance(rest)).then_some(Judgement::ThrewAwayWin)?
            }
        })
    }
}

impl GivenUp {
    /// The comment at the end of the game.
    pub(super) fn comment(self) -> String {
        let side = if self.side == "white" { "White" } else { "Black" };
        let distance = self.dtw.map(distance).unwrap_or_default();
        format!("{side} gives up a {}{distance}", self.value.word())
    }
}

/// Whether a comment was written by [`GivenUp::comment`].
pub(super) fn is_of_giving_up(comment: &str) -> bool {
    let rest = ["White", "Black"].iter().find_map(|side| comment.strip_prefix(side));
    let value = rest.and_then(|rest| rest.strip_prefix(" gives up a "));
    value.is_some_and(|value| {
        value == "draw"
            || value.strip_prefix("win").is_some_and(|rest| rest.is_empty() || is_distance(rest))
    })
}

/// The comment on a move: its value and its judgement. It begins like the comments of `damka
/// match`, such as `+0.25/12`, which `damka tune` reads.
fn comment(before: Verdict, after: Verdict, judgement: Option<Judgement>) -> Option<String> {
    let value = match after.source {
        Source::None => None,
        Source::Tables => words(after),
        Source::Engine => {
            let score = f64::from(after.score.unwrap_or_default()) / 100.0;
            let depth = after.depth.unwrap_or_default();
            Some(words(after).unwrap_or_else(|| format!("{score:+.2}/{depth}")))
        }
    };
    let text = judgement.map(|judgement| judgement.text(before));
    let parts: Vec<String> = value.into_iter().chain(text).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A result in words, if there is one: `win in 25 plies`.
fn words(verdict: Verdict) -> Option<String> {
    let word = verdict.value?.word();
    Some(format!("{word}{}", verdict.dtw.map(distance).unwrap_or_default()))
}

/// A distance in words, as it follows a result: ` in 25 plies`.
fn distance(dtw: u16) -> String {
    match dtw {
        1 => " in 1 ply".to_owned(),
        dtw => format!(" in {dtw} plies"),
    }
}
