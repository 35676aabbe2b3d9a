//! The levels of a fibre.

use super::board::SQUARES;
use super::fibre::{Fibre, Frame, Solved};
use super::holes::Holes;
use super::moves::{Attacks, Moves};
use super::pawns::PawnMove;
use super::seeds::{Pending, Seeds};
use super::world::{Cells, World};
use crate::solve::score::{self, DRAW, LONGEST, NONE};
use crate::solve::simd::{Instructions, Simd, Work, with_simd};
use damka_games::Color;

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
pub(super) fn solve(
    instructions: Instructions,
    fibre: &Fibre,
    solved: &impl Solved,
) -> Result<Frame, TooLong> {
    let world = World::new(fibre);
    let mut halves = Color::BOTH.map(|mover| Half::new(&world, mover, solved));
    with_simd!(instructions, simd => world.solve(simd, &mut halves))?;
    Ok(Frame { fibre: fibre.clone(), scores: halves.map(|half| half.scores) })
}

/// Too long a distance.
#[derive(Debug)]
pub(super) struct TooLong;

impl Half {
    fn new(world: &World<'_>, mover: Color, solved: &impl Solved) -> Half {
        let slots = world.pairs.len();
        let cells = || Cells::new(world);
        let holes = Holes::of(world.fibre, mover, solved).into_iter().map(|holes| {
            let pending = holes.seeds.pending();
            (holes, pending)
        });
        let exits = PawnMove::exits(world.fibre, mover, solved).map(|exits| {
            let pending = exits.pending();
            (exits, pending)
        });
        Half {
            mover,
            open: cells(),
            unwon: cells(),
            last: cells(),
            fresh: cells(),
            saved: exits.is_some().then(cells),
            exits,
            holes: holes.collect(),
            scores: vec![NONE; slots * world.fibre.cells()],
        }
    }

    /// Whether something known beforehand of a slot has this score.
    #[inline(always)]
    fn is_due(&self, slot: usize, score: u8) -> bool {
        let holes = self.holes.iter().map(|(_, pending)| pending);
        let mut all = holes.chain(self.exits.iter().map(|(_, pending)| pending));
        all.any(|pending| pending[slot].is_due(score))
    }

    /// Whether anything is left to take, or was decided at the last level.
    fn goes_on(&self) -> bool {
        let holes = self.holes.iter().flat_map(|(_, pending)| pending);
        // Where all is decided exits are not asked for.
        let exits = self.exits.iter().flat_map(|(_, pending)| pending.iter().zip(&self.open.any));
        let exits = exits.filter(|&(_, &open)| open).map(|(pending, _)| pending);
        self.last.any.contains(&true) || holes.chain(exits).any(|pending| !pending.is_empty())
    }
}

