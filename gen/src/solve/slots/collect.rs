//! The scores of a fibre put in the order of the index, as tables hold them.

use super::board::{SQUARES, squares};
use super::fibre::{Fibre, Frame, View};
use super::frames::{ByPawns, KINDS, kind_of, pieces_of, view};
use crate::solve::score::{self, NONE};
use crate::solve::solution::Packed;
use damka_games::chess::{KING, PAWN, Position};
use damka_games::{Chess, Color, Game, Material, Pieces, Position as _, Square, SquareSet};
use damka_tables::combinatorics::choose;
use damka_tables::metric::{Metric, Summary};
use damka_tables::{Index, Indexable, Signature};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// About how many numbers are collected at a time.
const CHUNK: u64 = 1 << 18;

/// Where the scores of fibres go.
pub(super) struct Order {
    metric: Metric,
    sides: Vec<SideOrder>,
}

/// The same with one side to move. The index sees this one as White.
struct SideOrder {
    mover: Color,
    index: Index<Chess>,
    runs: Runs,
    /// Beside pawns, by these: the numbers of fibres among those that symmetric placements lead.
    symmetric: FxHashMap<[u64; 2], Vec<Range<u64>>>,
}

/// Scores that follow each other in the order of the index.
pub(super) struct Collected {
    pub(super) mover: Color,
    pub(super) start: u64,
    pub(super) packed: Packed,
    /// Symmetric positions counted once.
    pub(super) summary: Summary,
    /// The placements that are no positions.
    pub(super) illegal: u64,
}

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
struct Runs {
    len: u64,
    end: u64,
}

