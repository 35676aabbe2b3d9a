//! Puts the scores of a fibre into index order, as tables store them.

use super::board::{SQUARES, squares};
use super::fibre::{Fibre, SlotFrame, View};
use super::frames::{ByPawns, kind_of, pawns_and_kings, pieces_of, position_at, view};
use super::solve::Slowest;
use crate::parallel;
use crate::solve::counts::Counts;
use crate::solve::score::{self, NONE};
use crate::solve::solution::Packed;
use damka_games::chess::{PAWN, Position};
use damka_games::{Chess, Color, Game, Material, Position as _, Square};
use damka_tables::combinatorics::choose;
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature};
use std::ops::Range;

/// The index order of a signature's positions.
pub(super) struct Order {
    metric: Metric,
    sides: Vec<SideOrder>,
}

/// The index order for one side to move, which the index views as White. Numbers form runs of equal
/// length; the positions of a run share the placement of kings and pawns.
struct SideOrder {
    mover: Color,
    index: Index<Chess>,
    run: u64,
    /// Whether tables with distances hold this side to move.
    has_distances: bool,
}

/// Scores of consecutive numbers.
pub(super) struct Collected {
    pub(super) mover: Color,
    pub(super) start: u64,
    pub(super) packed: Packed,
    /// The longest win and loss; the histogram is empty.
    pub(super) longest: Counts,
    /// The number of placements that are not legal positions.
    pub(super) illegal: u64,
}

/// The index for each side to move that the signature distinguishes.
pub(super) fn indices(signature: &Signature<Chess>) -> Vec<Index<Chess>> {
    let sides = signature.sides().iter();
    let index = |&side| {
        let [mover, opponent] = signature.to_move(side);
        Index::new(Chess, mover, opponent)
    };
    sides.map(index).collect()
}

/// The length of a run: how many numbers share kings and pawns.
fn run(index: &Index<Chess>) -> u64 {
    let position = index.position(0);
    let materials = Color::BOTH.map(|color| position.material(color));
    let mut free = SQUARES as u32 - 2;
    free -= materials.iter().map(|side| u32::from(side[PAWN])).sum::<u32>();
    let ways = |count| {
        let ways = choose(free, count);
        free -= count;
        ways
    };
    like_pieces(materials).into_iter().map(ways).product()
}

/// The number of pieces of each kind and colour that has axes, in the order of the axes.
pub(super) fn like_pieces(materials: [Material; 2]) -> Vec<u32> {
    let pieces = pieces_of(&materials);
    pieces.chunk_by(|a, b| a == b).map(|like| like.len() as u32).collect()
}

/// The fibre of a position.
fn fibre_of(position: &Position) -> Fibre {
    let materials = Color::BOTH.map(|color| position.material(color));
    let pawns = Color::BOTH.map(|color| position.pieces(color, PAWN).bits());
    Fibre::new(pieces_of(&materials), pawns)
}

impl Order {
    pub(super) fn new(signature: &Signature<Chess>, metric: Metric) -> Order {
        let sides = signature.sides().iter().zip(indices(signature));
        let side = |(&side, index): (&Side, _)| SideOrder {
            mover: side.color(),
            run: run(&index),
            index,
            has_distances: Chess::holds_side(signature, Metric::Dtw, side),
        };
        let sides = sides.map(side);
        Order { metric, sides: sides.collect() }
    }

    /// The number of positions for each side to move.
    pub(super) fn lens(&self) -> Vec<u64> {
        self.sides.iter().map(|side| side.index.len()).collect()
    }

    /// The number of a position of a fibre; `None` if this side to move is not numbered.
    pub(super) fn number(&self, fibre: &Fibre, position: Slowest) -> Option<u64> {
        let Slowest { mover, slot, cell } = position;
        let side = self.sides.iter().find(|side| side.mover == mover)?;
        let position = position_at(fibre, mover, fibre.pairs().pair(slot), cell);
        Some(side.index.number(&if mover == Color::White { position } else { position.flip() }))
    }

    /// Puts the scores of a fibre into index order and passes them to `put`, part by part.
    /// `conversions` computes the scores of captures and promotions for a side to move.
    ///
    /// # Errors
    /// Fails with the first error of `put`.
    pub(super) fn collect<E: Send>(
        &self,
        frame: SlotFrame,
        conversions: impl Fn(&Fibre, Color) -> Vec<u8>,
        put: impl Fn(Collected) -> Result<(), E> + Sync,
    ) -> Result<SlotFrame, E> {
        let scores = FibreScores::new(frame);
        for side in &self.sides {
            let conversions = FibreScores::of_side(&scores.fibre, side.mover, &conversions);
            parallel::try_map(side.ranges(&scores.fibre), |numbers| {
                put(side.collect(self.metric, &scores, &conversions, numbers))
            })?;
        }
        Ok(scores.into_frame())
    }
}

/// A frame that can be looked up by its pawns.
struct FibreScores {
    fibre: Fibre,
    frame: ByPawns,
}

impl FibreScores {
    fn new(frame: SlotFrame) -> FibreScores {
        let fibre = frame.fibre.clone();
        FibreScores { frame: [(fibre.pawns(), frame)].into_iter().collect(), fibre }
    }

