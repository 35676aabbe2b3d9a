mod exchange;
mod run;

use super::{Evaluated, Weights};
use crate::draws::{Counters, DrawReason};
use crate::searchable::Searchable;
use damka_games::alapo::{Alapo, Move, Position};
use damka_games::{Color, Game, Kind, MoveList, Position as _, Square, SquareSet};
use exchange::{GAME, exchange};
use run::run;
use std::sync::Arc;

/// How many kinds slide: the first ones; the others step.
const SLIDERS: usize = 3;

/// What pieces are worth, in hundredths of a fers: queen, rook, bishop, king, wazir, fers.
const PIECES: [i32; 6] = [680, 567, 351, 248, 93, 90];

/// A king, a wazir and a fers on each row from the second to the last but one.
const ADVANCE: usize = PIECES.len();
/// Squares that pieces reach.
const REACH: usize = ADVANCE + 3 * ROWS;
/// Squares to which each piece that steps can go.
const STEP: usize = REACH + 1;
/// Squares of the own home that no piece guards.
const UNGUARDED: usize = STEP + 1;
/// Those that two or more guard.
const GUARDED_TWICE: usize = UNGUARDED + 1;
/// Squares of the goal rank that pieces reach.
const GOAL: usize = GUARDED_TWICE + 1;
/// Those that no enemy guards: the next move wins.
const OPEN_GOAL: usize = GOAL + 1;
/// A run to the goal that cannot be stopped: the more, the sooner it comes there.
const RUN: usize = OPEN_GOAL + 1;
const TEMPO: usize = RUN + 1;

/// The rows on which pieces that step are told apart.
const ROWS: usize = 4;

/// More plies than any run takes.
const LONGEST_RUN: i32 = 20;

impl Evaluated for Alapo {
    const FEATURES: usize = TEMPO + 1;
    const STAGES: i32 = 24;

    #[inline]
    fn stage(position: &Position) -> i32 {
        Color::BOTH.map(|color| position.side(color).len() as i32).iter().sum()
    }

    #[inline]
    fn count_rest(position: &Position, mut tally: impl FnMut(usize, i32)) {
        let reach = Color::BOTH.map(|color| Reach::new(position, color));
        let turn = position.turn();
        for (color, times) in [(turn, 1), (!turn, -1)] {
            let (own, enemy) = (&reach[color as usize], &reach[!color as usize]);
            let (home, goal) = (Position::home(color), Position::home(!color));
            let pieces = position.side(color);
            let mut count = |feature, set: SquareSet| {
                tally(feature, times * set.len() as i32);
            };
            for kind in Alapo::kinds() {
                count(kind.index(), pieces & position.kind(kind));
            }
            for (stepper, kind) in steppers().enumerate() {
                for square in pieces & position.kind(kind) & !(home | goal) {
                    let row = usize::from(square) / 6;
                    let row = if color == Color::White { row } else { 5 - row };
                    count(ADVANCE + stepper * ROWS + row - 1, square.into());
                }
            }
            count(REACH, own.once);
            count(UNGUARDED, home & !own.once);
            count(GUARDED_TWICE, home & own.twice);
            count(GOAL, goal & own.once);
            count(OPEN_GOAL, goal & own.once & !enemy.once);
            tally(STEP, times * own.steps);
            if let Some(plies) = run(position, color) {
                tally(RUN, times * (LONGEST_RUN - plies));
            }
        }
        tally(TEMPO, 1);
    }

    /// Fitted to the results of games that the engine has played with itself.
    fn first_weights(self) -> Weights<Alapo> {
        const ADVANCED: [[i32; ROWS]; 3] =
            [[62, 75, 99, 150], [33, 66, 129, 204], [38, 47, 81, 125]];
        let others = [
            (REACH, 4),
            (STEP, 9),
            (UNGUARDED, -18),
            (GUARDED_TWICE, 16),
            (GOAL, 13),
            (OPEN_GOAL, 60),
            (RUN, 20),
            (TEMPO, 9),
        ];
        let pieces = PIECES.into_iter().chain(ADVANCED.into_iter().flatten()).enumerate();
        let mut weights = Weights::zero(Alapo);
        for (feature, hundredths) in pieces.chain(others) {
            weights.set(feature, [hundredths as f32; 2]);
        }
        weights
    }

    fn weights(self) -> Arc<Weights<Alapo>> {
        Arc::new(Alapo.first_weights())
    }
}

impl Searchable for Alapo {
    const BENCH_DEPTH: u16 = 8;

    /// To look only at goal moves and captures has won more games.
    fn baseline(position: &Position) -> i32 {
        /// What a published bot takes pieces, in the order above, and a move to be worth.
        const PIECES: [i32; 6] = [3000, 2000, 1000, 300, 200, 100];
        const MOVE: i32 = 10;
        let worth = |position: &Position| {
            let own = position.side(position.turn());
            let count = |kind| (own & position.kind(kind)).len() as i32;
            let pieces: i32 = Alapo::kinds().map(|kind| count(kind) * PIECES[kind.index()]).sum();
            pieces + position.count_moves() as i32 * MOVE
        };
        worth(position) - worth(&position.pass())
    }

    #[inline]
    fn ends(mv: Move) -> (Square, Square) {
        (mv.from, mv.to)
    }

