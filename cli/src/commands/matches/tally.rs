//! The result of a match of two players, for people and for programs.

use crate::json;
use damka_matches::{Elo, Sprt, SprtVerdict, Tally};
use serde_json::json;

/// The result so far, in a line.
pub(super) fn line(names: [&str; 2], tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally { wins, draws, losses, .. } = tally;
    let [first, second] = names;
    let mut line =
        format!("{first}-{second}{:>6} games: +{wins} ={draws} -{losses}", tally.games());
    if tally.identical > 0 {
        line += &format!(", {} identical", tally.identical);
    }
    if let Some(elo) = elo_text(tally) {
        line += &format!(", Elo {elo}");
    }
    if let Some(sprt) = sprt {
        let [low, high] = sprt.bounds();
        line += &format!(", LLR {:.2} ({low:.2} to {high:.2})", sprt.ratio(tally));
    }
    line
}

/// The Elo difference of a match, as text.
fn elo_text(tally: &Tally) -> Option<String> {
    tally.elo().as_ref().map(with_bars)
}

/// An Elo difference with its interval: `+12.3 (-4.5 to +29.1)`.
pub(super) fn with_bars(elo: &Elo) -> String {
    let difference = match elo.difference {
        f64::INFINITY => "all won".to_owned(),
        f64::NEG_INFINITY => "all lost".to_owned(),
        difference => format!("{difference:+.1}"),
    };
    let bound = |bound: f64| match bound.is_finite() {
        true => format!("{bound:+.1}"),
        false => "no bound".to_owned(),
    };
    match elo.interval {
        [f64::NEG_INFINITY, f64::INFINITY] => {
            format!("{difference} (too few games for an interval)")
        }
        [low, high] => format!("{difference} ({} to {})", bound(low), bound(high)),
    }
}

/// The result, as text.
pub(super) fn text(names: [&str; 2], tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally { wins, draws, losses, pairs, identical, forfeits } = tally;
    let ([first, second], games) = (names, tally.games());
    let mut text =
        format!("games        {games}: {first} has won {wins}, drawn {draws}, lost {losses}\n");
    if *identical > 0 {
        text +=
            &format!("identical    {identical} more, not counted: earlier pairs had these games\n");
    }
    if let [a, b] = *forfeits
        && a + b > 0
    {
        text += &format!("forfeits     {first}: {a}, {second}: {b}, of the games lost\n");
    }
    let [none, half, one, more, two] = pairs;
    text += &format!("pairs        0: {none}, 1/2: {half}, 1: {one}, 3/2: {more}, 2: {two}\n");
    if let Some(score) = tally.score() {
        text += &format!("score        {:.1} %\n", score * 100.0);
    }
    if let Some(elo) = elo_text(tally) {
        text += &format!("Elo          {elo}\n");
    }
    if let Some(sure) = tally.superiority() {
        text += &format!("superiority  {:.1} %\n", sure * 100.0);
    }
    if let Some(sprt) = sprt {
        let [low, high] = sprt.bounds();
        let verdict = match sprt.verdict(tally) {
            None => "undecided".to_owned(),
            Some(SprtVerdict::Accepted) => {
                format!("H1: {first} is stronger by the greater difference")
            }
            Some(SprtVerdict::Rejected) => {
                format!("H0: {first} is stronger by no more than the smaller difference")
            }
        };
        let ratio = sprt.ratio(tally);
        text += &format!("SPRT         {ratio:.2} ({low:.2} to {high:.2}): {verdict}\n");
    }
    text
}

/// The result of a match, as a JSON object.
pub(super) fn result(tally: &Tally) -> serde_json::Value {
    let elo = tally.elo();
    // Infinite values become null.
    json!({
        "games": tally.games(), "wins": tally.wins, "draws": tally.draws,
        "losses": tally.losses, "pairs": tally.pairs, "identical": tally.identical,
        "forfeits": tally.forfeits,
        "elo": elo.map(|elo| elo.difference),
        "elo_low": elo.map(|elo| elo.interval[0]),
        "elo_high": elo.map(|elo| elo.interval[1]),
        "superiority": tally.superiority(),
    })
}

/// The result, with that of the sequential test, as a line of JSON.
pub(super) fn object(tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut object = result(tally);
    if let Some(sprt) = sprt {
        let [low, high] = sprt.bounds();
        object["llr"] = sprt.ratio(tally).into();
        object["llr_low"] = low.into();
        object["llr_high"] = high.into();
        object["verdict"] = match sprt.verdict(tally) {
            None => serde_json::Value::Null,
            Some(SprtVerdict::Rejected) => "H0".into(),
            Some(SprtVerdict::Accepted) => "H1".into(),
        };
    }
    json::object(object)
}
