use super::Line;
use damka_games::Game;

/// A move that was played, and what was noted about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// Numeric annotations, 1 to 6 for `!`, `?`, `!!`, `??`, `!?` and `?!`, 7 for
    /// a forced move.
    pub nags: Vec<u8>,
    /// What was said between this move and the next, see [`Line::comments`].
    pub comments: Vec<String>,
    /// What might have been played instead.
    pub variations: Vec<Line<G>>,
}

impl<G: Game> Ply<G> {
    /// A move about which nothing was noted.
    pub fn new(mv: G::Move) -> Ply<G> {
        Ply { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}
