//! What players must not do, though the server takes it.

/// Something that a player must not do, though the server takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What it is.
    pub breach: Breach,
    /// Where.
    pub session: i64,
    /// The rest, and the last requests.
    pub detail: String,
}

/// What a player must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// A move that the rules do not allow.
    IllegalMove,
    /// A move when it is the other's turn.
    OutOfTurn,
    /// A move after the game has been played out.
    AfterTheEnd,
    /// A legal move with a position, or a next player, to which it does not lead.
    WrongPosition,
    /// A move that does not say which one it is: by that the server would take it twice.
    NoTurnNumber,
    /// A move was taken back that the opponent was asked to answer, or one of his.
    TakenBack,
    /// A result that the position does not give.
    FalseResult,
    /// A session was recovered that no list had shown: its last move may never be seen.
    Unasked,
    /// A password or a token where it does not belong.
    Secret,
}