    /// The scores that `of` computes for a fibre with one side to move.
    fn of_side(fibre: &Fibre, mover: Color, of: impl Fn(&Fibre, Color) -> Vec<u8>) -> FibreScores {
        let mut scores = [Vec::new(), Vec::new()];
        scores[mover as usize] = of(fibre, mover);
        FibreScores::new(SlotFrame::new(fibre.clone(), scores))
    }

    fn into_frame(self) -> SlotFrame {
        self.frame.into_values().next().expect("a frame")
    }

    /// A view for the index, in which `mover` is White; `fibre` is given as the index sees it.
    fn view(&self, mover: Color, fibre: &Fibre) -> View<'_> {
        match mover {
            Color::White => view(&self.frame, fibre),
            Color::Black => view(&self.frame, &fibre.exchanged()).exchanged(),
        }
    }
}

impl SideOrder {
    /// The numbers of a fibre, and of its mirror image if its numbers are different, in ranges of equal
    /// weight.
    fn ranges(&self, fibre: &Fibre) -> Vec<Range<u64>> {
        if fibre.all_pawns() == 0 {
            let runs = (0..self.index.len()).step_by(self.run as usize);
            return runs.map(|first| first..first + self.run).collect();
        }
        let seen = match self.mover {
            Color::White => fibre.clone(),
            Color::Black => fibre.exchanged(),
        };
        let free = u64::from((!fibre.all_pawns()).count_ones());
        let len = free * (free - 1) * self.run;
        let first = |fibre: &Fibre| self.index.number(&some_position(fibre)) / len * len;
        let mut firsts = vec![first(&seen), first(&seen.mirrored())];
        firsts.dedup();
        firsts.into_iter().map(|first| first..first + len).collect()
    }

    fn collect(
        &self,
        metric: Metric,
        scores: &FibreScores,
        conversions: &FibreScores,
        numbers: Range<u64>,
    ) -> Collected {
        let [scores, conversions] =
            [scores, conversions].map(|scores| self.in_order(scores, numbers.clone()));
        let illegal = scores.iter().filter(|score| **score == NONE).count() as u64;
        let illegal = illegal * self.index.weight(numbers.start);
        let mut longest = Counts::default();
        let packed = match metric.has_distances() {
            false => {
                let scores = without_distances(&scores);
                longest.find_longest(numbers.start, &scores);
                let values = pack_wdl(numbers.start, &scores, &conversions);
                Packed { values: Some(values), wdl: None }
            }
            true => {
                longest.find_longest(numbers.start, &scores);
                let wdl = pack_wdl(numbers.start, &without_distances(&scores), &conversions);
                let values = self.has_distances.then(|| {
                    let mut values = Vec::new();
                    score::pack(metric, numbers.start, &filled(&scores, &conversions), &mut values);
                    values
                });
                Packed { values, wdl: Some(wdl) }
            }
        };
        Collected { mover: self.mover, start: numbers.start, packed, longest, illegal }
    }

    /// The scores of these numbers, which must be whole runs.
    fn in_order(&self, scores: &FibreScores, numbers: Range<u64>) -> Vec<u8> {
        let mut collected = Vec::with_capacity((numbers.end - numbers.start) as usize);
        let first: Position = self.index.position(numbers.start);
        let fibre = fibre_of(&first);
        let view = scores.view(self.mover, &fibre);
        let pieces = fibre.pieces();
        let is_like: Vec<bool> =
            (0..pieces.len()).map(|i| i > 0 && pieces[i] == pieces[i - 1]).collect();
        let mut cells = vec![NONE; fibre.cells()];
        let mut run = |kings: [u8; 2]| {
            let end = collected.len() + self.run as usize;
            if view.copy(Color::White, kings, None, &mut cells) {
                let taken = fibre.all_pawns() | 1 << kings[0] | 1 << kings[1];
                in_order(&cells, &is_like, taken, SQUARES as u8, &mut collected);
            }
            collected.resize(end, NONE);
        };
        if fibre.all_pawns() == 0 {
            run(Color::BOTH.map(|color| first.king(color).index()));
        } else {
            let free = !fibre.all_pawns();
            for white in squares(free) {
                squares(free & !(1 << white)).for_each(|black| run([white, black]));
            }
        }
        collected
    }
}

/// Some position of a fibre; it need not be legal.
fn some_position(fibre: &Fibre) -> Position {
    let mut free = squares(!fibre.all_pawns());
    let mut next = || free.next().expect("a free square");
    let mut pieces = pawns_and_kings(fibre, [next(), next()]);
    for &piece in fibre.pieces() {
        pieces[(piece.color, kind_of(piece))] |= Square::new(next()).into();
    }
    Chess.assemble(&pieces, Color::White)
}

/// Appends the scores of cells in index order. Permutations of like pieces are appended once: of
/// like pieces, the first stands on the highest square. `before` is the square of the preceding
/// piece.
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

/// Packs scores without distances for a table, with [don't-cares filled](filled).
fn pack_wdl(start: u64, scores: &[u8], conversions: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let filled = filled(scores, &without_distances(conversions));
    score::pack(Metric::Wdl, start, &filled, &mut packed);
    packed
}

/// The values that a table stores. Where a capture or promotion reaches the score, the preceding
/// value is repeated if it is not higher; this compresses better.
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
