//! Negamax with alpha-beta: iterative deepening with aspiration windows over a principal
//! variation search, on one thread or several that share a transposition table.
//!
//! # How a move is found
//!
//! 1. `Engine::search` probes the endgame tables for the root (`root_probe.rs`). If the tables have the
//!    distance of the root, they choose the move. If the root is a draw, they restrict it to the
//!    moves that keep the draw, and a search without tables chooses among these. If the root is a
//!    win or loss without a distance, they restrict it to the moves that keep the result. The
//!    search then goes on through won and lost positions until a piece is captured; the winner
//!    hastens this and the loser delays it. The search also goes on if the 50-move rule may apply
//!    before mate. Then only wins and losses that come in time according to the tables end a line;
//!    other wins score higher the nearer the mate is.
//! 2. Otherwise the `Worker` of each thread runs iterative deepening (`deepen.rs`):
//!    `aspiration_search` opens a window around the last score; `search_moves` (`negamax.rs`)
//!    searches the transposition table move, then captures, killers, the rest by history
//!    (`order.rs`) with late move reductions, and last the moves that lose by SEE; `quiesce`
//!    follows captures, and in Alapo moves to the goal. A better move found by an unfinished depth
//!    is played.
//!
//!    All games use reverse futility pruning and null move pruning (draughts: no null move). Near the
//!    leaves late move pruning, futility pruning and SEE pruning leave moves out.
//!    In games with many quiet moves (`Searchable::IS_SELECTIVE`: chess) continuation history
//!    (`continuation.rs`) helps to order and to reduce them, and checks are extended by a ply. The
//!    other games use ProbCut, and at leaves where a capture threatens they search one more ply.
//! 3. On the way `search` ends a line at a repetition, at a draw by rule (`State` carries the
//!    counters), at a transposition table cutoff, or at a position that an endgame table has.
//! 4. Each thread checks the limits every 512 nodes and after each depth. Only the first thread has
//!    a clock. It also checks the clock after each table block that it decodes. Nothing else may
//!    delay the first thread: tables are opened and the memory of their cache is claimed before any
//!    search (`EndgameTables::new`), and no thread waits for another. If time is so short that a
//!    time slice of another thread would matter, the first thread searches alone. However short the
//!    limit, it completes depth 1.
//! 5. For several lines (MultiPV, `set_multi_pv`) each depth searches the root again without the first
//!    moves of better lines; `ranked.rs` takes the values of the other lines from the tables.
//! 6. The transposition table stores a move as its index in the list of legal moves: the generator
//!    always gives the same list, so the search need not know what a move consists of. In chess the
//!    quiescence search uses the table, too.
//! 7. The next search starts with the histories of this one, halved.

mod bonus;
mod continuation;
mod deepen;
mod negamax;
mod order;
mod quiesce;
mod ranked;
mod root_probe;
mod window;
mod worker;

use crate::control::{Clock, Control, Limits};
use crate::endgame_tables::{EndgameTables, piece_counts};
use crate::evaluate::{Evaluated, Evaluator};
use crate::history::History;
use crate::score::Score;
use crate::searchable::Searchable;
use crate::transposition::TranspositionTable;
use damka_games::Position;
use damka_system::NoMemory;
use damka_tables::{Value, Wdl};
use order::MoveHistory;
use ranked::ranked;
use root_probe::RootProbe;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use worker::Worker;

/// The greatest depth of a search and the greatest distance from the root, in plies.
pub(crate) const MAX_PLY: u16 = 250;

