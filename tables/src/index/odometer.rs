use super::combinatorics::next;
use super::shape::Indexable;
use super::slice::{Lead, RankedSlice, RankedStep, taken};
use crate::processor::{Baseline, Processor};
use damka_games::{Pieces, SquareSet};

/// Iterates over the placements of a slice that share a lead.
#[derive(Default)]
pub(super) struct Odometer<'a> {
    /// One for each step that does not lead.
    wheels: Vec<Wheel<'a>>,
    /// How many times it can still advance.
    remaining: u64,
    pieces: Pieces,
}

/// A step of a placement.
struct Wheel<'a> {
    step: &'a RankedStep,
    /// The set among the places that earlier steps left free, and its squares.
    set: u64,
    squares: u64,
    /// The squares occupied by earlier steps, and the places that these have taken.
    occupied: u64,
    holes: u64,
}

impl<'a> Odometer<'a> {
    /// Starts at the placement with this lead and this rank of the other steps.
    pub(super) fn new<G: Indexable>(
        slice: &'a RankedSlice,
        lead: Lead,
        mut rank: u64,
    ) -> Odometer<'a> {
        let remaining = slice.rest - rank - 1;
        let mut divisor = slice.rest;
        let mut pieces = Pieces::default();
        let mut occupied = taken(lead);
        slice.place_lead(lead, &mut pieces);
        let wheels = slice.others().iter().map(|step| {
            divisor /= step.placements;
            let set = step.unrank_set(rank / divisor);
            rank %= divisor;
            let holes = step.holes::<G>(occupied);
            let squares = step.place::<G>(Baseline, set, holes);
            let wheel = Wheel { step, set, squares, occupied, holes };
            occupied |= squares;
            *step.of_mut(&mut pieces) |= SquareSet::new(squares);
            wheel
        });
        Odometer { wheels: wheels.collect(), remaining, pieces }
    }

    /// An odometer at the same placement that cannot advance.
    pub(super) fn stopped(self) -> Odometer<'a> {
        Odometer { remaining: 0, ..self }
    }

    /// The current placement.
    #[inline]
    pub(super) fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Advances to the next number. Returns false if that number must be looked up instead.
    #[inline(always)]
    pub(super) fn advance<G: Indexable>(&mut self, processor: impl Processor) -> bool {
        if self.remaining == 0 {
            return false;
        }
        self.remaining -= 1;
        let mut turned = self.wheels.len();
        while turned > 0 {
            turned -= 1;
            let Wheel { step, set, .. } = &mut self.wheels[turned];
            if let Some(next) = next(*set, step.places.into()) {
                *set = next;
                break;
            }
            *set = (1 << step.count) - 1;
        }
        let (wheel, later) = self.wheels[turned..].split_first_mut().expect("a wheel turned");
        let mut occupied = wheel.turn::<G>(processor, &mut self.pieces);
        for wheel in &mut *later {
            wheel.occupied = occupied;
            wheel.holes = wheel.step.holes::<G>(occupied);
            occupied = wheel.turn::<G>(processor, &mut self.pieces);
        }
        // Later wheels, leaving their old squares, may have removed like pieces that earlier wheels
        // had just placed there.
        if !later.is_empty() {
            for wheel in &self.wheels[turned..] {
                *wheel.step.of_mut(&mut self.pieces) |= SquareSet::new(wheel.squares);
            }
        }
        true
    }
}

impl Wheel<'_> {
    /// Moves its pieces to the squares of the set. Returns all squares that are then occupied up to
    /// this step.
    #[inline(always)]
    fn turn<G: Indexable>(&mut self, processor: impl Processor, pieces: &mut Pieces) -> u64 {
        let squares = self.step.place::<G>(processor, self.set, self.holes);
        let of_kind = self.step.of_mut(pieces);
        *of_kind = SquareSet::new(of_kind.bits() & !self.squares | squares);
        self.squares = squares;
        self.occupied | squares
    }
}
