//! Quiet moves: from what the exits are worth to the values of all positions of
//! some fibres, distance by distance.
//!
//! Positions are bits. For the side to move, a row of bits belongs to each
//! placement of its crew; in it are the placements of the other crew. A quiet
//! move leads from a row to another one, and a ray is a chain of rows: which
//! positions of a row reach a certain set takes one step for each square of its
//! rays, for all placements of the other crew at once.
//!
//! The other crew moves along the other axis. What has been decided for one side
//! to move is written into its scores, in rows of the crew that is not to move,
//! and read back from there as bits that are rows of the other side's moves.

use super::crew::{Crew, Moves};
use super::exits::Found;
use super::score::{self, DRAW, LONGEST, NONE};
use super::simd::{Instructions, Simd, with_simd};
use damka_games::{Square, SquareSet};
use damka_tables::metric::Metric;
use rayon::prelude::*;
use std::ops::Range;

/// A row of a panel: 512 columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
struct Bits([u32; WORDS]);

const WORDS: usize = 16;

impl Bits {
    const NONE: Bits = Bits([0; WORDS]);
    const ALL: Bits = Bits([u32::MAX; WORDS]);

    #[inline(always)]
    fn with(self, other: Bits, f: impl Fn(u32, u32) -> u32) -> Bits {
        Bits(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn and(self, other: Bits) -> Bits {
        self.with(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Bits) -> Bits {
        self.with(other, |a, b| a | b)
    }

    #[inline(always)]
    fn and_not(self, other: Bits) -> Bits {
        self.with(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }
}

/// How the columns of rows lie in words: fibre by fibre, each beginning a new word,
/// unless a fibre has but one column.
#[derive(Clone, Copy, Debug)]
struct Columns {
    /// The columns of a fibre.
    per_fibre: usize,
    /// The words of a fibre, if it has more than one column.
    words: usize,
    fibres: usize,
}

impl Columns {
    fn new(per_fibre: usize, fibres: usize) -> Columns {
        Columns { per_fibre, words: per_fibre.div_ceil(32), fibres }
    }

    /// The number of words.
    fn words(self) -> usize {
        match self.per_fibre {
            1 => self.fibres.div_ceil(32),
            _ => self.fibres * self.words,
        }
    }

    /// The columns of a word among those of all fibres.
    #[inline(always)]
    fn of(self, word: usize) -> Range<usize> {
        let (start, end) = match self.per_fibre {
            1 => (word * 32, self.fibres),
            per_fibre => {
                let start = word / self.words * per_fibre;
                (start + word % self.words * 32, start + per_fibre)
            }
        };
        start..end.min(start + 32)
    }

    /// The word and bit of a column of a fibre.
    #[inline(always)]
    fn place(self, fibre: usize, column: usize) -> (usize, usize) {
        match self.per_fibre {
            1 => (fibre / 32, fibre % 32),
            _ => (fibre * self.words + column / 32, column % 32),
        }
    }

    /// The number of columns of all fibres.
    #[inline(always)]
    fn len(self) -> usize {
        self.per_fibre * self.fibres
    }
}

/// Up to 512 columns of the rows of one side to move.
#[derive(Debug)]
struct Panel {
    /// The columns of each word among those of all fibres.
    words: Vec<Range<usize>>,
    /// For each square: the columns that leave it empty, men included.
    clear: Vec<Bits>,
    /// By row. Positions without a value, all of whose moves are legal.
    open: Vec<Bits>,
    /// Positions that an exit saves, as far as is known, from being lost.
    held: Vec<Bits>,
    /// The same placements with the other side to move: lost, and not won.
    lost: Vec<Bits>,
    unwon: Vec<Bits>,
    /// Rows from which a quiet move leads to rows of `lost`, or of `unwon`, that
    /// have changed.
    near_lost: Vec<bool>,
    near_unwon: Vec<bool>,
    /// By row: which scores occur among the exits, and, with the other side to
    /// move, among forced values; and whether any was decided there since.
    exits: Vec<Scores>,
    forced: Vec<Scores>,
    changed: Vec<bool>,
}

/// Everything about one side to move.
#[derive(Debug)]
struct Half<'a> {
    crew: &'a Crew,
    moves: &'a Moves,
    other: &'a Crew,
    columns: Columns,
    panels: Vec<Panel>,
    /// A row for each placement of the other crew; in it, fibre by fibre, the
    /// score for each placement of the crew to move; a draw where no other value
    /// is known.
    scores: Vec<u8>,
    /// For the same positions: the score of a forced one, or NONE.
    forced: Vec<u8>,
    /// The best exits of positions with quiet moves: a row for each placement of
    /// the crew to move; in it, fibre by fibre, the other's placements.
    exits: Vec<u8>,
    /// Whether there are any.
    has_exits: bool,
    /// The scores among exits, and among the other side's forced values, that
    /// have not come up yet.
    forced_to_come: Scores,
    exits_to_come: Scores,
    /// Where the other crew may stand, for the fibre being seeded.
    free: Vec<u32>,
}

/// A set of scores, a bit each.
#[derive(Clone, Copy, Debug, Default)]
struct Scores([u64; 4]);

impl Scores {
    /// The decided ones of `scores`.
    #[inline(always)]
    fn of<'s, S: Simd>(simd: S, scores: impl Iterator<Item = &'s [u8]>) -> Scores {
        let mut there = [0u8; 256];
        for &score in scores.flatten() {
            there[score as usize] = 1;
        }
        there[DRAW as usize] = 0;
        there[NONE as usize] = 0;
        let mut set = Scores::default();
        for (place, there) in there.as_chunks::<32>().0.iter().enumerate() {
            set.0[place / 2] |= u64::from(simd.equal(there, 1)) << (place % 2 * 32);
        }
        set
    }

    #[inline(always)]
    fn has(&self, score: u8) -> bool {
        self.0[score as usize / 64] >> (score % 64) & 1 == 1
    }

    fn join(&mut self, other: Scores) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    /// Takes a score out. Returns whether it was in.
    fn take(&mut self, score: u8) -> bool {
        let had = self.has(score);
        self.0[score as usize / 64] &= !(1 << (score % 64));
        had
    }

    fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}

/// Some fibres of a signature whose values do not depend on each other.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    halves: [Half<'a>; 2],
    metric: Metric,
    /// Whether the panels are worked on in parallel. Only for a single fibre.
    parallel: bool,
}

/// Too long a distance.
#[derive(Debug)]
pub(super) struct TooLong;

impl<'a> Batch<'a> {
    /// Room for fibres of these crews, White's and Black's.
    pub(super) fn new(
        metric: Metric,
        crews: [&'a Crew; 2],
        moves: [&'a Moves; 2],
        parallel: bool,
    ) -> Batch<'a> {
        let half = |mover: usize| Half {
            crew: crews[mover],
            moves: moves[mover],
            other: crews[1 - mover],
            columns: Columns::new(crews[1 - mover].len(), 0),
            panels: Vec::new(),
            scores: Vec::new(),
            forced: Vec::new(),
            exits: Vec::new(),
            has_exits: false,
            forced_to_come: Scores::default(),
            exits_to_come: Scores::default(),
            free: Vec::new(),
        };
        Batch { halves: [half(0), half(1)], metric, parallel }
    }

    /// Begins anew with fibres given by the squares of their men.
    ///
    /// # Panics
    /// If there is more than one fibre and panels are worked on in parallel.
    pub(super) fn begin(&mut self, men: &[u64]) {
        assert!(men.len() == 1 || !self.parallel, "one fibre at a time");
        for half in &mut self.halves {
            half.columns = Columns::new(half.other.len(), men.len());
            let words = half.columns.words();
            half.panels.resize_with(words.div_ceil(WORDS), || Panel::new(half.crew));
            for (i, panel) in half.panels.iter_mut().enumerate() {
                let words = i * WORDS..words.min((i + 1) * WORDS);
                panel.begin(words, half.columns, half.other, men);
            }
            let scores = men.len() * half.crew.len() * half.other.len();
            half.scores.resize(scores, DRAW);
            half.forced.resize(scores, NONE);
            half.has_exits = false;
            half.forced_to_come = Scores::default();
            half.exits_to_come = Scores::default();
        }
    }

    /// Fills in what the exits of a fibre are worth, White to move if `mover` is 0.
    /// `may_stand` tells, for White and Black, where crews may stand.
    pub(super) fn seed(
        &mut self,
        instructions: Instructions,
        mover: usize,
        fibre: usize,
        men: u64,
        found: &mut Found,
        may_stand: &dyn Fn(usize, u64) -> bool,
    ) {
        if self.metric == Metric::Wdl {
            with_simd!(instructions, simd => simd.run(|| found.forget_distances()));
        }
        let stands = |color: usize, set: u64| set & men == 0 && may_stand(color, set);
        let half = &mut self.halves[mover];
        with_simd!(instructions, simd => simd.run(|| half.seed(simd, mover, fibre, found, stands)));
    }

    /// Works out the values of all positions.
    ///
    /// # Errors
    /// A distance is too long for a score.
    pub(super) fn solve(&mut self, instructions: Instructions) -> Result<(), TooLong> {
        with_simd!(instructions, simd => self.solve_with(simd))
    }

    fn solve_with<S: Simd>(&mut self, simd: S) -> Result<(), TooLong> {
        let [white, black] = &mut self.halves;
        white.survey(simd, black);
        black.survey(simd, white);
        let mut idle = 0;
        let mut plies = 0;
        while idle < 2 {
            let score = match self.metric {
                Metric::Dtw if plies > LONGEST => return Err(TooLong),
                Metric::Dtw => score::decided(plies),
                Metric::Wdl => score::decided(plies % 2),
            };
            let mut any = white.decide(simd, black, score, self.parallel);
            any |= black.decide(simd, white, score, self.parallel);
            any |= white.tell(simd, black, score, self.parallel);
            any |= black.tell(simd, white, score, self.parallel);
            any |= [&*white, &*black].into_iter().any(Half::waits);
            idle = if any { 0 } else { idle + 1 };
            plies += 1;
        }
        Ok(())
    }

    /// The scores of a fibre with one side to move: a row for each placement of the
    /// crew that is not to move. `buffer` is room for a copy.
    pub(super) fn scores<'b>(
        &'b self,
        mover: usize,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        self.halves[mover].frame(&self.halves[mover].scores, fibre, buffer)
    }

