//! Solves a fibre level by level, a level being a distance in plies.

use super::agenda::Agenda;
use super::board::{SQUARES, squares};
use super::fibre::{Fibre, Solved};
use super::holes::Holes;
use super::moves::{Attacks, Moves};
use super::pawns::PawnMove;
use super::seeds::{Pending, Seeds};
use super::world::{Cells, Front, World};
use crate::Stop;
use crate::parallel;
use crate::solve::instructions::{Instructions, with_processor};
use crate::solve::score::{self, DRAW, NONE, SLOWEST_LOSS};
use damka_games::Color;
use damka_tables::processor::{Processor, Work};

/// The state of the positions with one side to move that the other side's levels read.
#[derive(Debug)]
struct SharedState {
    /// Positions and holes that are not known to be won for the side to move.
    unwon: Cells,
    /// Positions and holes decided at the last level. Before the first level: positions in check.
    last: Front,
}

/// The positions of a fibre with one side to move.
#[derive(Debug)]
struct Half {
    mover: Color,
    /// Positions that are not decided.
    open: Cells,
    /// Positions and holes decided at this level.
    fresh: Front,
    /// Positions with a pawn move that is not known to lose.
    saved: Option<Cells>,
    exits: Option<(Seeds, Vec<Pending>)>,
    /// The slots and cells whose best exit is a loss in [`SLOWEST_LOSS`] plies, for which `exits`
    /// has the score of a draw.
    unscored_losses: Vec<(usize, usize)>,
    holes: Vec<(Holes, Vec<Pending>)>,
    agenda: Agenda,
    scores: Vec<u8>,
    /// Buffer for three sets of cells of a slot.
    buffer: Vec<u64>,
    /// The slots to process at this level, and by slot whether it is one of them.
    candidates: Vec<u16>,
    is_candidate: Vec<bool>,
}

/// Initialization of a slot.
struct Initialize<'a, 'b> {
    world: &'a World<'a>,
    half: &'b mut Half,
    shared: &'b mut SharedState,
    slot: usize,
}

impl Work for Initialize<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) {
        self.world.initialize(processor, self.half, self.shared, self.slot);
    }
}

/// The wins of a slot at a level.
struct Wins<'a, 'b> {
    world: &'a World<'a>,
    half: &'b mut Half,
    unwon: &'b mut Cells,
    /// The positions that the other side lost at the last level.
    lost: &'b Cells,
    slot: usize,
    score: u8,
}

impl Work for Wins<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) {
        self.world.win(processor, self);
    }
}

/// The losses of a slot at a level.
struct Losses<'a, 'b> {
    world: &'a World<'a>,
    half: &'b mut Half,
    /// The positions in check; used at the first level.
    checked: &'b Cells,
    other: &'b SharedState,
    slot: usize,
    score: u8,
}

impl Work for Losses<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) {
        self.world.lose(processor, self);
    }
}

/// The scores of a fibre.
#[derive(Debug)]
pub(super) struct Scores {
    /// By side to move.
    pub(super) sides: [Vec<u8>; 2],
    /// The positions lost in [`SLOWEST_LOSS`] plies, whose score is that of a draw.
    pub(super) slowest: Vec<Slowest>,
}

/// A position that is lost in [`SLOWEST_LOSS`] plies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slowest {
    pub(super) mover: Color,
    pub(super) slot: usize,
    pub(super) cell: usize,
}

/// Solves a fibre; all fibres that it leads to must be in `solved`.
///
/// # Errors
/// Fails if a distance does not fit into a score, or a stop is requested.
pub(super) fn solve(
    instructions: Instructions,
    stop: &Stop,
    fibre: &Fibre,
    solved: &impl Solved,
) -> Result<Scores, Unsolved> {
    let world = World::new(fibre);
    let halves = Color::BOTH.map(|mover| Half::new(&world, mover, solved));
    with_processor!(instructions, processor => world.solve(processor, stop, halves))
}

/// Why a fibre was not solved.
#[derive(Debug)]
pub(super) enum Unsolved {
    /// A distance does not fit into a score.
    TooLong,
    /// A stop was requested.
    Interrupted,
}

impl Half {
    fn new(world: &World<'_>, mover: Color, solved: &impl Solved) -> Half {
        let slots = world.pairs.len();
        let holes = Holes::of(world.fibre, mover, solved).into_iter().map(|holes| {
            let pending = holes.seeds.pending();
            (holes, pending)
        });
        let holes: Vec<(Holes, Vec<Pending>)> = holes.collect();
        let exits = PawnMove::exits(world.fibre, mover, solved);
        let (exits, unscored_losses) =
            exits.map(|exits| (exits.seeds, exits.unscored_losses)).unzip();
        let exits = exits.map(|seeds: Seeds| {
            let pending = seeds.pending();
            (seeds, pending)
        });
        let sources = holes.iter().map(|(_, pending)| &pending[..]);
        let agenda = Agenda::new(sources.chain(exits.iter().map(|(_, pending)| &pending[..])));
        Half {
            mover,
            open: Cells::new(world),
            fresh: Front::new(world),
            saved: exits.is_some().then(|| Cells::new(world)),
            exits,
            unscored_losses: unscored_losses.unwrap_or_default(),
            holes,
            agenda,
            scores: vec![NONE; slots * world.fibre.cells()],
            buffer: vec![0; 3 * world.words],
            candidates: Vec::new(),
            is_candidate: vec![false; slots],
        }
    }

