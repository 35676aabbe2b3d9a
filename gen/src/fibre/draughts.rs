//! The exits of draughts fibres, many positions at once.
//!
//! A king's capture is determined by the other kings of its side, the piece that
//! is taken and the direction: what it is worth is worked out once, for all
//! placements of the other side's kings side by side, and then holds for every
//! square from which the king can come. The few placements in which it can go on
//! capturing are followed one by one.

use super::crew::Crew;
use super::exits::{Crews, Exits, Found, Known, OneByOne, Solvable, Task};
use super::frames::Frame;
use super::score::{self, NONE};
use super::simd::{Instructions, Simd, with_simd};
use damka_games::draughts::{
    DIRECTIONS, Direction, Draughts, KING, MAN, Position, Priority, Promotion, Rules, promotion_row,
};
use damka_games::{Color, Material, Pieces, Position as _, Square, SquareSet};
use damka_tables::combinatorics::rank;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Solvable for Draughts {
    type Exits = ByLines;
    const QUICK_PIECES: u32 = 4;

    fn advance(position: &Position) -> u32 {
        let men = |color| position.side(color) & !position.kings();
        // Row 0 is rank 8.
        let rows = |men: SquareSet| men.into_iter().map(|square| u32::from(square.index() / 4));
        let white = rows(men(Color::White)).map(|row| 7 - row).sum::<u32>();
        white + rows(men(Color::Black)).sum::<u32>()
    }

    fn finds_exits_at_once(self) -> bool {
        can_find(self.rules())
    }
}

/// Finds the exits of draughts fibres.
#[derive(Debug)]
pub struct ByLines {
    game: Draughts,
    rules: &'static Rules,
    /// For rules that are not dealt with here.
    one_by_one: OneByOne,
    /// White's and Black's number of kings.
    kings: [usize; 2],
    /// By number of kings.
    crews: Vec<Arc<Crew>>,
    /// By number of kings, placement and square: the placement with a king more,
    /// or [`TAKEN`].
    with: Vec<Vec<[u32; 32]>>,
    /// By number of kings and square: the placements without it, and what they
    /// become with a king more there.
    adding: Vec<Vec<Vec<(u32, u32)>>>,
    /// By direction and square: where a king goes on the empty board.
    rays: [Vec<Vec<u8>>; 4],
}

const TAKEN: u32 = u32::MAX;

/// In how many parts the captures of a very large fibre are found at most: each
/// takes as much memory as all of them.
pub(super) const PARTS: usize = 2;

/// Whether these rules are dealt with here.
fn can_find(rules: &Rules) -> bool {
    matches!(rules.priority, Priority::Free | Priority::Most)
        && !rules.land_behind
        && rules.men_capture_kings
}

impl ByLines {
    /// Whether the largest number of pieces must be taken.
    #[inline(always)]
    fn must_take_most(&self) -> bool {
        self.rules.priority == Priority::Most
    }
}

impl Exits<Draughts> for ByLines {
    type Scratch = Scratch;

    fn new(game: Draughts, crews: &Crews, materials: [Material; 2]) -> ByLines {
        let rules = game.rules();
        let kings = materials.map(|material| usize::from(material[KING]));
        // A man may become one king more.
        let has_men = materials.iter().any(|material| material[MAN] > 0);
        let most = kings[0].max(kings[1]) + usize::from(has_men);
        let crew = |kings| {
            let mut material = Material::default();
            material[KING] = kings as u8;
            crews.get::<Draughts>(&material)
        };
        let crews_by_count: Vec<Arc<Crew>> = (0..=most).map(crew).collect();
        let with: Vec<Vec<[u32; 32]>> = crews_by_count[..most]
            .iter()
            .map(|crew| {
                let grown = |set: u64, square| match set >> square & 1 {
                    0 => rank(set | 1u64 << square) as u32,
                    _ => TAKEN,
                };
                let sets = crew.sets().iter();
                sets.map(|&set| std::array::from_fn(|square| grown(set, square))).collect()
            })
            .collect();
        let adding = with
            .iter()
            .map(|with| {
                let pairs = |square| {
                    let all = with.iter().enumerate();
                    let grown =
                        all.map(|(from, with): (usize, &[u32; 32])| (from as u32, with[square]));
                    grown.filter(|&(_, to)| to != TAKEN).collect()
                };
                (0..32).map(pairs).collect()
            })
            .collect();
        let rays = DIRECTIONS.map(|d| {
            let reach = if rules.flying_kings { 8 } else { 1 };
            let ray = |square| std::iter::successors(next(d, square), |&near| next(d, near));
            (0..32).map(|square| ray(square).take(reach).collect()).collect()
        });
        ByLines {
            one_by_one: Exits::<Draughts>::new(game, crews, materials),
            kings,
            crews: crews_by_count,
            with,
            adding,
            rays,
            game,
            rules,
        }
    }

