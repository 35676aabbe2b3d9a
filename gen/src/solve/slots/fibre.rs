//! A fibre, and the scores of its positions.

use super::board::{Kind, SQUARES, Symmetry};
use super::pairs::KingPairs;
use crate::solve::score::{DRAW, NONE, WIN};
use damka_games::Color;

/// A piece that has an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) color: Color,
}

/// The positions that share a placement of the pawns: each side has a king, and there are these
/// pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fibre {
    /// In the order of their axes.
    pieces: Vec<Piece>,
    /// The squares of White's and Black's pawns.
    pawns: [u64; 2],
}

impl Fibre {
    /// The fibre with these pieces, in any order, and pawns.
    pub(super) fn new(mut pieces: Vec<Piece>, pawns: [u64; 2]) -> Fibre {
        // Pieces that reach far move along whole vectors, the others along bits, which is dear.
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

    /// The cells of a slot.
    pub(super) fn cells(&self) -> usize {
        SQUARES.pow(self.pieces.len() as u32)
    }

    /// The axes of this side's pieces.
    pub(super) fn axes_of(&self, color: Color) -> impl Iterator<Item = usize> {
        (0..self.pieces.len()).filter(move |&axis| self.pieces[axis].color == color)
    }

    /// The mirror image, left and right exchanged.
    pub(super) fn mirrored(&self) -> Fibre {
        let pawns = self.pawns.map(|pawns| Symmetry::MIRROR.set(pawns));
        Fibre { pieces: self.pieces.clone(), pawns }
    }

    /// The fibre with colours exchanged and the board turned accordingly.
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

    /// The fibre without this pawn.
    pub(super) fn without_pawn(&self, square: u8) -> Fibre {
        let pawns = self.pawns.map(|pawns| pawns & !(1 << square));
        Fibre { pieces: self.pieces.clone(), pawns }
    }

    /// The fibre with a pawn more.
    pub(super) fn with_pawn(&self, color: Color, square: u8) -> Fibre {
        let mut fibre = self.clone();
        fibre.pawns[color as usize] |= 1 << square;
        fibre
    }

    /// The fibre with a piece more, and its axis.
    pub(super) fn with_piece(&self, piece: Piece) -> (Fibre, usize) {
        let mut fibre = self.clone();
        let axis = fibre.pieces.partition_point(|&other| other < piece);
        fibre.pieces.insert(axis, piece);
        (fibre, axis)
    }
}

/// The scores of all positions of a fibre, by side to move: a byte for each cell of each slot.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) fibre: Fibre,
    pub(super) scores: [Vec<u8>; 2],
}

/// A frame as it is looked at: from another side of the board, perhaps with colours exchanged.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    frame: &'a Frame,
    /// Where squares are in the frame.
    seen: Symmetry,
    /// White is Black in the frame.
    is_exchanged: bool,
}

/// Where solved fibres are found.
pub(super) trait Solved {
    /// The frame of a fibre, or of its mirror image.
    ///
    /// # Panics
    /// If it has not been solved.
    fn view(&self, fibre: &Fibre) -> View<'_>;
}

