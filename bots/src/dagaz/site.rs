use super::account::Account;
use super::clock::ServerClock;
use super::games::SiteGame;
use super::notation::{self, AnyNotation, FirstKnown, NotationError, Reading};
use super::server::{Posting, Server};
use super::wire::{Played, Recovery, Row, Statement, Tournament};
use crate::error::{BotError, CallError};
use crate::foreign::Foreign;
use crate::options::BotOptions;
use crate::site::{
    Arrived, BotResult, Choice, GameStatus, Idle, IdleKind, Notice, Offer, Opening, Phase, Ready,
    Site, Step, Turn,
};
use crate::tally::Tally;
use crate::time_budget::TimeBudget;
use damka_games::AnyGame;
use std::time::Duration;
use tracing::{debug, warn};

/// A DagazServer, as one of its users sees it.
pub struct Dagaz {
    server: Server,
    games: Vec<SiteGame>,
    arbiter: bool,
    time_control: u32,
    /// How long a move may be stored without being passed on before it is taken back.
    undo: Duration,
}

/// What is remembered of a session from one turn to the next.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// A move that may or may not have reached the server.
    pending: Option<Pending>,
    /// The state of the session that the server reported at the last turn.
    recovery: Option<Recovery>,
    /// The first known position, if the session did not begin at the usual start position.
    first_known: Option<FirstKnown>,
}

/// A move that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pending {
    posting: Posting,
    /// The seat of the bot, 1 or 2.
    player: u64,
    /// The position before the move.
    before: Foreign,
    choice: Choice,
}

impl Pending {
    /// Whether a session is still in the position in which the move was sent.
    fn fits(&self, recovery: &Recovery) -> bool {
        let Posting { uid, turn, .. } = self.posting;
        (uid, turn) == (recovery.uid, recovery.last_turn + 1) && self.before == recovery.setup
    }

    /// Whether the record of the session has the move.
    fn is_stored(&self, record: &[Played]) -> bool {
        let is_same =
            |played: &Played| played.turn >= self.posting.turn && played.player == self.player;
        record.iter().any(is_same)
    }
}

const NO_POSITION: &str = "the arbiter has not set up the pieces yet";

fn leave(kind: IdleKind, why: impl std::fmt::Display) -> Step {
    Step::Leave(Idle::new(kind, why))
}

impl Dagaz {
    /// The server of an account. Nothing is sent yet.
    ///
    /// # Errors
    /// The address is invalid.
    pub fn new(account: Account, options: &BotOptions) -> Result<Dagaz, BotError> {
        let (arbiter, time_control) = (account.arbiter, account.time_control);
        let games = options.games.iter().copied().filter_map(SiteGame::of).collect();
        let server = Server::new(account, options)?;
        Ok(Dagaz { server, games, arbiter, time_control, undo: options.pace.undo })
    }

    /// The game that has this number on the site, if the bot plays it.
    fn numbered(&self, variant: u64) -> Option<SiteGame> {
        self.games.iter().copied().find(|game| game.variant == variant)
    }

    /// A row of the list of sessions in which the user is to move; `None` if the bot does not play that game.
    fn notice(&self, row: Row) -> Option<Notice> {
        let game = self.numbered(row.variant);
        if row.id == 0 || row.status != Row::STARTED || game.is_none() && row.variant != 0 {
            return None;
        }
        let obstacle = match game {
            None => Some("the server does not say which game it is (`variant_id`)".to_owned()),
            Some(_) if row.is_ai => Some("the opponent's page plays the other side".to_owned()),
            Some(game) if row.setup.is_empty() && !game.starts_as_usual(row.selector) => {
                Some(format!("it begins with start position {} of its game", row.selector))
            }
            Some(_) => None,
        };
        let seat = row.player(self.server.user());
        let (id, game) = (row.id, game.map(|game| game.game));
        Some(Notice { id, game, position: row.setup, ply: row.last_turn, seat, obstacle })
    }

