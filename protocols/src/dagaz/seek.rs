//! Games that are looked for: created, joined, or found in tournaments.

use super::error::CallError;
use super::options::{BotOptions, Seek};
use super::server::Server;
use super::site::SiteGame;
use super::watch::Watch;
use super::wire::{Row, Tournament};
use damka_engine::Control;
use damka_games::excerpt;
use std::collections::HashSet;
use std::fmt;
use tracing::{info, warn};

/// Somebody who looks for games, if he is to, and at those there are.
pub(super) struct Seeker<'a> {
    server: &'a Server,
    seek: Seek,
    dry_run: bool,
    games: &'a [SiteGame],
    /// He stops in between.
    stop: &'a Control,
    /// What the server lets nobody enter is not tried again.
    refused: HashSet<Wish>,
    watch: Watch,
    /// Whether there were enough games, the last time.
    has_enough: bool,
}

/// Something to enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wish {
    Session(u64),
    Tournament(u64),
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wish::Session(id) => write!(f, "session {id}"),
            Wish::Tournament(id) => write!(f, "tournament {id}"),
        }
    }
}

/// Something that may be entered.
struct Offer {
    wish: Wish,
    /// Who waits there, or what it is called.
    name: String,
}

impl<'a> Seeker<'a> {
    pub(super) fn new(
        server: &'a Server,
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
            refused: HashSet::new(),
            watch: Watch::default(),
            has_enough: false,
        }
    }

    /// Looks at the user's games once, and for others if there are not enough.
    ///
    /// # Errors
    /// A list could not be had: the rest waits for the next time.
    pub(super) fn look(&mut self) -> Result<(), CallError> {
        let own = self.server.own()?;
        self.watch.look(self.server, self.games, &own);
        let mut open = count_open(self.games, &own);
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
            self.create(&own, &mut open)?;
        }
        Ok(())
    }

    /// Whether no more is to be done now.
    fn is_done(&self, open: usize) -> bool {
        open >= self.seek.max_games || self.stop.is_stopped()
    }

    /// The tournaments of a game that may be entered.
    fn tournaments(&self, game: SiteGame) -> Result<Vec<Offer>, CallError> {
        let found = self.server.tournaments(game.group, game.variant)?;
        let is_open = |found: &Tournament| found.id != 0 && !found.closed && !found.is_joined;
        let offer =
            |found: Tournament| Offer { wish: Wish::Tournament(found.id), name: found.title };
        Ok(found.into_iter().filter(is_open).map(offer).collect())
    }

    /// The games of others that wait.
    fn waiting(&self, game: SiteGame) -> Result<Vec<Offer>, CallError> {
        let rows = self.server.waiting(game.group, game.variant)?;
        let fits = |row: &Row| row.id != 0 && !row.is_ai && game.begins_as_usual(row.selector);
        let offer = |row: Row| Offer { wish: Wish::Session(row.id), name: row.players };
        Ok(rows.into_iter().filter(fits).map(offer).collect())
    }

    /// Enters what is offered, or only tells so. Each attempt counts as a game until the next look, so
    /// that there are never many of them; how many games a tournament makes is seen then.
    fn enter(
        &mut self,
        game: SiteGame,
        offers: impl Fn(&Self, SiteGame) -> Result<Vec<Offer>, CallError>,
        open: &mut usize,
    ) -> Result<(), CallError> {
        if self.is_done(*open) {
            return Ok(());
        }
        for Offer { wish, name } in offers(self, game)? {
            if self.refused.contains(&wish) {
                continue;
            }
            if self.is_done(*open) {
                break;
            }
            let (what, name) = (self.says("enters", "would enter"), excerpt(&name));
            info!(game = game.game.name(), of = name, "{what} {wish}");
            *open += 1;
            let entered = match wish {
                _ if self.dry_run => Ok(()),
                Wish::Session(id) => self.server.join(id),
                Wish::Tournament(id) => self.server.enter_tournament(id),
            };
            if let Err(error) = entered {
                warn!(%error, "could not enter {wish}");
                // Somebody else was sooner, or it is none of ours. Where nobody knows, the next list
                // tells.
                if matches!(error, CallError::Refused | CallError::NotFound) {
                    self.refuse(wish);
                }
            }
        }
        Ok(())
    }

    fn refuse(&mut self, wish: Wish) {
        /// So many are remembered; of those that are forgotten each is tried once more.
        const MOST: usize = 10_000;
        if self.refused.len() >= MOST {
            self.refused.clear();
        }
        self.refused.insert(wish);
    }

    fn create(&mut self, own: &[Row], open: &mut usize) -> Result<(), CallError> {
        for game in self.games {
            let waits =
                own.iter().any(|row| row.variant == game.variant && row.status == Row::WAITING);
            if waits || self.is_done(*open) {
                continue;
            }
            if !self.dry_run {
                self.server.create(*game, self.seek.time_control)?;
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

/// How many games are open, those that wait for an opponent included.
fn count_open(games: &[SiteGame], own: &[Row]) -> usize {
    let is_open = |row: &&Row| matches!(row.status, Row::WAITING | Row::STARTED);
    let is_played = |row: &&Row| games.iter().any(|game| game.variant == row.variant);
    own.iter().filter(is_open).filter(is_played).count()
}
