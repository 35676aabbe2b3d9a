use super::combinatorics::{choose, rank, unrank};
use super::shape::{Indexable, Slice, Step};
use crate::processor::{Baseline, Processor};
use damka_games::{Color, Kind, Pieces, SquareSet};
use smallvec::SmallVec;
use std::hint::select_unpredictable;

/// A slice whose placements are ranked: a mixed-radix number of the ranks of its steps.
#[derive(Debug)]
pub(super) struct RankedSlice {
    /// The number of placements of all steps that do not lead.
    pub(super) rest: u64,
    /// At least one. Stored inline, so that numbering a position reads little memory.
    pub(super) steps: SmallVec<[RankedStep; 5]>,
    /// Whether the first two steps lead, not just the first.
    is_led_by_two: bool,
}

/// The squares of the leading steps; the second is empty if only one step leads.
pub(super) type Lead = [u64; 2];

/// The squares that a lead occupies.
#[inline]
pub(super) fn taken([first, second]: Lead) -> u64 {
    first | second
}

/// A step with the number of its placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RankedStep {
    /// The squares of the zone, and the first of them.
    pub(super) zone: u64,
    pub(super) start: u8,
    pub(super) color: Color,
    pub(super) kind: Kind,
    pub(super) count: u8,
    /// The number of free squares in the zone.
    pub(super) places: u8,
    /// Whether these are men, which are ranked by their squares, not along the line.
    are_men: bool,
    /// C(places, count).
    pub(super) placements: u64,
}

impl RankedStep {
    /// Computes the number of placements of each step of a slice.
    fn list<G: Indexable>(slice: Slice) -> SmallVec<[RankedStep; 5]> {
        let mut earlier: Vec<Step> = Vec::new();
        let mut list = SmallVec::new();
        for step in slice.into_iter().filter(|step| step.count > 0) {
            let inside = earlier.iter().filter(|other| step.encloses(other));
            let taken: u32 = inside.map(|other| other.count).sum();
            let places = (step.zone.len() as u32).saturating_sub(taken);
            list.push(RankedStep {
                zone: (u64::MAX >> (64 - step.zone.len())) << step.zone.start,
                start: step.zone.start as u8,
                color: step.color,
                kind: step.kind,
                count: step.count as u8,
                places: places as u8,
                are_men: G::MEN.contains(&step.kind),
                placements: choose(places, step.count),
            });
            earlier.push(step);
        }
        list
    }

    /// The step of an index of no pieces, with one empty placement.
    fn empty() -> RankedStep {
        RankedStep {
            zone: 1,
            start: 0,
            color: Color::White,
            kind: Kind::new(0),
            count: 0,
            places: 1,
            are_men: true,
            placements: 1,
        }
    }

    /// The squares of this rank, where earlier steps occupy `occupied`.
    #[inline]
    fn unrank<G: Indexable>(&self, rank: u64, occupied: u64) -> u64 {
        self.place::<G>(Baseline, self.unrank_set(rank), self.holes::<G>(occupied))
    }

    /// The set of this rank among the free places.
    #[inline]
    pub(super) fn unrank_set(&self, rank: u64) -> u64 {
        unrank(rank, self.count.into())
    }

    /// The pieces of this step's colour and kind. May include pieces of other steps.
    #[inline]
    pub(super) fn of(&self, pieces: &Pieces) -> u64 {
        pieces[(self.color, self.kind)].bits()
    }

    /// Like [`of`](RankedStep::of), but mutable.
    #[inline]
    pub(super) fn of_mut<'a>(&self, pieces: &'a mut Pieces) -> &'a mut SquareSet {
        &mut pieces[(self.color, self.kind)]
    }

    /// The places of this step that earlier steps have taken; these occupy the squares `occupied`.
    #[inline(always)]
    pub(super) fn holes<G: Indexable>(&self, occupied: u64) -> u64 {
        let occupied = occupied & self.zone;
        let line = if self.are_men { occupied } else { G::line(occupied) };
        line >> self.start
    }

    /// The squares of a set of the places that are not `holes`.
    #[inline(always)]
    pub(super) fn place<G: Indexable>(
        &self,
        processor: impl Processor,
        set: u64,
        holes: u64,
    ) -> u64 {
        let line = processor.deposit(set, !holes) << self.start;
        if self.are_men { line } else { G::squares(line) }
    }
}

