//! Frames put in the order of the index.

use super::board::{SQUARES, squares};
use super::fibre::{Counts, Fibre};
use super::frames::{KINDS, SlotFrames, pieces_of};
use crate::solve::score::{self, NONE};
use crate::solve::solution::Solution;
use damka_games::chess::{KING, PAWN, Position};
use damka_games::{Chess, Color, Position as _};
use damka_tables::combinatorics::choose;
use damka_tables::metric::{Metric, Summary};
use damka_tables::{Index, Indexable, Signature};
use rayon::prelude::*;
use std::ops::Range;

/// About how many numbers are collected at a time, and how many times between two looks.
const CHUNK: u64 = 1 << 18;
const ROUND: usize = 64;

/// The index for each side to move that the signature tells apart.
pub(super) fn indices(signature: &Signature<Chess>) -> Vec<Index<Chess>> {
    let sides = signature.sides().iter();
    let index = |&side| {
        let [mover, opponent] = signature.to_move(side);
        Index::new(Chess, mover, opponent)
    };
    sides.map(index).collect()
}

/// How the numbers of an index come: runs of equal length that share kings and pawns, and behind
/// these what symmetric placements lead, of which not all have a number.
pub(super) struct Runs {
    pub(super) len: u64,
    pub(super) end: u64,
}

impl Runs {
    pub(super) fn new(index: &Index<Chess>) -> Runs {
        let position = index.position(0);
        let materials = Color::BOTH.map(|color| position.material(color));
        let mut free = SQUARES as u32 - 2;
        free -= materials.iter().map(|side| u32::from(side[PAWN])).sum::<u32>();
        let mut len = 1;
        for count in like_pieces(&position) {
            len *= choose(free, count);
            free -= count;
        }
        let symmetries = Chess::symmetries(&materials[0], &materials[1]);
        let slice = &Chess::slices(&materials[0], &materials[1])[0].1;
        let leads = if slice[0].kind == KING { &slice[..2] } else { &slice[..1] };
        let is_symmetric = |number| {
            let position: Position = index.position(number);
            let of = |step: &damka_tables::Step| position.pieces(step.color, step.kind).bits();
            symmetries.iter().any(|map| leads.iter().all(|step| map(of(step)) == of(step)))
        };
        // The symmetric ones come last.
        let (mut plain, mut end) = (0, index.len());
        while plain < end {
            let middle = (plain + end) / 2;
            match is_symmetric(middle) {
                true => end = middle,
                false => plain = middle + 1,
            }
        }
        Runs { len, end }
    }
}

/// How many pieces there are of each kind and colour that has axes, in the order of the axes.
fn like_pieces(position: &Position) -> Vec<u32> {
    let materials = Color::BOTH.map(|color| position.material(color));
    let pieces = pieces_of(&materials);
    pieces.chunk_by(|a, b| a == b).map(|like| like.len() as u32).collect()
}

/// The fibre of a position, the squares of its kings, and those of its other pieces in the order
/// of axes, like ones the last square first.
pub(super) fn places(position: &Position) -> (Fibre, [u8; 2], Vec<u8>) {
    let materials = Color::BOTH.map(|color| position.material(color));
    let pawns = Color::BOTH.map(|color| position.pieces(color, PAWN).bits());
    let pieces = pieces_of(&materials);
    let kings = Color::BOTH.map(|color| position.king(color).index());
    let mut places = Vec::new();
    for (_, kind) in KINDS {
        for color in Color::BOTH {
            let of_kind: Vec<u8> = squares(position.pieces(color, kind).bits()).collect();
            places.extend(of_kind.into_iter().rev());
        }
    }
    (Fibre::new(pieces, pawns), kings, places)
}

