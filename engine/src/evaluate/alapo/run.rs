use super::{PIECES, SLIDERS, steppers};
use damka_games::alapo::Position;
use damka_games::{Alapo, Color, Game, Position as _, SquareSet};

/// The number of plies in which a stepping piece of `color` reaches its goal, if no enemy piece can
/// stop it or reach the enemy's goal earlier. `None` if there is no such piece, or if the enemy has
/// sliding pieces, which may intervene from afar. Threats by other pieces in the meantime are left
/// to the search.
pub(super) fn run(position: &Position, color: Color) -> Option<i32> {
    let (own, enemy) = (position.side(color), position.side(!color));
    let sliders =
        Alapo::kinds().take(SLIDERS).map(|kind| position.kind(kind)).collect::<SquareSet>();
    if !(enemy & sliders).is_empty() {
        return None;
    }
    // The squares that runners of each kind, and enemies of each kind, can reach in the moves
    // counted so far.
    let mut runners = Reachable::new(position, own);
    let mut guards = Reachable::new(position, enemy);
    let mut guarded = enemy;
    let first = position.turn() == color;
    if !first {
        guarded |= guards.step();
        runners.remove(guarded);
    }
    for moves in 1..6 {
        if !(guards.all() & Position::home(color)).is_empty() {
            return None;
        }
        guarded |= guards.step();
        runners.step();
        runners.remove(own | guarded);
        if !(runners.all() & Position::home(!color)).is_empty() {
            return Some(2 * moves - i32::from(first));
        }
    }
    None
}

/// The squares on which stepping pieces of each kind may be.
struct Reachable([SquareSet; PIECES.len() - SLIDERS]);

impl Reachable {
    fn new(position: &Position, side: SquareSet) -> Reachable {
        let mut reachable = Reachable([SquareSet::EMPTY; PIECES.len() - SLIDERS]);
        for (squares, kind) in reachable.0.iter_mut().zip(steppers()) {
            *squares = side & position.kind(kind);
        }
        reachable
    }

    fn all(&self) -> SquareSet {
        self.0.into_iter().collect()
    }

    fn remove(&mut self, squares: SquareSet) {
        self.0.iter_mut().for_each(|own| *own &= !squares);
    }

    /// Moves each piece by one step; returns all squares where they may be now.
    fn step(&mut self) -> SquareSet {
        for (squares, kind) in self.0.iter_mut().zip(steppers()) {
            let reach = |square| Position::reach(kind, square, SquareSet::EMPTY);
            *squares = squares.into_iter().map(reach).collect();
        }
        self.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, solve};
    use damka_tables::{Index, Signature};

    /// A search from the rules alone finds a win in the same number of plies.
    #[test]
    fn unstoppable_runs_win() {
        for (fen, plies) in [
            ("5w/6/6/F5/6/6 w", 5),
            ("6/6/W5/5f/6/6 w", 3),
            ("5f/K5/6/6/6/6 w", 1),
            ("6/6/6/4f1/W5/6 b", 3),
        ] {
            let position = Alapo.parse_fen(fen).expect("a position");
            assert_eq!(run(&position, position.turn()), Some(plies), "{fen}");
            assert_eq!(solve::<Alapo>(&position, 7), Outcome::Win(plies as u32), "{fen}");
        }
    }

    #[test]
    fn stoppable_runs_are_not_counted() {
        // A guard at the goal, one on the way, one that is in time, one that slides, and an enemy
        // that is faster.
        for fen in [
            "k5/6/F5/6/6/6 w",
            "6/6/1k4/F5/6/6 w",
            "6/3k2/6/F5/6/6 w",
            "6/6/F5/5r/6/6 w",
            "6/6/6/F5/5f/6 w",
        ] {
            let position = Alapo.parse_fen(fen).expect("a position");
            assert_eq!(run(&position, Color::White), None, "{fen}");
        }
        // The guard comes a move too late, or in time if it moves first.
        let late = Alapo.parse_fen("6/W5/2k3/6/6/6 w").expect("a position");
        let runs = [late, late.pass()].map(|position| run(&position, Color::White));
        assert_eq!(runs, [Some(1), None]);
    }

    /// With one piece each nothing else can happen in the meantime.
    #[test]
    fn runs_win_in_all_endings_of_two_stepping_pieces() {
        let mut seen = 0;
        for text in ["KvK", "KvW", "KvF", "WvW", "WvF", "FvF"] {
            let signature = Signature::parse(Alapo, text).expect("a signature");
            for &side in signature.sides() {
                let [mover, opponent] = signature.to_move(side);
                let index = Index::new(Alapo, mover, opponent);
                for number in 0..index.len() {
                    let position = index.position(number);
                    let Some(plies) = run(&position, position.turn()) else { continue };
                    let outcome = solve::<Alapo>(&position, plies as u32);
                    let is_won = matches!(outcome, Outcome::Win(won) if won <= plies as u32);
                    assert!(is_won, "{} {plies}: {outcome:?}", position.fen());
                    seen += 1;
                }
            }
        }
        assert!(seen > 1_000, "{seen}");
    }
}
