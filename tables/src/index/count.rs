use super::combinatorics::choose;
use super::shape::{Indexable, Slice, Step, Symmetry};
use super::slice::RankedSlice;
use crate::Index;
use damka_games::{Material, Square};

/// What is known of an index without making it, which takes time and memory.
impl<G: Indexable> Index<G> {
    /// The number of positions that an index of these pieces has: its
    /// [`len`](Index::len).
    pub fn count(mover: &Material, opponent: &Material) -> u64 {
        let (slices, symmetries) = (slices::<G>(mover, opponent), G::symmetries(mover, opponent));
        if G::FOLDS_BEHIND_SYMMETRIC_LEADS {
            return classes::<G>(&slices, symmetries);
        }
        let behind_classes = |slice: &Slice| {
            let ranked = RankedSlice::new::<G>(slice.clone());
            let leads = slice[..ranked.leads().len()].to_vec();
            classes::<G>(&[leads], symmetries) * ranked.rest
        };
        slices.iter().map(behind_classes).sum()
    }

    /// The number of placements that an index of these pieces stands for: of its positions,
    /// symmetric ones counted each.
    pub fn placements(mover: &Material, opponent: &Material) -> u64 {
        unchanged::<G>(&slices::<G>(mover, opponent), |set| set)
    }
}

fn slices<G: Indexable>(mover: &Material, opponent: &Material) -> Vec<Slice> {
    G::slices(mover, opponent).into_iter().map(|(_, slice)| slice).collect()
}

/// The number of placements in these slices, those that are images of each other counted once.
pub(super) fn classes<G: Indexable>(slices: &[Slice], symmetries: &[Symmetry]) -> u64 {
    // Burnside's lemma: there are as many classes of images as a symmetry leaves
    // placements unchanged, on average over all symmetries and the identity.
    let all = unchanged::<G>(slices, |set| set);
    let images = symmetries.iter().map(|&map| unchanged::<G>(slices, map)).sum::<u64>();
    (all + images) / (symmetries.len() as u64 + 1)
}

/// The number of placements that are their own image.
fn unchanged<G: Indexable>(slices: &[Slice], map: Symmetry) -> u64 {
    let of_slice = |steps: &Slice| match &steps[..] {
        [first, second, rest @ ..] if [first, second].map(|s| Some(s.kind)) == [G::ROYAL; 2] => {
            let single = |step| Taken { step, cycles: [1, 0, 0] };
            match unchanged_pairs::<G>(map) {
                0 => 0,
                pairs => {
                    pairs * unchanged_behind(&mut vec![single(first), single(second)], rest, map)
                }
            }
        }
        steps => unchanged_behind(&mut Vec::new(), steps, map),
    };
    slices.iter().map(of_slice).sum()
}

/// The number of ways in which two royal pieces lead, each in its place under a symmetry.
fn unchanged_pairs<G: Indexable>(map: Symmetry) -> u64 {
    let squares = || (0..G::SQUARES).filter(|&square| map(1 << square) == 1 << square);
    let pairs = squares().flat_map(|a| squares().map(move |b| [a, b].map(Square::new)));
    pairs.filter(|&[a, b]| a != b && G::may_lead(a, b)).count() as u64
}

/// How many squares there are that a symmetry leaves in place, how many pairs that it
/// exchanges, and how many times four that it moves around. Maps of a board have no other
/// cycles.
type Cycles = [u32; 3];

/// A step that is taken: sets that are their own image consist of whole cycles.
struct Taken<'a> {
    step: &'a Step,
    cycles: Cycles,
}

/// The number of ways to take these steps behind others so that each is its own image.
fn unchanged_behind<'a>(earlier: &mut Vec<Taken<'a>>, steps: &'a [Step], map: Symmetry) -> u64 {
    let Some((step, later)) = steps.split_first() else { return 1 };
    let inside = earlier.iter().filter(|taken| step.encloses(taken.step));
    let free = inside.fold(cycles(step, map), |free, taken| {
        std::array::from_fn(|length| free[length] - taken.cycles[length])
    });
    let mut ways = 0;
    for fours in 0..=step.count / 4 {
        for pairs in 0..=(step.count - 4 * fours) / 2 {
            let taken = [step.count - 4 * fours - 2 * pairs, pairs, fours];
            let here: u64 = free.into_iter().zip(taken).map(|(free, k)| choose(free, k)).product();
            if here > 0 {
                earlier.push(Taken { step, cycles: taken });
                ways += here * unchanged_behind(earlier, later, map);
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
