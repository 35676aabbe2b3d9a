//! One turn in one session: what is asked and sent, and in which order.

use super::clock::Clock;
use super::error::CallError;
use super::foreign::Foreign;
use super::mind::{self, Choice, Mind, Odd, Outlook, Plan, Question};
use super::notation;
use super::options::BotOptions;
use super::server::{Posting, Server, Verdict};
use super::site::SiteGame;
use super::wire::{Played, Recovery, Row, Said};
use std::thread;
use std::time::Duration;
use thiserror::Error;
use tracing::{debug, info, warn};

/// A session in which a list has just shown that something is to be done.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) row: Row,
    pub(super) game: SiteGame,
    /// A move of which nobody knows whether the server has it.
    pub(super) pending: Option<Pending>,
    /// How often in a row this session's turn has failed.
    pub(super) failures: u32,
    /// The turn at which a draw was offered last; 0 if none was.
    pub(super) offered: u64,
    /// The seat in the session, once the server has told it.
    pub(super) seat: Option<Seat>,
    /// How long ago the first turn ended after which the list has shown the same row again.
    pub(super) unmoved: Duration,
}

/// A seat in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    /// The server's number of it.
    pub(super) uid: u64,
    /// The player, 1 or 2.
    pub(super) player: u64,
}

/// A move that was sent, and what it was sent for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    posting: Posting,
    /// The player, 1 or 2.
    player: u64,
    /// The position before it.
    before: Foreign,
    choice: Choice,
}

/// How a turn has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    /// What was left on the clock, if there is one.
    pub(super) left: Option<Duration>,
    /// The turn at which a draw was offered last.
    pub(super) offered: u64,
    /// The seat, if the server has told it.
    pub(super) seat: Option<Seat>,
}

/// What has become of a turn.
#[derive(Debug)]
pub(super) enum Outcome {
    /// All that was to be done has been done.
    Done,
    /// Nothing is to be done, as long as the list shows the same.
    Left(Left),
    /// A move has been taken back: the turn begins anew.
    Undone,
    /// It is to be tried again, if a list still shows the session.
    Again(CallError, Option<Box<Pending>>),
}

/// Why a session is left alone.
#[derive(Debug, Error)]
pub(super) enum Left {
    #[error(transparent)]
    Odd(#[from] Odd),
    #[error("the game is over, or is another's")]
    NotOurs,
    #[error("the server now says that this is game {0}")]
    OtherGame(u64),
    #[error("the last move is this side's own: it is the other's turn")]
    Moved,
    #[error(
        "the server has stored this side's last move, and not that it is the other's turn; the opponent has seen \
         the move, so that it cannot be taken back"
    )]
    Seen,
    #[error(
        "the server has stored this side's last move, and not that it is the other's turn; the bot, begun since, \
         does not know its seat and cannot take the move back: end the game by hand"
    )]
    NoSeat,
    #[error("the arbiter has not set up the pieces yet")]
    NoPosition,
    #[error("it is the other's turn")]
    Waiting,
    #[error("the server knows nothing of it")]
    Unknown,
}

impl Left {
    /// Whether this is nothing wrong: a game that ends meanwhile, or in which others are to do something.
    pub(super) fn is_usual(&self) -> bool {
        matches!(self, Left::NotOurs | Left::Unknown | Left::Waiting | Left::NoPosition)
    }
}

/// Somebody at work in a session.
pub(super) struct Turn<'a> {
    pub(super) server: &'a Server,
    pub(super) options: &'a BotOptions,
    pub(super) job: &'a Job,
    left: Option<Duration>,
    offered: u64,
    seat: Option<Seat>,
}

