use crate::Index;
use crate::combinatorics::choose;
use crate::layout::{Layout, Step, Symmetry};
use damka_games::Material;

/// What is known of an index without making it, which takes time and memory.
impl<G: Layout> Index<G> {
    /// The number of positions that an index of these pieces has: its
    /// [`len`](Index::len).
    pub fn count(mover: &Material, opponent: &Material) -> u64 {
        // Burnside's lemma: there are as many classes of images as a symmetry leaves
        // placements unchanged, on average over all symmetries and the identity.
        let symmetries = G::symmetries(mover, opponent);
        let unchanged = symmetries.iter().map(|&map| unchanged::<G>(mover, opponent, map));
        let all = Index::<G>::placements(mover, opponent) + unchanged.sum::<u64>();
        all / (symmetries.len() as u64 + 1)
    }

    /// The number of placements that an index of these pieces stands for: of its positions,
    /// symmetric ones counted each.
    pub fn placements(mover: &Material, opponent: &Material) -> u64 {
        unchanged::<G>(mover, opponent, |set| set)
    }
}

/// The number of placements that are their own image.
fn unchanged<G: Layout>(mover: &Material, opponent: &Material, map: Symmetry) -> u64 {
    let slices = G::slices(mover, opponent).into_iter();
    slices.map(|(_, steps)| unchanged_behind(&mut Vec::new(), &steps, map)).sum()
}

/// A step that is taken, and how many squares of it are their own image; the others are
/// images of each other.
struct Taken<'a> {
    step: &'a Step,
    single: u32,
}

/// The number of ways to take these steps behind others so that each is its own image.
fn unchanged_behind<'a>(earlier: &mut Vec<Taken<'a>>, steps: &'a [Step], map: Symmetry) -> u64 {
    let Some((step, later)) = steps.split_first() else { return 1 };
    let is_single = |&square: &u32| map(1 << square) == 1 << square;
    let zone = &step.zone;
    // Zones of earlier steps lie within this one or outside it.
    let inside = earlier.iter().filter(|taken| {
        let other = &taken.step.zone;
        zone.start <= other.start && other.end <= zone.end
    });
    let (taken, taken_single) =
        inside.fold((0, 0), |(all, single), taken| (all + taken.step.count, single + taken.single));
    let single = zone.clone().filter(is_single).count() as u32;
    let pairs = (zone.len() as u32 - single - (taken - taken_single)) / 2;
    let single = single - taken_single;
    let mut ways = 0;
    for in_pairs in 0..=step.count / 2 {
        let alone = step.count - 2 * in_pairs;
        let here = choose(pairs, in_pairs) * choose(single, alone);
        if here > 0 {
            earlier.push(Taken { step, single: alone });
            ways += here * unchanged_behind(earlier, later, map);
            earlier.pop();
        }
    }
    ways
}
