//! The features of Alapo positions.

use super::SLIDERS;
use super::run::run;
use damka_games::alapo::Position;
use damka_games::{Alapo, Color, Game, Position as _, Square, SquareSet};

/// The number of kinds of piece.
const KINDS: usize = Alapo::KINDS.len();
/// The number of rows, and of files, of the board.
pub(super) const SIZE: usize = 6;
/// The number of files of one half of the board; the other half is its mirror image.
pub(super) const FILES: usize = SIZE / 2;
/// The number of sides: the side to move is 0, the other is 1.
pub(super) const SIDES: usize = 2;
/// The number of pieces of a side that reach a square: none, one, or more.
pub(super) const LEVELS: usize = 3;

/// A piece by kind and square, as [`oriented`] for its own side.
pub(super) const ON_SQUARE: usize = 0;
/// A square that only this side reaches, by row.
pub(super) const OWN: usize = ON_SQUARE + KINDS * SIZE * FILES;
/// A square that both sides reach, by row.
pub(super) const DISPUTED: usize = OWN + SIZE;
/// A square to which a stepping piece can go.
pub(super) const STEP: usize = DISPUTED + SIZE;
/// A square of the home rank, by whether its side is to move, the number of its guards and the
/// number of enemies that reach it.
pub(super) const HOME: usize = STEP + 1;
/// An enemy piece attacked by a less valuable one, by whether the attacker is to move and by kind.
const ATTACKED_BY_LESSER: usize = HOME + SIDES * LEVELS * LEVELS;
/// An unguarded enemy piece attacked by a piece of equal or greater value, by whether the
/// attacker is to move and by kind.
const ATTACKED_LOOSE: usize = ATTACKED_BY_LESSER + SIDES * KINDS;
/// An unstoppable run to the goal; the count is higher the sooner the piece arrives.
pub(super) const RUN: usize = ATTACKED_LOOSE + SIDES * KINDS;
/// The bonus of the side to move.
pub(super) const TEMPO: usize = RUN + 1;
pub(super) const FEATURES: usize = TEMPO + 1;

/// An upper bound on the plies of a run.
const LONGEST_RUN: i32 = 20;

/// The index of a square as a side sees it: row from its home, then file from the nearer edge.
#[inline(always)]
fn oriented(color: Color, square: Square) -> usize {
    /// By square, for White.
    static VIEW: [u8; SIZE * SIZE] = {
        let mut view = [0; SIZE * SIZE];
        let mut square = 0;
        while square < view.len() {
            let (row, file) = (square / SIZE, square % SIZE);
            let file = if file < FILES { file } else { SIZE - 1 - file };
            view[square] = (row * FILES + file) as u8;
            square += 1;
        }
        view
    };
    let turned = match color {
        Color::White => usize::from(square),
        Color::Black => SIZE * SIZE - 1 - usize::from(square),
    };
    usize::from(VIEW[turned])
}

/// The squares of a row, counted from the home of a side.
#[inline(always)]
fn row(color: Color, row: usize) -> SquareSet {
    let row = if color == Color::White { row } else { SIZE - 1 - row };
    SquareSet::new(0b11_1111 << (SIZE * row))
}

/// The squares that the pieces of a side reach.
struct Reach {
    /// The squares that at least one piece reaches.
    once: SquareSet,
    /// The squares that at least two pieces reach.
    twice: SquareSet,
    /// By kind: the squares that less valuable pieces reach.
    lesser: [SquareSet; KINDS],
    /// The number of moves of all stepping pieces.
    steps: i32,
}

impl Reach {
    #[inline(always)]
    fn new(position: &Position, color: Color) -> Reach {
        let own = position.side(color);
        let mut reach = Reach {
            once: SquareSet::EMPTY,
            twice: SquareSet::EMPTY,
            lesser: [SquareSet::EMPTY; KINDS],
            steps: 0,
        };
        // Kinds are ordered by value, the most valuable first.
        for kind in Alapo::kinds().rev() {
            reach.lesser[kind.index()] = reach.once;
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

    /// The squares that no piece, one piece, and several pieces reach.
    #[inline(always)]
    fn by_level(&self) -> [SquareSet; LEVELS] {
        [!self.once, self.once & !self.twice, self.twice]
    }
}

/// Calls `tally` with the features of a position.
#[inline(always)]
pub(super) fn count(position: &Position, mut tally: impl FnMut(usize, i32)) {
    let reach = Color::BOTH.map(|color| Reach::new(position, color));
    let turn = position.turn();
    for (side, color, times) in [(0, turn, 1), (1, !turn, -1)] {
        let (own, enemy) = (&reach[color as usize], &reach[!color as usize]);
        for kind in Alapo::kinds() {
            for square in position.pieces(color, kind) {
                tally(ON_SQUARE + kind.index() * SIZE * FILES + oriented(color, square), times);
            }
        }
        let mut count = |feature, set: SquareSet| tally(feature, times * set.len() as i32);
        for rank in 0..SIZE {
            let reached = row(color, rank) & own.once;
            count(OWN + rank, reached & !enemy.once);
            count(DISPUTED + rank, reached & enemy.once);
        }
        let home = Position::home(color);
        for (guards, guarded) in own.by_level().into_iter().enumerate() {
            for (enemies, reached) in enemy.by_level().into_iter().enumerate() {
                let feature = (side * LEVELS + guards) * LEVELS + enemies;
                count(HOME + feature, home & guarded & reached);
            }
        }
        for kind in Alapo::kinds() {
            let pieces = position.pieces(!color, kind);
            let lesser = own.lesser[kind.index()];
            let feature = side * KINDS + kind.index();
            count(ATTACKED_BY_LESSER + feature, pieces & lesser);
            count(ATTACKED_LOOSE + feature, pieces & own.once & !lesser & !enemy.once);
        }
        tally(STEP, times * own.steps);
        if let Some(plies) = run(position, color) {
            tally(RUN, times * (LONGEST_RUN - plies));
        }
    }
    tally(TEMPO, 1);
}
