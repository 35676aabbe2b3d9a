//! Captures first, then the table: tables hold no value where only captures are legal, and in
//! chess perhaps too little where a capture or promotion reaches it, and no distances with one of the
//! sides to move. These follow from the positions behind captures, or all moves, each of which is
//! asked for in the same way: they end, because pieces and pawns do, and because the other side is
//! to move behind a move.

use crate::catalog::Key;
use crate::error::NoTable;
use crate::visits::{TooManyCaptures, Visits};
use damka_games::Position;
use damka_tables::metric::Metric;
use damka_tables::processor::{self, Processor, Work};
use damka_tables::{Indexable, Signature, Value};
use std::ops::ControlFlow::{Break, Continue};

/// What is done at the positions that a table has.
pub(crate) trait AtTable<G: Indexable> {
    /// Why there is no value.
    type Error: From<TooManyCaptures> + From<NoTable>;

    /// The value of a position that a table has, under the metric that is asked for. The key is
    /// that of its materials.
    ///
    /// # Errors
    /// Ends it all: no other position is looked at.
    fn value(
        &self,
        processor: impl Processor,
        position: &G::Position,
        key: Key,
    ) -> Result<Value, Self::Error>;
}

/// The value of a position under `metric`.
///
/// # Errors
/// What a table's position ended with, or too many visits.
#[inline]
pub(crate) fn value<G: Indexable, T: AtTable<G>>(
    at_table: &T,
    position: &G::Position,
    metric: Metric,
    visits: &mut Visits,
) -> Result<Value, T::Error> {
    processor::run(CapturesFirst { at_table, position, metric, visits })
}

/// The value of a position is asked for.
struct CapturesFirst<'a, G: Indexable, T> {
    at_table: &'a T,
    position: &'a G::Position,
    metric: Metric,
    visits: &'a mut Visits,
}

impl<G: Indexable, T: AtTable<G>> Work for CapturesFirst<'_, G, T> {
    type Output = Result<Value, T::Error>;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> Self::Output {
        let CapturesFirst { at_table, position, metric, visits } = self;
        if position.state() != 0 {
            return with_state::<G, T>(at_table, position, metric, visits);
        }
        let (mut best, mut failed) = (None, None);
        let captures_only = position.captures(|after| {
            let value = match after {
                None => Ok(Value::LOST),
                Some(after) => visits.take().map_err(T::Error::from).and_then(|()| {
                    let position = &after;
                    processor.run(CapturesFirst::<G, T> { at_table, position, metric, visits })
                }),
            };
            match value {
                Ok(value) => {
                    let value = value.before_move().under(metric);
                    best = best.max(Some(value));
                    if is_enough(value) { Break(()) } else { Continue(()) }
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
                None => Ok(best.unwrap_or_else(|| Value::stuck::<G>(position))),
                Some(error) => Err(error),
            };
        }
        let key = Key::of::<G>(position);
        if key.has_empty_side() {
            return of_one_side::<G, T>(at_table, position, metric, visits);
        }
        if !is_held::<G>(position, metric) {
            return of_moves::<G, T>(at_table, position, metric, visits);
        }
        let mut best = at_table.value(processor, position, key)?;
        if is_enough(best) {
            return Ok(best);
        }
        // Where one of these reaches the value, the table may hold less.
        for &mv in &G::conversions(position) {
            visits.take()?;
            let position = &position.play(mv);
            let after = processor.run(CapturesFirst::<G, T> { at_table, position, metric, visits });
            best = best.max(after?.before_move().under(metric));
            if is_enough(best) {
                break;
            }
        }
        Ok(best)
    }
}

/// Whether tables of `metric` hold values with this side to move.
#[inline(always)]
fn is_held<G: Indexable>(position: &G::Position, metric: Metric) -> bool {
    // Where all are held, nothing is asked of the position.
    !G::DISTANCES_OF_ONE_SIDE || metric == Metric::Wdl || {
        let (signature, side) = Signature::<G>::of(position);
        signature.is_held(metric, side)
    }
}

/// The same where a side has no pieces, so that there is no table.
fn of_one_side<G: Indexable, T: AtTable<G>>(
    at_table: &T,
    position: &G::Position,
    metric: Metric,
    visits: &mut Visits,
) -> Result<Value, T::Error> {
    // Most often the last piece was taken, and there are no moves to look for.
    match position.material(position.turn()).is_empty() {
        true => Ok(Value::stuck::<G>(position)),
        false => of_moves::<G, T>(at_table, position, metric, visits),
    }
}

/// The same of a position that is more than its pieces, which no table has.
#[cold]
fn with_state<G: Indexable, T: AtTable<G>>(
    at_table: &T,
    position: &G::Position,
    metric: Metric,
    visits: &mut Visits,
) -> Result<Value, T::Error> {
    match G::no_table(position) {
        Some(reason) => Err(NoTable(reason).into()),
        None => of_moves::<G, T>(at_table, position, metric, visits),
    }
}

/// The value of the best move.
fn of_moves<G: Indexable, T: AtTable<G>>(
    at_table: &T,
    position: &G::Position,
    metric: Metric,
    visits: &mut Visits,
) -> Result<Value, T::Error> {
    let mut best = None;
    for &mv in &position.moves() {
        visits.take()?;
        let after = value::<G, T>(at_table, &position.play(mv), metric, visits)?;
        best = best.max(Some(after.before_move().under(metric)));
    }
    Ok(best.unwrap_or_else(|| Value::stuck::<G>(position)))
}

/// Whether no move can be better than one of this value. Without distances every win counts
/// as a win in 1.
#[inline]
fn is_enough(value: Value) -> bool {
    value == Value::decided(1)
}
