//! Games that are looked for: created, joined, or found in tournaments.

use super::error::CallError;
use super::options::{BotOptions, Seek};
use super::server::Server;
use super::site::SiteGame;
use super::watch::Watch;
use super::wire::{Row, Tournament};
use damka_engine::Control;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;
use tracing::{info, warn};

/// Somebody who looks for games, if he is to, and at those there are.
pub(super) struct Seeker<'a> {
    server: &'a Arc<Server>,
    seek: Seek,
    dry_run: bool,
    games: &'a [SiteGame],
    /// He stops in between.
    stop: &'a Control,
    /// What has been entered, or the server lets nobody enter, is not tried again.
    settled: HashSet<Wish>,
    watch: Watch,
    /// Whether there were enough games, the last time.
    has_enough: bool,
    /// How many games were open, the last time.
    open: usize,
}

/// Something to enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wish {
    Session(u64),
    Tournament(u64),
}

impl Wish {
    fn session(self) -> Option<u64> {
        if let Wish::Session(id) = self { Some(id) } else { None }
    }

    fn tournament(self) -> Option<u64> {
        if let Wish::Tournament(id) = self { Some(id) } else { None }
    }
}

impl<'a> Seeker<'a> {
    pub(super) fn new(
        server: &'a Arc<Server>,
        options: &BotOptions,
        games: &'a [SiteGame],
        stop: &'a Control,
    ) -> Seeker<'a> {
        Seeker {
            server,
            seek: options.seek,
            dry_run: options.dry_run,
            games,
            stop,
            settled: HashSet::new(),
            watch: Watch::default(),
            has_enough: false,
            open: 0,
        }
    }

    /// Looks at the user's games once, and for others if there are not enough.
    ///
    /// # Errors
    /// A list could not be had: the rest waits for the next time.
    pub(super) fn look(&mut self) -> Result<(), CallError> {
        let Some(own) = self.server.unless_stopped(self.stop, Server::own) else { return Ok(()) };
        let own = own?;
        let now = Instant::now();
        self.watch.look(self.server, self.games, &own, now);
        let mut open = self.games.iter().map(|&game| self.count_open(game, &own, now)).sum();
        self.open = open;
        let has_enough = self.seek.is_active() && open >= self.seek.max_games;
        if has_enough && !self.has_enough {
            info!(open, max_games = self.seek.max_games, "looks for no more games");
        }
        self.has_enough = has_enough;
        let games = self.games;
        if self.seek.tournaments {
            for game in games {
                self.enter(*game, Seeker::tournaments, &mut open)?;
            }
        }
        if self.seek.accept {
            for game in games {
                self.enter(*game, Seeker::waiting, &mut open)?;
            }
        }
        if self.seek.create {
            self.create(&own, &mut open, now)?;
        }
        Ok(())
    }

    /// How many games were open at the last look, those that wait for an opponent included, but not
    /// those that have been left: there is no end to them.
    pub(super) fn open(&self) -> usize {
        self.open
    }

    /// How many sessions of a game are [open](Seeker::open).
    fn count_open(&self, game: SiteGame, own: &[Row], now: Instant) -> usize {
        let is_open = |row: &&Row| match row.status {
            Row::WAITING => true,
            Row::STARTED => !self.watch.is_left(row.id, now),
            _ => false,
        };
        own.iter().filter(|row| row.variant == game.variant).filter(is_open).count()
    }

    /// Whether no more is to be done now.
    fn is_done(&self, open: usize) -> bool {
        open >= self.seek.max_games || self.stop.is_stopped()
    }

    /// The tournaments of a game that may be entered.
    fn tournaments(&self, game: SiteGame) -> Result<Vec<Wish>, CallError> {
        let found = self.server.tournaments(game.group, game.variant)?;
        let is_open = |found: &&Tournament| found.id != 0 && !found.closed && !found.is_joined;
        Ok(found.iter().filter(is_open).map(|found| Wish::Tournament(found.id)).collect())
    }

    /// The games of others that wait.
    fn waiting(&self, game: SiteGame) -> Result<Vec<Wish>, CallError> {
        let rows = self.server.waiting(game.group, game.variant)?;
        let fits = |row: &&Row| row.id != 0 && !row.is_ai && game.begins_as_usual(row.selector);
        Ok(rows.iter().filter(fits).map(|row| Wish::Session(row.id)).collect())
    }

    /// Enters what is offered, or only tells so. Each attempt counts as a game until the next look, so
    /// that there are never many of them; how many games a tournament makes is seen then.
    fn enter(
        &mut self,
        game: SiteGame,
        offers: impl Fn(&Self, SiteGame) -> Result<Vec<Wish>, CallError>,
        open: &mut usize,
    ) -> Result<(), CallError> {
        if self.is_done(*open) {
            return Ok(());
        }
        for wish in offers(self, game)? {
            if self.settled.contains(&wish) {
                continue;
            }
            if self.is_done(*open) {
                break;
            }
            let (session, tournament) = (wish.session(), wish.tournament());
            let what = self.says("enters", "would enter");
            info!(session, tournament, game = game.game.name(), "{what}");
            *open += 1;
            let entered = match wish {
                _ if self.dry_run => continue,
                Wish::Session(id) => self.server.join(id),
                Wish::Tournament(id) => self.server.enter_tournament(id),
            };
            if let Err(error) = &entered {
                warn!(session, tournament, %error, "could not enter");
            }
            // Refused: somebody else was sooner, or it is none of ours. Where nobody knows, the next
            // list tells.
            if matches!(entered, Ok(()) | Err(CallError::Refused | CallError::NotFound)) {
                self.settle(wish);
            }
        }
        Ok(())
    }

    fn settle(&mut self, wish: Wish) {
        /// So many are remembered; of those that are forgotten each is tried once more.
        const MOST: usize = 10_000;
        if self.settled.len() >= MOST {
            self.settled.clear();
        }
        self.settled.insert(wish);
    }

    /// Waits for opponents, first in the games of which the fewest are open.
    fn create(&self, own: &[Row], open: &mut usize, now: Instant) -> Result<(), CallError> {
        let mut games = self.games.to_vec();
        games.sort_by_key(|&game| self.count_open(game, own, now));
        for game in games {
            let waits =
                own.iter().any(|row| row.variant == game.variant && row.status == Row::WAITING);
            if waits || self.is_done(*open) {
                continue;
            }
            if !self.dry_run
                && let Err(error) = self.server.create(game, self.seek.time_control)
            {
                warn!(game = game.game.name(), %error, "could not wait for an opponent");
                return Err(error);
            }
            let what = self.says(
                "waits for an opponent, or plays one who waited",
                "would wait for an opponent",
            );
            info!(game = game.game.name(), "{what}");
            *open += 1;
        }
        Ok(())
    }

    fn says(&self, does: &'static str, would: &'static str) -> &'static str {
        if self.dry_run { would } else { does }
    }
}
