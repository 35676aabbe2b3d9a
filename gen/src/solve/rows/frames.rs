use super::demand::{Demand, Rows};
use super::placements::{self, Placements};
use crate::GenError;
use crate::parallel;
use crate::seed_scores::{SeedError, SeedReader, SeedWriter};
use crate::solve::arrays::{LargeArray, ScratchFiles};
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::men::men_of;
use crate::solve::method::Solvable;
use crate::solve::part::Part;
use crate::solve::score::{self, DRAW, LOSS, WIN};
use damka_games::{Color, Material, Pieces};
use damka_tables::Index;
use damka_tables::metric::Metric;
use rustc_hash::FxHashMap;
use std::io;
use std::sync::Arc;

/// The scores of the positions with two materials, White's and Black's, including forced positions.
/// For each fibre and side to move there is a frame: a row for each placement of the kings that are
/// not to move, with a score for each placement of those that are. Rows that are not looked up need
/// not be kept.
#[derive(Debug)]
pub struct Frames<G> {
    metric: Metric,
    /// White's and Black's.
    materials: [Material; 2],
    /// Numbers the fibres, with White as the mover.
    fibres: Index<G>,
    /// White's and Black's.
    placements: [Arc<Placements>; 2],
    /// The fibres whose frames have scores.
    part: Part,
    /// For each fibre that has frames, their place in `arrays`; `None` if all fibres have frames, in
    /// order.
    places: Option<FxHashMap<u64, u32>>,
    demand: Demand,
    /// The rows that are kept of each frame, by side to move.
    kept: [KeptRows; 2],
    /// The frames of all fibres, by side to move.
    arrays: [LargeArray; 2],
}

/// The rows that are kept of each frame with one side to move.
#[derive(Debug)]
struct KeptRows {
    /// The placement of each kept row.
    placements: Vec<u32>,
    /// For each placement its row, or [`NOT_KEPT`]; `None` if all rows are kept.
    row_of: Option<Vec<u32>>,
}

/// Marks a placement whose row is not kept.
const NOT_KEPT: u32 = u32::MAX;

impl KeptRows {
    /// Selects the rows in demand from frames that have a row for each of `placements`, those of
    /// `color`'s kings.
    fn new<G: Solvable>(rows: Rows, placements: &Placements, color: Color) -> KeptRows {
        let len = placements.len() as u32;
        if rows == Rows::All {
            return KeptRows { placements: (0..len).collect(), row_of: None };
        }
        let promoted = G::promotion_squares(color).bits();
        let is_kept = |&placement: &u32| {
            rows == Rows::Promoted && placements.sets()[placement as usize] & promoted != 0
        };
        let kept: Vec<u32> = (0..len).filter(is_kept).collect();
        let mut row_of = vec![NOT_KEPT; len as usize];
        for (row, &placement) in (0..).zip(&kept) {
            row_of[placement as usize] = row;
        }
        KeptRows { placements: kept, row_of: Some(row_of) }
    }

    fn len(&self) -> usize {
        self.placements.len()
    }
}

/// The minimum number of bytes that a thread fills at a time.
const TASK_BYTES: usize = 1 << 12;

/// The number of bytes that are read from a seed file at a time.
const RESTORED_BYTES: usize = 1 << 24;

