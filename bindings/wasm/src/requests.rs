//! Requests about open tables, and their answers as JSON. `docs/JSON.md` describes the objects.

use crate::parts::PartId;
use damka::games::PositionError;
use damka::json::Object;
use damka::{
    Answer, AnyAnswers, AskError, Color, Cursor, Filter, GameInfo, ListQuery, ListedPosition,
    Metric, ProbeError, SideHistogram, SideStats, SquareValue, Wdl,
};
use serde::Serialize;
use std::ops::ControlFlow::{Break, Continue};

/// The number of steps of a list before other requests get their turn.
const STEPS: u32 = 8;

/// The fields of a request: texts, separated by zero bytes.
pub(crate) struct Fields<'a>(std::str::Split<'a, char>);

/// Why a request has no result.
pub(crate) enum Failure {
    /// Parts of files are needed. A list may already have found some of its positions.
    Pending { found: Option<String> },
    /// The request fails.
    Error(Box<Error>),
}

/// The object of an error.
#[derive(Serialize)]
pub(crate) struct Error {
    /// The cause: `bad`, `missing`, `beyond`, `damaged` or `failed`.
    kind: &'static str,
    code: &'static str,
    message: String,
    /// The place of the error in the text, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    /// The known part of the answer: the position, its legal moves and the missing table.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Object<Answer>>,
}

/// The value of a position for each square of one piece.
#[derive(Serialize)]
struct Map {
    game: &'static str,
    fen: String,
    square: String,
    white: Vec<SquareValue>,
    black: Vec<SquareValue>,
}

/// A page of a list.
#[derive(Serialize)]
struct Page<'a> {
    game: &'static str,
    signature: &'a str,
    positions: Vec<ListedPosition>,
    /// The cursor of the next page; null at the end.
    next: Option<String>,
}

/// The counts of a signature.
#[derive(Serialize)]
struct Stats {
    game: &'static str,
    stats: [SideStats; 2],
}

/// The number of positions for each value.
#[derive(Serialize)]
struct Histograms {
    game: &'static str,
    signature: String,
    histograms: [SideHistogram; 2],
}

impl<'a> Fields<'a> {
    pub(crate) fn new(request: &'a str) -> Fields<'a> {
        Fields(request.split('\0'))
    }

    /// The next field; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Failure> {
        self.next().ok_or(Failure::request("a parameter is missing"))
    }

    pub(crate) fn number<T: std::str::FromStr>(&mut self) -> Result<T, Failure> {
        self.text()?.parse().map_err(|_| Failure::request("expected a number"))
    }

    /// A number, or an empty field.
    pub(crate) fn optional<T: std::str::FromStr>(&mut self) -> Result<Option<T>, Failure> {
        self.parsed("expected a number")
    }

    /// A field that may be empty.
    fn parsed<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<Option<T>, Failure> {
        let text = self.text()?;
        match text.is_empty() {
            true => Ok(None),
            false => text.parse().map(Some).map_err(|_| Failure::request(what)),
        }
    }

    /// One of several words, or `None` for an empty field.
    fn word<T: Copy>(
        &mut self,
        words: &[(&str, T)],
        what: &'static str,
    ) -> Result<Option<T>, Failure> {
        let text = self.text()?;
        let known = words.iter().find(|(word, _)| *word == text).map(|&(_, meant)| meant);
        if known.is_none() && !text.is_empty() {
            return Err(Failure::request(what));
        }
        Ok(known)
    }

    fn metric(&mut self) -> Result<Metric, Failure> {
        let words = [("dtw", Metric::Dtw), ("wdl", Metric::Wdl)];
        Ok(self.word(&words, "metric: expected `wdl` or `dtw`")?.unwrap_or(Metric::Dtw))
    }

    fn flag(&mut self) -> Result<bool, Failure> {
        Ok(self.word(&[("1", true)], "a flag is `1` or empty")?.unwrap_or(false))
    }

