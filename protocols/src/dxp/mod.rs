//! DXP, the DamExchange protocol, by which two draughts programs play each other over
//! TCP: <http://www.mesander.nl/damexchange/edxpmain.htm>.
//!
//! One program asks for games and leads ([`lead`]), the other follows ([`follow`]). The
//! protocol was made for the 50 squares of international draughts; of other boards it
//! says nothing. Here a position has 32 letters instead of 50, from b8 and h8 to a1 and g1, and
//! both programs must know which variant they play. The usual start is that of the variant: in
//! English draughts Black moves first. Moves number the squares as PDN does, and pydraughts: from
//! a1 (1) and g1 (4) to h8 (32), in English draughts from b8 (1) and h8 (4) to g1 (32); or as
//! [`Options::numbering`] says.
//!
//! Moves are not taken back, and chat is not answered. A program that sends an illegal
//! move, or what is no message, or nothing for too long, is told that the game is over, and is
//! left. A search ends when the other program closes the connection.
//!
//! A server ([`serve`]) plays with one program at a time. Others that come meanwhile are told at
//! once that their game is not accepted.

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

/// The port that programs listen on.
pub const PORT: u16 = 27531;

/// The version of the protocol.
const VERSION: u8 = 1;

/// The longest message, in characters.
const LONGEST: usize = 127;

/// What we are called.
const NAME: &str = concat!("damka ", env!("CARGO_PKG_VERSION"));

/// How to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The settings of the player.
    pub settings: PlayerSettings<Draughts>,
    /// How moves number the squares; `None` for what programs that speak DXP use.
    pub numbering: Option<Numbering>,
    /// The time for each of our moves; `None` for what the clock of the game allows, or
    /// one second without a clock.
    pub move_time: Option<Duration>,
    /// The longest time for one of our moves, where the clock of the game allows more.
    pub longest_move: Duration,
    /// How long to wait for a message.
    pub patience: Duration,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The name of the other program.
    pub opponent: String,
    /// Our colour.
    pub color: Color,
    /// Who has won; unknown if the program that ended the game did not say.
    pub result: GameResult,
    /// The number of moves of both sides.
    pub plies: usize,
}

/// An address, `HOST` or `HOST:PORT`, with the port of the protocol if it has none.
pub fn with_port(address: &str) -> String {
    let port = address.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => address.to_owned(),
        _ => format!("{address}:{PORT}"),
    }
}

/// Connects to a program that listens at an address, `HOST` or `HOST:PORT`, and makes the
/// stream ready for [`lead`].
///
/// # Errors
/// It is not there, or does not answer.
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

/// Makes a stream ready for [`lead`] and [`follow`]: waiting for it ends from time to
/// time, and what is sent leaves at once.
///
/// # Errors
/// The system refuses.
pub fn prepare(stream: &TcpStream) -> io::Result<()> {
    // Those that a listener that does not wait has accepted do not wait either on some systems.
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(Duration::from_millis(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    stream.set_nodelay(true)
}

/// Plays the games that the other program asks for, one after the other, until it has
/// had enough or closes the connection between two games. Calls `finished` after each.
///
/// # Errors
/// The connection has failed, or the other program breaks the rules of the protocol or
/// of the game.
pub fn follow(
    stream: impl Read + Write,
    options: &Options,
    finished: impl FnMut(&Outcome),
) -> Result<(), DxpError> {
    let mut host = Host::new(stream, options)?;
    host.follow(finished).inspect_err(|_| host.give_up())
}

/// Asks the other program for one game, and plays it with the white pieces.
///
/// # Errors
/// As for [`follow`]; or the other program does not want to play.
pub fn lead(stream: impl Read + Write, options: &Options) -> Result<Outcome, DxpError> {
    let mut host = Host::new(stream, options)?;
    host.lead().inspect_err(|_| host.give_up())
}
