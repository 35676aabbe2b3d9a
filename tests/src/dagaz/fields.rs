//! The fields of a request's body: JSON, or a form, in which everything is text.

use super::http::{Reply, Request};
use serde_json::{Map, Value, json};

/// The fields of a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// Reads the fields of a request.
    ///
    /// # Errors
    /// The answer to a body that is not JSON.
    pub(super) fn of(request: &Request) -> Result<Fields, Reply> {
        if request.is_too_long() {
            return Err(internal_error());
        }
        let text = String::from_utf8_lossy(&request.body);
        let is_form = request.header("content-type").is_some_and(|kind| kind.contains("form"));
        if is_form {
            let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
            let pairs = pairs.map(|(name, value)| (decoded(name), decoded(value).into()));
            return Ok(Fields(pairs.collect()));
        }
        if text.is_empty() {
            return Ok(Fields::default());
        }
        match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => Ok(Fields(fields)),
            Ok(_) => Ok(Fields::default()),
            Err(error) => Err(Reply::Json(
                400,
                json!({"statusCode": 400, "error": "Bad Request", "message": error.to_string()}),
            )),
        }
    }

    pub(super) fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A field that is a string.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).as_str()
    }

    /// Whether a field is present and neither null, false, 0 nor an empty string.
    pub(super) fn is_set(&self, name: &str) -> bool {
        !matches!(self.get(name), Value::Null | Value::Bool(false))
            && self.get(name) != &json!(0)
            && self.text(name) != Some("")
    }

    /// A field that is a number, or a string with a number; `None` if it is missing.
    ///
    /// # Errors
    /// The answer to another value.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>, Reply> {
        match self.get(name) {
            Value::Null => Ok(None),
            Value::Number(number) => number.as_i64().map(Some).ok_or_else(query_failed),
            Value::String(text) => text.parse().map(Some).map_err(|_| query_failed()),
            _ => Err(query_failed()),
        }
    }

    /// These fields and more, as an answer: most answers repeat the fields of the request.
    pub(super) fn with(mut self, more: Value) -> Value {
        if let Value::Object(more) = more {
            self.0.extend(more);
        }
        Value::Object(self.0)
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }
}

/// Reads a part of a path as a number.
///
/// # Errors
/// The answer to another text.
pub(super) fn number(text: &str) -> Result<i64, Reply> {
    text.parse().map_err(|_| query_failed())
}

/// The answer to a failed database query.
pub(super) fn query_failed() -> Reply {
    let error = "QueryFailedError: invalid input syntax";
    Reply::Json(500, json!({"error": error, "stack": format!("{error}\n    at mock")}))
}

pub(super) fn internal_error() -> Reply {
    Reply::Json(500, json!({"statusCode": 500, "message": "Internal server error"}))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next(), rest.next()].map(|digit| digit.unwrap_or(b'0'));
                let digits = std::str::from_utf8(&digits).unwrap_or("0");
                u8::from_str_radix(digits, 16).unwrap_or(b'?')
            }
            byte => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
