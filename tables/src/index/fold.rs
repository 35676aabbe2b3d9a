use super::combinatorics::{choose, rank, unrank};
use super::shape::Symmetry;

/// The placements of the leading step of a slice up to symmetry.
///
/// Every class of symmetric placements has one representative. Most classes
/// have as many members as there are symmetries; behind such a representative
/// the other pieces are placed freely. The few other representatives are
/// symmetric themselves: behind these, placements of the other pieces that are
/// images of each other are the same, and only the first of them counts.
#[derive(Debug)]
pub(super) struct Fold {
    symmetries: &'static [Symmetry],
    /// The first square.
    start: u32,
    /// By the rank of a placement: the number of its class, and the symmetry
    /// that leads to the representative (0 the identity, else one more than its
    /// number among `symmetries`).
    classes: Vec<(u32, u8)>,
    /// The representatives, those without symmetry first.
    representatives: Vec<u64>,
    /// How many representatives are without symmetry.
    plain: u32,
}

impl Fold {
    /// Folds the placements of `count` like pieces on the squares from `start`,
    /// `places` of them; the symmetries map these squares onto themselves.
    pub(super) fn new(
        count: u32,
        start: u32,
        places: u32,
        symmetries: &'static [Symmetry],
    ) -> Fold {
        let placements = choose(places, count);
        let rank = |set: u64| rank(set >> start);
        let set = |rank| unrank(rank, count) << start;
        // The representative is the image of the least rank. The identity comes first, and
        // wins where several maps lead there.
        let representative = |own: u64| {
            let set = set(own);
            let images = symmetries.iter().map(|map| rank(map(set)));
            let least = (1..).zip(images).fold((0, own), |least, image| match image.1 < least.1 {
                true => image,
                false => least,
            });
            (least.1 as u32, least.0)
        };
        let mut classes: Vec<(u32, u8)> = (0..placements).map(representative).collect();

        let is_plain = |set: &u64| symmetries.iter().all(|map| map(*set) != *set);
        let own = classes.iter().zip(0..).filter(|((_, symmetry), _)| *symmetry == 0);
        let (mut representatives, symmetric): (Vec<u64>, Vec<u64>) =
            own.map(|(_, rank)| set(rank)).partition(is_plain);
        let plain = representatives.len() as u32;
        representatives.extend(symmetric);

        // So far each has the rank of its representative; its class is the number of that.
        let mut numbers = vec![0; placements as usize];
        for (number, &set) in (0..).zip(&representatives) {
            numbers[rank(set) as usize] = number;
        }
        for (class, _) in &mut classes {
            *class = numbers[*class as usize];
        }
        Fold { symmetries, start, classes, representatives, plain }
    }

    /// The class of a placement, and the symmetry that leads to its representative.
    #[inline]
    pub(super) fn class(&self, placement: u64) -> (u32, Option<Symmetry>) {
        let (class, number) = self.classes[rank(placement >> self.start) as usize];
        let symmetry = usize::from(number).checked_sub(1).map(|number| self.symmetries[number]);
        (class, symmetry)
    }

    /// The representative of a class.
    #[inline]
    pub(super) fn representative(&self, class: u32) -> u64 {
        self.representatives[class as usize]
    }

    /// How many classes have a representative without symmetry; their numbers
    /// are the lowest.
    #[inline]
    pub(super) fn plain(&self) -> u32 {
        self.plain
    }

    /// The number of symmetries, the identity included.
    pub(super) fn order(&self) -> u64 {
        self.symmetries.len() as u64 + 1
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// The symmetries that leave the representative of a class as it is.
    pub(super) fn stabilizer(&self, class: u32) -> impl Iterator<Item = Symmetry> {
        let set = self.representative(class);
        self.symmetries.iter().copied().filter(move |map| map(set) == set)
    }
}
