/// How a call went. Everything but DAMKA_OK and DAMKA_NOT_DECODED is an error, whose text
/// damka_error() has.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaStatus {
    /// The answer is there.
    DAMKA_OK = 0,
    /// An argument is NULL, out of range, no text, no position of the game, or too small a buffer.
    DAMKA_BAD_ARGUMENT = 1,
    /// A table that is needed is not in the directory, or cannot be in any: there are more
    /// pieces than tables have, or in chess a side may castle.
    DAMKA_MISSING = 2,
    /// A table that is needed is damaged, or was made by another version.
    DAMKA_DAMAGED = 3,
    /// A table could not be read, or memory could not be had.
    DAMKA_SYSTEM = 4,
    /// A bug in damka.
    DAMKA_BUG = 5,
    /// Captures lead to more positions than are looked at, which needs many more pieces than
    /// tables have.
    DAMKA_TOO_MANY_CAPTURES = 6,
    /// The answer does not follow from blocks that are in memory. Only what damka_probe_cached()
    /// says; it is no error.
    DAMKA_NOT_DECODED = 7,
}
