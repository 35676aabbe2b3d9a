use super::pair::Pair;

/// A thread's cache of the evaluations of structures (see
/// [`Evaluated::count_structure`](super::Evaluated::count_structure)), with White to move. In chess it is a
/// pawn hash table.
pub(crate) struct StructureCache(Box<[Entry]>);

#[derive(Clone, Copy, Default)]
struct Entry {
    /// 0 if the entry is empty.
    key: u64,
    sum: Pair,
}

/// Base-2 logarithm of the number of entries.
const CACHE_BITS: u32 = 13;

impl StructureCache {
    pub(crate) fn new() -> StructureCache {
        StructureCache(vec![Entry::default(); 1 << CACHE_BITS].into())
    }

    /// The evaluation of the structure with this key, from the cache or else computed by `count`.
    #[inline(always)]
    pub(super) fn get(&mut self, key: u64, count: impl FnOnce() -> Pair) -> Pair {
        // Odd, so that no key is 0.
        let key = key | 1;
        let entry = &mut self.0[(key >> (64 - CACHE_BITS)) as usize];
        if entry.key != key {
            *entry = Entry { key, sum: count() };
        }
        entry.sum
    }
}