    /// Whether an exit or a hole of a slot has this score.
    #[inline(always)]
    fn is_due(&self, slot: usize, score: u8) -> bool {
        let holes = self.holes.iter().map(|(_, pending)| pending);
        let mut all = holes.chain(self.exits.iter().map(|(_, pending)| pending));
        all.any(|pending| pending[slot].is_due(score))
    }

    /// Finds the slots in which this score may be assigned: those where it is due, those from which
    /// a move leads to one of `reached`, and those in `first`.
    fn find_candidates(&mut self, world: &World<'_>, score: u8, reached: &[u16], first: &[u16]) {
        let Half { mover, agenda, candidates, is_candidate, .. } = self;
        candidates.drain(..).for_each(|slot| is_candidate[usize::from(slot)] = false);
        let mut add = |slot: u16| {
            if !std::mem::replace(&mut is_candidate[usize::from(slot)], true) {
                candidates.push(slot);
            }
        };
        agenda.take(score).into_iter().for_each(&mut add);
        first.iter().copied().for_each(&mut add);
        for &slot in reached {
            add(slot);
            // King moves are reversible, so links also lead to predecessors.
            world.pairs.links(*mover, slot.into()).iter().for_each(|link| add(link.slot));
        }
        candidates.sort_unstable();
    }
}

