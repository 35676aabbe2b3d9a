use super::combinatorics::choose;
use super::shape::{Indexable, Slice, Step, Symmetry};
use super::slice::RankedSlice;
use crate::Index;
use damka_games::{Material, Square};

/// Properties of an index, computed without building it: building takes time and memory.
impl<G: Indexable> Index<G> {
    /// The number of positions of an index of these pieces: its [`len`](Index::len).
    pub fn count(mover: &Material, opponent: &Material) -> u64 {
        let (slices, symmetries) = (slices::<G>(mover, opponent), G::symmetries(mover, opponent));
        if G::FOLDS_AFTER_SYMMETRIC_LEADS {
            return classes::<G>(&slices, symmetries);
        }
        let positions_of = |slice: &Slice| {
            let ranked = RankedSlice::new::<G>(slice.clone());
            let leads = slice[..ranked.leads().len()].to_vec();
            classes::<G>(&[leads], symmetries) * ranked.rest
        };
        slices.iter().map(positions_of).sum()
    }

    /// The number of placements that an index of these pieces numbers; symmetric ones are counted
    /// individually.
    pub fn placements(mover: &Material, opponent: &Material) -> u64 {
        unchanged::<G>(&slices::<G>(mover, opponent), |set| set)
    }
}

fn slices<G: Indexable>(mover: &Material, opponent: &Material) -> Vec<Slice> {
    G::slices(mover, opponent).into_iter().map(|(_, slice)| slice).collect()
}

/// The number of placements in these slices up to symmetry.
pub(super) fn classes<G: Indexable>(slices: &[Slice], symmetries: &[Symmetry]) -> u64 {
    // Burnside's lemma: the number of classes is the average, over all symmetries and the identity,
    // of the number of placements that a symmetry leaves unchanged.
    let all = unchanged::<G>(slices, |set| set);
    let images = symmetries.iter().map(|&map| unchanged::<G>(slices, map)).sum::<u64>();
    (all + images) / (symmetries.len() as u64 + 1)
}

/// The number of placements that `map` leaves unchanged.
fn unchanged<G: Indexable>(slices: &[Slice], map: Symmetry) -> u64 {
    let of_slice = |steps: &Slice| match &steps[..] {
        [first, second, rest @ ..] if [first, second].map(|s| Some(s.kind)) == [G::ROYAL; 2] => {
            let single = |step| PlacedStep { step, cycles: [1, 0, 0] };
            match unchanged_pairs::<G>(map) {
                0 => 0,
                pairs => {
                    let mut earlier = vec![single(first), single(second)];
                    pairs * unchanged_after(&mut earlier, &zones(rest, map))
                }
            }
        }
        steps => unchanged_after(&mut Vec::new(), &zones(steps, map)),
    };
    slices.iter().map(of_slice).sum()
}

/// The number of placements of two leading royal pieces that `map` leaves unchanged.
fn unchanged_pairs<G: Indexable>(map: Symmetry) -> u64 {
    let squares = || (0..G::SQUARES).filter(|&square| map(1 << square) == 1 << square);
    let pairs = squares().flat_map(|a| squares().map(move |b| [a, b].map(Square::new)));
    pairs.filter(|&[a, b]| a != b && G::may_lead(a, b)).count() as u64
}

/// The number of squares that a symmetry leaves in place, of pairs that it exchanges, and of cycles
/// of four squares. Symmetries of a board have no other cycles.
type Cycles = [u32; 3];

/// A step that has been placed. Sets that equal their own image consist of whole cycles.
struct PlacedStep<'a> {
    step: &'a Step,
    cycles: Cycles,
}

/// Steps, each with the cycles of its zone.
fn zones(steps: &[Step], map: Symmetry) -> Vec<(&Step, Cycles)> {
    steps.iter().map(|step| (step, cycles(step, map))).collect()
}

/// The number of ways to place these steps after earlier ones so that each equals its own image.
fn unchanged_after<'a>(earlier: &mut Vec<PlacedStep<'a>>, steps: &[(&'a Step, Cycles)]) -> u64 {
    let Some((&(step, zone), later)) = steps.split_first() else { return 1 };
    let inside = earlier.iter().filter(|taken| step.encloses(taken.step));
    let free = inside.fold(zone, |free, taken| {
        std::array::from_fn(|length| free[length] - taken.cycles[length])
    });
    let mut ways = 0;
    for fours in 0..=step.count / 4 {
        for pairs in 0..=(step.count - 4 * fours) / 2 {
            let taken = [step.count - 4 * fours - 2 * pairs, pairs, fours];
            let here: u64 = free.into_iter().zip(taken).map(|(free, k)| choose(free, k)).product();
            if here > 0 {
                earlier.push(PlacedStep { step, cycles: taken });
                ways += here * unchanged_after(earlier, later);
                earlier.pop();
            }
        }
    }
    ways
}

/// The cycles of a symmetry among the squares of a step's zone.
fn cycles(step: &Step, map: Symmetry) -> Cycles {
    let mut squares = [0; 3];
    for square in step.zone.clone().map(|square| 1 << square) {
        let once = map(square);
        let length = if once == square { 0 } else { 1 + usize::from(map(once) != square) };
        squares[length] += 1;
    }
    let [single, paired, in_fours] = squares;
    [single, paired / 2, in_fours / 4]
}
