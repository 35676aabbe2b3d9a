//! Derives the value of a position from its successors. White is always to move, as in the index.

use damka_games::{Color, Game, Kind, MAX_KINDS, Material, Position};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side, Signature, Value};
use rustc_hash::FxHashMap;

/// Data by signature and side to move, such as values.
pub(super) struct ByMaterial<T>(FxHashMap<Materials, T>);

/// The materials of the side to move and its opponent, with four bits for the number of pieces of
/// each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Materials(u64);

impl Materials {
    fn new(sides: [Material; 2]) -> Materials {
        Materials::packed(|color, kind| sides[color as usize].0[kind].into())
    }

    #[inline]
    fn of<G: Game>(position: &G::Position) -> Materials {
        Materials::packed(|color, kind| match kind < G::KINDS.len() {
            true => position.pieces(color, Kind::new(kind)).len().into(),
            false => 0,
        })
    }

    #[inline]
    fn packed(count: impl Fn(Color, usize) -> u64) -> Materials {
        let sides = Color::BOTH.into_iter();
        let counts = sides.flat_map(|color| (0..MAX_KINDS).map(move |kind| (color, kind)));
        Materials(counts.fold(0, |packed, (color, kind)| packed << 4 | count(color, kind)))
    }

    /// Whether the side to move has no pieces.
    fn is_bare(self) -> bool {
        self.0 >> (4 * MAX_KINDS) == 0
    }
}

impl<T> ByMaterial<T> {
    /// An empty map.
    pub(super) fn new() -> ByMaterial<T> {
        ByMaterial(FxHashMap::default())
    }

    /// Adds the data for `side` to move.
    pub(super) fn insert<G: Game>(&mut self, signature: &Signature<G>, side: Side, known: T) {
        self.0.insert(Materials::new(signature.to_move(side)), known);
    }

    /// Whether the map has data for the signature.
    pub(super) fn contains<G: Game>(&self, signature: &Signature<G>) -> bool {
        self.0.contains_key(&Materials::new(signature.to_move(Side::First)))
    }

    /// All data.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.values()
    }

    /// Removes the entries for which `keep` returns false.
    pub(super) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.0.retain(|_, known| keep(known));
    }

    /// The data for a position, White to move, reached by a capture or promotion; `None` if White
    /// has lost its last piece.
    ///
    /// # Panics
    /// If the signature is not in the map.
    #[inline]
    pub(super) fn get<G: Game>(&self, position: &G::Position) -> Option<&T> {
        let materials = Materials::of::<G>(position);
        let known = self.0.get(&materials);
        assert!(
            known.is_some() || materials.is_bare(),
            "{} {position:?} is not known",
            position.game().name()
        );
        known
    }
}

/// The value of a position derived from its successors, or from having none. `value` gets each
/// successor, with White to move, and whether the move was a capture or promotion.
#[inline]
pub(super) fn derive<G: Indexable, E>(
    position: &G::Position,
    mut value: impl FnMut(&G::Position, bool) -> Result<Value, E>,
) -> Result<Value, E> {
    let mut best: Option<Value> = None;
    for &mv in &position.moves() {
        let exit = position.is_capture(mv) || position.is_promotion(mv);
        let after = value(&position.play(mv).flip(), exit)?;
        best = best.max(Some(after.before_move()));
        // Nothing is better than an immediate win.
        if after == Value::LOST {
            break;
        }
    }
    Ok(best.unwrap_or_else(|| Value::without_moves::<G>(position)))
}

/// The value of a position for which a table of `metric` stores `stored`: at least that of its
/// [conversions](Indexable::conversions). `value` gets the position after each conversion, with
/// White to move.
#[inline]
pub(super) fn with_conversions<G: Indexable, E>(
    position: &G::Position,
    stored: Value,
    metric: Metric,
    mut value: impl FnMut(&G::Position) -> Result<Value, E>,
) -> Result<Value, E> {
    let mut best = stored;
    for &mv in &G::conversions(position) {
        let after = value(&position.play(mv).flip())?;
        best = best.max(after.before_move().reduced_to(metric));
    }
    Ok(best)
}