    fn find(
        &self,
        instructions: Instructions,
        known: Known<'_, Draughts>,
        men: &Pieces,
        task: Task,
        scratch: &mut Scratch,
        found: &mut Found,
    ) {
        if !can_find(self.rules) {
            return self.one_by_one.find(instructions, known, men, task, &mut (), found);
        }
        let mover = task.mover;
        let fibre = Fibre {
            all: self,
            known,
            mover,
            mine: self.kings[mover as usize],
            other: self.kings[!mover as usize],
            my_men: men[(mover, MAN)].bits() as u32,
            other_men: men[(!mover, MAN)].bits() as u32,
        };
        with_simd!(instructions, simd => fibre.find(simd, task, scratch, found));
    }
}

/// One fibre, with one side to move.
struct Fibre<'a> {
    all: &'a ByLines,
    known: Known<'a, Draughts>,
    mover: Color,
    /// The number of kings of the side to move, and of the other.
    mine: usize,
    other: usize,
    my_men: u32,
    other_men: u32,
}

/// The best that captures lead to, before the move is counted: a row for each
/// placement of the kings to move.
#[derive(Debug, Default)]
struct Captures {
    /// The least score after one capture, or, if any number may be taken, after
    /// any number.
    scores: Vec<u8>,
    /// If the most must be taken: the largest number of pieces where that is more
    /// than one, and the least score after that.
    most: Vec<(u8, u8)>,
}

/// What finding exits works with.
#[derive(Debug, Default)]
pub struct Scratch {
    captures: Captures,
    line: Line,
    chances: [Chances; 2],
}

/// What may be captured: a man, or a king of any placement.
#[derive(Clone, Copy)]
struct Prey {
    square: u8,
    is_king: bool,
}

/// A capture by one piece in one direction, for all placements of the kings that
/// are not taken.
#[derive(Debug, Default)]
struct Line {
    /// The least score by placement.
    scores: Vec<u8>,
    /// Where more can be taken: placement, number of pieces, score.
    longer: Vec<(u32, u8, u8)>,
    /// Placements in which the piece can go on capturing.
    goes_on: Vec<u32>,
    buffer: Vec<u8>,
}

impl Line {
    fn clear(&mut self, crew: &Crew) {
        self.scores.clear();
        self.scores.resize(crew.len(), NONE);
        self.goes_on.clear();
        self.goes_on.resize(crew.len().div_ceil(32), 0);
        self.longer.clear();
    }
}

/// Frames that were looked up: by the men and the numbers of kings, those of the
/// side that moved first.
type FrameCache<'a> = FxHashMap<(u32, u32, usize, usize), Frame<'a>>;

impl<'a> Fibre<'a> {
    fn find<S: Simd>(&self, simd: S, task: Task, scratch: &mut Scratch, found: &mut Found) {
        let (rows, columns) = (self.crew(self.mine).len(), self.crew(self.other).len());
        found.clear(rows, columns);
        self.captures(simd, rows, columns, task.parallel, scratch);
        simd.run(|| {
            let captures = &scratch.captures;
            if self.all.must_take_most() {
                for (forced, &(number, least)) in found.forced.iter_mut().zip(&captures.most) {
                    *forced = if number > 1 { least } else { NONE };
                }
            }
            for (forced, &least) in found.forced.iter_mut().zip(&captures.scores) {
                let least = if *forced == NONE { least } else { *forced };
                *forced = if least == NONE { NONE } else { score::before_move(least) };
            }
        });
        if !task.forced_only && self.my_men != 0 {
            found.with_exits();
            let exits = &mut found.exits;
            simd.run(|| {
                self.men_moves(columns, exits);
                for (exit, &forced) in exits.iter_mut().zip(&found.forced) {
                    let nothing = *exit == NONE || forced != NONE;
                    *exit = if nothing { NONE } else { score::before_move(*exit) };
                }
            });
        }
    }