/// Searches positions, and keeps its transposition table and move history from one search to the next.
///
/// ```
/// use damka_engine::{Control, Engine, History, Limits};
/// use damka_games::{Game, Position, Russian};
///
/// let mut engine = Engine::new(Russian, 1 << 20);
/// // The man must take the king.
/// let position = Russian.parse_fen("W:Wc3,g1:BKd4,h8").unwrap();
/// let limits = Limits::depth(5);
/// let found = engine.search(&History::new(position), &limits, &Control::default(), |_| ());
/// assert_eq!(found.best().map(|mv| position.format_move(mv)), Some("c3xe5".to_owned()));
/// ```
pub struct Engine<G: Searchable> {
    game: G,
    transposition_table: Arc<TranspositionTable>,
    /// The move history of the first thread after the last search; `None` after
    /// [`clear`](Engine::clear).
    move_history: Option<MoveHistory<G>>,
    tables: Option<Arc<EndgameTables<G>>>,
    evaluator: Arc<dyn Evaluator<G>>,
    reductions: Arc<Reductions>,
    threads: usize,
    /// The number of lines to find (MultiPV).
    multi_pv: usize,
    /// The root moves to choose from; empty for all.
    root_moves: Vec<G::Move>,
    /// Threads of the last search, which were stopped but not yet joined.
    stopping: Vec<JoinHandle<()>>,
}

/// The result of a search, or of its depths so far.
#[derive(Clone, Debug)]
pub struct Report<G: Searchable> {
    /// The last completed depth, in plies.
    pub depth: u16,
    /// The length of the longest line searched (selective depth), in plies.
    pub selective_depth: u16,
    /// The score for the side to move.
    pub score: Score,
    /// The value of the position, if tables know it or the search has found a win or loss. Its
    /// distance is meaningful only if tables have distances or [`score`](Report::score) has one.
    pub value: Option<Value>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The number of successful probes of endgame tables.
    pub table_hits: u64,
    /// The time taken.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The principal variation. Empty if the game is over.
    pub pv: Vec<G::Move>,
    /// The next best lines, best first: one less than [`set_multi_pv`](Engine::set_multi_pv) at most.
    pub other_lines: Vec<Variation<G>>,
}

/// A line of play with its score.
#[derive(Clone, Debug)]
pub struct Variation<G: Searchable> {
    /// The score for the side to move if it plays this line.
    pub score: Score,
    /// Win, draw or loss, if tables know it or the search has found a win or loss.
    pub wdl: Option<Wdl>,
    /// The moves, alternating between the sides.
    pub moves: Vec<G::Move>,
}

impl<G: Searchable> Variation<G> {
    pub(crate) fn new(score: Score, moves: Vec<G::Move>) -> Variation<G> {
        let wdl =
            if score.is_win() { Some(Wdl::Win) } else { score.is_loss().then_some(Wdl::Loss) };
        Variation { score, wdl, moves }
    }

    /// The chances of a win, a draw and a loss, in thousandths: certain if tables know the result.
    pub fn chances(&self) -> [u16; 3] {
        chances::<G>(self.score, self.wdl)
    }
}

fn chances<G: Searchable>(score: Score, wdl: Option<Wdl>) -> [u16; 3] {
    match wdl {
        Some(Wdl::Win) => [1000, 0, 0],
        Some(Wdl::Draw) => [0, 1000, 0],
        Some(Wdl::Loss) => [0, 0, 1000],
        None => score.chances(G::WIN_RATE),
    }
}

impl<G: Searchable> Report<G> {
    /// The best move; `None` if there are no legal moves.
    pub fn best(&self) -> Option<G::Move> {
        self.pv.first().copied()
    }

    /// The chances of a win, a draw and a loss, in thousandths: certain if tables know the result.
    pub fn chances(&self) -> [u16; 3] {
        chances::<G>(self.score, self.value.map(Value::wdl))
    }
}

/// [`Searchable::reduction`] by depth and by the number of moves already searched.
type Reductions = [[u8; 64]; 64];

fn reductions<G: Searchable>() -> Reductions {
    let mut reductions = [[0; 64]; 64];
    for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
        for (searched, reduction) in row.iter_mut().enumerate().skip(1) {
            *reduction = G::reduction(depth as i32, searched) as u8;
        }
    }
    reductions
}

