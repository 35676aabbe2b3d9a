use super::combinatorics::rank;
use super::shape::{Indexable, Symmetry};
use super::slice::{Lead, RankedSlice, RankedStep};
use damka_games::SquareSet;
use std::any::TypeId;
use std::array::from_fn;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::{iter, ptr};

/// The placements of a slice's leading pieces (the lead) up to symmetry.
///
/// Leads that are images of each other form a class with one representative. Most classes have as
/// many members as there are symmetries, including the identity; such a representative is *plain*,
/// and every placement of the other pieces has a number. The few other representatives are symmetric
/// themselves. With these, placements of the other pieces that are images of each other are
/// equivalent, and only the first of them has a number. In games without
/// [this second fold](Indexable::FOLDS_AFTER_SYMMETRIC_LEADS) all of them have numbers, and every
/// representative is treated as plain.
#[derive(Debug)]
pub(super) struct Fold {
    symmetries: &'static [Symmetry],
    /// The identity and the symmetries.
    images: Vec<Images>,
    places: Places,
    /// By the place of a lead.
    classes: Vec<Class>,
    /// The representatives, plain ones first.
    representatives: Vec<Lead>,
    /// The number of plain representatives.
    plain: u32,
}

/// A symmetry as a look-up table: the image of each square, as a set; entry 64, for no square, is
/// the empty set. Calling the function of an unpredictable symmetry would take longer.
#[derive(Debug)]
pub(super) struct Images([u64; 65]);

impl Images {
    fn new(map: impl Fn(u64) -> u64) -> Images {
        Images(from_fn(|square| if square < 64 { map(1 << square) } else { 0 }))
    }

    /// The image of a set of squares.
    #[inline(always)]
    pub(super) fn of(&self, mut set: u64) -> u64 {
        let mut image = 0;
        loop {
            // Two squares per iteration: their number is unpredictable.
            for _ in 0..2 {
                image |= self.0[set.trailing_zeros() as usize];
                set &= set.wrapping_sub(1);
            }
            if set == 0 {
                return image;
            }
        }
    }
}

/// How leads are mapped to entries of `classes`.
#[derive(Clone, Copy, Debug)]
enum Places {
    /// For one step: by the rank of its squares, shifted by this square.
    Ranked(u8),
    /// For two steps of one piece each: by their squares.
    Pairs,
}

impl Places {
    #[inline(always)]
    fn of(self, [first, second]: Lead) -> usize {
        match self {
            Places::Ranked(start) => rank(first >> start) as usize,
            Places::Pairs => (first.trailing_zeros() << 6 | second.trailing_zeros()) as usize,
        }
    }
}

/// The number of a class, and the symmetry that maps a lead to its representative (0 for the
/// identity, otherwise its index + 1), packed into one word because every look-up reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Class(u32);

impl Class {
    /// The entry of a lead that does not occur in any position.
    const NONE: Class = Class(u32::MAX);
    const SYMMETRY_BITS: u32 = 3;

    #[inline]
    fn new(number: u32, symmetry: u8) -> Class {
        Class(number << Class::SYMMETRY_BITS | u32::from(symmetry))
    }

    #[inline]
    fn number(self) -> u32 {
        self.0 >> Class::SYMMETRY_BITS
    }

    #[inline]
    fn symmetry(self) -> usize {
        (self.0 & ((1 << Class::SYMMETRY_BITS) - 1)) as usize
    }
}

/// Everything that a fold depends on.
#[derive(Debug)]
struct FoldKey {
    game: TypeId,
    leads: Vec<RankedStep>,
    symmetries: &'static [Symmetry],
}

impl PartialEq for FoldKey {
    fn eq(&self, other: &FoldKey) -> bool {
        self.game == other.game
            && self.leads == other.leads
            && ptr::eq(self.symmetries, other.symmetries)
    }
}

/// The folds of all existing indices.
static IN_USE: Mutex<Vec<(FoldKey, Weak<Fold>)>> = Mutex::new(Vec::new());

