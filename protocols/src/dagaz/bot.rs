use super::desk::Desk;
use super::error::{BotError, CallError};
use super::mind::{self, Mind};
use super::options::BotOptions;
use super::seek::Seeker;
use super::server::Server;
use super::site::{self, SiteGame};
use super::turn::{Ended, Job, Turn};
use damka_engine::Control;
use damka_games::AnyGame;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use tracing::{error, info, warn};

/// How soon a wish to stop is noticed.
const INTERVAL: Duration = Duration::from_millis(20);

/// A bot: see [`BotOptions`].
pub struct Bot {
    options: BotOptions,
    games: Vec<SiteGame>,
    server: Server,
}

/// What a worker does: the turns that come, and it tells how they have ended.
struct Worker {
    jobs: Sender<Job>,
    is_idle: bool,
}

/// A turn that has ended, and whose it was.
struct Finished {
    worker: usize,
    job: Job,
    ended: Option<Ended>,
}

/// Who plays which game.
type Minds = Vec<(AnyGame, Box<dyn Mind>)>;

impl Bot {
    /// A bot that has been told this. Nothing is sent yet.
    ///
    /// # Errors
    /// What it is told makes no sense.
    pub fn new(options: BotOptions) -> Result<Bot, BotError> {
        let names = || site::games().map(AnyGame::name).collect::<Vec<_>>().join(", ");
        let of = |&game: &AnyGame| {
            SiteGame::of(game).ok_or_else(|| BotError::Game(game.name(), names()))
        };
        let games: Vec<SiteGame> = options.games.iter().map(of).collect::<Result<_, _>>()?;
        if games.is_empty() {
            return Err(BotError::NoGame(names()));
        }
        Ok(Bot { server: Server::new(&options)?, games, options })
    }

    /// Logs in, and plays until `stop` is told to stop, or until all is done that is to be done
    /// [once](BotOptions::once). Moves that are thought about are made before.
    ///
    /// # Errors
    /// The first login fails, or nobody can play with the settings. Whatever happens later is told
    /// in the log, and it goes on; only what is to be done once may fail.
    pub fn run(&self, stop: &Control) -> Result<(), BotError> {
        let searches = if self.options.dry_run { 1 } else { self.options.searches.max(1) };
        let minds = (0..searches).map(|_| self.minds()).collect::<Result<Vec<Minds>, _>>()?;
        self.server.enter()?;
        let mut seeker = Seeker::new(&self.server, &self.options, &self.games);
        let is_seeking = self.options.seek.is_active();
        if self.options.dry_run || self.options.once {
            if is_seeking {
                seeker.look().map_err(|error| self.failed(error))?;
            }
            return match self.options.dry_run {
                true => self.rehearse(minds),
                false => self.play(minds, stop),
            };
        }
        thread::scope(|scope| {
            if is_seeking {
                scope.spawn(move || self.seek(seeker, stop));
            }
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

    /// Looks for games from time to time.
    fn seek(&self, mut seeker: Seeker<'_>, stop: &Control) {
        let mut failures = 0;
        while !stop.is_stopped() {
            let wait = match seeker.look() {
                Ok(()) => {
                    failures = 0;
                    self.options.pace.seek
                }
                Err(error) => {
                    failures += 1;
                    warn!(%error, "could not look for games");
                    self.options.pace.after(failures)
                }
            };
            let until = Instant::now() + wait;
            while !stop.is_stopped() && Instant::now() < until {
                thread::sleep(INTERVAL.min(wait));
            }
        }
    }

    /// Plays with so many workers as there are minds.
    fn play(&self, minds: Vec<Minds>, stop: &Control) -> Result<(), BotError> {
        let (sender, finished) = channel();
        thread::scope(|scope| {
            let start = |(number, minds)| {
                let (jobs, receiver) = channel();
                let sender = sender.clone();
                scope.spawn(move || self.work(number, minds, receiver, sender));
                Worker { jobs, is_idle: true }
            };
            let mut workers: Vec<Worker> = minds.into_iter().enumerate().map(start).collect();
            let mut desk = Desk::new(self.games.clone(), self.options.pace);
            let mut failures = 0;
            // When this ends, workers have no more jobs, and end as well.
            while !stop.is_stopped() {
                let asked = Instant::now();
                let wait = match self.server.current() {
                    Ok(rows) => {
                        failures = 0;
                        let jobs = desk.due(rows, asked, Instant::now());
                        if self.options.once && jobs.is_empty() && !desk.is_busy() {
                            return Ok(());
                        }
                        hand_out(jobs, &mut workers, &mut desk);
                        self.options.pace.poll
                    }
                    Err(error) if self.options.once => return Err(self.failed(error)),
                    Err(error) => {
                        failures += 1;
                        let wait = self.options.pace.after(failures);
                        warn!(%error, wait_ms = wait.as_millis() as u64, "could not ask for the games");
                        wait
                    }
                };
                let until = asked + wait;
                while !stop.is_stopped() {
                    let rest = until.saturating_duration_since(Instant::now());
                    if let Ok(finished) = finished.recv_timeout(rest.min(INTERVAL)) {
                        settle(finished, &mut workers, &mut desk);
                    } else if rest.is_zero() {
                        break;
                    }
                }
            }
            if desk.is_busy() {
                info!("finishes the moves in hand");
            }
            Ok(())
        })
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

/// Gives the first jobs to workers who have none.
fn hand_out(jobs: Vec<Job>, workers: &mut [Worker], desk: &mut Desk) {
    let idle = workers.iter_mut().filter(|worker| worker.is_idle);
    for (worker, job) in idle.zip(jobs) {
        desk.begin(&job);
        worker.is_idle = false;
        // Workers end when there are no more jobs, and not before.
        let _ = worker.jobs.send(job);
    }
}

/// Takes in what a worker has done.
fn settle(finished: Finished, workers: &mut [Worker], desk: &mut Desk) {
    let Finished { worker, job, ended } = finished;
    workers[worker].is_idle = true;
    desk.end(&job, ended, Instant::now());
}
