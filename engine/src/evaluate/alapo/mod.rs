mod exchange;
mod run;

use crate::draws::{Counters, DrawReason};
use crate::playable::Playable;
use damka_games::alapo::{Alapo, Move, Position};
use damka_games::{Color, Game, bits};
use exchange::{GAME, exchange};
use run::run;

/// The first of the kinds that step; those before slide.
const STEPPERS: usize = 3;

/// What pieces are worth, in hundredths of a fers: queen, rook, bishop, king, wazir, fers.
const PIECES: [i32; 6] = [680, 567, 351, 248, 93, 90];

/// What a king, a wazir and a fers are worth besides, row by row from the own home.
const ADVANCE: [[i32; 6]; 3] =
    [[0, 62, 75, 99, 150, 0], [0, 33, 66, 129, 204, 0], [0, 38, 47, 81, 125, 0]];

/// For each square that pieces reach, and for each that a piece that steps can go to.
const REACH: i32 = 4;
const STEP: i32 = 9;

/// For each square of the own home that no piece guards, and that two or more do.
const UNGUARDED: i32 = -18;
const GUARDED_TWICE: i32 = 16;

/// For each square of the goal rank that pieces reach; if no enemy guards it, the next move
/// wins.
const GOAL: i32 = 13;
const OPEN_GOAL: i32 = 60;

/// A run to the goal that cannot be stopped, and for each ply that it takes.
const RUN: i32 = 400;
const RUN_PLY: i32 = -10;

const TEMPO: i32 = 9;

impl Playable for Alapo {
    /// To look only at goal moves and captures has won more games.
    const THREATS: u8 = 0;

    fn evaluate(position: &Position) -> i32 {
        let reach = Color::BOTH.map(|color| Reach::new(position, color));
        let worth = |color: Color| {
            let (own, enemy) = (&reach[color as usize], &reach[!color as usize]);
            let (home, goal) = (Position::home(color), Position::home(!color));
            let count = |set: u64| set.count_ones() as i32;
            own.pieces
                + count(own.once) * REACH
                + count(home & !own.once) * UNGUARDED
                + count(home & own.twice) * GUARDED_TWICE
                + count(goal & own.once) * GOAL
                + count(goal & own.once & !enemy.once) * OPEN_GOAL
                + run(position, color).map_or(0, |plies| RUN + plies * RUN_PLY)
        };
        let turn = position.turn();
        worth(turn) - worth(!turn) + TEMPO
    }

    fn plainly(position: &Position) -> i32 {
        /// What a published bot takes pieces, in the order above, and a move to be worth.
        const PIECES: [i32; 6] = [3000, 2000, 1000, 300, 200, 100];
        const MOVE: i32 = 10;
        let worth = |position: &Position| {
            let own = position.side(position.turn());
            let count = |kind| (own & position.kind(kind)).count_ones() as i32;
            let pieces: i32 = (0..PIECES.len()).map(|kind| count(kind) * PIECES[kind]).sum();
            pieces + Alapo::count_moves(position) as i32 * MOVE
        };
        worth(position) - worth(&Alapo::pass(position))
    }

    #[inline]
    fn ends(mv: Move) -> (u8, u8) {
        (mv.from, mv.to)
    }

    #[inline]
    fn gain(position: &Position, mv: Move) -> i32 {
        let worth = |square| position.at(square).map_or(0, |(_, kind)| PIECES[kind]);
        let (victim, attacker) = (worth(mv.to), worth(mv.from));
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

    #[inline]
    fn is_loud(position: &Position, mv: Move) -> bool {
        Self::is_capture(position, mv) || reaches_goal(position, mv)
    }

    #[inline]
    fn is_threatened(position: &Position) -> bool {
        let (turn, enemy) = (position.turn(), !position.turn());
        let open = Position::home(turn) & !position.side(enemy) & !position.attacks(turn);
        position.attacks(enemy) & open != 0
    }

    #[inline]
    fn may_pass(position: &Position) -> bool {
        /// With as few pieces as this, having to move may be what loses.
        const FEW: u32 = 2;
        let turn = position.turn();
        position.side(turn).count_ones() > FEW && !Alapo::is_threatened(position)
    }

    #[inline]
    fn pass(position: &Position) -> Position {
        Alapo::pass(position)
    }

    fn drawn(_: &Position, _: &Counters) -> Option<DrawReason> {
        None
    }
}

/// What the pieces of a side are worth where they stand, and what they reach.
struct Reach {
    pieces: i32,
    /// The squares that one piece or more reach, and those that two or more do.
    once: u64,
    twice: u64,
}

impl Reach {
    #[inline]
    fn new(position: &Position, color: Color) -> Reach {
        let own = position.side(color);
        let mut reach = Reach { pieces: 0, once: 0, twice: 0 };
        for kind in 0..PIECES.len() {
            for square in bits(own & position.kind(kind)) {
                let reached = Position::reach(kind, square, position.occupied());
                reach.twice |= reach.once & reached;
                reach.once |= reached;
                reach.pieces += PIECES[kind];
                if let Some(kind) = kind.checked_sub(STEPPERS) {
                    let row = usize::from(square / 6);
                    let row = if color == Color::White { row } else { 5 - row };
                    reach.pieces += ADVANCE[kind][row];
                    reach.pieces += (reached & !own).count_ones() as i32 * STEP;
                }
            }
        }
        reach
    }
}

/// Whether a move ends on the other side's home rank.
fn reaches_goal(position: &Position, mv: Move) -> bool {
    Position::home(!position.turn()) >> mv.to & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_alike() {
        let mut position = Alapo::start();
        for step in 0..40 {
            let flipped = Alapo::flip(&position);
            assert_eq!(Alapo::evaluate(&position), Alapo::evaluate(&flipped), "{position:?}");
            let moves = Alapo::moves(&position);
            if moves.is_empty() {
                break;
            }
            position = Alapo::play(&position, moves[step * 7 % moves.len()]);
        }
    }

    /// What a position is worth to White.
    fn worth(fen: &str) -> i32 {
        Alapo::evaluate(&Alapo::parse_fen(fen).expect("a position"))
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
        assert!(through - stopped > RUN / 2, "{stopped} {through}");
    }
}
