//! The positions of a signature, listed, counted and sampled by what is known of them.
//!
//! * `mod.rs`: what can be asked for ([`Query`], [`Filter`]) and the walk that finds it ([`Listing`])
//! * `cursor.rs`: where a walk goes on
//! * `values.rs`: exact values in the order of the index, batch by batch
//! * `successors.rs`: the values behind captures, each probed once
//! * `copies.rs`: positions that are images of each other
//! * `sample.rs`: a uniform choice of what a query lists
//! * `histogram.rs`: how many positions there are of each value

mod copies;
mod cursor;
mod histogram;
mod sample;
mod successors;
mod values;

pub use cursor::{Cursor, CursorError};
pub use histogram::Histogram;
pub use sample::Sample;

use crate::{ProbeError, Storage, Tables};
use copies::Copies;
use damka_games::{Color, Game, Position};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature, Value, Wdl};
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;
use values::Values;

/// The numbers that a walk looks at before it returns: they take a few milliseconds.
const STEP: u64 = 1 << 13;

/// Conditions on a position. All of them must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The result for the side to move.
    pub wdl: Option<Wdl>,
    /// The distance to the win or loss in plies. No position passes under [`Metric::Wdl`].
    pub plies: Option<u16>,
    /// Exactly one legal move keeps the win or the draw, and there are others.
    pub only_move: bool,
    /// Mutual zugzwang: the side to move, whichever it is, has a worse result than it would have
    /// if the other side were to move.
    pub zugzwang: bool,
}

/// Which positions of a signature to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query<G> {
    /// The pieces. White has those named first.
    pub signature: Signature<G>,
    /// The metric of the values.
    pub metric: Metric,
    /// The conditions.
    pub filter: Filter,
    /// The side to move; `None` for both.
    pub side: Option<Side>,
    /// Whether symmetric positions are listed one by one. Otherwise one of them stands for all:
    /// for the images under the symmetries of the board; where both sides have the same pieces,
    /// also for those with colours exchanged; and in a list of zugzwangs for the same placement
    /// with the other side to move, if that passes the filter too.
    pub copies: bool,
}

/// A position that was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<G: Game> {
    /// Its place in the list.
    pub cursor: Cursor,
    /// The position.
    pub position: G::Position,
    /// The value for the side to move. Under [`Metric::Wdl`] it has no distance, as in
    /// [`Tables::value`].
    pub value: Value,
    /// The one move that keeps the result, where [`Filter::only_move`] asks for it.
    pub only_move: Option<G::Move>,
    /// The value of the same placement for the other side if that is to move, where
    /// [`Filter::zugzwang`] asks for it.
    pub passed: Option<Value>,
}

/// A walk over the positions that a [`Query`] asks for, in the order of the index. Nothing is
/// kept of what was found. A walk can be left at any time and resumed later from its
/// [cursor](Listing::cursor).
pub struct Listing<'a, G: Indexable, S: Storage> {
    tables: &'a Tables<G, S>,
    query: Query<G>,
    values: Values<'a, G, S>,
    /// One for each side to move.
    copies: [Copies<G>; 2],
    /// The sides to move, in order.
    sides: Vec<Side>,
    next: Option<Cursor>,
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// Begins a list. Opens the table of the query's signature.
    ///
    /// # Errors
    /// The table is missing or damaged.
    pub fn list(&self, query: Query<G>) -> Result<Listing<'_, G, S>, ProbeError> {
        let Query { signature, metric, side, copies, .. } = query;
        let values = Values::open(self, &signature, metric)?;
        let sides = match side {
            Some(side) => vec![side],
            None if copies => vec![Side::First, Side::Second],
            None => signature.sides().to_vec(),
        };
        let copies = [Side::First, Side::Second].map(|side| Copies::new(&signature, side));
        let mut listing = Listing { tables: self, query, values, copies, sides, next: None };
        listing.next = listing.first_of(0);
        Ok(listing)
    }
}

impl<'a, G: Indexable, S: Storage> Listing<'a, G, S> {
    /// Goes on at a cursor. One behind the last position ends the list.
    pub fn resume(&mut self, cursor: Cursor) {
        let turn = self.sides.iter().position(|&side| side == cursor.side);
        self.next = match turn {
            Some(_) if cursor.place < self.places(cursor.side) => Some(cursor),
            Some(turn) => self.first_of(turn + 1),
            None => None,
        };
    }

    /// Where the walk goes on; `None` at its end.
    pub fn cursor(&self) -> Option<Cursor> {
        self.next
    }

    /// How many places have been passed, and how many there are. Each holds at most one
    /// position of the list.
    pub fn progress(&self) -> (u64, u64) {
        let total = self.sides.iter().map(|&side| self.places(side)).sum();
        let Some(next) = self.next else { return (total, total) };
        let before = self.sides.iter().take_while(|&&side| side != next.side);
        (before.map(|&side| self.places(side)).sum::<u64>() + next.place, total)
    }