    #[inline]
    fn gain(position: &Position, mv: Move) -> i32 {
        let (victim, attacker) = (worth(position, mv.to), worth(position, mv.from));
        let is_goal = reaches_goal(position, mv);
        if victim == 0 && !is_goal {
            return 0;
        }
        // Who captures something better than itself need not count on.
        let exchanged = match is_goal || victim < attacker {
            true => exchange(position, mv),
            false => 0,
        };
        match exchanged < 0 {
            true => exchanged,
            // A won game first, then the most valuable victim, and of several attackers
            // the least valuable.
            false => exchanged / GAME * GAME + 10 * victim - attacker / 10 + 100,
        }
    }

    /// Captures, and moves to the goal.
    #[inline]
    fn loud_moves(position: &Position) -> Option<MoveList<Move>> {
        let mut moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        moves.retain(|mv| position.is_capture(*mv) || reaches_goal(position, *mv));
        Some(moves)
    }

    #[inline]
    fn is_threatened(position: &Position) -> bool {
        let (turn, enemy) = (position.turn(), !position.turn());
        let open = Position::home(turn) & !position.side(enemy) & !position.attacks(turn);
        !(position.attacks(enemy) & open).is_empty()
    }

    #[inline]
    fn may_pass(position: &Position) -> bool {
        /// With as few pieces as this, having to move may be what loses.
        const FEW: u32 = 2;
        let turn = position.turn();
        position.side(turn).len() > FEW && !Alapo::is_threatened(position)
    }

    #[inline]
    fn pass(position: &Position) -> Position {
        position.pass()
    }

    fn drawn(_: &Position, _: &Counters) -> Option<DrawReason> {
        None
    }
}

/// The kinds that step.
fn steppers() -> impl Iterator<Item = Kind> {
    Alapo::kinds().skip(SLIDERS)
}

/// What the piece on a square is worth; 0 if there is none.
#[inline]
fn worth(position: &Position, square: Square) -> i32 {
    position.piece_at(square).map_or(0, |(_, kind)| PIECES[kind.index()])
}

/// What the pieces of a side reach.
struct Reach {
    /// The squares that one piece or more reach, and those that two or more do.
    once: SquareSet,
    twice: SquareSet,
    /// How many squares each piece that steps can go to, all together.
    steps: i32,
}

impl Reach {
    #[inline]
    fn new(position: &Position, color: Color) -> Reach {
        let own = position.side(color);
        let mut reach = Reach { once: SquareSet::EMPTY, twice: SquareSet::EMPTY, steps: 0 };
        for kind in Alapo::kinds() {
            for square in own & position.kind(kind) {
                let reached = Position::reach(kind, square, position.occupied());
                reach.twice |= reach.once & reached;
                reach.once |= reached;
                if kind.index() >= SLIDERS {
                    reach.steps += (reached & !own).len() as i32;
                }
            }
        }
        reach
    }
}

/// Whether a move ends on the other side's home rank.
fn reaches_goal(position: &Position, mv: Move) -> bool {
    Position::home(!position.turn()).contains(mv.to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Frames;

    #[test]
    fn colours_are_alike() {
        let weights = Alapo.weights();
        let mut position = Alapo.start();
        for step in 0..40 {
            let flipped = position.flip();
            let worth = |position| weights.evaluate(position, &mut Frames::new());
            assert_eq!(worth(&position), worth(&flipped), "{position:?}");
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[step * 7 % moves.len()]);
        }
    }

    /// What a position is worth to White.
    fn worth(fen: &str) -> i32 {
        let position = Alapo.parse_fen(fen).expect("a position");
        Alapo.weights().evaluate(&position, &mut Frames::new())
    }

    #[test]
    fn better_pieces_are_worth_more() {
        let with = |piece: &str| worth(&format!("1bkkb1/6/6/6/6/1{piece}KKB1 w"));
        assert!("FWKBRQ".split("").skip(1).take(6).map(with).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn small_pieces_should_advance() {
        for piece in ["F", "W", "K"] {
            let at = |rows: [&str; 4]| {
                let rows = rows.join("/").replace('P', piece);
                worth(&format!("r5/{rows}/5R w"))
            };
            let way = [
                at(["6", "6", "2P3", "6"]),
                at(["6", "2P3", "6", "6"]),
                at(["2P3", "6", "6", "6"]),
            ];
            assert!(way.is_sorted_by(|a, b| a < b), "{piece}: {way:?}");
        }
    }

    #[test]
    fn pieces_should_be_free() {
        // The bishop is shut in by its own pieces, or looks at the whole board.
        assert!(worth("1bqqb1/6/6/6/FF4/BK4 w") < worth("1bqqb1/6/6/6/FB4/FK4 w"));
    }

    #[test]
    fn the_home_should_be_guarded() {
        // The rook reaches as many squares on rank 3.
        assert!(worth("kkk3/6/6/6/6/3R1K w") > worth("kkk3/6/6/3R2/6/5K w"));
    }

    #[test]
    fn who_cannot_be_stopped_has_almost_won() {
        let [stopped, through] = ["6/2k3/6/W5/6/6 w", "6/5k/6/W5/6/6 w"].map(worth);
        assert!(through - stopped > 200, "{stopped} {through}");
    }
}
