use super::combinatorics::next;
use super::shape::Indexable;
use super::slice::{Lead, RankedSlice, RankedStep, taken};
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
    /// The squares occupied by earlier steps.
    occupied: u64,
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
            let squares = step.expand::<G>(set, occupied);
            let wheel = Wheel { step, set, squares, occupied };
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
    #[inline]
    pub(super) fn advance<G: Indexable>(&mut self) -> bool {
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
        let mut occupied = self.wheels[turned].occupied;
        for wheel in &mut self.wheels[turned..] {
            let squares = wheel.step.expand::<G>(wheel.set, occupied);
            *wheel.step.of_mut(&mut self.pieces) ^= SquareSet::new(wheel.squares);
            wheel.squares = squares;
            wheel.occupied = occupied;
            occupied |= squares;
        }
        for wheel in &self.wheels[turned..] {
            *wheel.step.of_mut(&mut self.pieces) |= SquareSet::new(wheel.squares);
        }
        true
    }
}
