use super::columns::{Columns, ScoreSet, equal, transpose};
use super::panel::Panel;
use crate::parallel;
use crate::solve::rows::bits::WORDS;
use crate::solve::rows::exits::ExitScores;
use crate::solve::rows::placements::{Placements, QuietMoves};
use crate::solve::score::{DRAW, NONE};
use damka_games::{Square, SquareSet};
use damka_tables::processor::Processor;

/// The fibres of a batch with one side to move.
#[derive(Debug)]
pub(super) struct HalfBatch<'k> {
    /// Placements of the kings to move, and of the other side's.
    placements: &'k Placements,
    other: &'k Placements,
    moves: &'k QuietMoves,
    columns: Columns,
    panels: Vec<Panel>,
    /// A row for each placement of the other kings; in it, fibre by fibre, the score for each
    /// placement of the kings to move. DRAW where no other value is known.
    pub(super) scores: Vec<u8>,
    /// In the same order, the scores of forced positions; NONE for others.
    pub(super) forced: Vec<u8>,
    /// The best exits of positions with quiet moves: a row for each placement of the kings to move;
    /// in it, fibre by fibre, a score for each placement of the others.
    exits: Vec<u8>,
    /// Whether there are any such exits.
    has_exits: bool,
    /// The scores of the other side's forced positions, and of exits, whose distance has not been
    /// reached yet.
    forced_pending: ScoreSet,
    exits_pending: ScoreSet,
    /// Where the other kings may stand, for the fibre being seeded: one bit per placement.
    free: Vec<u32>,
}

