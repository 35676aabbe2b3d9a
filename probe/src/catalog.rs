use crate::opened::Opened;
use damka_games::{Game, Material, Position};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature};
use std::iter::repeat_with;
use std::sync::{Arc, OnceLock};

/// The number of slots: enough for all signatures of Russian draughts with 8 pieces.
const SLOTS: usize = 1 << 10;
/// The number of slots that a hash selects.
const WINDOW: usize = 8;

/// The signatures that have been looked up, found without a lock by the materials of the side to
/// move and its opponent.
///
/// A slot is filled once and never changes. The hash of a key selects a few slots, and the signature
/// goes to the first free one; if none is free, to `rest`, a larger catalog.
pub(crate) struct Catalog<G, B> {
    game: G,
    slots: Box<[OnceLock<Slot<G, B>>]>,
    rest: OnceLock<Box<Catalog<G, B>>>,
}

/// The materials of the side to move and its opponent as one number, with four bits for each count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// The bits with the counts of the side to move.
    const MOVER: u64 = 0x0F0F_0F0F_0F0F;

    /// The key of a position.
    #[inline(always)]
    pub(crate) fn of<G: Game>(position: &G::Position) -> Key {
        let turn = position.turn();
        let mut key = 0;
        for kind in G::kinds() {
            let [mover, opponent] = [turn, !turn].map(|color| position.pieces(color, kind));
            key |= u64::from(mover.len()) << (8 * kind.index());
            key |= u64::from(opponent.len()) << (8 * kind.index() + 4);
        }
        Key(key)
    }

    /// The key of these materials.
    fn new([mover, opponent]: [Material; 2]) -> Key {
        debug_assert!([mover, opponent].iter().all(|side| side.key() & !Key::MOVER == 0));
        Key(mover.key() | opponent.key() << 4)
    }

    /// The materials of the side to move and its opponent.
    #[inline(always)]
    pub(crate) fn materials(self) -> [Material; 2] {
        [self.0, self.0 >> 4].map(|counts| {
            let [a, b, c, d, e, f, ..] = (counts & Key::MOVER).to_le_bytes();
            Material([a, b, c, d, e, f])
        })
    }

    /// The key as a number.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    /// Whether one of the sides has no pieces.
    #[inline]
    pub(crate) fn has_empty_side(self) -> bool {
        self.0 & Key::MOVER == 0 || self.0 & !Key::MOVER == 0
    }
}

struct Slot<G, B> {
    key: Key,
    one_side: OneSide<G, B>,
}

/// The positions of a signature with one of its sides to move.
pub(crate) struct OneSide<G, B> {
    pub(crate) entry: Arc<Entry<G, B>>,
    pub(crate) side: Side,
}

impl<G, B> Clone for OneSide<G, B> {
    fn clone(&self) -> OneSide<G, B> {
        OneSide { entry: Arc::clone(&self.entry), side: self.side }
    }
}

/// A signature with its indices and open tables.
pub(crate) struct Entry<G, B> {
    pub(crate) signature: Signature<G>,
    pub(crate) indices: OnceLock<Arc<[Index<G>]>>,
    pub(crate) tables: [OnceLock<Opened<G, B>>; Metric::ALL.len()],
}

impl<G: Indexable, B> Catalog<G, B> {
    pub(crate) fn new(game: G) -> Catalog<G, B> {
        Catalog::with_slots(game, SLOTS)
    }

    fn with_slots(game: G, slots: usize) -> Catalog<G, B> {
        Catalog {
            game,
            slots: repeat_with(OnceLock::new).take(slots + WINDOW - 1).collect(),
            rest: OnceLock::new(),
        }
    }

    /// The positions in which the side to move and its opponent have these materials, if they are
    /// in a slot.
    #[inline(always)]
    pub(crate) fn find(&self, key: Key) -> Option<&OneSide<G, B>> {
        let mut filled = self.window(key).iter().map_while(OnceLock::get);
        filled.find(|slot| slot.key == key).map(|slot| &slot.one_side)
    }

    /// The positions in which the side to move and its opponent have these materials, neither of
    /// them empty. Added if they are new.
    pub(crate) fn get(&self, sides: [Material; 2]) -> &OneSide<G, B> {
        self.find(Key::new(sides)).unwrap_or_else(|| self.add(sides))
    }

    /// The positions of a signature with its first side to move.
    pub(crate) fn first(&self, signature: &Signature<G>) -> &OneSide<G, B> {
        self.get(signature.materials())
    }

    /// Like [`get`](Catalog::get), for materials that are not in the slots: adds them, or finds
    /// them in `rest`.
    #[cold]
    fn add(&self, sides: [Material; 2]) -> &OneSide<G, B> {
        let [mover, opponent] = sides;
        let (signature, side) = Signature::new(self.game, mover, opponent);
        let entry = match side {
            Side::First => Arc::new(Entry::new(signature)),
            Side::Second => Arc::clone(&self.first(&signature).entry),
        };
        let one_side = OneSide { entry, side };
        let key = Key::new(sides);
        let mut catalog = self;
        loop {
            for slot in catalog.window(key) {
                let slot = slot.get_or_init(|| Slot { key, one_side: one_side.clone() });
                if slot.key == key {
                    return &slot.one_side;
                }
            }
            let more = 4 * catalog.slots.len();
            catalog = catalog.rest.get_or_init(|| Box::new(Catalog::with_slots(self.game, more)));
        }
    }

    /// The slots that a key selects.
    #[inline]
    fn window(&self, Key(key): Key) -> &[OnceLock<Slot<G, B>>] {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let starts = self.slots.len() - (WINDOW - 1);
        let start = ((u128::from(hash) * starts as u128) >> 64) as usize;
        &self.slots[start..start + WINDOW]
    }
}

impl<G, B> Entry<G, B> {
    fn new(signature: Signature<G>) -> Entry<G, B> {
        Entry { signature, indices: OnceLock::new(), tables: Default::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Alapo;

    /// More signatures than the slots hold can be found, from either side.
    #[test]
    fn each_signature_has_one_entry() {
        let catalog = Catalog::<_, &[u8]>::new(Alapo);
        let signatures: Vec<_> = (2..=4).flat_map(|pieces| Signature::all(Alapo, pieces)).collect();
        assert!(2 * signatures.len() > SLOTS + WINDOW, "{}", signatures.len());
        for _ in 0..2 {
            for signature in &signatures {
                let [first, second] = signature.materials();
                let both = [[second, first], [first, second]].map(|sides| catalog.get(sides));
                assert!(both.iter().all(|one_side| one_side.entry.signature == *signature));
                assert!(Arc::ptr_eq(&both[0].entry, &both[1].entry));
                let second = if first == second { Side::First } else { Side::Second };
                assert_eq!(both.map(|one_side| one_side.side), [second, Side::First]);
            }
        }
        assert!(catalog.rest.get().is_some());
    }
}