/// The scores of one fibre with one side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    is_packed: bool,
    columns: usize,
    /// For each placement its row; `None` if all rows are kept.
    row_of: Option<&'a [u32]>,
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
        Frame { is_packed: is_packed(metric, columns), columns, row_of: None, packed }
    }

    /// The frame of a side to move that has no pieces and has therefore lost.
    pub(super) const LOST: Frame<'static> =
        Frame { is_packed: false, columns: 0, row_of: None, packed: &[] };

    /// The place of the row of a placement. Beyond the end if it is not kept.
    #[inline(always)]
    fn place(&self, row: usize) -> usize {
        self.row_of.map_or(row, |row_of| row_of[row] as usize)
    }

    /// The scores of a row; `buffer` is used for unpacking.
    ///
    /// # Panics
    /// If the row is not kept.
    #[inline(always)]
    pub(super) fn row<'b>(&self, row: usize, buffer: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        if self.columns == 0 {
            return &[LOSS];
        }
        let packed = self.packed_row(row);
        match self.is_packed {
            false => packed,
            true => {
                buffer.resize(self.columns, 0);
                for (part, scores) in buffer.chunks_mut(packed.len()).enumerate() {
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

    /// The bytes of a row.
    ///
    /// # Panics
    /// If the row is not kept.
    #[inline(always)]
    fn packed_row(&self, row: usize) -> &'a [u8] {
        let bytes = bytes_in_row(self.is_packed, self.columns);
        &self.packed[self.place(row) * bytes..][..bytes]
    }

    /// The scores of all rows of a frame with a single column.
    #[inline(always)]
    pub(super) fn column(&self) -> &'a [u8] {
        debug_assert_eq!(self.columns, 1);
        assert!(self.row_of.is_none(), "all rows are kept");
        self.packed
    }

    /// The scores of a row, to be read one by one.
    ///
    /// # Panics
    /// If the row is not kept.
    #[inline(always)]
    pub(super) fn cells(&self, row: usize) -> Cells<'a> {
        match self.columns {
            0 => Cells { is_packed: false, bytes: &[LOSS] },
            _ => Cells { is_packed: self.is_packed, bytes: self.packed_row(row) },
        }
    }

    /// One score.
    ///
    /// # Panics
    /// If the row is not kept.
    #[inline(always)]
    pub(super) fn get(&self, row: usize, column: usize) -> u8 {
        self.cells(row).get(column)
    }
}

/// The scores of a row of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<'a> {
    is_packed: bool,
    bytes: &'a [u8],
}

impl Cells<'_> {
    /// The score in a column.
    #[inline(always)]
    pub(super) fn get(self, column: usize) -> u8 {
        if !self.is_packed {
            return self.bytes[column];
        }
        // Which of the four parts of the row it is in; without a division, which would be slow.
        let (mut byte, mut shift) = (column, 0);
        while byte >= self.bytes.len() {
            byte -= self.bytes.len();
            shift += 2;
        }
        match self.bytes[byte] >> shift & 3 {
            0 => LOSS,
            1 => DRAW,
            _ => WIN,
        }
    }
}

impl<G: Solvable> Frames<G> {
    /// Memory for the rows in demand of the frames of all fibres of these materials.
    pub(super) fn footprint(
        game: G,
        materials: [Material; 2],
        demand: Demand,
        options: MemoryOptions,
    ) -> Footprint {
        let fibres = Index::fibres(game, materials[0], materials[1]).len();
        let placements = materials.map(|material| placements::count::<G>(&material));
        let array = |turn: Color| {
            let row = row_bytes(options.metric, placements[turn as usize] as usize) as u64;
            let rows = match demand.0[turn as usize] {
                Rows::Nothing => 0,
                Rows::Promoted => {
                    let promoted = G::promotion_squares(!turn).len();
                    placements::count_touching::<G>(&materials[!turn as usize], promoted)
                }
                Rows::All => placements[!turn as usize],
            };
            LargeArray::footprint(fibres * rows * row, options.spill)
        };
        Color::BOTH.into_iter().map(array).sum()
    }

    /// Memory for whole frames of [some fibres](Frames::only): `bytes` bytes, both sides to move
    /// together.
    pub(super) fn array_footprint(bytes: u64, options: MemoryOptions) -> Footprint {
        [bytes / 2, bytes - bytes / 2]
            .map(|bytes| LargeArray::footprint(bytes, options.spill))
            .into_iter()
            .sum()
    }

    /// Allocates frames for the fibres of these materials, White's first, with the rows that are in
    /// demand. Large ones go to `scratch`, if given.
    ///
    /// # Errors
    /// Fails if there is not enough room in memory or in `scratch`.
    pub(super) fn new(
        game: G,
        metric: Metric,
        materials: [Material; 2],
        placements: [Arc<Placements>; 2],
        part: Part,
        demand: Demand,
        scratch: Option<&ScratchFiles>,
    ) -> Result<Self, GenError> {
        let fibres = Index::fibres(game, materials[0], materials[1]);
        let kept = Color::BOTH.map(|turn| {
            KeptRows::new::<G>(demand.0[turn as usize], &placements[!turn as usize], !turn)
        });
        let array = |turn: usize| {
            let row = row_bytes(metric, placements[turn].len());
            LargeArray::new(fibres.len() as usize * kept[turn].len() * row, scratch)
        };
        let arrays = [array(0)?, array(1)?];
        let places = None;
        Ok(Frames { metric, materials, fibres, placements, part, places, demand, kept, arrays })
    }

