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
use super::frames::Exactness;
use super::score::{self, DRAW, LONGEST, NONE};
use super::simd::Simd;
use rayon::prelude::*;

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

/// 32 columns of one of the fibres.
#[derive(Clone, Copy, Debug)]
struct Word {
    fibre: usize,
    /// Its first column, divided by 32.
    place: usize,
}

/// Up to 512 columns of the rows of one side to move.
#[derive(Debug)]
struct Panel {
    words: Vec<Word>,
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
    /// move, among forced values.
    exits: Vec<Scores>,
    forced: Vec<Scores>,
}

/// Everything about one side to move.
#[derive(Debug)]
struct Half<'a> {
    crew: &'a Crew,
    moves: &'a Moves,
    other: &'a Crew,
    panels: Vec<Panel>,
    /// By fibre: a row for each placement of the other crew, in it the score for
    /// each placement of the crew to move; a draw where no other value is known.
    scores: Vec<u8>,
    /// For each such row: whether something in it was decided.
    changed: Vec<bool>,
    /// For the same positions: the score that the capture of a forced one gives, or
    /// NONE.
    forced: Vec<u8>,
    /// The best exits of positions with quiet moves: by fibre, rows as in panels.
    exits: Vec<u8>,
    /// Whether there are any.
    has_exits: bool,
    /// The scores among forced values and among exits that have not come up yet.
    forced_to_come: Scores,
    exits_to_come: Scores,
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
    exactness: Exactness,
    /// Whether the panels are worked on in parallel.
    parallel: bool,
}

/// Too long a distance.
#[derive(Debug)]
pub(super) struct TooLong;

impl<'a> Batch<'a> {
    /// Room for fibres of these crews, White's and Black's.
    pub(super) fn new(
        exactness: Exactness,
        crews: [&'a Crew; 2],
        moves: [&'a Moves; 2],
        parallel: bool,
    ) -> Batch<'a> {
        let half = |mover: usize| Half {
            crew: crews[mover],
            moves: moves[mover],
            other: crews[1 - mover],
            panels: Vec::new(),
            scores: Vec::new(),
            changed: Vec::new(),
            forced: Vec::new(),
            exits: Vec::new(),
            has_exits: false,
            forced_to_come: Scores::default(),
            exits_to_come: Scores::default(),
        };
        Batch { halves: [half(0), half(1)], exactness, parallel }
    }

    /// Begins anew with fibres given by the squares of their men.
    pub(super) fn begin(&mut self, men: &[u64]) {
        for half in &mut self.halves {
            let per_fibre = half.other.len().div_ceil(32);
            let words: Vec<Word> = (0..men.len())
                .flat_map(|fibre| (0..per_fibre).map(move |place| Word { fibre, place }))
                .collect();
            let panels = words.len().div_ceil(WORDS);
            half.panels.resize_with(panels, || Panel::new(half.crew));
            for (panel, words) in half.panels.iter_mut().zip(words.chunks(WORDS)) {
                panel.begin(words, half.other, men);
            }
            let scores = men.len() * half.crew.len() * half.other.len();
            half.scores.resize(scores, DRAW);
            half.forced.resize(scores, NONE);
            half.exits.resize(scores, NONE);
            half.has_exits = false;
            half.changed.clear();
            half.changed.resize(men.len() * half.other.len(), false);
            half.forced_to_come = Scores::default();
            half.exits_to_come = Scores::default();
        }
    }

    /// Fills in what the exits of a fibre are worth, White to move if `mover` is 0.
    /// `may_stand` tells, for White and Black, where crews may stand.
    pub(super) fn seed<S: Simd>(
        &mut self,
        simd: S,
        mover: usize,
        fibre: usize,
        men: u64,
        found: &mut Found,
        may_stand: impl Fn(usize, u64) -> bool,
    ) {
        let half = &mut self.halves[mover];
        if self.exactness == Exactness::Wdl {
            simd.run(|| {
                for scores in [&mut found.forced, &mut found.exits] {
                    for score in scores.iter_mut().filter(|score| **score != NONE) {
                        *score = score::without_distance(*score);
                    }
                }
            });
        }
        let frame = half.crew.len() * half.other.len();
        let has_exits = found.exits.iter().any(|&exit| exit != NONE);
        if has_exits && !half.has_exits {
            half.exits.fill(NONE);
            half.has_exits = true;
        }
        if has_exits {
            half.exits[fibre * frame..][..frame].copy_from_slice(&found.exits);
        }
        // Where the other crew may stand, whatever the mover does.
        let stands = |color: usize, set: u64| set & men == 0 && may_stand(color, set);
        let columns = words_of(half.other.sets(), |set| stands(1 - mover, set));
        let per_fibre = half.other.len().div_ceil(32);
        simd.run(|| {
            let forced = &mut half.forced[fibre * frame..][..frame];
            transpose(&found.forced, half.other.len(), forced);
            let scores = &mut half.scores[fibre * frame..][..frame];
            for (score, &forced) in scores.iter_mut().zip(&*forced) {
                *score = if forced == NONE { DRAW } else { forced };
            }
            for (row, &set) in half.crew.sets().iter().enumerate() {
                if !stands(mover, set) {
                    continue;
                }
                let forced = &found.forced[row * half.other.len()..][..half.other.len()];
                let exits = &found.exits[row * half.other.len()..][..half.other.len()];
                for place in 0..per_fibre {
                    let (panel, word) = panel_of(fibre * per_fibre + place);
                    let panel = &mut half.panels[panel];
                    let mut free = columns[place];
                    for square in damka_games::bits(set) {
                        free &= half.other.clear(square)[place];
                    }
                    let quiet = equal(simd, forced, place, NONE);
                    panel.open[row].0[word] = free & quiet;
                    if has_exits {
                        panel.held[row].0[word] = !equal(simd, exits, place, NONE);
                    }
                }
            }
        });
    }

    /// Works out the values of all positions.
    ///
    /// # Errors
    /// A distance is too long for a score.
    pub(super) fn solve<S: Simd>(&mut self, simd: S) -> Result<(), TooLong> {
        for mover in 0..2 {
            let [a, b] = &mut self.halves;
            let (half, other) = if mover == 0 { (a, b) } else { (b, a) };
            half.survey(simd, other);
        }
        let mut idle = 0;
        let mut plies = 0;
        loop {
            let score = match self.exactness {
                _ if plies > LONGEST && self.exactness == Exactness::Dtw => return Err(TooLong),
                Exactness::Dtw => score::decided(plies),
                Exactness::Wdl => score::decided(plies % 2),
            };
            let mut any = false;
            for half in &mut self.halves {
                any |= half.decide(simd, score, self.parallel);
            }
            let [white, black] = &mut self.halves;
            any |= white.tell(simd, black, score, self.parallel);
            any |= black.tell(simd, white, score, self.parallel);
            let to_come = self
                .halves
                .iter()
                .any(|half| !half.forced_to_come.is_empty() || !half.exits_to_come.is_empty());
            idle = if any || to_come { 0 } else { idle + 1 };
            if idle == 2 {
                return Ok(());
            }
            plies += 1;
        }
    }

    /// As [`scores`](Batch::scores), but only those of positions in which nothing but
    /// captures is legal; NONE for others.
    pub(super) fn forced(&self, mover: usize, fibre: usize) -> &[u8] {
        let half = &self.halves[mover];
        let frame = half.crew.len() * half.other.len();
        &half.forced[fibre * frame..][..frame]
    }

    /// The scores of a fibre with one side to move: a row for each placement of
    /// the crew that is not to move.
    pub(super) fn scores(&self, mover: usize, fibre: usize) -> &[u8] {
        let half = &self.halves[mover];
        let frame = half.crew.len() * half.other.len();
        &half.scores[fibre * frame..][..frame]
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
        }
    }