/// The state shared by the threads of a search.
struct Shared<G: Searchable> {
    transposition_table: Arc<TranspositionTable>,
    tables: Option<Arc<EndgameTables<G>>>,
    /// The number of pieces at the root if tables know its value. Won and lost positions with as
    /// many pieces are searched further. Those with fewer pieces, after a capture, end a line.
    root_pieces: Option<u32>,
    /// Whether tables know that the root is won or lost, but not whether the end comes before a
    /// draw rule that counts moves applies. Then only wins and losses that come in time end a line.
    is_uncertain: bool,
    evaluator: Arc<dyn Evaluator<G>>,
    reductions: Arc<Reductions>,
    /// The root moves to choose from.
    root_moves: Vec<G::Move>,
    /// The number of lines to find (MultiPV).
    multi_pv: usize,
    limits: Limits,
    stop: AtomicBool,
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

impl<G: Searchable + Evaluated> Engine<G> {
    /// An engine for `game` with a transposition table of `bytes` bytes and the built-in evaluation.
    ///
    /// # Panics
    /// If memory cannot be allocated. Use [`try_new`](Engine::try_new) for a size chosen by a user.
    pub fn new(game: G, bytes: usize) -> Engine<G> {
        Engine::try_new(game, bytes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`new`](Engine::new), but returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// The memory for the transposition table cannot be allocated.
    pub fn try_new(game: G, bytes: usize) -> Result<Engine<G>, NoMemory> {
        Engine::with_evaluator(game, bytes, game.evaluator())
    }
}

impl<G: Searchable> Engine<G> {
    /// Like [`try_new`](Engine::try_new), with another evaluation.
    ///
    /// # Errors
    /// The memory for the transposition table cannot be allocated.
    pub fn with_evaluator(
        game: G,
        bytes: usize,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> Result<Engine<G>, NoMemory> {
        Ok(Engine {
            game,
            transposition_table: Arc::new(TranspositionTable::new(bytes)?),
            move_history: None,
            tables: None,
            evaluator,
            reductions: Arc::new(reductions::<G>()),
            threads: 1,
            multi_pv: 1,
            root_moves: Vec::new(),
            stopping: Vec::new(),
        })
    }

    /// The game that the engine plays.
    pub fn game(&self) -> G {
        self.game
    }

    /// Sets the endgame tables to use, or `None` to search without.
    pub fn set_tables(&mut self, tables: Option<Arc<EndgameTables<G>>>) {
        self.tables = tables;
    }

    /// Sets the number of threads (at least 1). Searches with less than 24 ms for the move use one
    /// thread. With one thread and no time limit, searches are deterministic.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Sets the number of principal variations (MultiPV, at least 1). Each gets an exact score, and
    /// the time grows with their number.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.multi_pv = lines.max(1);
    }

    /// Restricts the root to the legal ones among `moves`. If there are none, all legal moves are
    /// searched. With a restricted root the tables are not probed for the root itself.
    pub fn set_root_moves(&mut self, moves: Vec<G::Move>) {
        self.root_moves = moves;
    }

    /// Forgets what earlier searches have found, for a new game.
    pub fn clear(&mut self) {
        self.move_history = None;
        self.transposition_table_mut().clear();
    }

