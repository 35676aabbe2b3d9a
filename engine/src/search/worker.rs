use super::known::in_time;
use super::order::Experience;
use super::{MAX_PLY, Shared};
use crate::control::Clock;
use crate::endings::count;
use crate::evaluate::Frames;
use crate::history::{History, State};
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::Position;
use damka_tables::Wdl;
use damka_tables::processor::prefetch;
use std::sync::atomic::Ordering;

/// How many positions a thread searches between two looks at the limits.
const SLICE: u64 = 1 << 9;

/// How many evaluations a thread remembers, as a power of 2.
const EVALUATED_BITS: u32 = 15;

/// One thread's search.
pub(super) struct Worker<'a, 'c, G: Searchable> {
    pub(super) shared: &'a Shared<G>,
    /// The root, and the positions of the game before it.
    pub(super) root: State<G>,
    /// The keys of the game and of the line being searched.
    pub(super) keys: Vec<u64>,
    /// How many of them belong to the game, the root included.
    pub(super) game: usize,
    pub(super) experience: Experience<G>,
    /// By depth and the number of moves tried before, as [`Searchable::reduction`] has it.
    pub(super) reductions: Box<[[u8; 64]; 64]>,
    frames: Frames,
    /// Evaluations of the last positions, each [in its place](evaluated_place).
    evaluated: Box<[u64]>,
    /// By distance from the root: what the evaluation says, where it was asked.
    pub(super) evaluations: Vec<Option<Score>>,
    /// Moves of the root that better lines begin with: they are not searched.
    pub(super) excluded: Vec<G::Move>,
    /// By distance from the root: the best line from there.
    pub(super) lines: Vec<Vec<G::Move>>,
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
    pub(super) longest: u16,
    pub(super) is_over: bool,
    /// Whether a depth has been searched to its end.
    pub(super) has_answer: bool,
    /// Within a shallow search that [probes](Worker::probe).
    pub(super) is_probing: bool,
    /// Threads begin at different depths.
    pub(super) number: usize,
    pub(super) clock: Option<&'a mut Clock<'c>>,
}

impl<'a, 'c, G: Searchable> Worker<'a, 'c, G> {
    pub(super) fn new(
        shared: &'a Shared<G>,
        game: &History<G>,
        number: usize,
        clock: Option<&'a mut Clock<'c>>,
    ) -> Worker<'a, 'c, G> {
        let states = game.states();
        let keys: Vec<u64> = states.iter().map(|state| state.key).collect();
        Worker {
            shared,
            root: states[states.len() - 1],
            game: keys.len(),
            keys,
            experience: Experience::new(),
            reductions: reductions::<G>(),
            frames: Frames::new(),
            evaluated: vec![0; 1 << EVALUATED_BITS].into(),
            evaluations: vec![None; usize::from(MAX_PLY) + 1],
            excluded: Vec::new(),
            lines: vec![Vec::new(); usize::from(MAX_PLY) + 2],
            nodes: 0,
            table_hits: 0,
            longest: 0,
            is_over: false,
            has_answer: false,
            is_probing: false,
            number,
            clock,
        }
    }

