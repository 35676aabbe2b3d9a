use crate::combinatorics::{choose, expand, next, rank, unrank};
use crate::fold::Fold;
use crate::layout::{Layout, Slice, Step, Symmetry, weaker};
use crate::processor::{self, Baseline, Processor, Work};
use damka_games::{Color, Material, Pieces, Position};
use smallvec::SmallVec;
use std::hint::select_unpredictable;
use std::ops::Range;

/// The perfect index of the positions with White to move in which White has the
/// pieces `mover` and Black has `opponent`: a one-to-one map between these
/// positions and the numbers 0 to [`len`](Index::len) - 1.
///
/// Where the board has symmetries, all positions that are images of each other
/// share one number, and [`position`](Index::position) gives one of them.
///
/// The placements are cut into slices in which the number of free squares at
/// each step does not depend on the pieces already placed ([`Layout`]); within a
/// slice the number is a mixed-radix number of ranks in the combinatorial number
/// system, of men by their squares, of other pieces [along a line](Layout::line).
#[derive(Debug)]
pub struct Index<G> {
    game: G,
    /// The side that a signature names second.
    weaker: Color,
    /// In order of their first number.
    slices: Vec<IndexedSlice>,
    keys: Keys,
    len: u64,
}

/// Finds the place of a slice by its key.
#[derive(Debug)]
enum Keys {
    /// The place for each key, if all keys are small: draughts.
    Small([u8; 8]),
    /// The keys, sorted, with the place of each.
    Sorted(Vec<(u64, usize)>),
}

impl Keys {
    fn new(mut keys: Vec<(u64, usize)>) -> Keys {
        keys.sort_unstable();
        match keys.last() {
            Some(&(last, _)) if last < 8 => {
                let mut places = [u8::MAX; 8];
                for (key, place) in keys {
                    places[key as usize] = place as u8;
                }
                Keys::Small(places)
            }
            _ => Keys::Sorted(keys),
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        match self {
            Keys::Small(places) => places[key as usize].into(),
            Keys::Sorted(keys) => keys[keys.partition_point(|&(known, _)| known < key)].1,
        }
    }
}

/// A slice and the numbers it covers.
#[derive(Debug)]
struct IndexedSlice {
    /// The first number.
    base: u64,
    /// The number of placements of all steps but the first.
    rest: u64,
    /// At least one. In place: to number a position is to read little memory.
    steps: SmallVec<[RankedStep; 5]>,
    fold: Option<Box<FoldedSlice>>,
}

/// A step with the number of placements it allows.
#[derive(Clone, Debug)]
struct RankedStep {
    /// The squares of the zone, and the first of them.
    zone: u64,
    start: u8,
    color: Color,
    kind: u8,
    count: u8,
    /// The free squares of the zone.
    places: u8,
    /// Whether these are men, which are ranked by their squares, not along the line.
    are_men: bool,
    /// C(places, count).
    placements: u64,
}

/// What a slice of a symmetric board needs besides.
#[derive(Debug)]
struct FoldedSlice {
    fold: Fold,
    /// For each class with a symmetric representative, in order: its first
    /// number, relative to the slice, and the ranks of the placements of the
    /// other steps that count.
    symmetric: Vec<(u64, Subset)>,
}

/// A set of numbers from 0, which knows how many of them are below any number.
#[derive(Debug)]
struct Subset {
    /// Of each 64 numbers: how many members are below, and which of them are members.
    words: Vec<(u64, u64)>,
    len: u64,
}

impl Subset {
    /// The numbers below `end` that are members.
    fn new(end: u64, mut is_member: impl FnMut(u64) -> bool) -> Subset {
        let mut len = 0;
        let word = |first: u64| {
            let numbers = first..end.min(first + 64);
            let members = numbers.filter(|&number| is_member(number));
            let word = members.fold(0u64, |word, number| word | 1 << (number - first));
            let below = len;
            len += u64::from(word.count_ones());
            (below, word)
        };
        let words = (0..end).step_by(64).map(word).collect();
        Subset { words, len }
    }

    /// How many members are below `number`, which is below the end.
    #[inline]
    fn below(&self, number: u64) -> u64 {
        let (below, word) = self.words[(number / 64) as usize];
        below + u64::from((word & ((1 << (number % 64)) - 1)).count_ones())
    }

