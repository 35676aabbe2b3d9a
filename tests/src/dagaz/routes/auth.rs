//! Users and their tokens.

use super::{Answer, Fields, Reply, Request, State, internal_error};
use crate::dagaz::state::{Token, User};
use crate::dagaz::tokens;
use serde_json::{Value, json};

/// The lifetimes of tokens, in seconds.
const ACCESS: i64 = 36_000;
const REFRESH: i64 = 180_000;

/// The longest name of a device.
const LONGEST_DEVICE: usize = 100;

/// The user of a request, by number; 0 is a guest.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    pub(super) id: i64,
}

impl Caller {
    pub(super) fn of(state: &State, request: &Request) -> Result<Caller, Reply> {
        let header = request.header("authorization").unwrap_or_default();
        let (word, token) = header.split_once(' ').unwrap_or_default();
        let claims = tokens::read(token).filter(|_| word.eq_ignore_ascii_case("bearer"));
        let (id, end) = claims.ok_or_else(unauthorized)?;
        if end <= state.second() {
            return Err(unauthorized());
        }
        let is_known = state.tokens.iter().any(|known| known.user == id && known.text == token);
        match id == 0 || word == "Bearer" && is_known {
            true => Ok(Caller { id }),
            false => Err(forbidden()),
        }
    }

    /// Refuses all users except administrators.
    pub(super) fn admin(self, state: &State) -> Result<(), Reply> {
        match state.user(self.id).is_some_and(|user| user.is_admin) {
            true => Ok(()),
            false => Err(forbidden()),
        }
    }
}

fn unauthorized() -> Reply {
    Reply::Json(401, json!({"statusCode": 401, "error": "Unauthorized"}))
}

fn forbidden() -> Reply {
    let body = json!({"statusCode": 403, "error": "Forbidden", "message": "Forbidden resource"});
    Reply::Json(403, body)
}

pub(super) fn login(state: &mut State, fields: &Fields) -> Answer {
    let (name, password) = (fields.text("username"), fields.text("password"));
    let mut users = state.users.iter();
    let fits = |user: &User| (Some(&*user.login), Some(&*user.password)) == (name, password);
    let id = users.position(fits).ok_or_else(unauthorized)? as i64 + 1;
    Ok(Reply::Json(201, admit(state, id, fields)?))
}

pub(super) fn register(state: &mut State, fields: &Fields) -> Answer {
    let [Some(name), Some(password)] = ["username", "password"].map(|name| fields.text(name))
    else {
        return Err(internal_error());
    };
    if state.users.iter().any(|user| user.login == name) {
        return Err(Reply::Empty(400));
    }
    let id = state.add_user(name, password);
    // The user is added even if the device is missing.
    fields.text("device").ok_or_else(internal_error)?;
    let mut admission = admit(state, id, fields)?;
    for name in ["role", "flags"] {
        admission.as_object_mut().and_then(|fields| fields.remove(name));
    }
    Ok(Reply::Json(200, admission))
}

pub(super) fn refresh(state: &mut State, user: i64, fields: &Fields) -> Answer {
    Ok(Reply::Json(200, admit(state, user, fields)?))
}

pub(super) fn guest(state: &State) -> Reply {
    let [access, refresh] = [ACCESS, REFRESH].map(|life| tokens::make(0, state.second(), life));
    let body = json!({"access_token": access, "refresh_token": refresh, "role": 0, "realm": 1,
        "user_id": 0});
    Reply::Json(200, body)
}

/// Answers with the password as plain text, as the server does.
pub(super) fn current_user(state: &State, user: i64) -> Answer {
    let found = state.user(user).ok_or(Reply::Empty(404))?;
    let body = json!({"id": user, "username": found.login, "password": found.password});
    Ok(Reply::Json(200, body))
}

/// Creates tokens for a user. They replace those of the same device.
fn admit(state: &mut State, id: i64, fields: &Fields) -> Result<Value, Reply> {
    let device = fields.text("device").filter(|device| !device.is_empty());
    let device = device.unwrap_or("127.0.0.1").to_owned();
    if device.len() > LONGEST_DEVICE {
        let error = json!({"name": "QueryFailedError", "code": "22001"});
        return Err(Reply::Json(500, json!({"status": 400, "error": error})));
    }
    let second = state.second();
    let [access, refresh] = [ACCESS, REFRESH].map(|life| tokens::make(id, second, life));
    state.tokens.retain(|token| (token.user, &token.device) != (id, &device));
    for text in [&access, &refresh] {
        state.tokens.push(Token { text: text.clone(), user: id, device: device.clone() });
    }
    let role = i64::from(state.user(id).is_some_and(|user| user.is_admin));
    Ok(json!({"access_token": access, "refresh_token": refresh, "role": role, "realm": 1,
        "user_id": id, "flags": 0}))
}
