use damka_games::{Game, Position};

/// The result of a depth-limited search for a forced win or loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move wins in this many plies with best play.
    Win(u32),
    /// The side to move loses in this many plies with best play.
    Loss(u32),
    /// Neither side can force a win within the depth.
    Unknown,
}

/// The score of a win in 0 plies; each ply subtracts 1.
const DECIDED: i32 = 1 << 20;

/// Searches for a forced win or loss within `depth` plies: plain negamax with alpha-beta, from the
/// rules alone.
pub fn solve<G: Game>(position: &G::Position, depth: u32) -> Outcome {
    match negamax::<G>(position, depth, -DECIDED, DECIDED) {
        0 => Outcome::Unknown,
        score if score > 0 => Outcome::Win((DECIDED - score) as u32),
        score => Outcome::Loss((DECIDED + score) as u32),
    }
}

/// The score of a position for the side to move, in the window from `alpha` to `beta`: `DECIDED`
/// minus the plies to a win, the negative of that for a loss, 0 if neither is forced within
/// `depth`.
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
        // Each ply moves a score one towards 0.
        let score =
            -negamax::<G>(&after, depth - 1, bound_a_ply_later(-beta), bound_a_ply_later(-alpha));
        best = best.max(score_a_ply_earlier(score));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// A successor's score as seen one ply earlier.
fn score_a_ply_earlier(score: i32) -> i32 {
    score - score.signum()
}

/// The bound on a successor's score that gives this bound one ply earlier.
fn bound_a_ply_later(bound: i32) -> i32 {
    bound + bound.signum()
}