    /// Walks a few milliseconds further and calls `found` with each position of the list. After
    /// `found` breaks off, the walk goes on behind that position. Returns false at the end.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn advance(
        &mut self,
        mut found: impl FnMut(Listed<G>) -> ControlFlow<()>,
    ) -> Result<bool, ProbeError> {
        let Some(Cursor { side, place }) = self.next else { return Ok(false) };
        let images = self.images(side);
        let (first, len) = (place / images, self.values.len(side));
        let numbers = first..(first + STEP).min(len);
        let end = Cursor { side, place: numbers.end * images };
        let mut stopped = None;
        self.visit(side, numbers, |listed| {
            let cursor = listed.cursor;
            if cursor.place < place {
                return Continue(());
            }
            let flow = found(listed);
            if flow.is_break() {
                stopped = Some(Cursor { side, place: cursor.place + 1 });
            }
            flow
        })?;
        self.resume(stopped.unwrap_or(end));
        Ok(self.next.is_some())
    }

    /// The first place with the side to move that comes in this turn.
    fn first_of(&self, turn: usize) -> Option<Cursor> {
        let side = self.sides.iter().skip(turn).find(|&&side| self.places(side) > 0);
        side.map(|&side| Cursor { side, place: 0 })
    }

    fn places(&self, side: Side) -> u64 {
        self.values.len(side) * self.images(side)
    }

    /// How many places a number has.
    fn images(&self, side: Side) -> u64 {
        if self.query.copies { self.copies[side as usize].order() } else { 1 }
    }

    /// Calls `found` with the positions of the list that have these numbers.
    fn visit(
        &mut self,
        side: Side,
        numbers: Range<u64>,
        mut found: impl FnMut(Listed<G>) -> ControlFlow<()>,
    ) -> Result<(), ProbeError> {
        let Listing { tables, query, values, copies, .. } = self;
        let (index, copies) = (values.index(side), &copies[side as usize]);
        let images = if query.copies { copies.order() } else { 1 };
        for numbers in values::batches(numbers) {
            for (number, position, value) in values.batch(side, numbers)? {
                if !query.filter.admits(value) || !copies.is_first(index, number, position) {
                    continue;
                }
                let mut place = number * images;
                let mut pass = |position: &G::Position| -> Result<ControlFlow<()>, ProbeError> {
                    let position = colored::<G>(position, side);
                    let cursor = Cursor { side, place };
                    place += 1;
                    Ok(match tables.listed(cursor, position, value, query)? {
                        Some(listed) if !is_listed_before(tables, index, query, &listed)? => {
                            found(listed)
                        }
                        _ => Continue(()),
                    })
                };
                if query.copies {
                    for image in &copies.distinct(position) {
                        if pass(image)?.is_break() {
                            return Ok(());
                        }
                    }
                } else if pass(position)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// The position, given with White to move, with `side` to move.
fn colored<G: Indexable>(position: &G::Position, side: Side) -> G::Position {
    match side.color() {
        Color::White => *position,
        Color::Black => position.flip(),
    }
}

/// Whether a zugzwang has been listed already with the other side to move.
#[inline]
fn is_listed_before<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    index: &Index<G>,
    query: &Query<G>,
    listed: &Listed<G>,
) -> Result<bool, ProbeError> {
    let (Some(value), None, false) = (listed.passed, query.side, query.copies) else {
        return Ok(false);
    };
    let Some(twin) = passed::<G>(&listed.position) else { return Ok(false) };
    let Cursor { side, place } = listed.cursor;
    let is_earlier = match query.signature.sides().len() {
        // The twin, its colours exchanged, has a number of the same index.
        1 => Copies::new(&query.signature, side).class(index, &twin.with_white_to_move()) < place,
        _ => side == Side::Second,
    };
    Ok(is_earlier
        && query.filter.admits(value)
        && tables.listed(listed.cursor, twin, value, query)?.is_some())
}

impl Filter {
    /// Whether a value passes.
    #[inline]
    fn admits(&self, value: Value) -> bool {
        self.wdl.is_none_or(|wdl| wdl == value.wdl())
            && self.plies.is_none_or(|plies| Some(plies) == value.plies())
    }
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// A position whose value passes the filter, if the position itself does.
    #[inline]
    fn listed(
        &self,
        cursor: Cursor,
        position: G::Position,
        value: Value,
        query: &Query<G>,
    ) -> Result<Option<Listed<G>>, ProbeError> {
        let Query { metric, filter, .. } = *query;
        let mut listed = Listed { cursor, position, value, only_move: None, passed: None };
        if filter.zugzwang {
            listed.passed = self.zugzwang(&position, value, metric)?;
            if listed.passed.is_none() {
                return Ok(None);
            }
        }
        if filter.only_move {
            listed.only_move = self.only_move(&position, value, metric)?;
            if listed.only_move.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(listed))
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

    /// The value for the other side if it were to move, in a mutual zugzwang.
    fn zugzwang(
        &self,
        position: &G::Position,
        value: Value,
        metric: Metric,
    ) -> Result<Option<Value>, ProbeError> {
        if value.wdl() == Wdl::Win {
            return Ok(None);
        }
        let Some(passed) = passed::<G>(position) else { return Ok(None) };
        let passed = self.value(&passed, metric)?;
        Ok((value.wdl() < passed.wdl().before_move()).then_some(passed))
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