    /// Begins anew with these columns; `men` are the squares of men by fibre.
    fn begin(&mut self, words: &[Word], other: &Crew, men: &[u64]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        for (square, clear) in (0..).zip(&mut self.clear) {
            *clear = Bits::NONE;
            for (bits, word) in clear.0.iter_mut().zip(words) {
                if men[word.fibre] >> square & 1 == 0 {
                    *bits = other.clear(square)[word.place];
                }
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

    /// Which positions of a row have this score among the exits.
    #[inline(always)]
    fn exits_with<S: Simd>(&self, simd: S, row: usize, half: Exits<'_>, wanted: u8) -> Bits {
        let mut found = Bits::NONE;
        for (bits, word) in found.0.iter_mut().zip(&self.words) {
            let row = &half.scores[(word.fibre * half.rows + row) * half.columns..][..half.columns];
            *bits = equal(simd, row, word.place, wanted);
        }
        found
    }
}

/// The exits of a half.
#[derive(Clone, Copy)]
struct Exits<'a> {
    scores: &'a [u8],
    rows: usize,
    columns: usize,
}

impl Half<'_> {
    /// Finds out which scores are where; `other` is the other side to move.
    fn survey<S: Simd>(&mut self, simd: S, other: &Half<'_>) {
        let (rows, columns) = (self.crew.len(), self.other.len());
        for panel in &mut self.panels {
            simd.run(|| {
                for row in 0..rows {
                    let words = || {
                        panel.words.iter().map(|word| {
                            let start = (word.fibre * rows + row) * columns + word.place * 32;
                            start..start + (columns - word.place * 32).min(32)
                        })
                    };
                    if self.has_exits {
                        let exits = words().map(|range| &self.exits[range]);
                        panel.exits[row] = Scores::of(simd, exits);
                    }
                    let forced = words().map(|range| &other.forced[range]);
                    panel.forced[row] = Scores::of(simd, forced);
                }
            });
            panel.exits.iter().for_each(|&scores| self.exits_to_come.join(scores));
            panel.forced.iter().for_each(|&scores| self.forced_to_come.join(scores));
        }
    }

    /// Gives `score` to all positions that have it. Returns whether there are any.
    fn decide<S: Simd>(&mut self, simd: S, score: u8, parallel: bool) -> bool {
        let exits_come_up = self.exits_to_come.take(score);
        let exits =
            Exits { scores: &self.exits, rows: self.crew.len(), columns: self.other.len() };
        let moves = self.moves;
        // The rows of scores that belong to the columns of each panel.
        let rows = self.crew.len();
        let mut scores = &mut self.scores[..];
        let mut changed = &mut self.changed[..];
        let mut parts = Vec::with_capacity(self.panels.len());
        for panel in &mut self.panels {
            let columns = panel.columns(self.other.len());
            let part;
            (part, scores) = scores.split_at_mut(columns * rows);
            let part_changed;
            (part_changed, changed) = changed.split_at_mut(columns);
            parts.push((panel, part, part_changed));
        }
        let other = self.other.len();
        let work = |(panel, scores, changed): (&mut Panel, &mut [u8], &mut [bool])| {
            simd.run(|| {
                let decided = Decided { scores, changed, rows, score };
                match score > DRAW {
                    true => panel.wins(simd, moves, exits, exits_come_up, other, decided),
                    false => panel.losses(simd, moves, exits, exits_come_up, other, decided),
                }
            })
        };
        match parallel {
            true => parts.into_par_iter().map(work).reduce(|| false, |a, b| a | b),
            false => parts.into_iter().map(work).fold(false, |a, b| a | b),
        }
    }

    /// Tells the other side's panels what was decided with `score`. Returns whether
    /// it was anything new.
    fn tell<S: Simd>(
        &mut self,
        simd: S,
        other: &mut Half<'_>,
        score: u8,
        parallel: bool,
    ) -> bool {
        let forced_come_up = other.forced_to_come.take(score);
        if !forced_come_up && !self.changed.iter().any(|&changed| changed) {
            return false;
        }
        let (scores, changed) = (&self.scores, &self.changed);
        let (rows, columns) = (self.other.len(), self.crew.len());
        let moves = other.moves;
        let work = |panel: &mut Panel| {
            simd.run(|| {
                let mut any = false;
                for row in 0..rows {
                    any |= panel.learn(simd, scores, changed, row, rows, columns, moves, score);
                }
                any
            })
        };
        let any = match parallel {
            true => other.panels.par_iter_mut().map(work).reduce(|| false, |a, b| a | b),
            false => other.panels.iter_mut().map(work).fold(false, |a, b| a | b),
        };
        self.changed.fill(false);
        any
    }
}

/// Where decisions go: the scores of a panel's columns, each a row of `rows`
/// scores.
struct Decided<'a> {
    scores: &'a mut [u8],
    changed: &'a mut [bool],
    rows: usize,
    score: u8,
}

