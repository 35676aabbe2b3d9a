//! The beginning, the description and the end of sessions.

use super::auth::Caller;
use super::lists::{filename, group_of, title};
use super::{Answer, Fields, Reply, State, query_failed, time_limit};
use crate::dagaz::clock::TimeControl;
use crate::dagaz::referee::judge_end;
use crate::dagaz::state::Session;
use crate::dagaz::violation::{Breach, Violation};
use serde_json::{Value, json};

/// Creates a session, or joins a waiting one of another user with the other colour.
pub(super) fn create(state: &mut State, user: i64, fields: Fields) -> Answer {
    let variant = fields.number("variant_id")?.ok_or_else(query_failed)?;
    let requested = fields.number("player_num")?.filter(|&player| player != 0);
    let fits = |session: &&Session| {
        session.status() == 1
            && session.variant == variant
            && session.seats.iter().all(|seat| seat.user != user && Some(seat.player) != requested)
            && !session.seats.is_empty()
    };
    let id = match state.sessions.values().find(fits) {
        Some(session) => session.id,
        None => {
            let control = fields.number("timecontrol_id")?.and_then(TimeControl::numbered);
            state.add_session(variant, control)
        }
    };
    let free = state.sessions.get(&id).and_then(Session::free_player).unwrap_or(1);
    let is_new = state.sessions.get(&id).is_some_and(|session| session.seats.is_empty());
    let player = if is_new { requested.unwrap_or(1) } else { free };
    state.add_seat(id, user, player);
    let filename = filename(variant, player);
    Ok(Reply::Json(201, fields.with(json!({"id": id, "player_num": player, "filename": filename}))))
}

pub(super) fn join(state: &mut State, user: i64, fields: Fields) -> Answer {
    let id = fields.number("session_id")?.ok_or(Reply::Empty(404))?;
    let session = state.sessions.get(&id).ok_or(Reply::Empty(404))?;
    let variant = session.variant;
    let free = session.free_player();
    let player = match fields.number("player_num")? {
        None => free.ok_or(Reply::Empty(404))?,
        Some(player) if session.seats.iter().any(|seat| seat.player == player) => {
            return Err(query_failed());
        }
        Some(player) => player,
    };
    let uid = state.add_seat(id, user, player);
    Ok(Reply::Json(
        201,
        fields.with(json!({"user_id": user, "is_ai": 0, "player_num": player,
        "id": uid, "filename": filename(variant, player)})),
    ))
}

/// Describes a session. Whoever calls, the clock starts and all moves are marked as seen. The first caller
/// may set the start position.
pub(super) fn recovery(state: &mut State, caller: Caller, mut fields: Fields) -> Answer {
    let id = fields.number("id")?.ok_or(Reply::Empty(404))?;
    let now = state.clock.now();
    let is_admin = caller.admin(state).is_ok();
    let was_shown = state.user(caller.id).is_some_and(|user| user.shown.contains(&id));
    let session = state.sessions.get_mut(&id).ok_or(Reply::Empty(404))?;
    let seat = session.seat_of(caller.id).cloned();
    let hides = |session: &Session| {
        session.moves.iter().any(|mv| !mv.is_seen && Some(mv.uid) == seat.as_ref().map(|s| s.uid))
    };
    let violation = (!was_shown && hides(session) && !session.may_be_late).then(|| Violation {
        breach: Breach::Unasked,
        session: id,
        detail: format!("by user {}", caller.id),
    });
    session.moves.iter_mut().for_each(|mv| mv.is_seen = true);
    if fields.is_set("setup_required") && session.setup.is_none() {
        state.violations.extend(violation);
        return Err(Reply::Empty(404));
    }
    let before = session.setup.clone();
    if let (None, Some(setup)) = (&before, fields.text("last_setup"))
        && !fields.is_set("setup_required")
    {
        session.setup = Some(setup.to_owned());
        session.start = session.setup.clone();
    }
    let asks_as_bot = fields.is_set("ai");
    // The server expects a number here, and drops `true`.
    fields.remove("ai");
    let mut answer = json!({
        "game_id": group_of(session.variant), "variant_id": session.variant, "ai_flags": null,
        "width": null, "height": null, "game": title(session.variant),
        "filename": filename(session.variant, 1), "players_total": 2, "last_setup": before,
        "is_dice": 0, "last_turn": session.turns(), "ai_timeout": 1000, "ko_setup": null,
    });
    if session.status() == 2 {
        answer["is_admin"] = is_admin.into();
    }
    if let Some(seat) = seat.filter(|_| session.status() != 3) {
        answer["player_num"] = seat.player.into();
        answer["uid"] = seat.uid.into();
        if let Some(last) = session.last_seat {
            if last != seat.uid {
                session.begin_turn(now);
            }
            let additional = session.time_control.map_or(0, |control| control.additional * 1000);
            answer["time_limit"] = time_limit(session.time_left(seat.uid, now));
            answer["additional_time"] = additional.into();
            if last != seat.uid && !asks_as_bot && session.alerts.is_empty() {
                answer["last_setup"] = replay(session, seat.uid).or(before).into();
            }
        }
    }
    session.begin_turn(now);
    state.violations.extend(violation);
    Ok(Reply::Json(200, fields.with(answer)))
}

