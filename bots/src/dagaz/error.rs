use damka_engine::PlayerError;
use thiserror::Error;

/// Why a bot does not begin. Once it has begun, nothing that a server does ends it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BotError {
    /// That is no address of a server.
    #[error(
        "`{0}` is no address of a server: http://HOST or https://HOST is one, with :PORT behind it if need be"
    )]
    Url(String),
    /// The address has a user or a password in it, where everybody who lists processes sees it.
    #[error("the address of the server must not have a user or password in it")]
    Secret,
    /// There is no game to play.
    #[error("there is no game to play: name at least one of {0}")]
    NoGame(String),
    /// The site does not have this game, or calls it something else.
    #[error("{0} is not played on DagazServer: {1} are")]
    Game(&'static str, String),
    /// The server does not accept the login.
    #[error("{url} does not let `{user}` in: the user or the password is wrong")]
    Login {
        /// The server.
        url: String,
        /// Who wanted to log in.
        user: String,
    },
    /// The server cannot be asked, or is none.
    #[error("{url}: {error}")]
    Server {
        /// The server.
        url: String,
        /// What happened.
        error: CallError,
    },
    /// Another bot on this machine does the same.
    #[error(
        "another bot on this machine plays {game} as `{user}` there: end it first, as two would make each move twice"
    )]
    Another {
        /// The user.
        user: String,
        /// What both would play.
        game: &'static str,
    },
    /// What was to be done once is not done.
    #[error("{0} of the turns that were due could not be taken: the log says why")]
    Unfinished(usize),
    /// Nobody can play with these settings.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// Why a call had no answer that is one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CallError {
    /// The login, or the token it has given, is not accepted.
    #[error("the server does not accept the login")]
    Login,
    /// What was asked for does not fit the state of things, as a move whose turn is over.
    #[error("the server refuses this now")]
    Refused,
    /// What was asked for is not there.
    #[error("the server knows nothing of this")]
    NotFound,
    /// The server failed.
    #[error("the server failed, with status {0}")]
    Fault(u16),
    /// The answer is none that is known: a page, something cut off, another server.
    #[error("the answer is not one of a DagazServer: {0}")]
    NotUnderstood(String),
    /// No answer came.
    #[error("no answer: {0}")]
    Transport(String),
    /// No answer came in time: what was asked for may still be done.
    #[error("no answer in time")]
    Timeout,
}

impl CallError {
    /// Whether what was asked for may have been done nevertheless.
    pub(super) fn is_unclear(&self) -> bool {
        match self {
            CallError::Login | CallError::Refused | CallError::NotFound => false,
            CallError::Fault(_)
            | CallError::NotUnderstood(_)
            | CallError::Transport(_)
            | CallError::Timeout => true,
        }
    }
}
