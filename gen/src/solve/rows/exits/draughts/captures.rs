use super::chain::{Captor, Chain, Chains, FrameCache};
use super::chances::{Board, Chances};
use super::found::{Captures, DirectionCapture, Prey, longer};
use super::{FibreExits, PARTS, must_take_most, squares};
use crate::parallel;
use crate::solve::rows::bits::{Bits, WORDS};
use crate::solve::rows::frames::Frame;
use crate::solve::rows::placements::Placements;
use damka_games::Square;
use damka_games::draughts::DIRECTIONS;
use damka_tables::processor::Processor;
use std::ops::Range;

/// Working memory for finding exits.
#[derive(Debug, Default)]
pub struct Buffers {
    pub(super) captures: Captures,
    /// For up to 32 placements of the kings that are not captured.
    pub(super) narrow: Working<1>,
    /// For more placements.
    pub(super) wide: Working<WORDS>,
}

/// Working memory for finding captures, for placements in blocks of `W` words.
#[derive(Debug, Default)]
pub(super) struct Working<const W: usize> {
    pub(super) line: DirectionCapture<W>,
    chances: Chances<W>,
    pub(super) chains: Chains<W>,
}

impl<'a> FibreExits<'a> {
    /// All captures.
    pub(super) fn captures<P: Processor>(
        &self,
        processor: P,
        rows: usize,
        columns: usize,
        parallel: bool,
        buffers: &mut Buffers,
    ) {
        buffers.captures.clear(rows * columns, must_take_most(self.all.rules));
        if self.mine > 0 {
            let others = self.placements(self.mine - 1).len();
            // One closure for both cases: much code is inlined in it.
            let take = |range: Range<usize>, buffers: &mut Buffers| {
                processor.call(|| self.king_captures(range, columns, buffers));
            };
            if !parallel {
                take(0..others, buffers);
            } else {
                // Each part may write to any row, so each has results of its own.
                let parts = rayon::current_num_threads().min(PARTS);
                let part = |part: usize, buffers: &mut Buffers| {
                    take(others * part / parts..others * (part + 1) / parts, buffers);
                };
                let more = || {
                    parallel::map(1..parts, |number| {
                        let mut buffers = Buffers::default();
                        buffers.captures.clear(rows * columns, must_take_most(self.all.rules));
                        part(number, &mut buffers);
                        buffers.captures
                    })
                };
                let ((), more) = parallel::join(|| part(0, buffers), more);
                for captures in more {
                    processor.call(|| buffers.captures.join(&captures));
                }
            }
        }
        if self.my_men != 0 {
            processor.call(|| self.men_captures(columns, buffers));
        }
    }

    /// The men or the kings that can be captured, and the frames after their capture by a king.
    fn prey(&self, kings: bool) -> Vec<(Prey, Frame<'a>)> {
        if kings {
            if self.other == 0 {
                return Vec::new();
            }
            let frame = self.frame(self.my_men, self.other_men, self.mine, self.other - 1);
            let squares = (0..32).filter(|square| self.men() >> square & 1 == 0);
            return squares.map(|square| (Prey { square, is_king: true }, frame)).collect();
        }
        let men = squares(self.other_men).into_iter().map(Square::index);
        men.map(|square| {
            let left = self.other_men ^ 1 << square;
            let frame = self.frame(self.my_men, left, self.mine, self.other);
            (Prey { square, is_king: false }, frame)
        })
        .collect()
    }

    /// The number of the other side's kings that remain after the capture.
    pub(super) fn untaken(&self, prey: Prey) -> usize {
        self.other - usize::from(prey.is_king)
    }

    /// Captures by kings, for a range of placements of the mover's other kings.
    #[inline(always)]
    fn king_captures(&self, range: Range<usize>, columns: usize, buffers: &mut Buffers) {
        let Buffers { captures, narrow, wide } = buffers;
        for prey in [self.prey(false), self.prey(true)] {
            let Some(&(first, _)) = prey.first() else { continue };
            let placements = self.placements(self.untaken(first));
            let rests = range.clone();
            match placements.len() > Bits::<1>::LEN {
                false => self.kings_take(&prey, placements, rests, columns, narrow, captures),
                true => self.kings_take(&prey, placements, rests, columns, wide, captures),
            }
        }
    }

