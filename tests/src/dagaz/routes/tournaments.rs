//! Tournaments.

use super::lists::{group_of, title};
use super::{Answer, Fields, Reply, State, query_failed};
use crate::dagaz::clock::TimeControl;
use crate::dagaz::state::Tournament;
use serde_json::{Value, json};

/// The list of time controls.
pub(super) fn times() -> Reply {
    let none = json!({"id": 0, "name": "No", "main_time": null, "additional_time": null,
        "is_sandglass": false});
    let control = |control: TimeControl| {
        json!({"id": control.id, "name": control.name(), "main_time": control.main,
            "additional_time": control.additional, "is_sandglass": control.is_sandglass})
    };
    // In the order of the site.
    let known = [2, 1, 3, 4].into_iter().filter_map(TimeControl::numbered).map(control);
    Reply::Json(200, [none].into_iter().chain(known).collect())
}

pub(super) fn active(state: &State, user: i64) -> Reply {
    list(state, user, |tournament| !tournament.is_closed)
}

pub(super) fn of_variant(state: &State, user: i64, variant: i64) -> Reply {
    list(state, user, |tournament| tournament.variant == variant)
}

fn list(state: &State, user: i64, fits: impl Fn(&Tournament) -> bool) -> Reply {
    let found = state.tournaments.iter().filter(|(_, tournament)| fits(tournament));
    let row = |(id, tournament): (&i64, &Tournament)| -> Value {
        let is_joined = tournament.members.contains(&user);
        json!({"id": id, "game_id": group_of(tournament.variant),
            "variant_id": tournament.variant, "selector_value": null,
            "game": title(tournament.variant), "title": tournament.title,
            "closed": tournament.is_closed.then_some("2026-01-01T00:00:00.000Z"),
            "timecontrol_id": null, "timecontrol": null, "is_joined": is_joined})
    };
    Reply::Json(200, found.map(row).collect())
}

/// Enters a tournament: games against all members begin at once.
pub(super) fn join(state: &mut State, user: i64, fields: &Fields) -> Answer {
    let id = fields.number("id")?.ok_or_else(query_failed)?;
    let tournament = state.tournaments.get_mut(&id).ok_or(Reply::Empty(404))?;
    if tournament.is_closed || tournament.members.contains(&user) {
        return Err(Reply::Empty(404));
    }
    let (variant, title) = (tournament.variant, tournament.title.clone());
    let others = tournament.members.clone();
    tournament.members.push(user);
    for (i, other) in others.into_iter().enumerate() {
        let session = state.add_session(variant, None);
        let players = if i % 2 == 0 { [user, other] } else { [other, user] };
        for (user, player) in players.into_iter().zip(1..) {
            state.add_seat(session, user, player);
        }
    }
    Ok(Reply::Json(200, json!({"id": id, "title": title})))
}
