//! The perfect index: positions <-> numbers, one-to-one.
//!
//! A game's [shape] divides its placements into slices that are plain products, distinguished by
//! [keys]. In a [slice](mod@slice) the pieces are ranked step by step, each group in the
//! [combinatorial number system](combinatorics). On a symmetric board [a folded slice](folded)
//! gives placements that are images of each other the same number: it combines a [fold] of the
//! leading pieces with [subsets](subset) of the other pieces for leads that are symmetric
//! themselves (in chess every placement with such a lead has its own number). An [odometer] iterates
//! over consecutive numbers, and [count] computes the size of an index without building it.

pub mod combinatorics;
mod count;
mod fold;
mod folded;
mod keys;
mod odometer;
#[cfg(test)]
mod quarter_turns;
mod shape;
mod slice;
mod subset;

pub use shape::{Indexable, Slice, Step, Symmetry};

use crate::processor::{self, Baseline, Processor, Work};
use damka_games::{Color, Material, Position};
use folded::FoldedSlice;
use keys::Keys;
use odometer::Odometer;
use shape::weaker;
use slice::{Lead, RankedSlice, RankedStep};
use smallvec::SmallVec;
use std::ops::Range;

/// The perfect index of the positions with White to move in which White has the pieces `mover` and
/// Black has `opponent`: a one-to-one map between these positions and the numbers 0 to
/// [`len`](Index::len) - 1.
///
/// Where the board has symmetries, all positions that are images of each other share one number,
/// and [`position`](Index::position) returns one of them. Chess has two exceptions: if the leading
/// pieces are their own image, images
/// [have different numbers](Indexable::FOLDS_AFTER_SYMMETRIC_LEADS); and some numbers belong to
/// placements that are [not legal positions](Indexable::is_legal).
///
/// The placements are divided into slices in which the number of free squares at each step does not
/// depend on the pieces already placed ([`Indexable`]). Within a slice the number is a mixed-radix
/// number of ranks in the combinatorial number system, of men by their squares, of other pieces
/// [along a line](Indexable::line).
///
/// ```
/// use damka_games::{Game, Russian};
/// use damka_tables::{Index, Side, Signature};
///
/// let signature = Signature::parse(Russian, "KMvK").unwrap();
/// let [mover, opponent] = signature.to_move(Side::First);
/// let index = Index::new(Russian, mover, opponent);
/// // A man has 28 squares, the kings have the 31 and 30 that are left then.
/// assert_eq!(index.len(), 28 * 31 * 30);
/// let position = Russian.parse_fen("W:WKa1,c3:BKh8").unwrap();
/// assert_eq!(index.position(index.number(&position)), position);
/// ```
#[derive(Debug)]
pub struct Index<G> {
    game: G,
    /// The side that a signature names second.
    weaker: Color,
    /// In order of their first number. Stored inline if there is one slice, so that numbering a
    /// position follows few pointers.
    slices: SmallVec<[NumberedSlice; 1]>,
    keys: Keys,
    len: u64,
}

/// A slice and the numbers it covers.
#[derive(Debug)]
struct NumberedSlice {
    /// The first number.
    first: u64,
    slice: RankedSlice,
    /// Present if the board is symmetric.
    folded: Option<FoldedSlice>,
}

impl NumberedSlice {
    fn new<G: Indexable>(
        first: u64,
        slice: Slice,
        symmetries: &'static [Symmetry],
    ) -> NumberedSlice {
        let slice = RankedSlice::new::<G>(slice);
        let fold = || FoldedSlice::new::<G>(&slice, symmetries);
        let folded = (!symmetries.is_empty()).then(fold);
        NumberedSlice { first, slice, folded }
    }

    /// How many numbers it covers.
    fn len(&self) -> u64 {
        match &self.folded {
            None => self.slice.len(),
            Some(folded) => folded.len(),
        }
    }

    /// The lead, and the rank of the other steps; `number` is relative to the slice.
    #[inline]
    fn placement<G: Indexable>(&self, number: u64) -> (Lead, u64) {
        match &self.folded {
            None => self.slice.unrank_lead::<G>(number),
            Some(folded) => folded.placement(&self.slice, number),
        }
    }

    /// An odometer at the placement with this number, which is relative to the slice. It can
    /// advance as long as the lead does not change.
    fn odometer<G: Indexable>(&self, number: u64) -> Odometer<'_> {
        let (lead, rest) = self.placement::<G>(number);
        let odometer = Odometer::new::<G>(&self.slice, lead, rest);
        match &self.folded {
            // With symmetric leads, not every placement of the rest has a number.
            Some(folded) if !folded.is_plain(&self.slice, number) => odometer.stopped(),
            _ => odometer,
        }
    }
}