impl View<'_> {
    /// Copies the scores of the positions with `mover` to move, the kings on these squares, and if
    /// one piece is `fixed`, given by its axis, with this one on its square: a byte for each
    /// placement of the others. Returns whether the kings can stand there.
    pub(super) fn copy(
        &self,
        mover: Color,
        kings: [u8; 2],
        fixed: Option<(usize, u8)>,
        into: &mut [u8],
    ) -> bool {
        let Some(place) = self.place(mover, kings) else { return false };
        let (from, images) = (place.scores, place.images);
        let axes = self.frame.fibre.pieces.len();
        let stride = |axis: usize| SQUARES.pow((axes - 1 - self.axis(axis)) as u32);
        let first = fixed.map_or(0, |(axis, square)| images[usize::from(square)] * stride(axis));
        let free = (0..axes).filter(|&axis| fixed.is_none_or(|(fixed, _)| axis != fixed));
        let mut strides: Vec<usize> = free.map(stride).collect();
        let Some(last) = strides.pop() else {
            into[0] = from[first];
            return true;
        };
        let is_same = last == 1 && images[1] == 1 && images[8] == 8;
        for (row, into) in into.as_chunks_mut::<SQUARES>().0.iter_mut().enumerate() {
            let mut rest = row;
            let start = strides.iter().rev().fold(first, |start, stride| {
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
        true
    }

    /// The score of one position; `None` if the kings cannot stand there.
    pub(super) fn score(&self, mover: Color, kings: [u8; 2], places: &[u8]) -> Option<u8> {
        let place = self.place(mover, kings)?;
        Some(place.scores[self.cell(&place, places)])
    }

    /// The cell of pieces that stand on these squares.
    fn cell(&self, place: &Place<'_>, places: &[u8]) -> usize {
        let axes = places.len();
        let shift = |axis: usize| 6 * (axes - 1 - self.axis(axis));
        let places = places.iter().enumerate();
        places.map(|(axis, &square)| place.images[usize::from(square)] << shift(axis)).sum()
    }

    /// Where the scores of these kings are.
    fn place(&self, mover: Color, [white, black]: [u8; 2]) -> Option<Place<'_>> {
        let (mover, kings) = match self.is_exchanged {
            true => (!mover, [black, white]),
            false => (mover, [white, black]),
        };
        let fibre = &self.frame.fibre;
        let (slot, symmetry) = fibre.pairs().find(kings.map(|square| self.seen.square(square)))?;
        let cells = fibre.cells();
        let scores = &self.frame.scores[mover as usize][slot * cells..][..cells];
        let image = |square: usize| symmetry.square(self.seen.square(square as u8)).into();
        Some(Place { scores, images: std::array::from_fn(image) })
    }

    /// The axis that one of the fibre that looks has in the frame. Of each kind White's pieces
    /// come first.
    fn axis(&self, axis: usize) -> usize {
        if !self.is_exchanged {
            return axis;
        }
        let pieces = &self.frame.fibre.pieces;
        let kind = pieces[axis].kind;
        let number = |color| pieces.iter().filter(|p| p.kind == kind && p.color == color).count();
        let first = pieces.partition_point(|piece| piece.kind < kind);
        // Those seen first are the frame's black ones.
        let (white, black) = (number(Color::White), number(Color::Black));
        let nth = axis - first;
        first + if nth < black { white + nth } else { nth - black }
    }
}

/// The scores of a slot, and where squares are in it.
struct Place<'a> {
    scores: &'a [u8],
    images: [usize; SQUARES],
}

/// The positions of a fibre with one side to move, without symmetry, by value, and the longest
/// distances in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) longest_win: u16,
    pub(super) longest_loss: u16,
}

impl Counts {
    /// Takes in those of another fibre.
    pub(super) fn add(&mut self, other: &Counts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.longest_win = self.longest_win.max(other.longest_win);
        self.longest_loss = self.longest_loss.max(other.longest_loss);
    }
}

impl<'a> View<'a> {
    /// A frame, or its mirror image.
    pub(super) fn new(frame: &'a Frame, is_mirrored: bool) -> View<'a> {
        let seen = if is_mirrored { Symmetry::MIRROR } else { Symmetry::IDENTITY };
        View { frame, seen, is_exchanged: false }
    }

    /// The same with colours exchanged and the board turned accordingly.
    pub(super) fn exchanged(self) -> View<'a> {
        let seen = self.seen.flipped();
        View { seen, is_exchanged: !self.is_exchanged, ..self }
    }

    /// Counts the positions with this side to move.
    pub(super) fn count(&self, mover: Color) -> Counts {
        let Frame { fibre, scores } = self.frame;
        let pairs = fibre.pairs();
        let mut counts = Counts::default();
        for (slot, scores) in scores[mover as usize].chunks(fibre.cells()).enumerate() {
            let mut by_score = [0u64; 256];
            scores.iter().for_each(|&score| by_score[usize::from(score)] += 1);
            let weight = u64::from(pairs.weight(slot));
            let mut add = |score: u8, counted: u64| {
                if counted == 0 {
                    return;
                }
                let number = weight * counted;
                match score {
                    0..DRAW => {
                        counts.losses += number;
                        counts.longest_loss = counts.longest_loss.max(2 * u16::from(score));
                    }
                    DRAW => counts.draws += number,
                    NONE => {}
                    _ => {
                        counts.wins += number;
                        counts.longest_win = counts.longest_win.max(2 * u16::from(WIN - score) + 1);
                    }
                }
            };
            (0..=255).for_each(|score| add(score, by_score[usize::from(score)]));
        }
        counts
    }
}