impl<'k> HalfBatch<'k> {
    /// Starts without fibres. `moves` are those of `placements`, the kings to move; `other` are the
    /// other side's kings.
    pub(super) fn new(
        placements: &'k Placements,
        moves: &'k QuietMoves,
        other: &'k Placements,
    ) -> HalfBatch<'k> {
        HalfBatch {
            placements,
            other,
            moves,
            columns: Columns::new(other.len(), 0),
            panels: Vec::new(),
            scores: Vec::new(),
            forced: Vec::new(),
            exits: Vec::new(),
            has_exits: false,
            forced_pending: ScoreSet::default(),
            exits_pending: ScoreSet::default(),
            free: Vec::new(),
        }
    }

    /// Bytes for `fibres` fibres with this many placements of the kings to move and of the others;
    /// `has_exits` is whether positions with quiet moves have exits.
    pub(super) fn bytes([mine, other]: [usize; 2], fibres: usize, has_exits: bool) -> usize {
        let scores = mine * other * fibres;
        let panels = Columns::new(other, fibres).words().div_ceil(WORDS);
        scores * if has_exits { 3 } else { 2 } + panels * Panel::bytes(mine)
    }

    /// Resets to the fibres whose men stand on these squares.
    pub(super) fn begin(&mut self, men: &[u64]) {
        self.columns = Columns::new(self.other.len(), men.len());
        let words = self.columns.words();
        self.panels.resize_with(words.div_ceil(WORDS), || Panel::new(self.placements));
        for (i, panel) in self.panels.iter_mut().enumerate() {
            let words = i * WORDS..words.min((i + 1) * WORDS);
            panel.begin(words, self.columns, self.other, men);
        }
        let scores = men.len() * self.placements.len() * self.other.len();
        self.scores.resize(scores, DRAW);
        self.forced.resize(scores, NONE);
        self.has_exits = false;
        self.forced_pending = ScoreSet::default();
        self.exits_pending = ScoreSet::default();
    }

    /// Fills in the scores of a fibre's exits for `mover`; `stands` returns whether the kings of White
    /// (0) or Black (1) may stand on a set of squares.
    #[inline(always)]
    pub(super) fn seed<P: Processor>(
        &mut self,
        processor: P,
        mover: usize,
        fibre: usize,
        found: &ExitScores,
        stands: impl Fn(usize, u64) -> bool,
    ) {
        let (placements, columns) = (self.placements, self.columns);
        let (len, per_fibre) = (placements.len(), columns.per_fibre);
        if found.has_exits && !self.has_exits {
            self.exits.clear();
            self.exits.resize(self.scores.len(), NONE);
            self.has_exits = true;
        }
        if found.has_exits {
            let rows = found.exits.chunks_exact(per_fibre);
            for (row, exits) in self.exits.chunks_exact_mut(columns.len()).zip(rows) {
                row[fibre * per_fibre..][..per_fibre].copy_from_slice(exits);
            }
        }
        let start = fibre * len;
        transpose(&found.forced, per_fibre, &mut self.forced[start..], len * columns.fibres);
        for row in 0..per_fibre {
            let range = start + row * len * columns.fibres..;
            let forced = &self.forced[range.clone()][..len];
            for (score, &forced) in self.scores[range][..len].iter_mut().zip(forced) {
                *score = if forced == NONE { DRAW } else { forced };
            }
        }
        // Where the other kings may stand, whatever the placement of the mover's.
        self.free.clear();
        self.free.extend(self.other.sets().chunks(32).map(|sets| {
            let sets = sets.iter().enumerate();
            sets.fold(0, |word, (i, &set)| word | u32::from(stands(1 - mover, set)) << i)
        }));
        for (row, &set) in placements.sets().iter().enumerate() {
            if !stands(mover, set) {
                continue;
            }
            let range = row * per_fibre..(row + 1) * per_fibre;
            let forced = &found.forced[range.clone()];
            for (chunk, &free) in self.free.iter().enumerate() {
                let clear = |free, square| free & self.other.clear::<1>(square, chunk).0[0];
                let free = SquareSet::new(set).into_iter().map(Square::index).fold(free, clear);
                let first = chunk * 32;
                let columns = first..per_fibre.min(first + 32);
                let quiet = free & equal(processor, &forced[columns.clone()], NONE);
                let (word, bit) = self.columns.word_and_bit(fibre, first);
                let (panel, word) = (&mut self.panels[word / WORDS], word % WORDS);
                panel.open[row].0[word] |= quiet << bit;
                if found.has_exits {
                    let exits = &found.exits[range.clone()][columns];
                    let held = free & !equal(processor, exits, NONE);
                    panel.held[row].0[word] |= held << bit;
                }
            }
        }
    }

    /// The part of `rows`, which cover all fibres, that belongs to one fibre.
    pub(super) fn frame<'b>(
        &self,
        rows: &'b [u8],
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        if self.columns.fibres == 1 {
            return rows;
        }
        let len = self.placements.len();
        buffer.clear();
        for row in rows.chunks_exact(len * self.columns.fibres) {
            buffer.extend_from_slice(&row[fibre * len..][..len]);
        }
        buffer
    }

    /// Records which scores occur in which rows; `other` is the other side to move.
    pub(super) fn index_scores<P: Processor>(&mut self, processor: P, other: &HalfBatch<'_>) {
        let len = self.columns.len();
        for panel in &mut self.panels {
            processor.call(|| {
                for row in 0..self.placements.len() {
                    let range = row * len..(row + 1) * len;
                    if self.has_exits {
                        let exits = &self.exits[range.clone()];
                        let exits = panel.words.iter().map(|word| &exits[word.clone()]);
                        panel.exits[row] = ScoreSet::of(processor, exits);
                        self.exits_pending.join(panel.exits[row]);
                    }
                    let forced = &other.forced[range];
                    let forced = panel.words.iter().map(|word| &forced[word.clone()]);
                    panel.forced[row] = ScoreSet::of(processor, forced);
                    self.forced_pending.join(panel.forced[row]);
                }
            });
        }
    }

    /// Whether some scores of exits or forced positions have not been reached yet.
    pub(super) fn has_pending_scores(&self) -> bool {
        !self.forced_pending.is_empty() || !self.exits_pending.is_empty()
    }

    /// Assigns `score` to all positions that have it, and marks the changed rows for `other`.
    /// Returns whether there were any.
    pub(super) fn decide<P: Processor>(
        &mut self,
        processor: P,
        other: &mut HalfBatch<'_>,
        score: u8,
        parallel: bool,
    ) -> bool {
        let exits = self.exits_pending.take(score).then_some((&self.exits[..], self.columns.len()));
        let (moves, columns, their) = (self.moves, self.columns, other.columns);
        let len = their.len();
        if !parallel {
            let mut any = false;
            for panel in &mut self.panels {
                any |= processor.call(|| {
                    panel.decide(processor, moves, score, exits, |row, words, decided| {
                        for (word, columns_of) in decided.0.into_iter().zip(words) {
                            let mut word = word;
                            while word != 0 {
                                let column = columns_of.start + word.trailing_zeros() as usize;
                                word &= word - 1;
                                let fibre = column / columns.per_fibre;
                                let column = column % columns.per_fibre;
                                let offset = column * len + fibre * their.per_fibre + row;
                                self.scores[offset] = score;
                                let (word, _) = their.word_and_bit(fibre, row);
                                other.panels[word / WORDS].changed[column] = true;
                            }
                        }
                    })
                });
            }
            return any;
        }
        // Each panel has its own range of score rows.
        let mut scores = &mut self.scores[..];
        let mut parts = Vec::with_capacity(self.panels.len());
        for panel in &mut self.panels {
            let first = panel.words.first().map_or(0, |word| word.start);
            let last = panel.words.last().map_or(0, |word| word.end);
            let part;
            (part, scores) = scores.split_at_mut((last - first) * len);
            parts.push((panel, first, part));
        }
        let work = |(panel, first, scores): (&mut Panel, usize, &mut [u8])| {
            let mut changed = Vec::new();
            processor.call(|| {
                panel.decide(processor, moves, score, exits, |row, words, decided| {
                    for (word, columns_of) in decided.0.into_iter().zip(words) {
                        let mut word = word;
                        while word != 0 {
                            let column = columns_of.start + word.trailing_zeros() as usize;
                            word &= word - 1;
                            scores[(column - first) * len + row] = score;
                            changed.push((row / 32 / WORDS, column));
                        }
                    }
                })
            });
            changed
        };
        let changed = parallel::map(parts, work);
        for &(panel, column) in changed.iter().flatten() {
            other.panels[panel].changed[column] = true;
        }
        changed.iter().any(|changed| !changed.is_empty())
    }

    /// Updates the other side's panels with the positions decided with `score`. Returns whether any
    /// were new.
    pub(super) fn publish<P: Processor>(
        &mut self,
        processor: P,
        other: &mut HalfBatch<'_>,
        score: u8,
        parallel: bool,
    ) -> bool {
        other.forced_pending.take(score);
        let (scores, len, moves) = (&self.scores, other.columns.len(), other.moves);
        let work = |panel: &mut Panel| {
            processor.call(|| panel.update(processor, scores, len, moves, score))
        };
        match parallel {
            true => parallel::map(&mut other.panels, work).into_iter().any(|is_new| is_new),
            false => other.panels.iter_mut().map(work).fold(false, |a, b| a | b),
        }
    }
}