    /// The same of forced positions only, NONE for others.
    pub(super) fn forced<'b>(
        &'b self,
        mover: usize,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        self.halves[mover].frame(&self.halves[mover].forced, fibre, buffer)
    }
}

impl Panel {
    fn new(crew: &Crew) -> Panel {
        let rows = crew.len();
        Panel {
            words: Vec::with_capacity(WORDS),
            clear: vec![Bits::NONE; crew.squares().into()],
            open: vec![Bits::NONE; rows],
            held: vec![Bits::NONE; rows],
            lost: vec![Bits::NONE; rows],
            unwon: vec![Bits::ALL; rows],
            near_lost: vec![false; rows],
            near_unwon: vec![true; rows],
            exits: vec![Scores::default(); rows],
            forced: vec![Scores::default(); rows],
            changed: vec![false; rows],
        }
    }

    /// Begins anew with these words; `men` are the squares of men by fibre.
    fn begin(&mut self, words: Range<usize>, columns: Columns, other: &Crew, men: &[u64]) {
        self.words.clear();
        self.words.extend(words.map(|word| columns.of(word)));
        for (square, clear) in (0..).zip(&mut self.clear) {
            *clear = Bits::NONE;
            for (bits, word) in clear.0.iter_mut().zip(&self.words) {
                *bits = if columns.per_fibre == 1 {
                    let free = men[word.clone()].iter().map(|men| !men >> square & 1);
                    free.enumerate().fold(0, |bits, (i, free)| bits | (free as u32) << i)
                } else if men[word.start / columns.per_fibre] >> square & 1 == 0 {
                    other.clear(square)[word.start % columns.per_fibre / 32]
                } else {
                    0
                };
            }
        }
        for (rows, initial) in [
            (&mut self.open, Bits::NONE),
            (&mut self.held, Bits::NONE),
            (&mut self.lost, Bits::NONE),
            (&mut self.unwon, Bits::ALL),
        ] {
            rows.fill(initial);
        }
        self.near_lost.fill(false);
        self.near_unwon.fill(true);
        self.exits.fill(Scores::default());
        self.forced.fill(Scores::default());
        self.changed.fill(false);
    }

