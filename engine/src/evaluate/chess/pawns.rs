//! What is counted of pawns: which are passed, weak or together.

use super::distance::steps;
use damka_games::chess::{PAWN, Position};
use damka_games::{Color, Position as _, Square, SquareSet};

/// A passed pawn by its rank, from 0: only the foremost of several.
pub(super) const PASSED: usize = 0;
/// One that is not stopped by a piece before it.
pub(super) const FREE: usize = PASSED + 8;
/// One that another pawn guards or stands beside.
pub(super) const PASSED_TOGETHER: usize = FREE + 8;
/// A passed pawn from the fourth rank on: the steps of its king to the square before it, and
/// those of the other king.
pub(super) const OWN_KING: usize = PASSED_TOGETHER + 8;
pub(super) const OTHER_KING: usize = OWN_KING + 8;
/// A passed pawn that a king without pieces does not catch.
pub(super) const RUNAWAY: usize = OTHER_KING + 8;
/// A pawn without others on the files beside it.
pub(super) const ISOLATED: usize = RUNAWAY + 1;
/// A pawn with another before it.
pub(super) const DOUBLED: usize = ISOLATED + 1;
/// A pawn that cannot advance safely, and that no other can come to guard.
pub(super) const BACKWARD: usize = DOUBLED + 1;
/// A pawn by its rank that another guards or stands beside.
pub(super) const TOGETHER: usize = BACKWARD + 1;
pub(super) const PAWN_FEATURES: usize = TOGETHER + 8;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// All squares before those of a set, as White sees it.
#[inline(always)]
const fn before(set: u64) -> u64 {
    let set = set << 8;
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

/// All squares behind those of a set.
#[inline(always)]
const fn behind(set: u64) -> u64 {
    before(set.swap_bytes()).swap_bytes()
}

/// The squares beside those of a set.
#[inline(always)]
const fn beside(set: u64) -> u64 {
    (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// The pawns of both sides as one sees them: its own move up.
pub(super) struct Pawns {
    color: Color,
    pub(super) own: SquareSet,
    other: SquareSet,
    /// Squares that pawns of its side guard, from the fourth to the sixth rank, which no enemy
    /// pawn can come to attack.
    pub(super) outposts: SquareSet,
    /// Files without pawns of its side; without any.
    pub(super) half_open: SquareSet,
    pub(super) open: SquareSet,
}

impl Pawns {
    #[inline(always)]
    pub(super) fn new(position: &Position, color: Color) -> Pawns {
        let seen = |pawns: SquareSet| match color {
            Color::White => pawns.bits(),
            Color::Black => pawns.bits().swap_bytes(),
        };
        let own = seen(position.pieces(color, PAWN));
        let other = seen(position.pieces(!color, PAWN));
        let guarded = beside(own) << 8;
        let may_be_attacked = beside(other | behind(other)) >> 8;
        let taken = own | before(own) | behind(own);
        let open = !(taken | other | before(other) | behind(other));
        Pawns {
            color,
            own: SquareSet::new(own),
            other: SquareSet::new(other),
            outposts: SquareSet::new(guarded & !may_be_attacked & 0xFFFF_FF00_0000),
            half_open: SquareSet::new(!taken),
            open: SquareSet::new(open),
        }
    }

    /// Squares of the board as its side sees them.
    #[inline(always)]
    pub(super) fn seen(&self, squares: SquareSet) -> SquareSet {
        match self.color {
            Color::White => squares,
            Color::Black => SquareSet::new(squares.bits().swap_bytes()),
        }
    }

    /// Those that no enemy pawn stands before or can take on their way; of several on a file the
    /// foremost.
    #[inline(always)]
    fn passed(&self) -> u64 {
        let (own, barred) = (self.own.bits(), behind(self.other.bits()));
        own & !(barred | beside(barred)) & !behind(own)
    }

    /// Those without others on the files beside them.
    #[inline(always)]
    fn isolated(&self) -> u64 {
        let own = self.own.bits();
        own & !beside(own | before(own) | behind(own))
    }

    /// Those that have another before them.
    #[inline(always)]
    fn doubled(&self) -> u64 {
        let own = self.own.bits();
        own & behind(own)
    }

    /// Those that would be taken if they advanced, and that no other can come to guard.
    #[inline(always)]
    fn backward(&self) -> u64 {
        let own = self.own.bits();
        let attacked = beside(self.other.bits()) >> 8;
        own & attacked >> 8 & !beside(own | before(own))
    }

    /// Those that another guards or stands beside.
    #[inline(always)]
    fn together(&self) -> u64 {
        let beside = beside(self.own.bits());
        self.own.bits() & (beside | beside << 8)
    }

    /// Counts the pawns of its side, whatever pieces there are beside the kings.
    #[inline(always)]
    pub(super) fn count(&self, position: &Position, tally: &mut impl FnMut(usize, i32)) {
        let count = |set: u64| set.count_ones() as i32;
        let together = self.together();
        for square in SquareSet::new(together) {
            tally(TOGETHER + usize::from(square) / 8, 1);
        }
        tally(ISOLATED, count(self.isolated()));
        tally(DOUBLED, count(self.doubled()));
        tally(BACKWARD, count(self.backward()));
        for square in SquareSet::new(self.passed()) {
            let rank = usize::from(square) / 8;
            tally(PASSED + rank, 1);
            tally(PASSED_TOGETHER + rank, (together >> square.index() & 1) as i32);
            if rank >= 3 {
                let next = Square::new(square.index() + 8);
                let far = |color| usize::from(steps(self.king(position, color), next));
                tally(OWN_KING + far(self.color), 1);
                tally(OTHER_KING + far(!self.color), 1);
            }
        }
    }

    /// Counts passed pawns that nothing stands before.
    #[inline(always)]
    pub(super) fn count_free(&self, position: &Position, tally: &mut impl FnMut(usize, i32)) {
        let passed = self.passed();
        if passed == 0 {
            return;
        }
        let occupied = self.seen(position.occupied()).bits();
        for square in SquareSet::new(passed & !(occupied >> 8)) {
            tally(FREE + usize::from(square) / 8, 1);
        }
        let others = position.side(!self.color) & !position.kind(PAWN);
        if others.len() > 1 {
            return;
        }
        let king = self.king(position, !self.color);
        let late = u8::from(position.turn() != self.color);
        for square in SquareSet::new(passed & !behind(occupied)) {
            let end = Square::new(56 + square.index() % 8);
            let is_caught = steps(king, end) <= 7 - square.index() / 8 + late;
            tally(RUNAWAY, i32::from(!is_caught));
        }
    }

    /// Where a king stands, as this side sees it.
    #[inline(always)]
    fn king(&self, position: &Position, color: Color) -> Square {
        let turned = if self.color == Color::White { 0 } else { 0o70 };
        Square::new(position.king(color).index() ^ turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Chess, Game};

    fn squares(set: u64) -> String {
        let names = SquareSet::new(set).into_iter().map(|square| Chess.square_name(square));
        names.collect::<Vec<_>>().join(" ")
    }

    /// Pawns of each kind, found by eye.
    #[test]
    fn pawns_are_told_apart() {
        // White pawns a4 a5 c2 d4 e4 h2 against b7 e6 f5 g7.
        let position = Chess.parse_fen("4k3/1p4p1/4p3/P4p2/P2PP3/8/2P4P/4K3 w - -");
        let position = position.expect("a position");
        let white = Pawns::new(&position, Color::White);
        let black = Pawns::new(&position, Color::Black);
        let seen = [white.isolated(), white.doubled(), white.together()].map(squares);
        assert_eq!(seen, ["h2 a4 a5", "a4", "d4 e4"]);
        // Before a5 and c2 is b7, before d4 and e4 e6, before h2 g7.
        assert_eq!(squares(white.passed()), "");
        // Black sees the board from the other side: e6 is e3 there.
        let seen = [black.isolated(), black.backward(), black.together()].map(squares);
        assert_eq!(seen, ["b2", "b2 e3", "f4"]);
    }

    #[test]
    fn nothing_stands_before_a_passed_pawn() {
        // White pawns a4 c4 f2 f4 and black c5.
        let position = Chess.parse_fen("4k3/8/8/2p5/P1P2P2/8/5P2/4K3 w - -").expect("a position");
        assert_eq!(squares(Pawns::new(&position, Color::White).passed()), "a4 f4");
        assert_eq!(squares(Pawns::new(&position, Color::Black).passed()), "");
    }
}
