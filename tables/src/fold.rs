use crate::combinatorics::{choose, rank, unrank};
use crate::layout::Symmetry;

/// The placements of the leading step of a slice up to symmetry.
///
/// Every class of symmetric placements has one representative. Most classes
/// have as many members as there are symmetries; behind such a representative
/// the other pieces are placed freely. The few other representatives are
/// symmetric themselves: behind these, placements of the other pieces that are
/// images of each other are the same, and only the first of them counts.
#[derive(Debug)]
pub(crate) struct Fold {
    symmetries: &'static [Symmetry],
    /// The first square.
    start: u32,
    /// By the rank of a placement: the number of its class, and the symmetry
    /// that leads to the representative (0 the identity, else one more than its
    /// place in `symmetries`).
    classes: Vec<(u32, u8)>,
    /// The representatives, those without symmetry first.
    representatives: Vec<u64>,
    /// How many representatives are without symmetry.
    plain: u32,
}

impl Fold {
    /// Folds the placements of `count` like pieces on the squares from `start`,
    /// `places` of them; the symmetries map these squares onto themselves.
    pub(crate) fn new(
        count: u32,
        start: u32,
        places: u32,
        symmetries: &'static [Symmetry],
    ) -> Fold {
        let placements = choose(places, count);
        let rank = |set: u64| rank(set >> start);
        let is_representative =
            |set: &u64| symmetries.iter().all(|map| rank(map(*set)) >= rank(*set));
        let is_plain = |set: &u64| symmetries.iter().all(|map| map(*set) != *set);
        let all = (0..placements).map(|rank| unrank(rank, count) << start);
        let (mut representatives, symmetric): (Vec<u64>, Vec<u64>) =
            all.filter(is_representative).partition(is_plain);
        let plain = representatives.len() as u32;
        representatives.extend(symmetric);

        let mut classes = vec![(0, 0); placements as usize];
        for (class, &set) in representatives.iter().enumerate() {
            // Each symmetry is its own inverse: it also leads back. The identity
            // comes last so that it wins where an image is the set itself.
            for (number, map) in symmetries.iter().enumerate().rev() {
                classes[rank(map(set)) as usize] = (class as u32, number as u8 + 1);
            }
            classes[rank(set) as usize] = (class as u32, 0);
        }
        Fold { symmetries, start, classes, representatives, plain }
    }

    /// The class of a placement, and the symmetry that leads to its representative.
    #[inline]
    pub(crate) fn class(&self, placement: u64) -> (u32, Option<Symmetry>) {
        let (class, number) = self.classes[rank(placement >> self.start) as usize];
        let symmetry = usize::from(number).checked_sub(1).map(|number| self.symmetries[number]);
        (class, symmetry)
    }

    /// The representative of a class.
    #[inline]
    pub(crate) fn representative(&self, class: u32) -> u64 {
        self.representatives[class as usize]
    }

    /// How many classes have a representative without symmetry; their numbers
    /// are the lowest.
    #[inline]
    pub(crate) fn plain(&self) -> u32 {
        self.plain
    }

    /// The number of symmetries, the identity included.
    pub(crate) fn order(&self) -> u64 {
        self.symmetries.len() as u64 + 1
    }

    /// The number of classes.
    pub(crate) fn classes(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// The symmetries that leave the representative of a class as it is.
    pub(crate) fn stabilizer(&self, class: u32) -> impl Iterator<Item = Symmetry> {
        let set = self.representative(class);
        self.symmetries.iter().copied().filter(move |map| map(set) == set)
    }
}
