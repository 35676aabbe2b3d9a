//! Which games of the user's begin and end, whoever begins and ends them.

use super::error::CallError;
use super::server::{Server, Verdict};
use super::site::SiteGame;
use super::wire::Row;
use damka_games::excerpt;
use std::collections::HashMap;
use tracing::info;

/// Somebody who looks at the user's games from time to time, and says what has become of them.
#[derive(Default)]
pub(super) struct Watch {
    /// The games that were going on, by their sessions, and the names of the games.
    going_on: HashMap<u64, &'static str>,
}

impl Watch {
    /// Says which games of the list have begun and which have ended since the last time.
    pub(super) fn look(&mut self, server: &Server, games: &[SiteGame], own: &[Row]) {
        for row in own {
            let Some(game) = games.iter().find(|game| game.variant == row.variant) else {
                continue;
            };
            let game = game.game.name();
            match row.status {
                Row::STARTED if self.going_on.insert(row.id, game).is_none() => {
                    let players = excerpt(&row.players);
                    info!(
                        session = row.id,
                        game,
                        players,
                        turn = row.last_turn,
                        "a game is going on"
                    );
                }
                Row::FINISHED if self.going_on.contains_key(&row.id) => match server.result(row.id)
                {
                    Ok(result) => self.over(row.id, result),
                    Err(CallError::NotFound) => self.over(row.id, None),
                    // Another time.
                    Err(_) => {}
                },
                _ => {}
            }
        }
        // The list is not without end: of a game that is not shown any more nothing is known.
        self.going_on.retain(|session, _| own.iter().any(|row| row.id == *session));
    }

    fn over(&mut self, session: u64, result: Option<Verdict>) {
        let Some(game) = self.going_on.remove(&session) else { return };
        match result {
            Some(result) => info!(session, game, %result, "a game is over"),
            None => info!(session, game, "a game is over, without a result"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::{BotOptions, Password};
    use super::super::scripted::{Scripted, answer};
    use super::super::wire;
    use super::*;
    use serde_json::{Value, json};
    use std::io;
    use std::sync::{Arc, Mutex};
    use tracing::subscriber::with_default;

    /// What is logged.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Games that the user wins, whose result is not known yet, which nobody has ended with a result,
    /// and which goes on.
    #[test]
    fn what_becomes_of_games_is_told_once() {
        let scripted = Scripted::new(|asked| match asked.what.as_str() {
            "POST /api/auth/login" => answer(201, r#"{"access_token":"t"}"#),
            "GET /api/result/1" => answer(200, r#"{"result_id":"1","score":null}"#),
            "GET /api/result/2" => answer(500, ""),
            _ => answer(404, ""),
        });
        let options = BotOptions::new(&scripted.url, "bot", Password::new("s3cret"));
        let server = Server::new(&options).expect("a server");
        let games: Vec<SiteGame> = super::super::games().filter_map(SiteGame::of).collect();
        let list = |status: [u64; 4]| {
            let row = |(id, status)| json!({"id": id, "status": status, "variant_id": 134});
            wire::list::<Row>((1..).zip(status).map(row).collect::<Value>())
        };
        let (mut watch, lines) = (Watch::default(), Lines::default());
        let writer = lines.clone();
        let log = tracing_subscriber::fmt().without_time().with_writer(move || writer.clone());
        with_default(log.with_target(false).with_ansi(false).finish(), || {
            for status in [[2, 2, 2, 2], [2, 2, 2, 2], [3, 3, 3, 2], [3, 3, 3, 2]] {
                watch.look(&server, &games, &list(status));
            }
        });
        let text = String::from_utf8(lines.0.lock().expect("no panic").clone()).expect("text");
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        assert_eq!(count("a game is going on"), 4, "{text}");
        assert_eq!(count("a game is over session=1 game=\"alapo\" result=won"), 1, "{text}");
        assert_eq!(count("a game is over, without a result session=3"), 1, "{text}");
        assert_eq!(text.lines().count(), 7, "{text}");
    }
}
