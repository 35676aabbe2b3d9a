//! Resolves captures before the table is read. A table may lack the value of a position in three
//! cases: it has no value where only captures are legal; in chess its value may be too low where a
//! capture or promotion reaches the true one; and it may leave out one of the sides to move. Such a
//! value follows from the positions after captures, or after all moves, which are looked up in the
//! same way. The recursion ends, because every step removes pieces or advances pawns, or leads to
//! the other side to move.

use crate::catalog::Key;
use crate::error::NoTable;
use crate::visits::{TooManyCaptures, Visits};
use damka_games::{MoveList, Position};
use damka_tables::metric::Metric;
use damka_tables::processor::{self, Processor, Work};
use damka_tables::{Indexable, Signature, Value};
use std::ops::ControlFlow::{Break, Continue};

/// How positions are looked up in their table.
pub(crate) trait AtTable<G: Indexable> {
    /// The reason why a position has no value.
    type Error: From<TooManyCaptures> + From<NoTable>;

    /// The metric of the tables that replace missing ones, if any do.
    #[inline(always)]
    fn fallback_metric(&self) -> Option<Metric> {
        None
    }

    /// Whether positions that can no longer affect the value are skipped.
    #[inline(always)]
    fn prunes(&self) -> bool {
        true
    }

    /// The value of a position from its table, under the requested metric; `None` if the table
    /// holds no values with the position's side to move. `key` is the key of the position's
    /// materials, neither of which is empty.
    ///
    /// # Errors
    /// Fails if the position has no value. This ends the whole look-up.
    fn value(
        &self,
        processor: impl Processor,
        position: &G::Position,
        key: Key,
    ) -> Result<Option<Value>, Self::Error>;
}

/// An open alpha-beta window: values at or below `least`, or at or above `enough`, are only bounds.
#[derive(Clone, Copy)]
struct Window {
    least: Value,
    enough: Value,
}

impl Window {
    /// The window that contains all values.
    const FULL: Window = Window { least: Value::LOST, enough: Value::decided(1) };

    /// The window for the positions after a move, given the best value so far.
    #[inline(always)]
    fn after_move<G: Indexable, T: AtTable<G>>(self, at_table: &T, best: Option<Value>) -> Window {
        if !at_table.prunes() {
            return Window::FULL;
        }
        let least = best.map_or(self.least, |best| best.max(self.least));
        Window { least: value_after_move(self.enough), enough: value_after_move(least) }
    }
}

/// The inverse of [`Value::before_move`]. A loss in 0 plies has no inverse; the best value after
/// the move is the nearest.
#[inline(always)]
fn value_after_move(value: Value) -> Value {
    match value {
        Value::DRAW => Value::DRAW,
        Value::LOST => Value::decided(1),
        _ => Value::from_code(value.code() - 1),
    }
}

/// The value of a position under `metric`.
///
/// # Errors
/// Fails with the error of a look-up, or after too many visits.
#[inline]
pub(crate) fn value<G: Indexable, T: AtTable<G>>(
    at_table: &T,
    position: &G::Position,
    metric: Metric,
    visits: &mut Visits,
) -> Result<Value, T::Error> {
    processor::run(CapturesFirst { at_table, position, metric, window: Window::FULL, visits })
}

/// The look-up of a position within a window, as work for an instruction set.
struct CapturesFirst<'a, G: Indexable, T> {
    at_table: &'a T,
    position: &'a G::Position,
    metric: Metric,
    window: Window,
    visits: &'a mut Visits,
}

impl<G: Indexable, T: AtTable<G>> Work for CapturesFirst<'_, G, T> {
    type Output = Result<Value, T::Error>;

    #[inline(always)]
    fn run<P: Processor>(mut self, processor: P) -> Self::Output {
        let CapturesFirst { at_table, position, metric, window, .. } = self;
        if position.state() != 0 {
            return match G::no_table_reason(position) {
                Some(reason) => Err(NoTable(reason).into()),
                None => self.of_moves(processor),
            };
        }
        let (mut best, mut failed) = (None, None);
        let captures_only = position.captures(|after| {
            let value = match after {
                None => Ok(Value::LOST.before_move().reduced_to(metric)),
                Some(after) => self.value_of_move(processor, &after, best),
            };
            match value {
                Ok(value) => {
                    best = best.max(Some(value));
                    if value >= window.enough { Break(()) } else { Continue(()) }
                }
                Err(error) => {
                    failed = Some(error);
                    Break(())
                }
            }
        });
        debug_assert_eq!(captures_only, !G::is_stored(position));
        if captures_only {
            return match failed {
                None => Ok(best.unwrap_or_else(|| Value::without_moves::<G>(position))),
                Some(error) => Err(error),
            };
        }
        let key = Key::of::<G>(position);
        if key.has_empty_side() {
            // Usually the last piece was captured, so there are no moves to generate.
            return match position.material(position.turn()).is_empty() {
                true => Ok(Value::without_moves::<G>(position)),
                false => self.of_moves(processor),
            };
        }
        if !is_ever_held(at_table, position.game(), key, metric) {
            return self.of_moves(processor);
        }
        match at_table.value(processor, position, key)? {
            Some(held) => self.of_held(processor, held),
            None => self.of_moves(processor),
        }
    }
}

