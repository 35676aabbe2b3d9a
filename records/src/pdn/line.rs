use super::Ply;
use damka_games::Game;

/// Moves played one after the other: those of a game, or a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<G: Game> {
    /// What was said before the first move. Comments are text in which words
    /// are separated by single spaces: PDN has no other white space in them.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply<G>>,
}

impl<G: Game> Line<G> {
    /// A line without moves.
    pub fn new() -> Line<G> {
        Line { comments: Vec::new(), plies: Vec::new() }
    }
}

impl<G: Game> Default for Line<G> {
    fn default() -> Line<G> {
        Line::new()
    }
}
