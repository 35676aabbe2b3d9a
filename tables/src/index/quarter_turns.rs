//! Tests indices of a board with quarter turns whose leads are sets: 4 x 4 squares with all eight
//! symmetries, some of which are not their own inverse. Classes of symmetric placements are
//! enumerated.

use super::count::classes;
use super::folded::FoldedSlice;
use super::shape::{Slice, Step, Symmetry};
use super::slice::{RankedSlice, RankedStep};
use crate::processor::Baseline;
use damka_games::{Alapo, Color, Game, Kind, Pieces, SquareSet};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

const SQUARES: u32 = 16;

/// All symmetries but the identity.
static SYMMETRIES: [Symmetry; 7] = [
    quarter,
    |set| quarter(quarter(set)),
    |set| quarter(quarter(quarter(set))),
    mirror,
    |set| quarter(mirror(set)),
    |set| quarter(quarter(mirror(set))),
    |set| quarter(quarter(quarter(mirror(set)))),
];

fn image(set: u64, to: impl Fn(u32, u32) -> (u32, u32)) -> u64 {
    let squares = (0..SQUARES).filter(|square| set >> square & 1 == 1);
    let squares = squares.map(|square| to(square / 4, square % 4));
    squares.fold(0, |image, (rank, file)| image | 1 << (4 * rank + file))
}

fn quarter(set: u64) -> u64 {
    image(set, |rank, file| (file, 3 - rank))
}

fn mirror(set: u64) -> u64 {
    image(set, |rank, file| (rank, 3 - file))
}

fn step(color: Color, kind: usize, count: u32, zone: Range<u32>) -> Step {
    Step { color, kind: Kind::new(kind), count, zone }
}

/// All placements of these steps.
fn placements(steps: &[Step]) -> Vec<Pieces> {
    let Some((step, earlier)) = steps.split_last() else { return vec![Pieces::default()] };
    let mut longer = Vec::new();
    for placement in placements(earlier) {
        let taken = placement.occupied().bits();
        let sets = (0u64..1 << SQUARES).filter(|set| set.count_ones() == step.count);
        for set in sets.filter(|set| set & taken == 0) {
            let mut placement = placement;
            placement[(step.color, step.kind)] = SquareSet::new(set);
            longer.push(placement);
        }
    }
    longer
}

/// The images of a placement, including itself.
fn images(placement: &Pieces) -> HashSet<Pieces> {
    let image = |map: &Symmetry| {
        let mut image = *placement;
        for (color, kind) in
            Color::BOTH.into_iter().flat_map(|c| Alapo::kinds().map(move |k| (c, k)))
        {
            let squares = &mut image[(color, kind)];
            *squares = SquareSet::new(map(squares.bits()));
        }
        image
    };
    SYMMETRIES.iter().map(image).chain([*placement]).collect()
}

fn check(steps: Slice) {
    let slice = RankedSlice::new::<Alapo>(steps.clone());
    let folded = FoldedSlice::new::<Alapo>(&slice, &SYMMETRIES);
    let number = |placement: &Pieces| {
        folded.number::<Alapo>(Baseline, &slice, |step: &RankedStep| step.of(placement))
    };
    let all = placements(&steps);
    let mut numbers: HashMap<u64, HashSet<Pieces>> = HashMap::new();
    for placement in &all {
        let class = numbers.entry(number(placement)).or_insert_with(|| images(placement));
        assert!(class.contains(placement), "{placement:?}");
    }
    assert_eq!(numbers.values().map(HashSet::len).sum::<usize>(), all.len(), "{steps:?}");
    assert_eq!(numbers.len() as u64, folded.len(), "{steps:?}");
    assert_eq!(classes::<Alapo>(&[steps], &SYMMETRIES), folded.len());
    for own in 0..folded.len() {
        let (lead, rest) = folded.placement(&slice, own);
        let placement = slice.unrank_rest::<Alapo>(rest, lead);
        assert_eq!(number(&placement), own, "{placement:?}");
        assert_eq!(folded.weight::<Alapo>(&slice, own), numbers[&own].len() as u64);
    }
}

#[test]
fn images_by_quarter_turns_share_a_number() {
    use Color::{Black, White};
    let board = 0..SQUARES;
    for (lead, others) in [(1, 2), (2, 2), (3, 1), (4, 2), (8, 1)] {
        let step = |color, kind, count| step(color, kind, count, board.clone());
        check(vec![step(Black, 0, lead), step(White, 0, others)]);
        if lead + others < 5 {
            check(vec![step(Black, 0, lead), step(Black, 1, 1), step(White, 0, others)]);
        }
    }
}
