use damka_engine::PlayerError;
use thiserror::Error;

/// Why a bot cannot start, or could not take all turns once. Nothing that a server does ends a running bot.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BotError {
    /// The address of the server is invalid.
    #[error(
        "`{0}` is not the address of a server: expected http://HOST or https://HOST, with :PORT after it if needed"
    )]
    Url(String),
    /// The address contains a user or a password, where anyone who lists processes can see it.
    #[error("the address of the server must not have a user or password in it")]
    Secret,
    /// No game was chosen.
    #[error("there is no game to play: name at least one of {0}")]
    NoGame(String),
    /// The site does not have this game.
    #[error("{game} is not played on {site}: {games} are")]
    Game {
        /// The game.
        game: &'static str,
        /// The site.
        site: &'static str,
        /// The games of the site.
        games: String,
    },
    /// The server does not accept the login.
    #[error("{url} refuses the login of `{user}`: the user or the password is wrong")]
    Login {
        /// The server.
        url: String,
        /// The user.
        user: String,
    },
    /// The server does not answer, or is another kind of server.
    #[error("{url}: {error}")]
    Server {
        /// The server.
        url: String,
        /// What happened.
        #[source]
        error: CallError,
    },
    /// Another bot on this machine plays the same game as the same user.
    #[error("another bot on this machine already plays {game} on this server as `{user}`")]
    Another {
        /// The user.
        user: String,
        /// The game.
        game: &'static str,
    },
    /// Turns that were to be taken once have failed.
    #[error("{0} of the turns that were due could not be taken: the log says why")]
    Unfinished(usize),
    /// The settings of the player cannot be honoured.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// A request to a server failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CallError {
    /// The login is not accepted, or the token obtained by it.
    #[error("the server does not accept the login")]
    Login,
    /// The request does not fit the current state, such as a move after the turn is over.
    #[error("the server refuses this now")]
    Refused,
    /// The object of the request does not exist.
    #[error("the server has no such object")]
    NotFound,
    /// The server failed.
    #[error("the server failed, with status {0}")]
    Fault(u16),
    /// The answer is not understood: a web page, a truncated answer, or that of another kind of server.
    #[error("the answer is not understood: {0}")]
    NotUnderstood(String),
    /// No answer arrived.
    #[error("no answer: {0}")]
    Transport(String),
    /// No answer arrived in time. The request may still be carried out.
    #[error("no answer in time")]
    Timeout,
}

impl CallError {
    /// Whether the request may have been carried out in spite of the error.
    pub fn is_unclear(&self) -> bool {
        match self {
            CallError::Login | CallError::Refused | CallError::NotFound => false,
            CallError::Fault(_)
            | CallError::NotUnderstood(_)
            | CallError::Transport(_)
            | CallError::Timeout => true,
        }
    }
}