    /// The query of a list.
    fn query(&mut self) -> Result<ListQuery, Failure> {
        let values = [("win", Wdl::Win), ("draw", Wdl::Draw), ("loss", Wdl::Loss)];
        let turns = [("white", Color::White), ("black", Color::Black)];
        Ok(ListQuery {
            signature: self.text()?.to_owned(),
            metric: self.metric()?,
            filter: Filter {
                wdl: self.word(&values, "value: expected `win`, `draw` or `loss`")?,
                plies: self.parsed("distance: expected a number of plies")?,
                only_move: self.flag()?,
                zugzwang: self.flag()?,
            },
            turn: self.word(&turns, "turn: expected `white` or `black`")?,
            copies: false,
        })
    }

    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        match self.next() {
            // The rest can only come from a text with a zero byte in it.
            Some(_) => Err(Failure::request("a parameter has a zero byte")),
            None => Ok(()),
        }
    }
}

impl Failure {
    pub(crate) fn error(kind: &'static str, code: &'static str, message: String) -> Failure {
        Failure::Error(Box::new(Error { kind, code, message, at: None, answer: None }))
    }

    /// The request itself is wrong.
    pub(crate) fn request(message: &str) -> Failure {
        Failure::error("bad", "bad_parameter", message.to_owned())
    }

