//! DXP, the DamExchange protocol, by which two draughts programs play each other over TCP:
//! <http://www.mesander.nl/damexchange/edxpmain.htm>.
//!
//! One program requests games and leads ([`lead`]), the other follows ([`follow`]). The protocol
//! was made for the 50 squares of international draughts and does not describe other boards. Here a
//! position has 32 letters instead of 50, from b8 and h8 to a1 and g1, and both programs must agree
//! on the variant beforehand. The start position is that of the variant: in English draughts Black
//! moves first. By default ([`Options::numbering`]) moves number the squares as in PDN and
//! pydraughts: from a1 (1) and g1 (4) to h8 (32), in English draughts from b8 (1) and h8 (4) to g1
//! (32).
//!
//! Requests to take back moves are refused, and chat is not answered. If a program sends an illegal
//! move or an invalid message, or is silent for too long, damka sends GAMEEND and closes the
//! connection. A search ends when the other program closes the connection.
//!
//! A server ([`serve`]) plays with one program at a time. Requests of others are refused at once.

mod connection;
mod error;
mod host;
mod message;
mod rival;
mod server;

pub use error::DxpError;
pub use rival::Rival;
pub use server::{Event, serve};

use crate::numbering::Numbering;
use damka_engine::PlayerSettings;
use damka_games::{Color, Draughts};
use damka_records::GameResult;
use host::Host;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// The usual port.
pub const PORT: u16 = 27531;

/// The version of the protocol.
const VERSION: u8 = 1;

/// The greatest length of a message, in characters.
const MAX_MESSAGE: usize = 127;

/// Our name.
const NAME: &str = concat!("damka ", env!("CARGO_PKG_VERSION"));

/// The options of games by DXP.
#[derive(Clone, Debug)]
pub struct Options {
    /// The settings of the player.
    pub settings: PlayerSettings<Draughts>,
    /// The numbering of squares in moves; `None` for [`Numbering::of_dxp`].
    pub numbering: Option<Numbering>,
    /// The time for each of our moves. `None` for what the game clock allows, or one second without a
    /// clock.
    pub move_time: Option<Duration>,
    /// The maximum time for one of our moves, even if the game clock allows more.
    pub longest_move: Duration,
    /// How long to wait for a message from the other program.
    pub patience: Duration,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOutcome {
    /// The name of the other program.
    pub opponent: String,
    /// Our colour.
    pub color: Color,
    /// The result; unknown if the program that ended the game did not give it.
    pub result: GameResult,
    /// The number of plies.
    pub plies: usize,
}

/// Adds the usual port to an address, `HOST` or `HOST:PORT`, if it has none.
pub fn with_port(address: &str) -> String {
    let port = address.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => address.to_owned(),
        _ => format!("{address}:{PORT}"),
    }
}

/// Connects to a program at an address, `HOST` or `HOST:PORT`, and prepares the stream for [`lead`].
///
/// # Errors
/// The program cannot be reached.
pub fn connect(address: &str) -> io::Result<TcpStream> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let mut failure = io::ErrorKind::AddrNotAvailable.into();
    for address in with_port(address).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return prepare(&stream).map(|()| stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Prepares a stream for [`lead`] and [`follow`]: sets time-outs, and sends messages without delay.
///
/// # Errors
/// The options of the socket cannot be set.
pub fn prepare(stream: &TcpStream) -> io::Result<()> {
    // On some systems a stream inherits non-blocking mode from its listener.
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(Duration::from_millis(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    stream.set_nodelay(true)
}

/// Plays the games that the other program requests, one after the other, until it wants no more or
/// closes the connection between two games. Calls `finished` after each.
///
/// # Errors
/// The connection fails, or the other program violates the protocol or the rules of the game.
pub fn follow(
    stream: impl Read + Write,
    options: &Options,
    finished: impl FnMut(&GameOutcome),
) -> Result<(), DxpError> {
    let mut host = Host::new(stream, options)?;
    host.follow(finished).inspect_err(|_| host.give_up())
}

/// Requests one game and plays it with the white pieces.
///
/// # Errors
/// Like [`follow`]; or the other program refuses the game.
pub fn lead(stream: impl Read + Write, options: &Options) -> Result<GameOutcome, DxpError> {
    let mut host = Host::new(stream, options)?;
    host.lead().inspect_err(|_| host.give_up())
}
