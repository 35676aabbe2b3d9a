//! Many positions in one request: one per line, answered on one line each.

use super::metric;
use crate::errors::ApiError;
use crate::game_request::GameRequest;
use crate::pool::Permit;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use damka::json::Object;
use damka::{AnyTables, Metric};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The number of positions that are answered before other requests get their turn.
const PART: usize = 64;

/// The position of a line that is an object.
#[derive(Deserialize)]
struct Line {
    fen: String,
}

/// The object of a position, with or without moves.
#[derive(Serialize)]
struct Answered<T> {
    /// The number of the line, from 1.
    line: usize,
    #[serde(flatten)]
    answer: T,
}

/// The object of a line without an answer.
#[derive(Serialize)]
struct Failed<'a> {
    line: usize,
    error: Reason<'a>,
}

#[derive(Serialize)]
struct Reason<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

/// The requested parts of each answer.
#[derive(Clone, Copy)]
struct Question {
    metric: Metric,
    moves: bool,
}

pub(super) async fn batch(request: GameRequest, body: Request) -> Result<Response, ApiError> {
    let mut params = request.params();
    let question =
        Question { metric: metric(&mut params)?, moves: params.flag("moves")?.unwrap_or(false) };
    params.finish()?;
    let limits = &request.app.limits;
    let bytes = request.app.uploads.receive(body, limits.body_bytes, limits).await?;
    let place = request.app.scans.enter()?;
    // A line that is not UTF-8 is reported like any line that is not a position; the others are
    // answered.
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<(usize, String)> = (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.trim().to_owned()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let most = limits.batch;
    if lines.len() > most {
        let message = format!("{} positions: at most {most} are possible", lines.len());
        return Err(ApiError::too_large(message));
    }
    if lines.is_empty() {
        return Err(ApiError::bad("bad_body", "the body has no positions"));
    }
    if lines[0].1.starts_with('[') {
        let message =
            "the body is a JSON array: expected a position on each line, as a FEN or a JSON string";
        return Err(ApiError::bad("bad_body", message));
    }
    let (parts, received) = channel(1);
    tokio::spawn(answer_all(place, request.tables(), lines, question, parts));
    let mut response = Response::new(Body::new(Streamed(received)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Answers the lines in parts, so that other batches get their turns. Ends early if the client is gone.
async fn answer_all(
    place: Permit,
    tables: Arc<dyn AnyTables>,
    lines: Vec<(usize, String)>,
    question: Question,
    parts: Sender<Bytes>,
) {
    let mut lines = lines.into_iter();
    loop {
        let part: Vec<_> = lines.by_ref().take(PART).collect();
        if part.is_empty() {
            return;
        }
        let tables = Arc::clone(&tables);
        let numbers: Vec<usize> = part.iter().map(|&(number, _)| number).collect();
        let answered = place.run(move || {
            let mut bytes = Vec::new();
            for (number, line) in &part {
                answer_line(&*tables, *number, line, question, &mut bytes);
            }
            bytes
        });
        let bytes = answered.await.unwrap_or_else(|error| {
            let mut bytes = Vec::new();
            for line in numbers {
                fail(line, &error, &mut bytes);
            }
            bytes
        });
        if parts.send(bytes.into()).await.is_err() {
            return;
        }
    }
}

/// Appends the answer to a line.
fn answer_line(
    tables: &dyn AnyTables,
    line: usize,
    text: &str,
    question: Question,
    bytes: &mut Vec<u8>,
) {
    let answered = fen(text).and_then(|fen| {
        let Question { metric, moves } = question;
        match moves {
            true => write(&Answered { line, answer: tables.answer(&fen, metric)? }, bytes),
            false => write(&Answered { line, answer: tables.value(&fen, metric)? }, bytes),
        }
        Ok(())
    });
    if let Err(error) = answered {
        fail(line, &error, bytes);
    }
}

/// The FEN of a line.
fn fen(line: &str) -> Result<String, ApiError> {
    let read = match line.as_bytes().first() {
        Some(b'{') => serde_json::from_str(line).map(|Line { fen }| fen),
        Some(b'"') => serde_json::from_str(line),
        _ => return Ok(line.replace('_', " ")),
    };
    read.map_err(|error| {
        let text = error.to_string();
        // The parser sees only this line: its line number is always 1, so only the column is used.
        let (problem, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
        let column = error.column();
        let expected = "a line is a FEN, a string or an object with the key `fen`";
        ApiError::bad("bad_line", format!("{problem} (at column {column}): {expected}"))
    })
}

fn fail(line: usize, error: &ApiError, bytes: &mut Vec<u8>) {
    let &ApiError { code, ref message, at, .. } = error;
    write(&Failed { line, error: Reason { code, message, at } }, bytes);
}

fn write(object: &impl Serialize, bytes: &mut Vec<u8>) {
    // Objects of strings and numbers can always be written to memory.
    let _ = serde_json::to_writer(&mut *bytes, &Object::new(object));
    bytes.push(b'\n');
}

/// A body that is sent in parts.
struct Streamed(Receiver<Bytes>);

impl hyper::body::Body for Streamed {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, Infallible>>> {
        let part = self.0.poll_recv(context);
        part.map(|part| part.map(|bytes| Ok(hyper::body::Frame::data(bytes))))
    }
}
