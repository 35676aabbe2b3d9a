//! Recorded games judged move by move: by tables as soon as they know the result, before that by
//! an engine.

use crate::answer::DtwStatus;
use crate::recorded::{AnyRecord, Note, RecordedPly};
use crate::{Answer, AnyTables, AskError};
#[cfg(feature = "engine")]
use crate::{AnyEngine, SearchReport, SearchRequest};
#[cfg(feature = "engine")]
use damka_engine::Control;
use damka_games::Color;
use damka_tables::Wdl;
use damka_tables::metric::Metric;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The maximum number of plies of a variation.
const VARIATION: usize = 16;

/// The evaluation, in hundredths of a pawn or man, at which a win is e times as likely as a loss.
/// For chess see <https://lichess.org/page/accuracy>; for the other games `damka tune` begins with
/// it.
const CHESS_SCALE: f64 = 271.6;
const SCALE: f64 = 100.0;

/// What a move must lose of the expected result to be an inaccuracy, a mistake and a blunder, as on
/// lichess. The expected result is 1 for a win, 0 for a draw and -1 for a loss.
const INACCURACY: f64 = 0.1;
const MISTAKE: f64 = 0.2;
const BLUNDER: f64 = 0.3;

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
    fn nag(self) -> Option<u8> {
        match self {
            Judgement::OnlyMove => None,
            Judgement::Inaccuracy => Some(6),
            Judgement::Mistake => Some(2),
            Judgement::Blunder | Judgement::ThrewAwayWin | Judgement::ThrewAwayDraw => Some(4),
        }
    }

    /// Whether something else should have been played.
    fn is_bad(self) -> bool {
        self != Judgement::OnlyMove
    }
}

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
    /// Why there is a distance or none.
    pub dtw_status: DtwStatus,
    /// An engine's evaluation in hundredths of a pawn or man.
    pub score: Option<i32>,
    /// How deep the engine searched, in plies.
    pub depth: Option<u16>,
    /// The source of the value.
    pub source: Source,
}

/// A move of a game, judged.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnnotatedPly {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that plays it, `white` or `black`.
    pub turn: &'static str,
    /// The move as the game writes it.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: String,
    /// The move by its squares: UCI's `e2e4` in chess.
    pub coordinates: String,
    /// The position after it.
    pub fen: String,
    /// The verdict with the best move.
    pub before: Verdict,
    /// The verdict with the move that was played.
    pub after: Verdict,
    /// The judgement of the move, if it deserves one.
    pub judgement: Option<Judgement>,
    /// The best line, by squares, if the move is a mistake.
    pub best: Vec<String>,
    /// The best line as the game writes it.
    pub best_moves: Vec<String>,
    /// The numeric annotations (NAG) that the record has, 1 to 6 for `!`, `?`, `!!`, `??`, `!?` and
    /// `?!`.
    pub nags: Vec<u8>,
    /// The comments that the record has.
    pub comments: Vec<String>,
    /// The variations that the record has.
    pub variations: Vec<String>,
}

/// What a player gave up with the end of a game: a draw agreed in a won position, or a defeat in
/// one that was not lost. By tables alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GivenUp {
    /// The player's side, `white` or `black`.
    pub side: &'static str,
    /// The value of the last position for that side.
    #[cfg_attr(feature = "serde", serde(serialize_with = "wdl_word"))]
    pub value: Wdl,
    /// The distance to the win in plies.
    pub dtw: Option<u16>,
    /// The result that the side got.
    #[cfg_attr(feature = "serde", serde(serialize_with = "wdl_word"))]
    pub got: Wdl,
}

/// The word of a result.
#[cfg(feature = "serde")]
fn wdl_word<S: serde::Serializer>(value: &Wdl, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.word())
}