/// Puts the scores with `mover` to move into the solution.
pub(super) fn collect(
    frames: &SlotFrames,
    mover: Color,
    index: &Index<Chess>,
    metric: Metric,
    solution: &mut Solution<Chess>,
) {
    // The index sees the side to move as White.
    let seen = match mover {
        Color::White => frames.clone(),
        Color::Black => frames.exchanged(),
    };
    let runs = Runs::new(index);
    let step = CHUNK.div_ceil(runs.len).max(1) * runs.len;
    let plain = (0..runs.end).step_by(step as usize).map(|first| first..runs.end.min(first + step));
    let symmetric = (runs.end..index.len()).step_by(CHUNK as usize);
    let symmetric = symmetric.map(|first| first..index.len().min(first + CHUNK));
    let chunks: Vec<Range<u64>> = plain.chain(symmetric).collect();
    for chunks in chunks.chunks(ROUND) {
        let collected: Vec<(u64, Vec<u8>, Summary, u64)> = chunks
            .par_iter()
            .map(|numbers| {
                let scores = match numbers.start < runs.end && runs.len > 1 {
                    true => of_runs(&seen, index, &runs, numbers.clone()),
                    false => one_by_one(&seen, index, numbers.clone()),
                };
                let mut illegal = 0;
                for (number, _) in numbers.clone().zip(&scores).filter(|(_, s)| **s == NONE) {
                    illegal += index.weight(number);
                }
                let mut scores = scores;
                if metric == Metric::Wdl {
                    scores.iter_mut().for_each(|s| *s = score::without_distance_or_none(*s));
                }
                let (mut packed, mut summary) = (Vec::new(), Summary::default());
                score::pack(metric, numbers.start, &scores, &mut packed);
                score::count(numbers.start, &scores, &mut summary);
                (numbers.start, packed, summary, illegal)
            })
            .collect();
        for (start, packed, summary, illegal) in collected {
            solution.put(mover, start, &packed);
            solution.count(mover, summary);
            solution.count_illegal(mover, illegal);
        }
    }
    // Each image counts, like pieces once.
    let like: u64 = like_pieces(&index.position(0))
        .iter()
        .map(|&n| (1..=u64::from(n)).product::<u64>())
        .product();
    let mut counts = Counts::default();
    for frame in frames.frames() {
        counts.add(&super::View::new(frame, false).count(mover));
        if frame.fibre.mirrored().pawns() != frame.fibre.pawns() {
            counts.add(&super::View::new(frame, true).count(mover));
        }
    }
    let images = Summary {
        wins: counts.wins / like,
        draws: counts.draws / like,
        losses: counts.losses / like,
        ..Summary::default()
    };
    solution.count_images(mover, &images);
}

/// The scores of whole runs.
fn of_runs(frames: &SlotFrames, index: &Index<Chess>, runs: &Runs, numbers: Range<u64>) -> Vec<u8> {
    let mut scores = Vec::with_capacity((numbers.end - numbers.start) as usize);
    let mut cells = Vec::new();
    for first in numbers.step_by(runs.len as usize) {
        let (fibre, kings, _) = places(&index.position(first));
        cells.resize(fibre.cells(), NONE);
        let end = scores.len() + runs.len as usize;
        if frames.view(&fibre).copy(Color::White, kings, None, &mut cells) {
            let pieces = fibre.pieces();
            let is_like: Vec<bool> =
                (0..pieces.len()).map(|i| i > 0 && pieces[i] == pieces[i - 1]).collect();
            let taken = fibre.all_pawns() | 1 << kings[0] | 1 << kings[1];
            in_order(&cells, &is_like, taken, SQUARES as u8, &mut scores);
        }
        scores.resize(end, NONE);
    }
    scores
}

/// Appends the scores of cells in order, those of like pieces once: the first of them stands on
/// the last square. `before` is the square of the piece before.
fn in_order(cells: &[u8], is_like: &[bool], taken: u64, before: u8, scores: &mut Vec<u8>) {
    let Some((&like, later)) = is_like.split_first() else {
        return scores.push(cells[0]);
    };
    let below = if like { (1 << before) - 1 } else { !0 };
    let free = !taken & below;
    if later.is_empty() {
        let mut from = 0;
        for hole in squares(!free).map(usize::from) {
            scores.extend_from_slice(&cells[from..hole]);
            from = hole + 1;
        }
        return scores.extend_from_slice(&cells[from..SQUARES]);
    }
    let stride = cells.len() / SQUARES;
    for square in squares(free) {
        let cells = &cells[usize::from(square) * stride..][..stride];
        in_order(cells, later, taken | 1 << square, square, scores);
    }
}

/// The scores of any numbers.
fn one_by_one(frames: &SlotFrames, index: &Index<Chess>, numbers: Range<u64>) -> Vec<u8> {
    let positions = index.positions(numbers);
    let score = |position: Position| {
        let (fibre, kings, places) = places(&position);
        frames.view(&fibre).score(Color::White, kings, &places).unwrap_or(NONE)
    };
    positions.map(score).collect()
}
