//! Takes one turn: asks the site for the position, chooses, and plays.

use crate::chooser::{Chooser, Plan, Question};
use crate::error::CallError;
use crate::options::BotOptions;
use crate::site::{
    Arrived, BotResult, Choice, Idle, IdleKind, Opening, Outlook, Ready, Site, Step, Turn,
};
use crate::tracker::{Ended, Job, TurnOutcome};
use std::thread;
use std::time::Duration;
use tracing::{debug, info, warn};

/// A turn in progress.
pub(crate) struct TurnInProgress<'a, S: Site> {
    site: &'a S,
    options: &'a BotOptions,
    turn: Turn<'a, S::Memory>,
    left: Option<Duration>,
    offered: u64,
}

/// Takes a turn.
pub(crate) fn take<S: Site>(
    site: &S,
    options: &BotOptions,
    job: &Job<S::Memory>,
    chooser: &mut dyn Chooser,
) -> Ended<S::Memory> {
    let mut memory = job.memory.clone();
    let mut in_progress = TurnInProgress::new(site, options, job, &mut memory);
    let outcome = in_progress.step(chooser).unwrap_or_else(|error| match error {
        CallError::NotFound => {
            TurnOutcome::Left(Idle::new(IdleKind::Over, "the server does not know this game"))
        }
        error => TurnOutcome::Failed(error),
    });
    let TurnInProgress { left, offered, .. } = in_progress;
    let is_unsettled = site.is_unsettled(&memory);
    Ended { outcome, memory, is_unsettled, left, offered }
}

/// Logs what would be done in a turn.
pub(crate) fn rehearse<S: Site>(
    site: &S,
    options: &BotOptions,
    job: &Job<S::Memory>,
    chooser: &mut dyn Chooser,
) {
    let mut memory = job.memory.clone();
    let mut in_progress = TurnInProgress::new(site, options, job, &mut memory);
    let (session, game) = (job.notice.id, job.game.name());
    let step = match site.preview(&mut in_progress.turn) {
        Ok(opening) => opening.step,
        Err(error) => {
            info!(session, game, "would leave it alone: {error}");
            return;
        }
    };
    match in_progress.plan(step, chooser) {
        Decided::Play(_, choice) => {
            info!(session, game, mv = %choice.mv, worth = %choice.score, "would move");
        }
        Decided::End(verdict, _) => info!(session, game, "would close the game, {verdict}"),
        Decided::TurnOutcome(TurnOutcome::Left(Idle { why, .. })) => {
            info!(session, game, "would leave it alone: {why}");
        }
        Decided::TurnOutcome(_) => {}
    }
}

/// What was decided for a turn.
enum Decided {
    Play(Ready, Choice),
    End(BotResult, &'static str),
    TurnOutcome(TurnOutcome),
}

impl<'a, S: Site> TurnInProgress<'a, S> {
    fn new(
        site: &'a S,
        options: &'a BotOptions,
        job: &'a Job<S::Memory>,
        memory: &'a mut S::Memory,
    ) -> TurnInProgress<'a, S> {
        let Job { notice, game, failures, offered, unmoved, .. } = job;
        let turn = Turn { notice, game: *game, memory, failures: *failures, unmoved: *unmoved };
        TurnInProgress { site, options, turn, left: None, offered: *offered }
    }

    fn session(&self) -> u64 {
        self.turn.notice.id
    }

    fn step(&mut self, chooser: &mut dyn Chooser) -> Result<TurnOutcome, CallError> {
        let Opening { arrived, step } = self.site.open(&mut self.turn)?;
        if let Some(Arrived { choice, ply }) = arrived {
            info!(session = self.session(), mv = %choice.mv, "the move had arrived");
            self.follow_up(&choice, ply);
        }
        match self.plan(step, chooser) {
            Decided::TurnOutcome(outcome) => Ok(outcome),
            Decided::End(verdict, why) => self.end(verdict, why),
            Decided::Play(ready, choice) => {
                if ready.must_answer {
                    let what = match ready.is_draw_offered {
                        true => "declines the draw that is offered",
                        false => "answers a statement that the opponent may have made",
                    };
                    info!(session = self.session(), worth = %choice.score, "{what}");
                    if let Err(error) = self.site.decline(&mut self.turn)
                        && !self.turn.must_go_on(&error)
                    {
                        return Err(error);
                    }
                }
                Ok(self.play(&ready, &choice))
            }
        }
    }

