use crate::Score;
use damka_probe::Words;
use damka_system::{NoMemory, check_memory};
use std::sync::atomic::{AtomicU64, Ordering};

/// The relation of the true score to the score of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// The true score is at most this (fail low).
    Upper = 1,
    /// The true score is at least this (fail high).
    Lower = 2,
    /// The true score.
    Exact = 3,
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    /// The depth of the search, in plies.
    pub(crate) depth: u8,
    /// The index of the best move in the list of legal moves.
    pub(crate) best_move: Option<u8>,
}

/// Search results by Zobrist key. Threads share it without locks: a slot has two words, the data
/// and the key xor the data, so halves of two entries are never taken for one (R. Hyatt and T.
/// Mann, "A lock-less transposition table implementation for parallel search chess engines", 2002).
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    words: Words,
    /// The number of the current search, modulo [`GENERATIONS`].
    generation: u8,
}

/// The slots in which an entry may be: a cache line.
type Bucket = [Slot; 4];

/// The key xor the data, and the data: score in bits 0-15, depth in 16-23, bound in 24-25,
/// generation in 26-31, best move in 32-39 (255: none).
type Slot = [AtomicU64; 2];

/// The number of words in a bucket.
const BUCKET_WORDS: usize = size_of::<Bucket>() / size_of::<AtomicU64>();

/// The number of searches that generations distinguish.
const GENERATIONS: u8 = 64;

impl TranspositionTable {
    /// A table of at most `bytes` bytes, but at least one bucket.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub(crate) fn new(bytes: usize) -> Result<TranspositionTable, NoMemory> {
        check_memory(bytes as u64)?;
        let words = Words::new((bytes / size_of::<Bucket>()).max(1) * BUCKET_WORDS)?;
        // Touch the pages now, so that no search has to wait for them.
        words.claim(words.len());
        Ok(TranspositionTable { words, generation: 0 })
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        self.generation = 0;
    }

    /// Starts the next generation: entries of earlier searches are replaced first.
    pub(crate) fn new_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// The share of slots filled by the current search, in thousandths (estimated from a sample).
    pub(crate) fn hashfull(&self) -> u32 {
        let sample = &self.buckets()[..self.buckets().len().min(250)];
        let data = || sample.as_flattened().iter().map(data);
        let used = data().filter(|&data| data != 0 && generation(data) == self.generation).count();
        (used * 1000 / data().count().max(1)) as u32
    }

    fn buckets(&self) -> &[Bucket] {
        let (slots, _) = self.words.as_chunks();
        let (buckets, _) = slots.as_chunks();
        buckets
    }

    /// The bucket of a key: the key scaled from 64 bits to the number of buckets.
    #[inline]
    fn bucket_index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets().len() as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets()[self.bucket_index(key)]
    }

    /// Prefetches the bucket of a position that will be looked up next.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.words.prefetch(self.bucket_index(key) * BUCKET_WORDS);
    }

    /// The entry of a position `ply` plies from the root.
    #[inline]
    pub(crate) fn get(&self, key: u64, ply: u16) -> Option<Entry> {
        let data = self.bucket(key).iter().find_map(|slot| data_if_key(slot, key))?;
        let bound = match data >> 24 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let best = (data >> 32) as u8;
        Some(Entry {
            score: Score::from_tt(data as u16 as i16, ply),
            bound,
            depth: (data >> 16) as u8,
            best_move: (best != u8::MAX).then_some(best),
        })
    }

    /// Stores an entry for a position `ply` plies from the root. It replaces the entry of the same
    /// position, or else the one in the bucket with the least depth minus 8 times its age.
    #[inline]
    pub(crate) fn put(&self, key: u64, ply: u16, entry: Entry) {
        let slots = self.bucket(key);
        let own = slots.iter().find(|slot| data_if_key(slot, key).is_some());
        let priority = |data: u64| {
            let age = (self.generation + GENERATIONS - generation(data)) % GENERATIONS;
            i32::from((data >> 16) as u8) - 8 * i32::from(age)
        };
        let [first, rest @ ..] = slots;
        let victim = rest.iter().fold(first, |victim, slot| {
            if priority(data(slot)) < priority(data(victim)) { slot } else { victim }
        });
        let slot = own.unwrap_or(victim);
        // If the new entry has no best move, the one of the old entry of this position is kept.
        let kept = own.map_or(u8::MAX, |own| (data(own) >> 32) as u8);
        let best = entry.best_move.unwrap_or(kept);
        let data = u64::from(entry.score.to_tt(ply) as u16)
            | u64::from(entry.depth) << 16
            | (entry.bound as u64) << 24
            | u64::from(self.generation) << 26
            | u64::from(best) << 32;
        slot[0].store(key ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }
}

fn data(slot: &Slot) -> u64 {
    slot[1].load(Ordering::Relaxed)
}

/// The data of a slot if its entry is for this key.
fn data_if_key(slot: &Slot, key: u64) -> Option<u64> {
    let data = data(slot);
    (slot[0].load(Ordering::Relaxed) == key ^ data && data != 0).then_some(data)
}

/// The generation in which an entry was stored.
fn generation(data: u64) -> u8 {
    (data >> 26) as u8 & (GENERATIONS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: usize) -> TranspositionTable {
        TranspositionTable::new(bytes).expect("enough memory")
    }

    fn entry(depth: u8, best_move: Option<u8>) -> Entry {
        Entry { score: Score::evaluation(-123), bound: Bound::Lower, depth, best_move }
    }

    #[test]
    fn a_table_larger_than_memory_is_refused() {
        for bytes in [usize::MAX, 1 << 50] {
            let refused = TranspositionTable::new(bytes);
            assert!(matches!(refused, Err(NoMemory::ExceedsMemory { .. })), "{refused:?}");
        }
    }

    #[test]
    fn an_entry_is_found_by_its_key() {
        let table = table(1 << 16);
        for key in (1..100u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
            assert_eq!(table.get(key, 0), None);
            table.put(key, 0, entry(7, Some(3)));
            assert_eq!(table.get(key, 0), Some(entry(7, Some(3))));
        }
    }

    #[test]
    fn a_best_move_is_kept_when_the_new_entry_has_none() {
        let table = table(1 << 16);
        table.put(42, 0, entry(7, Some(3)));
        table.put(42, 0, entry(8, None));
        assert_eq!(table.get(42, 0), Some(entry(8, Some(3))));
    }

    #[test]
    fn distances_of_wins_count_from_the_root_of_the_lookup() {
        let table = table(1 << 16);
        let win =
            Entry { score: Score::decided(11), bound: Bound::Exact, depth: 3, best_move: None };
        table.put(5, 4, win);
        let seen = table.get(5, 6).expect("an entry");
        assert_eq!(seen.score, Score::decided(13));
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_of_the_same_search() {
        let mut table = table(64);
        for key in 1..=4 {
            table.put(key, 0, entry(10 * key as u8, None));
        }
        table.put(5, 0, entry(1, None));
        assert_eq!(table.get(1, 0), None, "the shallowest entry is replaced");
        assert!(table.get(4, 0).is_some());
        table.new_search();
        for key in 6..=9 {
            table.put(key, 0, entry(35, None));
        }
        assert_eq!(table.get(4, 0), None, "an old entry is replaced, however deep");
        assert_eq!(table.hashfull(), 1000);
    }
}
