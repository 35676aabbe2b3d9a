//! A slow and simple solver: plain retrograde analysis, one position after the other. It shares
//! with the generator only the rules and the numbers of positions.

mod dense;
mod library;

pub use dense::{Dense, Half};
pub use library::Library;

use damka_games::{Color, Game, Material, Position};
use damka_tables::{Index, Indexable, Side, Signature, Value, Wdl};
use dense::white_to_move;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU16, Ordering};

/// Positions are processed in chunks of this size.
const CHUNK: usize = 1 << 12;

/// No value yet. Greater than every code, so that the least code is the value.
const UNKNOWN: u16 = Value::DONT_CARE.code();

/// Solves a signature by plain retrograde analysis, from the values of the
/// signatures that its captures and promotions lead to.
///
/// First, every position gets the value of its exits; positions with only captures are then final.
/// Then, distance by distance, from losses in 0: a quiet move to a loss in d wins in d + 1; a
/// position is lost when all its quiet moves are known to lead to wins of the opponent and no exit
/// is better. Positions that are never reached are drawn.
///
/// # Panics
/// If `library` does not know a signature that this one leads to.
pub fn solve<G: Indexable>(signature: Signature<G>, library: &Library<G>) -> Dense<G> {
    let halves = signature.sides().iter().map(|&side| {
        let [mover, opponent] = signature.to_move(side);
        let index = Index::new(signature.game(), mover, opponent);
        let cells = |initial| (0..index.len()).map(|_| AtomicU16::new(initial)).collect();
        Working { values: cells(UNKNOWN), open: cells(0), index, side, mover }
    });
    let solver = Solver { signature, halves: halves.collect(), library };
    let longest = solver.seed();
    solver.propagate(longest);
    solver.finish()
}

struct Solver<'a, G> {
    signature: Signature<G>,
    /// One for each side to move, or a single one if the sides are equal.
    halves: Vec<Working<G>>,
    library: &'a Library<G>,
}

/// The positions with one side to move.
struct Working<G> {
    index: Index<G>,
    side: Side,
    mover: Material,
    /// The code of the best value known so far.
    values: Vec<AtomicU16>,
    /// The number of moves that may still save the side to move, summed over all symmetric positions
    /// that share the number. To match this sum, each un-move is subtracted as often as there are
    /// positions that share the number of the position whose move is undone.
    open: Vec<AtomicU16>,
}

impl<G: Indexable> Working<G> {
    /// Calls `work` for all values in parallel, in chunks, each with its first number. Returns the
    /// longest distance that `work` returned.
    fn sweep(&self, work: impl Fn(usize, &[AtomicU16]) -> u16 + Sync) -> u16 {
        let chunks = self.values.par_chunks(CHUNK).enumerate();
        chunks.map(|(chunk, values)| work(chunk * CHUNK, values)).max().unwrap_or(0)
    }
}

