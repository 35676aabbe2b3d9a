//! What is asked of the server, by somebody who logs in whenever that is needed.

use super::error::{BotError, CallError};
use super::http::{Http, kind};
use super::options::{BotOptions, Password};
use super::site::SiteGame;
use super::tally::Tally;
use super::wire::{self, Admission, Outcome, Played, Recovery, Row, Said, Tournament};
use damka_engine::Control;
use serde_json::{Value, json};
use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tracing::info;

/// The most bytes of a token: those of a DagazServer have some 200, and each request sends it.
const LONGEST_TOKEN: usize = 4096;

/// A move as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    /// The seat.
    pub(super) uid: u64,
    /// Which move of the game it is, from 1.
    pub(super) turn: u64,
    /// The move.
    pub(super) text: String,
    /// The position it leads to; `None` if an arbiter is to say that.
    pub(super) setup: Option<String>,
    /// Who is to move then, 1 or 2.
    pub(super) next_player: u64,
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Won,
    Lost,
    Drawn,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Won => "won",
            Verdict::Lost => "lost",
            Verdict::Drawn => "drawn",
        })
    }
}

/// The server, as one of its users sees it. Threads may share it.
pub(super) struct Server {
    http: Http,
    url: String,
    user: String,
    password: Password,
    /// What logins are told apart by: a new one ends those of the same device.
    device: String,
    token: Mutex<Option<String>>,
}

impl Server {
    /// Nobody is logged in yet.
    pub(super) fn new(options: &BotOptions) -> Result<Server, BotError> {
        // Bots that play other games, and one that only looks, may be at work at the same time.
        let mut device = "damka".to_owned();
        for game in &options.games {
            device.extend([" ", game.name()]);
        }
        if options.dry_run {
            device += " (dry run)";
        }
        Ok(Server {
            http: Http::new(&options.url, &options.pace)?,
            url: damka_games::excerpt(&options.url),
            user: options.user.clone(),
            password: options.password.clone(),
            device,
            token: Mutex::new(None),
        })
    }

    /// What has been asked and done.
    pub(super) fn tally(&self) -> &Tally {
        self.http.tally()
    }

    /// Where the server is, in one way of several to say that.
    pub(super) fn base(&self) -> &str {
        self.http.base()
    }

    /// The user.
    pub(super) fn user(&self) -> &str {
        &self.user
    }

    /// Logs in for the first time.
    pub(super) fn enter(&self) -> Result<(), BotError> {
        self.token(None).map(|_| ()).map_err(|error| match error {
            CallError::Login => {
                BotError::Login { url: self.url.clone(), user: damka_games::excerpt(&self.user) }
            }
            error => BotError::Server { url: self.url.clone(), error },
        })
    }

