//! Objects of `--json`, one per line.

use damka::json::Object;
use serde::Serialize;

/// An object as a line, its schema first.
pub(crate) fn object(keys: impl Serialize) -> String {
    serde_json::to_string(&Object::new(keys)).unwrap_or_default()
}
