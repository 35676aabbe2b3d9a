use super::journal::{Known, Scores};
use super::{Book, named};
use crate::Playable;
use crate::control::{Control, Limits};
use crate::history::History;
use crate::search::Engine;
use damka_games::Position;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};

/// How a book is made by search: from the start of the game on, all moves of ever more
/// positions are searched; what a position is worth is what its best line is worth. Which
/// positions come next is a matter of what their lines give away, and of their length (T.
/// Lincke, "Strategies for the automatic construction of opening books", 2000).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// How many positions get moves.
    pub positions: usize,
    /// How many positions are searched for each move of one, with one thread.
    pub nodes: u64,
    /// By how much a move that is kept may be worse than the best, in hundredths of a man.
    pub margin: i32,
    /// How many moves are searched at the same time; the book is the same for any number.
    pub threads: usize,
}

/// A ply more is as bad as giving away so much, in hundredths of a man.
const PLY: i64 = 8;

/// Who is better by so much needs no book.
const DECIDED: i32 = 400;

/// The memory of each search, in bytes.
const MEMORY: usize = 1 << 20;

/// Between two looks at which positions come next the tree grows by one in so many.
const GROWTH: usize = 16;

impl<G: Playable> Book<G> {
    /// Makes a book of `game` by search. Its moves count as drawn once; what they are really worth,
    /// games can tell ([`weigh`](Book::weigh)).
    ///
    /// `known` may hold positions that were searched before, with the same number of
    /// positions for each move; `searched` is told of each that is searched now. `None` if
    /// `control` or `searched` has stopped it.
    pub fn explore(
        game: G,
        plan: &Exploration,
        known: &Known<G>,
        control: &Control,
        mut searched: impl FnMut(&G::Position, &Scores) -> bool,
    ) -> Option<Book<G>> {
        let mut tree = Tree::new(game);
        while tree.nodes.len() < plan.positions {
            let most = (plan.positions - tree.nodes.len()).min(tree.nodes.len() / GROWTH + 1);
            let leaves = tree.leaves(most);
            if leaves.is_empty() {
                break;
            }
            let unknown = leaves.iter().filter(|&leaf| !known.contains_key(leaf));
            let unknown: Vec<G::Position> = unknown.copied().collect();
            let found = search(game, &unknown, plan, control)?;
            let mut found = unknown.iter().zip(found);
            for leaf in leaves {
                let scores = match known.get(&leaf) {
                    Some(scores) => scores.clone(),
                    None => found.next()?.1,
                };
                if !known.contains_key(&leaf) && !searched(&leaf, &scores) {
                    return None;
                }
                tree.add(leaf, scores);
            }
            tree.back_up();
        }
        Some(tree.book(plan.margin))
    }
}

/// Searches all moves of some positions; `None` if it was stopped.
fn search<G: Playable>(
    game: G,
    positions: &[G::Position],
    plan: &Exploration,
    control: &Control,
) -> Option<Vec<Scores>> {
    let after = |position: &G::Position| -> Vec<G::Position> {
        named::<G>(position).into_iter().map(|mv| position.play(mv)).collect()
    };
    let all: Vec<Vec<G::Position>> = positions.iter().map(after).collect();
    let tasks: Vec<G::Position> = all.iter().flatten().copied().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut engine = Engine::new(game, MEMORY);
        let mut found = Vec::new();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(&position) = tasks.get(number)
            && !control.is_stopped()
        {
            engine.forget();
            let limits = Limits::nodes(plan.nodes);
            let report = engine.search(&History::new(position), &limits, control, |_| ());
            found.push((number, -report.score.hundredths()));
        }
        found
    };
    let mut scores: Vec<(usize, i32)> = thread::scope(|scope| {
        let threads: Vec<_> =
            iter::repeat_with(|| scope.spawn(work)).take(plan.threads.max(1)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    if control.is_stopped() {
        return None;
    }
    scores.sort_unstable();
    let mut scores = scores.into_iter().map(|(_, score)| score);
    Some(all.iter().map(|moves| scores.by_ref().take(moves.len()).collect()).collect())
}

/// The positions whose moves have been searched.
struct Tree<G: Playable> {
    game: G,
    nodes: Vec<Node<G>>,
    places: FxHashMap<G::Position, usize>,
}

struct Node<G: Playable> {
    position: G::Position,
    /// Where the moves lead, and what they are worth as far as their own search tells.
    moves: Vec<(G::Position, i32)>,
    /// What the best line is worth.
    value: i32,
}

impl<G: Playable> Tree<G> {
    fn new(game: G) -> Tree<G> {
        Tree { game, nodes: Vec::new(), places: FxHashMap::default() }
    }

    fn add(&mut self, position: G::Position, scores: Scores) {
        let after = named::<G>(&position).into_iter().map(|mv| position.play(mv));
        let moves: Vec<_> = after.zip(scores).collect();
        let value = moves.iter().map(|&(_, score)| score).max().unwrap_or(-DECIDED);
        self.places.insert(position, self.nodes.len());
        self.nodes.push(Node { position, moves, value });
    }

    /// What a move is worth, as far as the tree tells.
    fn worth(&self, &(after, score): &(G::Position, i32)) -> i32 {
        self.places.get(&after).map_or(score, |&place| -self.nodes[place].value)
    }

    /// Values go back from positions to those that lead to them, until nothing changes:
    /// for ever only where lines go round in circles.
    fn back_up(&mut self) {
        const ROUNDS: usize = 100;
        for _ in 0..ROUNDS {
            let mut changed = false;
            for place in (0..self.nodes.len()).rev() {
                let moves = &self.nodes[place].moves;
                if let Some(value) = moves.iter().map(|mv| self.worth(mv)).max() {
                    changed |= self.nodes[place].value != value;
                    self.nodes[place].value = value;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// The positions that come next, those whose lines give least away first.
    fn leaves(&self, most: usize) -> Vec<G::Position> {
        let mut leaves = Vec::new();
        let start = self.game.start();
        let mut all = vec![start];
        let mut costs: FxHashMap<G::Position, i64> = FxHashMap::from_iter([(start, 0)]);
        let mut queue = BinaryHeap::from([Reverse((0, 0))]);
        while leaves.len() < most
            && let Some(Reverse((cost, number))) = queue.pop()
        {
            let position = all[number];
            if costs[&position] < cost {
                continue;
            }
            let Some(&place) = self.places.get(&position) else {
                leaves.push(position);
                continue;
            };
            let node = &self.nodes[place];
            for mv in &node.moves {
                let worth = self.worth(mv);
                if worth.abs() >= DECIDED || mv.0.moves().is_empty() {
                    continue;
                }
                let cost = cost + i64::from(node.value.saturating_sub(worth).max(0)) + PLY;
                if costs.get(&mv.0).is_none_or(|&known| cost < known) {
                    costs.insert(mv.0, cost);
                    queue.push(Reverse((cost, all.len())));
                    all.push(mv.0);
                }
            }
        }
        leaves
    }

    fn book(&self, margin: i32) -> Book<G> {
        let mut book = Book::new(self.game);
        for node in &self.nodes {
            for (place, mv) in (0..=u8::MAX).zip(&node.moves) {
                if self.worth(mv) >= node.value.saturating_sub(margin) {
                    book.results(&node.position, place).draws = 1;
                }
            }
        }
        book
    }
}