/// A summary of the moves of a player.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlayerSummary {
    /// The player's name, as far as the record has it.
    pub player: String,
    /// The games.
    pub games: u64,
    /// The moves.
    pub moves: u64,
    /// The moves whose value is known from tables, before and after.
    pub in_tables: u64,
    /// How many moves no other move could replace.
    pub only_moves: u64,
    /// How many were inaccuracies.
    pub inaccuracies: u64,
    /// How many were mistakes.
    pub mistakes: u64,
    /// How many were blunders.
    pub blunders: u64,
    /// How many threw a win away, for certain.
    pub threw_away_wins: u64,
    /// How many threw a draw away, for certain.
    pub threw_away_draws: u64,
    /// How many games ended with less than the last position was worth, for certain.
    pub given_up: u64,
}

impl PlayerSummary {
    /// Adds another game, or more of them, of the same player.
    pub fn add(&mut self, other: &PlayerSummary) {
        self.games += other.games;
        self.moves += other.moves;
        self.in_tables += other.in_tables;
        self.only_moves += other.only_moves;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.threw_away_wins += other.threw_away_wins;
        self.threw_away_draws += other.threw_away_draws;
        self.given_up += other.given_up;
    }
}

/// A game with every move judged.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnnotatedGame {
    /// The game's name.
    pub game: &'static str,
    /// The tags: who played, where and when.
    pub tags: BTreeMap<String, String>,
    /// The result, such as `1-0`; `*` if it is unknown.
    pub result: String,
    /// The position before the first move.
    pub start: String,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<AnnotatedPly>,
    /// What a player gave up with the end of the game.
    pub given_up: Option<GivenUp>,
    /// The summaries of the players, White first.
    pub summary: [PlayerSummary; 2],
    /// The game as PDN or PGN, with annotations.
    pub text: String,
}

/// The games of a text, judged.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnnotatedGames {
    /// Those that could be read.
    pub games: Vec<AnnotatedGame>,
    /// The others.
    pub failed: Vec<UnreadGame>,
}

/// A game of a text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UnreadGame {
    /// Its number in the text, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub error: String,
}

/// Judges recorded games.
pub struct Annotator<'a> {
    tables: &'a dyn AnyTables,
    #[cfg(feature = "engine")]
    engine: Option<Adviser<'a>>,
}

/// An engine that is asked about positions that the tables do not know.
#[cfg(feature = "engine")]
struct Adviser<'a> {
    engine: &'a mut dyn AnyEngine,
    request: SearchRequest,
    control: &'a Control,
}

/// A position of a game that is judged.
struct Judged {
    /// From the view of the side to move.
    verdict: Verdict,
    /// The tables' answer, if they know the result.
    answer: Option<Answer>,
    /// The best line that the engine found.
    line: BestLine,
}

/// A line of moves.
#[derive(Clone, Debug, Default)]
struct BestLine {
    /// By squares.
    coordinates: Vec<String>,
    /// As the game writes them.
    names: Vec<String>,
}

impl<'a> Annotator<'a> {
    /// An annotator that asks tables alone: positions beyond them remain unknown.
    pub fn new(tables: &'a dyn AnyTables) -> Annotator<'a> {
        Annotator {
            tables,
            #[cfg(feature = "engine")]
            engine: None,
        }
    }

    /// Asks an engine of the same game about each position that the tables do not know. `control`
    /// may stop its searches.
    #[cfg(feature = "engine")]
    pub fn with_engine(
        self,
        engine: &'a mut dyn AnyEngine,
        request: SearchRequest,
        control: &'a Control,
    ) -> Annotator<'a> {
        Annotator { engine: Some(Adviser { engine, request, control }), ..self }
    }

