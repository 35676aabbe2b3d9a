//! Recorded games, read and written.

mod broken;
mod chess;
mod random;
mod reading;
mod tree;
mod writing;

use damka_games::{Game, Position};
use damka_records::{Line, Record, read};

/// The games of a text without errors.
fn games<G: Game>(game: G, text: &str) -> Vec<Record<G>> {
    read(game, text).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The only game of a text without errors.
fn game<G: Game>(game: G, text: &str) -> Record<G> {
    let mut games = games(game, text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// A game's moves with all that belongs to them, without numbers: `c3-d4 $1
/// {comment} (variation)`.
fn outline<G: Game>(record: &Record<G>) -> String {
    line_outline(&record.line, record.start.position).join(" ")
}

fn line_outline<G: Game>(line: &Line<G>, mut position: G::Position) -> Vec<String> {
    let braced = |comment: &String| format!("{{{comment}}}");
    let mut words: Vec<String> = line.comments.iter().map(braced).collect();
    for ply in &line.plies {
        words.push(position.format_move(ply.mv));
        words.extend(ply.nags.iter().map(|nag| format!("${nag}")));
        words.extend(ply.comments.iter().map(braced));
        for variation in &ply.variations {
            words.push(format!("({})", line_outline(variation, position).join(" ")));
        }
        position = position.play(ply.mv);
    }
    words
}
