//! The index shape of each game: how the placements of a signature are cut into
//! slices that are plain products, and which symmetries the board has.

mod alapo;
mod chess;
mod draughts;

use crate::metric::Metric;
use crate::signature::side_of;
use crate::{Side, Signature};
use damka_games::{Color, Game, Kind, Material, MoveList, Position, Square};
use std::ops::Range;

/// A game whose positions can be numbered: the shape of its index.
///
/// Everything here is about positions with White to move:
/// [`flip`](damka_games::Position::flip) turns the others into these.
pub trait Indexable: Game {
    /// Identifies the index in table files: grows whenever the number of any
    /// position changes.
    const INDEX_VERSION: u16;

    /// Whether images of each other share a number also behind leads that are symmetric
    /// themselves. That takes what is dear to make: a list of all placements there. Where few
    /// leads are symmetric it saves little.
    const FOLDS_BEHIND_SYMMETRIC_LEADS: bool = true;

    /// Whether tables with distances hold them with one side to move alone, the first, where a
    /// signature tells its sides apart. With the other one to move they follow from its moves.
    const DISTANCES_OF_ONE_SIDE: bool = false;

    /// Whether tables of `metric` hold values with this side of a signature to move. Otherwise they
    /// follow from those of the moves, and what stands at their numbers means nothing.
    #[inline]
    fn is_held(signature: &Signature<Self>, metric: Metric, side: Side) -> bool {
        !Self::DISTANCES_OF_ONE_SIDE
            || metric == Metric::Wdl
            || side == Side::First
            || signature.sides().len() == 1
    }

    /// The slices of the placements in which White, to move, has the pieces
    /// `mover` and Black has `opponent`, each with its key.
    fn slices(mover: &Material, opponent: &Material) -> Vec<(u64, Slice)>;

    /// The key of the slice that `position`, White to move, belongs to if this side
    /// is the weaker one.
    fn slice_key(weaker: Color, position: &Self::Position) -> u64;

    /// The places of a set of squares along a line through all of them, along which
    /// pieces other than men are ranked. Values change least from one number to
    /// the next, and compress best, if neighbours on the line see much of the
    /// same. Maps every zone of such pieces onto itself.
    fn line(squares: u64) -> u64 {
        squares
    }

    /// The squares of a set of places along the [line](Indexable::line).
    fn squares(line: u64) -> u64 {
        line
    }

    /// Whose pieces, other than men, are placed first and so vary slowest.
    fn leader(mover: &Material, opponent: &Material) -> Color;

    /// Whether there are positions in which the two pieces of the
    /// [royal](Game::ROYAL) kind, if they lead, stand on these squares.
    #[inline]
    fn may_lead(_first: Square, _second: Square) -> bool {
        true
    }

    /// The maps of the board onto itself, besides the identity, that leave
    /// every value of these materials the same. Together with the identity they
    /// form a group: the inverse of each is among them, whichever it is.
    fn symmetries(mover: &Material, opponent: &Material) -> &'static [Symmetry];

    /// Whether a placement that has a number is a legal position, White to move. In chess
    /// it is none where White attacks the black king.
    #[inline]
    fn is_legal(_position: &Self::Position) -> bool {
        true
    }

    /// Whether tables hold the value of a placement: it is [legal](Indexable::is_legal), and not
    /// one in which only captures are. The value of such a one follows from tables of fewer
    /// pieces. What stands at the number of a value that is not held means nothing: it is what
    /// compresses best.
    #[inline]
    fn is_stored(position: &Self::Position) -> bool {
        Self::is_legal(position) && !position.captures_only()
    }

    /// The moves that are looked at before the table is: where one of them reaches the value of a
    /// position, the table holds any value that is no more. Whatever else it holds is exact. In
    /// chess these are captures and promotions.
    #[inline(always)]
    fn conversions(_position: &Self::Position) -> MoveList<Self::Move> {
        MoveList::new()
    }

    /// Why no table tells the value of a position, whatever its pieces; in chess, because a
    /// side may castle. Of other positions with a [state](Position::state) the best move tells
    /// it.
    #[inline]
    fn no_table(_position: &Self::Position) -> Option<&'static str> {
        None
    }
}

/// The side that a signature names second, White having the pieces `mover`; Black
/// if both sides have the same.
pub(crate) fn weaker(mover: &Material, opponent: &Material) -> Color {
    match side_of(mover, opponent) {
        Side::First => Color::Black,
        Side::Second => Color::White,
    }
}

/// A map of the board onto itself, applied to a set of squares.
pub type Symmetry = fn(u64) -> u64;

/// A set of placements that is a plain product: pieces are placed step by step,
/// and the number of free squares at each step is the same for all placements.
/// The first step varies slowest; it leads, or, where the first two place the two pieces of
/// the [royal](Game::ROYAL) kind, both of them do. The zones are mapped onto themselves by the
/// symmetries.
pub type Slice = Vec<Step>;

/// Like pieces that are placed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The owner.
    pub color: Color,
    /// The kind.
    pub kind: Kind,
    /// How many.
    pub count: u32,
    /// On which squares, as far as earlier steps left them free. Zones of
    /// earlier steps lie within this one or outside it.
    pub zone: Range<u32>,
}

impl Step {
    /// Whether an earlier step takes some of the squares of this one.
    ///
    /// # Panics
    /// If the zone of the other step lies neither within this one nor outside it.
    pub(super) fn encloses(&self, earlier: &Step) -> bool {
        let (zone, other) = (&self.zone, &earlier.zone);
        let inside = zone.start <= other.start && other.end <= zone.end;
        let outside = other.end <= zone.start || zone.end <= other.start;
        assert!(inside || outside, "zones must be nested or disjoint");
        inside
    }
}