    /// Judges every move of a game. `progress` is called after each position, and may end the work:
    /// then there is no game.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub fn annotate(
        &mut self,
        record: &dyn AnyRecord,
        progress: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<AnnotatedGame>, AskError> {
        let plies = record.plies();
        let mut judged = Vec::with_capacity(plies.len() + 1);
        #[cfg(feature = "engine")]
        if let Some(adviser) = &mut self.engine {
            adviser.engine.new_game();
        }
        for played in 0..=plies.len() {
            judged.push(self.judge(record, played)?);
            if progress().is_break() {
                return Ok(None);
            }
        }
        let scale = if self.tables.game() == "chess" { CHESS_SCALE } else { SCALE };
        let mut annotated = Vec::with_capacity(plies.len());
        let mut notes = Vec::with_capacity(plies.len());
        for (number, ply) in plies.iter().enumerate() {
            let [before, after] = [&judged[number], &judged[number + 1]];
            let after = after.verdict.before_move();
            let judgement = judgement(before, after, ply, scale);
            let best = match judgement {
                Some(judgement) if judgement.is_bad() => self.best_line(before, record, number)?,
                _ => BestLine::default(),
            };
            notes.push(note(number, ply, before.verdict, after, judgement, &best.coordinates));
            annotated.push(AnnotatedPly {
                ply: number + 1,
                turn: match ply.turn {
                    Color::White => "white",
                    Color::Black => "black",
                },
                name: ply.name.clone(),
                coordinates: ply.coordinates.clone(),
                fen: ply.fen.clone(),
                before: before.verdict,
                after,
                judgement,
                best: best.coordinates,
                best_moves: best.names,
                nags: ply.nags.clone(),
                comments: ply.comments.clone(),
                variations: ply.variations.clone(),
            });
        }
        let turn = plies.last().map(|ply| !ply.turn);
        let given_up = turn.zip(judged.last());
        let given_up = given_up.and_then(|(turn, last)| given_up_in(last, turn, &record.result()));
        if let (Some(note), Some(ply)) = (notes.last_mut(), plies.last()) {
            let earlier = ply.comments.iter().filter(|comment| is_of_giving_up(comment));
            note.replaces.extend(earlier.cloned());
            note.comments.extend(given_up.map(GivenUp::comment));
        }
        let tags = record.tags();
        let player = |name| tags.get(name).unwrap_or("?").to_owned();
        Ok(Some(AnnotatedGame {
            game: self.tables.game(),
            tags: tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            result: record.result(),
            start: record.start().to_owned(),
            comments: record.comments().to_vec(),
            given_up,
            summary: ["White", "Black"].map(|color| {
                let mut summary = summary(player(color), color, &annotated);
                let gave_up =
                    given_up.is_some_and(|given_up| given_up.side.eq_ignore_ascii_case(color));
                summary.given_up = u64::from(gave_up);
                summary
            }),
            text: record.annotated(&notes),
            plies: annotated,
        }))
    }

    /// The verdict on the position after the first `played` moves of a game.
    fn judge(&mut self, record: &dyn AnyRecord, played: usize) -> Result<Judged, AskError> {
        let answer = match self.tables.answer(fen(record, played), Metric::Dtw) {
            Ok(answer) if answer.value.is_some() => Some(answer),
            Ok(_) => None,
            Err(error) if error.is_missing() => None,
            Err(error) => return Err(error),
        };
        if let Some(answer) = answer {
            let Answer { value, dtw, dtw_status, .. } = answer;
            let source = Source::Tables;
            let verdict = Verdict { value, dtw, dtw_status, score: None, depth: None, source };
            return Ok(Judged { verdict, answer: Some(answer), line: BestLine::default() });
        }
        #[cfg(feature = "engine")]
        if let Some(adviser) = &mut self.engine {
            return adviser.judge(record, played);
        }
        Ok(Judged { verdict: Verdict::UNKNOWN, answer: None, line: BestLine::default() })
    }