    /// Makes a call on a thread of its own, and does not wait for its end once `stop` is told to stop:
    /// then there is no result. It must be one that changes nothing.
    pub(super) fn unless_stopped<T: Send + 'static>(
        self: &Arc<Self>,
        stop: &Control,
        call: impl FnOnce(&Server) -> T + Send + 'static,
    ) -> Option<T> {
        /// How soon a wish to stop is noticed.
        const INTERVAL: Duration = Duration::from_millis(20);
        let (sender, result) = channel();
        let server = Arc::clone(self);
        // Nobody may be left to hear of it.
        thread::spawn(move || drop(sender.send(call(&server))));
        while !stop.is_stopped() {
            match result.recv_timeout(INTERVAL) {
                Err(RecvTimeoutError::Timeout) => {}
                result => return result.ok(),
            }
        }
        None
    }

    /// The token to use instead of `refused`, which the server does not accept any more.
    fn token(&self, refused: Option<&str>) -> Result<String, CallError> {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        match &*token {
            // Another thread may have logged in meanwhile.
            Some(token) if Some(&**token) != refused => Ok(token.clone()),
            _ => {
                *token = None;
                let body = json!({
                    "username": self.user,
                    "password": self.password.reveal(),
                    "device": self.device,
                });
                let answer = self.http.post("/auth/login", None, &body)?;
                let admission: Admission = wire::object(answer);
                let new = admission.token.as_str();
                // What is no text of a header would end every request.
                if new.is_empty() || !new.bytes().all(|byte| byte.is_ascii_graphic()) {
                    return Err(CallError::NotUnderstood("a login without a token".to_owned()));
                }
                if new.len() > LONGEST_TOKEN {
                    let what = format!("a token of {} bytes", new.len());
                    return Err(CallError::NotUnderstood(what));
                }
                info!(user = %damka_games::excerpt(&self.user), device = %self.device, "logged in");
                Ok(token.insert(new.to_owned()).clone())
            }
        }
    }

    /// Posts what must not be posted twice. If the token is not accepted the next call has another.
    fn post_once(&self, path: &str, body: &Value) -> Result<Value, CallError> {
        let token = self.token(None)?;
        let answer = self.http.post(path, Some(&token), body);
        if answer == Err(CallError::Login) {
            self.token(Some(&token))?;
        }
        answer
    }

    /// Asks with a token, and once again with a new one if that is not accepted: then nothing has
    /// been done yet.
    fn ask(&self, call: impl Fn(&str) -> Result<Value, CallError>) -> Result<Value, CallError> {
        let token = self.token(None)?;
        match call(&token) {
            Err(CallError::Login) => call(&self.token(Some(&token))?),
            answer => answer,
        }
    }

    fn get(&self, path: &str) -> Result<Value, CallError> {
        self.ask(|token| self.http.get(path, Some(token)))
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, CallError> {
        self.ask(|token| self.http.post(path, Some(token), body))
    }

    /// Posts what is answered by an object; anything else may come from between us and the server.
    fn object(&self, path: &str, body: &Value) -> Result<Value, CallError> {
        self.post(path, body).and_then(object)
    }

    fn list(&self, path: &str) -> Result<Value, CallError> {
        match self.get(path)? {
            list @ Value::Array(_) => Ok(list),
            other => Err(unknown(&other)),
        }
    }

    /// Sessions that a list shows.
    fn rows(&self, path: &str) -> Result<Vec<Row>, CallError> {
        /// The server never shows more.
        const MOST: usize = 200;
        let mut rows: Vec<Row> = self.list(path).map(wire::list)?;
        rows.truncate(MOST);
        Ok(rows)
    }

    /// The sessions in which it is the user's turn, of all games. No clock starts by it.
    pub(super) fn current(&self) -> Result<Vec<Row>, CallError> {
        self.rows("/session/current")
    }

    /// The user's sessions, finished ones too.
    pub(super) fn own(&self) -> Result<Vec<Row>, CallError> {
        self.rows("/session/my")
    }

    /// What a session has ended with; `None` if that is nothing known.
    pub(super) fn result(&self, session: u64) -> Result<Option<Verdict>, CallError> {
        let answer = self.get(&format!("/result/{session}")).and_then(object)?;
        Ok(match wire::object::<Outcome>(answer).result {
            1 => Some(Verdict::Won),
            Said::LOST => Some(Verdict::Lost),
            Said::DRAW => Some(Verdict::Drawn),
            _ => None,
        })
    }

    /// What is to be known of a session before a move. Its clock starts, and the opponent's page
    /// is not shown again what has been played: to be asked for a session that a list has just
    /// shown, once a turn.
    pub(super) fn recovery(&self, session: u64) -> Result<Recovery, CallError> {
        let body = json!({"id": session, "setup_required": true, "ai": true});
        let recovery: Recovery = self.object("/session/recovery", &body).map(wire::object)?;
        match recovery.id {
            id if id == 0 || id == session => Ok(recovery),
            other => Err(CallError::NotUnderstood(format!("it is about session {other}"))),
        }
    }

    /// Says where a session begins, if nobody has.
    pub(super) fn set_up(&self, session: u64, setup: &str) -> Result<(), CallError> {
        let body = json!({"id": session, "last_setup": setup, "ai": true});
        self.object("/session/recovery", &body).map(|_| ())
    }

    /// What the opponent has said.
    pub(super) fn said(&self, uid: u64) -> Result<Vec<Said>, CallError> {
        self.list(&format!("/move/confirmed/{uid}")).map(wire::list)
    }

    /// The moves of a session so far. Changes nothing.
    pub(super) fn record(&self, session: u64) -> Result<Vec<Played>, CallError> {
        self.list(&format!("/session/export/{session}")).map(wire::list)
    }

    /// Makes a move.
    pub(super) fn play(&self, posting: &Posting) -> Result<(), CallError> {
        let Posting { uid, turn, text, setup, next_player } = posting;
        let mut body = json!({"uid": uid, "turn_num": turn, "move_str": text});
        if let Some(setup) = setup {
            body["setup_str"] = setup.as_str().into();
            body["next_player"] = (*next_player).into();
        }
        let answer = self.post_once("/move", &body).and_then(object)?;
        // A move that the server has got a number.
        if answer["id"].is_null() {
            return Err(CallError::NotUnderstood("a move without a number".to_owned()));
        }
        self.tally().note_move();
        Ok(())
    }

    /// Takes back the last move of a seat, and whatever was played after it. The server refuses that
    /// ([`CallError::NotFound`]) once the opponent's page has been shown the move.
    pub(super) fn undo(&self, uid: u64) -> Result<(), CallError> {
        self.post(&format!("/move/undo/{uid}"), &json!({})).map(|_| ())
    }

    /// Takes away what the opponent has said: without it no move is shown to him.
    pub(super) fn dismiss(&self, session: u64) -> Result<(), CallError> {
        self.post("/move/accept", &json!({"session_id": session})).map(|_| ())
    }

    /// Offers a draw.
    pub(super) fn offer_draw(&self, session: u64, uid: u64) -> Result<(), CallError> {
        let body = json!({"session_id": session, "uid": uid, "result_id": Said::DRAW});
        self.post("/move/alert", &body).map(|_| ())
    }

    /// Ends a game. One that is over already stays as it is.
    pub(super) fn close(&self, uid: u64, verdict: Verdict) -> Result<(), CallError> {
        let body = match verdict {
            Verdict::Won => json!({"winner": uid}),
            Verdict::Lost => json!({"loser": uid}),
            Verdict::Drawn => json!({"winner": uid, "loser": uid}),
        };
        match self.object("/session/close", &body) {
            // Somebody else was sooner.
            Err(CallError::Refused) => Ok(()),
            answer => answer.map(|_| ()),
        }
    }

    /// The sessions of others that wait for an opponent.
    pub(super) fn waiting(&self, group: u64, variant: u64) -> Result<Vec<Row>, CallError> {
        self.rows(&format!("/session/waiting/{group}/{variant}"))
    }

    /// Takes the free seat of a session.
    pub(super) fn join(&self, session: u64) -> Result<(), CallError> {
        self.post("/join", &json!({"session_id": session})).map(|_| ())
    }

    /// Waits for an opponent in a session of the user's own, or joins one that waits. The seat is
    /// left to the server.
    pub(super) fn create(&self, game: SiteGame, time_control: u32) -> Result<(), CallError> {
        let mut body = json!({
            "game_id": game.group,
            "variant_id": game.variant,
            "filename": game.game.name(),
        });
        // The server knows no number for none.
        if time_control != 0 {
            body["timecontrol_id"] = time_control.into();
        }
        if game.usual != 0 {
            body["selector_value"] = game.usual.into();
        }
        self.post("/session", &body).map(|_| ())
    }

    /// The tournaments of a game.
    pub(super) fn tournaments(
        &self,
        group: u64,
        variant: u64,
    ) -> Result<Vec<Tournament>, CallError> {
        self.list(&format!("/tournament/game/{group}/{variant}")).map(wire::list)
    }

    /// Enters a tournament.
    pub(super) fn enter_tournament(&self, id: u64) -> Result<(), CallError> {
        self.post("/tournament/join", &json!({"id": id})).map(|_| ())
    }
}

/// An answer that is an object.
fn object(answer: Value) -> Result<Value, CallError> {
    if answer.is_object() { Ok(answer) } else { Err(unknown(&answer)) }
}

/// What an answer is that is none.
fn unknown(answer: &Value) -> CallError {
    CallError::NotUnderstood(kind(answer).to_owned())
}