    /// The positions of a row from which a quiet move leads into `targets`.
    #[inline(always)]
    fn reach(&self, moves: &Moves, row: usize, targets: &[Bits]) -> Bits {
        let mut reach = Bits::NONE;
        let mut ray = Bits::NONE;
        for step in moves.of(row) {
            ray = targets[step.target()].or(ray).and(self.clear[step.square()]);
            if step.is_nearest() {
                reach = reach.or(ray);
                ray = Bits::NONE;
            }
        }
        reach
    }

    /// Which of the scores of a row are `wanted`.
    #[inline(always)]
    fn equal<S: Simd>(&self, simd: S, row: &[u8], wanted: u8) -> Bits {
        let mut found = Bits::NONE;
        for (bits, word) in found.0.iter_mut().zip(&self.words) {
            *bits = equal(simd, &row[word.clone()], wanted);
        }
        found
    }

    /// Finds the positions that have `score`, and takes them off the open ones.
    /// `exits` are rows of scores of this length, unless none has come up.
    #[inline(always)]
    fn decide<S: Simd>(
        &mut self,
        simd: S,
        moves: &Moves,
        score: u8,
        exits: Option<(&[u8], usize)>,
        mut note: impl FnMut(usize, &[Range<usize>], Bits),
    ) -> bool {
        let win = score > DRAW;
        let mut any = false;
        for row in 0..self.open.len() {
            let near = if win { &mut self.near_lost[row] } else { &mut self.near_unwon[row] };
            let near = std::mem::replace(near, false);
            let exits = exits.filter(|_| self.exits[row].has(score));
            let open = self.open[row];
            if !near && exits.is_none() || open.is_empty() {
                continue;
            }
            let come_up = exits.map_or(Bits::NONE, |(exits, len)| {
                self.equal(simd, &exits[row * len..][..len], score)
            });
            let decided = if win {
                let reach = if near { self.reach(moves, row, &self.lost) } else { Bits::NONE };
                open.and(reach.or(come_up))
            } else {
                self.held[row] = self.held[row].and_not(come_up);
                let stuck = open.and_not(self.held[row]);
                if stuck.is_empty() {
                    continue;
                }
                stuck.and_not(self.reach(moves, row, &self.unwon))
            };
            if !decided.is_empty() {
                any = true;
                self.open[row] = open.and_not(decided);
                note(row, &self.words, decided);
            }
        }
        any
    }