impl World<'_> {
    fn solve<P: Processor>(
        &self,
        processor: P,
        stop: &Stop,
        halves: [Half; 2],
    ) -> Result<Scores, Unsolved> {
        let [mut white, mut black] = halves;
        let shared = || SharedState { unwon: Cells::new(self), last: Front::new(self) };
        let (mut white_shared, mut black_shared) = (shared(), shared());
        self.both(
            || self.initialize_all(processor, &mut white, &mut white_shared),
            || self.initialize_all(processor, &mut black, &mut black_shared),
        );
        let mut slowest = Vec::new();
        let mut plies = 0;
        loop {
            if stop.is_requested() {
                return Err(Unsolved::Interrupted);
            }
            let score = score::decided(plies);
            if plies.is_multiple_of(2) {
                self.both(
                    || self.lose_all(processor, score, &mut white, &white_shared, &black_shared),
                    || self.lose_all(processor, score, &mut black, &black_shared, &white_shared),
                );
            } else {
                let (white_unwon, black_unwon) = (&mut white_shared.unwon, &mut black_shared.unwon);
                let (white_last, black_last) = (&white_shared.last, &black_shared.last);
                self.both(
                    || self.win_all(processor, score, &mut white, white_unwon, black_last),
                    || self.win_all(processor, score, &mut black, black_unwon, white_last),
                );
            }
            let mut continues = false;
            for (half, shared) in [(&mut white, &mut white_shared), (&mut black, &mut black_shared)]
            {
                std::mem::swap(&mut shared.last, &mut half.fresh);
                half.fresh.clear();
                continues |= !shared.last.slots.is_empty() || !half.agenda.is_empty();
                continues |= !half.unscored_losses.is_empty() && plies < SLOWEST_LOSS;
                if plies == SLOWEST_LOSS {
                    slowest.extend(self.positions(half.mover, &shared.last));
                }
            }
            if !continues {
                break;
            }
            if plies > SLOWEST_LOSS {
                return Err(Unsolved::TooLong);
            }
            plies += 1;
        }
        let sides = [white, black].map(|mut half| {
            for (word, &open) in half.open.words.iter().enumerate() {
                self.write(&mut half.scores, word, open, DRAW);
            }
            half.scores
        });
        Ok(Scores { sides, slowest })
    }

    /// The positions of a front.
    fn positions(&self, mover: Color, front: &Front) -> impl Iterator<Item = Slowest> {
        front.slots.iter().flat_map(move |&slot| {
            let slot = usize::from(slot);
            let words = front.cells.words[self.range(slot)].iter().enumerate();
            words.flat_map(move |(word, &set)| {
                squares(set).map(move |bit| {
                    let cell = SQUARES * word + usize::from(bit);
                    Slowest { mover, slot, cell }
                })
            })
        })
    }

    /// Runs the work of both sides, in parallel if the fibre is large.
    fn both(&self, white: impl FnOnce() + Send, black: impl FnOnce() + Send) {
        if self.words < SQUARES {
            white();
            black();
        } else {
            parallel::join(white, black);
        }
    }

    fn initialize_all<P: Processor>(
        &self,
        processor: P,
        half: &mut Half,
        shared: &mut SharedState,
    ) {
        (0..self.pairs.len())
            .for_each(|slot| processor.run(Initialize { world: self, half, shared, slot }));
    }

    /// Processes the losses of one side at a level.
    fn lose_all<P: Processor>(
        &self,
        processor: P,
        score: u8,
        half: &mut Half,
        own: &SharedState,
        other: &SharedState,
    ) {
        let unscored_losses = half.unscored_losses.iter().filter(|_| is_slowest(score));
        let unscored_losses: Vec<u16> = unscored_losses.map(|&(slot, _)| slot as u16).collect();
        let first = if score == score::LOSS { &own.last.slots[..] } else { &unscored_losses };
        // The positions in check are not successors; at the first level nothing has been reached.
        let reached = if score == score::LOSS { &[][..] } else { &other.last.slots };
        half.find_candidates(self, score, reached, first);
        for slot in std::mem::take(&mut half.candidates) {
            let (checked, slot) = (&own.last.cells, usize::from(slot));
            processor.run(Losses { world: self, half, checked, other, slot, score });
            half.candidates.push(slot as u16);
        }
    }

    /// Processes the wins of one side at a level.
    fn win_all<P: Processor>(
        &self,
        processor: P,
        score: u8,
        half: &mut Half,
        unwon: &mut Cells,
        other: &Front,
    ) {
        half.find_candidates(self, score, &other.slots, &[]);
        for slot in std::mem::take(&mut half.candidates) {
            let (lost, slot) = (&other.cells, usize::from(slot));
            processor.run(Wins { world: self, half, unwon, lost, slot, score });
            half.candidates.push(slot as u16);
        }
    }

    /// Initializes a slot: finds its legal positions, which of these are in check (stored in
    /// `shared.last`, which the first level reads), and its holes.
    #[inline(always)]
    fn initialize<P: Processor>(
        &self,
        processor: P,
        half: &mut Half,
        shared: &mut SharedState,
        slot: usize,
    ) {
        let [illegal, checked, buffer] = sets(self.words, &mut half.buffer);
        processor.run(Attacks { world: self, color: half.mover, slot, into: illegal, buffer });
        processor.run(Attacks { world: self, color: !half.mover, slot, into: checked, buffer });
        let range = self.range(slot);
        let blocked = self.blocked(slot);
        let kings = self.pairs.pair(slot);
        let stands = self.kings_stand(slot);
        let open = &mut half.open.words[range.clone()];
        let unwon = &mut shared.unwon.words[range.clone()];
        let first = &mut shared.last.cells.words[range.clone()];
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
        if any_checked != 0 {
            shared.last.add(slot);
        }
        for (holes, _) in &half.holes {
            for (block, scores) in holes.seeds.slot(slot).chunks(SQUARES).enumerate() {
                holes.cells(self.axes, kings, block, present(scores), |cell| {
                    unwon[cell / SQUARES] |= 1 << (cell % SQUARES);
                    any |= 1;
                });
            }
        }
        shared.unwon.any[slot] = any != 0;
    }

    /// Finds the wins of a level: positions with a move to a loss of the last level.
    #[inline(always)]
    fn win<P: Processor>(&self, processor: P, work: Wins<'_, '_>) {
        let Wins { half, unwon, lost: from, slot, score, .. } = work;
        let range = self.range(slot);
        let is_due = half.is_due(slot, score);
        let [reached, ..] = sets(self.words, &mut half.buffer);
        let mut any = 0;
        let fresh = &mut half.fresh.cells.words[range.clone()];
        let open = &mut half.open.words[range.clone()];
        let unwon = &mut unwon.words[range.clone()];
        let moves =
            Moves { world: self, mover: half.mover, slot, from, wanted: open, into: reached };
        let is_reached = half.open.any[slot] && processor.run(moves);
        if is_reached {
            for word in 0..self.words {
                fresh[word] = reached[word] & open[word];
                any |= fresh[word];
            }
        } else if is_due {
            fresh.fill(0);
        }
        if is_reached || is_due {
            if let Some((seeds, pending)) = &half.exits
                && pending[slot].is_due(score)
            {
                seeds.find(processor, slot, score, |word, set| {
                    fresh[word] |= set & open[word];
                    any |= fresh[word];
                });
            }
            if any != 0 {
                half.open.any[slot] =
                    self.settle(fresh, open, &mut half.scores, range.start, score);
            }
        }
        any |= self.add_holes(processor, &half.holes, fresh, slot, score);
        if any != 0 {
            for word in 0..self.words {
                unwon[word] &= !fresh[word];
            }
            half.fresh.add(slot);
        }
    }

    /// Finds the losses of a level: positions with a move to a win of the last level (at the first
    /// level: positions in check) whose moves all lead to wins.
    #[inline(always)]
    fn lose<P: Processor>(&self, processor: P, work: Losses<'_, '_>) {
        let Losses { half, checked, other, slot, score, .. } = work;
        let range = self.range(slot);
        let is_due = half.is_due(slot, score);
        let [candidates, reached, _] = sets(self.words, &mut half.buffer);
        let fresh = &mut half.fresh.cells.words[range.clone()];
        let open = &mut half.open.words[range.clone()];
        let mut any = 0;
        if half.open.any[slot] {
            let (world, mover) = (self, half.mover);
            let mut has_candidates = if score == score::LOSS {
                candidates.copy_from_slice(&checked.words[range.clone()]);
                checked.any[slot]
            } else {
                let from = &other.last.cells;
                processor.run(Moves { world, mover, slot, from, wanted: open, into: candidates })
            };
            if let Some((seeds, pending)) = &half.exits {
                let saved = &mut half.saved.as_mut().expect("with exits").words[range.clone()];
                if !has_candidates {
                    candidates.fill(0);
                }
                if pending[slot].is_due(score) {
                    seeds.find(processor, slot, score, |word, set| {
                        has_candidates = true;
                        candidates[word] |= set;
                        saved[word] &= !set;
                    });
                }
                let unscored_losses = half.unscored_losses.iter().filter(|_| is_slowest(score));
                for &(_, cell) in unscored_losses.filter(|&&(of, _)| of == slot) {
                    has_candidates = true;
                    candidates[cell / SQUARES] |= 1 << (cell % SQUARES);
                    saved[cell / SQUARES] &= !(1 << (cell % SQUARES));
                }
                for word in 0..self.words {
                    candidates[word] &= !saved[word];
                }
            }
            if has_candidates {
                let mut all = 0;
                for word in 0..self.words {
                    candidates[word] &= open[word];
                    all |= candidates[word];
                }
                has_candidates = all != 0;
            }
            if has_candidates {
                let (from, wanted) = (&other.unwon, &*candidates);
                match processor.run(Moves { world, mover, slot, from, wanted, into: reached }) {
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
                half.open.any[slot] =
                    self.settle(fresh, open, &mut half.scores, range.start, score);
            }
        } else if is_due {
            fresh.fill(0);
        }
        any |= self.add_holes(processor, &half.holes, fresh, slot, score);
        if any != 0 {
            half.fresh.add(slot);
        }
    }

    /// Assigns the score to the newly decided positions of a slot. Returns whether open positions
    /// remain.
    #[inline(always)]
    fn settle(
        &self,
        fresh: &[u64],
        open: &mut [u64],
        scores: &mut [u8],
        start: usize,
        score: u8,
    ) -> bool {
        let mut left = 0;
        for (word, &set) in fresh.iter().enumerate() {
            open[word] &= !set;
            left |= open[word];
            if set != 0 {
                self.write(scores, start + word, set, score);
            }
        }
        left != 0
    }

    /// Adds the holes of a slot that have this score. Returns a set that is non-empty if there are
    /// any.
    #[inline(always)]
    fn add_holes<P: Processor>(
        &self,
        processor: P,
        holes: &[(Holes, Vec<Pending>)],
        fresh: &mut [u64],
        slot: usize,
        score: u8,
    ) -> u64 {
        let kings = self.pairs.pair(slot);
        let mut any = 0;
        for (holes, pending) in holes {
            if pending[slot].is_due(score) {
                holes.seeds.find(processor, slot, score, |block, set| {
                    any |= set;
                    holes.cells(self.axes, kings, block, set, |cell| {
                        fresh[cell / SQUARES] |= 1 << (cell % SQUARES);
                    });
                });
            }
        }
        any
    }
}

/// Whether this is the level of [`SLOWEST_LOSS`], the only level of losses whose score equals that
/// of a draw.
#[inline(always)]
fn is_slowest(score: u8) -> bool {
    score == DRAW
}

/// Splits a buffer into three sets of cells of a slot.
#[inline(always)]
fn sets(words: usize, buffer: &mut [u64]) -> [&mut [u64]; 3] {
    let (first, rest) = buffer.split_at_mut(words);
    let (second, third) = rest.split_at_mut(words);
    [first, second, third]
}

/// The set of scores, of up to 64, that are not NONE.
#[inline(always)]
fn present(scores: &[u8]) -> u64 {
    let bits = scores.iter().enumerate().map(|(i, &score)| u64::from(score != NONE) << i);
    bits.fold(0, |set, bit| set | bit)
}
