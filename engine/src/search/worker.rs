use super::order::MoveHistory;
use super::root_probe::score_under_draw_rule;
use super::window::Window;
use super::{MAX_PLY, Shared};
use crate::control::Clock;
use crate::endgame_tables::piece_counts;
use crate::evaluate::ThreadEvaluator;
use crate::history::{History, State};
use crate::score::Score;
use crate::searchable::Searchable;
use crate::transposition::Entry;
use damka_games::Position;
use damka_tables::Wdl;
use damka_tables::processor::prefetch;
use std::sync::atomic::Ordering;

/// A thread checks the limits after this many positions.
const LIMIT_CHECK_INTERVAL: u64 = 1 << 9;

/// Base-2 logarithm of the number of entries in the evaluation cache of a thread.
const EVAL_CACHE_BITS: u32 = 15;

/// The state of one search thread.
pub(super) struct Worker<'a, 'c, G: Searchable> {
    pub(super) shared: &'a Shared<G>,
    /// The root position.
    pub(super) root: State<G>,
    /// Zobrist keys of the positions of the game, the root included, and of the current line.
    pub(super) keys: Vec<u64>,
    /// How many of `keys` belong to the game.
    pub(super) game_len: usize,
    pub(super) move_history: MoveHistory<G>,
    evaluator: Box<dyn ThreadEvaluator<G> + 'a>,
    /// Cached evaluations, at [`eval_cache_index`]: the score in the low 16 bits, the rest of the
    /// key above.
    eval_cache: Box<[u64]>,
    /// By ply: the static evaluation, at nodes that computed one.
    pub(super) static_evals: Vec<Option<Score>>,
    /// Root moves that better lines start with (MultiPV): not searched.
    pub(super) excluded_root_moves: Vec<G::Move>,
    /// By ply: the principal variation from there.
    pub(super) pv: Vec<Vec<G::Move>>,
    /// Positions not yet added to the shared counter.
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
    /// The longest line visited so far, in plies.
    pub(super) selective_depth: u16,
    pub(super) is_stopped: bool,
    /// Whether a depth has been completed.
    pub(super) has_completed_depth: bool,
    /// Whether the search is within a shallow search of [ProbCut](Worker::probcut_search).
    pub(super) in_probcut: bool,
    /// The number of the thread, from 0. Threads start at different depths.
    pub(super) thread: usize,
    /// Only the first thread has a clock.
    pub(super) clock: Option<&'a mut Clock<'c>>,
}

impl<'a, 'c, G: Searchable> Worker<'a, 'c, G> {
    pub(super) fn new(
        shared: &'a Shared<G>,
        game: &History<G>,
        thread: usize,
        move_history: MoveHistory<G>,
        clock: Option<&'a mut Clock<'c>>,
    ) -> Worker<'a, 'c, G> {
        let states = game.states();
        let keys: Vec<u64> = states.iter().map(|state| state.key).collect();
        Worker {
            shared,
            root: states[states.len() - 1],
            game_len: keys.len(),
            keys,
            move_history,
            evaluator: shared.evaluator.for_thread(),
            eval_cache: vec![0; 1 << EVAL_CACHE_BITS].into(),
            static_evals: vec![None; usize::from(MAX_PLY) + 1],
            excluded_root_moves: Vec::new(),
            pv: vec![Vec::new(); usize::from(MAX_PLY) + 2],
            nodes: 0,
            table_hits: 0,
            selective_depth: 0,
            is_stopped: false,
            has_completed_depth: false,
            in_probcut: false,
            thread,
            clock,
        }
    }

