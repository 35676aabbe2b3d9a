//! The game and the current position in it.

use damka_engine::{GameEnd, History, Playable};
use damka_games::Color;
use damka_records::{GameResult, GameTree, Record, TooDeep};

/// A tree of moves, with the game that leads to the current position.
pub(super) struct Walk<G: Playable> {
    tree: GameTree<G>,
    start: History<G>,
    game: History<G>,
}

impl<G: Playable> Walk<G> {
    /// A game without moves.
    pub(super) fn new(start: History<G>) -> Walk<G> {
        let tree = GameTree::new(start.start());
        Walk { tree, game: start.clone(), start }
    }

    /// A recorded game, at its start.
    pub(super) fn of(record: Record<G>) -> Walk<G> {
        let start = History::new(record.start);
        Walk { tree: record.into(), game: start.clone(), start }
    }

    /// A new game from the same start position.
    pub(super) fn again(&self) -> Walk<G> {
        Walk::new(self.start.clone())
    }

    /// The game up to the current position.
    pub(super) fn game(&self) -> &History<G> {
        &self.game
    }

    pub(super) fn position(&self) -> &G::Position {
        self.game.position()
    }

    /// The moves from here in existing lines, the main line first.
    pub(super) fn continuations(&self) -> impl ExactSizeIterator<Item = G::Move> {
        self.tree.continuations()
    }

    /// Plays a move: along an existing line, or as a new variation.
    pub(super) fn play(&mut self, mv: G::Move) -> Result<(), TooDeep> {
        self.tree.play(mv)?;
        self.game.play(mv);
        match self.game.end() {
            Some(GameEnd::Won(winner)) => self.tree.set_result(won_by(winner)),
            Some(GameEnd::Drawn(_)) => self.tree.set_result(GameResult::Draw),
            None => {}
        }
        Ok(())
    }

    /// Makes the line that leads here the main line.
    pub(super) fn promote(&mut self) -> Result<(), TooDeep> {
        self.tree.promote()
    }

    /// Goes back by a ply; returns whether there was one.
    pub(super) fn back(&mut self) -> bool {
        self.tree.back().is_some() && self.game.undo().is_some()
    }

    /// Goes forward by a ply, along the line visited last. Returns whether there was one.
    pub(super) fn forward(&mut self) -> bool {
        let mv = self.tree.forward();
        if let Some(mv) = mv {
            self.game.play(mv);
        }
        mv.is_some()
    }

    /// Goes forward by this move if an existing line begins with it. Returns whether one does.
    pub(super) fn enter(&mut self, mv: G::Move) -> bool {
        self.continuations().any(|known| known == mv) && self.play(mv).is_ok()
    }

    /// Sets or clears a result that does not follow from the rules.
    pub(super) fn set_winner(&mut self, winner: Option<Color>) {
        self.tree.set_result(winner.map_or(GameResult::Unknown, won_by));
    }

    /// The game with its variations.
    pub(super) fn record(&self) -> Record<G> {
        self.tree.record()
    }
}

fn won_by(winner: Color) -> GameResult {
    match winner {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}
