/// The result of a call. All except DAMKA_OK and DAMKA_NOT_DECODED are errors; damka_error() has the
/// text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaStatus {
    /// The call has succeeded.
    DAMKA_OK = 0,
    /// An argument is NULL, out of range, not text, not a position of the game, or too small a buffer.
    DAMKA_BAD_ARGUMENT = 1,
    /// A needed table is not in the directory, or cannot exist: there are more pieces than tables have,
    /// or in chess a side has castling rights.
    DAMKA_MISSING = 2,
    /// A needed table is damaged, or was made by another version.
    DAMKA_DAMAGED = 3,
    /// A table could not be read, or there is not enough memory.
    DAMKA_SYSTEM = 4,
    /// A bug in damka.
    DAMKA_BUG = 5,
    /// Captures lead to more positions than the limit, which needs many more pieces than tables have.
    DAMKA_TOO_MANY_CAPTURES = 6,
    /// The value does not follow from blocks in memory. Only damka_probe_cached() returns it; it is not
    /// an error.
    DAMKA_NOT_DECODED = 7,
}
