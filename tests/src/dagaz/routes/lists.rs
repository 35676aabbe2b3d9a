//! Lists of sessions.

use super::{Reply, State};
use crate::dagaz::state::Session;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// The maximum number of rows of a list.
const MOST: usize = 200;

/// A fixed time, which no player reads.
const CREATED: &str = "2026-01-01T00:00:00.000Z";

/// All sessions in which the caller has something to do, last changed first.
pub(super) fn current(state: &mut State, user: i64) -> Reply {
    let is_due = |session: &&Session| {
        let offered = session.alerts.iter().any(|alert| alert.result == 3);
        let begins =
            session.moves.is_empty() && session.seat_of(user).is_some_and(|seat| seat.player == 1);
        let is_registered = state.registered.get(&session.variant) == Some(&user);
        session.awaits(user)
            || !session.is_closed
                && session.seat_of(user).is_some()
                && (begins || offered && is_registered)
    };
    let mut due: Vec<&Session> = state.sessions.values().filter(is_due).collect();
    due.sort_by_key(|session| Reverse(session.changed));
    due.truncate(MOST);
    let rows = due.iter().map(|session| long_row(state, session, user)).collect();
    let shown = due.iter().map(|session| session.id).collect();
    if let Some(user) = state.user_mut(user) {
        user.shown = shown;
    }
    Reply::Json(200, Value::Array(rows))
}

/// The session that waits longest for the caller's move; its clock starts.
pub(super) fn of_variant(state: &mut State, user: i64, variant: i64) -> Reply {
    let now = state.clock.now();
    let is_due = |session: &&mut Session| {
        session.variant == variant && session.setup.is_some() && session.awaits(user)
    };
    let due = state.sessions.values_mut().filter(is_due);
    let due = due.min_by_key(|session| session.changed);
    let rows: Vec<(i64, Value)> = due
        .into_iter()
        .map(|session| {
            session.begin_turn(now);
            (
                session.id,
                json!({"id": session.id, "status": session.status(),
            "game_id": group_of(session.variant), "variant_id": session.variant,
            "last_setup": session.setup, "last_turn": session.last_turn}),
            )
        })
        .collect();
    if let Some(user) = state.user_mut(user) {
        user.shown.extend(rows.iter().map(|(id, _)| id));
    }
    Reply::Json(200, rows.into_iter().map(|(_, row)| row).collect())
}

/// Sessions of others that have a free seat.
pub(super) fn waiting(state: &State, user: i64, group: i64, variant: i64) -> Reply {
    let fits = |session: &&Session| {
        session.status() == 1
            && session.variant == variant
            && group_of(variant) == group
            && session.seat_of(user).is_none()
    };
    let row = |session: &Session| {
        let mut row = long_row(state, session, user);
        row["player_num"] = session.seats.first().map(|seat| seat.player).into();
        for name in ["ai", "last_turn"] {
            row.as_object_mut().and_then(|row| row.remove(name));
        }
        row
    };
    let sessions = state.sessions.values().rev();
    Reply::Json(200, sessions.filter(fits).map(row).collect())
}

/// All sessions of the caller, including finished ones.
pub(super) fn own(state: &State, user: i64) -> Reply {
    let own = state.sessions.values().filter(|session| session.seat_of(user).is_some());
    let mut own: Vec<&Session> = own.collect();
    own.sort_by_key(|session| Reverse(session.changed));
    own.truncate(MOST);
    Reply::Json(200, own.into_iter().map(|session| long_row(state, session, user)).collect())
}

fn long_row(state: &State, session: &Session, user: i64) -> Value {
    let name = |id| state.user(id).map_or("", |user| &*user.login);
    let seats = session.seats.iter();
    let seats = seats.map(|seat| format!("{} ({})", name(seat.user), seat.player));
    let player = session.seat_of(user).map_or(1, |seat| seat.player);
    json!({
        "id": session.id,
        "status": session.status(),
        "game_id": group_of(session.variant),
        "game": format!("{} ({})", title(session.variant), session.id),
        "variant_id": session.variant,
        "filename": filename(session.variant, player),
        "created": CREATED,
        "players_total": 2,
        "player_name": seats.collect::<Vec<_>>().join(" / "),
        "last_setup": session.setup,
        "last_turn": session.last_turn.unwrap_or(0),
        "selector_value": 0,
        "timecontrol_id": session.time_control.map(|control| control.id),
        "timecontrol": session.time_control.map(|control| control.name()),
        "ai": null,
        "is_protected": 0,
    })
}

/// The group of a variant: draughts or others.
pub(super) fn group_of(variant: i64) -> i64 {
    if matches!(variant, 3 | 45) { 22 } else { 30 }
}

pub(super) fn title(variant: i64) -> &'static str {
    match variant {
        3 => "Russian Checkers",
        45 => "English Checkers",
        31 => "Chess",
        134 => "Alapo",
        _ => "Other",
    }
}

/// The page of a game; the second player has another one.
pub(super) fn filename(variant: i64, player: i64) -> String {
    let name = title(variant).to_lowercase().replace(' ', "-");
    name + if player == 1 { "" } else { "-north" }
}