    /// Allocates whole frames for some of these fibres.
    ///
    /// # Errors
    /// Fails if there is not enough room in memory or in `scratch`.
    pub(super) fn only(
        &self,
        fibres: &[u64],
        scratch: Option<&ScratchFiles>,
    ) -> Result<Self, GenError> {
        let places: FxHashMap<u64, u32> = fibres.iter().copied().zip(0..).collect();
        let Frames { metric, materials, placements, part, .. } = self;
        let [white, black] = Color::BOTH.map(|color| placements[color as usize].len());
        let array = |columns: usize, rows: usize| {
            LargeArray::new(places.len() * rows * row_bytes(*metric, columns), scratch)
        };
        let arrays = [array(white, black)?, array(black, white)?];
        let kept = Color::BOTH
            .map(|turn| KeptRows::new::<G>(Rows::All, &placements[!turn as usize], !turn));
        Ok(Frames {
            metric: *metric,
            materials: *materials,
            fibres: Index::fibres(self.game(), materials[0], materials[1]),
            placements: placements.clone(),
            part: *part,
            places: Some(places),
            demand: Demand::ALL,
            kept,
            arrays,
        })
    }

    /// The bytes of a whole frame of these materials, both sides to move.
    pub(super) fn bytes_each(materials: [Material; 2], metric: Metric) -> u64 {
        let [white, black] = materials.map(|material| placements::count::<G>(&material));
        let row = |columns| row_bytes(metric, columns as usize) as u64;
        black * row(white) + white * row(black)
    }

    /// The place of a fibre's frames.
    ///
    /// # Panics
    /// If the fibre has none.
    #[inline]
    fn place(&self, fibre: u64) -> usize {
        match &self.places {
            None => fibre as usize,
            Some(places) => places[&fibre] as usize,
        }
    }

    /// Drops the rows that are not in demand.
    ///
    /// # Errors
    /// Fails if there is not enough room for the remaining rows.
    pub(super) fn reduce(
        &mut self,
        demand: Demand,
        scratch: Option<&ScratchFiles>,
    ) -> Result<(), GenError> {
        for turn in Color::BOTH {
            let side = turn as usize;
            if demand.0[side] == self.demand.0[side] {
                continue;
            }
            let kept = KeptRows::new::<G>(demand.0[side], &self.placements[!turn as usize], !turn);
            let row = row_bytes(self.metric, self.placements[side].len());
            let bytes = kept.len() * row;
            let mut array = LargeArray::new(self.fibres.len() as usize * bytes, scratch)?;
            if bytes > 0 {
                let tasks = array.chunks_mut(bytes).enumerate();
                parallel::map(tasks, |(fibre, reduced)| {
                    let frame = self.frame(turn, fibre as u64);
                    for (&placement, reduced) in kept.placements.iter().zip(reduced.chunks_mut(row))
                    {
                        reduced.copy_from_slice(frame.packed_row(placement as usize));
                    }
                });
            }
            self.arrays[side] = array;
            self.kept[side] = kept;
            self.demand.0[side] = demand.0[side];
        }
        Ok(())
    }

    /// Writes the rows in demand, first with White and then with Black to move, fibre by fibre.
    ///
    /// # Errors
    /// Fails if writing fails.
    ///
    /// # Panics
    /// If a row in demand is not kept.
    pub(super) fn save(&self, demand: Demand, seed: &mut SeedWriter<'_>) -> io::Result<()> {
        for turn in Color::BOTH {
            let side = turn as usize;
            if demand.0[side] == self.demand.0[side] {
                seed.write(&self.arrays[side])?;
                continue;
            }
            let kept = KeptRows::new::<G>(demand.0[side], &self.placements[!turn as usize], !turn);
            for fibre in 0..self.fibres.len() {
                let frame = self.frame(turn, fibre);
                for &placement in &kept.placements {
                    seed.write(frame.packed_row(placement as usize))?;
                }
            }
        }
        Ok(())
    }