    /// Prefetches the transposition table and evaluation cache entries of a position that will be
    /// searched next.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.shared.transposition_table.prefetch(key);
        self.prefetch_evaluation(key);
    }

    /// Prefetches only the evaluation cache entry, for a position that will not be looked up in the
    /// transposition table.
    #[inline]
    pub(super) fn prefetch_evaluation(&self, key: u64) {
        prefetch(&self.eval_cache[eval_cache_index(key)]);
    }

    /// The static evaluation, [corrected](Searchable::corrected).
    #[inline]
    pub(super) fn evaluate(&mut self, state: &State<G>, ply: u16) -> Score {
        const SCORE: u64 = u16::MAX as u64;
        // All but the low 16 bits of the key are compared.
        let index = eval_cache_index(state.key);
        let cached = self.eval_cache[index];
        if cached & !SCORE == state.key & !SCORE {
            return Score::evaluation((cached as i16).into());
        }
        let evaluation = self.evaluator.evaluate(&state.position, ply);
        let score = Score::evaluation(G::corrected(&state.position, evaluation));
        self.eval_cache[index] = state.key & !SCORE | u64::from(score.to_tt(0) as u16);
        score
    }

    /// The score of an entry of the transposition table, if it is deep enough and decides the null
    /// window.
    #[inline]
    pub(super) fn tt_cutoff(
        &self,
        entry: Option<Entry>,
        state: &State<G>,
        depth: i32,
        window: Window,
    ) -> Option<Score> {
        let entry = entry.filter(|entry| i32::from(entry.depth) >= depth)?;
        let is_usable = !window.is_open()
            && window.is_decided_by(entry)
            && !self.shared.is_uncertain
            && !G::is_draw_near(&state.counters);
        is_usable.then_some(entry.score)
    }

    /// Counts a node and, every [`LIMIT_CHECK_INTERVAL`] nodes, checks the limits. Returns whether
    /// the search has to stop.
    #[inline]
    pub(super) fn enter_node(&mut self, ply: u16) -> bool {
        self.pv[usize::from(ply)].clear();
        self.selective_depth = self.selective_depth.max(ply);
        self.nodes += 1;
        if self.nodes >= LIMIT_CHECK_INTERVAL {
            self.check_limits();
        }
        self.is_stopped
    }

    /// Checks node limit, clock and stop flag, and updates `is_stopped`.
    #[cold]
    pub(super) fn check_limits(&mut self) {
        self.flush_counters();
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        if self.shared.limits.nodes.is_some_and(|limit| nodes >= limit) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.check_clock();
    }

    /// Checks clock and stop flag, and updates `is_stopped`. Does not reset the count of nodes
    /// since the last check of the limits: otherwise the points at which the node limit is checked,
    /// and so the result of a search with such a limit, would depend on the contents of a cache.
    #[cold]
    fn check_clock(&mut self) {
        if self.clock.as_mut().is_some_and(|clock| clock.is_over()) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        // However short the limit, the first thread completes depth 1, so that there is a move to
        // play. Depth 1 takes less time than clocks can measure.
        let must_answer = self.thread == 0 && !self.has_completed_depth;
        self.is_stopped = self.shared.stop.load(Ordering::Relaxed) && !must_answer;
    }

    /// Adds this thread's counters to the shared ones.
    pub(super) fn flush_counters(&mut self) {
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
        let hits = std::mem::take(&mut self.table_hits);
        self.shared.table_hits.fetch_add(hits, Ordering::Relaxed);
    }

    /// Whether the position is drawn by repetition or by a draw rule. Within the search one
    /// repetition is enough: what was repeated once can be repeated again.
    #[inline]
    pub(super) fn is_draw(&self, state: &State<G>) -> bool {
        let now = self.keys.len() - 1;
        // The counter may reach back before the first known position of a resumed game.
        let reversible = usize::from(state.counters.since_zeroing).min(now);
        if reversible >= 4 {
            let first = now - reversible;
            let mut repetitions = 0;
            // Same side to move, and at least two moves of each side ago.
            for index in (first..=now - 4).rev().step_by(2) {
                if self.keys[index] == state.key {
                    repetitions += 1;
                    // A position of the game must occur as often as the rule requires.
                    let occurrences = repetitions + 1;
                    if index >= self.game_len || occurrences >= state.position.game().repetitions()
                    {
                        return true;
                    }
                }
            }
        }
        G::draw_reason(&state.position, &state.counters).is_some()
    }

    /// The score by endgame tables if it ends the line. While a win or loss is uncertain under a
    /// draw rule, a leaf always gets a score if a table has the position.
    #[inline]
    pub(super) fn probe_tables(
        &mut self,
        state: &State<G>,
        ply: u16,
        is_leaf: bool,
    ) -> Option<Score> {
        let position = &state.position;
        let tables = self.shared.tables.as_ref().filter(|tables| tables.has(position))?;
        let wdl = tables.wdl_if_decoded(position).or_else(|| {
            // Decoding a block takes as long as many nodes, and reading it from a disk far longer.
            let wdl = tables.wdl(position);
            self.check_clock();
            wdl
        })?;
        self.table_hits += 1;
        match self.shared.root_pieces {
            Some(pieces) if wdl != Wdl::Draw => {
                let is_uncertain = self.shared.is_uncertain;
                let has_captures = piece_counts::<G>(position).iter().sum::<u32>() < pieces;
                let ends_line = is_uncertain || has_captures;
                let score = ends_line.then(|| tables.score(position, ply)).flatten();
                self.check_clock();
                match score {
                    Some(score) if is_uncertain => score_under_draw_rule(score, ply, state)
                        .or_else(|| is_leaf.then(|| Score::uncertain(score))),
                    score => score,
                }
            }
            _ => Some(Score::of_wdl(wdl, ply)),
        }
    }

    /// Sets the principal variation at `ply` to this move followed by the variation at `ply + 1`.
    pub(super) fn update_pv(&mut self, mv: G::Move, ply: u16) {
        let (here, next) = self.pv.split_at_mut(usize::from(ply) + 1);
        let line = &mut here[usize::from(ply)];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&next[0]);
    }
}

/// The evaluation cache index of a key: its high bits.
#[inline]
fn eval_cache_index(key: u64) -> usize {
    (key >> (64 - EVAL_CACHE_BITS)) as usize
}

/// The score of a position without legal moves.
pub(super) fn score_without_moves<G: Searchable>(position: &G::Position, ply: u16) -> Score {
    match position.loses_when_stuck() {
        true => -Score::won_in(ply),
        false => Score::DRAW,
    }
}
