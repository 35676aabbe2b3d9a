use super::placements::{NOWHERE, Placements};
use crate::solve::men::flip_set;
use crate::solve::score::NONE;
use damka_games::{Color, Material, Pieces, Position, SquareSet};
use damka_tables::{Index, Indexable};
use std::sync::Arc;

/// Maps index numbers to cells of frames, for one side to move.
#[derive(Debug)]
pub(super) struct IndexOrder<G> {
    pub(super) index: Index<G>,
    /// Numbers the fibres in the same order as `index`.
    fibres: Index<G>,
    mover: Color,
    /// Of the kings to move and of the others.
    placements: [Arc<Placements>; 2],
    /// The placements in the order of the index, which views a position with Black to move from
    /// Black's side.
    order: [Vec<u32>; 2],
    /// Whether the placement of the kings to move is the most significant part of the number.
    mover_leads: bool,
}

/// The scores of a fibre in index order.
#[derive(Debug, Default)]
pub(super) struct OrderedScores {
    /// The number of the first position.
    pub(super) start: u64,
    /// All scores.
    pub(super) scores: Vec<u8>,
    /// The scores that a table stores, NONE for others.
    pub(super) stored: Vec<u8>,
    /// The placements compatible with the men, of the kings to move and of the others, in order:
    /// squares and placement number.
    free: [Vec<(u64, u32)>; 2],
}

impl<G: Indexable> IndexOrder<G> {
    pub(super) fn new(
        game: G,
        mover: Color,
        materials: [Material; 2],
        placements: &[Arc<Placements>; 2],
    ) -> IndexOrder<G> {
        let [mine, other] = [materials[mover as usize], materials[!mover as usize]];
        let placements =
            [&placements[mover as usize], &placements[!mover as usize]].map(Arc::clone);
        let order = [&placements[0], &placements[1]].map(|placements| {
            let seen = |set| if mover == Color::White { set } else { flip_set(game, set) };
            let mut order: Vec<u32> = (0..placements.len() as u32).collect();
            order.sort_by_cached_key(|&placement| {
                placements.pieces(placement as usize).map(|set| G::line(seen(set)))
            });
            order
        });
        IndexOrder {
            index: Index::new(game, mine, other),
            fibres: Index::fibres(game, mine, other),
            mover,
            placements,
            order,
            mover_leads: G::leader(&mine, &other) == Color::White,
        }
    }

    /// Whether symmetric positions share a number, so that a fibre is not a contiguous range of
    /// numbers.
    pub(super) fn is_folded(&self) -> bool {
        G::MEN.is_empty() || self.fibres.len() == 1
    }

    /// The number of the fibre with these men, with this side to move.
    pub(super) fn fibre(&self, men: &Pieces) -> u64 {
        if self.fibres.len() == 1 {
            return 0;
        }
        self.fibres.number(&self.index.game().assemble(men, self.mover).with_white_to_move())
    }

    /// Puts the scores of a fibre into index order.
    #[inline(always)]
    pub(super) fn run(&self, men: &Pieces, scores: &[u8], forced: &[u8], run: &mut OrderedScores) {
        let columns = self.placements[0].len();
        let len = (self.index.len() / self.fibres.len()) as usize;
        run.start = self.fibre(men) * len as u64;
        let [mine, other] = &mut run.free;
        self.free(men, 0, mine);
        self.free(men, 1, other);
        // One extra element: illegal combinations are written there and overwritten.
        run.scores.resize(len + 1, 0);
        run.stored.resize(len + 1, 0);
        let (all, stored) = (&mut run.scores, &mut run.stored);
        let mut next = 0;
        let mut add = |set: u64, row: usize, column: usize| {
            let cell = row * columns + column;
            let (score, forced) = (scores[cell], forced[cell]);
            all[next] = score;
            stored[next] = if forced == NONE { score } else { NONE };
            next += usize::from(set == 0);
        };
        if self.mover_leads {
            for &(my_set, column) in &*mine {
                for &(set, row) in &*other {
                    add(set & my_set, row as usize, column as usize);
                }
            }
        } else {
            for &(set, row) in &*other {
                for &(my_set, column) in &*mine {
                    add(set & my_set, row as usize, column as usize);
                }
            }
        }
        debug_assert_eq!(next, len);
        run.scores.truncate(len);
        run.stored.truncate(len);
    }

    /// The inverse of [`run`](IndexOrder::run): puts the values of a fibre from index order into
    /// `scores`, except those of forced positions, which come from `forced`.
    pub(super) fn fill(&self, men: &Pieces, run: &[u8], forced: &[u8], scores: &mut [u8]) {
        let columns = self.placements[0].len();
        let (mut mine, mut other) = (Vec::new(), Vec::new());
        self.free(men, 0, &mut mine);
        self.free(men, 1, &mut other);
        let mut run = run.iter();
        let mut add = |set: u64, row: u32, column: u32| {
            if set == 0 {
                let cell = row as usize * columns + column as usize;
                let score = run.next().copied().unwrap_or(NONE);
                scores[cell] = if forced[cell] == NONE { score } else { forced[cell] };
            }
        };
        if self.mover_leads {
            for &(my_set, column) in &mine {
                other.iter().for_each(|&(set, row)| add(set & my_set, row, column));
            }
        } else {
            for &(set, row) in &other {
                mine.iter().for_each(|&(my_set, column)| add(set & my_set, row, column));
            }
        }
    }

    /// Puts the values of all numbers into the scores of the only fibre, where symmetric positions
    /// share numbers. Forced positions take their scores from `forced`.
    pub(super) fn unfold(&self, stored: &[u8], forced: &[u8], scores: &mut [u8]) {
        let [mine, other] = &self.placements;
        for (row, &set) in other.sets().iter().enumerate() {
            if set == NOWHERE || !G::may_stand(SquareSet::new(set), !self.mover, self.mover) {
                continue;
            }
            for (column, &my_set) in mine.sets().iter().enumerate() {
                if my_set & set != 0
                    || !G::may_stand(SquareSet::new(my_set), self.mover, self.mover)
                {
                    continue;
                }
                let cell = row * mine.len() + column;
                if forced[cell] != NONE {
                    scores[cell] = forced[cell];
                    continue;
                }
                let mut pieces = Pieces::default();
                mine.put(column, self.mover, &mut pieces);
                other.put(row, !self.mover, &mut pieces);
                let position = self.index.game().assemble(&pieces, self.mover).with_white_to_move();
                scores[cell] = stored[self.index.number(&position) as usize];
            }
        }
    }

    /// Lists the placements compatible with these men, of the kings to move if `kings` is 0,
    /// otherwise of the others, in index order, with their squares.
    fn free(&self, men: &Pieces, kings: usize, free: &mut Vec<(u64, u32)>) {
        let taken = men.occupied().bits();
        let sets = self.placements[kings].sets();
        let order = self.order[kings].iter();
        let in_order = order.map(|&placement| (sets[placement as usize], placement));
        free.clear();
        free.extend(in_order.filter(|&(set, _)| set != NOWHERE && set & taken == 0));
    }

    /// The row and column of the position with this number.
    pub(super) fn row_and_column(&self, number: u64) -> (usize, usize) {
        let position = self.index.position(number);
        let position = match self.mover {
            Color::White => position,
            Color::Black => position.flip(),
        };
        let pieces = position.setup().pieces;
        let [mine, other] = &self.placements;
        (other.number_of(&pieces, !self.mover), mine.number_of(&pieces, self.mover))
    }
}
