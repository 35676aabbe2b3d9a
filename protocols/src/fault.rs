use thiserror::Error;

/// What another program that plays does wrong. The texts go on behind a name: "the engine
/// has ended".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is no such program, or it cannot be reached.
    #[error("cannot be started: {0}")]
    NotStarted(String),
    /// It plays other games.
    #[error("does not play {0}")]
    OtherGame(String),
    /// It does not want to play.
    #[error("does not want to play: {0}")]
    Refused(String),
    /// It has ended, or has closed the connection.
    #[error("has ended")]
    Gone,
    /// It has not answered in time.
    #[error("does not answer")]
    Silent,
    /// It does not read what it is told.
    #[error("does not listen")]
    Deaf,
    /// It does not accept what it was told.
    #[error("complains: {0}")]
    Complaint(String),
    /// Its answer is none.
    #[error("is not understood: {0}")]
    Senseless(String),
    /// Its move is against the rules.
    #[error("plays an illegal move: {0}")]
    IllegalMove(String),
    /// It ends a game that is not over.
    #[error("ends a game that is not over")]
    EndedGame,
    /// Nobody waits for its answer any more.
    #[error("was told to stop")]
    Stopped,
}
