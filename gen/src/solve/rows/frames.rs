use super::placements::{self, Placements};
use crate::GenError;
use crate::parallel;
use crate::solve::arrays::{LargeArray, ScratchFiles};
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::men::men_of;
use crate::solve::part::Part;
use crate::solve::score::{self, DRAW, LOSS, WIN};
use damka_games::{Color, Material, Pieces};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable};
use std::sync::Arc;

/// The scores of all positions of two materials, White's and Black's, forced positions included.
/// For each fibre and side to move there is a frame: a row for each placement of the kings that are
/// not to move, with a score for each placement of those that are.
#[derive(Debug)]
pub struct Frames<G> {
    metric: Metric,
    /// White's and Black's.
    materials: [Material; 2],
    /// Numbers the fibres; White's men are the mover's.
    fibres: Index<G>,
    /// White's and Black's.
    placements: [Arc<Placements>; 2],
    /// The fibres that have values.
    part: Part,
    /// The frames of all fibres, by side to move.
    arrays: [LargeArray; 2],
}

/// The least number of bytes that a thread fills at a time.
const TASK_BYTES: usize = 1 << 12;

/// The scores of one fibre with one side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    is_packed: bool,
    columns: usize,
    packed: &'a [u8],
}

/// Whether four scores share a byte in rows of this many scores: without distances, unless a row is
/// a single score, which takes a whole byte in any case.
fn is_packed(metric: Metric, columns: usize) -> bool {
    !metric.has_distances() && columns != 1
}

/// The bytes in a row of this many scores: one per score with distances, otherwise one per four
/// scores.
pub(super) fn row_bytes(metric: Metric, columns: usize) -> usize {
    bytes_in_row(is_packed(metric, columns), columns)
}

#[inline(always)]
fn bytes_in_row(is_packed: bool, columns: usize) -> usize {
    if is_packed { columns.div_ceil(4) } else { columns }
}

/// Appends packed rows of scores to `packed`. Without distances, a row of several scores is split
/// into four parts of equal length, and byte i holds score i of each part, two bits each. Adjacent
/// bytes thus hold adjacent scores.
pub(super) fn pack_rows(metric: Metric, scores: &[u8], columns: usize, packed: &mut Vec<u8>) {
    if !is_packed(metric, columns) {
        return packed.extend_from_slice(scores);
    }
    let bytes = row_bytes(metric, columns);
    let start = packed.len();
    packed.resize(start + scores.len() / columns * bytes, 0);
    let packed = &mut packed[start..];
    for (row, packed) in scores.chunks_exact(columns).zip(packed.chunks_exact_mut(bytes)) {
        for (part, scores) in row.chunks(bytes).enumerate() {
            for (byte, &score) in packed.iter_mut().zip(scores) {
                // 0 loss, 1 draw, 2 win.
                *byte |= (u8::from(score >= DRAW) + u8::from(score > DRAW)) << (2 * part);
            }
        }
    }
}

/// Whether packed rows of `columns` scores contain only valid scores of positions.
pub(super) fn are_rows(metric: Metric, packed: &[u8], columns: usize) -> bool {
    match (metric.has_distances(), is_packed(metric, columns)) {
        (true, _) => packed.iter().all(|&score| score::is_value(score)),
        (false, false) => packed.iter().all(|score| [LOSS, DRAW, WIN].contains(score)),
        // None of the four two-bit codes is 3.
        _ => packed.iter().all(|byte| byte & byte >> 1 & 0x55 == 0),
    }
}

impl<'a> Frame<'a> {
    /// A frame of packed rows of `columns` scores.
    #[inline]
    pub(super) fn new(metric: Metric, columns: usize, packed: &'a [u8]) -> Frame<'a> {
        Frame { is_packed: is_packed(metric, columns), columns, packed }
    }

    /// The frame of a side to move that has no pieces and has therefore lost.
    pub(super) const LOST: Frame<'static> = Frame { is_packed: false, columns: 0, packed: &[] };

    /// The scores of a row; `buffer` is used for unpacking.
    #[inline(always)]
    pub(super) fn row<'b>(&self, row: usize, buffer: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        if self.columns == 0 {
            return &[LOSS];
        }
        let bytes = bytes_in_row(self.is_packed, self.columns);
        let packed: &'a [u8] = &self.packed[row * bytes..][..bytes];
        match self.is_packed {
            false => packed,
            true => {
                buffer.resize(self.columns, 0);
                for (part, scores) in buffer.chunks_mut(bytes).enumerate() {
                    for (score, &byte) in scores.iter_mut().zip(packed) {
                        // 0, 127, 254.
                        let code = byte >> (2 * part) & 3;
                        *score = (code << 7).wrapping_sub(code);
                    }
                }
                buffer
            }
        }
    }

    /// The scores of all rows of a frame with a single column.
    #[inline(always)]
    pub(super) fn column(&self) -> &'a [u8] {
        debug_assert_eq!(self.columns, 1);
        self.packed
    }

    /// One score.
    #[inline(always)]
    pub(super) fn get(&self, row: usize, column: usize) -> u8 {
        if self.columns == 0 {
            return LOSS;
        }
        match self.is_packed {
            false => self.packed[row * self.columns + column],
            true => {
                let bytes = bytes_in_row(self.is_packed, self.columns);
                let byte = self.packed[row * bytes + column % bytes];
                match byte >> (2 * (column / bytes)) & 3 {
                    0 => LOSS,
                    1 => DRAW,
                    _ => WIN,
                }
            }
        }
    }
}

