//! The results of a batch of fibres, just solved or restored from a journal.

use super::frames::{Frame, Frames, are_rows, pack_rows, row_bytes};
use super::order::{IndexOrder, OrderedScores};
use super::placements::{self, Placements};
use crate::solve::counts::{Counts, ScoreCounter};
use crate::solve::footprint::MemoryOptions;
use crate::solve::men::{flip_set, men_of};
use crate::solve::method::Solvable;
use crate::solve::score::{self, LOSS, NONE};
use damka_games::{Color, Material, Pieces};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable};
use std::ops::Range;
use std::sync::Arc;

/// The results of a batch, and where each belongs.
#[derive(Debug, Default)]
pub(super) struct BatchResults {
    /// For each frame: side to move, number of the fibre, and its bytes in `packed`.
    pub(super) frames: Vec<(Color, u64, Range<usize>)>,
    pub(super) packed: Vec<u8>,
    /// For each run of consecutive numbers: side to move, first number, and its bytes in `values`.
    pub(super) runs: Vec<(Color, u64, Range<usize>)>,
    pub(super) values: Vec<u8>,
    /// By side to move.
    pub(super) counts: [Counts; 2],
}

impl BatchResults {
    /// Bytes for the results of `fibres` fibres: frames, frames of mirror images, and values.
    pub(super) fn bytes<G: Indexable>(
        materials: [Material; 2],
        fibres: usize,
        options: MemoryOptions,
    ) -> usize {
        let has_men = |side: &Material| G::MEN.iter().any(|&kind| side[kind] > 0);
        let has_men = materials.iter().any(has_men);
        let copies = match (has_men, materials[0] == materials[1]) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 3,
        };
        let [white, black] = materials.map(|side| placements::count::<G>(&side) as usize);
        let row = |columns| row_bytes(options.metric, columns);
        copies * fibres * (black * row(white) + white * row(black))
    }

    /// Adds the number of positions of each value that have been counted since the last call.
    pub(super) fn add_counted(&mut self, buffers: &mut PackerBuffers) {
        for (counts, counter) in self.counts.iter_mut().zip(&mut buffers.counters) {
            counts.histogram.extend(counter.take().values());
        }
    }

    /// Copies the frames to their places.
    pub(super) fn put_frames<G: Solvable>(&self, frames: &mut Frames<G>) {
        for (turn, fibre, range) in &self.frames {
            frames.set(*turn, *fibre, &self.packed[range.clone()]);
        }
    }
}

/// A solved fibre.
pub(super) struct SolvedFibre<'a> {
    number: u64,
    /// If both sides have equal material: the number of the fibre's mirror image, in which White to
    /// move corresponds to Black to move in this fibre. Otherwise `number`.
    twin: u64,
    men: &'a Pieces,
}

impl SolvedFibre<'_> {
    /// The number of the mirror image, or its own.
    pub(super) fn twin(&self) -> u64 {
        self.twin
    }

    /// Whether this is the mirror image of a fibre with a lower number.
    pub(super) fn is_image(&self) -> bool {
        self.twin < self.number
    }
}

/// Buffers that packing reuses for the next fibre.
#[derive(Debug, Default)]
pub(super) struct PackerBuffers {
    ordered: OrderedScores,
    /// By side to move.
    counters: [ScoreCounter; 2],
}

/// Packs the scores of a signature's fibres, both for the frames that other signatures read and for
/// the table.
#[derive(Debug)]
pub(super) struct Packer<G> {
    metric: Metric,
    /// Of White's and Black's kings.
    placements: [Arc<Placements>; 2],
    /// The number of each placement on the flipped board.
    flipped: [Vec<u32>; 2],
    /// By side to move.
    pub(super) orders: [IndexOrder<G>; 2],
    /// Whether both sides have the same pieces.
    is_mirror: bool,
}

impl<G: Indexable> Packer<G> {
    /// A packer for fibres in which White and Black have these materials and placements.
    pub(super) fn new(
        game: G,
        metric: Metric,
        materials: [Material; 2],
        placements: &[Arc<Placements>; 2],
    ) -> Packer<G> {
        Packer {
            metric,
            placements: placements.clone(),
            flipped: [&placements[0], &placements[1]]
                .map(|placements| placements.flipped(|set| flip_set(game, set))),
            orders: Color::BOTH.map(|mover| IndexOrder::new(game, mover, materials, placements)),
            is_mirror: materials[0] == materials[1],
        }
    }