    /// Fills these frames, which are new, from the seed file that was [saved](Frames::save) for
    /// `held`.
    ///
    /// # Errors
    /// Fails if the seed file cannot be read or holds anything but scores.
    pub(super) fn restore(
        &mut self,
        held: Demand,
        seed: &mut SeedReader<'_>,
    ) -> Result<(), SeedError> {
        let metric = self.metric;
        for turn in Color::BOTH {
            let side = turn as usize;
            let columns = self.placements[side].len();
            let checked = |packed: &[u8]| match are_rows(metric, packed, columns) {
                true => Ok(()),
                false => Err(SeedError::Unusable("it holds an invalid score")),
            };
            if held.0[side] == self.demand.0[side] {
                for part in self.arrays[side].chunks_mut(RESTORED_BYTES) {
                    seed.read(part)?;
                    checked(part)?;
                }
                continue;
            }
            let rows = KeptRows::new::<G>(held.0[side], &self.placements[!turn as usize], !turn);
            let mut frame = vec![0; rows.len() * row_bytes(metric, columns)];
            for fibre in 0..self.fibres.len() {
                seed.read(&mut frame)?;
                checked(&frame)?;
                if self.demand.0[side] != Rows::Nothing {
                    self.set(turn, fibre, &frame);
                }
            }
        }
        Ok(())
    }

    fn frame_bytes(&self, turn: Color) -> usize {
        let rows = self.kept[turn as usize].len();
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

    /// The fibres whose frames have scores.
    pub(super) fn part(&self) -> Part {
        self.part
    }

    /// The index of the fibres, with White as the mover.
    pub(super) fn fibres(&self) -> &Index<G> {
        &self.fibres
    }

    /// Stores the rows of a packed frame that are kept.
    pub(super) fn set(&mut self, turn: Color, fibre: u64, packed: &[u8]) {
        let (bytes, place) = (self.frame_bytes(turn), self.place(fibre));
        let kept = &self.kept[turn as usize];
        let stored = &mut self.arrays[turn as usize][place * bytes..][..bytes];
        if kept.row_of.is_none() {
            return stored.copy_from_slice(packed);
        }
        let row = row_bytes(self.metric, self.placements[turn as usize].len());
        for (&placement, stored) in kept.placements.iter().zip(stored.chunks_mut(row)) {
            stored.copy_from_slice(&packed[placement as usize * row..][..row]);
        }
    }

    /// Fills the frames of all fibres of [`part`](Frames::part). `scores` computes the rows of the
    /// given placements from the side to move and a position with the fibre's men.
    pub(super) fn fill(&mut self, scores: impl Fn(Color, &G::Position, &[u32]) -> Vec<u8> + Sync) {
        for turn in Color::BOTH {
            let bytes = self.frame_bytes(turn);
            if bytes == 0 {
                continue;
            }
            let columns = self.placements[turn as usize].len();
            let (fibres, metric, part) = (&self.fibres, self.metric, self.part);
            let kept = &self.kept[turn as usize].placements;
            let per_task = TASK_BYTES.div_ceil(bytes);
            let tasks = self.arrays[turn as usize].chunks_mut(bytes * per_task).enumerate();
            parallel::map(tasks, |(task, frames)| {
                for (fibre, frame) in (task * per_task..).zip(frames.chunks_mut(bytes)) {
                    let men = fibres.position(fibre as u64);
                    if part.contains(&men_of::<G>(&men)) {
                        let mut packed = Vec::with_capacity(bytes);
                        pack_rows(metric, &scores(turn, &men, kept), columns, &mut packed);
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
        let packed = &self.arrays[turn as usize][self.place(fibre) * bytes..][..bytes];
        let row_of = self.kept[turn as usize].row_of.as_deref();
        Frame { row_of, ..Frame::new(self.metric, columns, packed) }
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