    /// The best line of the position after the first `played` moves of a game.
    fn best_line(
        &self,
        before: &Judged,
        record: &dyn AnyRecord,
        played: usize,
    ) -> Result<BestLine, AskError> {
        let Some(answer) = &before.answer else {
            let BestLine { mut coordinates, mut names } = before.line.clone();
            coordinates.truncate(VARIATION);
            names.truncate(VARIATION);
            return Ok(BestLine { coordinates, names });
        };
        let line = match self.tables.line(fen(record, played)) {
            Ok(answer) => answer.line.unwrap_or_default(),
            Err(error) if error.is_missing() => Vec::new(),
            Err(error) => return Err(error),
        };
        let (coordinates, names) = if line.is_empty() {
            // Draws have no line, nor does anything without distances: use a move that keeps the result, if one
            // is known.
            let best = answer.moves.iter().find(|mv| mv.value == answer.value);
            best.iter().map(|mv| (mv.coordinates.clone(), mv.name.clone())).unzip()
        } else {
            line.into_iter().take(VARIATION).map(|ply| (ply.coordinates, ply.name)).unzip()
        };
        Ok(BestLine { coordinates, names })
    }
}

#[cfg(feature = "engine")]
impl Adviser<'_> {
    /// The engine's verdict on the position after the first `played` moves of a game.
    fn judge(&mut self, record: &dyn AnyRecord, played: usize) -> Result<Judged, AskError> {
        // With the moves so far, for the rules of draws.
        let moves = &record.plies()[..played];
        let moves: Vec<&str> = moves.iter().map(|ply| &ply.coordinates[..]).collect();
        self.engine.set_position(record.start(), &moves)?;
        let report = self.engine.search(&self.request, self.control, &mut |_| ());
        let SearchReport { score, value, dtw, dtw_status, depth, pv, pv_coordinates, .. } = report;
        let (score, depth) = (Some(score.hundredths()), Some(depth));
        let verdict = Verdict { value, dtw, dtw_status, score, depth, source: Source::Engine };
        Ok(Judged {
            verdict,
            answer: None,
            line: BestLine { coordinates: pv_coordinates, names: pv },
        })
    }
}

/// The position after the first `played` moves of a game.
fn fen(record: &dyn AnyRecord, played: usize) -> &str {
    match played.checked_sub(1) {
        None => record.start(),
        Some(last) => &record.plies()[last].fen,
    }
}

impl Verdict {
    /// The verdict on an unknown position.
    const UNKNOWN: Verdict = Verdict {
        value: None,
        dtw: None,
        dtw_status: DtwStatus::Unknown,
        score: None,
        depth: None,
        source: Source::None,
    };