    /// Like `from`; if tables are missing, with the known part of the answer.
    fn explained(tables: &dyn AnyAnswers, fen: &str, error: AskError) -> Failure {
        let known = tables.known_part(fen, &error);
        let mut failure = Failure::from(error);
        if let (Failure::Error(error), Some(answer)) = (&mut failure, known) {
            error.answer = Some(Object::new(answer));
        }
        failure
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Failure {
        if error.is_pending() {
            return Failure::Pending { found: None };
        }
        let message = error.to_string();
        let (kind, code) = match &error {
            AskError::Fen { error: PositionError::Text(text), .. } => {
                let mut failure = Failure::error("bad", "bad_fen", message);
                if let Failure::Error(error) = &mut failure {
                    error.at = Some(text.at);
                }
                return failure;
            }
            AskError::Fen { .. } => ("bad", "bad_fen"),
            AskError::Signature(_) => ("bad", "bad_signature"),
            AskError::NoPiece { .. } => ("bad", "no_piece"),
            AskError::Place(_) => ("bad", "bad_cursor"),
            AskError::NoDistance => ("bad", "bad_parameter"),
            AskError::Probe(ProbeError::Missing { .. }) => ("missing", "missing_table"),
            AskError::Probe(ProbeError::TooManyCaptures) => ("beyond", "too_many_captures"),
            AskError::Probe(ProbeError::Memory(_)) => ("failed", "no_memory"),
            AskError::Probe(error) if error.is_missing() => ("beyond", "beyond_tables"),
            AskError::Probe(_) => ("damaged", "damaged_table"),
            _ => ("bad", "bad_position"),
        };
        Failure::error(kind, code, message)
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        AskError::from(error).into()
    }
}

/// The JSON of an object.
pub(crate) fn json(object: &impl Serialize) -> String {
    // Strings, numbers and lists of them can always be written.
    serde_json::to_string(object).unwrap_or_default()
}

/// The reply that requests parts. A list continues after the positions `found`.
pub(crate) fn needed(parts: &[PartId], found: Option<String>) -> String {
    let names: Vec<String> = parts.iter().map(PartId::to_string).collect();
    let names = json(&names);
    match found {
        Some(found) => format!("{{\"needed\":{names},\"found\":{found}}}"),
        None => format!("{{\"needed\":{names}}}"),
    }
}

/// All games: boards, pieces and starts.
pub(crate) fn games() -> String {
    json(&damka::AnyGame::all().map(GameInfo::of).collect::<Vec<_>>())
}

/// The result of a request.
pub(crate) fn answer(
    tables: &dyn AnyAnswers,
    operation: &str,
    fields: &mut Fields<'_>,
) -> Result<String, Failure> {
    let game = tables.game();
    match operation {
        "answer" => {
            let (fen, metric) = (fields.text()?, fields.metric()?);
            fields.finish()?;
            let answer = tables.answer(fen, metric);
            Ok(answer.map_err(|error| Failure::explained(tables, fen, error))?.json())
        }
        "value" => {
            let (fen, metric) = (fields.text()?, fields.metric()?);
            fields.finish()?;
            let value = tables.value(fen, metric);
            let value = value.map_err(|error| Failure::explained(tables, fen, error))?;
            Ok(json(&Object::new(value)))
        }
        "line" => {
            let fen = fields.text()?;
            fields.finish()?;
            let answer = tables.line(fen);
            Ok(answer.map_err(|error| Failure::explained(tables, fen, error))?.json())
        }
        "moves" => {
            let fen = fields.text()?;
            fields.finish()?;
            Ok(tables.legal_moves(fen)?.json())
        }
        "map" => {
            let (fen, square, metric) = (fields.text()?, fields.text()?, fields.metric()?);
            fields.finish()?;
            let map = |turn| tables.square_map(fen, square, Some(turn), metric);
            let (white, black) = (map(Color::White), map(Color::Black));
            let explained = |error| Failure::explained(tables, fen, error);
            let whole = white.and_then(|white| Ok((white, black?)));
            let (white, black) = whole.map_err(explained)?;
            if white.iter().chain(&black).all(|place| place.value.is_none()) {
                // Probing the position itself gives the error, such as a missing table.
                tables.value(fen, metric).map_err(explained)?;
            }
            let (fen, square) = (tables.legal_moves(fen)?.fen, square.to_owned());
            Ok(json(&Object::new(Map { game, fen, square, white, black })))
        }
        "list" => {
            let query = fields.query()?;
            let from = fields.parsed("cursor: expected the `next` of a page")?;
            let limit = fields.number()?;
            fields.finish()?;
            list(tables, &query, from, limit)
        }
        "random" => {
            let query = fields.query()?;
            let seed = fields.number()?;
            fields.finish()?;
            let found = tables.random(&query, seed, None)?;
            let none = || {
                let message = "no such position was found".to_owned();
                Failure::error("missing", "no_such_position", message)
            };
            Ok(found.ok_or_else(none)?.json())
        }
        "stats" => {
            let signature = fields.text()?;
            fields.finish()?;
            let stats = tables.stats(signature)?;
            Ok(json(&Object::new(Stats { game, stats })))
        }
        "histogram" => {
            let signature = fields.text()?;
            fields.finish()?;
            let histograms = tables.stored_histogram(signature)?;
            let none = || {
                let message = format!("the table of {signature} holds no histogram");
                Failure::error("missing", "no_histogram", message)
            };
            let histograms = histograms.ok_or_else(none)?;
            let signature = histograms[0].signature.clone();
            Ok(json(&Object::new(Histograms { game, signature, histograms })))
        }
        "signatures" => {
            fields.finish()?;
            Ok(json(&tables.signatures()?))
        }
        "signature" => {
            let fen = fields.text()?;
            fields.finish()?;
            Ok(json(&tables.signature_of(fen)?))
        }
        _ => Err(Failure::request("unknown operation")),
    }
}

/// A page of a list, or the part of it found in a few steps.
fn list(
    tables: &dyn AnyAnswers,
    query: &ListQuery,
    from: Option<Cursor>,
    limit: usize,
) -> Result<String, Failure> {
    let mut listing = tables.listing(query)?;
    if let Some(cursor) = from {
        listing.resume(cursor).map_err(AskError::from)?;
    }
    let (mut positions, mut pending) = (Vec::new(), false);
    for _ in 0..STEPS {
        if positions.len() >= limit {
            break;
        }
        let before = positions.len();
        let advanced = listing.advance(&mut |listed| {
            positions.push(ListedPosition::of(listed, query.metric));
            if positions.len() == limit { Break(()) } else { Continue(()) }
        });
        match advanced {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if error.is_pending() => {
                // The step will be repeated.
                positions.truncate(before);
                pending = true;
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    let next = listing.cursor().map(|cursor| cursor.to_string());
    let signature = listing.signature();
    let page = Page { game: tables.game(), signature: &signature, positions, next };
    let page = json(&Object::new(page));
    if pending { Err(Failure::Pending { found: Some(page) }) } else { Ok(page) }
}
