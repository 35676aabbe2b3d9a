//! Lists, counts and samples the positions of a signature by their values.
//!
//! * `mod.rs`: the query ([`Query`], [`Filter`]) and the scan over its positions ([`Listing`])
//! * `cursor.rs`: where a scan is resumed
//! * `values.rs`: exact values in the order of the index, batch by batch
//! * `successors.rs`: the values after captures, each probed once
//! * `copies.rs`: positions that are images of each other
//! * `sample.rs`: a uniform sample of a list
//! * `histogram.rs`: the number of positions of each value

mod copies;
mod cursor;
mod histogram;
mod sample;
mod successors;
mod values;

pub use cursor::{Cursor, CursorError, NoPlace};
pub use sample::Sample;

use crate::{Pending, ProbeError, Storage, Tables};
use copies::Copies;
use damka_games::{Color, Game, Position};
use damka_tables::metric::{Longest, Metric, Summary};
use damka_tables::{Index, Indexable, Side, Signature, Value, Wdl};
use std::cmp::Ordering;
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;
use values::Values;

/// The number of positions scanned per call, which takes a few milliseconds.
const STEP: u64 = 1 << 13;

/// Conditions on a position, all of which must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The result for the side to move.
    pub wdl: Option<Wdl>,
    /// The distance to the win or loss in plies. No position passes if the metric has no distances.
    pub plies: Option<u16>,
    /// Exactly one legal move keeps the win or the draw, and there are others.
    pub only_move: bool,
    /// Mutual zugzwang: either side would get a worse result if it were to move than if the other
    /// side were. Both sides must have a legal move.
    pub zugzwang: bool,
}

/// Which positions of a signature to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query<G> {
    /// The signature. White has the side named first.
    pub signature: Signature<G>,
    /// The metric of the values.
    pub metric: Metric,
    /// The conditions.
    pub filter: Filter,
    /// The side to move; `None` for both.
    pub side: Option<Side>,
    /// Whether equivalent positions are listed individually. Otherwise one of them represents all:
    /// images under the symmetries of the board are equivalent; so are positions with colours
    /// exchanged, if both sides have the same pieces; and, in a list of zugzwangs, the same
    /// placement with the other side to move, if it passes the filter, too.
    pub copies: bool,
}

/// A listed position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<G: Game> {
    /// Its place in the list.
    pub cursor: Cursor,
    /// The position.
    pub position: G::Position,
    /// The value for the side to move. Without distances as in [`Tables::value`].
    pub value: Value,
    /// The only move that keeps the result, if [`Filter::only_move`] is set.
    pub only_move: Option<G::Move>,
    /// The value of the same placement with the other side to move, for that side, if
    /// [`Filter::zugzwang`] is set.
    pub passed: Option<Value>,
}

/// A scan over the positions of a [`Query`] in the order of the index. It stores no results, and
/// can be abandoned at any time and resumed later at its [cursor](Listing::cursor).
pub struct Listing<'a, G: Indexable, S: Storage> {
    tables: &'a Tables<G, S>,
    query: Query<G>,
    values: Values<'a, G, S>,
    /// One per side to move.
    copies: [Copies<G>; 2],
    /// The sides to move, in order.
    sides: Vec<Side>,
    /// The first place of each side to move that may hold a position of the list; `None` if, by the
    /// table's header, there is none.
    starts: [Option<u64>; 2],
    next: Option<Cursor>,
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// Starts a scan. Opens the table of the query's signature.
    ///
    /// # Errors
    /// Fails if the table is missing or damaged.
    pub fn list(&self, query: Query<G>) -> Result<Listing<'_, G, S>, ProbeError> {
        let Query { signature, metric, filter, side, copies } = query;
        let values = Values::open(self, &signature, metric)?;
        let sides = match side {
            Some(side) => vec![side],
            None if copies => vec![Side::First, Side::Second],
            None => signature.sides().to_vec(),
        };
        let copies = [Side::First, Side::Second].map(|side| Copies::new(&signature, side));
        let starts = [None; 2];
        let mut listing =
            Listing { tables: self, query, values, copies, sides, starts, next: None };
        for side in [Side::First, Side::Second] {
            let number = filter.first_number(listing.values.summary(side), metric);
            listing.starts[side as usize] = number.map(|number| number * listing.images(side));
        }
        listing.next = listing.first_of(0);
        Ok(listing)
    }
}

impl<'a, G: Indexable, S: Storage> Listing<'a, G, S> {
    /// Continues at a cursor, or at the first place after it that may hold a position of the list.
    ///
    /// # Errors
    /// Fails if the list has no such place.
    pub fn resume(&mut self, cursor: Cursor) -> Result<(), NoPlace> {
        let is_place = self.sides.contains(&cursor.side) && cursor.place < self.places(cursor.side);
        if !is_place {
            return Err(NoPlace(cursor));
        }
        self.go_to(cursor);
        Ok(())
    }

