use super::alone::Alone;
use super::crew::{Crew, Finished, INTERVAL};
use super::desk::Desk;
use super::error::{BotError, CallError};
use super::mind::{self, Mind};
use super::options::BotOptions;
use super::seek::Seeker;
use super::server::Server;
use super::site::{self, SiteGame};
use super::tally::Counts;
use super::turn::{Ended, Job, Turn};
use damka_engine::Control;
use damka_games::AnyGame;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;
use tracing::{error, info, warn};

/// A bot: see [`BotOptions`].
pub struct Bot {
    options: BotOptions,
    games: Vec<SiteGame>,
    server: Arc<Server>,
}

/// Who plays which game.
type Minds = Vec<(AnyGame, Box<dyn Mind>)>;

impl Bot {
    /// A bot that has been told this. Nothing is sent yet.
    ///
    /// # Errors
    /// What it is told makes no sense.
    pub fn new(mut options: BotOptions) -> Result<Bot, BotError> {
        let names = || site::games().map(AnyGame::name).collect::<Vec<_>>().join(", ");
        let of = |&game: &AnyGame| {
            SiteGame::of(game).ok_or_else(|| BotError::Game(game.name(), names()))
        };
        let mut games: Vec<SiteGame> = Vec::new();
        for game in options.games.iter().map(of) {
            let game = game?;
            if !games.contains(&game) {
                games.push(game);
            }
        }
        if games.is_empty() {
            return Err(BotError::NoGame(names()));
        }
        options.games = games.iter().map(|game| game.game).collect();
        Ok(Bot { server: Arc::new(Server::new(&options)?), games, options })
    }

    /// Logs in, and plays until `stop` is told to stop, or until all is done that is to be done
    /// [once](BotOptions::once). Moves that are thought about are made before. Nothing that the server
    /// or an opponent has written is logged: it may repeat the password.
    ///
    /// # Errors
    /// The first login fails, or nobody can play with the settings. Whatever happens later is told
    /// in the log, and it goes on; only what is to be done once may fail.
    pub fn run(&self, stop: &Control) -> Result<(), BotError> {
        let searches = if self.options.dry_run { 1 } else { self.options.searches.max(1) };
        let minds = (0..searches).map(|_| self.minds()).collect::<Result<Vec<Minds>, _>>()?;
        let games = self.games.clone();
        let is_alone = !self.options.dry_run;
        // The host's name is looked up, too, which may take as long as a login.
        let enter = move |server: &Server| {
            let alone = is_alone.then(|| Alone::new(server.base(), server.user(), &games));
            let alone = alone.transpose()?;
            server.enter().map(|()| alone)
        };
        let Some(entered) = self.server.unless_stopped(stop, enter) else { return Ok(()) };
        let _alone = entered?;
        let mut seeker = Seeker::new(&self.server, &self.options, &self.games, stop);
        if self.options.dry_run || self.options.once {
            if self.options.seek.is_active() {
                seeker.look().map_err(|error| self.failed(error))?;
            }
            return match self.options.dry_run {
                true => self.rehearse(minds),
                false => self.play(minds, stop),
            };
        }
        thread::scope(|scope| {
            scope.spawn(move || self.seek(seeker, stop));
            self.play(minds, stop)
        })
    }

    /// Somebody for each game.
    fn minds(&self) -> Result<Minds, BotError> {
        let mind =
            |game: &SiteGame| Ok((game.game, mind::mind(game.game, &self.options.settings)?));
        self.games.iter().map(mind).collect()
    }

    fn failed(&self, error: CallError) -> BotError {
        BotError::Server { url: damka_games::excerpt(&self.options.url), error }
    }

    /// Tells what would be done now.
    fn rehearse(&self, minds: Vec<Minds>) -> Result<(), BotError> {
        let now = Instant::now();
        let rows = self.server.current().map_err(|error| self.failed(error))?;
        let jobs = Desk::new(self.games.clone(), self.options.pace).due(rows, now, now);
        info!(sessions = jobs.len(), "would play");
        for mut minds in minds {
            for job in &jobs {
                if let Some(mind) = mind_of(&mut minds, job) {
                    Turn::new(&self.server, &self.options, job).rehearse(&mut **mind);
                }
            }
        }
        Ok(())
    }

