//! The features of draughts positions.
//!
//! Most are patterns, as in Logistello (M. Buro, "Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello", 1997) and Scan (F. Letouzey): the arrangement of
//! the men of both sides on the 8 dark squares of a window of 4 by 4 squares.

use damka_games::draughts::{DIRECTIONS, Direction, Position, promotion_row};
use damka_games::{Color, Position as _, Square, SquareSet};

/// The number of arrangements of men in a window: each square is empty or has a man of one side.
const ARRANGEMENTS: usize = 3usize.pow(8);
/// The number of windows: on the files a-d, c-f and e-h of the ranks 8 to 5, and on a-d and c-f of
/// the ranks 6 to 3. Seen from the other side they cover the rest of the board.
const WINDOWS: usize = 5;
/// A king, by square.
pub(super) const KING_SQUARE: usize = WINDOWS * ARRANGEMENTS;
/// The balance of kings: counted once for each side, by the numbers of its own and of enemy kings,
/// up to 3 of each.
pub(super) const BALANCE: usize = KING_SQUARE + 32;
/// A man, by the numbers of friendly and of enemy kings, up to 3 of each.
pub(super) const MAN: usize = BALANCE + 16;
/// A king beyond the third.
pub(super) const MORE_KINGS: usize = MAN + 16;
/// A square that a king can go to.
pub(super) const KING_MOVE: usize = MORE_KINGS + 1;
/// A king that cannot move.
pub(super) const STUCK_KING: usize = KING_MOVE + 1;
/// A king on the main road with no enemy king on it, by the number of enemy pieces, up to 7.
pub(super) const MAIN_ROAD: usize = STUCK_KING + 1;
/// A man that nothing can stop on its way to promotion.
pub(super) const RUNAWAY: usize = MAIN_ROAD + 8;
/// A step of a man to an empty square ahead.
pub(super) const STEP: usize = RUNAWAY + 1;
/// The bonus of the side to move.
pub(super) const TEMPO: usize = STEP + 1;
pub(super) const FEATURES: usize = TEMPO + 1;

/// The squares of the main road, from a1 to h8.
pub(super) const MAIN_ROAD_SQUARES: SquareSet = {
    let mut front = SquareSet::new(1 << 28);
    let mut road = 0;
    while !front.is_empty() {
        road |= front.bits();
        front = Direction::UpRight.step(front);
    }
    SquareSet::new(road)
};

/// For each set of squares in two rows, three 16-bit numbers: the squares on the files a-d, c-f and
/// e-h as digits 0 or 1 in base 3.
static DIGITS: [u64; 256] = digits();

const fn digits() -> [u64; 256] {
    let mut digits = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut file = 0;
        while file < 3 {
            let mut number = 0;
            let mut square = 4;
            while square > 0 {
                square -= 1;
                // Two adjacent squares in the first row, two in the second.
                let bit = square / 2 * 4 + square % 2 + file;
                number = number * 3 + (set >> bit & 1) as u64;
            }
            digits[set] |= number << (16 * file);
            file += 1;
        }
        set += 1;
    }
    digits
}

/// The number of arrangements of men in two rows of a window.
const HALF_ARRANGEMENTS: u64 = 81;

/// The set after turning the board by 180 degrees.
#[inline]
fn turned(set: SquareSet) -> SquareSet {
    SquareSet::new((set.bits() as u32).reverse_bits().into())
}

/// A position as one side sees it: its men move up.
#[derive(Clone, Copy)]
struct View {
    men: SquareSet,
    kings: SquareSet,
    other_men: SquareSet,
    other_kings: SquareSet,
}

impl View {
    fn new(position: &Position, color: Color) -> View {
        let (own, other, kings) = (position.side(color), position.side(!color), position.kings());
        let view = View {
            men: own & !kings,
            kings: own & kings,
            other_men: other & !kings,
            other_kings: other & kings,
        };
        match color {
            Color::White => view,
            Color::Black => {
                let [men, kings, other_men, other_kings] =
                    [view.men, view.kings, view.other_men, view.other_kings].map(turned);
                View { men, kings, other_men, other_kings }
            }
        }
    }

    fn other(self) -> View {
        View {
            men: turned(self.other_men),
            kings: turned(self.other_kings),
            other_men: turned(self.men),
            other_kings: turned(self.kings),
        }
    }

    fn empty(&self) -> SquareSet {
        !(self.men | self.kings | self.other_men | self.other_kings)
    }

    /// The pattern features of the windows.
    #[inline]
    fn arrangements(&self) -> [usize; WINDOWS] {
        let rows = |pair: usize| {
            let digits = |set: SquareSet| DIGITS[usize::from(set.bits().to_le_bytes()[pair])];
            digits(self.men) + 2 * digits(self.other_men)
        };
        let rows = [rows(0), rows(1), rows(2)];
        let windows =
            [rows[0] + HALF_ARRANGEMENTS * rows[1], rows[1] + HALF_ARRANGEMENTS * rows[2]];
        let number = |window: usize| (windows[window / 3] >> (16 * (window % 3))) as u16;
        std::array::from_fn(|window| window * ARRANGEMENTS + usize::from(number(window)))
    }

