//! The levels of a fibre.

use super::board::{Kind, SQUARES, Symmetry, pawn_captures, squares};
use super::exits::Holes;
use super::fibre::{Fibre, Frame, Solved};
use super::pairs::{KingPairs, Link};
use super::reach::{Reach, words};
use super::seeds::{Pending, Seeds};
use crate::solve::score::{self, DRAW, NONE};
use crate::solve::simd::{Instructions, Simd, Work, with_simd};
use damka_games::Color;

/// A set of cells of all slots.
#[derive(Debug)]
struct Cells {
    words: Vec<u64>,
    /// By slot: whether there are any.
    any: Vec<bool>,
}

/// The positions of a fibre with one side to move.
#[derive(Debug)]
struct Half {
    mover: Color,
    /// Positions that are not decided.
    open: Cells,
    /// Positions and holes that are not won by the side to move.
    unwon: Cells,
    /// What was decided at the last level and at this one, holes among them.
    last: Cells,
    fresh: Cells,
    /// Positions with a pawn move that has not been lost so far.
    saved: Option<Cells>,
    exits: Option<(Seeds, Vec<Pending>)>,
    holes: Vec<(Holes, Vec<Pending>)>,
    scores: Vec<u8>,
}

/// What stays the same while a fibre is solved.
struct World<'a> {
    fibre: &'a Fibre,
    pairs: &'static KingPairs,
    axes: usize,
    /// The words of a slot.
    words: usize,
}

impl Cells {
    fn new(slots: usize, words: usize) -> Cells {
        Cells { words: vec![0; slots * words], any: vec![false; slots] }
    }
}

/// The survey of a slot.
struct Survey<'a, 'b> {
    world: &'a World<'a>,
    half: &'b mut Half,
    slot: usize,
    room: &'b mut [u64],
}

impl Work for Survey<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.world.survey(simd, self.half, self.slot, self.room);
    }
}

/// A level of a slot.
struct Level<'a, 'b> {
    world: &'a World<'a>,
    half: &'b mut Half,
    other: &'b Half,
    slot: usize,
    plies: u16,
    room: &'b mut [u64],
}

impl Work for Level<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Level { world, half, other, slot, plies, room } = self;
        let score = score::decided(plies);
        match plies % 2 {
            0 => world.lose(simd, half, other, slot, score, room),
            _ => world.win(simd, half, other, slot, score, room),
        }
    }
}

/// Solves a fibre from those that it leads to.
///
/// # Errors
/// A distance is too long.
pub fn solve(
    instructions: Instructions,
    fibre: &Fibre,
    solved: &impl Solved,
) -> Result<Frame, TooLong> {
    let world = World::new(fibre);
    let mut halves = Color::BOTH.map(|mover| Half::new(&world, mover, solved));
    with_simd!(instructions, simd => world.solve(simd, &mut halves))?;
    Ok(Frame { fibre: fibre.clone(), scores: halves.map(|half| half.scores) })
}

/// The longest distance that has a score: a win.
const LONGEST: u16 = 253;

/// Too long a distance.
#[derive(Debug)]
pub struct TooLong;

impl Half {
    fn new(world: &World<'_>, mover: Color, solved: &impl Solved) -> Half {
        let slots = world.pairs.len();
        let cells = || Cells::new(slots, world.words);
        let holes = Holes::of(world.fibre, mover, solved).into_iter().map(|holes| {
            let pending = holes.seeds.pending();
            (holes, pending)
        });
        Half {
            mover,
            open: cells(),
            unwon: cells(),
            last: cells(),
            fresh: cells(),
            saved: None,
            exits: None,
            holes: holes.collect(),
            scores: vec![NONE; slots * world.fibre.cells()],
        }
    }

    /// Whether anything is left to take, or was decided at the last level.
    fn goes_on(&self) -> bool {
        let seeds = self.holes.iter().map(|(_, pending)| pending);
        let mut pending = seeds.chain(self.exits.iter().map(|(_, pending)| pending)).flatten();
        self.last.any.contains(&true) || pending.any(|pending| !pending.is_empty())
    }
}

