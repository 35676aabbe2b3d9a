//! Moves, offers and resignations.

use super::{Answer, Fields, Reply, State, as_text, query_failed, time_limit};
use crate::dagaz::clock::after_turn;
use crate::dagaz::referee::{judge_move, judge_undo};
use crate::dagaz::shared::Shared;
use crate::dagaz::state::{Alert, Move, Numbered, Session};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// The time between checking a move's number and storing the move. Equal moves that arrive within this
/// time are all stored.
const GAP: Duration = Duration::from_micros(300);

pub(super) fn add(shared: &Shared, fields: Fields) -> Answer {
    let uid = fields.number("uid")?.ok_or(Reply::Empty(404))?;
    {
        let state = shared.state();
        let session = state.session_of(uid).ok_or(Reply::Empty(404))?;
        // Null is neither a number nor missing: it is not checked.
        let is_null = fields.has("turn_num") && fields.get("turn_num").is_null();
        if !is_null && fields.number("turn_num")? != Some(session.turns() + 1) {
            return Err(Reply::Empty(403));
        }
        fields.text("move_str").ok_or_else(query_failed)?;
    }
    thread::sleep(GAP);
    store(&mut shared.state(), uid, fields, true)
}

/// Stores a move; without `whole` the server fails before it stores the next player.
pub(in crate::dagaz) fn store(state: &mut State, uid: i64, fields: Fields, whole: bool) -> Answer {
    let (id, changed, now) = (state.number(Numbered::Move), state.change(), state.clock.now());
    let longest = state.longest;
    let session = state.session_of_mut(uid).ok_or(Reply::Empty(404))?;
    let seat = session.seat(uid).cloned().ok_or(Reply::Empty(404))?;
    let violation = judge_move(session, &seat, &fields);
    let time_delta = session.turn_began.map(|began| now - began);
    let setup = fields.text("setup_str").filter(|setup| !setup.is_empty()).map(str::to_owned);
    let turn = session.turns() + 1;
    session.moves.push(Move {
        id,
        uid,
        user: seat.user,
        turn,
        text: fields.text("move_str").unwrap_or_default().to_owned(),
        setup: setup.clone(),
        note: fields.text("note").map(str::to_owned),
        time_delta,
        is_seen: false,
    });
    if let (Some(delta), Some(_)) = (time_delta, seat.time) {
        let is_sandglass = session.time_control.is_some_and(|control| control.is_sandglass);
        for seat in &mut session.seats {
            match seat.uid == uid {
                true => seat.time = seat.time.map(|time| after_turn(time, delta)),
                false if is_sandglass => seat.time = seat.time.map(|time| time + delta),
                false => {}
            }
        }
    }
    if whole {
        session.changed = changed;
        session.turn_began = None;
        session.last_turn = Some(turn);
        session.last_seat = Some(uid);
        session.next_player =
            fields.number("next_player").unwrap_or(None).filter(|_| setup.is_some());
        session.setup = setup.or(session.setup.take());
        if longest.is_some_and(|longest| turn >= longest) && !session.is_closed {
            session.break_off();
        }
    }
    let session = session.id;
    state.violations.extend(violation);
    if let Some(user) = state.user_mut(seat.user) {
        user.shown.remove(&session);
    }
    let more = json!({"session_id": session, "user_id": seat.user, "id": id});
    Ok(Reply::Json(201, fields.with(more)))
}

/// The opponent's oldest unseen move, which is then marked as seen, or the opponent's offer or
/// resignation.
pub(super) fn confirmed(state: &mut State, uid: i64) -> Answer {
    let now = state.clock.now();
    let session = state.session_of_mut(uid).ok_or(Reply::Empty(404))?;
    if !session.alerts.is_empty() {
        let alerts = session.alerts.iter().filter(|alert| alert.uid != uid);
        let alerts = alerts.map(|alert| json!({"turn_num": alert.turn, "result_id": alert.result}));
        return Ok(Reply::Json(200, alerts.collect()));
    }
    let unseen = |mv: &&mut Move| mv.uid != uid && mv.setup.is_some() && !mv.is_seen;
    let Some(mv) = session.moves.iter_mut().find(unseen) else {
        return Ok(Reply::Json(200, json!([])));
    };
    mv.is_seen = true;
    let mv = mv.clone();
    let row = waiting_row(session, &mv, uid, now);
    session.begin_turn(now);
    Ok(Reply::Json(200, json!([row])))
}

/// The row of a move, with the remaining time of the seat `clock`.
fn waiting_row(session: &Session, mv: &Move, clock: i64, now: i64) -> Value {
    let additional = session.time_control.map_or(0, |control| control.additional * 1000);
    json!({"id": mv.id, "session_id": session.id, "user_id": mv.user, "uid": mv.uid,
        "turn_num": mv.turn, "move_str": mv.text, "setup_str": mv.setup, "note": mv.note,
        "time_delta": as_text(mv.time_delta), "additional_time": additional,
        "time_limit": time_limit(session.time_left(clock, now)), "ko_setup": null})
}

