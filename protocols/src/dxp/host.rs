use super::connection::Connection;
use super::message::{
    ACCEPTED, GameRequest, Message, NO_WAY_BACK, NOT_THIS_GAME, Reason, WRONG_VERSION,
};
use super::{DxpError, GameOutcome, NAME, Options, VERSION};
use crate::board::NumberedMove;
use crate::numbering::Numbering;
use damka_engine::{Control, GameEnd, History, Limits, Player, TimeControl};
use damka_games::draughts::{Move, Position};
use damka_games::{Color, Draughts, Game, Position as _};
use damka_records::GameResult;
use std::io::{Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The default time for a move.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The interval at which a search checks whether the connection is still open.
const INTERVAL: Duration = Duration::from_millis(50);

/// Our side of a connection.
pub(super) struct Host<'a, S> {
    connection: Connection<S>,
    player: Player<Draughts>,
    numbering: Numbering,
    options: &'a Options,
}

/// The agreed terms of a game.
struct GameTerms {
    opponent: String,
    /// Our colour.
    color: Color,
    /// The time of each side for the game; `None` without a clock.
    time: Option<Duration>,
    /// The number of moves of each side; 0 if unlimited.
    moves: u16,
}

impl<'a, S: Read + Write> Host<'a, S> {
    pub(super) fn new(stream: S, options: &'a Options) -> Result<Host<'a, S>, DxpError> {
        let player = Player::new(&options.settings)?;
        let usual = || Numbering::of_dxp(options.settings.game);
        let numbering = options.numbering.unwrap_or_else(usual);
        Ok(Host {
            connection: Connection::new(stream, options.settings.game),
            player,
            numbering,
            options,
        })
    }

    /// Plays the games that the other program requests, until it wants no more.
    pub(super) fn follow(
        &mut self,
        mut finished: impl FnMut(&GameOutcome),
    ) -> Result<(), DxpError> {
        loop {
            let request = match self.receive(self.options.patience) {
                Ok(Message::GameRequest(request)) => request,
                Ok(Message::GameEnd { wants_no_more: false, .. }) => continue,
                Ok(Message::GameEnd { .. }) | Err(DxpError::Closed) => return Ok(()),
                Ok(other) => return Err(DxpError::OutOfPlace(other.to_string())),
                Err(error) => return Err(error),
            };
            self.set_up(request.start);
            let code = match () {
                _ if request.version != VERSION => WRONG_VERSION,
                _ if self.player.position().moves().is_empty() => NOT_THIS_GAME,
                _ => ACCEPTED,
            };
            self.connection.send(&Message::GameAnswer { name: NAME.to_owned(), code })?;
            if code != ACCEPTED {
                continue;
            }
            self.player.new_game();
            let terms = GameTerms::new(&request, request.name.clone(), request.follower);
            let (outcome, is_enough) = self.play(terms, false)?;
            finished(&outcome);
            if is_enough {
                return Ok(());
            }
        }
    }

    /// Requests one game and plays it with the white pieces.
    pub(super) fn lead(&mut self) -> Result<GameOutcome, DxpError> {
        // Time for 100 moves: enough for a very long game.
        let most = self.options.move_time.unwrap_or(MOVE_TIME).saturating_mul(100);
        let request = GameRequest {
            version: VERSION,
            name: NAME.to_owned(),
            follower: Color::Black,
            minutes: most.as_secs().div_ceil(60).clamp(1, 999) as u16,
            moves: 0,
            start: None,
        };
        let terms = |name| GameTerms::new(&request, name, Color::White);
        self.set_up(None);
        self.connection.send(&Message::GameRequest(request.clone()))?;
        match self.receive(self.options.patience)? {
            Message::GameAnswer { name, code: ACCEPTED } => Ok(self.play(terms(name), true)?.0),
            Message::GameAnswer { code, .. } => Err(DxpError::Refused(code)),
            other => Err(DxpError::OutOfPlace(other.to_string())),
        }
    }

    /// Begins a game at this position, or at the start position.
    fn set_up(&mut self, start: Option<Position>) {
        let start = start.unwrap_or_else(|| self.options.settings.game.start());
        self.player.set_history(History::new(start));
    }

    /// Tells the other program that the conversation is over.
    pub(super) fn give_up(&mut self) {
        let farewell = Message::GameEnd { reason: Reason::Unknown, wants_no_more: true };
        // The connection may be closed already.
        let _ = self.connection.send(&farewell);
    }

    /// Plays a game. Also returns whether the other program wants no more games.
    fn play(
        &mut self,
        terms: GameTerms,
        wants_no_more: bool,
    ) -> Result<(GameOutcome, bool), DxpError> {
        let mut used = Duration::ZERO;
        loop {
            if self.player.position().turn() != terms.color {
                match self.receive(self.options.patience)? {
                    Message::Move { mv, .. } => {
                        let converted = self.numbering.convert(mv.clone());
                        let legal = converted.legal(self.player.position());
                        self.player
                            .play(legal.ok_or_else(|| DxpError::IllegalMove(mv.to_string()))?);
                    }
                    Message::GameEnd { reason, wants_no_more: is_enough } => {
                        let acknowledged =
                            Message::GameEnd { reason: Reason::Unknown, wants_no_more };
                        self.connection.send(&acknowledged)?;
                        return Ok((self.outcome(terms, reason, false), is_enough));
                    }
                    other => return Err(DxpError::OutOfPlace(other.to_string())),
                }
            } else if let Some(reason) = self.reason_to_end(&terms) {
                self.connection.send(&Message::GameEnd { reason, wants_no_more })?;
                let is_enough = match self.receive(self.options.patience) {
                    Ok(Message::GameEnd { wants_no_more, .. }) => wants_no_more,
                    Ok(other) => return Err(DxpError::OutOfPlace(other.to_string())),
                    Err(DxpError::Closed) => true,
                    Err(error) => return Err(error),
                };
                return Ok((self.outcome(terms, reason, true), is_enough));
            } else {
                let started = Instant::now();
                // If there is no move, the game is over.
                let Some(mv) = self.think(&self.limits(&terms, used))? else { continue };
                self.player.play(mv);
                let mv = NumberedMove::new(self.options.settings.game, mv);
                let mv = self.numbering.convert(mv);
                let seconds = started.elapsed().as_secs().try_into().unwrap_or(u16::MAX);
                self.connection.send(&Message::Move { seconds, mv })?;
                used += started.elapsed();
            }
        }
    }

    /// Chooses a move; `None` if there is none. Stops the search if the connection fails.
    fn think(&mut self, limits: &Limits) -> Result<Option<Move>, DxpError> {
        if let Some(mv) = self.player.book_move() {
            return Ok(Some(mv));
        }
        let control = Control::default();
        let (player, connection) = (&mut self.player, &mut self.connection);
        thread::scope(|scope| {
            let (sender, found) = mpsc::channel();
            let control = &control;
            let search = move || sender.send(player.think(limits, control, |_| ()));
            let thread = thread::Builder::new().spawn_scoped(scope, search);
            thread.map_err(DxpError::Thread)?;
            loop {
                match found.recv_timeout(INTERVAL) {
                    Ok(found) => return Ok(found.best()),
                    Err(RecvTimeoutError::Timeout) => {
                        connection.listen().inspect_err(|_| control.stop())?;
                    }
                    // The search has panicked, and the scope will panic, too.
                    Err(RecvTimeoutError::Disconnected) => return Ok(None),
                }
            }
        })
    }

    /// The reason to end the game instead of moving, if there is one.
    fn reason_to_end(&self, terms: &GameTerms) -> Option<Reason> {
        match self.player.history().end() {
            // The side to move has no legal move.
            Some(GameEnd::Won(_)) => Some(Reason::Lost),
            Some(GameEnd::Drawn(_)) => Some(Reason::Draw),
            None => {
                let moves = self.player.history().moves().len() / 2;
                (terms.moves > 0 && moves >= terms.moves.into()).then_some(Reason::Unknown)
            }
        }
    }

    fn limits(&self, terms: &GameTerms, used: Duration) -> Limits {
        let moves = (terms.moves > 0).then(|| {
            let made = u32::try_from(self.player.history().moves().len() / 2).unwrap_or(u32::MAX);
            u32::from(terms.moves).saturating_sub(made)
        });
        let clock = terms.time.map(|time| TimeControl {
            left: time.saturating_sub(used),
            increment: Duration::ZERO,
            moves,
        });
        let Options { move_time, longest_move, .. } = *self.options;
        let usual = if clock.is_some() { longest_move } else { MOVE_TIME };
        Limits { time: Some(move_time.unwrap_or(usual)), clock, ..Limits::default() }
    }

    /// The result of a game that was ended for this reason by us or by the other program.
    fn outcome(&self, terms: GameTerms, reason: Reason, is_ours: bool) -> GameOutcome {
        let sender = if is_ours { terms.color } else { !terms.color };
        let won_by = |winner| match winner {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        };
        let result = match reason {
            // The reason does not tell the result, but the position may.
            Reason::Unknown => match self.player.history().end() {
                Some(GameEnd::Won(winner)) => won_by(winner),
                Some(GameEnd::Drawn(_)) => GameResult::Draw,
                None => GameResult::Unknown,
            },
            Reason::Lost => won_by(!sender),
            Reason::Draw => GameResult::Draw,
            Reason::Won => won_by(sender),
        };
        let GameTerms { opponent, color, .. } = terms;
        GameOutcome { opponent, color, result, plies: self.player.history().moves().len() }
    }

    /// Waits for a message. Handles chat and requests to take back moves, which may come at any time.
    fn receive(&mut self, patience: Duration) -> Result<Message, DxpError> {
        let deadline = Instant::now() + patience;
        loop {
            match self.connection.receive(deadline)? {
                Message::Chat(_) => {}
                Message::BackRequest { .. } => {
                    self.connection.send(&Message::BackAnswer { code: NO_WAY_BACK })?;
                }
                message => return Ok(message),
            }
        }
    }
}

impl GameTerms {
    fn new(request: &GameRequest, opponent: String, color: Color) -> GameTerms {
        let seconds = u64::from(request.minutes) * 60;
        let time = (seconds > 0).then(|| Duration::from_secs(seconds));
        GameTerms { opponent, color, time, moves: request.moves }
    }
}
