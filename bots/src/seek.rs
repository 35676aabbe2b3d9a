//! Lists the user's games at intervals, and finds new ones: created, accepted, or in tournaments.

use crate::error::CallError;
use crate::interrupt::unless_stopped;
use crate::options::BotOptions;
use crate::site::{BotResult, GameStatus, Offer, Phase, Site};
use crate::tracker::Tracker;
use damka_engine::Control;
use damka_games::AnyGame;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tracing::{info, warn};

/// Lists the user's games and looks for new ones.
pub(crate) struct Seeker<'a, S: Site> {
    site: &'a Arc<S>,
    options: &'a BotOptions,
    tracker: &'a Mutex<Tracker<S::Memory>>,
    stop: &'a Control,
    /// Offers that have been accepted, or that the server has refused. They are not tried again.
    settled: HashSet<Offer>,
    /// Whether there were enough games at the last look.
    has_enough: bool,
    /// The number of open games at the last look.
    open: usize,
}

/// The number of a game or of a tournament that is offered, for the log.
fn numbers(offer: Offer) -> (Option<u64>, Option<u64>) {
    match offer {
        Offer::Game(id) => (Some(id), None),
        Offer::Tournament(id) => (None, Some(id)),
    }
}

impl<'a, S: Site> Seeker<'a, S> {
    pub(crate) fn new(
        site: &'a Arc<S>,
        options: &'a BotOptions,
        tracker: &'a Mutex<Tracker<S::Memory>>,
        stop: &'a Control,
    ) -> Seeker<'a, S> {
        let (settled, has_enough, open) = (HashSet::new(), false, 0);
        Seeker { site, options, tracker, stop, settled, has_enough, open }
    }

    /// Lists the user's games once, and looks for new ones if there are too few.
    ///
    /// # Errors
    /// A request failed: the rest waits for the next look.
    pub(crate) fn look(&mut self) -> Result<(), CallError> {
        let Some(list) = unless_stopped(self.site, self.stop, S::games) else { return Ok(()) };
        let games = &self.options.games;
        let mut list = list?;
        list.retain(|status| games.contains(&status.game));
        let newly_over = self.tracker().newly_over(&list);
        let results: HashMap<u64, Option<BotResult>> = newly_over
            .into_iter()
            .filter_map(|id| match self.site.result(id) {
                Ok(result) => Some((id, result)),
                Err(CallError::NotFound) => Some((id, None)),
                // The result is requested again at the next look.
                Err(_) => None,
            })
            .collect();
        let now = Instant::now();
        self.tracker().list(&list, &results, now);
        let mut open = games.iter().map(|&game| self.count_open(game, &list, now)).sum();
        self.open = open;
        let seek = self.options.seek;
        let has_enough = seek.is_active() && open >= seek.max_games;
        if has_enough && !self.has_enough {
            info!(open, max_games = seek.max_games, "looks for no more games");
        }
        self.has_enough = has_enough;
        if seek.tournaments {
            for &game in games {
                self.accept(game, S::tournaments, &mut open)?;
            }
        }
        if seek.accept {
            for &game in games {
                self.accept(game, S::challenges, &mut open)?;
            }
        }
        if seek.create {
            self.create(&list, &mut open, now)?;
        }
        Ok(())
    }

    /// The number of open games at the last look: those that wait for an opponent and those that are
    /// being played, except abandoned ones.
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    fn tracker(&self) -> MutexGuard<'a, Tracker<S::Memory>> {
        self.tracker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count_open(&self, game: AnyGame, list: &[GameStatus], now: Instant) -> usize {
        let tracker = self.tracker();
        let is_open = |status: &&GameStatus| match status.phase {
            Phase::Waiting => true,
            Phase::Playing => !tracker.is_abandoned(status.id, now),
            Phase::Over => false,
        };
        list.iter().filter(|status| status.game == game).filter(is_open).count()
    }

    fn is_done(&self, open: usize) -> bool {
        open >= self.options.seek.max_games || self.stop.is_stopped()
    }

    /// Accepts offers of a game; in a dry run only logs that it would. Each attempt counts as an open game
    /// until the next look, so that the number of attempts is limited.
    fn accept(
        &mut self,
        game: AnyGame,
        offers: impl Fn(&S, AnyGame) -> Result<Vec<Offer>, CallError>,
        open: &mut usize,
    ) -> Result<(), CallError> {
        if self.is_done(*open) {
            return Ok(());
        }
        for offer in offers(self.site, game)? {
            if self.settled.contains(&offer) {
                continue;
            }
            if self.is_done(*open) {
                break;
            }
            let (session, tournament) = numbers(offer);
            let what = self.describe("enters", "would enter");
            info!(session, tournament, game = game.name(), "{what}");
            *open += 1;
            if self.options.dry_run {
                continue;
            }
            let accepted = self.site.accept(offer);
            if let Err(error) = &accepted {
                warn!(session, tournament, %error, "could not enter");
            }
            // If it is not clear whether this succeeded, the next list shows it.
            if matches!(accepted, Ok(()) | Err(CallError::Refused | CallError::NotFound)) {
                self.settle(offer);
            }
        }
        Ok(())
    }

    fn settle(&mut self, offer: Offer) {
        /// The maximum number of remembered offers. A forgotten one is tried once more.
        const MAX_SETTLED: usize = 10_000;
        if self.settled.len() >= MAX_SETTLED {
            self.settled.clear();
        }
        self.settled.insert(offer);
    }

    /// Creates games that wait for an opponent, beginning with the kinds that have the fewest open games.
    fn create(&self, list: &[GameStatus], open: &mut usize, now: Instant) -> Result<(), CallError> {
        let mut games = self.options.games.clone();
        games.sort_by_key(|&game| self.count_open(game, list, now));
        for game in games {
            let waits = |status: &GameStatus| status.game == game && status.phase == Phase::Waiting;
            if list.iter().any(waits) || self.is_done(*open) {
                continue;
            }
            if !self.options.dry_run
                && let Err(error) = self.site.seek(game)
            {
                warn!(game = game.name(), %error, "could not wait for an opponent");
                return Err(error);
            }
            let what = self.describe(
                "waits for an opponent, or plays one who waited",
                "would wait for an opponent",
            );
            info!(game = game.name(), "{what}");
            *open += 1;
        }
        Ok(())
    }

    fn describe(&self, does: &'static str, would: &'static str) -> &'static str {
        if self.options.dry_run { would } else { does }
    }
}