impl Runs {
    fn new(index: &Index<Chess>) -> Runs {
        let position = index.position(0);
        let materials = Color::BOTH.map(|color| position.material(color));
        let mut free = SQUARES as u32 - 2;
        free -= materials.iter().map(|side| u32::from(side[PAWN])).sum::<u32>();
        let mut len = 1;
        for count in like_pieces(materials) {
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
pub(super) fn like_pieces(materials: [Material; 2]) -> Vec<u32> {
    let pieces = pieces_of(&materials);
    pieces.chunk_by(|a, b| a == b).map(|like| like.len() as u32).collect()
}

/// The squares of White's and Black's pawns.
fn pawns_of(position: &Position) -> [u64; 2] {
    Color::BOTH.map(|color| position.pieces(color, PAWN).bits())
}

/// The fibre of a position, the squares of its kings, and those of its other pieces in the order
/// of axes, like ones the last square first.
fn places(position: &Position) -> (Fibre, [u8; 2], Vec<u8>) {
    let materials = Color::BOTH.map(|color| position.material(color));
    let pieces = pieces_of(&materials);
    let kings = Color::BOTH.map(|color| position.king(color).index());
    let mut places = Vec::new();
    for (_, kind) in KINDS {
        for color in Color::BOTH {
            let of_kind: Vec<u8> = squares(position.pieces(color, kind).bits()).collect();
            places.extend(of_kind.into_iter().rev());
        }
    }
    (Fibre::new(pieces, pawns_of(position)), kings, places)
}

impl Order {
    pub(super) fn new(signature: &Signature<Chess>, metric: Metric) -> Order {
        let sides = signature.sides().iter().zip(indices(signature));
        let sides = sides.map(|(side, index)| SideOrder::new(side.color(), index));
        Order { metric, sides: sides.collect() }
    }

    /// The numbers that there are for each side to move.
    pub(super) fn lens(&self) -> Vec<u64> {
        self.sides.iter().map(|side| side.index.len()).collect()
    }

    /// Puts the scores of a fibre in order. `conversions` are those of captures and promotions.
    pub(super) fn collect(&self, frame: Frame, conversions: Frame) -> (Frame, Vec<Collected>) {
        let scores = Scores::new(frame);
        let conversions = Scores::new(conversions);
        let all = self.sides.iter().flat_map(|side| {
            side.ranges(&scores.fibre)
                .into_par_iter()
                .map(|numbers| side.collect(self.metric, &scores, &conversions, numbers))
                .collect::<Vec<_>>()
        });
        let all = all.collect();
        (scores.into_frame(), all)
    }
}

/// A frame that is found by its pawns.
struct Scores {
    fibre: Fibre,
    frame: ByPawns,
}

impl Scores {
    fn new(frame: Frame) -> Scores {
        let fibre = frame.fibre.clone();
        Scores { frame: [(fibre.pawns(), frame)].into_iter().collect(), fibre }
    }

    fn into_frame(self) -> Frame {
        self.frame.into_values().next().expect("a frame")
    }

    /// As the index sees it, which looks at `fibre` with `mover` as White.
    fn view(&self, mover: Color, fibre: &Fibre) -> View<'_> {
        match mover {
            Color::White => view(&self.frame, fibre),
            Color::Black => view(&self.frame, &fibre.exchanged()).exchanged(),
        }
    }
}

impl SideOrder {
    fn new(mover: Color, index: Index<Chess>) -> SideOrder {
        let runs = Runs::new(&index);
        let mut symmetric: FxHashMap<[u64; 2], Vec<Range<u64>>> = FxHashMap::default();
        if pawns_of(&index.position(0)) != [0; 2] {
            let numbers = runs.end..index.len();
            for (number, position) in numbers.clone().zip(index.positions(numbers)) {
                let ranges = symmetric.entry(pawns_of(&position)).or_default();
                match ranges.last_mut() {
                    Some(last) if last.end == number => last.end += 1,
                    _ => ranges.push(number..number + 1),
                }
            }
        }
        SideOrder { mover, index, runs, symmetric }
    }

    /// The numbers of a fibre, in parts.
    fn ranges(&self, fibre: &Fibre) -> Vec<Range<u64>> {
        let chunks = |numbers: Range<u64>, step: u64| {
            let end = numbers.end;
            numbers.step_by(step as usize).map(move |first| first..end.min(first + step))
        };
        if fibre.all_pawns() == 0 {
            let step = CHUNK.div_ceil(self.runs.len).max(1) * self.runs.len;
            let plain = chunks(0..self.runs.end, step);
            return plain.chain(chunks(self.runs.end..self.index.len(), CHUNK)).collect();
        }
        let seen = match self.mover {
            Color::White => fibre.clone(),
            Color::Black => fibre.exchanged(),
        };
        let images = [seen.pawns(), seen.mirrored().pawns()];
        if let Some(ranges) = images.iter().find_map(|image| self.symmetric.get(image)) {
            return ranges.iter().cloned().flat_map(|numbers| chunks(numbers, CHUNK)).collect();
        }
        let len = self.block(&seen);
        let first = self.index.number(&some_position(&seen)) / len * len;
        chunks(first..first + len, len).collect()
    }

    /// The numbers of each fibre, symmetric ones left out.
    fn block(&self, fibre: &Fibre) -> u64 {
        let free = u64::from((!fibre.all_pawns()).count_ones());
        free * (free - 1) * self.runs.len
    }

    fn collect(
        &self,
        metric: Metric,
        scores: &Scores,
        conversions: &Scores,
        numbers: Range<u64>,
    ) -> Collected {
        let of = |scores: &Scores| match numbers.start < self.runs.end {
            true => self.of_runs(scores, numbers.clone()),
            false => self.one_by_one(scores, numbers.clone()),
        };
        let (scores, conversions) = (of(scores), of(conversions));
        let illegal = scores.iter().enumerate().filter(|(_, score)| **score == NONE);
        let illegal = match numbers.start < self.runs.end {
            true => illegal.count() as u64 * self.index.weight(numbers.start),
            false => illegal.map(|(i, _)| self.index.weight(numbers.start + i as u64)).sum(),
        };
        let mut summary = Summary::default();
        let packed = match metric {
            Metric::Wdl => {
                let scores = without_distances(&scores);
                score::count(numbers.start, &scores, &mut summary);
                Packed { values: pack_wdl(numbers.start, &scores, &conversions), wdl: None }
            }
            Metric::Dtw => {
                score::count(numbers.start, &scores, &mut summary);
                let wdl = pack_wdl(numbers.start, &without_distances(&scores), &conversions);
                let mut values = Vec::new();
                score::pack(metric, numbers.start, &filled(&scores, &conversions), &mut values);
                Packed { values, wdl: Some(wdl) }
            }
        };
        Collected { mover: self.mover, start: numbers.start, packed, summary, illegal }
    }

    /// The scores of whole runs.
    fn of_runs(&self, scores: &Scores, numbers: Range<u64>) -> Vec<u8> {
        let mut collected = Vec::with_capacity((numbers.end - numbers.start) as usize);
        let mut runs = |fibre: &Fibre, pairs: &mut dyn Iterator<Item = [u8; 2]>| {
            let view = scores.view(self.mover, fibre);
            let pieces = fibre.pieces();
            let is_like: Vec<bool> =
                (0..pieces.len()).map(|i| i > 0 && pieces[i] == pieces[i - 1]).collect();
            let mut cells = vec![NONE; fibre.cells()];
            for kings in pairs {
                let end = collected.len() + self.runs.len as usize;
                if view.copy(Color::White, kings, None, &mut cells) {
                    let taken = fibre.all_pawns() | 1 << kings[0] | 1 << kings[1];
                    in_order(&cells, &is_like, taken, SQUARES as u8, &mut collected);
                }
                collected.resize(end, NONE);
            }
        };
        let (fibre, ..) = places(&self.index.position(numbers.start));
        let free = !fibre.all_pawns();
        if fibre.all_pawns() != 0 {
            let blacks = |white: u8| squares(free & !(1 << white)).map(move |black| [white, black]);
            runs(&fibre, &mut squares(free).flat_map(blacks));
        } else {
            let firsts = numbers.step_by(self.runs.len as usize);
            runs(&fibre, &mut firsts.map(|first| places(&self.index.position(first)).1));
        }
        collected
    }

    /// The scores of any numbers.
    fn one_by_one(&self, scores: &Scores, numbers: Range<u64>) -> Vec<u8> {
        let score = |position: Position| {
            let (fibre, kings, places) = places(&position);
            let view = scores.view(self.mover, &fibre);
            view.score(Color::White, kings, &places).unwrap_or(NONE)
        };
        self.index.positions(numbers).map(score).collect()
    }
}

/// Some placement of a fibre.
fn some_position(fibre: &Fibre) -> Position {
    let mut pieces = Pieces::default();
    let mut free = squares(!fibre.all_pawns());
    let mut put = |color, kind| {
        let square = Square::new(free.next().expect("a free square"));
        pieces[(color, kind)] |= square.into();
    };
    Color::BOTH.into_iter().for_each(|color| put(color, KING));
    fibre.pieces().iter().for_each(|&piece| put(piece.color, kind_of(piece)));
    for color in Color::BOTH {
        pieces[(color, PAWN)] = SquareSet::new(fibre.pawns()[color as usize]);
    }
    Chess.assemble(&pieces, Color::White)
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

fn without_distances(scores: &[u8]) -> Vec<u8> {
    scores.iter().map(|&score| score::without_distance_or_none(score)).collect()
}

/// Scores without distances, filled and packed.
fn pack_wdl(start: u64, scores: &[u8], conversions: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let filled = filled(scores, &without_distances(conversions));
    score::pack(Metric::Wdl, start, &filled, &mut packed);
    packed
}

/// What a table holds: where a capture or promotion reaches a score, what it holds before, if that
/// is no more.
fn filled(scores: &[u8], conversions: &[u8]) -> Vec<u8> {
    let mut last = NONE;
    let fill = |(&score, &conversion): (&u8, &u8)| {
        if score == NONE || conversion == score && last <= score {
            return if score == NONE { NONE } else { last };
        }
        last = score;
        score
    };
    scores.iter().zip(conversions).map(fill).collect()
}