    /// Continues at a cursor, or at the first place after it; ends the scan if there is none.
    fn go_to(&mut self, cursor: Cursor) {
        let turn = self.sides.iter().position(|&side| side == cursor.side);
        self.next = match turn {
            Some(turn) if cursor.place < self.places(cursor.side) => {
                match self.starts[cursor.side as usize] {
                    Some(start) => Some(Cursor { place: cursor.place.max(start), ..cursor }),
                    None => self.first_of(turn + 1),
                }
            }
            Some(turn) => self.first_of(turn + 1),
            None => None,
        };
    }

    /// Where the scan continues; `None` at its end.
    pub fn cursor(&self) -> Option<Cursor> {
        self.next
    }

    /// The places of the longest wins and losses that the table's header names. The filter may
    /// exclude these positions.
    pub fn named(&self) -> Vec<Cursor> {
        let mut named = Vec::new();
        for &side in &self.sides {
            let summary = self.values.summary(side);
            let longest = [summary.longest_win, summary.longest_loss].into_iter().flatten();
            let images = self.images(side);
            named.extend(longest.map(|l| Cursor { side, place: l.number * images }));
        }
        named
    }

    /// The signature whose positions are listed.
    pub fn signature(&self) -> Signature<G> {
        self.query.signature
    }

    /// The number of places scanned, and of all places. Each place has at most one position of the
    /// list.
    pub fn progress(&self) -> (u64, u64) {
        let total = self.sides.iter().map(|&side| self.places(side)).sum();
        let Some(next) = self.next else { return (total, total) };
        let before = self.sides.iter().take_while(|&&side| side != next.side);
        (before.map(|&side| self.places(side)).sum::<u64>() + next.place, total)
    }

    /// Continues the scan for a few milliseconds and calls `found` with each position of the list.
    /// If `found` returns `Break`, the next call continues after that position. Returns false at
    /// the end.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
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
        self.go_to(stopped.unwrap_or(end));
        Ok(self.next.is_some())
    }

    /// The first place that may hold a position of the list with `sides[turn]`, or a later side, to
    /// move.
    fn first_of(&self, turn: usize) -> Option<Cursor> {
        self.sides.iter().skip(turn).find_map(|&side| {
            let place = self.starts[side as usize].filter(|_| self.places(side) > 0)?;
            Some(Cursor { side, place })
        })
    }

    fn places(&self, side: Side) -> u64 {
        self.values.len(side) * self.images(side)
    }

    /// The number of list places per index number (symmetric copies).
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
        let mut pending = Pending::new();
        for numbers in values::batches(numbers) {
            let Some(batch) = pending.or_later(values.batch(side, numbers))? else { continue };
            if pending.is_pending() {
                continue;
            }
            for (number, position, value) in batch {
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
        pending.finish()
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
        // The twin with colours exchanged has a number in the same index.
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

    /// The first number whose value may pass, by the counts of a table's header; `None` if no value
    /// does. `metric` is that of the values.
    fn first_number(&self, summary: &Summary, metric: Metric) -> Option<u64> {
        if self.plies.is_some() && !metric.has_distances() {
            return None;
        }
        let results = [
            (Wdl::Win, summary.wins, summary.longest_win),
            (Wdl::Draw, summary.draws, None),
            (Wdl::Loss, summary.losses, summary.longest_loss),
        ];
        let first = |(wdl, count, longest): (Wdl, u64, Option<Longest>)| {
            if count == 0 || self.wdl.is_some_and(|requested| requested != wdl) {
                return None;
            }
            let Some(plies) = self.plies else { return Some(0) };
            let longest = longest?;
            match plies.cmp(&longest.plies) {
                Ordering::Less => Some(0),
                Ordering::Equal => Some(longest.number),
                Ordering::Greater => None,
            }
        };
        results.into_iter().filter_map(first).min()
    }
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// The listed position if it passes the rest of the filter, given that its value does.
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

    /// The only one of several moves that keeps the win or draw; `None` if several do, or the
    /// position is lost.
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

    /// The value for the other side if it were to move, in a mutual zugzwang; otherwise `None`.
    fn zugzwang(
        &self,
        position: &G::Position,
        value: Value,
        metric: Metric,
    ) -> Result<Option<Value>, ProbeError> {
        if value.wdl() == Wdl::Win {
            return Ok(None);
        }
        let Some(other) = passed::<G>(position) else { return Ok(None) };
        let passed = self.value(&other, metric)?;
        let is_worse = value.wdl() < passed.wdl().before_move();
        let is_zugzwang = is_worse && [*position, other].iter().all(|one| !one.moves().is_empty());
        Ok(is_zugzwang.then_some(passed))
    }
}

/// The position with the other side to move; `None` if the rules do not allow it.
fn passed<G: Indexable>(position: &G::Position) -> Option<G::Position> {
    let turn = !position.turn();
    let may_stand = |color| G::may_stand(position.side(color), color, turn);
    let stands = Color::BOTH.into_iter().all(may_stand);
    let passed = stands.then(|| position.game().assemble(&position.setup().pieces, turn));
    passed.filter(G::is_legal)
}
