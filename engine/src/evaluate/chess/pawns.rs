//! The features of pawns: passed, weak and supported ones.

use damka_games::chess::{PAWN, Position};
use damka_games::grid::{distance, file, flip};
use damka_games::{Color, Position as _, Square, SquareSet};

/// A passed pawn, by rank from 0; of several on a file only the foremost.
pub(super) const PASSED: usize = 0;
/// A passed pawn, by rank, whose next square is empty.
pub(super) const FREE: usize = PASSED + 8;
/// A passed pawn, by rank, guarded by a pawn or with one beside it.
pub(super) const PASSED_TOGETHER: usize = FREE + 8;
/// A passed pawn from the fourth rank on, by the distance of its own king to the square in front of
/// it, and by that of the enemy king.
pub(super) const OWN_KING: usize = PASSED_TOGETHER + 8;
pub(super) const OTHER_KING: usize = OWN_KING + 8;
/// A passed pawn that the enemy king cannot catch, if the enemy has only king and pawns.
pub(super) const RUNAWAY: usize = OTHER_KING + 8;
/// An isolated pawn: no friendly pawns on the adjacent files.
pub(super) const ISOLATED: usize = RUNAWAY + 1;
/// A doubled pawn: a friendly pawn is ahead on the same file.
pub(super) const DOUBLED: usize = ISOLATED + 1;
/// A backward pawn: an enemy pawn attacks the square in front of it, and no friendly pawn can come
/// to guard it.
pub(super) const BACKWARD: usize = DOUBLED + 1;
/// A pawn, by rank, guarded by a pawn or with one beside it.
pub(super) const TOGETHER: usize = BACKWARD + 1;
pub(super) const PAWN_FEATURES: usize = TOGETHER + 8;

const FILE_A: u64 = file::<8>(0).bits();
const FILE_H: u64 = file::<8>(7).bits();

/// All squares ahead of those of a set, as White sees it.
#[inline(always)]
const fn before(set: u64) -> u64 {
    let set = set << 8;
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

/// All squares behind those of a set, as White sees it.
#[inline(always)]
const fn behind(set: u64) -> u64 {
    flip::<8>(before(flip::<8>(set)))
}

/// The squares left and right of those of a set.
#[inline(always)]
const fn beside(set: u64) -> u64 {
    (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// The pawns of both sides as one side sees them: its own move up.
pub(super) struct Pawns {
    color: Color,
    pub(super) own: SquareSet,
    other: SquareSet,
    /// Squares from the fourth to the sixth rank that friendly pawns guard and no enemy pawn can
    /// ever attack.
    pub(super) outposts: SquareSet,
    /// Files without friendly pawns.
    pub(super) half_open: SquareSet,
    /// Files without any pawns.
    pub(super) open: SquareSet,
}

impl Pawns {
    #[inline(always)]
    pub(super) fn new(position: &Position, color: Color) -> Pawns {
        let seen = |pawns: SquareSet| match color {
            Color::White => pawns.bits(),
            Color::Black => flip::<8>(pawns.bits()),
        };
        let own = seen(position.pieces(color, PAWN));
        let other = seen(position.pieces(!color, PAWN));
        let guarded = beside(own) << 8;
        let may_be_attacked = beside(other | behind(other)) >> 8;
        let own_files = own | before(own) | behind(own);
        let open = !(own_files | other | before(other) | behind(other));
        Pawns {
            color,
            own: SquareSet::new(own),
            other: SquareSet::new(other),
            outposts: SquareSet::new(guarded & !may_be_attacked & 0xFFFF_FF00_0000),
            half_open: SquareSet::new(!own_files),
            open: SquareSet::new(open),
        }
    }

    /// A set of squares as this side sees it.
    #[inline(always)]
    pub(super) fn seen(&self, squares: SquareSet) -> SquareSet {
        match self.color {
            Color::White => squares,
            Color::Black => SquareSet::new(flip::<8>(squares.bits())),
        }
    }

    /// Passed pawns: no enemy pawn is ahead on their file or an adjacent one. Of several on a file
    /// only the foremost.
    #[inline(always)]
    fn passed(&self) -> u64 {
        let (own, barred) = (self.own.bits(), behind(self.other.bits()));
        own & !(barred | beside(barred)) & !behind(own)
    }

    /// Isolated pawns.
    #[inline(always)]
    fn isolated(&self) -> u64 {
        let own = self.own.bits();
        own & !beside(own | before(own) | behind(own))
    }

    /// Doubled pawns, except the foremost on each file.
    #[inline(always)]
    fn doubled(&self) -> u64 {
        let own = self.own.bits();
        own & behind(own)
    }

    /// Backward pawns.
    #[inline(always)]
    fn backward(&self) -> u64 {
        let own = self.own.bits();
        let attacked = beside(self.other.bits()) >> 8;
        own & attacked >> 8 & !beside(own | before(own))
    }

    /// Pawns guarded by a pawn or with one beside them.
    #[inline(always)]
    fn together(&self) -> u64 {
        let beside = beside(self.own.bits());
        self.own.bits() & (beside | beside << 8)
    }

    /// Counts the features of this side's pawns that depend only on pawns and kings.
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
                let far = |color| usize::from(distance::<8>(self.king(position, color), next));
                tally(OWN_KING + far(self.color), 1);
                tally(OTHER_KING + far(!self.color), 1);
            }
        }
    }

    /// Counts the features of passed pawns that depend on other pieces: free ones and runaways.
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
        let tempo = u8::from(position.turn() != self.color);
        for square in SquareSet::new(passed & !behind(occupied)) {
            let end = Square::new(56 + square.index() % 8);
            let is_caught = distance::<8>(king, end) <= 7 - square.index() / 8 + tempo;
            tally(RUNAWAY, i32::from(!is_caught));
        }
    }

    /// The square of a king, as this side sees it.
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

    /// The expected pawns were found by eye.
    #[test]
    fn pawn_classes_match_a_diagram() {
        // White pawns a4 a5 c2 d4 e4 h2 against b7 e6 f5 g7.
        let position = Chess.parse_fen("4k3/1p4p1/4p3/P4p2/P2PP3/8/2P4P/4K3 w - -");
        let position = position.expect("a position");
        let white = Pawns::new(&position, Color::White);
        let black = Pawns::new(&position, Color::Black);
        let seen = [white.isolated(), white.doubled(), white.together()].map(squares);
        assert_eq!(seen, ["h2 a4 a5", "a4", "d4 e4"]);
        // b7 stops a5 and c2, e6 stops d4 and e4, g7 stops h2.
        assert_eq!(squares(white.passed()), "");
        // Black sees the board from the other side: e6 becomes e3.
        let seen = [black.isolated(), black.backward(), black.together()].map(squares);
        assert_eq!(seen, ["b2", "b2 e3", "f4"]);
    }

    #[test]
    fn passed_pawns_have_no_enemy_pawns_ahead() {
        // White pawns a4 c4 f2 f4 and black c5.
        let position = Chess.parse_fen("4k3/8/8/2p5/P1P2P2/8/5P2/4K3 w - -").expect("a position");
        assert_eq!(squares(Pawns::new(&position, Color::White).passed()), "a4 f4");
        assert_eq!(squares(Pawns::new(&position, Color::Black).passed()), "");
    }
}
