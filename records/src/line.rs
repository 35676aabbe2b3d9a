use damka_games::Game;

/// Moves played one after the other: those of a game, or a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<G: Game> {
    /// What was said before the first move. Comments are text in which words
    /// are separated by single spaces: the notation has no other white space in them.
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
