//! Negamax with alpha-beta: iterative deepening with aspiration windows over a principal
//! variation search, on one thread or several that share a transposition table.
//!
//! # How a move is found
//!
//! 1. `Engine::search` asks the tables about the position on the board (`known.rs`). If they know
//!    the distance, they choose the move; if it is a draw, they leave the moves that keep it, and a
//!    search without tables chooses among these. Of a win or loss without distance they leave the
//!    moves that keep it, too, and the search goes on through what is won or lost until a piece is
//!    taken: the winner brings that about soon, the loser late. So it does where the rule of 50 moves
//!    may come before the mate: only what the tables say to come in time is won or lost then, and
//!    what is left undecided counts the more the nearer the mate is.
//! 2. Else each thread's `Worker` deepens (`deepen.rs`): `aspire` opens a window around the last
//!    score, `search_moves` (`negamax.rs`) tries the best move known, then captures, killers, and the
//!    rest by history (`order.rs`), late quiet ones less deep at first; `quiesce` follows captures, in
//!    Alapo moves to the goal as well. What an exchange loses comes last. A better move that an
//!    unfinished depth has found is played.
//!
//!    In games with many quiet moves (`Searchable::IS_SELECTIVE`: chess) checks are followed a ply
//!    further, and near the leaves moves are left out that come late or could not win enough. In
//!    the others a shallower search with moved bounds tells what need not be searched as deep.
//! 3. On the way `search` ends a line that repeats, or that a rule draws (`State` carries the
//!    counters), that the transposition table settles, or that a table knows.
//! 4. The first thread looks at the limits every 512 positions, after each block it decodes and
//!    after each depth. Nothing else may keep it: tables are opened and the cache's memory is taken
//!    before any search (`Endings::new`), no thread waits for another, and where there is less time
//!    than the system's scheduler may give to another thread, no other one searches.
//!    However little time there is, it looks one move ahead.
//! 5. Where several lines are wanted (`set_lines`), each depth searches the root again without the
//!    moves of better lines; `ranked.rs` adds what tables know of the others.
//! 6. Moves are remembered as their place in the list of legal moves: the generator always gives
//!    the same list, so that nothing in the search need know what a move is.

mod deepen;
mod known;
mod negamax;
mod order;
mod quiesce;
mod ranked;
mod window;
mod worker;

use crate::control::{Clock, Control, Limits};
use crate::endings::{Endings, count};
use crate::evaluate::Weights;
use crate::history::History;
use crate::score::Score;
use crate::searchable::Searchable;
use crate::transposition::TranspositionTable;
use damka_games::Position;
use damka_system::NoMemory;
use damka_tables::{Value, Wdl};
use known::Known;
use ranked::ranked;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use worker::Worker;

/// The greatest depth of a search, and the longest line looked at, in plies.
pub(crate) const MAX_PLY: u16 = 250;

/// Searches positions, and remembers what it found from one search to the next.
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
    found: Arc<TranspositionTable>,
    tables: Option<Arc<Endings<G>>>,
    weights: Arc<Weights<G>>,
    threads: usize,
    /// How many lines are searched for.
    lines: usize,
    /// The moves to choose from; empty for all.
    choice: Vec<G::Move>,
    /// Threads of the last search that were told to stop.
    stopping: Vec<JoinHandle<()>>,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Report<G: Searchable> {
    /// The depth that was searched to the end, in plies.
    pub depth: u16,
    /// The length of the longest line looked at, in plies.
    pub longest: u16,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The position's value, if tables tell it or the search has found a win or loss; the
    /// distance is right if tables have distances or [`score`](Report::score) has one.
    pub value: Option<Value>,
    /// The positions searched.
    pub nodes: u64,
    /// The positions looked up in tables.
    pub table_hits: u64,
    /// The time taken.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub full: u32,
    /// The best moves for both sides. Empty if the game is over.
    pub line: Vec<G::Move>,
    /// What else can be played, the best first, as far as
    /// [that was wanted](Engine::set_lines).
    pub others: Vec<Line<G>>,
}

/// A move, what it is worth, and what follows.
#[derive(Clone, Debug)]
pub struct Line<G: Searchable> {
    /// What the position is worth to the side to move if it plays this.
    pub score: Score,
    /// Win, draw or loss, if tables tell it or the search has found a win or loss.
    pub wdl: Option<Wdl>,
    /// The move, and the best ones behind it for both sides.
    pub moves: Vec<G::Move>,
}

impl<G: Searchable> Line<G> {
    fn new(score: Score, moves: Vec<G::Move>) -> Line<G> {
        let wdl =
            if score.is_win() { Some(Wdl::Win) } else { score.is_loss().then_some(Wdl::Loss) };
        Line { score, wdl, moves }
    }
}

impl<G: Searchable> Report<G> {
    /// The best move; `None` if there is none.
    pub fn best(&self) -> Option<G::Move> {
        self.line.first().copied()
    }
}

