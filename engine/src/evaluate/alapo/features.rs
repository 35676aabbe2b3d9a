//! What is counted in a position of Alapo.

use super::SLIDERS;
use super::run::run;
use damka_games::alapo::Position;
use damka_games::{Alapo, Color, Game, Position as _, Square, SquareSet};

/// Kinds of piece.
const KINDS: usize = Alapo::KINDS.len();
/// Rows and files of the board.
pub(super) const SIZE: usize = 6;
/// Files of one half of the board; the other is its mirror image.
pub(super) const FILES: usize = SIZE / 2;
/// The side to move, and the other.
pub(super) const SIDES: usize = 2;
/// How many pieces of a side reach a square: none, one, or more.
pub(super) const LEVELS: usize = 3;

/// A piece by its kind and square, as its own side [sees](view) it.
pub(super) const ON_SQUARE: usize = 0;
/// A square that one side alone reaches, by its row.
pub(super) const OWN: usize = ON_SQUARE + KINDS * SIZE * FILES;
/// A square that both reach, by its row.
pub(super) const DISPUTED: usize = OWN + SIZE;
/// Squares to which each piece that steps can go.
pub(super) const STEP: usize = DISPUTED + SIZE;
/// A square of the own home by who is to move, how many pieces guard it, and how many enemies reach
/// it.
pub(super) const HOME: usize = STEP + 1;
/// An enemy piece that a lesser one attacks, by who is to move and by its kind.
const BETTER: usize = HOME + SIDES * LEVELS * LEVELS;
/// One that another attacks, and nobody guards, by the same.
const LOOSE: usize = BETTER + SIDES * KINDS;
/// A run to the goal that cannot be stopped: the more, the sooner it comes there.
pub(super) const RUN: usize = LOOSE + SIDES * KINDS;
/// To be the side to move.
pub(super) const TEMPO: usize = RUN + 1;
pub(super) const FEATURES: usize = TEMPO + 1;

/// More plies than any run takes.
const LONGEST_RUN: i32 = 20;

/// Where a side sees a square: by rows from its home, by files from the edge.
#[inline(always)]
fn view(color: Color, square: Square) -> usize {
    /// As White does.
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

/// The squares of a row as a side sees it.
#[inline(always)]
fn row(color: Color, row: usize) -> SquareSet {
    let row = if color == Color::White { row } else { SIZE - 1 - row };
    SquareSet::new(0b11_1111 << (SIZE * row))
}

/// What the pieces of a side reach.
struct Reach {
    /// The squares that one piece or more reach, and those that two or more do.
    once: SquareSet,
    twice: SquareSet,
    /// By kind: the squares that lesser pieces reach.
    lesser: [SquareSet; KINDS],
    /// How many squares each piece that steps can go to, all together.
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
        // Kinds are in the order of their worth, the best first.
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

    /// The squares that no piece reaches, those that one does, and those that more do.
    #[inline(always)]
    fn levels(&self) -> [SquareSet; LEVELS] {
        [!self.once, self.once & !self.twice, self.twice]
    }
}

/// Calls `tally` with what is counted in a position.
#[inline(always)]
pub(super) fn count(position: &Position, mut tally: impl FnMut(usize, i32)) {
    let reach = Color::BOTH.map(|color| Reach::new(position, color));
    let turn = position.turn();
    for (side, color, times) in [(0, turn, 1), (1, !turn, -1)] {
        let (own, enemy) = (&reach[color as usize], &reach[!color as usize]);
        for kind in Alapo::kinds() {
            for square in position.pieces(color, kind) {
                tally(ON_SQUARE + kind.index() * SIZE * FILES + view(color, square), times);
            }
        }
        let mut count = |feature, set: SquareSet| tally(feature, times * set.len() as i32);
        for number in 0..SIZE {
            let reached = row(color, number) & own.once;
            count(OWN + number, reached & !enemy.once);
            count(DISPUTED + number, reached & enemy.once);
        }
        let home = Position::home(color);
        for (guards, guarded) in own.levels().into_iter().enumerate() {
            for (enemies, reached) in enemy.levels().into_iter().enumerate() {
                let feature = (side * LEVELS + guards) * LEVELS + enemies;
                count(HOME + feature, home & guarded & reached);
            }
        }
        for kind in Alapo::kinds() {
            let pieces = position.pieces(!color, kind);
            let lesser = own.lesser[kind.index()];
            let feature = side * KINDS + kind.index();
            count(BETTER + feature, pieces & lesser);
            count(LOOSE + feature, pieces & own.once & !lesser & !enemy.once);
        }
        tally(STEP, times * own.steps);
        if let Some(plies) = run(position, color) {
            tally(RUN, times * (LONGEST_RUN - plies));
        }
    }
    tally(TEMPO, 1);
}
