//! Which games of the user's begin and end, whoever begins and ends them.

use super::error::CallError;
use super::server::Server;
use super::site::SiteGame;
use super::wire::Row;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tracing::info;

/// A game in which nothing has happened for so long may have been left.
const LEFT: Duration = Duration::from_secs(3600);

/// Somebody who looks at the user's games from time to time, and says what has become of them.
#[derive(Default)]
pub(super) struct Watch {
    /// The sessions that the last list has shown.
    sessions: HashMap<u64, Known>,
    has_looked: bool,
}

/// What is known of a session.
struct Known {
    is_over: bool,
    /// How many moves it had, and since when.
    turn: u64,
    since: Instant,
}

impl Watch {
    /// Says which games of the list have begun and which have ended since the last time. The first
    /// time, ends are of the past.
    pub(super) fn look(&mut self, server: &Server, games: &[SiteGame], own: &[Row], now: Instant) {
        for row in own {
            let Some(game) = games.iter().find(|game| game.variant == row.variant) else {
                continue;
            };
            let (session, game) = (row.id, game.game.name());
            let known = self.sessions.get(&session);
            let since = known.filter(|known| known.turn == row.last_turn);
            let since = since.map_or(now, |known| known.since);
            let is_over = match (row.status, known) {
                (Row::STARTED, None) => {
                    info!(session, game, turn = row.last_turn, "a game is going on");
                    false
                }
                (Row::FINISHED, None) if !self.has_looked => true,
                (Row::FINISHED, known) if known.is_none_or(|known| !known.is_over) => {
                    match server.result(session) {
                        Ok(Some(result)) => info!(session, game, %result, "a game is over"),
                        Ok(None) | Err(CallError::NotFound) => {
                            info!(session, game, "a game is over, without a result");
                        }
                        // Another time.
                        Err(_) => continue,
                    }
                    true
                }
                (Row::STARTED | Row::FINISHED, _) => row.status == Row::FINISHED,
                _ => continue,
            };
            self.sessions.insert(session, Known { is_over, turn: row.last_turn, since });
        }
        self.has_looked = true;
        // The list is not without end: of a game that is not shown any more nothing is known.
        self.sessions.retain(|session, _| own.iter().any(|row| row.id == *session));
    }

    /// Whether a game may have been left by who is to move.
    pub(super) fn is_left(&self, session: u64, now: Instant) -> bool {
        self.sessions.get(&session).is_some_and(|known| now - known.since >= LEFT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::{BotOptions, Password};
    use super::super::scripted::{Scripted, answer, logged};
    use super::super::wire;
    use super::*;
    use serde_json::{Value, json};

    /// Games that the user wins, whose result is not known yet, which nobody has ended with a result,
    /// which goes on, which is over before the first look, and which begins and ends between two.
    #[test]
    fn what_becomes_of_games_is_told_once() {
        let scripted = Scripted::new(|asked| match asked.what.as_str() {
            "POST /api/auth/login" => answer(201, r#"{"access_token":"t"}"#),
            "GET /api/result/1" => answer(200, r#"{"result_id":"1","score":null}"#),
            "GET /api/result/6" => answer(200, r#"{"result_id":2}"#),
            "GET /api/result/2" => answer(500, ""),
            _ => answer(404, ""),
        });
        let options = BotOptions::new(&scripted.url, "bot", Password::new("s3cret"));
        let server = Server::new(&options).expect("a server");
        let games: Vec<SiteGame> = super::super::games().filter_map(SiteGame::of).collect();
        let list = |status: [u64; 6]| {
            let row = |(id, status)| json!({"id": id, "status": status, "variant_id": 134});
            wire::list::<Row>((1..).zip(status).map(row).collect::<Value>())
        };
        let now = Instant::now();
        let mut watch = Watch::default();
        let text = logged(|| {
            for status in
                [[2, 2, 2, 2, 3, 1], [2, 2, 2, 2, 3, 1], [3, 3, 3, 2, 3, 3], [3, 3, 3, 2, 3, 3]]
            {
                watch.look(&server, &games, &list(status), now);
            }
        });
        // In the fourth one nobody moves.
        assert!(!watch.is_left(4, now) && watch.is_left(4, now + LEFT));
        let moved = json!([{"id": 4, "status": 2, "variant_id": 134, "last_turn": 1}]);
        watch.look(&server, &games, &wire::list::<Row>(moved), now + LEFT);
        assert!(!watch.is_left(4, now + LEFT));
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        assert_eq!(count("a game is going on"), 4, "{text}");
        assert_eq!(count("a game is over session=1 game=\"alapo\" result=won"), 1, "{text}");
        assert_eq!(count("a game is over, without a result session=3"), 1, "{text}");
        assert_eq!(count("a game is over session=6 game=\"alapo\" result=lost"), 1, "{text}");
        assert_eq!(text.lines().count(), 8, "{text}");
    }
}