/// What the threads of a search share.
struct Shared<G: Searchable> {
    found: Arc<TranspositionTable>,
    tables: Option<Arc<Endings<G>>>,
    /// Where tables know that the root is won or lost, but not how soon: of how many pieces it
    /// is. Won and lost positions of as many are searched further; with fewer, one side has
    /// come nearer to the end, the sooner the better for it.
    conversion: Option<u32>,
    /// Whether tables know that the root is won or lost, but not if that comes before it is
    /// drawn by a rule that counts moves. Only what comes in time ends a line then.
    is_doubtful: bool,
    weights: Arc<Weights<G>>,
    /// The moves to choose from.
    moves: Vec<G::Move>,
    /// How many lines are searched for.
    lines: usize,
    limits: Limits,
    stop: AtomicBool,
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

impl<G: Searchable> Engine<G> {
    /// An engine for `game` whose transposition table takes so many bytes, with the weights
    /// that are built in.
    ///
    /// # Panics
    /// There is not so much memory. For a size that somebody has chosen there is
    /// [`try_new`](Engine::try_new).
    pub fn new(game: G, bytes: usize) -> Engine<G> {
        Engine::try_new(game, bytes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same.
    ///
    /// # Errors
    /// There is not so much memory.
    pub fn try_new(game: G, bytes: usize) -> Result<Engine<G>, NoMemory> {
        Ok(Engine {
            game,
            found: Arc::new(TranspositionTable::new(bytes)?),
            tables: None,
            weights: game.weights(),
            threads: 1,
            lines: 1,
            choice: Vec::new(),
            stopping: Vec::new(),
        })
    }

    /// The game.
    pub fn game(&self) -> G {
        self.game
    }

    /// Evaluates positions by these weights, and forgets what was found by others.
    pub fn set_weights(&mut self, weights: Arc<Weights<G>>) {
        self.weights = weights;
        self.forget();
    }

    /// Uses tables, or none any more.
    pub fn set_tables(&mut self, tables: Option<Arc<Endings<G>>>) {
        self.tables = tables;
    }

    /// Searches with this many threads, at least one; with one where the time for a move is
    /// less than 24 ms. With one, and without a limit of time, the same search finds the same.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Searches for so many of the best moves, at least one. What each is worth is then known
    /// as exactly as of the best one, which takes as many times longer.
    pub fn set_lines(&mut self, lines: usize) {
        self.lines = lines.max(1);
    }

    /// Chooses among these moves, as far as they are legal, or among all if none is. Tables are
    /// then not asked about the position itself.
    pub fn set_choice(&mut self, moves: Vec<G::Move>) {
        self.choice = moves;
    }

    /// Forgets what earlier searches found: a new game begins.
    pub fn forget(&mut self) {
        self.found().clear();
    }

    /// What earlier searches found, once none of their threads adds to it any more.
    fn found(&mut self) -> &mut TranspositionTable {
        for thread in self.stopping.drain(..) {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        Arc::get_mut(&mut self.found).expect("no search goes on")
    }

    /// Searches a position, see `search`.
    pub(crate) fn search_any(
        &mut self,
        game: &History<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Report<G> {
        let started = Instant::now();
        let mut clock = Clock::start(limits, control);
        self.found().grow_older();
        let legal = game.position().moves();
        let chosen: Vec<G::Move> =
            legal.iter().copied().filter(|mv| self.choice.contains(mv)).collect();
        let known = self
            .tables
            .as_deref()
            .filter(|_| chosen.is_empty())
            .and_then(|endings| Known::ask(endings, game, || clock.is_over()));
        let wdl = known.as_ref().and_then(Known::wdl);
        let is_doubtful = known.as_ref().is_some_and(Known::is_doubtful);
        let lines = self.lines;
        let is_ranked = known.is_some() && !is_doubtful && lines > 1;
        let ranked = match self.tables.as_deref().filter(|_| is_ranked) {
            Some(endings) => ranked(endings, game.position(), lines, || clock.is_over()),
            None => Vec::new(),
        };
        let shared = Arc::new(Shared {
            found: Arc::clone(&self.found),
            // Of a draw tables have chosen the moves, and know no more.
            tables: self.tables.clone().filter(|_| wdl != Some(Wdl::Draw)),
            conversion: wdl.map(|_| count::<G>(game.position()).iter().sum()),
            is_doubtful,
            weights: Arc::clone(&self.weights),
            moves: match &known {
                Some(known) => known.moves().to_vec(),
                None if chosen.is_empty() => legal.to_vec(),
                None => chosen,
            },
            lines,
            limits: *limits,
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(u64::from(known.is_some())),
        });
        let complete = |mut found: Report<G>| {
            found.nodes = shared.nodes.load(Ordering::Relaxed);
            found.table_hits = shared.table_hits.load(Ordering::Relaxed);
            found.time = started.elapsed();
            found.full = shared.found.permille();
            match &known {
                Some(known) => known.tell(&mut found),
                None => found.value = found.score.plies().map(Value::decided),
            }
            found.rank(&ranked, lines);
            found
        };
        let mut best = Report::first(&shared.moves);
        if shared.moves.is_empty() && game.position().loses_when_stuck() {
            best.score = Score::decided(0);
        }
        let is_clear = known.as_ref().is_some_and(Known::has_line);
        if shared.moves.is_empty() || is_clear {
            best = complete(best);
            report(&best);
        } else {
            let threads = if clock.is_tight() { 1 } else { self.threads };
            for number in 1..threads {
                let (shared, game) = (Arc::clone(&shared), game.clone());
                let search = move || Worker::new(&shared, &game, number, None).deepen(&mut |_| ());
                match thread::Builder::new().spawn(search) {
                    Ok(thread) => self.stopping.push(thread),
                    // The system gives no more threads: those that run search alone.
                    Err(_) => break,
                }
            }
            let worker = Worker::new(&shared, game, 0, Some(&mut clock));
            worker.deepen(&mut |found| {
                best = complete(found.clone());
                report(&best);
            });
            // The other threads end as soon as each has a processor. When all are taken
            // that may be milliseconds, which only the next search can wait.
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
    /// What can be said before anything has been searched.
    fn first(moves: &[G::Move]) -> Report<G> {
        Report {
            depth: 0,
            longest: 0,
            score: Score::DRAW,
            value: None,
            nodes: 0,
            table_hits: 0,
            time: Duration::ZERO,
            full: 0,
            line: moves.first().copied().into_iter().collect(),
            others: Vec::new(),
        }
    }
}