impl Fold {
    /// The fold of a slice's lead; the symmetries map its zones onto themselves. Indices with equal
    /// leads share a fold, so that probes of many signatures find it in the processor's cache.
    pub(super) fn shared<G: Indexable>(
        slice: &RankedSlice,
        symmetries: &'static [Symmetry],
    ) -> Arc<Fold> {
        let leads = slice.leads().to_vec();
        let key = FoldKey { game: TypeId::of::<G>(), leads, symmetries };
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        let same = in_use.iter().filter(|(other, _)| *other == key);
        if let Some(fold) = same.filter_map(|(_, fold)| fold.upgrade()).next() {
            return fold;
        }
        let fold = Arc::new(Fold::new::<G>(slice, symmetries));
        in_use.retain(|(_, fold)| fold.strong_count() > 0);
        in_use.push((key, Arc::downgrade(&fold)));
        fold
    }

    fn new<G: Indexable>(slice: &RankedSlice, symmetries: &'static [Symmetry]) -> Fold {
        let places = match slice.leads() {
            [step] => Places::Ranked(step.start),
            _ => Places::Pairs,
        };
        let leads = (0..slice.len() / slice.rest.max(1))
            .map(|rank| slice.unrank_lead::<G>(rank * slice.rest).0)
            .filter(|&lead| may_lead::<G>(lead));
        let mut leads: Vec<Lead> = leads.collect();
        // By squares, not along the line: the order of the established numbering.
        leads.sort_unstable_by_key(|&lead| places.of(lead));
        let end = leads.iter().map(|&lead| places.of(lead) + 1).max().unwrap_or(0);

        // The representative is the image with the lowest place. If several symmetries lead there,
        // the first one is recorded; the identity comes before all others.
        let mut classes = vec![Class::NONE; end];
        let (mut representatives, mut symmetric) = (Vec::new(), Vec::new());
        for &lead in &leads {
            let own = places.of(lead);
            let images = symmetries.iter().map(|map| places.of(lead.map(map)));
            let least = (1..).zip(images).fold((0, own), |least, image| match image.1 < least.1 {
                true => image,
                false => least,
            });
            // For now each class has the place of its representative as its number.
            classes[own] = Class::new(least.1 as u32, least.0);
            if least.0 == 0 {
                let is_plain = !G::FOLDS_AFTER_SYMMETRIC_LEADS
                    || symmetries.iter().all(|map| lead.map(map) != lead);
                if is_plain { &mut representatives } else { &mut symmetric }.push(lead);
            }
        }
        let plain = representatives.len() as u32;
        representatives.append(&mut symmetric);

        let mut numbers = vec![0; end];
        for (number, &lead) in (0..).zip(&representatives) {
            numbers[places.of(lead)] = number;
        }
        for class in classes.iter_mut().filter(|class| **class != Class::NONE) {
            *class = Class::new(numbers[class.number() as usize], class.symmetry() as u8);
        }
        let images = symmetries.iter().map(Images::new);
        let images = iter::once(Images::new(|set| set)).chain(images).collect();
        Fold { symmetries, images, places, classes, representatives, plain }
    }

    /// The class of a lead, and the symmetry that maps the lead to its representative.
    #[inline(always)]
    pub(super) fn class(&self, lead: Lead) -> (u32, &Images) {
        let class = self.classes[self.places.of(lead)];
        (class.number(), &self.images[class.symmetry()])
    }

    /// The representative of a class.
    #[inline]
    pub(super) fn representative(&self, class: u32) -> Lead {
        self.representatives[class as usize]
    }

    /// The number of classes with a plain representative; these have the lowest numbers.
    #[inline]
    pub(super) fn plain(&self) -> u32 {
        self.plain
    }

    /// The number of symmetries, including the identity.
    pub(super) fn order(&self) -> u64 {
        self.symmetries.len() as u64 + 1
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// The symmetries that map the representative of a class to itself.
    pub(super) fn stabilizer(&self, class: u32) -> impl Iterator<Item = Symmetry> {
        let lead = self.representative(class);
        self.symmetries.iter().copied().filter(move |map| lead.map(map) == lead)
    }
}

/// Whether there are positions with this lead.
fn may_lead<G: Indexable>([first, second]: Lead) -> bool {
    match [first, second].map(SquareSet::new).map(SquareSet::first) {
        [Some(first), Some(second)] => G::may_lead(first, second),
        _ => true,
    }
}
