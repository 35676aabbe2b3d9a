//! The answers of the server, call by call.

mod auth;
mod lists;
mod moves;
mod sessions;
mod tournaments;

use super::fields::{Fields, internal_error, number, query_failed};
use super::http::{Reply, Request};
use super::shared::Shared;
use super::state::State;
use super::violation::{Breach, Violation};
use auth::Caller;
use serde_json::{Value, json};

pub(super) use moves::store;

/// An answer; errors are answers, too.
type Answer = Result<Reply, Reply>;

/// Answers a request without faults.
pub(super) fn answer(shared: &Shared, request: &Request) -> Reply {
    let fields = match Fields::of(request) {
        Ok(fields) => fields,
        Err(reply) => return reply,
    };
    look_for_secrets(&mut shared.state(), request);
    let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
    // The check and the storing of a move are separate steps.
    if (&*request.method, &parts[..]) == ("POST", &["move"]) {
        return moves::add(shared, fields).unwrap_or_else(|reply| reply);
    }
    let state = &mut shared.state();
    with(state, request, &parts, fields).unwrap_or_else(|reply| reply)
}

fn with(state: &mut State, request: &Request, parts: &[&str], fields: Fields) -> Answer {
    // Calls that need a user check that first.
    let caller = |state: &State| Caller::of(state, request);
    let user = |state: &State| caller(state).map(|caller| caller.id);
    let admin = |state: &State| caller(state)?.admin(state);
    match (&*request.method, parts) {
        ("POST", ["auth", "login"]) => auth::login(state, &fields),
        ("POST", ["auth", "user"]) => auth::register(state, &fields),
        ("GET", ["auth", "refresh"]) => auth::refresh(state, user(state)?, &fields),
        ("GET", ["auth", "guest"]) => Ok(auth::guest(state)),
        ("GET", ["users", "current"]) => auth::current_user(state, user(state)?),
        ("GET", ["session", "current"]) => Ok(lists::current(state, user(state)?)),
        ("GET", ["session", "current", variant]) => {
            let user = user(state)?;
            Ok(lists::of_variant(state, user, number(variant)?))
        }
        ("GET", ["session", "waiting", game, variant]) => {
            let user = user(state)?;
            Ok(lists::waiting(state, user, number(game)?, number(variant)?))
        }
        ("GET", ["session", "my"]) => Ok(lists::own(state, user(state)?)),
        ("GET", ["session", "export", session]) => sessions::export(state, number(session)?),
        ("POST", ["session"]) => sessions::create(state, user(state)?, fields),
        ("POST", ["join"]) => sessions::join(state, user(state)?, fields),
        ("POST", ["session", "recovery"]) => sessions::recovery(state, caller(state)?, fields),
        ("POST", ["session", "close"]) => sessions::close(state, fields),
        ("GET", ["result", session]) => {
            let user = user(state)?;
            sessions::result(state, user, number(session)?)
        }
        ("GET", ["move", "confirmed", uid]) => {
            user(state)?;
            moves::confirmed(state, number(uid)?)
        }
        ("GET", ["move", "all", session, turn]) => {
            user(state)?;
            Ok(moves::all(state, number(session)?, number(turn)?))
        }
        ("POST", ["move", "alert"]) => {
            user(state)?;
            moves::alert(state, fields)
        }
        ("POST", ["move", "accept"]) => {
            user(state)?;
            moves::accept(state, fields)
        }
        ("POST", ["move", "undo", uid]) => {
            user(state)?;
            Ok(moves::undo(state, number(uid)?))
        }
        ("GET", ["move", "unconfirmed", session]) => {
            admin(state)?;
            moves::unconfirmed(state, number(session)?)
        }
        ("POST", ["move", "confirm"]) => {
            admin(state)?;
            moves::confirm(state, fields)
        }
        ("GET", ["tournament", "time"]) => Ok(tournaments::times()),
        ("GET", ["tournament", "active"]) => Ok(tournaments::active(state, user(state)?)),
        ("GET", ["tournament", "game", _, variant]) => {
            let user = user(state)?;
            Ok(tournaments::of_variant(state, user, number(variant)?))
        }
        ("POST", ["tournament", "join"]) => tournaments::join(state, user(state)?, &fields),
        _ => Ok(Reply::Page),
    }
}

/// Looks for passwords outside of logins, and tokens outside of their header.
fn look_for_secrets(state: &mut State, request: &Request) {
    let body = String::from_utf8_lossy(&request.body);
    let may_have_password = matches!(&*request.path, "/auth/login" | "/auth/user");
    let shows = |secret: &str| request.path.contains(secret) || body.contains(secret);
    let mut passwords = state.users.iter().map(|user| &*user.password);
    let mut tokens = state.tokens.iter().map(|token| &*token.text);
    if !may_have_password && passwords.any(shows) || tokens.any(shows) {
        let detail = format!("{} {}", request.method, request.path);
        state.violations.push(Violation { breach: Breach::Secret, session: 0, detail });
    }
}

/// A number as a string, as answers have it from columns of large numbers.
fn as_text(number: Option<i64>) -> Value {
    number.map_or(Value::Null, |number| number.to_string().into())
}

/// A seat's remaining time: a number while its clock runs, else a string.
fn time_limit(left: Option<(i64, bool)>) -> Value {
    match left {
        None => Value::Null,
        Some((left, true)) => json!(left),
        Some((left, false)) => json!(left.to_string()),
    }
}