    /// Joins all threads of the last search, and returns the transposition table for exclusive
    /// access.
    fn transposition_table_mut(&mut self) -> &mut TranspositionTable {
        for thread in self.stopping.drain(..) {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        Arc::get_mut(&mut self.transposition_table).expect("all search threads were joined")
    }

    /// Implements [`search`](Engine::search); compiled once for each family of games.
    #[doc(hidden)]
    pub fn search_any(
        &mut self,
        game: &History<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Report<G> {
        let started = Instant::now();
        let mut clock = Clock::start(limits, control);
        self.transposition_table_mut().new_search();
        let legal = game.position().moves();
        let chosen: Vec<G::Move> =
            legal.iter().copied().filter(|mv| self.root_moves.contains(mv)).collect();
        let root_probe = self
            .tables
            .as_deref()
            .filter(|_| chosen.is_empty())
            .and_then(|endings| RootProbe::new(endings, game, || clock.is_over()));
        let wdl = root_probe.as_ref().and_then(RootProbe::wdl);
        let is_uncertain = root_probe.as_ref().is_some_and(RootProbe::is_uncertain);
        let multi_pv = self.multi_pv;
        let is_ranked = root_probe.is_some() && !is_uncertain && multi_pv > 1;
        let ranked = match self.tables.as_deref().filter(|_| is_ranked) {
            Some(endings) => ranked(endings, game.position(), multi_pv, || clock.is_over()),
            None => Vec::new(),
        };
        let shared = Arc::new(Shared {
            transposition_table: Arc::clone(&self.transposition_table),
            // In a drawn position the tables have restricted the root moves and are not probed any
            // further.
            tables: self.tables.clone().filter(|_| wdl != Some(Wdl::Draw)),
            root_pieces: wdl.map(|_| piece_counts::<G>(game.position()).iter().sum()),
            is_uncertain,
            evaluator: Arc::clone(&self.evaluator),
            reductions: Arc::clone(&self.reductions),
            root_moves: match &root_probe {
                Some(probe) => probe.moves().to_vec(),
                None if chosen.is_empty() => legal.to_vec(),
                None => chosen,
            },
            multi_pv,
            limits: *limits,
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(u64::from(root_probe.is_some())),
        });
        let complete = |mut found: Report<G>| {
            found.nodes = shared.nodes.load(Ordering::Relaxed);
            found.table_hits = shared.table_hits.load(Ordering::Relaxed);
            found.time = started.elapsed();
            found.hashfull = shared.transposition_table.hashfull();
            match &root_probe {
                Some(probe) => probe.correct(&mut found),
                None => found.value = found.score.plies().map(Value::decided),
            }
            found.rank(&ranked, multi_pv);
            found
        };
        let mut best = Report::initial(&shared.root_moves);
        if shared.root_moves.is_empty() && game.position().loses_when_stuck() {
            best.score = Score::decided(0);
        }
        let is_solved = root_probe.as_ref().is_some_and(RootProbe::has_line);
        if shared.root_moves.is_empty() || is_solved {
            best = complete(best);
            report(&best);
        } else {
            let threads = if clock.is_short() { 1 } else { self.threads };
            let history = self.move_history.take().map_or_else(MoveHistory::new, MoveHistory::aged);
            for number in 1..threads {
                let (shared, game, history) = (Arc::clone(&shared), game.clone(), history.clone());
                let search = move || {
                    Worker::new(&shared, &game, number, history, None).deepen(&mut |_| ());
                };
                match thread::Builder::new().spawn(search) {
                    Ok(thread) => self.stopping.push(thread),
                    // No more threads can be started: the search runs on those already started.
                    Err(_) => break,
                }
            }
            let worker = Worker::new(&shared, game, 0, history, Some(&mut clock));
            self.move_history = Some(worker.deepen(&mut |found| {
                best = complete(found.clone());
                report(&best);
            }));
            // The other threads stop once they are scheduled, which may take milliseconds on a
            // busy machine. Only the next search waits for them.
            shared.stop.store(true, Ordering::Relaxed);
            best = complete(best);
        }
        while clock.is_pondering() {
            thread::sleep(Duration::from_millis(1));
        }
        best
    }
}

impl<G: Searchable> Report<G> {
    /// Makes one of the other lines the first.
    pub(crate) fn promote(&mut self, other: usize) {
        let Variation { score, moves, .. } = self.other_lines.remove(other);
        (self.score, self.pv, self.value) = (score, moves, None);
    }

    /// The report before anything is searched: the first move, scored as a draw.
    fn initial(moves: &[G::Move]) -> Report<G> {
        Report {
            depth: 0,
            selective_depth: 0,
            score: Score::DRAW,
            value: None,
            nodes: 0,
            table_hits: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: moves.first().copied().into_iter().collect(),
            other_lines: Vec::new(),
        }
    }
}