impl Decided<'_> {
    /// Gives its score to the positions of `new` in a row.
    #[inline(always)]
    fn note(&mut self, row: usize, new: Bits, firsts: &[usize; WORDS]) {
        for (word, first) in new.0.into_iter().zip(firsts) {
            let mut word = word;
            while word != 0 {
                let column = first + word.trailing_zeros() as usize;
                word &= word - 1;
                self.scores[column * self.rows + row] = self.score;
                self.changed[column] = true;
            }
        }
    }
}

impl Panel {
    /// The number of columns that stand for something.
    fn columns(&self, per_fibre: usize) -> usize {
        self.words.iter().map(|word| (per_fibre - word.place * 32).min(32)).sum()
    }

    /// The first column of each word.
    fn firsts(&self, per_fibre: usize) -> [usize; WORDS] {
        let mut firsts = [0; WORDS];
        let mut next = 0;
        for (first, word) in firsts.iter_mut().zip(&self.words) {
            *first = next;
            next += (per_fibre - word.place * 32).min(32);
        }
        firsts
    }

    /// Finds new wins. Returns whether there are any.
    #[inline(always)]
    fn wins<S: Simd>(
        &mut self,
        simd: S,
        moves: &Moves,
        exits: Exits<'_>,
        exits_come_up: bool,
        per_fibre: usize,
        mut decided: Decided<'_>,
    ) -> bool {
        let firsts = self.firsts(per_fibre);
        let mut any = false;
        for row in 0..self.open.len() {
            let near = std::mem::replace(&mut self.near_lost[row], false);
            let exits_come_up = exits_come_up && self.exits[row].has(decided.score);
            let open = self.open[row];
            if !(near || exits_come_up) || open.is_empty() {
                continue;
            }
            let mut won = Bits::NONE;
            if near {
                won = self.reach(moves, row, &self.lost);
            }
            if exits_come_up {
                won = won.or(self.exits_with(simd, row, exits, decided.score));
            }
            let won = won.and(open);
            if !won.is_empty() {
                any = true;
                self.open[row] = open.and_not(won);
                decided.note(row, won, &firsts);
            }
        }
        any
    }

