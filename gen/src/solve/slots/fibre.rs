//! Fibres, and the scores of their positions.

use super::board::{AxisKind, SQUARES, Symmetry, squares};
use super::pairs::KingPairs;
use crate::solve::score::{self, NONE};
use damka_games::Color;
use damka_tables::MAX_TABLE_PIECES;
use damka_tables::metric::Histogram;

/// A piece that has an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Piece {
    pub(super) kind: AxisKind,
    pub(super) color: Color,
}

/// The positions that share a placement of the pawns: a king on each side, and these pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fibre {
    /// In the order of their axes.
    pieces: Vec<Piece>,
    /// The squares of White's and Black's pawns.
    pawns: [u64; 2],
}

impl Fibre {
    /// The fibre with these pieces, in any order, and these pawns.
    pub(super) fn new(mut pieces: Vec<Piece>, pawns: [u64; 2]) -> Fibre {
        // Long-range pieces come first: they move along whole vectors; moving along bits is
        // expensive.
        pieces.sort_unstable();
        Fibre { pieces, pawns }
    }

    /// The pieces in the order of their axes.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The squares of White's and Black's pawns.
    pub(super) fn pawns(&self) -> [u64; 2] {
        self.pawns
    }

    /// The squares of all pawns.
    pub(super) fn all_pawns(&self) -> u64 {
        self.pawns[0] | self.pawns[1]
    }

    /// The slots.
    pub(super) fn pairs(&self) -> &'static KingPairs {
        if self.all_pawns() == 0 { KingPairs::folded() } else { KingPairs::beside_pawns() }
    }

    /// The number of cells in a slot.
    pub(super) fn cells(&self) -> usize {
        SQUARES.pow(self.pieces.len() as u32)
    }

    /// The axes of this side's pieces.
    pub(super) fn axes_of(&self, color: Color) -> impl Iterator<Item = usize> {
        (0..self.pieces.len()).filter(move |&axis| self.pieces[axis].color == color)
    }

    /// The mirror image, with left and right exchanged.
    pub(super) fn mirrored(&self) -> Fibre {
        let pawns = self.pawns.map(|pawns| Symmetry::MIRROR.set(pawns));
        Fibre { pieces: self.pieces.clone(), pawns }
    }

    /// The fibre with colours exchanged and the board flipped.
    pub(super) fn exchanged(&self) -> Fibre {
        let exchange = |piece: &Piece| Piece { color: !piece.color, ..*piece };
        let [white, black] = self.pawns.map(u64::swap_bytes);
        Fibre::new(self.pieces.iter().map(exchange).collect(), [black, white])
    }

    /// The fibre without the piece of this axis.
    pub(super) fn without_piece(&self, axis: usize) -> Fibre {
        let mut fibre = self.clone();
        fibre.pieces.remove(axis);
        fibre
    }

    /// The fibre without the pawn on this square.
    pub(super) fn without_pawn(&self, square: u8) -> Fibre {
        let pawns = self.pawns.map(|pawns| pawns & !(1 << square));
        Fibre { pieces: self.pieces.clone(), pawns }
    }

    /// The fibre with one more pawn.
    pub(super) fn with_pawn(&self, color: Color, square: u8) -> Fibre {
        let mut fibre = self.clone();
        fibre.pawns[color as usize] |= 1 << square;
        fibre
    }

    /// The fibre with one more piece, and the axis of that piece.
    pub(super) fn with_piece(&self, piece: Piece) -> (Fibre, usize) {
        let mut fibre = self.clone();
        let axis = fibre.pieces.partition_point(|&other| other < piece);
        fibre.pieces.insert(axis, piece);
        (fibre, axis)
    }
}

/// The scores of the positions of a fibre, or the part of them that is kept: a byte for each cell of
/// each slot.
#[derive(Debug)]
pub(super) struct SlotFrame {
    pub(super) fibre: Fibre,
    /// All scores, by side to move; `None` if only `promoted` is kept.
    pub(super) whole: Option<[Vec<u8>; 2]>,
    /// The scores of positions with a newly promoted piece.
    promoted: Vec<Promoted>,
}

