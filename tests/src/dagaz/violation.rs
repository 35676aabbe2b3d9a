//! Violations of players that the server accepts.

/// A violation by a player that the server accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The kind of violation.
    pub breach: Breach,
    /// The session.
    pub session: i64,
    /// Details, and the last requests.
    pub detail: String,
}

/// The kinds of violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// An illegal move.
    IllegalMove,
    /// A move while the opponent is to move.
    OutOfTurn,
    /// A move after the end of the game.
    AfterTheEnd,
    /// A legal move with a wrong position or next player.
    WrongPosition,
    /// A move without a number, which the server could store twice.
    NoTurnNumber,
    /// A move was taken back that the opponent was to answer, or a move of the opponent.
    TakenBack,
    /// A result that does not follow from the position.
    FalseResult,
    /// A session was recovered that no list had shown: its last move may never reach the opponent.
    Unasked,
    /// A password or a token where it does not belong.
    Secret,
}
