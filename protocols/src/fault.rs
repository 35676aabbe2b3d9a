use thiserror::Error;

/// A fault of another program that plays. The texts continue a sentence that begins with its name:
/// "the engine has ended".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The program does not exist, or cannot be reached.
    #[error("cannot be started: {0}")]
    NotStarted(String),
    /// It does not play this game.
    #[error("does not play {0}")]
    OtherGame(String),
    /// It lacks an option that was to be set.
    #[error("has no option `{0}`")]
    NoOption(String),
    /// It refuses the game.
    #[error("does not want to play: {0}")]
    Refused(String),
    /// It has ended, or has closed the connection.
    #[error("has ended")]
    Gone,
    /// It did not answer in time.
    #[error("does not answer")]
    Silent,
    /// It does not read its input.
    #[error("does not read its input")]
    Deaf,
    /// It has answered with an error message.
    #[error("reports an error: {0}")]
    Complaint(String),
    /// Its answer is not understood.
    #[error("is not understood: {0}")]
    Nonsense(String),
    /// Its move is illegal.
    #[error("plays an illegal move: {0}")]
    IllegalMove(String),
    /// It has ended a game that is not over.
    #[error("ends a game that is not over")]
    EndedGame,
    /// Waiting for it was stopped.
    #[error("was interrupted")]
    Stopped,
}
