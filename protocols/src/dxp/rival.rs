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

/// How long another program may take to answer a request, or the end of a game.
const PATIENCE: Duration = Duration::from_secs(10);

/// How soon it is noticed that nobody waits any more.
const INTERVAL: Duration = Duration::from_millis(10);

/// Another program that listens: we ask it for games, and somebody else plays them.
pub struct Rival {
    connection: Connection<TcpStream>,
    numbering: Numbering,
    /// Whether a game goes on.
    is_playing: bool,
}

impl Rival {
    /// Connects to a program at an address, which plays this variant.
    ///
    /// # Errors
    /// There is none.
    pub fn connect(address: &str, variant: Draughts) -> Result<Rival, Fault> {
        let failed = |error| Fault::NotStarted(format!("{address}: {error}"));
        let stream = connect(address).map_err(failed)?;
        let (connection, numbering) =
            (Connection::new(stream, variant), Numbering::of_dxp(variant));
        Ok(Rival { connection, numbering, is_playing: false })
    }

    /// Asks for a game: `start` is `None` for the usual start, `color` the other program's,
    /// `minutes` what each side has for the game, 0 without a clock.
    ///
    /// # Errors
    /// The other program does not answer, or does not want to play.
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

    /// Tells a move that has taken so long.
    ///
    /// # Errors
    /// The connection has failed.
    pub fn tell(&mut self, mv: NumberedMove, time: Duration) -> Result<(), Fault> {
        let seconds = time.as_secs().try_into().unwrap_or(u16::MAX);
        let mv = self.numbering.convert(mv);
        Ok(self.connection.send(&Message::Move { seconds, mv })?)
    }

    /// Waits so long for the other program's move; `None` if it gives the game up.
    ///
    /// # Errors
    /// It has no move, or no answer.
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

    /// Ends the game, if it goes on, where the other program waits for a move. `won` is
    /// whether we have won, `None` for a draw.
    ///
    /// # Errors
    /// The other program does not acknowledge that.
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

    /// Waits for a message, answering those that may come at any time.
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
    /// Says farewell.
    fn drop(&mut self) {
        let farewell = Message::GameEnd { reason: Reason::Unknown, wants_no_more: true };
        // It may be gone already.
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
            error => Fault::Senseless(error.to_string()),
        }
    }
}