/// Lets a page show the last move again: returns the position before it, if the seat has moved.
/// Later moves become unseen, and the turn in lists goes back.
fn replay(session: &mut Session, uid: i64) -> Option<String> {
    let last = session.moves.iter().rev().find(|mv| mv.uid == uid)?;
    let (turn, setup) = (last.turn, last.setup.clone());
    session.moves.iter_mut().filter(|mv| mv.turn > turn).for_each(|mv| mv.is_seen = false);
    session.last_turn = Some(turn);
    setup
}

/// Closes a session, for any caller.
pub(super) fn close(state: &mut State, fields: Fields) -> Answer {
    let [winner, mut loser] = [fields.number("winner")?, fields.number("loser")?];
    let refused = |fields: Fields, more: Value| Err(Reply::Json(403, fields.with(more)));
    let id = match fields.number("id")? {
        Some(id) => Some(id).filter(|id| state.sessions.contains_key(id)),
        None => loser
            .or(winner)
            .and_then(|uid| state.session_of(uid))
            .and_then(|session| (!session.is_closed).then_some(session.id)),
    };
    let Some(session) = id.and_then(|id| state.sessions.get_mut(&id)) else {
        let is_empty = winner.is_none() && loser.is_none();
        return refused(fields, if is_empty { json!({}) } else { json!({"id": null}) });
    };
    if winner.is_none() && loser.is_none() {
        loser = session.last_seat.and_then(|last| session.opponent(last)).map(|seat| seat.uid);
        if loser.is_none() {
            return refused(fields, json!({"id": null, "loser": null}));
        }
    }
    let (ending, violation) = judge_end(session, winner, loser);
    let results = |uid| match (winner, loser) {
        (Some(_), Some(_)) => 3,
        (Some(winner), None) => {
            if uid == winner {
                1
            } else {
                2
            }
        }
        (None, loser) => {
            if Some(uid) == loser {
                2
            } else {
                1
            }
        }
    };
    session.close(ending, results);
    let id = session.id;
    state.violations.extend(violation);
    let more = if winner.is_none() { json!({"id": id, "loser": loser}) } else { json!({"id": id}) };
    Ok(Reply::Json(200, fields.with(more)))
}

pub(super) fn result(state: &State, user: i64, id: i64) -> Answer {
    let seat = state.sessions.get(&id).and_then(|session| session.seat_of(user));
    let seat = seat.filter(|seat| seat.result.is_some()).ok_or(Reply::Empty(404))?;
    Ok(Reply::Json(
        200,
        json!({"id": seat.uid, "session_id": id, "user_id": seat.user,
        "result_id": seat.result, "score": null}),
    ))
}

pub(super) fn export(state: &State, id: i64) -> Answer {
    let session = state.sessions.get(&id).filter(|session| !session.moves.is_empty());
    let session = session.ok_or(Reply::Empty(404))?;
    let row = |uid| session.seat(uid).map(|seat| seat.player);
    let rows = session.moves.iter();
    let rows = rows.map(|mv| json!({"turn": mv.turn, "player": row(mv.uid), "move": mv.text}));
    Ok(Reply::Json(200, rows.collect()))
}
