use damka_games::Game;

/// A static evaluation, as an argument of the search: the weights of features, a network, or a
/// caller's own implementation. Search threads share it.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The evaluation for one thread, with a cache of its own. Every thread gets the same values.
    fn for_thread(&self) -> Box<dyn ThreadEvaluator<G> + '_>;

    /// The value of a position for the side to move, in hundredths of a man. A search, which
    /// evaluates many positions, keeps an evaluation [for a thread](Evaluator::for_thread) instead.
    fn evaluate(&self, position: &G::Position) -> i32 {
        self.for_thread().evaluate(position, 0)
    }
}

/// The [evaluation](Evaluator) as one thread uses it.
pub trait ThreadEvaluator<G: Game> {
    /// The value of a position for the side to move, in hundredths of a man. It depends only on the
    /// position; `ply`, the distance from the root in plies, only helps to compute it faster.
    fn evaluate(&mut self, position: &G::Position, ply: u16) -> i32;
}