/// The work of numbering a position.
struct Numbering<'a, G: Indexable>(&'a Index<G>, &'a G::Position);

impl<G: Indexable> Work for Numbering<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> u64 {
        let Numbering(index, position) = self;
        index.number_with(processor, position)
    }
}

impl<G: Indexable> Index<G> {
    /// The index of the positions of `game` in which White, to move, has the pieces `mover` and
    /// Black has `opponent`.
    ///
    /// # Panics
    /// If one of the sides has no pieces.
    pub fn new(game: G, mover: Material, opponent: Material) -> Index<G> {
        assert!(mover.total() > 0 && opponent.total() > 0, "both sides need pieces");
        let slices = G::slices(&mover, &opponent);
        Index::with(game, mover, opponent, slices, G::symmetries(&mover, &opponent))
    }

    /// The index of the fibres of the positions that [`new`](Index::new) numbers, that is, of the
    /// placements of men alone. Wherever men are placed before the other pieces, the positions of a
    /// fibre have consecutive numbers, and fibres follow each other in this order.
    ///
    /// Its positions lack all other pieces. If there are no men, it has a single position without
    /// any pieces.
    pub fn fibres(game: G, mover: Material, opponent: Material) -> Index<G> {
        let mut slices = G::slices(&mover, &opponent);
        for (_, slice) in &mut slices {
            slice.retain(|step| G::MEN.contains(&step.kind));
        }
        // Slices that differ only in other pieces than men become one.
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
            slices: SmallVec::new(),
            keys: Keys::Sorted(Vec::new()),
            len: 0,
        };
        let mut keys = Vec::new();
        for (key, slice) in slices {
            let slice = NumberedSlice::new::<G>(index.len, slice, symmetries);
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

    /// The number of positions; symmetric ones are counted once.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a position.
    ///
    /// # Panics
    /// May panic, or return a wrong number, unless White is to move, the pieces are those of this
    /// index, and the position is legal.
    #[inline]
    pub fn number(&self, position: &G::Position) -> u64 {
        processor::run(Numbering(self, position))
    }

    /// Like [`number`](Index::number), for use inside other [`Work`].
    ///
    /// # Panics
    /// As [`number`](Index::number).
    #[inline(always)]
    pub fn number_with(&self, processor: impl Processor, position: &G::Position) -> u64 {
        debug_assert_eq!(position.turn(), Color::White);
        let key = G::slice_key(self.weaker, position);
        let NumberedSlice { first, slice, folded } = &self.slices.as_slice()[self.keys.number(key)];
        let pieces = |step: &RankedStep| position.pieces(step.color, step.kind).bits();
        first
            + match folded {
                None => slice.rank::<G>(processor, pieces),
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
        self.game.assemble(&slice.slice.unrank_rest::<G>(rest, lead), Color::White)
    }

    /// The positions with these numbers, in order, White to move. Quicker than calling
    /// [`position`](Index::position) for each.
    ///
    /// # Panics
    /// If a number is not below [`len`](Index::len).
    pub fn positions(&self, numbers: Range<u64>) -> impl Iterator<Item = G::Position> {
        self.positions_with(Baseline, numbers)
    }

    /// Like [`positions`](Index::positions), compiled for an instruction set: for code that already runs as
    /// [`Work`], and so has a `processor`.
    ///
    /// # Panics
    /// As [`positions`](Index::positions).
    #[inline(always)]
    pub fn positions_with(
        &self,
        processor: impl Processor,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = G::Position> {
        let mut odometer = Odometer::default();
        numbers.map(move |number| {
            if !odometer.advance::<G>(processor) {
                let (slice, number) = self.locate(number);
                odometer = slice.odometer::<G>(number);
            }
            self.game.assemble(odometer.pieces(), Color::White)
        })
    }

    /// The number of positions that share this number: 1 unless the board has symmetries.
    ///
    /// # Panics
    /// If `number` is not below [`len`](Index::len).
    #[inline]
    pub fn weight(&self, number: u64) -> u64 {
        let (slice, number) = self.locate(number);
        match &slice.folded {
            None => 1,
            Some(folded) => folded.weight::<G>(&slice.slice, number),
        }
    }

    /// The slice of a number, and the number relative to it.
    #[inline]
    fn locate(&self, number: u64) -> (&NumberedSlice, u64) {
        assert!(number < self.len, "number {number} of {}", self.len);
        let later = self.slices.partition_point(|slice| slice.first <= number);
        let slice = &self.slices[later - 1];
        (slice, number - slice.first)
    }
}
