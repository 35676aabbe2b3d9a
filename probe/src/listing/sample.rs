use super::{Cursor, Listed, Listing};
use crate::{ProbeError, Storage};
use damka_games::Random;
use damka_tables::Indexable;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::ops::ControlFlow::{Break, Continue};

/// A random sample, determined by a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of positions.
    pub positions: usize,
    /// The seed.
    pub seed: u64,
}

/// A random access takes as long as scanning this many places.
const SCANNED: u64 = 256;

/// How many random accesses are made between two reports of progress.
const LOOK_UPS: usize = 64;

/// How drawing places ended.
enum Drawn<G: Indexable> {
    Sample(Vec<Listed<G>>),
    /// Scanning all places is faster.
    TooLong,
    /// `progress` has ended the work.
    Ended,
}

impl<G: Indexable, S: Storage> Listing<'_, G, S> {
    /// Draws a uniform sample of the rest of the list, in list order; all positions if there are no
    /// more than that. Calls `progress` every few milliseconds with the number of places done and
    /// in total; `None` if `progress` returns `Break`.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    pub fn sample(
        mut self,
        sample: Sample,
        mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<Vec<Listed<G>>>, ProbeError> {
        let chosen = match self.drawn(sample, &mut progress)? {
            Drawn::Sample(drawn) => Some(drawn),
            Drawn::TooLong => self.kept(sample, &mut progress)?,
            Drawn::Ended => None,
        };
        Ok(chosen.map(|mut chosen| {
            chosen.sort_unstable_by_key(|listed| listed.cursor);
            chosen
        }))
    }

    /// Draws places until enough of them hold positions of the list. If scanning all places is
    /// faster, the draws are discarded, so that the sample stays uniform.
    fn drawn(
        &mut self,
        sample: Sample,
        progress: &mut impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Drawn<G>, ProbeError> {
        let mut random = Random::new(sample.seed);
        let (passed, total) = self.progress();
        let mut left = (total - passed) / SCANNED;
        let (mut chosen, mut seen) = (Vec::new(), HashSet::new());
        while chosen.len() < sample.positions {
            let batch = (sample.positions - chosen.len()) as u64;
            if batch > left {
                return Ok(Drawn::TooLong);
            }
            left -= batch;
            let mut places = Vec::new();
            while (places.len() as u64) < batch {
                let place = passed + random.below(total - passed);
                if seen.insert(place) {
                    places.push(place);
                }
            }
            // In order, because several may be in the same block.
            places.sort_unstable();
            for places in places.chunks(LOOK_UPS) {
                if progress(passed, total).is_break() {
                    return Ok(Drawn::Ended);
                }
                for &place in places {
                    chosen.extend(self.at(place)?);
                }
            }
        }
        Ok(Drawn::Sample(chosen))
    }

    /// Scans the list and keeps a sample of the positions found so far (reservoir sampling). `None`
    /// if `progress` has ended the work.
    fn kept(
        &mut self,
        sample: Sample,
        progress: &mut impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<Vec<Listed<G>>>, ProbeError> {
        let mut random = Random::numbered(sample.seed, 1);
        let (mut kept, mut found) = (Vec::new(), 0);
        loop {
            let (done, total) = self.progress();
            if progress(done, total).is_break() {
                return Ok(None);
            }
            let goes_on = self.advance(|listed| {
                found += 1;
                if kept.len() < sample.positions {
                    kept.push(listed);
                } else if let Some(old) = kept.get_mut(random.below(found) as usize) {
                    *old = listed;
                }
                Continue(())
            })?;
            if !goes_on {
                return Ok(Some(kept));
            }
        }
    }

    /// The position at a place; places are counted over all sides to move.
    fn at(&mut self, mut place: u64) -> Result<Option<Listed<G>>, ProbeError> {
        for side in self.sides.clone() {
            let places = self.places(side);
            if place >= places {
                place -= places;
                continue;
            }
            let cursor = Cursor { side, place };
            let number = place / self.images(side);
            let mut at = None;
            self.visit(side, number..number + 1, |listed| match listed.cursor == cursor {
                true => {
                    at = Some(listed);
                    Break(())
                }
                false => Continue(()),
            })?;
            return Ok(at);
        }
        Ok(None)
    }
}
