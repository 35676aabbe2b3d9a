use super::chances::{Board, Chances};
use super::{FibreExits, PARTS, must_take_most, next, squares};
use crate::parallel;
use crate::solve::rows::frames::Frame;
use crate::solve::rows::placements::Placements;
use crate::solve::score::NONE;
use damka_games::Square;
use damka_games::draughts::{DIRECTIONS, Direction, Position, Promotion, promotion_row};
use damka_tables::combinatorics::rank;
use damka_tables::processor::Processor;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Working memory for finding exits.
#[derive(Debug, Default)]
pub struct Buffers {
    pub(super) captures: Captures,
    line: Line,
    chances: [Chances; 2],
}

/// The best scores after captures, before the move is counted: a row for each placement of the
/// kings to move.
#[derive(Debug, Default)]
pub(super) struct Captures {
    /// The lowest score after one capture or, if any number of pieces may be captured, after any
    /// number.
    pub(super) scores: Vec<u8>,
    /// If the largest number of pieces must be captured: this number where it is more than one, and
    /// the lowest score after capturing it.
    pub(super) most: Vec<(u8, u8)>,
}

/// A piece that can be captured: a man, or a king of any placement.
#[derive(Clone, Copy)]
struct Prey {
    square: u8,
    is_king: bool,
}

/// A capture by one piece in one direction, for all placements of the kings that are not captured.
#[derive(Debug, Default)]
struct Line {
    /// The lowest score, by placement.
    scores: Vec<u8>,
    /// Where more can be captured: placement, number of pieces, score.
    longer: Vec<(u32, u8, u8)>,
    /// The placements in which the piece can continue capturing.
    goes_on: Vec<u32>,
    buffer: Vec<u8>,
}

impl Line {
    fn clear(&mut self, placements: &Placements) {
        self.scores.clear();
        self.scores.resize(placements.len(), NONE);
        self.goes_on.clear();
        self.goes_on.resize(placements.len().div_ceil(32), 0);
        self.longer.clear();
    }
}

