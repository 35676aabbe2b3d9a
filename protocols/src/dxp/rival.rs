use super::connection::Connection;
use super::message::{ACCEPTED, GameRequest, Message, NO_WAY_BACK, Reason};
use super::{DxpError, connect};
use crate::board::NumberedMove;
use crate::fault::Fault;
use crate::numbering::Numbering;
use damka_engine::Control;
use damka_games::draughts::Position;
use damka_games::{Color, Draughts};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long to wait for the answer to a request, or to the end of a game.
const PATIENCE: Duration = Duration::from_secs(10);

/// The interval at which the stop flag is checked.
const INTERVAL: Duration = Duration::from_millis(10);

/// Another program that waits for requests for games.
pub struct Rival {
    connection: Connection<TcpStream>,
    numbering: Numbering,
    /// Whether a game is being played.
    is_playing: bool,
}

impl Rival {
    /// Connects to a program that plays this variant, at an address.
    ///
    /// # Errors
    /// The program cannot be reached.
    pub fn connect(address: &str, variant: Draughts) -> Result<Rival, Fault> {
        let failed = |error| Fault::NotStarted(format!("{address}: {error}"));
        let stream = connect(address).map_err(failed)?;
        let (connection, numbering) =
            (Connection::new(stream, variant), Numbering::of_dxp(variant));
        Ok(Rival { connection, numbering, is_playing: false })
    }

    /// Requests a game. `start` is `None` for the start position. `color` is the colour of the other
    /// program. `minutes` is the time of each side for the game; 0 without a clock.
    ///
    /// # Errors
    /// The other program does not answer, or refuses.
    pub fn begin(
        &mut self,
        start: Option<Position>,
        color: Color,
        minutes: u16,
        control: &Control,
    ) -> Result<(), Fault> {
        self.connection.send(&Message::GameRequest(GameRequest {
            version: super::VERSION,
            name: super::NAME.to_owned(),
            follower: color,
            minutes,
            moves: 0,
            start,
        }))?;
        match self.receive(PATIENCE, control)? {
            Message::GameAnswer { code: ACCEPTED, .. } => {
                self.is_playing = true;
                Ok(())
            }
            Message::GameAnswer { code, .. } => Err(DxpError::Refused(code).into()),
            other => Err(DxpError::OutOfPlace(other.to_string()).into()),
        }
    }

    /// Sends a move and the time it has taken.
    ///
    /// # Errors
    /// The connection fails.
    pub fn send_move(&mut self, mv: NumberedMove, time: Duration) -> Result<(), Fault> {
        let seconds = time.as_secs().try_into().unwrap_or(u16::MAX);
        let mv = self.numbering.convert(mv);
        Ok(self.connection.send(&Message::Move { seconds, mv })?)
    }

    /// Waits at most `patience` for the move of the other program; `None` if it resigns.
    ///
    /// # Errors
    /// The other program does not answer, or ends a game that is not over.
    pub fn answer(
        &mut self,
        patience: Duration,
        control: &Control,
    ) -> Result<Option<NumberedMove>, Fault> {
        match self.receive(patience, control)? {
            Message::Move { mv, .. } => Ok(Some(self.numbering.convert(mv))),
            Message::GameEnd { reason, wants_no_more: false } => {
                self.is_playing = false;
                let acknowledged =
                    Message::GameEnd { reason: Reason::Unknown, wants_no_more: false };
                self.connection.send(&acknowledged)?;
                if reason == Reason::Lost { Ok(None) } else { Err(Fault::EndedGame) }
            }
            Message::GameEnd { .. } => Err(Fault::Gone),
            other => Err(DxpError::OutOfPlace(other.to_string()).into()),
        }
    }

    /// Ends the game, if one is being played and the other program waits for a move. `won` says whether
    /// we have won; `None` for a draw.
    ///
    /// # Errors
    /// The other program does not acknowledge the end.
    pub fn end(&mut self, won: Option<bool>) -> Result<(), Fault> {
        if !std::mem::take(&mut self.is_playing) {
            return Ok(());
        }
        let reason = match won {
            Some(true) => Reason::Won,
            Some(false) => Reason::Lost,
            None => Reason::Draw,
        };
        self.connection.send(&Message::GameEnd { reason, wants_no_more: false })?;
        match self.receive(PATIENCE, &Control::default())? {
            Message::GameEnd { wants_no_more: false, .. } => Ok(()),
            Message::GameEnd { .. } => Err(Fault::Gone),
            other => Err(DxpError::OutOfPlace(other.to_string()).into()),
        }
    }

    /// Waits for a message. Handles chat and requests to take back moves, which may come at any time.
    fn receive(&mut self, patience: Duration, control: &Control) -> Result<Message, Fault> {
        let deadline = Instant::now() + patience;
        loop {
            let now = Instant::now();
            match () {
                () if control.is_stopped() => return Err(Fault::Stopped),
                () if now >= deadline => return Err(Fault::Silent),
                () => {}
            }
            match self.connection.receive(deadline.min(now + INTERVAL)) {
                Ok(Message::Chat(_)) | Err(DxpError::Silent) => {}
                Ok(Message::BackRequest { .. }) => {
                    self.connection.send(&Message::BackAnswer { code: NO_WAY_BACK })?;
                }
                Ok(message) => return Ok(message),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Rival {
    /// Announces that no more games follow.
    fn drop(&mut self) {
        let farewell = Message::GameEnd { reason: Reason::Unknown, wants_no_more: true };
        // The connection may be closed already.
        let _ = self.connection.send(&farewell);
    }
}

impl From<DxpError> for Fault {
    fn from(error: DxpError) -> Fault {
        match error {
            DxpError::Closed | DxpError::Connection(_) => Fault::Gone,
            DxpError::Silent => Fault::Silent,
            DxpError::Refused(code) => Fault::Refused(format!("code {code}")),
            DxpError::IllegalMove(mv) => Fault::IllegalMove(mv),
            error => Fault::Nonsense(error.to_string()),
        }
    }
}
