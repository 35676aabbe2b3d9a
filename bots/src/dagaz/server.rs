//! The requests to the server, with a login whenever one is needed.

use super::account::Account;
use super::games::SiteGame;
use super::http::{Http, kind};
use super::wire::{self, Admission, Played, Recovery, Row, SessionResult, Statement, Tournament};
use crate::error::{BotError, CallError};
use crate::options::BotOptions;
use crate::secret::Password;
use crate::site::BotResult;
use crate::tally::Tally;
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};
use tracing::info;

/// The maximum length of a token, in bytes. Tokens of a DagazServer have about 200, and each request
/// contains one.
const MAX_TOKEN: usize = 4096;

/// A move as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    /// The number of the seat.
    pub(super) uid: u64,
    /// The number of the ply, from 1.
    pub(super) turn: u64,
    /// The move.
    pub(super) text: String,
    /// The position after the move; `None` if an arbiter adds it.
    pub(super) setup: Option<String>,
    /// The seat that is to move after this move, 1 or 2.
    pub(super) next_player: u64,
}

/// The server, as one of its users sees it. Threads share it.
pub(super) struct Server {
    http: Http,
    user: String,
    password: Password,
    /// The name of the device: a new login ends the earlier ones of the same device.
    device: String,
    token: Mutex<Option<String>>,
}

impl Server {
    /// A server without a login.
    ///
    /// # Errors
    /// The URL is invalid.
    pub(super) fn new(account: Account, options: &BotOptions) -> Result<Server, BotError> {
        // Bots for other games and dry runs have other names: they may be logged in at the same time.
        let mut device = "damka".to_owned();
        for game in &options.games {
            device.extend([" ", game.name()]);
        }
        if options.dry_run {
            device += " (dry run)";
        }
        Ok(Server {
            http: Http::new(&account.url, &options.pace)?,
            user: account.user,
            password: account.password,
            device,
            token: Mutex::new(None),
        })
    }

    /// The counts of requests and moves.
    pub(super) fn tally(&self) -> &Tally {
        self.http.tally()
    }

    /// The URL of the server, without `/api`.
    pub(super) fn address(&self) -> &str {
        self.http.url()
    }

    /// The user.
    pub(super) fn user(&self) -> &str {
        &self.user
    }

    /// Logs in for the first time.
    pub(super) fn log_in(&self) -> Result<(), CallError> {
        self.token(None).map(drop)
    }