    /// The verdict for the side that plays a move which leads to this one.
    fn before_move(self) -> Verdict {
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

/// The judgement of a move, if it deserves one.
fn judgement(before: &Judged, after: Verdict, ply: &RecordedPly, scale: f64) -> Option<Judgement> {
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

/// What a player gave up with this result in the last position of a game, in which `turn` is to
/// move.
fn given_up_in(last: &Judged, turn: Color, result: &str) -> Option<GivenUp> {
    let answer = last.answer.as_ref()?;
    // Where the game is over, a different result is an error of the record.
    if answer.moves.is_empty() {
        return None;
    }
    let value = match turn {
        Color::White => answer.value?,
        Color::Black => answer.value?.before_move(),
    };
    let got = match result {
        "1-0" => Wdl::Win,
        "1/2-1/2" => Wdl::Draw,
        "0-1" => Wdl::Loss,
        _ => return None,
    };
    let (side, value, got) = match got.cmp(&value) {
        Ordering::Less => ("white", value, got),
        Ordering::Greater => ("black", value.before_move(), got.before_move()),
        Ordering::Equal => return None,
    };
    Some(GivenUp { side, value, dtw: answer.dtw.filter(|_| value == Wdl::Win), got })
}

/// Whether one move keeps the result, and all others are known not to.
fn is_only_move(answer: &Answer) -> bool {
    let keeps = answer.moves.iter().filter(|mv| mv.value == answer.value).count();
    let known = answer.moves.iter().all(|mv| mv.value.is_some());
    known && keeps == 1 && answer.moves.len() > 1
}

/// The note on a move: what is added to it, and what that replaces.
fn note(
    number: usize,
    ply: &RecordedPly,
    before: Verdict,
    after: Verdict,
    judgement: Option<Judgement>,
    best: &[String],
) -> Note {
    // A result without a distance is written once.
    let is_told = number > 0
        && judgement.is_none()
        && [before, after].iter().all(|verdict| verdict.source == Source::Tables)
        && after.dtw.is_none()
        && after.value == before.value;
    let comment = if is_told { None } else { comment(before, after, judgement) };
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
        // A program that played the game writes the same scores.
        if earlier.is_score && earlier.judgement.is_none() && after.source != Source::Engine {
            continue;
        }
        note.replaces.push(comment.clone());
        note.replaced_nags.extend(earlier.judgement.and_then(Judgement::nag));
    }
    note
}

/// A comment of [`comment`] in a record that was annotated before.
struct Earlier {
    /// Whether it contains an engine's score and not a result.
    is_score: bool,
    judgement: Option<Judgement>,
}

impl Earlier {
    /// A comment; `None` if a person may have written it, as a single word.
    fn parse(comment: &str) -> Option<Earlier> {
        let (value, said) = match comment.split_once(", ") {
            Some((value, said)) => (value, Some(said)),
            None => (comment, None),
        };
        let judgement = match said {
            Some(said) => Some(Judgement::parse(said)?),
            None => None,
        };
        let is_score = value.starts_with(['+', '-'])
            && value.split_once('/').is_some_and(|(score, depth)| {
                score.parse::<f64>().is_ok() && depth.parse::<u16>().is_ok()
            });
        let is_result = [Wdl::Win, Wdl::Draw, Wdl::Loss].iter().any(|wdl| {
            value.strip_prefix(wdl.word()).is_some_and(|rest| match rest {
                "" => judgement.is_some(),
                rest => is_distance(rest),
            })
        });
        (is_score || is_result).then_some(Earlier { is_score, judgement })
    }
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
    fn said(self, before: Verdict) -> String {
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
    fn parse(said: &str) -> Option<Judgement> {
        Some(match said {
            "only move" => Judgement::OnlyMove,
            "inaccuracy" => Judgement::Inaccuracy,
            "mistake" => Judgement::Mistake,
            "blunder" => Judgement::Blunder,
            "throws away a draw" => Judgement::ThrewAwayDraw,
            said => {
                let rest = said.strip_prefix("throws away a win")?;
                (rest.is_empty() || is_distance(rest)).then_some(Judgement::ThrewAwayWin)?
            }
        })
    }
}

impl GivenUp {
    /// The comment at the end of the game.
    fn comment(self) -> String {
        let side = if self.side == "white" { "White" } else { "Black" };
        let distance = self.dtw.map(distance).unwrap_or_default();
        format!("{side} gives up a {}{distance}", self.value.word())
    }
}

/// Whether a comment is one of [`GivenUp::comment`].
fn is_of_giving_up(comment: &str) -> bool {
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
    let said = judgement.map(|judgement| judgement.said(before));
    let parts: Vec<String> = value.into_iter().chain(said).collect();
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

/// The summary of the moves of one side.
fn summary(player: String, color: &str, plies: &[AnnotatedPly]) -> PlayerSummary {
    let mut summary = PlayerSummary { player, games: 1, ..PlayerSummary::default() };
    for ply in plies.iter().filter(|ply| ply.turn.eq_ignore_ascii_case(color)) {
        let tables = [ply.before, ply.after].iter().all(|verdict| verdict.source == Source::Tables);
        summary.moves += 1;
        summary.in_tables += u64::from(tables);
        match ply.judgement {
            None => {}
            Some(Judgement::OnlyMove) => summary.only_moves += 1,
            Some(Judgement::Inaccuracy) => summary.inaccuracies += 1,
            Some(Judgement::Mistake) => summary.mistakes += 1,
            Some(Judgement::Blunder) => summary.blunders += 1,
            Some(Judgement::ThrewAwayWin) => summary.threw_away_wins += 1,
            Some(Judgement::ThrewAwayDraw) => summary.threw_away_draws += 1,
        }
    }
    summary
}
