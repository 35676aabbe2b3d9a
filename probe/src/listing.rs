//! All positions of a signature, by what is known of them.

use crate::{ProbeError, Storage, Tables};
use damka_games::{Color, Game, Position};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature, Value, Wdl};
use std::ops::ControlFlow;

/// Which positions to list: those of which all of this holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The side to move wins, draws or loses.
    pub wdl: Option<Wdl>,
    /// It wins or loses in exactly so many plies.
    pub plies: Option<u16>,
    /// One of its legal moves keeps the win or the draw, and no other.
    pub only_move: bool,
    /// Mutual zugzwang: whoever is to move, the result is worse for that side than it would be
    /// if the other side were to move.
    pub zugzwang: bool,
}

/// A position that was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<G: Game> {
    /// The position.
    pub position: G::Position,
    /// What it is worth to the side to move; without a distance under [`Metric::Wdl`], as
    /// [`Tables::value`] has it.
    pub value: Value,
    /// The one move that keeps it, where [`Filter::only_move`] asked for that.
    pub only_move: Option<G::Move>,
}

/// How many positions there are of each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// How many are drawn.
    pub draws: u64,
    /// How many are decided in 0, 1, 2... plies: odd numbers are wins of the side to move, even
    /// ones losses. The last is not 0.
    pub decided: Vec<u64>,
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// Calls `found` with the positions of `signature` with `side` to move that pass the filter,
    /// until it breaks off: all legal placements, also those that are symmetric to each other,
    /// and those in which captures have to be resolved. They come in the order of the index,
    /// and nothing is kept of them. Under [`Metric::Wdl`] a filter by plies makes no sense.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn list(
        &self,
        signature: &Signature<G>,
        side: Side,
        metric: Metric,
        filter: Filter,
        mut found: impl FnMut(Listed<G>) -> ControlFlow<()>,
    ) -> Result<(), ProbeError> {
        // Without a table there may be too many positions for an index.
        self.open_for(signature, metric)?;
        let [mover, opponent] = signature.to_move(side);
        let index = Index::unfolded(self.game(), mover, opponent);
        for position in index.positions(0..index.len()).filter(G::is_legal) {
            let position = match side.color() {
                Color::White => position,
                Color::Black => position.flip(),
            };
            if let Some(listed) = self.listed(position, metric, filter)?
                && found(listed).is_break()
            {
                break;
            }
        }
        Ok(())
    }

    /// How many positions of `signature` with `side` to move there are of each value. All of
    /// them are looked at, each counted by itself even where symmetric ones share a number.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn histogram(&self, signature: &Signature<G>, side: Side) -> Result<Histogram, ProbeError> {
        self.preload(signature, Metric::Dtw)?;
        let [mover, opponent] = signature.to_move(side);
        let index = Index::new(self.game(), mover, opponent);
        let mut histogram = Histogram::default();
        let positions = (0..).zip(index.positions(0..index.len()));
        for (number, position) in positions.filter(|(_, position)| G::is_legal(position)) {
            histogram.count(self.dtw(&position)?, index.weight(number));
        }
        Ok(histogram)
    }

    /// A position, if it passes the filter.
    fn listed(
        &self,
        position: G::Position,
        metric: Metric,
        filter: Filter,
    ) -> Result<Option<Listed<G>>, ProbeError> {
        let value = self.value(&position, metric)?;
        if filter.wdl.is_some_and(|wdl| wdl != value.wdl())
            || filter.plies.is_some_and(|plies| Some(plies) != value.plies())
            || filter.zugzwang && !self.is_zugzwang(&position, value, metric)?
        {
            return Ok(None);
        }
        let mut only_move = None;
        if filter.only_move {
            only_move = self.only_move(&position, value, metric)?;
            if only_move.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(Listed { position, value, only_move }))
    }

    /// The one of several moves that keeps the win or the draw; `None` if several do, or if
    /// there is nothing to keep.
    fn only_move(
        &self,
        position: &G::Position,
        value: Value,
        metric: Metric,
    ) -> Result<Option<G::Move>, ProbeError> {
        let moves = position.moves();
        if value.wdl() == Wdl::Loss || moves.len() < 2 {
            return Ok(None);
        }
        let mut only = None;
        for mv in moves {
            let after = self.value(&position.play(mv), metric)?;
            if after.wdl().before_move() == value.wdl() && only.replace(mv).is_some() {
                return Ok(None);
            }
        }
        Ok(only)
    }

    fn is_zugzwang(
        &self,
        position: &G::Position,
        value: Value,
        metric: Metric,
    ) -> Result<bool, ProbeError> {
        if value.wdl() == Wdl::Win {
            return Ok(false);
        }
        let Some(passed) = passed::<G>(position) else {
            return Ok(false);
        };
        let passed = self.value(&passed, metric)?;
        Ok(value.wdl() < passed.wdl().before_move())
    }
}

impl Histogram {
    fn count(&mut self, value: Value, positions: u64) {
        let Some(plies) = value.plies().map(usize::from) else {
            self.draws += positions;
            return;
        };
        if self.decided.len() <= plies {
            self.decided.resize(plies + 1, 0);
        }
        self.decided[plies] += positions;
    }
}

/// The same placement with the other side to move, unless the rules do not allow that.
fn passed<G: Indexable>(position: &G::Position) -> Option<G::Position> {
    let turn = !position.turn();
    let may_stand = |color| G::may_stand(position.side(color), color, turn);
    let stands = Color::BOTH.into_iter().all(may_stand);
    let passed = stands.then(|| position.game().assemble(&position.setup().pieces, turn));
    passed.filter(G::is_legal)
}
