//! What every object of `--json` has in common. `docs/JSON.md` describes the objects.

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
