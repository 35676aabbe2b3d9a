//! Checks that the server does not make: whether a move is legal, whose turn it is, whether a
//! result is right.

use super::fields::Fields;
use super::site::{self, Judged};
use super::state::{Ending, Seat, Session};
use super::violation::{Breach, Violation};

/// The violation of a move that is being stored, if any.
pub(super) fn judge_move(session: &Session, seat: &Seat, fields: &Fields) -> Option<Violation> {
    let text = fields.text("move_str").unwrap_or_default();
    let found = |breach, detail: String| {
        let detail = format!("player {}, `{text}`: {detail}", seat.player);
        Some(Violation { breach, session: session.id, detail })
    };
    if session.is_closed {
        // The player to move may not know yet that another user has closed the session.
        return match session.ending {
            Some(Ending::Played) => found(Breach::AfterTheEnd, "the game is over".to_owned()),
            _ => None,
        };
    }
    if session.next_player != Some(seat.player) {
        return found(Breach::OutOfTurn, format!("{:?} is to move", session.next_player));
    }
    if fields.get("turn_num").is_null() {
        return found(Breach::NoTurnNumber, String::new());
    }
    let setup = session.setup.as_deref().unwrap_or_default();
    let judged = match site::judge(session.variant, setup) {
        Ok(judged) => judged,
        Err(error) => return found(Breach::IllegalMove, error),
    };
    if judged.player != seat.player {
        return found(Breach::OutOfTurn, format!("in {setup}"));
    }
    let named = |step: &&site::Step| step.names.iter().any(|name| name == text);
    let Some(step) = judged.steps.iter().find(named) else {
        return found(Breach::IllegalMove, format!("in {setup}"));
    };
    match fields.text("setup_str") {
        // The arbiter will set the position after the move.
        None => None,
        Some(after) if after != step.after => {
            found(Breach::WrongPosition, format!("{after} instead of {}", step.after))
        }
        Some(_) if fields.number("next_player") != Ok(Some(3 - seat.player)) => {
            found(Breach::WrongPosition, format!("next player {}", fields.get("next_player")))
        }
        Some(_) => None,
    }
}

/// The violation of taking back a seat's move and all later ones, if any.
pub(super) fn judge_undo(session: &Session, uid: i64, at: usize) -> Option<Violation> {
    let taken_back = &session.moves[at..];
    let is_passed_on = session.last_turn == session.moves.last().map(|mv| mv.turn);
    let is_others = taken_back.iter().any(|mv| mv.uid != uid);
    (is_passed_on || is_others).then(|| Violation {
        breach: Breach::TakenBack,
        session: session.id,
        detail: format!("{} moves from turn {} on", taken_back.len(), taken_back[0].turn),
    })
}

/// How a session ends if it is closed with this winner and loser, and the violation, if any.
pub(super) fn judge_end(
    session: &Session,
    winner: Option<i64>,
    loser: Option<i64>,
) -> (Ending, Option<Violation>) {
    // A last move counts even if the server has stored it only in part.
    let setup =
        session.moves.last().and_then(|mv| mv.setup.as_deref()).or(session.setup.as_deref());
    let judged = setup.and_then(|setup| site::judge(session.variant, setup).ok());
    let player = |uid: i64| session.seat(uid).map_or(0, |seat| seat.player);
    let has_lost = |player| judged.as_ref().is_some_and(|j| j.is_lost && j.player == player);
    let stated = |uid, results: [i64; 1]| {
        let mut alerts = session.alerts.iter();
        alerts.any(|alert| alert.uid != uid && results.contains(&alert.result))
    };
    let is_drawn = |judged: &Judged| judged.steps.is_empty() && !judged.is_lost || judged.is_dead;
    let ending = match (winner, loser) {
        (Some(winner), None) if has_lost(3 - player(winner)) => Some(Ending::Played),
        (Some(winner), None) if stated(winner, [2]) => Some(Ending::Resigned),
        (None, Some(loser)) if has_lost(player(loser)) => Some(Ending::Played),
        (None, Some(_)) => Some(Ending::Resigned),
        (Some(seat), Some(_)) if stated(seat, [3]) => Some(Ending::Agreed),
        (Some(_), Some(_)) if judged.as_ref().is_some_and(is_drawn) => Some(Ending::Played),
        _ => None,
    };
    let violation = ending.is_none().then(|| Violation {
        breach: Breach::FalseResult,
        session: session.id,
        detail: format!("winner {winner:?}, loser {loser:?} in {:?}", session.setup),
    });
    (ending.unwrap_or(Ending::Others), violation)
}