impl<'a> World<'a> {
    fn new(fibre: &'a Fibre) -> World<'a> {
        let axes = fibre.pieces().len();
        World { fibre, pairs: fibre.pairs(), axes, words: words(axes) }
    }

    /// The words of a slot.
    fn range(&self, slot: usize) -> std::ops::Range<usize> {
        slot * self.words..(slot + 1) * self.words
    }

    /// The squares that kings and pawns take.
    fn blocked(&self, slot: usize) -> u64 {
        self.pairs.pair(slot).iter().fold(self.fibre.all_pawns(), |set, king| set | 1 << king)
    }

    fn solve<S: Simd>(&self, simd: S, halves: &mut [Half; 2]) -> Result<(), TooLong> {
        let mut room = vec![0; 2 * self.words];
        let room = &mut room[..];
        for half in halves.iter_mut() {
            for slot in 0..self.pairs.len() {
                simd.work(Survey { world: self, half, slot, room });
            }
        }
        let [white, black] = halves;
        let mut plies = 0;
        loop {
            let score = score::decided(plies);
            self.level(simd, plies, white, black, room);
            self.level(simd, plies, black, white, room);
            for half in [&mut *white, &mut *black] {
                std::mem::swap(&mut half.last, &mut half.fresh);
            }
            if !white.goes_on() && !black.goes_on() {
                break;
            }
            if plies > LONGEST {
                return Err(TooLong);
            }
            plies += 1;
        }
        for half in [white, black] {
            for (word, &open) in half.open.words.iter().enumerate() {
                self.write(&mut half.scores, word, open, DRAW);
            }
        }
        Ok(())
    }

    /// Decides what one side wins or loses in so many plies.
    fn level<S: Simd>(
        &self,
        simd: S,
        plies: u16,
        half: &mut Half,
        other: &Half,
        room: &mut [u64],
    ) {
        for slot in 0..self.pairs.len() {
            simd.work(Level { world: self, half, other, slot, plies, room });
        }
    }

    /// Finds out which cells of a slot are positions, which of these are in check (left where
    /// what is decided first is looked for), and which holes there are.
    #[inline(always)]
    fn survey<S: Simd>(&self, simd: S, half: &mut Half, slot: usize, room: &mut [u64]) {
        let (illegal, checked) = room.split_at_mut(self.words);
        self.attacks(simd, half.mover, slot, illegal);
        self.attacks(simd, !half.mover, slot, checked);
        let range = self.range(slot);
        let blocked = self.blocked(slot);
        let kings = self.pairs.pair(slot);
        let stands = self.fibre.all_pawns() & (1 << kings[0] | 1 << kings[1]) == 0;
        let open = &mut half.open.words[range.clone()];
        let unwon = &mut half.unwon.words[range.clone()];
        let first = &mut half.last.words[range];
        let (mut any, mut any_checked) = (0, 0);
        for word in 0..if stands { self.words } else { 0 } {
            open[word] = self.placements(word, blocked) & !illegal[word];
            unwon[word] = open[word];
            first[word] = open[word] & checked[word];
            any |= open[word];
            any_checked |= first[word];
        }
        half.open.any[slot] = any != 0;
        half.last.any[slot] = any_checked != 0;
        for (holes, _) in &half.holes {
            for (block, scores) in holes.seeds.slot(slot).chunks(SQUARES).enumerate() {
                let there = scores.iter().enumerate().map(|(i, &s)| u64::from(s != NONE) << i);
                let set = there.fold(0, |set, bit| set | bit);
                holes.cells(self.axes, kings, block, set, |cell| {
                    unwon[cell / SQUARES] |= 1 << (cell % SQUARES);
                    any |= 1;
                });
            }
        }
        half.unwon.any[slot] = any != 0;
    }

    /// The placements of the last piece beside the others of a word.
    #[inline(always)]
    fn placements(&self, word: usize, blocked: u64) -> u64 {
        if self.axes == 0 {
            return 1;
        }
        let mut taken = blocked;
        let mut rest = word;
        let mut free = true;
        for _ in 1..self.axes {
            let square = 1 << (rest % SQUARES);
            free &= taken & square == 0;
            taken |= square;
            rest /= SQUARES;
        }
        if free { !taken } else { 0 }
    }

    /// The cells of a slot in which pieces of `color` attack the other king.
    #[inline(always)]
    fn attacks<S: Simd>(&self, simd: S, color: Color, slot: usize, into: &mut [u64]) {
        let king = self.pairs.pair(slot)[!color as usize];
        let pawns = self.fibre.pawns()[color as usize];
        if pawns & pawn_captures(!color, king) != 0 {
            into.fill(!0);
            return;
        }
        into.fill(0);
        // What is taken, if the king could be taken.
        let axes_of = || self.fibre.axes_of(color);
        let target = |word: usize| {
            let on_king = |axis: usize| {
                word >> (6 * (self.axes - 2 - axis)) & (SQUARES - 1) == usize::from(king)
            };
            match axes_of().any(|axis| axis + 1 < self.axes && on_king(axis)) {
                true => !0,
                false if axes_of().any(|axis| axis + 1 == self.axes) => 1 << king,
                false => 0,
            }
        };
        let targets: Vec<u64> = (0..self.words).map(target).collect();
        self.reach_by_pieces(simd, color, slot, &targets, into);
    }

    /// Adds the cells of a slot from which a piece of `mover` can move to one of `from`.
    #[inline(always)]
    fn reach_by_pieces<S: Simd>(
        &self,
        simd: S,
        mover: Color,
        slot: usize,
        from: &[u64],
        into: &mut [u64],
    ) {
        let (axes, blocked) = (self.axes, self.blocked(slot));
        for axis in self.fibre.axes_of(mover) {
            let kind = self.fibre.pieces()[axis].kind;
            simd.work(Reach { kind, axis, axes, blocked, from, into });
        }
    }

    /// The cells of a slot from which `mover` can move to one of `from`. Returns whether there can
    /// be any.
    #[inline(always)]
    fn reach<S: Simd>(
        &self,
        simd: S,
        mover: Color,
        slot: usize,
        from: &Cells,
        into: &mut [u64],
    ) -> bool {
        into.fill(0);
        let mut any = from.any[slot];
        for &Link { slot: to, symmetry } in self.pairs.links(mover, slot) {
            let to = usize::from(to);
            if !from.any[to] {
                continue;
            }
            any = true;
            let from = &from.words[self.range(to)];
            if symmetry == Symmetry::IDENTITY {
                into.iter_mut().zip(from).for_each(|(into, from)| *into |= from);
                continue;
            }
            let back = symmetry.inverse();
            let images: [usize; SQUARES] =
                std::array::from_fn(|square| symmetry.square(square as u8).into());
            for (word, into) in into.iter_mut().enumerate() {
                let mut image = 0;
                for axis in 1..self.axes {
                    let shift = 6 * (axis - 1);
                    image |= images[word >> shift & (SQUARES - 1)] << shift;
                }
                let set = from[image];
                *into |= if self.axes == 0 { set } else { back.set(set) };
            }
        }
        if from.any[slot] {
            self.reach_by_pieces(simd, mover, slot, &from.words[self.range(slot)], into);
        }
        any
    }

    /// What is won at a level: where a move leads to a loss of the last one.
    #[inline(always)]
    fn win<S: Simd>(
        &self,
        simd: S,
        half: &mut Half,
        other: &Half,
        slot: usize,
        score: u8,
        room: &mut [u64],
    ) {
        let range = self.range(slot);
        let (reached, _) = room.split_at_mut(self.words);
        let mut any = 0;
        let fresh = &mut half.fresh.words[range.clone()];
        let open = &mut half.open.words[range.clone()];
        let unwon = &mut half.unwon.words[range.clone()];
        fresh.fill(0);
        if half.open.any[slot] {
            if self.reach(simd, half.mover, slot, &other.last, reached) {
                for word in 0..self.words {
                    fresh[word] = reached[word] & open[word];
                }
            }
            if let Some((seeds, pending)) = &mut half.exits {
                seeds.take(simd, slot, score, &mut pending[slot], |word, set| {
                    fresh[word] |= set & open[word];
                });
            }
            let mut left = 0;
            for word in 0..self.words {
                any |= fresh[word];
                open[word] &= !fresh[word];
                left |= open[word];
            }
            half.open.any[slot] = left != 0;
            if any != 0 {
                for (word, &set) in fresh.iter().enumerate() {
                    self.write(&mut half.scores, range.start + word, set, score);
                }
            }
        }
        let kings = self.pairs.pair(slot);
        for (holes, pending) in &mut half.holes {
            let holes = &*holes;
            holes.seeds.take(simd, slot, score, &mut pending[slot], |block, set| {
                any |= set;
                holes.cells(self.axes, kings, block, set, |cell| {
                    fresh[cell / SQUARES] |= 1 << (cell % SQUARES);
                });
            });
        }
        if any != 0 {
            for word in 0..self.words {
                unwon[word] &= !fresh[word];
            }
        }
        half.fresh.any[slot] = any != 0;
    }

    /// What is lost at a level: where a move leads to a win of the last one, or at first what is
    /// in check, and none leads elsewhere.
    #[inline(always)]
    fn lose<S: Simd>(
        &self,
        simd: S,
        half: &mut Half,
        other: &Half,
        slot: usize,
        score: u8,
        room: &mut [u64],
    ) {
        let range = self.range(slot);
        let (candidates, reached) = room.split_at_mut(self.words);
        let fresh = &mut half.fresh.words[range.clone()];
        let open = &mut half.open.words[range.clone()];
        fresh.fill(0);
        let mut any = 0;
        if half.open.any[slot] {
            if score == score::LOSS {
                candidates.copy_from_slice(&half.last.words[range.clone()]);
            } else {
                self.reach(simd, half.mover, slot, &other.last, candidates);
            }
            if let Some((seeds, pending)) = &mut half.exits {
                let saved = &mut half.saved.as_mut().expect("with exits").words[range.clone()];
                seeds.take(simd, slot, score, &mut pending[slot], |word, set| {
                    candidates[word] |= set;
                    saved[word] &= !set;
                });
                for word in 0..self.words {
                    candidates[word] &= !saved[word];
                }
            }
            let mut some = 0;
            for word in 0..self.words {
                candidates[word] &= open[word];
                some |= candidates[word];
            }
            if some != 0 {
                self.reach(simd, half.mover, slot, &other.unwon, reached);
                for word in 0..self.words {
                    fresh[word] = candidates[word] & !reached[word];
                    any |= fresh[word];
                    open[word] &= !fresh[word];
                }
            }
            if any != 0 {
                for (word, &set) in fresh.iter().enumerate() {
                    self.write(&mut half.scores, range.start + word, set, score);
                }
            }
        }
        let kings = self.pairs.pair(slot);
        for (holes, pending) in &mut half.holes {
            let holes = &*holes;
            holes.seeds.take(simd, slot, score, &mut pending[slot], |block, set| {
                any |= set;
                holes.cells(self.axes, kings, block, set, |cell| {
                    fresh[cell / SQUARES] |= 1 << (cell % SQUARES);
                });
            });
        }
        half.fresh.any[slot] = any != 0;
    }

    /// Gives the cells of a word this score.
    #[inline(always)]
    fn write(&self, scores: &mut [u8], word: usize, set: u64, score: u8) {
        if self.axes == 0 {
            if set != 0 {
                scores[word] = score;
            }
            return;
        }
        for bit in squares(set) {
            scores[word * SQUARES + usize::from(bit)] = score;
        }
    }
}