    /// The record of the moves so far; empty if there is none.
    fn record(&self, turn: &Turn<'_, Memory>) -> Result<Vec<Played>, CallError> {
        match self.server.record(turn.notice.id) {
            Ok(mut record) => {
                record.sort_by_key(|played| played.turn);
                Ok(record)
            }
            Err(CallError::NotFound) => Ok(Vec::new()),
            Err(error) if turn.must_go_on(&error) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Begins a turn in a session that has a position.
    fn open_position(
        &self,
        turn: &mut Turn<'_, Memory>,
        notation: &dyn AnyNotation,
    ) -> Result<Opening, CallError> {
        // The record is requested first, because this has no side effects.
        let record = self.record(turn)?;
        let stored = turn.memory.pending.clone().filter(|pending| pending.is_stored(&record));
        let arrived = stored
            .as_ref()
            .map(|pending| Arrived { choice: pending.choice.clone(), ply: pending.posting.turn });
        // The opponent may have moved meanwhile: then it is the bot's turn again.
        let is_last =
            |pending: &Pending| record.last().is_some_and(|last| last.player == pending.player);
        let step = match stored.filter(is_last) {
            Some(_) => Step::Done("wait for the opponent"),
            None => self.step(turn, notation, &record)?,
        };
        Ok(Opening { arrived, step })
    }

    /// What is to be done in a session, given the moves so far.
    fn step(
        &self,
        turn: &mut Turn<'_, Memory>,
        notation: &dyn AnyNotation,
        record: &[Played],
    ) -> Result<Step, CallError> {
        // If the server stored a move but failed before it stored the position, the opponent's page
        // must still be shown the move. After a request for a recovery the server would not show it.
        let to_move = notation::to_move(turn.notice.position.as_str());
        if let Some(last) = record.last().filter(|last| to_move == Some(last.player)) {
            return self.stored_only(turn, last);
        }
        // Because of a draw offer, a list may also show a session in which the opponent is to move.
        let seat = turn.notice.seat;
        if seat.is_some() && to_move.is_some() && seat != to_move {
            return Ok(leave(IdleKind::Waiting, "it is the opponent's turn"));
        }
        let recovery = self.server.recovery(turn.notice.id)?;
        if recovery.uid == 0 {
            return Ok(leave(IdleKind::Over, "the game is over, or belongs to other users"));
        }
        if recovery.setup.is_empty() {
            return Err(CallError::NotUnderstood("a session without a position".to_owned()));
        }
        let is_other = self.numbered(recovery.variant).is_none_or(|game| game.game != turn.game);
        if recovery.variant != 0 && is_other {
            let why = format!("the server now says that this is game {}", recovery.variant);
            return Ok(leave(IdleKind::Wrong, why));
        }
        turn.memory.recovery = Some(recovery.clone());
        let clock = ServerClock { left: recovery.time_limit, additional: recovery.additional_time };
        let (statements, is_known) = match self.server.statements(recovery.uid) {
            Ok(statements) => (statements, true),
            Err(error) if turn.must_go_on(&error) => (Vec::new(), false),
            Err(error) => return Err(error),
        };
        if statements.iter().any(|statement| statement.result == Statement::LOST) {
            return Ok(Step::End { verdict: BotResult::Won, why: "the opponent resigns" });
        }
        let pending = turn.memory.pending.as_ref().filter(|pending| pending.fits(&recovery));
        let mut ready = Ready {
            start: String::new(),
            moves: Vec::new(),
            ply: recovery.last_turn,
            time: clock.budget(),
            left: clock.remaining(),
            is_draw_offered: statements.iter().any(|statement| statement.result == Statement::DRAW),
            must_answer: !is_known || statements.iter().any(|statement| statement.result != 0),
            chosen: pending.map(|pending| pending.choice.clone()),
        };
        if ready.chosen.is_some() {
            return Ok(Step::Choose(ready));
        }
        match self.read(turn, notation, recovery.setup.as_str(), record) {
            Ok(reading) if reading.player != recovery.player => {
                let why = "according to the position, it is the opponent's turn";
                Ok(leave(IdleKind::Wrong, why))
            }
            Ok(reading) => {
                (ready.start, ready.moves) = (reading.start, reading.moves);
                Ok(Step::Choose(ready))
            }
            Err(NotationError::Won(player)) if player == recovery.player => Ok(Step::End {
                verdict: BotResult::Won,
                why: "won by an earlier move, although the opponent has moved since",
            }),
            Err(error) => Ok(leave(IdleKind::Wrong, error)),
        }
    }

    /// Reads a position and the moves that led to it, as far back as they are known.
    fn read(
        &self,
        turn: &mut Turn<'_, Memory>,
        notation: &dyn AnyNotation,
        setup: &str,
        record: &[Played],
    ) -> Result<Reading, NotationError> {
        let reading = notation.read(setup, record, turn.memory.first_known.as_ref())?;
        if let Some(first_known) = &reading.first_known {
            turn.memory.first_known = Some(first_known.clone());
        }
        if let Some(why) = &reading.mismatch {
            let session = turn.notice.id;
            warn!(session, "plays on from the position that the server has: {why}");
        }
        Ok(reading)
    }

    /// What is to be done if the record's last move was made by the side that, according to the list, is to
    /// move.
    ///
    /// The server stores a move, and then stores that it is the opponent's turn. If it stops in between,
    /// neither player is asked to move. The bot then takes the move back and plays it again.
    fn stored_only(&self, turn: &Turn<'_, Memory>, last: &Played) -> Result<Step, CallError> {
        // With an arbiter the game goes on when the move is confirmed.
        let is_half_stored = turn.notice.ply < last.turn && !self.arbiter;
        if !is_half_stored || turn.unmoved < self.undo {
            let why = "this side made the last move: it is the opponent's turn";
            return Ok(leave(IdleKind::Wrong, why));
        }
        let Some(seat) = &turn.memory.recovery else {
            return Ok(leave(
                IdleKind::Wrong,
                "the server has stored this side's last move, but not that it is the opponent's \
                 turn; the bot was started later, does not know its seat and cannot take the move \
                 back: end the game by hand",
            ));
        };
        if seat.player != last.player {
            return Ok(leave(IdleKind::Waiting, "it is the opponent's turn"));
        }
        let (session, turn) = (turn.notice.id, last.turn);
        match self.server.undo(seat.uid) {
            Ok(()) => warn!(session, turn, "took back a move that was stored but never passed on"),
            Err(CallError::NotFound) => {
                return Ok(leave(
                    IdleKind::Wrong,
                    "the server has stored this side's last move, but not that it is the \
                     opponent's turn; the opponent has seen the move, so it cannot be taken back",
                ));
            }
            // The record will show whether the move was taken back. Two attempts at the same time could take
            // back two moves, so the next attempt waits as long as this one did.
            Err(error) if error.is_unclear() => {
                warn!(session, turn, %error, "could not take back a move that was stored but never passed on");
            }
            Err(error) => return Err(error),
        }
        Ok(Step::Undone)
    }

    /// The seat of the user in a session.
    fn uid(&self, turn: &Turn<'_, Memory>) -> Result<u64, CallError> {
        let recovery = turn.memory.recovery.as_ref();
        recovery.map(|recovery| recovery.uid).ok_or(CallError::NotFound)
    }
}

impl Site for Dagaz {
    type Memory = Memory;

    const NAME: &'static str = "DagazServer";

    fn has(&self, game: AnyGame) -> bool {
        SiteGame::of(game).is_some()
    }

    fn address(&self) -> &str {
        self.server.address()
    }

    fn user(&self) -> &str {
        self.server.user()
    }

    fn tally(&self) -> &Tally {
        self.server.tally()
    }

    fn log_in(&self) -> Result<(), CallError> {
        self.server.log_in()
    }

    fn events(&self) -> Result<Vec<Notice>, CallError> {
        Ok(self.server.current()?.into_iter().filter_map(|row| self.notice(row)).collect())
    }

    fn open(&self, turn: &mut Turn<'_, Memory>) -> Result<Opening, CallError> {
        let Some(notation) = notation::of(turn.game) else {
            return Ok(leave(IdleKind::Wrong, NotationError::Odd).into());
        };
        let opening = match turn.notice.position.is_empty() {
            true if self.arbiter => Ok(leave(IdleKind::Waiting, NO_POSITION).into()),
            true => {
                let (session, game) = (turn.notice.id, turn.game.name());
                debug!(session, game, "sends the start position");
                let sent = self.server.set_up(session, &notation.start());
                sent.map(|()| Step::Done("send the start position").into())
            }
            false => self.open_position(turn, &*notation),
        };
        let is_settled = match &opening {
            Ok(opening) => matches!(opening.step, Step::Done(_) | Step::Leave(_) | Step::Undone),
            Err(error) => *error == CallError::NotFound,
        };
        if is_settled {
            turn.memory.pending = None;
        }
        opening
    }

    fn preview(&self, turn: &mut Turn<'_, Memory>) -> Result<Opening, CallError> {
        let Some(notation) = notation::of(turn.game) else {
            return Ok(leave(IdleKind::Wrong, NotationError::Odd).into());
        };
        let notice = turn.notice;
        if notice.position.is_empty() {
            return Ok(match self.arbiter {
                true => leave(IdleKind::Waiting, NO_POSITION),
                false => Step::Done("send the start position"),
            }
            .into());
        }
        let record = self.record(turn).unwrap_or_default();
        let step = match self.read(turn, &*notation, notice.position.as_str(), &record) {
            Ok(reading) => Step::Choose(Ready {
                start: reading.start,
                moves: reading.moves,
                ply: notice.ply,
                time: TimeBudget::None,
                left: None,
                is_draw_offered: false,
                must_answer: false,
                chosen: None,
            }),
            Err(NotationError::Won(_)) => {
                Step::End { verdict: BotResult::Won, why: "by an earlier move" }
            }
            Err(error) => leave(IdleKind::Wrong, error),
        };
        Ok(step.into())
    }

    fn play(
        &self,
        turn: &mut Turn<'_, Memory>,
        ready: &Ready,
        choice: &Choice,
    ) -> Result<(), CallError> {
        let Some(recovery) = turn.memory.recovery.clone() else { return Err(CallError::NotFound) };
        let again = turn.memory.pending.take().filter(|pending| pending.fits(&recovery));
        let posting = match again {
            Some(pending) if ready.chosen.is_some() => pending.posting,
            _ => {
                let notation = notation::of(turn.game).ok_or(CallError::NotFound)?;
                let written = notation.write(recovery.setup.as_str(), &choice.mv);
                let written = written.ok_or(CallError::NotFound)?;
                Posting {
                    uid: recovery.uid,
                    turn: recovery.last_turn + 1,
                    text: written.text,
                    setup: (!self.arbiter).then_some(written.setup),
                    next_player: written.next_player,
                }
            }
        };
        let played = self.server.play(&posting);
        if played.as_ref().is_err_and(|error| *error != CallError::NotFound) {
            let (player, before, choice) = (recovery.player, recovery.setup, choice.clone());
            turn.memory.pending = Some(Pending { posting, player, before, choice });
        }
        played
    }

    fn offer_draw(&self, turn: &mut Turn<'_, Memory>) -> Result<(), CallError> {
        self.server.offer_draw(turn.notice.id, self.uid(turn)?)
    }

    fn decline(&self, turn: &mut Turn<'_, Memory>) -> Result<(), CallError> {
        let declined = self.server.dismiss(turn.notice.id);
        if declined == Err(CallError::NotFound) {
            turn.memory.pending = None;
        }
        declined
    }

    fn end(&self, turn: &mut Turn<'_, Memory>, verdict: BotResult) -> Result<(), CallError> {
        let ended = self.server.close(self.uid(turn)?, verdict);
        if matches!(ended, Ok(()) | Err(CallError::NotFound)) {
            turn.memory.pending = None;
        }
        ended
    }

    fn sees_ends(&self) -> bool {
        self.arbiter
    }

    fn is_unsettled(&self, memory: &Memory) -> bool {
        memory.pending.is_some()
    }

    fn games(&self) -> Result<Vec<GameStatus>, CallError> {
        let status = |row: Row| {
            let phase = match row.status {
                Row::WAITING => Phase::Waiting,
                Row::STARTED => Phase::Playing,
                Row::FINISHED => Phase::Over,
                _ => return None,
            };
            let game = self.numbered(row.variant)?.game;
            Some(GameStatus { id: row.id, game, phase, ply: row.last_turn })
        };
        Ok(self.server.own()?.into_iter().filter_map(status).collect())
    }

    fn result(&self, game: u64) -> Result<Option<BotResult>, CallError> {
        self.server.result(game)
    }

    fn tournaments(&self, game: AnyGame) -> Result<Vec<Offer>, CallError> {
        let Some(game) = SiteGame::of(game) else { return Ok(Vec::new()) };
        let found = self.server.tournaments(game.group, game.variant)?;
        let is_open = |found: &&Tournament| found.id != 0 && !found.closed && !found.is_joined;
        Ok(found.iter().filter(is_open).map(|found| Offer::Tournament(found.id)).collect())
    }

    fn challenges(&self, game: AnyGame) -> Result<Vec<Offer>, CallError> {
        let Some(game) = SiteGame::of(game) else { return Ok(Vec::new()) };
        let rows = self.server.waiting(game.group, game.variant)?;
        let fits = |row: &&Row| row.id != 0 && !row.is_ai && game.starts_as_usual(row.selector);
        Ok(rows.iter().filter(fits).map(|row| Offer::Game(row.id)).collect())
    }

    fn accept(&self, offer: Offer) -> Result<(), CallError> {
        match offer {
            Offer::Game(id) => self.server.join(id),
            Offer::Tournament(id) => self.server.enter_tournament(id),
        }
    }

    fn seek(&self, game: AnyGame) -> Result<(), CallError> {
        let game = SiteGame::of(game).ok_or(CallError::NotFound)?;
        self.server.create(game, self.time_control)
    }
}
