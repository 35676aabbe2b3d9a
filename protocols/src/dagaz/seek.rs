//! Games that are looked for: created, joined, or found in tournaments.

use super::error::CallError;
use super::options::{BotOptions, Seek};
use super::server::Server;
use super::site::SiteGame;
use super::wire::Row;
use std::collections::HashSet;
use tracing::{info, warn};

/// Somebody who looks for games.
pub(super) struct Seeker<'a> {
    server: &'a Server,
    seek: Seek,
    dry_run: bool,
    games: &'a [SiteGame],
    /// What the server lets nobody enter is not tried again.
    refused: HashSet<Wish>,
}

/// Something to enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wish {
    Session(u64),
    Tournament(u64),
}

impl<'a> Seeker<'a> {
    pub(super) fn new(
        server: &'a Server,
        options: &BotOptions,
        games: &'a [SiteGame],
    ) -> Seeker<'a> {
        let refused = HashSet::new();
        Seeker { server, seek: options.seek, dry_run: options.dry_run, games, refused }
    }

    /// Looks for games once, if there are not enough.
    ///
    /// # Errors
    /// A list could not be had: the rest waits for the next time.
    pub(super) fn look(&mut self) -> Result<(), CallError> {
        let own = self.server.own()?;
        let mut open = count_open(self.games, &own);
        if self.seek.tournaments {
            self.enter_tournaments(&mut open)?;
        }
        if self.seek.accept {
            self.accept(&mut open)?;
        }
        if self.seek.create {
            self.create(&own, &mut open)?;
        }
        Ok(())
    }

    fn enter_tournaments(&mut self, open: &mut usize) -> Result<(), CallError> {
        for game in self.games {
            for found in self.server.tournaments(game.group, game.variant)? {
                let wish = Wish::Tournament(found.id);
                let is_open = found.id != 0 && !found.closed && !found.is_joined;
                if !is_open || self.refused.contains(&wish) || *open >= self.seek.max_games {
                    continue;
                }
                let title = damka_games::excerpt(&found.title);
                info!(
                    tournament = found.id,
                    title,
                    game = game.game.name(),
                    "{}",
                    self.says("enters", "would enter")
                );
                // How many games that makes is seen the next time.
                self.make(wish, open, |server| server.enter_tournament(found.id));
            }
        }
        Ok(())
    }

    fn accept(&mut self, open: &mut usize) -> Result<(), CallError> {
        for game in self.games {
            for row in self.server.waiting(game.group, game.variant)? {
                let wish = Wish::Session(row.id);
                let fits = row.id != 0 && !row.is_ai && game.begins_as_usual(row.selector);
                if !fits || self.refused.contains(&wish) || *open >= self.seek.max_games {
                    continue;
                }
                let players = damka_games::excerpt(&row.players);
                info!(
                    session = row.id,
                    players,
                    game = game.game.name(),
                    "{}",
                    self.says("joins", "would join")
                );
                self.make(wish, open, |server| server.join(row.id));
            }
        }
        Ok(())
    }

    fn create(&mut self, own: &[Row], open: &mut usize) -> Result<(), CallError> {
        for game in self.games {
            let waits =
                own.iter().any(|row| row.variant == game.variant && row.status == Row::WAITING);
            if waits || *open >= self.seek.max_games {
                continue;
            }
            if !self.dry_run {
                self.server.create(*game, self.seek.time_control)?;
            }
            info!(
                game = game.game.name(),
                "{}",
                self.says(
                    "waits for an opponent, or plays one who waited",
                    "would wait for an opponent"
                )
            );
            *open += 1;
        }
        Ok(())
    }

    /// Enters something, unless it is only told. Each attempt counts as a game until the next look,
    /// so that there are never many of them.
    fn make(
        &mut self,
        wish: Wish,
        open: &mut usize,
        enter: impl FnOnce(&Server) -> Result<(), CallError>,
    ) {
        let entered = if self.dry_run { Ok(()) } else { enter(self.server) };
        *open += 1;
        if let Err(error) = entered {
            warn!(?wish, %error, "could not enter");
            // Somebody else was sooner, or it is none of ours. Where nobody knows, the next list
            // tells.
            if matches!(error, CallError::Refused | CallError::NotFound) {
                self.refused.insert(wish);
            }
        }
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