    /// Looks at the user's games, and for others, from time to time.
    fn seek(&self, mut seeker: Seeker<'_>, stop: &Control) {
        let mut failures = 0;
        let mut summed_up = Instant::now();
        while !stop.is_stopped() {
            if summed_up.elapsed() >= self.options.pace.summary {
                summed_up = Instant::now();
                self.sum_up(seeker.open());
            }
            let wait = match seeker.look() {
                Ok(()) => {
                    failures = 0;
                    self.options.pace.seek
                }
                Err(error) => {
                    failures += 1;
                    warn!(%error, "could not look at the games");
                    self.options.pace.after(failures)
                }
            };
            let until = Instant::now() + wait;
            while !stop.is_stopped() && Instant::now() < until {
                thread::sleep(INTERVAL.min(wait));
            }
        }
    }

    /// Tells the operator what has been done since the last summary.
    pub(super) fn sum_up(&self, open: usize) {
        let Counts { moves, failures, last_success } = self.server.tally().take();
        let last_success_s = last_success.map(|ago| ago.as_secs());
        info!(open, moves, failures, last_success_s, "summary");
    }

    /// Plays with so many workers as there are minds.
    fn play(&self, minds: Vec<Minds>, stop: &Control) -> Result<(), BotError> {
        let (sender, finished) = channel();
        thread::scope(|scope| {
            let start = |(number, minds)| {
                let (jobs, receiver) = channel();
                let sender = sender.clone();
                scope.spawn(move || self.work(number, minds, receiver, sender));
                jobs
            };
            let workers = minds.into_iter().enumerate().map(start).collect();
            let desk = Desk::new(self.games.clone(), self.options.pace);
            let mut crew = Crew::new(workers, finished, desk);
            let ended = match self.options.once {
                true => self.play_once(&mut crew, stop),
                false => {
                    self.play_on(&mut crew, stop);
                    Ok(())
                }
            };
            if crew.is_busy() {
                info!("finishes the moves in hand");
            }
            ended
        })
    }

    /// Takes the turns that are due now.
    fn play_once(&self, crew: &mut Crew, stop: &Control) -> Result<(), BotError> {
        let asked = Instant::now();
        let rows = self.server.current().map_err(|error| self.failed(error))?;
        crew.set_list(Some(rows), asked);
        crew.work_off(stop);
        match crew.failed() {
            0 => Ok(()),
            failed => Err(BotError::Unfinished(failed)),
        }
    }

    /// Takes turns until it is told to stop.
    fn play_on(&self, crew: &mut Crew, stop: &Control) {
        let mut failures = 0;
        while !stop.is_stopped() {
            let asked = Instant::now();
            let Some(rows) = self.server.unless_stopped(stop, Server::current) else { break };
            let wait = match rows {
                Ok(rows) => {
                    failures = 0;
                    crew.set_list(Some(rows), asked);
                    self.options.pace.poll
                }
                Err(error) => {
                    failures += 1;
                    crew.set_list(None, asked);
                    let wait = self.options.pace.after(failures);
                    warn!(%error, wait_ms = wait.as_millis() as u64, "could not ask for the games");
                    wait
                }
            };
            crew.wait(asked + wait, stop);
        }
    }

    /// Takes the turns that come.
    fn work(
        &self,
        worker: usize,
        mut minds: Minds,
        jobs: Receiver<Job>,
        finished: Sender<Finished>,
    ) {
        for job in jobs {
            let ended = mind_of(&mut minds, &job).and_then(|mind| self.turn(&job, mind));
            if finished.send(Finished { worker, job, ended }).is_err() {
                return;
            }
        }
    }

    /// Takes a turn; `None` if it did not come to an end.
    fn turn(&self, job: &Job, mind: &mut Box<dyn Mind>) -> Option<Ended> {
        let turn = Turn::new(&self.server, &self.options, job);
        // What nobody has thought of in one game must not end the others.
        let ended = catch_unwind(AssertUnwindSafe(|| turn.take(&mut **mind))).ok();
        if ended.is_none() {
            error!(session = job.row.id, "a fault of the bot's own: please report it");
            // What is remembered may be in disorder.
            if let Ok(fresh) = mind::mind(job.game.game, &self.options.settings) {
                *mind = fresh;
            }
        }
        ended
    }
}

fn mind_of<'a>(minds: &'a mut Minds, job: &Job) -> Option<&'a mut Box<dyn Mind>> {
    minds.iter_mut().find(|(game, _)| *game == job.game.game).map(|(_, mind)| mind)
}