/// The scores of positions in which a piece stands on a promotion square, with the other side to
/// move.
#[derive(Clone, Debug)]
struct Promoted {
    /// The promoted piece; its axis is the first of like pieces.
    piece: Piece,
    /// By slot, square of the piece, and cell of the others.
    scores: Vec<u8>,
}

/// The squares on which a piece of a fibre may have been promoted. Without pawns these are all border
/// squares, because symmetric placements share a slot.
fn promotion_squares(fibre: &Fibre, color: Color) -> u64 {
    const BORDER: u64 = 0xFF81_8181_8181_81FF;
    match (fibre.all_pawns(), color) {
        (0, _) => BORDER,
        (_, Color::White) => 0xFF << 56,
        (_, Color::Black) => 0xFF,
    }
}

/// The rank of a square in a set that contains it.
fn place_in(set: u64, square: usize) -> usize {
    (set & ((1 << square) - 1)).count_ones() as usize
}

impl SlotFrame {
    /// A frame with all scores, by side to move.
    pub(super) fn new(fibre: Fibre, scores: [Vec<u8>; 2]) -> SlotFrame {
        SlotFrame { fibre, whole: Some(scores), promoted: Vec::new() }
    }

    /// Whether some position has this score.
    pub(super) fn contains_score(&self, score: u8) -> bool {
        self.whole.iter().flatten().any(|scores| scores.contains(&score))
    }

    /// A frame with room for all scores.
    pub(super) fn empty(fibre: Fibre) -> SlotFrame {
        let side = || vec![NONE; fibre.pairs().len() * fibre.cells()];
        SlotFrame::new(fibre.clone(), [side(), side()])
    }

    /// A frame with room for the scores that promotions to `pieces` can reach. Ignores pieces that
    /// the fibre does not have.
    pub(super) fn empty_after_promotions(fibre: Fibre, pieces: &[Piece]) -> SlotFrame {
        let has = |piece: &&Piece| fibre.pieces().contains(piece);
        let promoted = pieces.iter().filter(has).map(|&piece| {
            let bytes = SlotFrame::promoted_bytes(&fibre, piece.color);
            Promoted { piece, scores: vec![NONE; bytes] }
        });
        let promoted = promoted.collect();
        SlotFrame { fibre, whole: None, promoted }
    }

    /// The scores, in an order that depends only on the fibre and on what is kept.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let promoted = self.promoted.iter().map(|promoted| &promoted.scores[..]);
        self.whole.iter().flatten().map(|scores| &scores[..]).chain(promoted)
    }

    /// Like [`parts`](SlotFrame::parts), to be filled.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let promoted = self.promoted.iter_mut().map(|promoted| &mut promoted.scores[..]);
        self.whole.iter_mut().flatten().map(|scores| &mut scores[..]).chain(promoted)
    }

    /// A frame reduced to the scores that promotions to these pieces can reach.
    pub(super) fn after_promotions(&self, pieces: &[Piece]) -> SlotFrame {
        let promoted = pieces.iter().filter_map(|&piece| match &self.whole {
            Some(whole) => self.promoted_in(&whole[!piece.color as usize], piece),
            None => self.promoted.iter().find(|promoted| promoted.piece == piece).cloned(),
        });
        let promoted = promoted.collect();
        SlotFrame { fibre: self.fibre.clone(), whole: None, promoted }
    }

    /// Selects from `scores`, those with the other side to move, the ones that promotions to
    /// `piece` can reach; `None` if the fibre has no such piece.
    fn promoted_in(&self, scores: &[u8], piece: Piece) -> Option<Promoted> {
        let axis = self.fibre.pieces().iter().position(|&other| other == piece)?;
        let (cells, axes) = (self.fibre.cells(), self.fibre.pieces().len());
        let stride = SQUARES.pow((axes - 1 - axis) as u32);
        let set = promotion_squares(&self.fibre, piece.color);
        let mut promoted = Vec::with_capacity(SlotFrame::promoted_bytes(&self.fibre, piece.color));
        for slot in scores.chunks_exact(cells) {
            for square in squares(set).map(usize::from) {
                for block in slot.chunks_exact(SQUARES * stride) {
                    promoted.extend_from_slice(&block[square * stride..][..stride]);
                }
            }
        }
        Some(Promoted { piece, scores: promoted })
    }

    /// Drops the scores that only promotions to other pieces can reach.
    pub(super) fn retain_promotions(&mut self, pieces: &[Piece]) {
        self.promoted.retain(|promoted| pieces.contains(&promoted.piece));
    }

    /// The bytes of the scores that a promotion to a piece of this colour can reach in a fibre's
    /// frame.
    pub(super) fn promoted_bytes(fibre: &Fibre, color: Color) -> usize {
        let squares = promotion_squares(fibre, color).count_ones() as usize;
        fibre.pairs().len() * squares * (fibre.cells() / SQUARES)
    }
}