impl<'a> Turn<'a> {
    pub(super) fn new(server: &'a Server, options: &'a BotOptions, job: &'a Job) -> Turn<'a> {
        Turn { server, options, job, left: None, offered: job.offered, seat: job.seat }
    }

    /// Tells what would be done, from what the list has shown.
    pub(super) fn rehearse(self, mind: &mut dyn Mind) {
        let (session, game) = (self.session(), self.job.game.game.name());
        if self.job.row.setup.is_empty() {
            match self.options.arbiter {
                true => info!(session, game, "would leave it alone: {}", Left::NoPosition),
                false => info!(session, game, "would send the start position"),
            }
            return;
        }
        let question = Question {
            session,
            setup: self.job.row.setup.as_str(),
            player: None,
            record: &self.record().unwrap_or_default(),
            clock: Clock::default(),
            move_time: self.options.move_time,
            is_offered_draw: false,
        };
        match mind.think(&question) {
            Ok(Plan::Move(choice)) => {
                info!(session, game, mv = %choice.text, worth = %choice.worth, "would move");
            }
            Ok(Plan::Stuck { is_lost: true }) => info!(session, game, "would close the game, lost"),
            Ok(Plan::Stuck { is_lost: false }) => {
                info!(session, game, "would close the game, drawn")
            }
            Ok(Plan::Won) => info!(session, game, "would close the game, won"),
            Err(why) => info!(session, game, "would leave it alone: {why}"),
        }
    }

    /// Does all that the turn asks for; `mind` plays the game of the session.
    pub(super) fn take(mut self, mind: &mut dyn Mind) -> Ended {
        let outcome = self.step(mind).unwrap_or_else(|error| match error {
            // The seat or the session is gone.
            CallError::NotFound => Outcome::Left(Left::Unknown),
            error => Outcome::Again(error, self.job.pending.clone().map(Box::new)),
        });
        Ended { outcome, left: self.left, offered: self.offered, seat: self.seat }
    }

    fn session(&self) -> u64 {
        self.job.row.id
    }

    fn step(&mut self, mind: &mut dyn Mind) -> Result<Outcome, CallError> {
        if self.job.row.setup.is_empty() && self.options.arbiter {
            return Ok(Outcome::Left(Left::NoPosition));
        }
        if self.job.row.setup.is_empty() {
            debug!(
                session = self.session(),
                game = self.job.game.game.name(),
                "sends the start position"
            );
            self.server.set_up(self.session(), &mind::start(self.job.game.game))?;
            return Ok(Outcome::Done);
        }
        // Asking for the record has no consequences.
        let record = self.record()?;
        if let Some(pending) = self.job.pending.as_ref().filter(|sent| is_stored(&record, sent)) {
            info!(session = self.session(), mv = %pending.posting.text, "the move had arrived");
            let outcome = self.after(pending.posting.uid, pending.posting.turn, &pending.choice);
            // The opponent may have answered by now: then it is this side's turn again.
            if record.last().is_some_and(|last| last.player == pending.player) {
                return Ok(outcome);
            }
        }
        // If the server has failed between storing a move and the position, the opponent's page must
        // still be shown the move, and would not after a recovery.
        let turn = notation::to_move(self.job.row.setup.as_str());
        if let Some(last) = record.last().filter(|last| turn == Some(last.player)) {
            return self.moved(last);
        }
        // Lists may show an offer of a draw on the other's turn, too.
        let own = self.job.row.player(self.server.user());
        if own.is_some() && turn.is_some() && own != turn {
            return Ok(Outcome::Left(Left::Waiting));
        }
        let recovery = self.server.recovery(self.session())?;
        if recovery.uid == 0 {
            return Ok(Outcome::Left(Left::NotOurs));
        }
        if recovery.setup.is_empty() {
            return Err(CallError::NotUnderstood("a session without a position".to_owned()));
        }
        if recovery.variant != 0 && recovery.variant != self.job.game.variant {
            return Ok(Outcome::Left(Left::OtherGame(recovery.variant)));
        }
        self.seat = Some(Seat { uid: recovery.uid, player: recovery.player });
        let clock = Clock { left: recovery.time_limit, additional: recovery.additional_time };
        self.left = clock.remaining();
        let (said, is_known) = match self.server.said(recovery.uid) {
            Ok(said) => (said, true),
            Err(error) if self.must_go_on(&error) => (Vec::new(), false),
            Err(error) => return Err(error),
        };
        if said.iter().any(|said| said.result == Said::LOST) {
            return self.close(recovery.uid, Verdict::Won, "the opponent resigns");
        }
        let is_offered_draw = said.iter().any(|said| said.result == Said::DRAW);
        let again = self.job.pending.as_ref().filter(|pending| pending.fits(&recovery));
        let plan = match again {
            Some(pending) => Plan::Move(pending.choice.clone()),
            None => {
                let question = Question {
                    session: self.session(),
                    setup: recovery.setup.as_str(),
                    player: Some(recovery.player),
                    record: &record,
                    clock,
                    move_time: self.options.move_time,
                    is_offered_draw,
                };
                match mind.think(&question) {
                    Ok(plan) => plan,
                    Err(odd) => return Ok(Outcome::Left(odd.into())),
                }
            }
        };
        match plan {
            Plan::Won => self.close(
                recovery.uid,
                Verdict::Won,
                "by the move before; the opponent has moved on nevertheless",
            ),
            Plan::Stuck { is_lost: true } => {
                self.close(recovery.uid, Verdict::Lost, "there is no move")
            }
            Plan::Stuck { is_lost: false } => self.close(recovery.uid, Verdict::Drawn, "stalemate"),
            Plan::Move(choice) if is_offered_draw && choice.outlook == Outlook::Drawn => {
                self.close(recovery.uid, Verdict::Drawn, "takes the draw that is offered")
            }
            Plan::Move(choice) => {
                if !is_known || said.iter().any(|said| said.result != 0) {
                    let what = match is_offered_draw {
                        true => "declines the draw that is offered",
                        false => "answers what the opponent may have said",
                    };
                    info!(session = self.session(), worth = %choice.worth, "{what}");
                    let dismissed = self.server.dismiss(self.session());
                    dismissed.or_else(|error| match self.must_go_on(&error) {
                        true => Ok(()),
                        false => Err(error),
                    })?;
                }
                Ok(self.play(recovery, choice))
            }
        }
    }

    /// What is done where the record's last move is one of the side that is to move by the list.
    ///
    /// The server stores a move, and then notes that it is the other's turn. If it stops in between,
    /// nobody would ever be asked to move: then the move is taken back, and made anew.
    fn moved(&self, last: &Played) -> Result<Outcome, CallError> {
        // What an arbiter confirms goes on by that.
        let is_half_stored = self.job.row.last_turn < last.turn && !self.options.arbiter;
        if !is_half_stored || self.job.unmoved < self.options.pace.undo {
            return Ok(Outcome::Left(Left::Moved));
        }
        let Some(seat) = self.seat else { return Ok(Outcome::Left(Left::NoSeat)) };
        if seat.player != last.player {
            return Ok(Outcome::Left(Left::Waiting));
        }
        let (session, turn) = (self.session(), last.turn);
        match self.server.undo(seat.uid) {
            Ok(()) => warn!(session, turn, "took back a move that was stored but never passed on"),
            Err(CallError::NotFound) => return Ok(Outcome::Left(Left::Seen)),
            // The record will tell. Two attempts at the same time could take back two moves, so that
            // the next one comes as late as this one.
            Err(error) if error.is_unclear() => {
                warn!(session, turn, %error, "could not take back a move that was stored but never passed on");
            }
            Err(error) => return Err(error),
        }
        Ok(Outcome::Undone)
    }

    /// The moves of the session; none if there is no record.
    fn record(&self) -> Result<Vec<Played>, CallError> {
        match self.server.record(self.session()) {
            Ok(mut record) => {
                record.sort_by_key(|played| played.turn);
                Ok(record)
            }
            Err(CallError::NotFound) => Ok(Vec::new()),
            Err(error) if self.must_go_on(&error) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Whether to do without an answer: the turn has failed often enough, and would again.
    fn must_go_on(&self, error: &CallError) -> bool {
        const PATIENCE: u32 = 3;
        error.is_unclear() && self.job.failures >= PATIENCE
    }

    fn play(&mut self, recovery: Recovery, choice: Choice) -> Outcome {
        let posting = Posting {
            uid: recovery.uid,
            turn: recovery.last_turn + 1,
            text: choice.text.clone(),
            setup: (!self.options.arbiter).then(|| choice.setup.clone()),
            next_player: choice.next_player,
        };
        let Choice { text, worth, .. } = &choice;
        match self.server.play(&posting) {
            Ok(()) => {
                debug!(
                    session = self.session(), game = self.job.game.game.name(), turn = posting.turn,
                    mv = %text, %worth, left_s = self.left.map(|left| left.as_secs()), "moves"
                );
                self.after(posting.uid, posting.turn, &choice)
            }
            Err(CallError::NotFound) => Outcome::Left(Left::Unknown),
            // It may be there, or another move of this turn.
            Err(error) => {
                match error.is_unclear() {
                    true => {
                        warn!(session = self.session(), turn = posting.turn, mv = %text, %error, "it is not known whether the move has arrived");
                    }
                    false => {
                        info!(session = self.session(), turn = posting.turn, mv = %text, %error, "the move was not taken");
                    }
                }
                let before = recovery.setup;
                let pending = Pending { posting, player: recovery.player, before, choice };
                Outcome::Again(error, Some(Box::new(pending)))
            }
        }
    }

    /// What is done when the server has a move.
    fn after(&mut self, uid: u64, turn: u64, choice: &Choice) -> Outcome {
        /// A draw is not offered again for so many plies.
        const SILENCE: u64 = 40;
        let closed = match choice.outlook {
            // The arbiter says who has won.
            _ if self.options.arbiter => Ok(()),
            Outlook::Won => self.close(uid, Verdict::Won, "by this move").map(|_| ()),
            Outlook::Stalemate => self.close(uid, Verdict::Drawn, "stalemate").map(|_| ()),
            Outlook::Drawn if self.offered == 0 || turn >= self.offered + SILENCE => {
                self.offered = turn;
                info!(
                    session = self.session(),
                    "offers a draw: by the rules of the game it is one"
                );
                self.server.offer_draw(self.session(), uid)
            }
            Outlook::Drawn | Outlook::Open => Ok(()),
        };
        if let Err(error) = closed {
            // The opponent's page closes a game as well.
            warn!(session = self.session(), %error, "could not close the game or offer a draw");
        }
        Outcome::Done
    }

    /// Ends the game, and takes away what stands unanswered.
    fn close(&self, uid: u64, verdict: Verdict, why: &str) -> Result<Outcome, CallError> {
        const ATTEMPTS: u32 = 3;
        // After a winning move no list shows the session, so that nothing would remind of it. Closing
        // twice does no harm.
        let mut closed = self.server.close(uid, verdict);
        for attempt in 1..ATTEMPTS {
            if closed.is_ok() {
                break;
            }
            thread::sleep(self.options.pace.after(attempt));
            closed = self.server.close(uid, verdict);
        }
        closed?;
        info!(
            session = self.session(),
            game = self.job.game.game.name(),
            %verdict,
            why,
            "ends the game"
        );
        if let Err(error) = self.server.dismiss(self.session()) {
            warn!(session = self.session(), %error, "could not answer what the opponent has said");
        }
        Ok(Outcome::Done)
    }
}

impl Pending {
    /// Whether a session is still where the move was sent from.
    fn fits(&self, recovery: &Recovery) -> bool {
        let Posting { uid, turn, .. } = self.posting;
        (uid, turn) == (recovery.uid, recovery.last_turn + 1) && self.before == recovery.setup
    }
}

/// Whether the record has the move.
fn is_stored(record: &[Played], pending: &Pending) -> bool {
    let is_it =
        |played: &Played| played.turn >= pending.posting.turn && played.player == pending.player;
    record.iter().any(is_it)
}