    /// The member that has `place` members below it.
    #[inline]
    fn at(&self, place: u64) -> u64 {
        let i = self.words.partition_point(|&(below, _)| below <= place) - 1;
        let (below, mut word) = self.words[i];
        for _ in below..place {
            word &= word - 1;
        }
        64 * i as u64 + u64::from(word.trailing_zeros())
    }
}

impl RankedStep {
    /// Ranks a slice's steps in order.
    fn list<G: Layout>(slice: Slice) -> SmallVec<[RankedStep; 5]> {
        let mut earlier: Vec<Step> = Vec::new();
        let mut list = SmallVec::new();
        for step in slice.into_iter().filter(|step| step.count > 0) {
            let inside = |other: &&Step| {
                let (zone, other) = (&step.zone, &other.zone);
                let inside = zone.start <= other.start && other.end <= zone.end;
                let outside = other.end <= zone.start || zone.end <= other.start;
                assert!(inside || outside, "zones must be nested or disjoint");
                inside
            };
            let taken: u32 = earlier.iter().filter(inside).map(|other| other.count).sum();
            let places = (step.zone.len() as u32).saturating_sub(taken);
            list.push(RankedStep {
                zone: (u64::MAX >> (64 - step.zone.len())) << step.zone.start,
                start: step.zone.start as u8,
                color: step.color,
                kind: step.kind as u8,
                count: step.count as u8,
                places: places as u8,
                are_men: G::MEN.contains(&step.kind),
                placements: choose(places, step.count),
            });
            earlier.push(step);
        }
        list
    }

    /// The squares of this rank.
    #[inline]
    fn unrank<G: Layout>(&self, rank: u64, occupied: u64) -> u64 {
        self.expand::<G>(self.unrank_set(rank), occupied)
    }

    /// The set of this rank of the places left free.
    #[inline]
    fn unrank_set(&self, rank: u64) -> u64 {
        unrank(rank, self.count.into())
    }

    /// The pieces that the step places, among these.
    #[inline]
    fn of<'a>(&self, pieces: &'a mut Pieces) -> &'a mut u64 {
        &mut pieces[self.color as usize][usize::from(self.kind)]
    }

    /// The squares of a set of the places left free.
    #[inline]
    fn expand<G: Layout>(&self, set: u64, occupied: u64) -> u64 {
        let occupied = occupied & self.zone;
        let line = if self.are_men { occupied } else { G::line(occupied) };
        let line = expand(set, line >> self.start) << self.start;
        if self.are_men { line } else { G::squares(line) }
    }
}

impl IndexedSlice {
    fn new<G: Layout>(base: u64, slice: Slice, symmetries: &'static [Symmetry]) -> IndexedSlice {
        let mut steps = RankedStep::list::<G>(slice);
        if steps.is_empty() {
            // No pieces at all: one empty placement.
            steps.push(RankedStep {
                zone: 1,
                start: 0,
                color: Color::White,
                kind: 0,
                count: 0,
                places: 1,
                are_men: true,
                placements: 1,
            });
        }
        let rest = steps[1..].iter().map(|step| step.placements).product();
        let mut slice = IndexedSlice { base, rest, steps, fold: None };
        if !symmetries.is_empty() {
            slice.fold = Some(Box::new(slice.folded::<G>(symmetries)));
        }
        slice
    }

    /// The step that varies slowest.
    #[inline]
    fn lead(&self) -> &RankedStep {
        &self.steps[0]
    }

    /// The number of positions.
    fn len(&self) -> u64 {
        match &self.fold {
            None => self.lead().placements * self.rest,
            Some(folded) => match folded.symmetric.last() {
                None => u64::from(folded.fold.plain()) * self.rest,
                Some((base, rests)) => base + rests.len,
            },
        }
    }

    /// Folds the slice by the symmetries of its leading step.
    fn folded<G: Layout>(&self, symmetries: &'static [Symmetry]) -> FoldedSlice {
        // A symmetry maps the zone of the lead onto itself, as it does the board.
        let lead = self.lead();
        let fold = Fold::new(lead.count.into(), lead.start.into(), lead.places.into(), symmetries);
        let mut base = u64::from(fold.plain()) * self.rest;
        let mut symmetric = Vec::new();
        for class in fold.plain()..fold.classes() {
            let lead = fold.representative(class);
            let mut odometer = Odometer::new::<G>(self, lead, 0);
            // The images of those before.
            let mut is_image = vec![false; self.rest as usize];
            // It is asked for all in order.
            let is_first = |rest| {
                if rest > 0 {
                    odometer.advance::<G>();
                }
                let is_first = !is_image[rest as usize];
                if is_first {
                    for map in fold.stabilizer(class) {
                        let placed = |step: &RankedStep| map(odometer.squares(step));
                        is_image[self.rank_rest::<G>(Baseline, lead, placed) as usize] = true;
                    }
                }
                is_first
            };
            let rests = Subset::new(self.rest, is_first);
            let len = rests.len;
            symmetric.push((base, rests));
            base += len;
        }
        FoldedSlice { fold, symmetric }
    }

