//! Errors in the form for clients.

use crate::reply;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use damka::games::PositionError;
use damka::json::Object;
use damka::{Answer, AskError, ProbeError, SearchReport};
use serde::Serialize;

/// The error code for a table that the system cannot read, so that its contents are unknown.
pub(crate) const UNREADABLE_TABLE: &str = "unreadable_table";

/// Why the server failed to give an answer that it should have given. Stored as an extension of the
/// response.
#[derive(Clone, Debug)]
pub(crate) struct Fault(pub(crate) String);

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// The place of the error in a text of the request, in characters from 1.
    pub(crate) at: Option<usize>,
    /// The known part of the answer: the position, its legal moves and the missing tables.
    pub(crate) answer: Option<Box<Answer>>,
    /// The engine's result for the position.
    pub(crate) engine: Option<Box<SearchReport>>,
    /// The time after which to try again, in seconds.
    pub(crate) retry_after: Option<u32>,
}

/// The object of an error.
#[derive(Serialize)]
struct Body<'a> {
    error: Fields<'a>,
    #[serde(flatten)]
    answer: Option<&'a Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a SearchReport>,
}

#[derive(Serialize)]
struct Fields<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        let message = message.into();
        ApiError { status, code, message, at: None, answer: None, engine: None, retry_after: None }
    }

    /// The request is wrong.
    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// There is nothing with this name.
    pub(crate) fn not_found(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, code, message)
    }

    /// The resource does not support the method.
    pub(crate) fn method() -> ApiError {
        let message =
            "the path does not support this method; the header Allow lists those that it does";
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
    }

    /// The request or its result is too large.
    pub(crate) fn too_large(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// The client did not send its request in time.
    pub(crate) fn too_slow() -> ApiError {
        ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            "the request body did not arrive in time",
        )
    }

    /// The client sends too many requests.
    pub(crate) fn too_many(seconds: u32) -> ApiError {
        let message = "too many requests from this address";
        let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message);
        ApiError { retry_after: Some(seconds), ..error }
    }

    /// The server is busy.
    pub(crate) fn busy() -> ApiError {
        let message = "the server is busy";
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message);
        ApiError { retry_after: Some(1), ..error }
    }

    /// The system gives the server no more memory.
    fn no_memory() -> ApiError {
        let message = "the server does not have enough memory";
        ApiError { code: "no_memory", message: message.to_owned(), ..ApiError::busy() }
    }

    /// Whether the server is at fault that there is no answer.
    fn is_fault(&self) -> bool {
        self.status == StatusCode::INTERNAL_SERVER_ERROR || self.code == "no_memory"
    }

    /// An internal error.
    pub(crate) fn internal() -> ApiError {
        let message = "the server failed to answer";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// Adds the known part of the answer about a position whose tables are missing.
    pub(crate) fn with_answer(self, answer: Answer) -> ApiError {
        ApiError { answer: Some(Box::new(answer)), ..self }
    }
}

impl From<AskError> for ApiError {
    fn from(error: AskError) -> ApiError {
        let message = error.to_string();
        match error {
            AskError::Fen { error, .. } => {
                let at = match &error {
                    PositionError::Text(error) => Some(error.at),
                    PositionError::Setup(_) => None,
                };
                ApiError { at, ..ApiError::bad("bad_fen", message) }
            }
            AskError::Signature(_) => ApiError::bad("bad_signature", message),
            AskError::NoPiece { .. } => ApiError::bad("no_piece", message),
            AskError::Place(_) => ApiError::bad("bad_cursor", message),
            AskError::NoDistance => ApiError::bad("bad_parameter", message),
            AskError::Probe(error) => error.into(),
            _ => ApiError::bad("bad_position", message),
        }
    }
}

impl From<ProbeError> for ApiError {
    fn from(error: ProbeError) -> ApiError {
        let message = error.to_string();
        match error {
            ProbeError::Missing { .. } => ApiError::not_found("missing_table", message),
            error if error.is_missing() => {
                ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "beyond_tables", message)
            }
            ProbeError::TooManyCaptures => {
                ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "too_many_captures", message)
            }
            ProbeError::Memory(_) => ApiError::no_memory(),
            ProbeError::Io { .. } => {
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, UNREADABLE_TABLE, message)
            }
            _ => ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "damaged_table", message),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let is_fault = self.is_fault();
        let ApiError { status, code, message, at, answer, engine, retry_after } = self;
        let (answer, engine) = (answer.as_deref(), engine.as_deref());
        let body = Body { error: Fields { code, message: &message, at }, answer, engine };
        let mut response = reply::json(&Object::new(body)).into_response();
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if is_fault {
            response.extensions_mut().insert(Fault(message));
        }
        response
    }
}
