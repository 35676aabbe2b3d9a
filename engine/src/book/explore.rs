use super::journal::{Known, Scores};
use super::{Book, named};
use crate::Playable;
use crate::control::{Control, Limits};
use crate::history::History;
use crate::search::Engine;
use damka_games::Position;
use damka_system::NoMemory;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::{iter, thread};

/// The parameters of building a book by search (drop-out expansion). Starting from the initial
/// position, leaves of a growing tree are expanded by searching all their moves, and values are
/// backed up by negamax. The leaves expanded next are those with the cheapest lines: each ply costs
/// what its move loses against the best one, plus a constant (T. Lincke, "Strategies for the
/// automatic construction of opening books", 2000).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The number of positions of the book.
    pub positions: usize,
    /// The node limit of the search of each move. Such a search uses one thread.
    pub nodes: u64,
    /// The book keeps the moves that are at most this much worse than the best one, in hundredths
    /// of a man.
    pub margin: i32,
    /// The number of moves searched in parallel. The book does not depend on it.
    pub threads: usize,
}

/// The cost of each ply of a line, in hundredths of a man: as if the ply gave away this much.
const PLY_COST: i64 = 8;

/// Moves whose value is at least this far from 0, in hundredths of a man, are not followed further.
const DECIDED: i32 = 400;

/// The transposition table of each search, in bytes.
const HASH_BYTES: usize = 1 << 20;

/// Each round expands one leaf per this many positions of the tree, plus one, before values are
/// backed up.
const GROWTH_DIVISOR: usize = 16;

impl<G: Playable> Book<G> {
    /// Builds a book of `game` by search. Each move gets one drawn game as its result; the results of
    /// games can be added later ([`add_results`](Book::add_results)).
    ///
    /// `known` may hold scores of positions searched earlier with the same number of nodes.
    /// `on_searched` is called for each position searched now, and stops the exploration by
    /// returning false. Returns `None` if `on_searched` or `control` stopped the exploration.
    ///
    /// # Errors
    /// The memory for a transposition table cannot be allocated. If memory or threads suffice for
    /// only some of the parallel searches, the exploration takes longer.
    pub fn explore(
        game: G,
        plan: &Exploration,
        known: &Known<G>,
        control: &Control,
        mut on_searched: impl FnMut(&G::Position, &Scores) -> bool,
    ) -> Result<Option<Book<G>>, NoMemory> {
        let mut tree = Tree::new(game);
        while tree.nodes.len() < plan.positions {
            let max_leaves =
                (plan.positions - tree.nodes.len()).min(tree.nodes.len() / GROWTH_DIVISOR + 1);
            let leaves = tree.leaves(max_leaves);
            if leaves.is_empty() {
                break;
            }
            let unknown = leaves.iter().filter(|&leaf| !known.contains_key(leaf));
            let unknown: Vec<G::Position> = unknown.copied().collect();
            let Some(found) = search(game, &unknown, plan, control)? else { return Ok(None) };
            let mut found = found.into_iter();
            for leaf in leaves {
                let scores = match known.get(&leaf) {
                    Some(scores) => scores.clone(),
                    None => {
                        let scores = found.next().unwrap_or_default();
                        if !on_searched(&leaf, &scores) {
                            return Ok(None);
                        }
                        scores
                    }
                };
                tree.add(leaf, scores);
            }
            tree.back_up_values();
        }
        Ok(Some(tree.book(plan.margin)))
    }
}

/// Searches all moves of the positions; `None` if stopped. If a thread cannot be started, the
/// others do its work.
///
/// # Errors
/// There is not enough memory for a single search.
fn search<G: Playable>(
    game: G,
    positions: &[G::Position],
    plan: &Exploration,
    control: &Control,
) -> Result<Option<Vec<Scores>>, NoMemory> {
    let successors = |position: &G::Position| -> Vec<G::Position> {
        named::<G>(position).into_iter().map(|mv| position.play(mv)).collect()
    };
    let all: Vec<Vec<G::Position>> = positions.iter().map(successors).collect();
    let tasks: Vec<G::Position> = all.iter().flatten().copied().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut engine = Engine::try_new(game, HASH_BYTES)?;
        let mut found = Vec::new();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(&position) = tasks.get(number)
            && !control.is_stopped()
        {
            engine.clear();
            let limits = Limits::nodes(plan.nodes);
            let report = engine.search(&History::new(position), &limits, control, |_| ());
            found.push((number, -report.score.hundredths()));
        }
        Ok(found)
    };
    let results: Vec<Result<Vec<(usize, i32)>, NoMemory>> = thread::scope(|scope| {
        let threads: Vec<_> = (1..plan.threads)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let own = work();
        let join = |thread: ScopedJoinHandle<_>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        iter::once(own).chain(threads.into_iter().map(join)).collect()
    });
    if control.is_stopped() {
        return Ok(None);
    }
    let mut scores = Vec::new();
    let mut failure = None;
    for result in results {
        match result {
            Ok(found) => scores.extend(found),
            Err(error) => failure = Some(error),
        }
    }
    // A thread that had no memory for an engine does no harm if the others have completed all
    // tasks.
    if let Some(error) = failure.filter(|_| scores.len() < tasks.len()) {
        return Err(error);
    }
    scores.sort_unstable();
    let mut scores = scores.into_iter().map(|(_, score)| score);
    Ok(Some(all.iter().map(|moves| scores.by_ref().take(moves.len()).collect()).collect()))
}