/// The frames looked up so far, by men and numbers of kings, those of the side that moved first.
type FrameCache<'a> = FxHashMap<(u32, u32, usize, usize), Frame<'a>>;

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
            if !parallel {
                processor.call(|| self.king_captures(0..others, columns, buffers));
            } else {
                // Each part writes to arbitrary rows.
                let parts = rayon::current_num_threads().min(PARTS);
                let part = |part: usize, buffers: &mut Buffers| {
                    let range = others * part / parts..others * (part + 1) / parts;
                    processor.call(|| self.king_captures(range, columns, buffers));
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

    /// The pieces that can be captured, and the frames after their capture by a king.
    fn prey(&self) -> Vec<(Prey, Frame<'a>)> {
        let mut prey = Vec::with_capacity(32);
        let king = match self.other {
            0 => Frame::LOST,
            other => self.frame(self.my_men, self.other_men, self.mine, other - 1),
        };
        for square in 0..32 {
            if self.other_men >> square & 1 == 1 {
                let left = self.other_men ^ 1 << square;
                let frame = self.frame(self.my_men, left, self.mine, self.other);
                prey.push((Prey { square, is_king: false }, frame));
            } else if self.other > 0 && self.my_men >> square & 1 == 0 {
                prey.push((Prey { square, is_king: true }, king));
            }
        }
        prey
    }

    /// The kings that remain after the capture.
    fn untaken(&self, prey: Prey) -> usize {
        self.other - usize::from(prey.is_king)
    }

    /// Captures by kings, for a range of placements of the mover's other kings.
    #[inline(always)]
    fn king_captures(&self, range: Range<usize>, columns: usize, buffers: &mut Buffers) {
        let Buffers { captures, line, chances } = buffers;
        let mut cache = FrameCache::default();
        let flies = self.all.rules.flying_kings;
        let prey = self.prey();
        let several = self.other + self.other_men.count_ones() as usize > 1;
        for rest in range {
            let rest_set = self.placements(self.mine - 1).sets()[rest] as u32;
            if rest_set & self.men() != 0 {
                continue;
            }
            let occupied = self.men() | rest_set;
            chances[0].begin(self.placements(self.other));
            chances[1].begin(self.placements(self.other.saturating_sub(1)));
            let board = Board { mine: self.my_men | rest_set, other_men: self.other_men };
            for &(prey, frame) in &prey {
                if rest_set >> prey.square & 1 == 1 {
                    continue;
                }
                let placements = self.placements(self.untaken(prey));
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
                        let after = self.with(self.mine - 1, rest, landing);
                        let scores = frame.row(after, &mut line.buffer);
                        let taken = placements.taken(landing);
                        for ((least, &score), &taken) in
                            line.scores.iter_mut().zip(scores).zip(taken)
                        {
                            *least = (*least).min(score) | taken;
                        }
                        if several {
                            let clear = placements.clear(landing);
                            let chances = &mut chances[usize::from(prey.is_king)];
                            let chance = chances.after(board, placements, landing, d, flies);
                            for ((goes_on, &chance), &clear) in
                                line.goes_on.iter_mut().zip(chance).zip(clear)
                            {
                                *goes_on = (*goes_on | chance) & clear;
                            }
                        }
                    }
                    if several {
                        let start = Start { square: nearest, is_king: true, d };
                        self.follow(
                            start,
                            prey,
                            rest_set,
                            self.my_men,
                            placements,
                            line,
                            &mut cache,
                        );
                    }
                    for &origin in origins {
                        let taken = placements.taken(origin);
                        for (least, &taken) in line.scores.iter_mut().zip(taken) {
                            *least |= taken;
                        }
                        let row = self.with(self.mine - 1, rest, origin);
                        line.longer.retain(|&(placement, ..)| taken[placement as usize] == 0);
                        self.note(prey, row, columns, line, captures);
                    }
                }
            }
        }
    }

    /// Captures by men.
    #[inline(always)]
    fn men_captures(&self, columns: usize, buffers: &mut Buffers) {
        let Buffers { captures, line, chances } = buffers;
        let rules = self.all.rules;
        let passed = &mut chances[0].passed;
        let mut cache = FrameCache::default();
        let several = self.other + self.other_men.count_ones() as usize > 1;
        for from in squares(self.my_men).into_iter().map(Square::index) {
            let left = self.my_men ^ 1 << from;
            for d in DIRECTIONS.into_iter().filter(|&d| self.man_captures_towards(d)) {
                let Some(met) = next(d, from) else { continue };
                let Some(to) = next(d, met).filter(|to| self.men() >> to & 1 == 0) else {
                    continue;
                };
                let prey = Prey { square: met, is_king: self.other_men >> met & 1 == 0 };
                if self.my_men >> met & 1 == 1 || prey.is_king && self.other == 0 {
                    continue;
                }
                let other_men = self.other_men & !(1 << met);
                let placements = self.placements(self.untaken(prey));
                let promotes = promotion_row(self.mover).contains(Square::new(to));
                let frame = match promotes {
                    true => self.frame(left, other_men, self.mine + 1, self.untaken(prey)),
                    false => self.frame(left | 1 << to, other_men, self.mine, self.untaken(prey)),
                };
                let ends = promotes && rules.promotion == Promotion::EndsMove;
                let as_king = promotes && rules.promotion == Promotion::GoesOn;
                let directions = |next: &Direction| {
                    *next != d.opposite() && (as_king || self.man_captures_towards(*next))
                };
                let flies = as_king && rules.flying_kings;
                if columns == 1 && !promotes && other_men != 0 {
                    // Without the kings, which would only block.
                    let board = Board { mine: left, other_men: self.other_men };
                    let mut goes_on = [0];
                    for next in DIRECTIONS.into_iter().filter(directions) {
                        board.chances(placements, to, next, flies, passed, &mut goes_on);
                    }
                    if goes_on == [0] {
                        let mine = self.placements(self.mine);
                        let scores = frame.column().iter();
                        for ((least, &score), &taken) in
                            captures.scores.iter_mut().zip(scores).zip(mine.taken(to))
                        {
                            *least = (*least).min(score | taken);
                        }
                        continue;
                    }
                }
                for (row, &set) in self.placements(self.mine).sets().iter().enumerate() {
                    let set = set as u32;
                    if set & (self.men() | 1 << to | 1 << met) != 0 {
                        continue;
                    }
                    line.clear(placements);
                    let after = if promotes { self.with(self.mine, row, to) } else { row };
                    let scores = frame.row(after, &mut line.buffer);
                    for ((least, &score), &taken) in
                        line.scores.iter_mut().zip(scores).zip(placements.taken(to))
                    {
                        *least = score | taken;
                    }
                    if several && !ends {
                        let board = Board { mine: left | set, other_men: self.other_men };
                        for next in DIRECTIONS.into_iter().filter(directions) {
                            board.chances(placements, to, next, flies, passed, &mut line.goes_on);
                        }
                        for (goes_on, &clear) in line.goes_on.iter_mut().zip(placements.clear(to)) {
                            *goes_on &= clear;
                        }
                        let start = Start { square: from, is_king: false, d };
                        self.follow(start, prey, set, left, placements, line, &mut cache);
                    }
                    self.note(prey, row, columns, line, captures);
                }
            }
        }
        if columns == 1 {
            self.clear_impossible(&mut captures.scores);
        }
    }

    #[inline(always)]
    fn man_captures_towards(&self, d: Direction) -> bool {
        self.all.rules.men_capture_backwards || self.is_forward(d)
    }

    /// Follows the captures that continue, for each placement that allows it. `my_kings` and
    /// `my_men` are without the capturing piece.
    #[expect(clippy::too_many_arguments, reason = "one capture in all its parts")]
    fn follow(
        &self,
        start: Start,
        prey: Prey,
        my_kings: u32,
        my_men: u32,
        placements: &Placements,
        line: &mut Line,
        cache: &mut FrameCache<'a>,
    ) {
        let must_take_most = must_take_most(self.all.rules);
        let Line { scores, longer, goes_on, .. } = line;
        let prey_king = u32::from(prey.is_king) << prey.square;
        let occupied = self.men() | my_kings | 1 << prey.square | 1 << start.square;
        for (word, &goes_on) in goes_on.iter().enumerate() {
            let mut goes_on = goes_on;
            while goes_on != 0 {
                let placement = word * 32 + goes_on.trailing_zeros() as usize;
                goes_on &= goes_on - 1;
                let set = placements.sets()[placement] as u32;
                if set & occupied != 0 {
                    continue;
                }
                let other_kings = set | prey_king;
                let mut sides = [0; 2];
                sides[self.mover as usize] = my_men | my_kings;
                sides[!self.mover as usize] = self.other_men | other_kings;
                let position = Position::new(
                    self.all.game,
                    squares(sides[0]),
                    squares(sides[1]),
                    squares(my_kings | other_kings),
                    self.mover,
                );
                let (mut number, mut least) = (0, NONE);
                position.jumps(Square::new(start.square), start.is_king, start.d, |mv| {
                    let captured = mv.captured().bits() as u32;
                    let count = captured.count_ones() as u8;
                    if must_take_most && count < number {
                        return;
                    }
                    let landed = 1u32 << mv.to().index();
                    let (kings, men) = match mv.ends_as_king() {
                        true => (my_kings | landed, my_men),
                        false => (my_kings, my_men | landed),
                    };
                    let other_men = self.other_men & !captured;
                    let other_kings = other_kings & !captured;
                    let (mine, other) =
                        (kings.count_ones() as usize, other_kings.count_ones() as usize);
                    let frame = cache
                        .entry((men, other_men, mine, other))
                        .or_insert_with(|| self.frame(men, other_men, mine, other));
                    let score =
                        frame.get(rank(kings.into()) as usize, rank(other_kings.into()) as usize);
                    if must_take_most && count > number {
                        (number, least) = (count, score);
                    } else {
                        least = least.min(score);
                    }
                });
                if must_take_most && number > 1 {
                    scores[placement] = NONE;
                    longer.push((placement as u32, number, least));
                } else {
                    scores[placement] = least;
                }
            }
        }
    }

    /// Records the score of a capture in the positions of a row.
    #[inline(always)]
    fn note(&self, prey: Prey, row: usize, columns: usize, line: &Line, captures: &mut Captures) {
        let scores = &mut captures.scores[row * columns..][..columns];
        let adding: &[(u32, u32)] = match prey.is_king {
            true => &self.all.adding[self.other - 1][prey.square as usize],
            false => &[],
        };
        if prey.is_king {
            for &(from, to) in adding {
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
                true => self.with(self.other - 1, placement as usize, prey.square),
                false => placement as usize,
            };
            let most = &mut captures.most[row * columns + column];
            *most = longer(*most, (number, least));
        }
    }
}

/// The capturing piece before it jumps.
#[derive(Clone, Copy)]
struct Start {
    square: u8,
    is_king: bool,
    d: Direction,
}

/// The better of two pairs of number of pieces and lowest score.
#[inline(always)]
fn longer(a: (u8, u8), b: (u8, u8)) -> (u8, u8) {
    match a.0.cmp(&b.0) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => (a.0, a.1.min(b.1)),
        std::cmp::Ordering::Greater => a,
    }
}

impl Captures {
    /// Their size in bytes for `positions` positions.
    pub(super) const fn bytes(positions: usize, must_take_most: bool) -> usize {
        positions * (1 + if must_take_most { size_of::<(u8, u8)>() } else { 0 })
    }

    fn clear(&mut self, len: usize, must_take_most: bool) {
        self.scores.clear();
        self.scores.resize(len, NONE);
        self.most.clear();
        if must_take_most {
            self.most.resize(len, (0, NONE));
        }
    }

    #[inline(always)]
    fn join(&mut self, other: &Captures) {
        for (a, &b) in self.scores.iter_mut().zip(&other.scores) {
            *a = (*a).min(b);
        }
        for (a, &b) in self.most.iter_mut().zip(&other.most) {
            *a = longer(*a, b);
        }
    }
}