    /// Captures of men, or of kings, by kings.
    #[inline(always)]
    fn kings_take<const W: usize>(
        &self,
        prey: &[(Prey, Frame<'a>)],
        placements: &Placements,
        rests: Range<usize>,
        columns: usize,
        working: &mut Working<W>,
        captures: &mut Captures,
    ) {
        let Working { line, chances, chains } = working;
        let mut cache = FrameCache::default();
        let flies = self.all.rules.flying_kings;
        let several = self.other + self.other_men.count_ones() as usize > 1;
        for rest in rests {
            let rest_set = self.placements(self.mine - 1).sets()[rest] as u32;
            if rest_set & self.men() != 0 {
                continue;
            }
            let occupied = self.men() | rest_set;
            let board = Board { mine: self.my_men | rest_set, other_men: self.other_men };
            chances.begin(board, placements);
            for &(prey, frame) in prey {
                if rest_set >> prey.square & 1 == 1 {
                    continue;
                }
                for (direction, &d) in DIRECTIONS.iter().enumerate() {
                    let free = |ray: &'a [u8]| {
                        let squares = ray.iter().take_while(|&&s| occupied >> s & 1 == 0);
                        &ray[..squares.count()]
                    };
                    let landings = free(&self.all.rays[direction][prey.square as usize]);
                    let origins = free(&self.all.rays[d.opposite() as usize][prey.square as usize]);
                    let [nearest, ..] = *origins else { continue };
                    if landings.is_empty() {
                        continue;
                    }
                    line.clear(placements);
                    for &landing in landings.iter().rev() {
                        let after = self.with_king(self.mine - 1, rest, landing);
                        line.add(frame, after, placements.taken(landing));
                        if several {
                            let chance = chances.after(board, placements, landing, d, flies);
                            line.may_go_on(chance, placements, landing);
                        }
                    }
                    if several {
                        let (my_kings, my_men) = (rest_set, self.my_men);
                        let captor = Captor { is_king: true, d, my_kings, my_men };
                        let buffers = (&mut *chains, &mut cache);
                        self.follow(captor, nearest, prey, placements, line, buffers);
                    }
                    for &origin in origins {
                        line.without(placements.taken(origin));
                        let row = self.with_king(self.mine - 1, rest, origin);
                        self.note(prey, row, columns, line, captures);
                    }
                }
            }
        }
    }

    /// Follows captures that continue after the first piece. `start` is the nearest square from
    /// which the captor can come.
    #[inline(always)]
    pub(super) fn follow<const W: usize>(
        &self,
        captor: Captor,
        start: u8,
        prey: Prey,
        placements: &Placements,
        line: &mut DirectionCapture<W>,
        buffers: (&mut Chains<W>, &mut FrameCache<'a>),
    ) {
        let (chains, cache) = buffers;
        let DirectionCapture { scores, longer, goes_on, .. } = line;
        let blocks = goes_on.iter().zip(scores.chunks_mut(Bits::<W>::LEN));
        for (block, (&goes_on, scores)) in blocks.enumerate() {
            let goes_on = goes_on
                .and(placements.clear(start, block))
                .and(placements.clear(prey.square, block));
            if goes_on.is_empty() {
                continue;
            }
            let (chains, cache) = (&mut *chains, &mut *cache);
            let chain =
                Chain { fibre: self, captor, prey, placements, block, chains, cache, scores };
            let first = (block * Bits::<W>::LEN) as u32;
            chain.follow(goes_on, |placement, number, score| {
                longer.push((first + placement as u32, number, score));
            });
        }
    }

    /// Records the score of a capture in the positions of a row.
    #[inline(always)]
    pub(super) fn note<const W: usize>(
        &self,
        prey: Prey,
        row: usize,
        columns: usize,
        line: &DirectionCapture<W>,
        captures: &mut Captures,
    ) {
        let scores = &mut captures.scores[row * columns..][..columns];
        if prey.is_king {
            for &(from, to) in &self.all.adding[self.other - 1][prey.square as usize] {
                let score = &mut scores[to as usize];
                *score = (*score).min(line.scores[from as usize]);
            }
        } else {
            for (score, &least) in scores.iter_mut().zip(&line.scores) {
                *score = (*score).min(least);
            }
        }
        for &(placement, number, least) in &line.longer {
            let column = match prey.is_king {
                true => self.with_king(self.other - 1, placement as usize, prey.square),
                false => placement as usize,
            };
            let most = &mut captures.most[row * columns + column];
            *most = longer(*most, (number, least));
        }
    }
}