impl RankedSlice {
    pub(super) fn new<G: Indexable>(slice: Slice) -> RankedSlice {
        let mut steps = RankedStep::list::<G>(slice);
        if steps.is_empty() {
            steps.push(RankedStep::empty());
        }
        let is_royal = |step: Option<&RankedStep>| step.is_some_and(|s| Some(s.kind) == G::ROYAL);
        let is_led_by_two = is_royal(steps.first()) && is_royal(steps.get(1));
        let mut slice = RankedSlice { rest: 0, steps, is_led_by_two };
        slice.rest = slice.others().iter().map(|step| step.placements).product();
        slice
    }

    /// The most significant steps: one, or both royal ones.
    #[inline(always)]
    pub(super) fn leads(&self) -> &[RankedStep] {
        &self.steps.as_slice()[..1 + usize::from(self.is_led_by_two)]
    }

    /// All other steps.
    #[inline(always)]
    pub(super) fn others(&self) -> &[RankedStep] {
        &self.steps.as_slice()[1 + usize::from(self.is_led_by_two)..]
    }

    /// The lead of a placement; `placed` gives the squares of each step.
    #[inline(always)]
    pub(super) fn lead(&self, placed: impl Fn(&RankedStep) -> u64) -> Lead {
        let squares = |step: &RankedStep| placed(step) & step.zone;
        match self.leads() {
            [first, second, ..] => [squares(first), squares(second)],
            leads => [squares(&leads[0]), 0],
        }
    }

    /// Adds the leading pieces to `pieces`.
    pub(super) fn place_lead(&self, lead: Lead, pieces: &mut Pieces) {
        for (step, squares) in self.leads().iter().zip(lead) {
            *step.of_mut(pieces) = SquareSet::new(squares);
        }
    }

    /// The number of placements.
    pub(super) fn len(&self) -> u64 {
        self.leads().iter().map(|step| step.placements).product::<u64>() * self.rest
    }

    /// The rank of a placement; `placed` gives the squares of each step.
    #[inline(always)]
    pub(super) fn rank<G: Indexable>(
        &self,
        processor: impl Processor,
        placed: impl Fn(&RankedStep) -> u64,
    ) -> u64 {
        rank_steps::<G>(processor, &self.steps, 0, placed)
    }

    /// The rank of the placement of all steps that do not lead, where the leading ones occupy `taken`.
    /// `placed` gives the squares of each step.
    #[inline(always)]
    pub(super) fn rank_rest<G: Indexable>(
        &self,
        processor: impl Processor,
        taken: u64,
        placed: impl Fn(&RankedStep) -> u64,
    ) -> u64 {
        rank_steps::<G>(processor, self.others(), taken, placed)
    }

    /// The lead of the placement with this rank, and the rank of the other steps.
    #[inline]
    pub(super) fn unrank_lead<G: Indexable>(&self, rank: u64) -> (Lead, u64) {
        let (rank, rest) = (rank / self.rest, rank % self.rest);
        let lead = match self.leads() {
            [first, second, ..] => {
                let own = first.unrank::<G>(rank / second.placements, 0);
                [own, second.unrank::<G>(rank % second.placements, own)]
            }
            leads => [leads[0].unrank::<G>(rank, 0), 0],
        };
        (lead, rest)
    }

    /// The pieces of the placement with this lead and this rank of the other steps.
    #[inline]
    pub(super) fn unrank_rest<G: Indexable>(&self, mut rank: u64, lead: Lead) -> Pieces {
        let mut divisor = self.rest;
        let mut pieces = Pieces::default();
        let mut occupied = taken(lead);
        self.place_lead(lead, &mut pieces);
        for step in self.others() {
            divisor /= step.placements;
            let squares = step.unrank::<G>(rank / divisor, occupied);
            rank %= divisor;
            occupied |= squares;
            *step.of_mut(&mut pieces) |= SquareSet::new(squares);
        }
        pieces
    }
}

/// The rank of the placement of these steps on the squares that are not `taken`; `placed` gives the
/// squares of each step.
#[inline(always)]
fn rank_steps<G: Indexable>(
    processor: impl Processor,
    steps: &[RankedStep],
    taken: u64,
    placed: impl Fn(&RankedStep) -> u64,
) -> u64 {
    let mut occupied = taken;
    let mut occupied_line = G::line(taken);
    let mut number = 0;
    // A plain loop: iterator methods might not be inlined.
    for step in steps {
        let squares = placed(step) & step.zone;
        let line = G::line(squares);
        // Branchless: the kind of step is unpredictable.
        let set = select_unpredictable(step.are_men, squares, line);
        let holes = select_unpredictable(step.are_men, occupied, occupied_line);
        occupied |= squares;
        occupied_line |= line;
        // The line maps the zone onto itself.
        number = number * step.placements + rank(processor.extract(set, step.zone & !holes));
    }
    number
}
