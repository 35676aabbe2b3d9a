use crate::{DEEPEST_VARIATION, GameResult, Line, Ply, Record, Tags};
use damka_games::{Counted, Game, MoveCounters, Position};
use std::collections::VecDeque;
use thiserror::Error;

/// A game with its variations as a tree of positions, one of which is the current one.
///
/// ```
/// use damka_games::{Draughts, Game, Position, Russian};
/// use damka_records::GameTree;
///
/// let mut tree = GameTree::<Draughts>::new(Russian.start());
/// tree.play(tree.position().parse_move("c3-d4").unwrap()).unwrap();
/// tree.back();
/// tree.play(tree.position().parse_move("g3-f4").unwrap()).unwrap();
/// assert!(tree.record().to_string().ends_with("1. c3-d4 (1. g3-f4) *\n"));
/// tree.promote().unwrap();
/// assert!(tree.record().to_string().ends_with("1. g3-f4 (1. c3-d4) *\n"));
/// ```
#[derive(Clone, Debug)]
pub struct GameTree<G: Game> {
    /// The tags: who played, where and when.
    pub tags: Tags,
    /// The nodes. The first is the root; each comes after its parent.
    nodes: Vec<Node<G>>,
    here: usize,
    /// The move counters of the root.
    counters: Option<MoveCounters>,
}

/// The error of variations that would be nested deeper than [`DEEPEST_VARIATION`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("variations are nested more than {DEEPEST_VARIATION} deep")]
pub struct TooDeep;

/// A position of the tree, and the move that led to it.
#[derive(Clone, Debug)]
struct Node<G: Game> {
    position: G::Position,
    /// The parent; `None` for the root.
    origin: Option<Origin<G>>,
    /// The comments before the first move of a line: of the game, at the root; otherwise of the
    /// variation whose first move leads here.
    introduction: Vec<String>,
    /// The result of the game if it ended here.
    result: GameResult,
    /// The children, the main continuation first.
    children: Vec<usize>,
    /// The child that was visited last.
    latest: Option<usize>,
}

#[derive(Clone, Debug)]
struct Origin<G: Game> {
    parent: usize,
    /// The move with its annotations; its variations are in the tree.
    ply: Ply<G>,
}

impl<G: Game> Node<G> {
    fn new(position: G::Position, origin: Option<Origin<G>>) -> Node<G> {
        Node {
            position,
            origin,
            introduction: Vec::new(),
            result: GameResult::Unknown,
            children: Vec::new(),
            latest: None,
        }
    }
}

impl<G: Game> GameTree<G> {
    /// A game without moves.
    pub fn new(start: impl Into<Counted<G::Position>>) -> GameTree<G> {
        let Counted { position, counters } = start.into();
        let nodes = vec![Node::new(position, None)];
        GameTree { tags: Tags::new(), nodes, here: 0, counters }
    }

    /// The position before the first move, with its move counters.
    pub fn start(&self) -> Counted<G::Position> {
        Counted { position: self.nodes[0].position, counters: self.counters }
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.nodes[self.here].position
    }

    /// The moves of the tree from here, the main continuation first.
    pub fn continuations(&self) -> impl ExactSizeIterator<Item = G::Move> {
        let children = &self.nodes[self.here].children;
        children.iter().map(|&child| self.origin(child).ply.mv)
    }

    /// The result of the game in the current position; [`Unknown`](GameResult::Unknown) if it did
    /// not end here.
    pub fn result(&self) -> GameResult {
        self.nodes[self.here].result
    }

    /// Sets the result of the game in the current position. The result of the main line's last
    /// position is that of the record.
    pub fn set_result(&mut self, result: GameResult) {
        self.nodes[self.here].result = result;
    }

    /// Plays a legal move: along an existing line, or otherwise as a new variation, after all
    /// others.
    ///
    /// # Errors
    /// Fails, without playing the move, if variations would be nested too deep.
    pub fn play(&mut self, mv: G::Move) -> Result<(), TooDeep> {
        let (parent, count) = (self.here, self.nodes.len());
        let child = self.child(parent, mv);
        if self.nodes.len() > count && self.depth() > DEEPEST_VARIATION {
            self.nodes.pop();
            self.nodes[parent].children.pop();
            return Err(TooDeep);
        }
        self.enter(child);
        Ok(())
    }

    /// Goes back by a move and returns it; `None` at the start.
    pub fn back(&mut self) -> Option<G::Move> {
        let Origin { parent, ply } = self.nodes[self.here].origin.as_ref()?;
        let mv = ply.mv;
        self.here = *parent;
        Some(mv)
    }

    /// Goes forward by a move and returns it: along the line that was visited last, or otherwise
    /// the main continuation. `None` at the end of a line.
    pub fn forward(&mut self) -> Option<G::Move> {
        let Node { latest, children, .. } = &self.nodes[self.here];
        let child = latest.or(children.first().copied())?;
        self.enter(child);
        Some(self.origin(child).ply.mv)
    }