impl<G: Indexable> Frames<G> {
    /// Memory for the frames of all fibres of these materials.
    pub(crate) fn footprint(
        game: G,
        materials: [Material; 2],
        options: MemoryOptions,
    ) -> Footprint {
        let fibres = Index::fibres(game, materials[0], materials[1]).len();
        let placements = materials.map(|material| placements::count::<G>(&material));
        let array = |turn: usize| {
            let row = row_bytes(options.metric, placements[turn] as usize) as u64;
            LargeArray::footprint(fibres * placements[1 - turn] * row, options.spill)
        };
        array(0) + array(1)
    }

    /// Allocates frames for the fibres of these materials, White's first. Large ones go to
    /// `scratch`, if given.
    ///
    /// # Errors
    /// Fails if there is not enough room in memory or in `scratch`.
    pub(super) fn new(
        game: G,
        metric: Metric,
        materials: [Material; 2],
        placements: [Arc<Placements>; 2],
        part: Part,
        scratch: Option<&ScratchFiles>,
    ) -> Result<Self, GenError> {
        let fibres = Index::fibres(game, materials[0], materials[1]);
        let array = |turn: usize| {
            let row = row_bytes(metric, placements[turn].len());
            LargeArray::new(fibres.len() as usize * placements[1 - turn].len() * row, scratch)
        };
        let arrays = [array(0)?, array(1)?];
        Ok(Frames { metric, materials, fibres, placements, part, arrays })
    }

    fn frame_bytes(&self, turn: Color) -> usize {
        let rows = self.placements[!turn as usize].len();
        rows * row_bytes(self.metric, self.placements[turn as usize].len())
    }

    /// The game.
    pub(super) fn game(&self) -> G {
        self.fibres.game()
    }

    /// White's and Black's material.
    pub(super) fn materials(&self) -> [Material; 2] {
        self.materials
    }

    /// The placements of White's and Black's kings.
    pub(super) fn placements(&self) -> &[Arc<Placements>; 2] {
        &self.placements
    }

    /// The fibres that have values.
    pub(super) fn part(&self) -> Part {
        self.part
    }

    /// The numbering of fibres; White's men are the mover's.
    pub(super) fn fibres(&self) -> &Index<G> {
        &self.fibres
    }

    /// Stores a packed frame.
    pub(super) fn set(&mut self, turn: Color, fibre: u64, packed: &[u8]) {
        let bytes = self.frame_bytes(turn);
        self.arrays[turn as usize][fibre as usize * bytes..][..bytes].copy_from_slice(packed);
    }

    /// Fills the frames of all fibres of [`part`](Frames::part). `scores` computes a frame from the
    /// side to move and a position with the fibre's men.
    pub(super) fn fill(&mut self, scores: impl Fn(Color, &G::Position) -> Vec<u8> + Sync) {
        for turn in Color::BOTH {
            let bytes = self.frame_bytes(turn);
            let columns = self.placements[turn as usize].len();
            let (fibres, metric, part) = (&self.fibres, self.metric, self.part);
            let per_task = TASK_BYTES.div_ceil(bytes);
            let tasks = self.arrays[turn as usize].chunks_mut(bytes * per_task).enumerate();
            parallel::map(tasks, |(task, frames)| {
                for (fibre, frame) in (task * per_task..).zip(frames.chunks_mut(bytes)) {
                    let men = fibres.position(fibre as u64);
                    if part.contains(&men_of::<G>(&men)) {
                        let mut packed = Vec::with_capacity(bytes);
                        pack_rows(metric, &scores(turn, &men), columns, &mut packed);
                        frame.copy_from_slice(&packed);
                    }
                }
            });
        }
    }

    /// The frame of a fibre.
    #[inline]
    pub(super) fn frame(&self, turn: Color, fibre: u64) -> Frame<'_> {
        let bytes = self.frame_bytes(turn);
        let columns = self.placements[turn as usize].len();
        let packed = &self.arrays[turn as usize][fibre as usize * bytes..][..bytes];
        Frame::new(self.metric, columns, packed)
    }

    /// The frame of the fibre with these men; other pieces are ignored.
    #[inline]
    pub(super) fn frame_of(&self, pieces: &Pieces, turn: Color) -> Frame<'_> {
        let fibre = match self.fibres.len() {
            1 => 0,
            _ => self.fibres.number(&self.game().assemble(pieces, Color::White)),
        };
        self.frame(turn, fibre)
    }
}
