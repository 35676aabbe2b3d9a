//! [Continuation history](https://www.chessprogramming.org/History_Heuristic#Continuation_History):
//! which quiet moves did well after the moves that preceded them.

use super::MAX_PLY;
use super::bonus::add_bonus;
use crate::searchable::Searchable;
use damka_games::Position;

/// How well quiet moves did after the opponent's last move, and after the same side's last move.
#[derive(Clone)]
pub(super) struct ContinuationHistory {
    /// By the earlier move, then by the move itself: raised and lowered like the history heuristic.
    replies: Box<[ByMove]>,
    follow_ups: Box<[ByMove]>,
    /// By ply: the move played there in the current line.
    line: Vec<PieceTo>,
}

/// A value for each [`PieceTo`].
type ByMove = [i16; PieceTo::COUNT];

/// The kind and the target square of a move, as an index below [`COUNT`](PieceTo::COUNT).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    /// Six kinds on 64 squares, and `NONE`.
    const COUNT: usize = 6 * 64 + 1;

    /// A null move, or a move before the root, which is unknown.
    const NONE: PieceTo = PieceTo(6 * 64);

    /// The index of a move of `position`.
    #[inline]
    pub(super) fn of<G: Searchable>(position: &G::Position, mv: G::Move) -> PieceTo {
        let (from, to) = G::from_to(mv);
        let kind = position.piece_at(from).map_or(0, |(_, kind)| kind.index());
        PieceTo((kind * 64 + usize::from(to)) as u16)
    }
}

impl ContinuationHistory {
    pub(super) fn new() -> ContinuationHistory {
        let values = || vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into();
        let line = vec![PieceTo::NONE; usize::from(MAX_PLY) + 1];
        ContinuationHistory { replies: values(), follow_ups: values(), line }
    }

    /// Records the move that is played at `ply`.
    #[inline]
    pub(super) fn play(&mut self, mv: PieceTo, ply: u16) {
        self.line[usize::from(ply)] = mv;
    }

    /// Records that a null move is played at `ply`.
    pub(super) fn pass(&mut self, ply: u16) {
        self.play(PieceTo::NONE, ply);
    }

    /// The values of the moves at `ply`, by [`PieceTo`]: two for each, to be added.
    #[inline]
    pub(super) fn at(&self, ply: u16) -> Continuations<'_> {
        let [last, own] = self.before(ply);
        Continuations([&self.replies[last], &self.follow_ups[own]])
    }

    /// Adds `bonus` to the values of a move at `ply`.
    pub(super) fn add_bonus(&mut self, mv: PieceTo, ply: u16, bonus: i16) {
        let [last, own] = self.before(ply);
        for values in [&mut self.replies[last], &mut self.follow_ups[own]] {
            add_bonus(&mut values[usize::from(mv.0)], bonus);
        }
    }

    /// Halves all values.
    pub(super) fn age(&mut self) {
        for values in [&mut self.replies, &mut self.follow_ups] {
            values.as_flattened_mut().iter_mut().for_each(|value| *value /= 2);
        }
    }

    /// The indices of the opponent's move before `ply`, and of the same side's move before that.
    #[inline]
    fn before(&self, ply: u16) -> [usize; 2] {
        [1, 2].map(|plies| {
            let mv = ply.checked_sub(plies).map(|before| self.line[usize::from(before)]);
            usize::from(mv.unwrap_or(PieceTo::NONE).0)
        })
    }
}

/// The values of the moves at a node.
#[derive(Clone, Copy)]
pub(super) struct Continuations<'a>([&'a ByMove; 2]);

impl Continuations<'_> {
    #[inline]
    pub(super) fn get(self, mv: PieceTo) -> i32 {
        self.0.iter().map(|values| i32::from(values[usize::from(mv.0)])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Chess, Game};

    #[test]
    fn moves_of_a_kind_to_a_square_share_an_index() {
        let position = Chess.parse_fen("4k3/8/8/8/8/8/4P3/1N2K1N1 w - - 0 1").unwrap();
        let index = |mv| PieceTo::of::<Chess>(&position, position.parse_move(mv).unwrap());
        let later = Chess.parse_fen("4k3/8/8/3N4/8/8/4P3/4K1N1 w - - 0 1").unwrap();
        let d5c3 = PieceTo::of::<Chess>(&later, later.parse_move("d5c3").unwrap());
        assert_eq!(index("b1c3"), d5c3);
        assert_ne!(index("b1c3"), index("b1a3"));
        assert_ne!(index("e2e3"), index("e2e4"));
    }

    #[test]
    fn a_bonus_counts_only_after_the_same_moves() {
        let [first, second, third, other] = [0, 1, 2, 3].map(PieceTo);
        let mut history = ContinuationHistory::new();
        history.play(first, 0);
        history.play(second, 1);
        history.add_bonus(third, 2, 100);
        assert_eq!(history.at(2).get(third), 200);
        assert_eq!(history.at(2).get(other), 0);
        // After the same own move, but another reply.
        history.play(other, 1);
        assert_eq!(history.at(2).get(third), 100);
        history.pass(0);
        assert_eq!(history.at(2).get(third), 0);
        history.play(first, 0);
        history.play(second, 1);
        history.age();
        assert_eq!(history.at(2).get(third), 100);
        // Nothing comes before the root.
        assert_eq!(history.at(0).get(third), 0);
    }
}
