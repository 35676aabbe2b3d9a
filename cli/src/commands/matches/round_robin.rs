//! The result of a round robin, for people and for programs.

use super::tally::{result, with_bars};
use crate::json;
use damka_matches::{Pairing, Standings};
use serde_json::json;

/// The players, the strongest first, each with its score, its strength and a cross table: won, drawn and
/// lost games against each other player.
pub(super) fn text(names: &[&str], standings: &Standings) -> String {
    let ratings = standings.ratings();
    let mut order: Vec<usize> = (0..names.len()).collect();
    let strength = |player: usize| ratings[player].difference;
    order.sort_by(|&left, &right| strength(right).total_cmp(&strength(left)));
    let head = ["player", "games", "score", "Elo"].map(str::to_owned).into_iter();
    let head = head.chain(order.iter().map(|&other| format!("v {}", names[other])));
    let row = |player: usize| {
        let (games, points) = standings.score(player);
        let score = match games {
            0 => "-".to_owned(),
            _ => format!("{:.1} %", 100.0 * points / games as f64),
        };
        let elo = if games > 0 { with_bars(&ratings[player]) } else { "-".to_owned() };
        let cells = [names[player].to_owned(), games.to_string(), score, elo];
        let results = order.iter().map(move |&other| match standings.result(player, other) {
            _ if other == player => "-".to_owned(),
            [wins, draws, losses] => format!("+{wins} ={draws} -{losses}"),
        });
        cells.into_iter().chain(results).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(head.collect()).chain(order.iter().map(|&player| row(player))).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..rows[0].len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// The standings as a JSON object. Players are in the order of their options.
pub(super) fn object(names: &[&str], standings: &Standings) -> String {
    let ratings = standings.ratings();
    // A rating is a difference from the mean: more digits would be rounding errors. `+ 0.0` turns -0.0
    // into zero.
    let hundredths = |elo: f64| (elo * 100.0).round() / 100.0 + 0.0;
    let players = names.iter().enumerate().map(|(player, name)| {
        let (games, points) = standings.score(player);
        let elo = Some(ratings[player]).filter(|_| games > 0);
        json!({
            "player": name, "games": games, "points": points,
            "elo": elo.map(|elo| hundredths(elo.difference)),
            "elo_low": elo.map(|elo| hundredths(elo.interval[0])),
            "elo_high": elo.map(|elo| hundredths(elo.interval[1])),
        })
    });
    let matches = standings.pairings().iter().map(|Pairing { players, tally }| {
        let mut object = result(tally);
        object["players"] = json!(players.map(|player| names[player]));
        object
    });
    let (players, matches) = (players.collect::<Vec<_>>(), matches.collect::<Vec<_>>());
    json::object(json!({ "players": players, "matches": matches }))
}
