//! Recorded games judged move by move: by tables where they know the result, otherwise by an
//! engine.

mod comment;
mod game;
mod judgement;

pub use game::{AnnotatedGame, AnnotatedGames, AnnotatedPly, GivenUp, PlayerSummary, UnreadGame};
pub use judgement::{Judgement, Source, Verdict};

use crate::recorded::AnyRecord;
use crate::{Answer, AnyTables, AskError};
#[cfg(feature = "engine")]
use crate::{AnyEngine, SearchReport, SearchRequest};
use comment::{is_of_giving_up, note};
#[cfg(feature = "engine")]
use damka_engine::Control;
use damka_games::Color;
use damka_tables::Wdl;
use damka_tables::metric::Metric;
use judgement::{CHESS_SCALE, SCALE, judgement};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// The maximum number of plies of a variation.
const VARIATION: usize = 16;

/// Judges recorded games.
pub struct Annotator<'a> {
    tables: &'a dyn AnyTables,
    #[cfg(feature = "engine")]
    engine: Option<Adviser<'a>>,
}

/// An engine that judges positions that the tables do not have.
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
    /// An annotator that uses tables only: positions that they do not have remain unknown.
    pub fn new(tables: &'a dyn AnyTables) -> Annotator<'a> {
        Annotator {
            tables,
            #[cfg(feature = "engine")]
            engine: None,
        }
    }

    /// Adds an engine of the same game, which judges each position that the tables do not have.
    /// `control` may stop its searches.
    #[cfg(feature = "engine")]
    pub fn with_engine(
        self,
        engine: &'a mut dyn AnyEngine,
        request: SearchRequest,
        control: &'a Control,
    ) -> Annotator<'a> {
        Annotator { engine: Some(Adviser { engine, request, control }), ..self }
    }

    /// Judges every move of a game. Calls `progress` after each position; `None` if it returns
    /// `Break`.
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
                let mut summary = PlayerSummary::of(player(color), color, &annotated);
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
            // There is no line for a draw, nor without distances: use a move that keeps the result,
            // if one is known.
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
        // The moves so far matter for the draw rules.
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