    /// The squares of the lead and the rank of the rest.
    #[inline]
    fn placement<G: Layout>(&self, number: u64) -> (u64, u64) {
        match &self.fold {
            None => (self.lead().unrank::<G>(number / self.rest, 0), number % self.rest),
            Some(folded) => folded.placement(self, number),
        }
    }

    /// The placement with this number, from where the rest can be counted on as
    /// long as the lead stays.
    fn odometer<G: Layout>(&self, number: u64) -> Odometer<'_> {
        let (lead, rest) = self.placement::<G>(number);
        let odometer = Odometer::new::<G>(self, lead, rest);
        // Behind symmetric leads not every placement of the rest has a number.
        let symmetric = self.fold.as_ref().is_some_and(|folded| number >= folded.plain(self));
        if symmetric { Odometer { left: 0, ..odometer } } else { odometer }
    }

    /// The rank of the placement of all steps but the first.
    #[inline(always)]
    fn rank_rest<G: Layout>(
        &self,
        processor: impl Processor,
        lead: u64,
        placed: impl Fn(&RankedStep) -> u64,
    ) -> u64 {
        rank_steps::<G>(processor, &self.steps[1..], lead, placed)
    }

    /// The pieces of all steps, the first placed on `lead`, the others as
    /// `rank` says.
    #[inline]
    fn unrank_rest<G: Layout>(&self, mut rank: u64, lead: u64) -> Pieces {
        let mut divisor = self.rest;
        let mut pieces = Pieces::default();
        let mut occupied = lead;
        *self.lead().of(&mut pieces) = lead;
        for step in &self.steps[1..] {
            divisor /= step.placements;
            let squares = step.unrank::<G>(rank / divisor, occupied);
            rank %= divisor;
            occupied |= squares;
            *step.of(&mut pieces) |= squares;
        }
        pieces
    }
}

/// The rank of what `placed` tells of these steps among their placements on the squares
/// that are not `taken`.
#[inline(always)]
fn rank_steps<G: Layout>(
    processor: impl Processor,
    steps: &[RankedStep],
    taken: u64,
    placed: impl Fn(&RankedStep) -> u64,
) -> u64 {
    let mut occupied = taken;
    let mut occupied_line = G::line(taken);
    let mut number = 0;
    // No iterator's method: that may not be inlined.
    for step in steps {
        let squares = placed(step) & step.zone;
        let line = G::line(squares);
        // Without a branch: which of them a step needs is not predictable.
        let set = select_unpredictable(step.are_men, squares, line);
        let holes = select_unpredictable(step.are_men, occupied, occupied_line);
        occupied |= squares;
        occupied_line |= line;
        // The line maps the zone onto itself.
        number = number * step.placements + rank(processor.extract(set, step.zone & !holes));
    }
    number
}

/// The number of a position is asked for.
struct Numbering<'a, G: Layout>(&'a Index<G>, &'a G::Position);

impl<G: Layout> Work for Numbering<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> u64 {
        let Numbering(index, position) = self;
        index.number_with(processor, position)
    }
}

impl<G: Layout> Index<G> {
    /// The index of the positions of `game` in which White, to move, has the pieces
    /// `mover` and Black has `opponent`.
    ///
    /// # Panics
    /// If one of the sides has no pieces.
    pub fn new(game: G, mover: Material, opponent: Material) -> Index<G> {
        assert!(mover.total() > 0 && opponent.total() > 0, "both sides need pieces");
        let slices = G::slices(&mover, &opponent);
        Index::with(game, mover, opponent, slices, G::symmetries(&mover, &opponent))
    }

    /// The same without folding: symmetric positions have a number each.
    ///
    /// # Panics
    /// If one of the sides has no pieces.
    pub fn unfolded(game: G, mover: Material, opponent: Material) -> Index<G> {
        assert!(mover.total() > 0 && opponent.total() > 0, "both sides need pieces");
        Index::with(game, mover, opponent, G::slices(&mover, &opponent), &[])
    }