    /// The current token. Logs in if there is none, or if it is `refused`, which the server no longer
    /// accepts.
    fn token(&self, refused: Option<&str>) -> Result<String, CallError> {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        match &*token {
            // Another thread may have logged in since.
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
                // Other characters would make every request invalid.
                if new.is_empty() || !new.bytes().all(|byte| byte.is_ascii_graphic()) {
                    return Err(CallError::NotUnderstood("a login without a token".to_owned()));
                }
                if new.len() > MAX_TOKEN {
                    let what = format!("a token of {} bytes", new.len());
                    return Err(CallError::NotUnderstood(what));
                }
                info!(user = %damka_games::excerpt(&self.user), device = %self.device, "logged in");
                Ok(token.insert(new.to_owned()).clone())
            }
        }
    }

    /// Posts something that must not be posted twice. If the token is not accepted, gets a new one,
    /// but only for the next request.
    fn post_once(&self, path: &str, body: &Value) -> Result<Value, CallError> {
        let token = self.token(None)?;
        let answer = self.http.post(path, Some(&token), body);
        if answer == Err(CallError::Login) {
            self.token(Some(&token))?;
        }
        answer
    }

    /// Sends a request with a token. If the token is not accepted, sends the request again with a
    /// new one, because the server has done nothing yet.
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

    /// Posts something that is answered by an object.
    fn object(&self, path: &str, body: &Value) -> Result<Value, CallError> {
        self.post(path, body).and_then(object)
    }

    fn list(&self, path: &str) -> Result<Value, CallError> {
        match self.get(path)? {
            list @ Value::Array(_) => Ok(list),
            other => Err(unknown(&other)),
        }
    }

    /// The sessions of a list.
    fn rows(&self, path: &str) -> Result<Vec<Row>, CallError> {
        /// The server never lists more.
        const MAX_ROWS: usize = 200;
        let mut rows: Vec<Row> = self.list(path).map(wire::list)?;
        rows.truncate(MAX_ROWS);
        Ok(rows)
    }

    /// The sessions of all games in which it is the user's turn. Starts no clock.
    pub(super) fn current(&self) -> Result<Vec<Row>, CallError> {
        self.rows("/session/current")
    }

    /// The sessions of the user, finished ones included.
    pub(super) fn own(&self) -> Result<Vec<Row>, CallError> {
        self.rows("/session/my")
    }

    /// The result of a session; `None` if it is unknown.
    pub(super) fn result(&self, session: u64) -> Result<Option<BotResult>, CallError> {
        let answer = self.get(&format!("/result/{session}")).and_then(object)?;
        Ok(match wire::object::<SessionResult>(answer).result {
            1 => Some(BotResult::Won),
            Statement::LOST => Some(BotResult::Lost),
            Statement::DRAW => Some(BotResult::Drawn),
            _ => None,
        })
    }

    /// The state of a session before a move. Starts the clock, and marks all moves as seen by the
    /// opponent's page. Must be requested only once a turn, for a session that a list has just shown.
    pub(super) fn recovery(&self, session: u64) -> Result<Recovery, CallError> {
        let body = json!({"id": session, "setup_required": true, "ai": true});
        let recovery: Recovery = self.object("/session/recovery", &body).map(wire::object)?;
        match recovery.id {
            id if id == 0 || id == session => Ok(recovery),
            other => Err(CallError::NotUnderstood(format!("it is about session {other}"))),
        }
    }

    /// Sends the start position of a session that has none.
    pub(super) fn set_up(&self, session: u64, setup: &str) -> Result<(), CallError> {
        let body = json!({"id": session, "last_setup": setup, "ai": true});
        self.object("/session/recovery", &body).map(|_| ())
    }

    /// The opponent's statements that the user has not answered.
    pub(super) fn statements(&self, uid: u64) -> Result<Vec<Statement>, CallError> {
        self.list(&format!("/move/confirmed/{uid}")).map(wire::list)
    }

    /// The moves of a session so far. Has no side effects.
    pub(super) fn record(&self, session: u64) -> Result<Vec<Played>, CallError> {
        self.list(&format!("/session/export/{session}")).map(wire::list)
    }

    /// Plays a move.
    pub(super) fn play(&self, posting: &Posting) -> Result<(), CallError> {
        let Posting { uid, turn, text, setup, next_player } = posting;
        let mut body = json!({"uid": uid, "turn_num": turn, "move_str": text});
        if let Some(setup) = setup {
            body["setup_str"] = setup.as_str().into();
            body["next_player"] = (*next_player).into();
        }
        let answer = self.post_once("/move", &body).and_then(object)?;
        // A stored move has a number.
        if answer["id"].is_null() {
            return Err(CallError::NotUnderstood("a move without a number".to_owned()));
        }
        Ok(())
    }

    /// Takes back the last move of a seat, and whatever was played after it. The server refuses this
    /// ([`CallError::NotFound`]) once the opponent's page has been shown the move.
    pub(super) fn undo(&self, uid: u64) -> Result<(), CallError> {
        self.post(&format!("/move/undo/{uid}"), &json!({})).map(|_| ())
    }

    /// Dismisses the opponent's statements. Before that, the opponent is shown no move.
    pub(super) fn dismiss(&self, session: u64) -> Result<(), CallError> {
        self.post("/move/accept", &json!({"session_id": session})).map(|_| ())
    }

    /// Offers a draw.
    pub(super) fn offer_draw(&self, session: u64, uid: u64) -> Result<(), CallError> {
        let body = json!({"session_id": session, "uid": uid, "result_id": Statement::DRAW});
        self.post("/move/alert", &body).map(|_| ())
    }

    /// Ends a game. A game that is over already stays as it is.
    pub(super) fn close(&self, uid: u64, verdict: BotResult) -> Result<(), CallError> {
        let body = match verdict {
            BotResult::Won => json!({"winner": uid}),
            BotResult::Lost => json!({"loser": uid}),
            BotResult::Drawn => json!({"winner": uid, "loser": uid}),
        };
        match self.object("/session/close", &body) {
            // The game is over already.
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

    /// Creates a session that waits for an opponent, or joins one that waits: the server decides which.
    pub(super) fn create(&self, game: SiteGame, time_control: u32) -> Result<(), CallError> {
        let mut body = json!({
            "game_id": game.group,
            "variant_id": game.variant,
            "filename": game.game.name(),
        });
        // The server has no number for games without a clock.
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

/// Checks that an answer is an object.
fn object(answer: Value) -> Result<Value, CallError> {
    if answer.is_object() { Ok(answer) } else { Err(unknown(&answer)) }
}

/// The error for an answer of another type.
fn unknown(answer: &Value) -> CallError {
    CallError::NotUnderstood(kind(answer).to_owned())
}