    /// Counts the features of this side, each multiplied by `times`. `flies`: whether kings are
    /// flying.
    #[inline]
    fn count(&self, flies: bool, times: i32, tally: &mut impl FnMut(usize, i32)) {
        let count = |set: SquareSet| set.len() as i32;
        for feature in self.arrangements() {
            tally(feature, times);
        }
        let kings = [self.kings, self.other_kings].map(|kings| kings.len() as usize);
        let by_kings = 4 * kings[0].min(3) + kings[1].min(3);
        tally(MAN + by_kings, times * count(self.men));
        let empty = self.empty();
        let forward = [Direction::UpLeft, Direction::UpRight];
        let steps = forward.map(|d| count(d.step(self.men) & empty));
        tally(STEP, times * (steps[0] + steps[1]));
        if kings == [0, 0] {
            tally(RUNAWAY, times * self.runaways());
            return;
        }
        if kings[0] != kings[1] {
            tally(BALANCE + by_kings, times);
        }
        tally(MORE_KINGS, times * kings[0].saturating_sub(3) as i32);
        for king in self.kings {
            tally(KING_SQUARE + usize::from(king), times);
            let moves = count(reach(king, flies, empty));
            tally(KING_MOVE, times * moves);
            if moves == 0 {
                tally(STUCK_KING, times);
            }
        }
        let on_road =
            [self.kings, self.other_kings].map(|kings| !(kings & MAIN_ROAD_SQUARES).is_empty());
        if on_road == [true, false] {
            let others = count(self.other_men | self.other_kings).min(7);
            tally(MAIN_ROAD + others as usize, times);
        }
    }

    /// The number of men with a path to promotion over empty squares that no enemy man can reach or
    /// capture on. Assumes that there are no kings.
    #[inline]
    fn runaways(&self) -> i32 {
        let back = [Direction::DownLeft, Direction::DownRight];
        // All squares ahead of enemy men: where they may move or capture.
        let mut barred = self.other_men;
        for _ in 0..7 {
            barred |= back[0].step(barred) | back[1].step(barred);
        }
        let mut open = promotion_row(Color::White) & self.empty() & !barred;
        for _ in 0..3 {
            let before = back[0].step(open) | back[1].step(open);
            open |= before & self.empty() & !barred;
        }
        let next = back[0].step(open) | back[1].step(open);
        (self.men & next).len() as i32
    }
}

/// The squares a king can go to.
#[inline]
fn reach(king: Square, flies: bool, empty: SquareSet) -> SquareSet {
    let slides = DIRECTIONS.map(|d| match flies {
        true => d.slide(king, !empty),
        false => d.step(king.into()) & empty,
    });
    slides.into_iter().collect()
}

/// Calls `tally` with the features of a position.
#[inline]
pub(super) fn count(position: &Position, mut tally: impl FnMut(usize, i32)) {
    let view = View::new(position, position.turn());
    let flies = position.game().rules().flying_kings;
    view.count(flies, 1, &mut tally);
    view.other().count(flies, -1, &mut tally);
    tally(TEMPO, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Game, Russian};
    use std::collections::BTreeMap;

    fn view(fen: &str) -> View {
        let position = Russian.parse_fen(fen).expect("a position");
        View::new(&position, position.turn())
    }

    fn counts(fen: &str) -> BTreeMap<usize, i32> {
        let position = Russian.parse_fen(fen).expect("a position");
        let mut counts = BTreeMap::new();
        count(&position, |feature, times| {
            *counts.entry(feature).or_insert(0) += times;
        });
        counts.retain(|_, times| *times != 0);
        counts
    }

    #[test]
    fn runaways_have_no_enemy_ahead() {
        for (fen, runaways) in [("W:Wg5:Ba5", 1), ("W:Wg5:Bh8", 0), ("W:Wg5,c1:Ba7", 1)] {
            assert_eq!(view(fen).runaways(), runaways, "{fen}");
            let turned = Russian.parse_fen(fen).expect("a position").flip().fen();
            assert_eq!(view(&turned).runaways(), runaways, "{fen}, seen from Black");
        }
    }

    /// Windows overlap: a man changes as many arrangements as there are windows over its square.
    /// All sets of squares in two rows of a window have different numbers.
    #[test]
    fn windows_cover_the_board() {
        let empty = view("W:WKa1:BKh8").arrangements();
        let squares = [("a7", 1), ("c7", 2), ("h6", 1), ("a5", 2), ("c5", 4), ("e5", 3), ("e1", 0)];
        for (square, windows) in squares {
            let fen = format!("W:W{square},Ka1:BKh2");
            let seen = view(&fen).arrangements();
            let differ = seen.iter().zip(empty).filter(|(seen, empty)| **seen != *empty).count();
            assert_eq!(differ, windows, "{square}");
        }
        let mut all: Vec<u64> = (0..256).map(|set| DIGITS[set] & 0xFFFF).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 16, "two squares of each row");
        assert_eq!(DIGITS[0xFF], 40 << 32 | 40 << 16 | 40);
    }

    #[test]
    fn symmetric_features_cancel_out() {
        let counts = counts("W:WKc1,a3:BKf8,h6");
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [TEMPO]);
    }

    #[test]
    fn kings_are_counted() {
        let counts = counts("W:WKa1,Kc1:BKb8,d8");
        assert_eq!(counts.get(&(BALANCE + 4 * 2 + 1)), Some(&1));
        assert_eq!(counts.get(&(BALANCE + 4 + 2)), Some(&-1));
        assert_eq!(counts.get(&(MAN + 4 + 2)), Some(&-1), "a black man");
        assert_eq!(counts.get(&(MAIN_ROAD + 2)), Some(&1));
    }
}
