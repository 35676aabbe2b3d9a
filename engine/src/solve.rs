use damka_games::{Game, Position};

/// What a search to a limited depth can say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move wins in this many plies, and not sooner.
    Win(u32),
    /// The side to move loses in this many plies, and can hold out no longer.
    Loss(u32),
    /// Neither side can force a win within the depth.
    Unknown,
}

/// A score is a distance from certain defeat or victory: the sooner, the larger.
const DECIDED: i32 = 1 << 20;

/// Searches `depth` plies deep by negamax with alpha-beta, from the rules alone,
/// for a forced win or loss.
pub fn solve<G: Game>(position: &G::Position, depth: u32) -> Outcome {
    match negamax::<G>(position, depth, -DECIDED, DECIDED) {
        0 => Outcome::Unknown,
        score if score > 0 => Outcome::Win((DECIDED - score) as u32),
        score => Outcome::Loss((DECIDED + score) as u32),
    }
}

/// The score of a position for the side to move, between `alpha` and `beta`:
/// `DECIDED` less the plies to a win, its negative for a loss, 0 if open.
fn negamax<G: Game>(position: &G::Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    let moves = position.moves();
    if moves.is_empty() {
        return if position.loses_when_stuck() { -DECIDED } else { 0 };
    }
    if depth == 0 {
        return 0;
    }
    let mut best = i32::MIN;
    for mv in moves {
        let after = position.play(mv);
        // A ply more takes one from the score of whoever is winning.
        let score = -negamax::<G>(&after, depth - 1, farther(-beta), farther(-alpha));
        best = best.max(nearer(score));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// A successor's score as seen one ply earlier.
fn nearer(score: i32) -> i32 {
    score - score.signum()
}

/// The bound on a successor's score that gives this bound one ply earlier.
fn farther(bound: i32) -> i32 {
    bound + bound.signum()
}
