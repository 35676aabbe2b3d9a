//! The index shape of each game: how the placements of a signature are divided into slices that are
//! plain products, and the symmetries of the board.

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
/// Everything here concerns positions with White to move; [`flip`](damka_games::Position::flip)
/// turns other positions into these.
pub trait Indexable: Game {
    /// The version of the index in table files. Incremented whenever the number of any position
    /// changes.
    const INDEX_VERSION: u16;

    /// Whether placements that are images of each other share a number even if their lead is its own
    /// image. This requires a list of all placements with such leads, which is expensive to build,
    /// and saves little if few leads are symmetric.
    const FOLDS_AFTER_SYMMETRIC_LEADS: bool = true;

    /// Whether tables with distances hold only the positions with the first side to move, if the
    /// sides of a signature differ. The values of the other positions follow from their moves.
    const DISTANCES_OF_ONE_SIDE: bool = false;

    /// Whether tables of `metric` hold the values with this side of a signature to move. If not, the
    /// values follow from those after each move, and the data at their numbers is meaningless.
    #[inline]
    fn holds_side(signature: &Signature<Self>, metric: Metric, side: Side) -> bool {
        !Self::DISTANCES_OF_ONE_SIDE
            || !metric.has_distances()
            || side == Side::First
            || signature.sides().len() == 1
    }

    /// Whether positions may have [conversions](Indexable::conversions).
    const HAS_CONVERSIONS: bool = false;

    /// The slices of the placements in which White, to move, has the pieces `mover` and Black has
    /// `opponent`, each with its key.
    fn slices(mover: &Material, opponent: &Material) -> Vec<(u64, Slice)>;

    /// The key of the slice of `position`, with White to move, if `weaker` is the weaker side.
    fn slice_key(weaker: Color, position: &Self::Position) -> u64;

    /// Maps a set of squares to places along a line through all squares, by which pieces other than
    /// men are ranked. Values change least from one number to the next, and compress best, if
    /// adjacent squares of the line attack much the same squares. Maps every zone of such pieces
    /// onto itself.
    fn line(squares: u64) -> u64 {
        squares
    }

    /// The squares of a set of places along the [line](Indexable::line).
    fn squares(line: u64) -> u64 {
        line
    }

    /// The side whose pieces other than men are placed first and are thus the more significant
    /// ones.
    fn leader(mover: &Material, opponent: &Material) -> Color;

    /// Whether any position has the two pieces of the [royal](Game::ROYAL) kind on these squares.
    /// Only called if these pieces lead.
    #[inline]
    fn may_lead(_first: Square, _second: Square) -> bool {
        true
    }

    /// The symmetries of the board, without the identity, that preserve every value of these
    /// materials. Together with the identity they form a group, so the inverse of each is among
    /// them.
    fn symmetries(mover: &Material, opponent: &Material) -> &'static [Symmetry];

    /// Whether a placement that has a number is a legal position, White to move. In chess it is not
    /// if White attacks the black king.
    #[inline]
    fn is_legal(_position: &Self::Position) -> bool {
        true
    }

    /// Whether tables store the value of a placement: it must be [legal](Indexable::is_legal) and
    /// not forced (a position in which only captures are legal). The value of a forced position
    /// follows from tables of fewer pieces. The data at the number of a value that is not stored is
    /// meaningless: it is whatever compresses best.
    #[inline]
    fn is_stored(position: &Self::Position) -> bool {
        Self::is_legal(position) && !position.captures_only()
    }

    /// The moves that a probe looks at before the table. If one of them reaches the value of the
    /// position, the table may hold any value that is not higher; otherwise its value is exact. In
    /// chess these are captures and promotions.
    #[inline(always)]
    fn conversions(_position: &Self::Position) -> MoveList<Self::Move> {
        MoveList::new()
    }

    /// The reason if no table has the value of this position, whatever its pieces: in chess, that a
    /// side may castle. The value of any other position with a [state](Position::state) follows from
    /// its moves.
    #[inline]
    fn no_table_reason(_position: &Self::Position) -> Option<&'static str> {
        None
    }
}

/// The side that a signature names second, if White has the pieces `mover`; Black if both sides are
/// equal.
pub(crate) fn weaker(mover: &Material, opponent: &Material) -> Color {
    match side_of(mover, opponent) {
        Side::First => Color::Black,
        Side::Second => Color::White,
    }
}

/// A symmetry of the board, applied to a set of squares.
pub type Symmetry = fn(u64) -> u64;

/// A set of placements that is a plain product: pieces are placed step by step, and the number of
/// free squares at each step is the same for all placements. The first step is the most significant
/// one and leads; if the first two steps place the two pieces of the [royal](Game::ROYAL) kind,
/// both lead. The symmetries map the zones onto themselves.
pub type Slice = Vec<Step>;

/// Like pieces that are placed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The owner.
    pub color: Color,
    /// The kind.
    pub kind: Kind,
    /// The number of pieces.
    pub count: u32,
    /// The squares for these pieces, except those that earlier steps occupy. The zone of each earlier
    /// step lies within this one or outside it.
    pub zone: Range<u32>,
}

impl Step {
    /// Whether the zone of an earlier step lies within this step's zone.
    ///
    /// # Panics
    /// If the zones overlap without being nested.
    pub(super) fn encloses(&self, earlier: &Step) -> bool {
        let (zone, other) = (&self.zone, &earlier.zone);
        let inside = zone.start <= other.start && other.end <= zone.end;
        let outside = other.end <= zone.start || zone.end <= other.start;
        assert!(inside || outside, "zones must be nested or disjoint");
        inside
    }
}