    /// Has the processor fetch what is remembered of a position that is searched next.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.shared.found.prefetch(key);
        self.prefetch_evaluation(key);
    }

    /// The same of one of which only the evaluation is asked for.
    #[inline]
    pub(super) fn prefetch_evaluation(&self, key: u64) {
        prefetch(&self.evaluated[evaluated_place(key)]);
    }

    /// What a position is worth without any search.
    #[inline]
    pub(super) fn evaluate(&mut self, state: &State<G>) -> Score {
        const SCORE: u64 = u16::MAX as u64;
        // All but the lowest bits of the key tell positions apart.
        let place = evaluated_place(state.key);
        let known = self.evaluated[place];
        if known & !SCORE == state.key & !SCORE {
            return Score::evaluation((known as i16).into());
        }
        let hundredths = match G::is_fortress(&state.position) {
            true => 0,
            false => self.shared.weights.evaluate(&state.position, &mut self.frames),
        };
        let score = Score::evaluation(hundredths);
        self.evaluated[place] = state.key & !SCORE | u64::from(score.at(0) as u16);
        score
    }

    /// Counts a position, and from time to time looks at the limits. Returns whether the
    /// search is over.
    #[inline]
    pub(super) fn enter(&mut self, ply: u16) -> bool {
        self.lines[usize::from(ply)].clear();
        self.longest = self.longest.max(ply);
        self.nodes += 1;
        if self.nodes >= SLICE {
            self.look_at_limits();
        }
        self.is_over
    }

    #[cold]
    pub(super) fn look_at_limits(&mut self) {
        self.count();
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        let is_enough = self.shared.limits.nodes.is_some_and(|limit| nodes >= limit);
        if is_enough || self.clock.as_mut().is_some_and(|clock| clock.is_over()) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        // However little time there is, the first thread looks one move ahead: it takes less than a
        // limit can be told by, and there is something to say and to play.
        let must_answer = self.number == 0 && !self.has_answer;
        self.is_over = self.shared.stop.load(Ordering::Relaxed) && !must_answer;
    }

    /// Adds what this thread has counted to what all have.
    pub(super) fn count(&mut self) {
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
        let hits = std::mem::take(&mut self.table_hits);
        self.shared.table_hits.fetch_add(hits, Ordering::Relaxed);
    }

    /// Whether the game is drawn, or as good as drawn: a position that is repeated once
    /// can be repeated again.
    #[inline]
    pub(super) fn is_draw(&self, state: &State<G>) -> bool {
        let now = self.keys.len() - 1;
        // Of a game that did not begin here only the end may be known.
        let back = usize::from(state.counters.since_conversion).min(now);
        if back >= 4 {
            let first = now - back;
            let mut before = 0;
            // The same side to move, and at least two moves of each before.
            for place in (first..=now - 4).rev().step_by(2) {
                if self.keys[place] == state.key {
                    before += 1;
                    // Within the search once is enough, in the game it takes two.
                    if place >= self.game || before == 2 {
                        return true;
                    }
                }
            }
        }
        G::drawn(&state.position, &state.counters).is_some()
    }

    /// What tables say, if that ends the line; at a leaf it always does.
    #[inline]
    pub(super) fn look_up(&mut self, state: &State<G>, ply: u16, is_leaf: bool) -> Option<Score> {
        let position = &state.position;
        let tables = self.shared.tables.as_ref().filter(|tables| tables.has(position))?;
        let wdl = tables.decoded(position).or_else(|| {
            // Reading takes as long as many positions, and from a disk far longer.
            let wdl = tables.wdl(position);
            self.look_at_limits();
            wdl
        })?;
        self.table_hits += 1;
        match self.shared.conversion {
            Some(pieces) if wdl != Wdl::Draw => {
                let is_doubtful = self.shared.is_doubtful;
                let is_conversion = count::<G>(position).iter().sum::<u32>() < pieces;
                let may_tell = is_doubtful || is_conversion;
                let score = may_tell.then(|| tables.score(position, ply)).flatten();
                self.look_at_limits();
                match score {
                    Some(score) if is_doubtful => in_time(score, ply, state)
                        .or_else(|| is_leaf.then(|| Score::hoped_for(score))),
                    score => score,
                }
            }
            _ => Some(Score::of_wdl(wdl, ply)),
        }
    }

    /// The best line from here is this move and the best line behind it.
    pub(super) fn extend_line(&mut self, mv: G::Move, ply: u16) {
        let (here, behind) = self.lines.split_at_mut(usize::from(ply) + 1);
        let line = &mut here[usize::from(ply)];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&behind[0]);
    }
}

/// Where the evaluation of a position is remembered: the highest bits of its key.
#[inline]
fn evaluated_place(key: u64) -> usize {
    (key >> (64 - EVALUATED_BITS)) as usize
}

/// What a position without legal moves is worth.
pub(super) fn stuck<G: Searchable>(position: &G::Position, ply: u16) -> Score {
    match position.loses_when_stuck() {
        true => -Score::won_in(ply),
        false => Score::DRAW,
    }
}

fn reductions<G: Searchable>() -> Box<[[u8; 64]; 64]> {
    let mut reductions = Box::new([[0; 64]; 64]);
    for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
        for (tried, reduction) in row.iter_mut().enumerate().skip(1) {
            *reduction = G::reduction(depth as i32, tried) as u8;
        }
    }
    reductions
}