/// A view of a frame through a symmetry of the board, possibly with colours exchanged.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    frame: &'a SlotFrame,
    /// Maps squares of the view to squares of the frame.
    to_frame: Symmetry,
    /// White in the view is Black in the frame.
    is_exchanged: bool,
}

/// Access to solved fibres.
pub(super) trait Solved {
    /// The frame of a fibre, or of its mirror image.
    ///
    /// # Panics
    /// If it has not been solved.
    fn view(&self, fibre: &Fibre) -> View<'_>;
}

impl View<'_> {
    /// Copies the scores of the positions with `mover` to move and the kings on these squares. If
    /// `fixed` gives an axis and a square, copies only positions with that piece on that square.
    /// `into` receives a byte for each placement of the other pieces. Returns whether the kings can
    /// stand there.
    ///
    /// # Panics
    /// If the frame does not keep these scores.
    pub(super) fn copy(
        &self,
        mover: Color,
        kings: [u8; 2],
        fixed: Option<(usize, u8)>,
        into: &mut [u8],
    ) -> bool {
        let Some(place) = self.place(mover, kings) else { return false };
        let images = place.images;
        let axes = self.frame.fibre.pieces.len();
        let (from, first, fixed_axis) = match fixed {
            None => (place.whole(self.frame), 0, axes),
            Some((axis, square)) => {
                let (axis, square) = (self.axis(axis), images[usize::from(square)]);
                match &self.frame.whole {
                    Some(_) => {
                        let stride = SQUARES.pow((axes - 1 - axis) as u32);
                        (place.whole(self.frame), square * stride, axis)
                    }
                    None => return self.copy_promoted(&place, axis, square, into),
                }
            }
        };
        let free = (0..axes).map(|axis| self.axis(axis)).filter(|&axis| axis != fixed_axis);
        let strides = free.map(|axis| SQUARES.pow((axes - 1 - axis) as u32));
        copy_cells(&from[first..], images, strides, into);
        true
    }

    /// Like [`copy`](View::copy), from the scores kept for promotions.
    fn copy_promoted(&self, place: &ViewSlot, axis: usize, square: usize, into: &mut [u8]) -> bool {
        let fibre = &self.frame.fibre;
        let axes = fibre.pieces.len();
        let piece = fibre.pieces[axis];
        let promoted = self.frame.promoted.iter().find(|promoted| promoted.piece == piece);
        let promoted = promoted.expect("kept for this promotion");
        debug_assert_eq!(place.mover, !piece.color, "the other side is to move");
        let set = promotion_squares(fibre, piece.color);
        let cells = fibre.cells() / SQUARES;
        let row = place.slot * set.count_ones() as usize + place_in(set, square);
        let from = &promoted.scores[row * cells..][..cells];
        // Like pieces are interchangeable.
        let free = (0..axes).map(|axis| self.axis(axis)).filter(|&other| other != axis);
        let number = |other: usize| if other < axis { other } else { other - 1 };
        let strides = free.map(|other| SQUARES.pow((axes - 2 - number(other)) as u32));
        copy_cells(from, place.images, strides, into);
        true
    }

    /// The place of the scores of these kings; `None` if the kings cannot stand there.
    fn place(&self, mover: Color, [white, black]: [u8; 2]) -> Option<ViewSlot> {
        let (mover, kings) = match self.is_exchanged {
            true => (!mover, [black, white]),
            false => (mover, [white, black]),
        };
        let pairs = self.frame.fibre.pairs();
        let (slot, symmetry) = pairs.find(kings.map(|square| self.to_frame.square(square)))?;
        Some(ViewSlot { mover, slot, images: self.to_frame.images(symmetry) })
    }

    /// The frame's axis for an axis of the view. Within a kind, White's pieces come first.
    fn axis(&self, axis: usize) -> usize {
        if !self.is_exchanged {
            return axis;
        }
        let pieces = &self.frame.fibre.pieces;
        let kind = pieces[axis].kind;
        let number = |color| pieces.iter().filter(|p| p.kind == kind && p.color == color).count();
        let first = pieces.partition_point(|piece| piece.kind < kind);
        // The view's white pieces are the frame's black ones.
        let (white, black) = (number(Color::White), number(Color::Black));
        let nth = axis - first;
        first + if nth < black { white + nth } else { nth - black }
    }
}