    /// The index of the fibres of the positions that [`new`](Index::new) numbers: of
    /// the placements of men alone. Fibres have consecutive numbers of positions, in
    /// this order, wherever men are placed before the other pieces.
    ///
    /// Its positions lack all other pieces; there is one without any pieces if
    /// there are no men.
    pub fn fibres(game: G, mover: Material, opponent: Material) -> Index<G> {
        let mut slices = G::slices(&mover, &opponent);
        for (_, slice) in &mut slices {
            slice.retain(|step| G::MEN.contains(&step.kind));
        }
        // Slices by other pieces than men are one here.
        slices.dedup_by(|later, earlier| later.1 == earlier.1);
        Index::with(game, mover, opponent, slices, &[])
    }

    fn with(
        game: G,
        mover: Material,
        opponent: Material,
        slices: Vec<(u64, Slice)>,
        symmetries: &'static [Symmetry],
    ) -> Index<G> {
        let mut index = Index {
            game,
            weaker: weaker(&mover, &opponent),
            slices: Vec::new(),
            keys: Keys::Sorted(Vec::new()),
            len: 0,
        };
        let mut keys = Vec::new();
        for (key, slice) in slices {
            let slice = IndexedSlice::new::<G>(index.len, slice, symmetries);
            if slice.len() > 0 {
                keys.push((key, index.slices.len()));
                index.len += slice.len();
                index.slices.push(slice);
            }
        }
        index.keys = Keys::new(keys);
        index
    }

    /// The game whose positions are numbered.
    #[inline]
    pub fn game(&self) -> G {
        self.game
    }

    /// The number of positions; symmetric ones count once.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no positions at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a position.
    ///
    /// # Panics
    /// May panic, or give a wrong number, unless White is to move, the pieces
    /// are those of this index, and the position is legal.
    #[inline]
    pub fn number(&self, position: &G::Position) -> u64 {
        processor::run(Numbering(self, position))
    }

    /// The same as part of other [`Work`].
    ///
    /// # Panics
    /// As [`number`](Index::number).
    #[inline(always)]
    pub fn number_with(&self, processor: impl Processor, position: &G::Position) -> u64 {
        debug_assert_eq!(position.turn(), Color::White);
        let slice = &self.slices[self.keys.place(G::slice_key(self.weaker, position))];
        let pieces = |step: &RankedStep| position.pieces(step.color, step.kind.into());
        slice.base
            + match &slice.fold {
                None => rank_steps::<G>(processor, &slice.steps, 0, pieces),
                Some(folded) => folded.number::<G>(processor, slice, pieces),
            }
    }

    /// The position with this number, White to move.
    ///
    /// # Panics
    /// If `number` is not below [`len`](Index::len).
    #[inline]
    pub fn position(&self, number: u64) -> G::Position {
        let (slice, number) = self.locate(number);
        let (lead, rest) = slice.placement::<G>(number);
        self.game.assemble(&slice.unrank_rest::<G>(rest, lead), Color::White)
    }

    /// The positions with these numbers, in order, White to move. Quicker than
    /// [`position`](Index::position) for each.
    ///
    /// # Panics
    /// If a number is not below [`len`](Index::len).
    pub fn positions(&self, numbers: Range<u64>) -> impl Iterator<Item = G::Position> {
        let mut odometer = Odometer::default();
        numbers.map(move |number| {
            if !odometer.advance::<G>() {
                let (slice, number) = self.locate(number);
                odometer = slice.odometer::<G>(number);
            }
            self.game.assemble(&odometer.pieces, Color::White)
        })
    }

    /// How many positions share this number: 1 unless the board has symmetries.
    ///
    /// # Panics
    /// If `number` is not below [`len`](Index::len).
    #[inline]
    pub fn weight(&self, number: u64) -> u64 {
        let (slice, number) = self.locate(number);
        let Some(folded) = &slice.fold else {
            return 1;
        };
        let fold = &folded.fold;
        let images = fold.order();
        if number < folded.plain(slice) {
            return images;
        }
        let (lead, rest) = folded.placement(slice, number);
        let placed = slice.unrank_rest::<G>(rest, lead);
        let class = fold.class(lead).0;
        let same = fold.stabilizer(class).filter(|map| {
            let image =
                |step: &RankedStep| map(placed[step.color as usize][usize::from(step.kind)]);
            slice.rank_rest::<G>(Baseline, lead, image) == rest
        });
        images / (1 + same.count() as u64)
    }

    /// The slice of a number, and the number relative to it.
    #[inline]
    fn locate(&self, number: u64) -> (&IndexedSlice, u64) {
        assert!(number < self.len, "number {number} of {}", self.len);
        let place = self.slices.partition_point(|slice| slice.base <= number) - 1;
        let slice = &self.slices[place];
        (slice, number - slice.base)
    }
}