    /// Learns which positions, with the other side to move, have `score`; `scores`
    /// are rows of this length.
    #[inline(always)]
    fn learn<S: Simd>(
        &mut self,
        simd: S,
        scores: &[u8],
        len: usize,
        moves: &Moves,
        score: u8,
    ) -> bool {
        let win = score > DRAW;
        let mut any = false;
        for row in 0..self.open.len() {
            let changed = std::mem::replace(&mut self.changed[row], false);
            if !changed && !self.forced[row].has(score) {
                continue;
            }
            let decided = self.equal(simd, &scores[row * len..][..len], score);
            let new = match win {
                true => decided.and(self.unwon[row]),
                false => decided.and_not(self.lost[row]),
            };
            if new.is_empty() {
                continue;
            }
            any = true;
            let near = if win {
                self.unwon[row] = self.unwon[row].and_not(new);
                &mut self.near_unwon
            } else {
                self.lost[row] = self.lost[row].or(new);
                &mut self.near_lost
            };
            // Quiet moves can be taken back: they lead here from where they lead to.
            for step in moves.of(row) {
                near[step.target()] = true;
            }
        }
        any
    }
}

impl Half<'_> {
    /// Fills in what the exits of a fibre are worth to `mover`.
    #[inline(always)]
    fn seed<S: Simd>(
        &mut self,
        simd: S,
        mover: usize,
        fibre: usize,
        found: &Found,
        stands: impl Fn(usize, u64) -> bool,
    ) {
        let (crew, columns) = (self.crew, self.columns);
        let (len, per_fibre) = (crew.len(), columns.per_fibre);
        if found.has_exits && !self.has_exits {
            self.exits.clear();
            self.exits.resize(self.scores.len(), NONE);
            self.has_exits = true;
        }
        if found.has_exits {
            let rows = found.exits.chunks_exact(per_fibre);
            for (row, exits) in self.exits.chunks_exact_mut(columns.len()).zip(rows) {
                row[fibre * per_fibre..][..per_fibre].copy_from_slice(exits);
            }
        }
        let start = fibre * len;
        transpose(&found.forced, per_fibre, &mut self.forced[start..], len * columns.fibres);
        for row in 0..per_fibre {
            let range = start + row * len * columns.fibres..;
            let forced = &self.forced[range.clone()][..len];
            for (score, &forced) in self.scores[range][..len].iter_mut().zip(forced) {
                *score = if forced == NONE { DRAW } else { forced };
            }
        }
        // Where the other crew may stand, whatever the mover does.
        self.free.clear();
        self.free.extend(self.other.sets().chunks(32).map(|sets| {
            let sets = sets.iter().enumerate();
            sets.fold(0, |word, (i, &set)| word | u32::from(stands(1 - mover, set)) << i)
        }));
        for (row, &set) in crew.sets().iter().enumerate() {
            if !stands(mover, set) {
                continue;
            }
            let range = row * per_fibre..(row + 1) * per_fibre;
            let forced = &found.forced[range.clone()];
            for (place, &free) in self.free.iter().enumerate() {
                let clear = |free, square| free & self.other.clear(square)[place];
                let free = SquareSet::new(set).into_iter().map(Square::index).fold(free, clear);
                let columns = place * 32..per_fibre.min(place * 32 + 32);
                let quiet = free & equal(simd, &forced[columns.clone()], NONE);
                let (word, bit) = self.columns.place(fibre, place * 32);
                let (panel, word) = (&mut self.panels[word / WORDS], word % WORDS);
                panel.open[row].0[word] |= quiet << bit;
                if found.has_exits {
                    let exits = &found.exits[range.clone()][columns];
                    let held = free & !equal(simd, exits, NONE);
                    panel.held[row].0[word] |= held << bit;
                }
            }
        }
    }

    /// What belongs to one fibre in rows of all of them.
    fn frame<'b>(&self, rows: &'b [u8], fibre: usize, buffer: &'b mut Vec<u8>) -> &'b [u8] {
        if self.columns.fibres == 1 {
            return rows;
        }
        let len = self.crew.len();
        buffer.clear();
        for row in rows.chunks_exact(len * self.columns.fibres) {
            buffer.extend_from_slice(&row[fibre * len..][..len]);
        }
        buffer
    }

    /// Finds out which scores are where; `other` is the other side to move.
    fn survey<S: Simd>(&mut self, simd: S, other: &Half<'_>) {
        let len = self.columns.len();
        for panel in &mut self.panels {
            simd.run(|| {
                for row in 0..self.crew.len() {
                    let range = row * len..(row + 1) * len;
                    if self.has_exits {
                        let exits = &self.exits[range.clone()];
                        let exits = panel.words.iter().map(|word| &exits[word.clone()]);
                        panel.exits[row] = Scores::of(simd, exits);
                        self.exits_to_come.join(panel.exits[row]);
                    }
                    let forced = &other.forced[range];
                    let forced = panel.words.iter().map(|word| &forced[word.clone()]);
                    panel.forced[row] = Scores::of(simd, forced);
                    self.forced_to_come.join(panel.forced[row]);
                }
            });
        }
    }

    /// Whether some exits or forced values have not come up yet.
    fn waits(&self) -> bool {
        !self.forced_to_come.is_empty() || !self.exits_to_come.is_empty()
    }

    /// Gives `score` to all positions that have it, and marks where it did for
    /// `other` to learn. Returns whether there are any.
    fn decide<S: Simd>(
        &mut self,
        simd: S,
        other: &mut Half<'_>,
        score: u8,
        parallel: bool,
    ) -> bool {
        let exits = self.exits_to_come.take(score).then_some((&self.exits[..], self.columns.len()));
        let (moves, columns, their) = (self.moves, self.columns, other.columns);
        let len = their.len();
        if !parallel {
            let mut any = false;
            for panel in &mut self.panels {
                any |= simd.run(|| {
                    panel.decide(simd, moves, score, exits, |row, words, decided| {
                        for (word, columns_of) in decided.0.into_iter().zip(words) {
                            let mut word = word;
                            while word != 0 {
                                let column = columns_of.start + word.trailing_zeros() as usize;
                                word &= word - 1;
                                let fibre = column / columns.per_fibre;
                                let column = column % columns.per_fibre;
                                let place = column * len + fibre * their.per_fibre + row;
                                self.scores[place] = score;
                                let (word, _) = their.place(fibre, row);
                                other.panels[word / WORDS].changed[column] = true;
                            }
                        }
                    })
                });
            }
            return any;
        }
        // Each panel has its own rows of scores.
        let mut scores = &mut self.scores[..];
        let mut parts = Vec::with_capacity(self.panels.len());
        for panel in &mut self.panels {
            let first = panel.words.first().map_or(0, |word| word.start);
            let last = panel.words.last().map_or(0, |word| word.end);
            let part;
            (part, scores) = scores.split_at_mut((last - first) * len);
            parts.push((panel, first, part));
        }
        let work = |(panel, first, scores): (&mut Panel, usize, &mut [u8])| {
            let mut changed = Vec::new();
            simd.run(|| {
                panel.decide(simd, moves, score, exits, |row, words, decided| {
                    for (word, columns_of) in decided.0.into_iter().zip(words) {
                        let mut word = word;
                        while word != 0 {
                            let column = columns_of.start + word.trailing_zeros() as usize;
                            word &= word - 1;
                            scores[(column - first) * len + row] = score;
                            changed.push((row / 32 / WORDS, column));
                        }
                    }
                })
            });
            changed
        };
        let changed: Vec<Vec<(usize, usize)>> = parts.into_par_iter().map(work).collect();
        for &(panel, column) in changed.iter().flatten() {
            other.panels[panel].changed[column] = true;
        }
        changed.iter().any(|changed| !changed.is_empty())
    }

    /// Tells the other side's panels what was decided with `score`. Returns whether
    /// it was anything new.
    fn tell<S: Simd>(&mut self, simd: S, other: &mut Half<'_>, score: u8, parallel: bool) -> bool {
        other.forced_to_come.take(score);
        let (scores, len, moves) = (&self.scores, other.columns.len(), other.moves);
        let work = |panel: &mut Panel| simd.run(|| panel.learn(simd, scores, len, moves, score));
        match parallel {
            true => other.panels.par_iter_mut().map(work).reduce(|| false, |a, b| a | b),
            false => other.panels.iter_mut().map(work).fold(false, |a, b| a | b),
        }
    }
}

/// Which of up to 32 scores are `wanted`.
#[inline(always)]
fn equal<S: Simd>(simd: S, scores: &[u8], wanted: u8) -> u32 {
    match scores.first_chunk::<32>() {
        Some(bytes) => simd.equal(bytes, wanted),
        None => scores
            .iter()
            .enumerate()
            .fold(0, |set, (i, &score)| set | u32::from(score == wanted) << i),
    }
}

/// Exchanges rows, `columns` long, and columns; the rows written begin `stride`
/// apart.
#[inline(always)]
pub(super) fn transpose(from: &[u8], columns: usize, to: &mut [u8], stride: usize) {
    const TILE: usize = 16;
    let rows = from.len() / columns;
    for row in (0..rows).step_by(TILE) {
        let row_end = (row + TILE).min(rows);
        for column in (0..columns).step_by(TILE) {
            let column_end = (column + TILE).min(columns);
            for c in column..column_end {
                for r in row..row_end {
                    to[c * stride + r] = from[r * columns + c];
                }
            }
        }
    }
}