    fn crew(&self, kings: usize) -> &'a Crew {
        &self.all.crews[kings]
    }

    /// The frame of what a move leads to; the other side is to move there.
    fn frame(&self, my_men: u32, other_men: u32, mine: usize, other: usize) -> Frame<'a> {
        let mut men = Pieces::default();
        let mut materials = [Material::default(); 2];
        for (color, set, kings) in [(self.mover, my_men, mine), (!self.mover, other_men, other)] {
            men[(color, MAN)] = squares(set);
            materials[color as usize][MAN] = set.count_ones() as u8;
            materials[color as usize][KING] = kings as u8;
        }
        self.known.frame(&men, &materials, !self.mover)
    }

    fn men(&self) -> u32 {
        self.my_men | self.other_men
    }

    /// Takes out, where rows have one score, those of rows whose kings stand on men.
    #[inline(always)]
    fn clear_impossible(&self, scores: &mut [u8]) {
        for square in squares(self.men()).into_iter().map(Square::index) {
            for (score, &taken) in scores.iter_mut().zip(self.crew(self.mine).taken(square)) {
                *score |= taken;
            }
        }
    }

    /// The quiet moves of men.
    #[inline(always)]
    fn men_moves(&self, columns: usize, exits: &mut [u8]) {
        let mut buffer = Vec::new();
        for from in squares(self.my_men).into_iter().map(Square::index) {
            for d in DIRECTIONS.into_iter().filter(|d| self.is_forward(*d)) {
                let Some(to) = next(d, from).filter(|to| self.men() >> to & 1 == 0) else {
                    continue;
                };
                let left = self.my_men ^ 1 << from;
                let promotes = promotion_row(self.mover).contains(Square::new(to));
                let frame = match promotes {
                    true => self.frame(left, self.other_men, self.mine + 1, self.other),
                    false => self.frame(left | 1 << to, self.other_men, self.mine, self.other),
                };
                if columns == 1 && !promotes {
                    let mine = self.crew(self.mine);
                    let scores = frame.column().iter();
                    for ((exit, &score), &taken) in exits.iter_mut().zip(scores).zip(mine.taken(to))
                    {
                        *exit = (*exit).min(score | taken);
                    }
                    continue;
                }
                let taken = self.crew(self.other).taken(to);
                for (row, &set) in self.crew(self.mine).sets().iter().enumerate() {
                    if set as u32 & (self.men() | 1 << to) != 0 {
                        continue;
                    }
                    let after = if promotes { self.with(self.mine, row, to) } else { row };
                    let exits = &mut exits[row * columns..][..columns];
                    let scores = frame.row(after, &mut buffer);
                    for ((exit, &score), &taken) in exits.iter_mut().zip(scores).zip(taken) {
                        *exit = (*exit).min(score | taken);
                    }
                }
            }
        }
        if columns == 1 {
            self.clear_impossible(exits);
        }
    }

    #[inline(always)]
    fn is_forward(&self, d: Direction) -> bool {
        d.is_up() == (self.mover == Color::White)
    }

    /// The placement with one more than `kings` kings.
    #[inline(always)]
    fn with(&self, kings: usize, placement: usize, square: u8) -> usize {
        self.all.with[kings][placement][square as usize] as usize
    }

    /// All captures.
    fn captures<S: Simd>(
        &self,
        simd: S,
        rows: usize,
        columns: usize,
        parallel: bool,
        scratch: &mut Scratch,
    ) {
        scratch.captures.clear(rows * columns, self.all.must_take_most());
        if self.mine > 0 {
            let others = self.crew(self.mine - 1).len();
            if !parallel {
                simd.run(|| self.king_captures(0..others, columns, scratch));
            } else {
                // Each part writes to rows anywhere.
                let parts = rayon::current_num_threads().min(PARTS);
                let part = |part: usize, scratch: &mut Scratch| {
                    let range = others * part / parts..others * (part + 1) / parts;
                    simd.run(|| self.king_captures(range, columns, scratch));
                };
                let more = || {
                    let more = (1..parts).into_par_iter().map(|number| {
                        let mut scratch = Scratch::default();
                        scratch.captures.clear(rows * columns, self.all.must_take_most());
                        part(number, &mut scratch);
                        scratch.captures
                    });
                    more.collect::<Vec<Captures>>()
                };
                let ((), more) = rayon::join(|| part(0, scratch), more);
                for captures in more {
                    simd.run(|| scratch.captures.join(&captures));
                }
            }
        }
        if self.my_men != 0 {
            simd.run(|| self.men_captures(columns, scratch));
        }
    }

    /// What can be captured, and the frames of what a capture by a king leads to.
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

    /// The kings that are not taken with the prey.
    fn untaken(&self, prey: Prey) -> usize {
        self.other - usize::from(prey.is_king)
    }

    /// Captures by kings, for a range of placements of the mover's other kings.
    #[inline(always)]
    fn king_captures(&self, range: std::ops::Range<usize>, columns: usize, scratch: &mut Scratch) {
        let Scratch { captures, line, chances } = scratch;
        let mut cache = FrameCache::default();
        let flies = self.all.rules.flying_kings;
        let prey = self.prey();
        let several = self.other + self.other_men.count_ones() as usize > 1;
        for rest in range {
            let rest_set = self.crew(self.mine - 1).sets()[rest] as u32;
            if rest_set & self.men() != 0 {
                continue;
            }
            let occupied = self.men() | rest_set;
            chances[0].begin(self.crew(self.other));
            chances[1].begin(self.crew(self.other.saturating_sub(1)));
            let board = Board { mine: self.my_men | rest_set, other_men: self.other_men };
            for &(prey, frame) in &prey {
                if rest_set >> prey.square & 1 == 1 {
                    continue;
                }
                let crew = self.crew(self.untaken(prey));
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
                    line.clear(crew);
                    for &landing in landings.iter().rev() {
                        let after = self.with(self.mine - 1, rest, landing);
                        let scores = frame.row(after, &mut line.buffer);
                        let taken = crew.taken(landing);
                        for ((least, &score), &taken) in
                            line.scores.iter_mut().zip(scores).zip(taken)
                        {
                            *least = (*least).min(score) | taken;
                        }
                        if several {
                            let clear = crew.clear(landing);
                            let chances = &mut chances[usize::from(prey.is_king)];
                            let chance = chances.after(board, crew, landing, d, flies);
                            for ((goes_on, &chance), &clear) in
                                line.goes_on.iter_mut().zip(chance).zip(clear)
                            {
                                *goes_on = (*goes_on | chance) & clear;
                            }
                        }
                    }
                    if several {
                        let start = Start { square: nearest, is_king: true, d };
                        self.follow(start, prey, rest_set, self.my_men, crew, line, &mut cache);
                    }
                    for &origin in origins {
                        let taken = crew.taken(origin);
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
    fn men_captures(&self, columns: usize, scratch: &mut Scratch) {
        let Scratch { captures, line, chances } = scratch;
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
                let crew = self.crew(self.untaken(prey));
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
                    // Without the kings, which are only in the way.
                    let board = Board { mine: left, other_men: self.other_men };
                    let mut goes_on = [0];
                    for next in DIRECTIONS.into_iter().filter(directions) {
                        board.chances(crew, to, next, flies, passed, &mut goes_on);
                    }
                    if goes_on == [0] {
                        let mine = self.crew(self.mine);
                        let scores = frame.column().iter();
                        for ((least, &score), &taken) in
                            captures.scores.iter_mut().zip(scores).zip(mine.taken(to))
                        {
                            *least = (*least).min(score | taken);
                        }
                        continue;
                    }
                }
                for (row, &set) in self.crew(self.mine).sets().iter().enumerate() {
                    let set = set as u32;
                    if set & (self.men() | 1 << to | 1 << met) != 0 {
                        continue;
                    }
                    line.clear(crew);
                    let after = if promotes { self.with(self.mine, row, to) } else { row };
                    let scores = frame.row(after, &mut line.buffer);
                    for ((least, &score), &taken) in
                        line.scores.iter_mut().zip(scores).zip(crew.taken(to))
                    {
                        *least = score | taken;
                    }
                    if several && !ends {
                        let board = Board { mine: left | set, other_men: self.other_men };
                        for next in DIRECTIONS.into_iter().filter(directions) {
                            board.chances(crew, to, next, flies, passed, &mut line.goes_on);
                        }
                        for (goes_on, &clear) in line.goes_on.iter_mut().zip(crew.clear(to)) {
                            *goes_on &= clear;
                        }
                        let start = Start { square: from, is_king: false, d };
                        self.follow(start, prey, set, left, crew, line, &mut cache);
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

    /// Follows the captures that go on, for each placement that allows it.
    /// `my_kings` and `my_men` are without the capturing piece.
    #[expect(clippy::too_many_arguments, reason = "one capture in all its parts")]
    fn follow(
        &self,
        start: Start,
        prey: Prey,
        my_kings: u32,
        my_men: u32,
        crew: &Crew,
        line: &mut Line,
        cache: &mut FrameCache<'a>,
    ) {
        let must_take_most = self.all.must_take_most();
        let Line { scores, longer, goes_on, .. } = line;
        let prey_king = u32::from(prey.is_king) << prey.square;
        let occupied = self.men() | my_kings | 1 << prey.square | 1 << start.square;
        for (word, &goes_on) in goes_on.iter().enumerate() {
            let mut goes_on = goes_on;
            while goes_on != 0 {
                let placement = word * 32 + goes_on.trailing_zeros() as usize;
                goes_on &= goes_on - 1;
                let set = crew.sets()[placement] as u32;
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

    /// Notes what a capture is worth in the positions of a row.
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

/// The piece that captures, before it jumps.
#[derive(Clone, Copy)]
struct Start {
    square: u8,
    is_king: bool,
    d: Direction,
}

/// The set of a word.
#[inline(always)]
fn squares(word: u32) -> SquareSet {
    SquareSet::new(word.into())
}

/// The neighbour of a square, by their indices.
#[inline(always)]
fn next(d: Direction, square: u8) -> Option<u8> {
    d.next(Square::new(square)).map(Square::index)
}

/// The better of two (number of pieces, least score).
#[inline(always)]
fn longer(a: (u8, u8), b: (u8, u8)) -> (u8, u8) {
    match a.0.cmp(&b.0) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => (a.0, a.1.min(b.1)),
        std::cmp::Ordering::Greater => a,
    }
}

impl Captures {
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

/// Where captures may go on: the pieces that do not change, and those of the
/// other side's kings that vary.
#[derive(Clone, Copy)]
struct Board {
    /// All pieces of the side to move but the one that captures.
    mine: u32,
    other_men: u32,
}

impl Board {
    /// Adds to `chances` the placements in which a piece on `from` can capture in
    /// direction `d`, whatever was captured before in another direction. `passed`
    /// is room to work in.
    #[inline(always)]
    fn chances(
        self,
        crew: &Crew,
        from: u8,
        d: Direction,
        flies: bool,
        passed: &mut Vec<u32>,
        chances: &mut [u32],
    ) {
        let occupied = self.mine | self.other_men;
        passed.clear();
        passed.resize(chances.len(), u32::MAX);
        let mut at = from;
        while let Some((met, behind)) = next(d, at).and_then(|met| Some((met, next(d, met)?))) {
            if self.mine >> met & 1 == 1 {
                return;
            }
            let is_man = self.other_men >> met & 1 == 1;
            let clear_met = crew.clear(met);
            if occupied >> behind & 1 == 0 {
                let there = if is_man { u32::MAX } else { 0 };
                let clear = crew.clear(behind).iter();
                for (((chances, passed), &clear), &clear_met) in
                    chances.iter_mut().zip(&*passed).zip(clear).zip(clear_met)
                {
                    *chances |= passed & clear & (there | !clear_met);
                }
            }
            if is_man || !flies {
                return;
            }
            for (passed, &clear) in passed.iter_mut().zip(clear_met) {
                *passed &= clear;
            }
            at = met;
        }
    }
}

/// For a placement of the other kings of the side to move: where a king that
/// lands after a capture can go on capturing. Found when it is asked for.
#[derive(Debug, Default)]
struct Chances {
    words: usize,
    /// The landing squares for which it has been found.
    found: u32,
    /// By landing square and direction of the capture: a bit for each placement.
    after: Vec<u32>,
    passed: Vec<u32>,
    one: Vec<u32>,
}

impl Chances {
    #[inline(always)]
    fn begin(&mut self, crew: &Crew) {
        self.words = crew.len().div_ceil(32);
        self.found = 0;
        self.after.resize(32 * 4 * self.words, 0);
    }

    /// The placements in which a king that landed here, moving in direction `d`, can
    /// go on, and whether it flies.
    #[inline(always)]
    fn after(
        &mut self,
        board: Board,
        crew: &Crew,
        landing: u8,
        d: Direction,
        flies: bool,
    ) -> &[u32] {
        let words = self.words;
        let place = |d: Direction| (landing as usize * 4 + d as usize) * words;
        if self.found >> landing & 1 == 0 {
            self.found |= 1 << landing;
            self.after[place(DIRECTIONS[0])..][..4 * words].fill(0);
            for next in DIRECTIONS {
                self.one.clear();
                self.one.resize(words, 0);
                board.chances(crew, landing, next, flies, &mut self.passed, &mut self.one);
                // There is nothing to capture where it came from.
                for d in DIRECTIONS.into_iter().filter(|d| d.opposite() != next) {
                    let after = &mut self.after[place(d)..][..words];
                    for (after, &one) in after.iter_mut().zip(&self.one) {
                        *after |= one;
                    }
                }
            }
        }
        &self.after[place(d)..][..words]
    }
}