impl<G: Indexable> Solver<'_, G> {
    /// Sets every position to the value of its exits, and counts its other moves. Returns the
    /// longest distance.
    fn seed(&self) -> u16 {
        let seeded = self.halves.iter().map(|half| {
            half.sweep(|first, values| {
                let mut longest = 0;
                for (number, value) in (first..).zip(values) {
                    let (seed, open) = self.seed_position(half, number as u64);
                    half.open[number].store(open, Ordering::Relaxed);
                    if let Some(seed) = seed {
                        value.store(seed.code(), Ordering::Relaxed);
                        longest = longest.max(seed.plies().unwrap_or(0));
                    }
                }
                longest
            })
        });
        seeded.max().unwrap_or(0)
    }

    /// The value of a position by its exits, if they give one, and its number of open moves.
    #[inline]
    fn seed_position(&self, half: &Working<G>, number: u64) -> (Option<Value>, u16) {
        let position = half.index.position(number);
        if position.captures_only() {
            return (Some(best::<G>(&position, |after| self.library.value(after))), 0);
        }
        let mut exits: Option<Value> = None;
        let mut quiet = 0;
        for &mv in &position.moves() {
            if position.is_capture(mv) || position.is_promotion(mv) {
                let value = self.library.value(&position.play(mv)).before_move();
                exits = exits.max(Some(value));
            } else {
                quiet += 1;
            }
        }
        let open = quiet * half.index.weight(number) as u16;
        match exits.map(Value::wdl) {
            _ if quiet == 0 => {
                (Some(exits.unwrap_or_else(|| Value::without_moves::<G>(&position))), 0)
            }
            // A shorter win may follow.
            Some(Wdl::Win) => (exits, open),
            // A drawing exit always saves: it is an open move that never closes.
            Some(Wdl::Draw) => (None, open + 1),
            // The length of a losing exit matters when all other moves are known to lose.
            Some(Wdl::Loss) | None => (None, open),
        }
    }

    /// Works back from decided positions, distance by distance.
    fn propagate(&self, mut longest: u16) {
        let mut plies = 0;
        while plies <= longest {
            let code = Value::decided(plies).code();
            for half in &self.halves {
                let followed = half.sweep(|first, values| {
                    let numbered = (first as u64..).zip(values);
                    let decided =
                        numbered.filter(|(_, value)| value.load(Ordering::Relaxed) == code);
                    let followed = decided.map(|(number, _)| self.undo_moves(half, number, plies));
                    followed.max().unwrap_or(0)
                });
                longest = longest.max(followed);
            }
            plies += 1;
        }
    }

    /// Updates the predecessors of a position that is decided in `plies`. Returns the longest
    /// resulting distance.
    #[inline]
    fn undo_moves(&self, half: &Working<G>, number: u64, plies: u16) -> u16 {
        let before = self.halves.iter().find(|other| other.side != half.side).unwrap_or(half);
        let position = half.index.position(number);
        let weight = half.index.weight(number) as u16;
        let mut longest = 0;
        for predecessor in &position.unmoves() {
            let predecessor = predecessor.flip();
            // An un-promotion leads to another signature.
            if predecessor.material(Color::White) != before.mover {
                continue;
            }
            let number = before.index.number(&predecessor) as usize;
            let value = &before.values[number];
            if plies.is_multiple_of(2) {
                let win = Value::decided(plies + 1);
                value.fetch_min(win.code(), Ordering::Relaxed);
                longest = longest.max(plies + 1);
            } else {
                let open = before.open[number].fetch_sub(weight, Ordering::Relaxed);
                // A position with a winning exit keeps that value: it is not lost.
                if open == weight && value.load(Ordering::Relaxed) == UNKNOWN {
                    let loss = best::<G>(&predecessor, |after| self.value(after));
                    value.store(loss.code(), Ordering::Relaxed);
                    longest = longest.max(loss.plies().unwrap_or(0));
                }
            }
        }
        longest
    }

    /// The value of a successor.
    fn value(&self, position: &G::Position) -> Value {
        let (signature, side) = Signature::<G>::of(position);
        if signature != self.signature {
            return self.library.value(position);
        }
        let half = &self.halves[(side as usize).min(self.halves.len() - 1)];
        let number = half.index.number(&white_to_move::<G>(position)) as usize;
        Value::from_code(half.values[number].load(Ordering::Relaxed))
    }

    /// Positions without a value are drawn.
    fn finish(self) -> Dense<G> {
        let value = |cell: AtomicU16| match cell.into_inner() {
            UNKNOWN => Value::DRAW,
            code => Value::from_code(code),
        };
        let halves = self.halves.into_iter().map(|half| Half {
            index: half.index,
            values: half.values.into_iter().map(value).collect(),
        });
        Dense::new(self.signature, halves.collect())
    }
}

/// The value of a position by those of its successors, or by the rules if there is no move.
#[inline]
fn best<G: Game>(position: &G::Position, value: impl Fn(&G::Position) -> Value) -> Value {
    let moves = position.moves();
    let values = moves.iter().map(|&mv| value(&position.play(mv)).before_move());
    values.max().unwrap_or_else(|| Value::without_moves::<G>(position))
}