    /// Decides what to do, given the answer of the site.
    fn plan(&mut self, step: Step, chooser: &mut dyn Chooser) -> Decided {
        let ready = match step {
            Step::Choose(ready) => ready,
            Step::End { verdict, why } => return Decided::End(verdict, why),
            Step::Leave(idle) => return Decided::TurnOutcome(TurnOutcome::Left(idle)),
            Step::Undone => return Decided::TurnOutcome(TurnOutcome::Undone),
            Step::Done(what) => {
                if self.options.dry_run {
                    info!(session = self.session(), game = self.turn.game.name(), "would {what}");
                }
                return Decided::TurnOutcome(TurnOutcome::Done);
            }
        };
        self.left = ready.left;
        let plan = match &ready.chosen {
            Some(choice) => Plan::Play(choice.clone()),
            None => {
                let question = Question {
                    id: self.session(),
                    start: &ready.start,
                    moves: &ready.moves,
                    time: ready.time,
                    move_time: self.options.move_time,
                    is_draw_offered: ready.is_draw_offered,
                };
                match chooser.choose(&question) {
                    Ok(plan) => plan,
                    Err(_) => {
                        let idle = Idle::new(IdleKind::Wrong, "its position is not understood");
                        return Decided::TurnOutcome(TurnOutcome::Left(idle));
                    }
                }
            }
        };
        match plan {
            Plan::NoMove { is_lost: true } => Decided::End(BotResult::Lost, "there is no move"),
            Plan::NoMove { is_lost: false } => Decided::End(BotResult::Drawn, "stalemate"),
            Plan::Play(choice) if ready.is_draw_offered && choice.outlook == Outlook::Drawn => {
                Decided::End(BotResult::Drawn, "takes the draw that is offered")
            }
            Plan::Play(choice) => Decided::Play(ready, choice),
        }
    }

    /// Plays a move.
    fn play(&mut self, ready: &Ready, choice: &Choice) -> TurnOutcome {
        let (session, turn) = (self.session(), ready.ply + 1);
        let Choice { mv, score, .. } = choice;
        match self.site.play(&mut self.turn, ready, choice) {
            Ok(()) => {
                self.site.tally().note_move();
                let left_s = self.left.map(|left| left.as_secs());
                let game = self.turn.game.name();
                debug!(session, game, turn, mv = %mv, worth = %score, left_s, "moves");
                self.follow_up(choice, turn);
                TurnOutcome::Done
            }
            Err(CallError::NotFound) => {
                TurnOutcome::Left(Idle::new(IdleKind::Over, "the server does not know this game"))
            }
            // This move, or another move of this turn, may have been stored.
            Err(error) => {
                match error.is_unclear() {
                    true => {
                        warn!(session, turn, mv = %mv, %error, "it is not known whether the move has arrived");
                    }
                    false => info!(session, turn, mv = %mv, %error, "the move was not taken"),
                }
                TurnOutcome::Failed(error)
            }
        }
    }

    /// Claims a win or offers a draw after a move, unless the site sees the end itself.
    fn follow_up(&mut self, choice: &Choice, ply: u64) {
        /// The number of plies after which a draw may be offered again.
        const SILENCE: u64 = 40;
        let followed = match choice.outlook {
            _ if self.site.sees_ends() => Ok(()),
            Outlook::Won => self.end(BotResult::Won, "by this move").map(drop),
            Outlook::Stalemate => self.end(BotResult::Drawn, "stalemate").map(drop),
            Outlook::Drawn if self.offered == 0 || ply >= self.offered + SILENCE => {
                self.offered = ply;
                info!(
                    session = self.session(),
                    "offers a draw: by the rules of the game it is one"
                );
                self.site.offer_draw(&mut self.turn)
            }
            Outlook::Drawn | Outlook::Open => Ok(()),
        };
        if let Err(error) = followed {
            // The opponent can end the game as well.
            warn!(session = self.session(), %error, "could not close the game or offer a draw");
        }
    }

    /// Ends the game, and dismisses the opponent's statements.
    fn end(&mut self, verdict: BotResult, why: &str) -> Result<TurnOutcome, CallError> {
        const ATTEMPTS: u32 = 3;
        // After a winning move it is the opponent's turn, so no list would show this game again.
        // Ending it twice does no harm.
        let mut ended = self.site.end(&mut self.turn, verdict);
        for attempt in 1..ATTEMPTS {
            if ended.is_ok() {
                break;
            }
            thread::sleep(self.options.pace.after(attempt));
            ended = self.site.end(&mut self.turn, verdict);
        }
        ended?;
        let (session, game) = (self.session(), self.turn.game.name());
        info!(session, game, %verdict, why, "ends the game");
        if let Err(error) = self.site.decline(&mut self.turn) {
            warn!(session, %error, "could not dismiss the opponent's statements");
        }
        Ok(TurnOutcome::Done)
    }
}