    /// Makes the line to the current position the main line. The moves that it replaces become
    /// variations.
    ///
    /// # Errors
    /// Fails, without changing anything, if variations would be nested too deep.
    pub fn promote(&mut self) -> Result<(), TooDeep> {
        let mut orders = Vec::new();
        let mut node = self.here;
        while let Some(&Origin { parent, .. }) = self.nodes[node].origin.as_ref() {
            let children = &mut self.nodes[parent].children;
            orders.push((parent, children.clone()));
            if let Some(place) = children.iter().position(|&child| child == node) {
                children[..=place].rotate_right(1);
            }
            node = parent;
        }
        if self.depth() > DEEPEST_VARIATION {
            orders.into_iter().for_each(|(node, order)| self.nodes[node].children = order);
            return Err(TooDeep);
        }
        Ok(())
    }

    /// The game as a record.
    pub fn record(&self) -> Record<G> {
        let mut record = Record::new(self.start());
        record.tags = self.tags.clone();
        record.result = self.nodes[self.main_end()].result;
        if let Some(&first) = self.nodes[0].children.first() {
            record.line = self.line(first);
        }
        record.line.comments.splice(0..0, self.nodes[0].introduction.iter().cloned());
        record
    }

    /// The line that begins with this node, with its variations.
    fn line(&self, first: usize) -> Line<G> {
        let mut line = Line { comments: self.nodes[first].introduction.clone(), plies: Vec::new() };
        let mut next = Some(first);
        while let Some(node) = next {
            let Origin { parent, ply } = self.origin(node);
            let mut ply = ply.clone();
            // The alternatives to the first move of a variation belong to the line from which it
            // branches off.
            if let [main, others @ ..] = &self.nodes[*parent].children[..]
                && *main == node
            {
                ply.variations = others.iter().map(|&other| self.line(other)).collect();
            }
            next = self.nodes[node].children.first().copied();
            if let Some(child) = next {
                ply.comments.extend_from_slice(&self.nodes[child].introduction);
            }
            line.plies.push(ply);
        }
        line
    }

    /// How deep variations are nested.
    fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for (parent, node) in self.nodes.iter().enumerate() {
            for (place, &child) in node.children.iter().enumerate() {
                depths[child] = depths[parent] + usize::from(place > 0);
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    fn main_end(&self) -> usize {
        let mut node = 0;
        while let Some(&child) = self.nodes[node].children.first() {
            node = child;
        }
        node
    }

    /// Goes to a child of the current node.
    fn enter(&mut self, child: usize) {
        self.nodes[self.here].latest = Some(child);
        self.here = child;
    }

    /// The node after a legal move, added if necessary.
    fn child(&mut self, parent: usize, mv: G::Move) -> usize {
        let Node { position, children, .. } = &self.nodes[parent];
        let known = children.iter().find(|&&child| self.origin(child).ply.mv == mv);
        if let Some(&child) = known {
            return child;
        }
        let position = position.play(mv);
        let child = self.nodes.len();
        self.nodes.push(Node::new(position, Some(Origin { parent, ply: Ply::new(mv) })));
        self.nodes[parent].children.push(child);
        child
    }

    /// The parent of a node other than the root, and the move from there.
    fn origin(&self, node: usize) -> &Origin<G> {
        self.nodes[node].origin.as_ref().expect("only the root has no origin")
    }
}

impl<G: Game> From<Record<G>> for GameTree<G> {
    /// The tree of a recorded game, at its start. Lines are merged as far as their moves are the same.
    fn from(record: Record<G>) -> GameTree<G> {
        let mut tree = GameTree::new(record.start);
        tree.tags = record.tags;
        tree.nodes[0].introduction = record.line.comments;
        // A line comes before its variations, so that its moves are the main continuations.
        let main = Line { comments: Vec::new(), plies: record.line.plies };
        let mut lines = VecDeque::from([(0, main)]);
        while let Some((mut node, line)) = lines.pop_front() {
            let mut introduction = line.comments;
            for ply in line.plies {
                lines.extend(ply.variations.into_iter().map(|variation| (node, variation)));
                node = tree.child(node, ply.mv);
                let entered = &mut tree.nodes[node];
                entered.introduction.append(&mut introduction);
                if let Some(Origin { ply: known, .. }) = &mut entered.origin {
                    known.nags.extend(ply.nags);
                    known.comments.extend(ply.comments);
                }
            }
            // What is left are the comments of a variation without moves.
            tree.nodes[node].introduction.append(&mut introduction);
        }
        let end = tree.main_end();
        tree.nodes[end].result = record.result;
        tree
    }
}
