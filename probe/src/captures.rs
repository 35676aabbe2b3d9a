//! Captures first, then the table: tables hold no value where only captures are legal, and in
//! chess perhaps too little where a capture or promotion reaches it, and no distances with one of the
//! sides to move. These follow from the positions behind captures, or all moves, each of which is
//! asked for in the same way: they end, because pieces and pawns do, and because the other side is
//! to move behind a move.

use crate::catalog::Key;
use crate::error::NoTable;
use crate::visits::{TooManyCaptures, Visits};
use damka_games::{MoveList, Position};
use damka_tables::metric::Metric;
use damka_tables::processor::{self, Processor, Work};
use damka_tables::{Indexable, Signature, Value};
use std::cmp::Reverse;
use std::ops::ControlFlow::{Break, Continue};

/// What is done at the positions that a table has.
pub(crate) trait AtTable<G: Indexable> {
    /// Why there is no value.
    type Error: From<TooManyCaptures> + From<NoTable>;

    /// Whether what cannot matter any more is left out.
    const LEAVES_OUT: bool = true;

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

/// Which values of a position matter: those between two, not these themselves. Of what is no more
/// than `least` it matters only that it is, as of what is no less than `enough`.
#[derive(Clone, Copy)]
struct Window {
    least: Value,
    enough: Value,
}

impl Window {
    /// All values matter.
    const FULL: Window = Window { least: Value::LOST, enough: Value::decided(1) };

    /// What matters behind the moves of a position, the best so far being worth `best`.
    #[inline(always)]
    fn behind_moves<G: Indexable, T: AtTable<G>>(self, best: Option<Value>) -> Window {
        if !T::LEAVES_OUT {
            return Window::FULL;
        }
        let least = best.map_or(self.least, |best| best.max(self.least));
        Window { least: behind_move(self.enough), enough: behind_move(least) }
    }
}

/// What [`Value::before_move`] makes this value of. Of a loss in 0 plies it makes none: what is best
/// behind the move comes nearest.
#[inline(always)]
fn behind_move(value: Value) -> Value {
    match value {
        Value::DRAW => Value::DRAW,
        Value::LOST => Value::decided(1),
        _ => Value::from_code(value.code() - 1),
    }
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
    processor::run(CapturesFirst { at_table, position, metric, window: Window::FULL, visits })
}

/// The value of a position is asked for, as far as it matters.
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
            return match G::no_table(position) {
                Some(reason) => Err(NoTable(reason).into()),
                None => self.of_moves(processor),
            };
        }
        let (mut best, mut failed) = (None, None);
        let captures_only = position.captures(|after| {
            let value = match after {
                None => Ok(Value::LOST.before_move().under(metric)),
                Some(after) => self.behind(processor, &after, best),
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
                None => Ok(best.unwrap_or_else(|| Value::stuck::<G>(position))),
                Some(error) => Err(error),
            };
        }
        let key = Key::of::<G>(position);
        if key.has_empty_side() {
            // Most often the last piece was taken, and there are no moves to look for.
            return match position.material(position.turn()).is_empty() {
                true => Ok(Value::stuck::<G>(position)),
                false => self.of_moves(processor),
            };
        }
        if !is_held::<G>(position, metric) {
            return self.of_moves(processor);
        }
        let mut best = at_table.value(processor, position, key)?;
        if best >= window.enough {
            return Ok(best);
        }
        // Where one of these reaches the value, the table may hold less.
        for &mv in &G::conversions(position) {
            best = best.max(self.behind(processor, &position.play(mv), Some(best))?);
            if best >= window.enough {
                break;
            }
        }
        Ok(best)
    }
}

impl<G: Indexable, T: AtTable<G>> CapturesFirst<'_, G, T> {
    /// What a move to the position `after` is worth, as far as it is better than `best`.
    #[inline(always)]
    fn behind<P: Processor>(
        &mut self,
        processor: P,
        after: &G::Position,
        best: Option<Value>,
    ) -> Result<Value, T::Error> {
        let CapturesFirst { at_table, metric, .. } = *self;
        self.visits.take()?;
        let window = self.window.behind_moves::<G, T>(best);
        let visits = &mut *self.visits;
        let after = CapturesFirst::<G, T> { at_table, position: after, metric, window, visits };
        Ok(processor.run(after)?.before_move().under(metric))
    }

    /// The value of the best move, where no table has it.
    #[cold]
    fn of_moves<P: Processor>(mut self, processor: P) -> Result<Value, T::Error> {
        let CapturesFirst { at_table, position, metric, window, .. } = self;
        // First the moves that a table promises most of: others are left out the sooner.
        let mut promised = MoveList::<(Value, G::Position)>::new();
        let is_held_behind = !is_held::<G>(position, metric);
        for &mv in &position.moves() {
            let after = position.play(mv);
            let is_exit = position.is_capture(mv) || position.is_promotion(mv);
            let promise = match is_held_behind && !is_exit && after.state() == 0 {
                true => at_table.value(processor, &after, Key::of::<G>(&after))?.before_move(),
                false => Value::LOST,
            };
            promised.push((promise, after));
        }
        promised.sort_unstable_by_key(|&(promise, _)| Reverse(promise));
        let mut best = None;
        for (_, after) in &promised {
            best = best.max(Some(self.behind(processor, after, best)?));
            if best >= Some(window.enough) {
                break;
            }
        }
        Ok(best.unwrap_or_else(|| Value::stuck::<G>(position)))
    }
}

/// Whether tables of `metric` hold values with this side to move.
#[inline(always)]
fn is_held<G: Indexable>(position: &G::Position, metric: Metric) -> bool {
    // Where all are held, nothing is asked of the position.
    !G::DISTANCES_OF_ONE_SIDE || metric == Metric::Wdl || {
        let (signature, side) = Signature::<G>::of(position);
        G::is_held(&signature, metric, side)
    }
}