    /// Finds new losses. Returns whether there are any.
    #[inline(always)]
    fn losses<S: Simd>(
        &mut self,
        simd: S,
        moves: &Moves,
        exits: Exits<'_>,
        exits_come_up: bool,
        per_fibre: usize,
        mut decided: Decided<'_>,
    ) -> bool {
        let firsts = self.firsts(per_fibre);
        let mut any = false;
        for row in 0..self.open.len() {
            let near = std::mem::replace(&mut self.near_unwon[row], false);
            let exits_come_up = exits_come_up && self.exits[row].has(decided.score);
            if !(near || exits_come_up) {
                continue;
            }
            let open = self.open[row];
            if open.is_empty() {
                continue;
            }
            if exits_come_up {
                let released = self.exits_with(simd, row, exits, decided.score);
                self.held[row] = self.held[row].and_not(released);
            }
            let mut lost = open.and_not(self.held[row]);
            if lost.is_empty() {
                continue;
            }
            lost = lost.and_not(self.reach(moves, row, &self.unwon));
            if !lost.is_empty() {
                any = true;
                self.open[row] = open.and_not(lost);
                decided.note(row, lost, &firsts);
            }
        }
        any
    }

    /// Learns which positions of a row, with the other side to move, were decided.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "inlined into one place")]
    fn learn<S: Simd>(
        &mut self,
        simd: S,
        scores: &[u8],
        changed: &[bool],
        row: usize,
        rows: usize,
        columns: usize,
        moves: &Moves,
        score: u8,
    ) -> bool {
        let forced = self.forced[row].has(score);
        let mut decided = Bits::NONE;
        for (bits, word) in decided.0.iter_mut().zip(&self.words) {
            let place = word.fibre * rows + row;
            if forced || changed[place] {
                *bits = equal(simd, &scores[place * columns..][..columns], word.place, score);
            }
        }
        let win = score > DRAW;
        let new = match win {
            true => decided.and(self.unwon[row]),
            false => decided.and_not(self.lost[row]),
        };
        if new.is_empty() {
            return false;
        }
        match win {
            true => self.unwon[row] = self.unwon[row].and_not(new),
            false => self.lost[row] = self.lost[row].or(new),
        }
        let near = if win { &mut self.near_unwon } else { &mut self.near_lost };
        // Quiet moves can be taken back: they lead here from where they lead to.
        for step in moves.of(row) {
            near[step.target()] = true;
        }
        true
    }
}

/// The panel of a word, and its place there.
#[inline(always)]
fn panel_of(word: usize) -> (usize, usize) {
    (word / WORDS, word % WORDS)
}

/// Which of 32 scores of a row, from 32 x `place`, are `wanted`.
#[inline(always)]
fn equal<S: Simd>(simd: S, row: &[u8], place: usize, wanted: u8) -> u32 {
    let row = &row[place * 32..];
    match row.first_chunk::<32>() {
        Some(bytes) => simd.equal(bytes, wanted),
        None => {
            let mut bytes = [!wanted; 32];
            bytes[..row.len()].copy_from_slice(row);
            simd.equal(&bytes, wanted)
        }
    }
}

/// One bit for each set: whether `is` says so of it.
fn words_of(sets: &[u64], is: impl Fn(u64) -> bool) -> Vec<u32> {
    let word = |sets: &[u64]| {
        sets.iter().enumerate().fold(0, |word, (i, &set)| word | u32::from(is(set)) << i)
    };
    sets.chunks(32).map(word).collect()
}

/// Exchanges rows, `columns` long, and columns.
#[inline(always)]
pub(super) fn transpose(from: &[u8], columns: usize, to: &mut [u8]) {
    const TILE: usize = 16;
    let rows = from.len() / columns;
    for row in (0..rows).step_by(TILE) {
        let row_end = (row + TILE).min(rows);
        for column in (0..columns).step_by(TILE) {
            let column_end = (column + TILE).min(columns);
            for c in column..column_end {
                for r in row..row_end {
                    to[c * rows + r] = from[r * columns + c];
                }
            }
        }
    }
}
