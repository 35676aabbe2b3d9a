use crate::chooser::{Chooser, choosers};
use crate::crew::{Crew, Finished};
use crate::error::{BotError, CallError};
use crate::interrupt::{INTERVAL, unless_stopped};
use crate::lock::Lock;
use crate::options::BotOptions;
use crate::seek::Seeker;
use crate::site::Site;
use crate::tally::Counts;
use crate::tracker::{Ended, Job, Tracker};
use crate::turn;
use damka_engine::Control;
use damka_games::{AnyGame, excerpt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;
use tracing::{error, info, warn};

/// A bot on a site: see [`BotOptions`].
pub struct Bot<S> {
    site: Arc<S>,
    options: BotOptions,
}

/// The choosers of one worker, by game.
type Choosers = Vec<(AnyGame, Box<dyn Chooser>)>;

impl<S: Site> Bot<S> {
    /// A bot. Nothing is sent yet.
    ///
    /// # Errors
    /// There is no game to play, or the site does not have one.
    pub fn new(site: S, mut options: BotOptions) -> Result<Bot<S>, BotError> {
        let names = || {
            let games = AnyGame::all().filter(|&game| site.has(game));
            games.map(AnyGame::name).collect::<Vec<_>>().join(", ")
        };
        let mut games: Vec<AnyGame> = Vec::new();
        for game in options.games {
            if !site.has(game) {
                let (game, site) = (game.name(), S::NAME);
                return Err(BotError::Game { game, site, games: names() });
            }
            if !games.contains(&game) {
                games.push(game);
            }
        }
        if games.is_empty() {
            return Err(BotError::NoGame(names()));
        }
        options.games = games;
        Ok(Bot { site: Arc::new(site), options })
    }

    /// Logs in, and plays until stopped; with [`once`](BotOptions::once), only until the turns that
    /// are due have been taken. Searches in progress are finished and their moves played. Text that the
    /// server or an opponent has written is not logged, because it may repeat the password.
    ///
    /// # Errors
    /// The first login fails, or the settings cannot be honoured. Later failures are logged, and the bot
    /// goes on, unless turns are taken once.
    pub fn run(&self, stop: &Control) -> Result<(), BotError> {
        let workers = self.choosers()?;
        let options = &self.options;
        let games = options.games.clone();
        let needs_lock = !options.dry_run;
        // `Lock::new` resolves the host's name, which may take as long as a login: a stop ends both waits.
        let enter = move |site: &S| {
            let lock = needs_lock.then(|| Lock::new(site.address(), site.user(), &games));
            lock.transpose().map(|lock| (lock, site.log_in()))
        };
        let Some(entered) = unless_stopped(&self.site, stop, enter) else { return Ok(()) };
        let (_lock, logged_in) = entered?;
        logged_in.map_err(|error| match error {
            CallError::Login => {
                let user = excerpt(self.site.user());
                BotError::Login { url: excerpt(self.site.address()), user }
            }
            error => self.failed(error),
        })?;
        let tracker = Mutex::new(Tracker::new(options.pace));
        let mut seeker = Seeker::new(&self.site, options, &tracker, stop);
        if options.dry_run || options.once {
            if options.seek.is_active() {
                seeker.look().map_err(|error| self.failed(error))?;
            }
            return match options.dry_run {
                true => self.rehearse(workers, &tracker),
                false => self.play(workers, &tracker, stop),
            };
        }
        thread::scope(|scope| {
            scope.spawn(|| self.seek(seeker, stop));
            self.play(workers, &tracker, stop)
        })
    }

    /// The choosers of each worker. Choosers of the same game share tables, weights and book.
    fn choosers(&self) -> Result<Vec<Choosers>, BotError> {
        let BotOptions { games, settings, searches, dry_run, .. } = &self.options;
        let count = if *dry_run { 1 } else { (*searches).max(1) };
        let mut workers: Vec<Choosers> = (0..count).map(|_| Vec::new()).collect();
        for &game in games {
            let choosers = choosers(game, settings, count)?;
            for (worker, chooser) in workers.iter_mut().zip(choosers) {
                worker.push((game, chooser));
            }
        }
        Ok(workers)
    }

    fn failed(&self, error: CallError) -> BotError {
        BotError::Server { url: excerpt(self.site.address()), error }
    }

    /// Logs what would be done now.
    fn rehearse(
        &self,
        workers: Vec<Choosers>,
        tracker: &Mutex<Tracker<S::Memory>>,
    ) -> Result<(), BotError> {
        let now = Instant::now();
        let list = self.site.events().map_err(|error| self.failed(error))?;
        let jobs = match tracker.lock() {
            Ok(mut tracker) => tracker.due(list, now, now),
            Err(poisoned) => poisoned.into_inner().due(list, now, now),
        };
        info!(sessions = jobs.len(), "would play");
        for mut choosers in workers {
            for job in &jobs {
                if let Some(chooser) = chooser_of(&mut choosers, job.game) {
                    turn::rehearse(&*self.site, &self.options, job, &mut **chooser);
                }
            }
        }
        Ok(())
    }

    /// Lists the user's games and looks for new ones at intervals, until stopped.
    fn seek(&self, mut seeker: Seeker<'_, S>, stop: &Control) {
        let mut failures = 0;
        let mut last_summary = Instant::now();
        while !stop.is_stopped() {
            if last_summary.elapsed() >= self.options.pace.summary {
                last_summary = Instant::now();
                self.log_summary(seeker.open());
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

    /// Logs what has been done since the last summary.
    pub(crate) fn log_summary(&self, open: usize) {
        let Counts { moves, failures, last_success } = self.site.tally().take();
        let last_success_s = last_success.map(|ago| ago.as_secs());
        info!(open, moves, failures, last_success_s, "summary");
    }

    /// Plays with one worker for each set of choosers.
    fn play(
        &self,
        workers: Vec<Choosers>,
        tracker: &Mutex<Tracker<S::Memory>>,
        stop: &Control,
    ) -> Result<(), BotError> {
        let (sender, finished) = channel();
        thread::scope(|scope| {
            let start = |(number, choosers)| {
                let (jobs, receiver) = channel();
                let sender = sender.clone();
                scope.spawn(move || self.work(number, choosers, receiver, sender));
                jobs
            };
            let jobs = workers.into_iter().enumerate().map(start).collect();
            let mut crew = Crew::new(jobs, finished, tracker);
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
    fn play_once(&self, crew: &mut Crew<'_, S>, stop: &Control) -> Result<(), BotError> {
        let requested = Instant::now();
        let list = self.site.events().map_err(|error| self.failed(error))?;
        crew.set_list(Some(list), requested);
        crew.finish(stop);
        match crew.failed() {
            0 => Ok(()),
            failed => Err(BotError::Unfinished(failed)),
        }
    }

    /// Takes turns until stopped.
    fn play_on(&self, crew: &mut Crew<'_, S>, stop: &Control) {
        let mut failures = 0;
        while !stop.is_stopped() {
            let requested = Instant::now();
            let Some(list) = unless_stopped(&self.site, stop, S::events) else { break };
            let wait = match list {
                Ok(list) => {
                    failures = 0;
                    crew.set_list(Some(list), requested);
                    self.options.pace.poll
                }
                Err(error) => {
                    failures += 1;
                    crew.set_list(None, requested);
                    let wait = self.options.pace.after(failures);
                    warn!(%error, wait_ms = wait.as_millis() as u64, "could not ask for the games");
                    wait
                }
            };
            crew.wait(requested + wait, stop);
        }
    }

    /// Takes the turns that arrive, until the crew is dropped.
    fn work(
        &self,
        worker: usize,
        mut choosers: Choosers,
        jobs: Receiver<Job<S::Memory>>,
        finished: Sender<Finished<S::Memory>>,
    ) {
        for job in jobs {
            let ended = chooser_of(&mut choosers, job.game)
                .and_then(|chooser| self.take_turn(&job, &mut **chooser));
            if finished.send(Finished { worker, job, ended }).is_err() {
                return;
            }
        }
    }

    /// Takes a turn; `None` after a panic.
    fn take_turn(
        &self,
        job: &Job<S::Memory>,
        chooser: &mut dyn Chooser,
    ) -> Option<Ended<S::Memory>> {
        let take = || turn::take(&*self.site, &self.options, job, chooser);
        // A bug that one game triggers must not end the others.
        let ended = catch_unwind(AssertUnwindSafe(take)).ok();
        if ended.is_none() {
            error!(session = job.notice.id, "a bug in the bot: please report it");
            if let Err(error) = chooser.reset() {
                warn!(%error, "could not replace the player");
            }
        }
        ended
    }
}

fn chooser_of(choosers: &mut Choosers, game: AnyGame) -> Option<&mut Box<dyn Chooser>> {
    choosers.iter_mut().find(|(own, _)| *own == game).map(|(_, chooser)| chooser)
}