impl World<'_> {
    fn solve<S: Simd>(&self, simd: S, halves: &mut [Half; 2]) -> Result<(), TooLong> {
        let mut room = vec![0; 3 * self.words];
        let room = &mut room[..];
        for half in halves.iter_mut() {
            for slot in 0..self.pairs.len() {
                simd.work(Survey { world: self, half, slot, room });
            }
        }
        let [white, black] = halves;
        let mut plies = 0;
        loop {
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
    fn level<S: Simd>(&self, simd: S, plies: u16, half: &mut Half, other: &Half, room: &mut [u64]) {
        for slot in 0..self.pairs.len() {
            simd.work(Level { world: self, half, other, slot, plies, room });
        }
    }

    /// Room for three sets of cells of a slot.
    #[inline(always)]
    fn sets<'r>(&self, room: &'r mut [u64]) -> [&'r mut [u64]; 3] {
        let (first, rest) = room.split_at_mut(self.words);
        let (second, third) = rest.split_at_mut(self.words);
        [first, second, third]
    }

    /// Finds out which cells of a slot are positions, which of these are in check (left where
    /// what is decided first is looked for), and which holes there are.
    #[inline(always)]
    fn survey<S: Simd>(&self, simd: S, half: &mut Half, slot: usize, room: &mut [u64]) {
        let [illegal, checked, room] = self.sets(room);
        simd.work(Attacks { world: self, color: half.mover, slot, into: illegal, room });
        simd.work(Attacks { world: self, color: !half.mover, slot, into: checked, room });
        let range = self.range(slot);
        let blocked = self.blocked(slot);
        let kings = self.pairs.pair(slot);
        let stands = self.kings_stand(slot);
        let open = &mut half.open.words[range.clone()];
        let unwon = &mut half.unwon.words[range.clone()];
        let first = &mut half.last.words[range.clone()];
        let (mut any, mut any_checked) = (0, 0);
        for word in 0..if stands { self.words } else { 0 } {
            open[word] = self.placements(word, blocked) & !illegal[word];
            unwon[word] = open[word];
            first[word] = open[word] & checked[word];
            any |= open[word];
            any_checked |= first[word];
        }
        if let (Some((exits, _)), Some(saved)) = (&half.exits, &mut half.saved) {
            let saved = &mut saved.words[range];
            for (saved, scores) in saved.iter_mut().zip(exits.slot(slot).chunks(SQUARES)) {
                *saved = present(scores);
            }
        }
        half.open.any[slot] = any != 0;
        half.last.any[slot] = any_checked != 0;
        for (holes, _) in &half.holes {
            for (block, scores) in holes.seeds.slot(slot).chunks(SQUARES).enumerate() {
                holes.cells(self.axes, kings, block, present(scores), |cell| {
                    unwon[cell / SQUARES] |= 1 << (cell % SQUARES);
                    any |= 1;
                });
            }
        }
        half.unwon.any[slot] = any != 0;
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
        let [reached, ..] = self.sets(room);
        let is_due = half.is_due(slot, score);
        let mut any = 0;
        let fresh = &mut half.fresh.words[range.clone()];
        let open = &mut half.open.words[range.clone()];
        let unwon = &mut half.unwon.words[range.clone()];
        let (mover, from) = (half.mover, &other.last);
        let moves = Moves { world: self, mover, slot, from, wanted: open, into: reached };
        let is_reached = half.open.any[slot] && simd.work(moves);
        if is_reached {
            for word in 0..self.words {
                fresh[word] = reached[word] & open[word];
                any |= fresh[word];
            }
        } else if is_due {
            fresh.fill(0);
        }
        if is_reached || is_due {
            if let Some((seeds, pending)) = &mut half.exits {
                seeds.take(simd, slot, score, &mut pending[slot], |word, set| {
                    fresh[word] |= set & open[word];
                    any |= fresh[word];
                });
            }
            if any != 0 {
                let mut left = 0;
                for (word, &set) in fresh.iter().enumerate() {
                    open[word] &= !set;
                    left |= open[word];
                    if set != 0 {
                        self.write(&mut half.scores, range.start + word, set, score);
                    }
                }
                half.open.any[slot] = left != 0;
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
        let [candidates, reached, _] = self.sets(room);
        let is_due = half.is_due(slot, score);
        let fresh = &mut half.fresh.words[range.clone()];
        let open = &mut half.open.words[range.clone()];
        let mut any = 0;
        if half.open.any[slot] {
            let (world, mover) = (self, half.mover);
            let mut some = if score == score::LOSS {
                candidates.copy_from_slice(&half.last.words[range.clone()]);
                half.last.any[slot]
            } else {
                let from = &other.last;
                simd.work(Moves { world, mover, slot, from, wanted: open, into: candidates })
            };
            if let Some((seeds, pending)) = &mut half.exits {
                let saved = &mut half.saved.as_mut().expect("with exits").words[range.clone()];
                if !some {
                    candidates.fill(0);
                }
                seeds.take(simd, slot, score, &mut pending[slot], |word, set| {
                    some = true;
                    candidates[word] |= set;
                    saved[word] &= !set;
                });
                for word in 0..self.words {
                    candidates[word] &= !saved[word];
                }
            }
            if some {
                let mut all = 0;
                for word in 0..self.words {
                    candidates[word] &= open[word];
                    all |= candidates[word];
                }
                some = all != 0;
            }
            if some {
                let (from, wanted) = (&other.unwon, &*candidates);
                match simd.work(Moves { world, mover, slot, from, wanted, into: reached }) {
                    true => (0..self.words).for_each(|word| {
                        fresh[word] = candidates[word] & !reached[word];
                        any |= fresh[word];
                    }),
                    false => {
                        fresh.copy_from_slice(candidates);
                        any = 1;
                    }
                }
            } else if is_due {
                fresh.fill(0);
            }
            if any != 0 {
                let mut left = 0;
                for (word, &set) in fresh.iter().enumerate() {
                    open[word] &= !set;
                    left |= open[word];
                    if set != 0 {
                        self.write(&mut half.scores, range.start + word, set, score);
                    }
                }
                half.open.any[slot] = left != 0;
            }
        } else if is_due {
            fresh.fill(0);
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
}

/// Which of up to 64 scores there are.
#[inline(always)]
fn present(scores: &[u8]) -> u64 {
    let bits = scores.iter().enumerate().map(|(i, &score)| u64::from(score != NONE) << i);
    bits.fold(0, |set, bit| set | bit)
}