/// A slot with a side to move, and the map from squares of the view to squares of the frame.
struct ViewSlot {
    mover: Color,
    slot: usize,
    images: &'static [usize; SQUARES],
}

impl ViewSlot {
    /// All scores of the slot.
    ///
    /// # Panics
    /// If the frame does not keep them.
    fn whole<'a>(&self, frame: &'a SlotFrame) -> &'a [u8] {
        let cells = frame.fibre.cells();
        let whole = frame.whole.as_ref().expect("all scores");
        &whole[self.mover as usize][self.slot * cells..][..cells]
    }
}

/// Copies the scores of cells. `images` maps each square to its place in `from`; `strides` has the
/// distance of adjacent squares on each axis.
fn copy_cells(
    from: &[u8],
    images: &[usize; SQUARES],
    strides: impl Iterator<Item = usize>,
    into: &mut [u8],
) {
    // A fixed array avoids an allocation; it has room for all pieces of a signature.
    let mut buffer = [0; MAX_TABLE_PIECES as usize];
    let strides = buffer.iter_mut().zip(strides).map(|(place, stride)| *place = stride).count();
    let Some((&last, strides)) = buffer[..strides].split_last() else {
        into[0] = from[0];
        return;
    };
    let is_same = last == 1 && images[1] == 1 && images[8] == 8;
    for (row, into) in into.as_chunks_mut::<SQUARES>().0.iter_mut().enumerate() {
        let mut rest = row;
        let start = strides.iter().rev().fold(0, |start, stride| {
            let square = rest % SQUARES;
            rest /= SQUARES;
            start + images[square] * stride
        });
        if is_same {
            into.copy_from_slice(&from[start..start + SQUARES]);
        } else {
            let scores = images.iter().map(|image| from[start + image * last]);
            into.iter_mut().zip(scores).for_each(|(into, score)| *into = score);
        }
    }
}

impl<'a> View<'a> {
    /// A view of a frame, or of its mirror image.
    pub(super) fn new(frame: &'a SlotFrame, is_mirrored: bool) -> View<'a> {
        let to_frame = if is_mirrored { Symmetry::MIRROR } else { Symmetry::IDENTITY };
        View { frame, to_frame, is_exchanged: false }
    }

    /// The view with colours exchanged and the board flipped.
    pub(super) fn exchanged(self) -> View<'a> {
        let to_frame = self.to_frame.flipped();
        View { to_frame, is_exchanged: !self.is_exchanged, ..self }
    }

    /// Counts the positions with this side to move, symmetric ones individually. Each is counted once
    /// for every permutation of like pieces.
    pub(super) fn count(&self, mover: Color) -> Histogram {
        let SlotFrame { fibre, whole, .. } = self.frame;
        let scores = whole.as_ref().expect("all scores");
        let pairs = fibre.pairs();
        let mut by_score = [0u64; 256];
        for (slot, scores) in scores[mover as usize].chunks(fibre.cells()).enumerate() {
            let weight = u64::from(pairs.weight(slot));
            scores.iter().for_each(|&score| by_score[usize::from(score)] += weight);
        }
        let counts = (0..NONE).zip(by_score);
        counts.map(|(score, count)| (score::value(score), count)).collect()
    }
}