/// The placements of a slice counted up behind one lead.
#[derive(Default)]
struct Odometer<'a> {
    /// One for each step but the first.
    wheels: Vec<Wheel<'a>>,
    /// How many times it can still advance.
    left: u64,
    pieces: Pieces,
}

/// A step of a placement.
struct Wheel<'a> {
    step: &'a RankedStep,
    /// The set of the places left free, and the squares that these are.
    set: u64,
    squares: u64,
    /// What the steps before occupy.
    occupied: u64,
}

impl<'a> Odometer<'a> {
    /// The first step placed on `lead`, the others as their rank says.
    fn new<G: Layout>(slice: &'a IndexedSlice, lead: u64, mut rank: u64) -> Odometer<'a> {
        let left = slice.rest - rank - 1;
        let mut divisor = slice.rest;
        let mut pieces = Pieces::default();
        let mut occupied = lead;
        *slice.lead().of(&mut pieces) = lead;
        let wheels = slice.steps[1..].iter().map(|step| {
            divisor /= step.placements;
            let set = step.unrank_set(rank / divisor);
            rank %= divisor;
            let squares = step.expand::<G>(set, occupied);
            let wheel = Wheel { step, set, squares, occupied };
            occupied |= squares;
            *step.of(&mut pieces) |= squares;
            wheel
        });
        Odometer { wheels: wheels.collect(), left, pieces }
    }

    /// The pieces of a step, and others of their kind.
    fn squares(&self, step: &RankedStep) -> u64 {
        self.pieces[step.color as usize][usize::from(step.kind)]
    }

    /// Goes on to the next number; false if that must be looked up.
    #[inline]
    fn advance<G: Layout>(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
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
            *wheel.step.of(&mut self.pieces) ^= wheel.squares;
            wheel.squares = squares;
            wheel.occupied = occupied;
            occupied |= squares;
        }
        for wheel in &self.wheels[turned..] {
            *wheel.step.of(&mut self.pieces) |= wheel.squares;
        }
        true
    }
}

impl FoldedSlice {
    /// The first number, relative to the slice, behind a symmetric lead.
    #[inline]
    fn plain(&self, slice: &IndexedSlice) -> u64 {
        u64::from(self.fold.plain()) * slice.rest
    }

    /// The number, relative to the slice, of the placement with these pieces.
    #[inline(always)]
    fn number<G: Layout>(
        &self,
        processor: impl Processor,
        slice: &IndexedSlice,
        pieces: impl Fn(&RankedStep) -> u64,
    ) -> u64 {
        let lead = pieces(slice.lead()) & slice.lead().zone;
        let (class, symmetry) = self.fold.class(lead);
        let representative = self.fold.representative(class);
        let rest = match symmetry {
            None => slice.rank_rest::<G>(processor, representative, &pieces),
            Some(map) => slice.rank_rest::<G>(processor, representative, |step| map(pieces(step))),
        };
        let Some(place) = class.checked_sub(self.fold.plain()) else {
            return u64::from(class) * slice.rest + rest;
        };
        let moved = |step: &RankedStep| symmetry.map_or(pieces(step), |map| map(pieces(step)));
        let image = |map: Symmetry| {
            slice.rank_rest::<G>(processor, representative, |step| map(moved(step)))
        };
        let first = self.fold.stabilizer(class).map(image).fold(rest, u64::min);
        let (base, rests) = &self.symmetric[place as usize];
        base + rests.below(first)
    }

    /// The squares of the lead and the rank of the rest.
    #[inline]
    fn placement(&self, slice: &IndexedSlice, number: u64) -> (u64, u64) {
        if number < self.plain(slice) {
            let class = (number / slice.rest) as u32;
            return (self.fold.representative(class), number % slice.rest);
        }
        let place = self.symmetric.partition_point(|(base, _)| *base <= number) - 1;
        let (base, rests) = &self.symmetric[place];
        let class = self.fold.plain() + place as u32;
        (self.fold.representative(class), rests.at(number - base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_counts_its_members() {
        // Words that are full, empty, and in between; the last one is short.
        let is_member = |number: u64| number < 64 || number >= 200 && !number.is_multiple_of(3);
        let subset = Subset::new(300, is_member);
        let members: Vec<u64> = (0..300).filter(|&number| is_member(number)).collect();
        assert_eq!(subset.len, members.len() as u64);
        for number in 0..300 {
            let below = members.iter().filter(|&&member| member < number).count();
            assert_eq!(subset.below(number), below as u64, "{number}");
        }
        for (place, &member) in (0..).zip(&members) {
            assert_eq!(subset.at(place), member, "{place}");
        }
    }
}