impl<G: Indexable, T: AtTable<G>> CapturesFirst<'_, G, T> {
    /// The value of a position whose table holds `held`.
    #[inline(always)]
    fn of_held<P: Processor>(mut self, processor: P, held: Value) -> Result<Value, T::Error> {
        let CapturesFirst { position, window, .. } = self;
        let mut best = held;
        if best >= window.enough {
            return Ok(best);
        }
        // If a conversion reaches the exact value, the table may hold a lower one.
        for &mv in &G::conversions(position) {
            best = best.max(self.value_of_move(processor, &position.play(mv), Some(best))?);
            if best >= window.enough {
                break;
            }
        }
        Ok(best)
    }

    /// The value of a move to the position `after`, exact if it is better than `best`.
    #[inline(always)]
    fn value_of_move<P: Processor>(
        &mut self,
        processor: P,
        after: &G::Position,
        best: Option<Value>,
    ) -> Result<Value, T::Error> {
        let metric = self.metric;
        let after = self.after(after, best)?;
        Ok(processor.run(after)?.before_move().reduced_to(metric))
    }

    /// The look-up of the position `after` a move, whose value must be exact if the move is better
    /// than `best`.
    #[inline(always)]
    fn after<'a>(
        &'a mut self,
        after: &'a G::Position,
        best: Option<Value>,
    ) -> Result<CapturesFirst<'a, G, T>, TooManyCaptures> {
        let CapturesFirst { at_table, metric, .. } = *self;
        self.visits.take()?;
        let window = self.window.after_move(at_table, best);
        Ok(CapturesFirst { at_table, position: after, metric, window, visits: self.visits })
    }

    /// The value of the best move of a position that has no value in a table.
    #[cold]
    fn of_moves<P: Processor>(self, processor: P) -> Result<Value, T::Error> {
        processor.run(OfMoves(self))
    }
}

/// The look-up, by its moves, of a position that has no value in a table.
struct OfMoves<'a, G: Indexable, T>(CapturesFirst<'a, G, T>);

impl<G: Indexable, T: AtTable<G>> Work for OfMoves<'_, G, T> {
    type Output = Result<Value, T::Error>;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> Self::Output {
        let OfMoves(mut look_up) = self;
        let CapturesFirst { at_table, position, metric, window, .. } = look_up;
        // Moves to positions with a stored value come first, the most promising one foremost. A
        // stored value is a lower bound for the side to move after the move, so it is an upper
        // bound, the promise, for the move. Moves that promise nothing better than the best value
        // are skipped.
        let mut promised = MoveList::<(Value, G::Position)>::new();
        let mut others = MoveList::<G::Position>::new();
        let mut best = None;
        let is_enough = |best: Option<Value>| best >= Some(window.enough);
        let has_table = !Key::of::<G>(position).has_empty_side();
        // All quiet moves lead to the same key, so it is computed once; `None` if no table holds
        // it.
        let mut quiet_key = None;
        for &mv in &position.moves() {
            let after = position.play(mv);
            let is_exit = position.is_capture(mv) || position.is_promotion(mv);
            let is_stored = !is_exit && after.state() == 0 && !after.captures_only();
            let key = match has_table && is_stored {
                true => *quiet_key.get_or_insert_with(|| {
                    let key = Key::of::<G>(&after);
                    is_ever_held(at_table, position.game(), key, metric).then_some(key)
                }),
                false => None,
            };
            let held = match key {
                Some(key) => at_table.value(processor, &after, key)?,
                None => None,
            };
            match held {
                Some(held) if is_enough(Some(held.before_move().reduced_to(metric))) => {
                    let value = look_up.after(&after, best)?.of_held(processor, held)?;
                    let value = value.before_move().reduced_to(metric);
                    if at_table.prunes() && value >= window.enough {
                        return Ok(value);
                    }
                    best = best.max(Some(value));
                }
                Some(held) => {
                    promised.push((held, after));
                    let last = promised.len() - 1;
                    if promised[last].0 < promised[0].0 {
                        promised.swap(0, last);
                    }
                }
                None => others.push(after),
            }
        }
        for &(held, ref after) in &promised {
            let promise = held.before_move().reduced_to(metric);
            if at_table.prunes() && (best >= Some(promise) || is_enough(best)) {
                continue;
            }
            let value = look_up.after(after, best)?.of_held(processor, held)?;
            best = best.max(Some(value.before_move().reduced_to(metric)));
        }
        for after in &others {
            if is_enough(best) {
                break;
            }
            best = best.max(Some(look_up.value_of_move(processor, after, best)?));
        }
        Ok(best.unwrap_or_else(|| Value::without_moves::<G>(position)))
    }
}

/// Whether any table that may be looked up holds values of positions with this key. If none does,
/// no table is needed.
#[inline(always)]
fn is_ever_held<G: Indexable>(
    at_table: &impl AtTable<G>,
    game: G,
    key: Key,
    metric: Metric,
) -> bool {
    // In most games tables hold all keys, so the materials need not be decoded.
    let are_all_held = |metric: Metric| !G::DISTANCES_OF_ONE_SIDE || !metric.has_distances();
    are_all_held(metric) || at_table.fallback_metric().is_some_and(are_all_held) || {
        let [mover, opponent] = key.materials();
        let (signature, side) = Signature::new(game, mover, opponent);
        G::holds_side(&signature, metric, side)
    }
}
