use super::http::CallError;
use crate::player::SettingsError;
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
    /// Nobody can play with these settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}
