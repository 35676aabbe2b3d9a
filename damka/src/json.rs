//! What every object of `--json` has in common. `docs/JSON.md` describes the objects.

use crate::{Answer, ListedPosition};
use serde::Serialize;

/// The version of the objects. It grows when a key changes its meaning or goes away, not when a
/// key is added.
pub const SCHEMA: u32 = 1;

/// An object as it is printed: the key `schema`, then the keys of `T`.
#[derive(Clone, Debug, Serialize)]
pub struct Object<T> {
    schema: u32,
    #[serde(flatten)]
    object: T,
}

impl<T: Serialize> Object<T> {
    /// The object with these keys.
    pub fn new(object: T) -> Object<T> {
        Object { schema: SCHEMA, object }
    }
}

/// The line of an object, its schema first.
fn line(object: impl Serialize) -> String {
    // Strings, numbers and lists of them can always be written.
    serde_json::to_string(&Object::new(object)).unwrap_or_default()
}

impl Answer {
    /// The object that `damka probe --json` prints, in one line.
    pub fn json(&self) -> String {
        line(self)
    }
}

impl ListedPosition {
    /// The object that `damka list --json` prints, in one line.
    pub fn json(&self) -> String {
        line(self)
    }
}

#[cfg(feature = "engine")]
impl crate::SearchReport {
    /// The object that `damka search --json` prints, in one line.
    pub fn json(&self) -> String {
        line(self)
    }
}

#[cfg(feature = "records")]
impl crate::AnnotatedGame {
    /// The object that `damka annotate --json` prints for a game, in one line.
    pub fn json(&self) -> String {
        line(self)
    }
}