    /// The fibre with this number and these men.
    pub(super) fn fibre<'m>(&self, number: u64, men: &'m Pieces) -> SolvedFibre<'m> {
        let twin = if self.is_mirror { self.orders[1].fibre(men) } else { number };
        SolvedFibre { number, twin, men }
    }

    /// Whether the values of a fibre with this side to move form a run of consecutive numbers.
    /// False where symmetric positions share numbers, and for the second side of a fibre that is
    /// its own mirror image.
    pub(super) fn has_run(&self, mover: Color, fibre: &SolvedFibre<'_>) -> bool {
        let is_double = self.is_mirror && mover == Color::Black && fibre.twin == fibre.number;
        !self.orders[0].is_folded() && !is_double
    }

    /// Adds the scores of a fibre with one side to move to the results of its batch and counts them.
    /// `forced` has the scores of forced positions and NONE for others; it must be given if the
    /// fibre [has a run](Packer::has_run). Returns the position of the frame in `results.packed`.
    pub(super) fn add(
        &self,
        mover: Color,
        fibre: &SolvedFibre<'_>,
        scores: &[u8],
        forced: Option<&[u8]>,
        buffers: &mut PackerBuffers,
        results: &mut BatchResults,
    ) -> Range<usize> {
        let has_twin = self.is_mirror && fibre.twin != fibre.number;
        let frame = self.add_frame(mover, fibre, scores, has_twin, results);
        if let Some(forced) = forced {
            let half = if self.is_mirror { Color::White } else { mover };
            let PackerBuffers { ordered: run, counters } = buffers;
            self.orders[mover as usize].run(fibre.men, scores, forced, run);
            let BatchResults { runs, values, counts, .. } = results;
            counts[half as usize].find_longest(run.start, &run.scores);
            counters[half as usize].count(&run.scores);
            let start = values.len();
            score::pack(self.metric, run.start, &run.stored, values);
            runs.push((half, run.start, start..values.len()));
        }
        frame
    }

    /// Adds only the frame of a fibre with one side to move and, if `with_twin`, the frame of its
    /// mirror image with the other side to move. Returns the position of the first in
    /// `results.packed`.
    pub(super) fn add_frame(
        &self,
        mover: Color,
        fibre: &SolvedFibre<'_>,
        scores: &[u8],
        with_twin: bool,
        results: &mut BatchResults,
    ) -> Range<usize> {
        let BatchResults { frames, packed, .. } = results;
        let mut add = |turn: Color, fibre, scores: &[u8]| {
            let start = packed.len();
            pack_rows(self.metric, scores, self.placements[turn as usize].len(), packed);
            let bytes = start..packed.len();
            frames.push((turn, fibre, bytes.clone()));
            bytes
        };
        let frame = add(mover, fibre.number, scores);
        if with_twin {
            let [rows, columns] = [!mover, mover].map(|color| &self.flipped[color as usize][..]);
            add(!mover, fibre.twin, &flipped(scores, rows, columns));
        }
        frame
    }

    /// The maximum number of bytes that [`write()`] appends for this many fibres.
    fn record_bytes(&self, fibres: usize) -> usize {
        let [white, black] = [self.placements[0].len(), self.placements[1].len()];
        let row = |columns| row_bytes(self.metric, columns);
        let frames = black * row(white) + white * row(black);
        fibres * (frames + 2 * (white * black).div_ceil(8))
    }

    /// The maximum number of bytes in the compressed record of this many fibres.
    pub(super) fn longest_record(&self, fibres: usize) -> usize {
        zstd::zstd_safe::compress_bound(self.record_bytes(fibres))
    }

    /// Restores the results of a batch of these fibres from a journal record; `None` if the record
    /// does not fit these fibres.
    pub(super) fn restore(
        &self,
        index: &Index<G>,
        fibres: &[u64],
        record: &[u8],
    ) -> Option<BatchResults> {
        let metric = self.metric;
        let plain = zstd::bulk::decompress(record, self.record_bytes(fibres.len())).ok()?;
        let mut rest = &plain[..];
        let mut results = BatchResults::default();
        let (mut scores, mut forced, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
        let mut buffers = PackerBuffers::default();
        for &number in fibres {
            let men = men_of::<G>(&index.position(number));
            let fibre = self.fibre(number, &men);
            for mover in Color::BOTH {
                let columns = self.placements[mover as usize].len();
                let rows = self.placements[!mover as usize].len();
                let packed;
                (packed, rest) = rest.split_at_checked(rows * row_bytes(metric, columns))?;
                if !are_rows(metric, packed, columns) {
                    return None;
                }
                let frame = Frame::new(metric, columns, packed);
                scores.clear();
                for row in 0..rows {
                    scores.extend_from_slice(frame.row(row, &mut buffer));
                }
                let has_run = self.has_run(mover, &fibre);
                if has_run {
                    let mask;
                    (mask, rest) = rest.split_at_checked(scores.len().div_ceil(8))?;
                    let is_forced = |cell: usize| mask[cell / 8] >> (cell % 8) & 1 == 1;
                    forced.clear();
                    // Only the presence of a score matters, not the score.
                    let score = |cell| if is_forced(cell) { LOSS } else { NONE };
                    forced.extend((0..scores.len()).map(score));
                }
                let forced = has_run.then_some(&forced[..]);
                self.add(mover, &fibre, &scores, forced, &mut buffers, &mut results);
            }
        }
        results.add_counted(&mut buffers);
        rest.is_empty().then_some(results)
    }
}

/// The scores of a frame on the flipped board. `rows` and `columns` give the number of each
/// placement there.
pub(super) fn flipped(scores: &[u8], rows: &[u32], columns: &[u32]) -> Vec<u8> {
    let mut flipped = Vec::with_capacity(scores.len());
    for &row in rows {
        let row = &scores[row as usize * columns.len()..][..columns.len()];
        flipped.extend(columns.iter().map(|&column| row[column as usize]));
    }
    flipped
}

/// Appends the uncompressed record of a fibre with one side to move: its packed frame and, if the
/// fibre has a run, a bit for each cell: whether only captures are legal there.
pub(super) fn write(packed: &[u8], forced: Option<&[u8]>, plain: &mut Vec<u8>) {
    plain.extend_from_slice(packed);
    let bits = |scores: &[u8]| {
        let scores = scores.iter().enumerate();
        scores.fold(0, |bits, (i, &score)| bits | u8::from(score != NONE) << i)
    };
    plain.extend(forced.into_iter().flat_map(|forced| forced.chunks(8)).map(bits));
}