/// The expanded positions.
struct Tree<G: Playable> {
    game: G,
    nodes: Vec<Node<G>>,
    indices: FxHashMap<G::Position, usize>,
}

struct Node<G: Playable> {
    position: G::Position,
    /// By move: the successor and the score of its own search, for the side to move at the node.
    moves: Vec<(G::Position, i32)>,
    /// The backed-up value, for the side to move.
    value: i32,
}

impl<G: Playable> Tree<G> {
    fn new(game: G) -> Tree<G> {
        Tree { game, nodes: Vec::new(), indices: FxHashMap::default() }
    }

    fn add(&mut self, position: G::Position, scores: Scores) {
        let successors = named::<G>(&position).into_iter().map(|mv| position.play(mv));
        let moves: Vec<_> = successors.zip(scores).collect();
        let value = moves.iter().map(|&(_, score)| score).max().unwrap_or(-DECIDED);
        self.indices.insert(position, self.nodes.len());
        self.nodes.push(Node { position, moves, value });
    }

    /// The value of a move: the backed-up value of its successor if that is in the tree, else the
    /// score of the move's own search.
    fn value_of(&self, &(after, score): &(G::Position, i32)) -> i32 {
        self.indices.get(&after).map_or(score, |&index| -self.nodes[index].value)
    }

    /// Backs up values from successors until nothing changes. The number of rounds is limited, as
    /// with cycles in the tree this might never end.
    fn back_up_values(&mut self) {
        const ROUNDS: usize = 100;
        for _ in 0..ROUNDS {
            let mut changed = false;
            for index in (0..self.nodes.len()).rev() {
                let moves = &self.nodes[index].moves;
                if let Some(value) = moves.iter().map(|mv| self.value_of(mv)).max() {
                    changed |= self.nodes[index].value != value;
                    self.nodes[index].value = value;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// The leaves to expand next, cheapest line first (Dijkstra).
    fn leaves(&self, max_leaves: usize) -> Vec<G::Position> {
        let mut leaves = Vec::new();
        let start = self.game.start();
        let mut all = vec![start];
        let mut costs: FxHashMap<G::Position, i64> = FxHashMap::from_iter([(start, 0)]);
        let mut queue = BinaryHeap::from([Reverse((0, 0))]);
        while leaves.len() < max_leaves
            && let Some(Reverse((cost, number))) = queue.pop()
        {
            let position = all[number];
            if costs[&position] < cost {
                continue;
            }
            let Some(&index) = self.indices.get(&position) else {
                leaves.push(position);
                continue;
            };
            let node = &self.nodes[index];
            for mv in &node.moves {
                let value = self.value_of(mv);
                if value.abs() >= DECIDED || mv.0.moves().is_empty() {
                    continue;
                }
                let cost = cost + i64::from(node.value.saturating_sub(value).max(0)) + PLY_COST;
                if costs.get(&mv.0).is_none_or(|&known| cost < known) {
                    costs.insert(mv.0, cost);
                    queue.push(Reverse((cost, all.len())));
                    all.push(mv.0);
                }
            }
        }
        leaves
    }

    /// The book of all moves within `margin` of the best one.
    fn book(&self, margin: i32) -> Book<G> {
        let mut book = Book::new(self.game);
        for node in &self.nodes {
            for (index, mv) in (0..=u8::MAX).zip(&node.moves) {
                if self.value_of(mv) >= node.value.saturating_sub(margin) {
                    book.results(&node.position, index).draws = 1;
                }
            }
        }
        book
    }
}