/// The moves of a turn; here the time of each turn counts once.
pub(super) fn all(state: &State, id: i64, turn: i64) -> Reply {
    let session = state.sessions.get(&id);
    let row = |session: &Session, mv: &Move| {
        let earlier = session.moves.iter().filter(|m| m.uid == mv.uid && m.turn <= mv.turn);
        let used: i64 = earlier.filter_map(|mv| mv.time_delta).sum();
        let mut row = json!({"id": mv.id, "session_id": id, "user_id": mv.user,
            "turn_num": mv.turn, "move_str": mv.text, "setup_str": mv.setup, "note": mv.note,
            "time_delta": as_text(mv.time_delta), "additional_time": null});
        if let Some(control) = session.time_control {
            row["additional_time"] = control.additional.into();
            if !control.is_sandglass {
                row["time_limit"] = (control.main * 1000 - used).into();
            }
        }
        row
    };
    let rows = session.into_iter().flat_map(|session| {
        let of_turn = session.moves.iter().filter(|mv| mv.turn == turn);
        of_turn.map(|mv| row(session, mv))
    });
    Reply::Json(200, rows.collect())
}

pub(super) fn alert(state: &mut State, fields: Fields) -> Answer {
    let [id, uid, result] = ["session_id", "uid", "result_id"].map(|name| fields.number(name));
    let (id, uid, result) =
        (id?.ok_or_else(query_failed)?, uid?.ok_or_else(query_failed)?, result?);
    let result = result.filter(|result| (1..=3).contains(result)).ok_or_else(query_failed)?;
    let alert = state.number(Numbered::Alert);
    let session = state.sessions.get_mut(&id).ok_or_else(query_failed)?;
    // Only one offer at a time is stored.
    if !session.alerts.is_empty() {
        return Ok(Reply::Json(201, fields.with(json!({}))));
    }
    session.alerts.push(Alert { uid, result, turn: session.turns() + 1 });
    Ok(Reply::Json(201, fields.with(json!({"id": alert}))))
}

/// Removes an offer, which declines it.
pub(super) fn accept(state: &mut State, fields: Fields) -> Answer {
    let id = fields.number("session_id")?;
    if let Some(session) = id.and_then(|id| state.sessions.get_mut(&id)) {
        session.alerts.clear();
    }
    Ok(Reply::Json(200, fields.with(json!({}))))
}

/// Takes back the seat's last move if it is unseen.
pub(super) fn undo(state: &mut State, uid: i64) -> Reply {
    let changed = state.change();
    let null = |status| Reply::Json(status, Value::Null);
    let Some(session) = state.session_of_mut(uid) else { return null(404) };
    let last = session.moves.iter().rposition(|mv| mv.uid == uid);
    let is_undone = |at: &usize| !session.is_closed && !session.moves[*at].is_seen;
    let Some(at) = last.filter(is_undone) else { return null(404) };
    let violation = judge_undo(session, uid, at);
    session.moves.truncate(at);
    session.changed = changed;
    session.turn_began = None;
    session.last_seat = Some(uid);
    session.next_player = session.seat(uid).map(|seat| seat.player);
    let last = session.moves.last();
    session.last_turn = last.map(|mv| mv.turn);
    session.setup = match last {
        Some(mv) => mv.setup.clone(),
        None => session.start.clone(),
    };
    state.violations.extend(violation);
    null(200)
}

/// The newest move that waits for an arbiter.
pub(super) fn unconfirmed(state: &State, id: i64) -> Answer {
    let session = state.sessions.get(&id).ok_or(Reply::Empty(404))?;
    let newest = session.moves.iter().rev().find(|mv| mv.setup.is_none() && !session.is_closed);
    let now = state.clock.now();
    let row = |mv: &Move| {
        let mut row = waiting_row(session, mv, mv.uid, now);
        row.as_object_mut().and_then(|row| row.remove("ko_setup"));
        row
    };
    Ok(Reply::Json(200, newest.into_iter().map(row).collect()))
}

/// The arbiter sets the position after a move.
pub(super) fn confirm(state: &mut State, fields: Fields) -> Answer {
    let [id, mv, next] = ["session_id", "id", "next_player"].map(|name| fields.number(name));
    let session = id?.and_then(|id| state.sessions.get_mut(&id)).ok_or(Reply::Empty(404))?;
    let setup = fields.text("setup_str").map(str::to_owned);
    let mv = mv?;
    if let Some(mv) = session.moves.iter_mut().find(|confirmed| Some(confirmed.id) == mv) {
        mv.setup.clone_from(&setup);
    }
    session.next_player = next?;
    session.setup = setup;
    Ok(Reply::Json(200, fields.with(json!({}))))
}
