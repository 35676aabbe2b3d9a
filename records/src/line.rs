use damka_games::Game;

/// A sequence of moves: those of a game or a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<G: Game> {
    /// The comments before the first move. Words of a comment are separated by single spaces, the
    /// only white space that the notation preserves.
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

/// A move with annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// Numeric annotations, 1 to 6 for `!`, `?`, `!!`, `??`, `!?` and `?!`, 7 for
    /// a forced move.
    pub nags: Vec<u8>,
    /// The comments between this move and the next, see [`Line::comments`].
    pub comments: Vec<String>,
    /// The variations: alternatives to this move.
    pub variations: Vec<Line<G>>,
}

impl<G: Game> Ply<G> {
    /// A move without annotations.
    pub fn new(mv: G::Move) -> Ply<G> {
        Ply { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}
