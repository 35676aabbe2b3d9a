use crate::Score;
use damka_probe::Words;
use damka_system::{NoMemory, check_memory};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a score found by a search says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// It is as great or less.
    Upper = 1,
    /// It is as great or greater.
    Lower = 2,
    Exact = 3,
}

/// What was found of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    /// In plies.
    pub(crate) depth: u8,
    /// The place of the best move among the legal ones.
    pub(crate) best: Option<u8>,
}

/// What earlier searches found, by the keys of positions. Shared by threads without locks:
/// an entry is two words, of which one is the key combined with the other, so that
/// halves of two entries never go for one (R. Hyatt and T. Mann, "A lock-less
/// transposition table implementation for parallel search chess engines", 2002).
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    words: Words,
    age: u8,
}

/// Entries that keys share: a cache line.
type Bucket = [Entry; 4];

/// A check, and the data.
type Entry = [AtomicU64; 2];

/// The words of a bucket.
const WORDS: usize = size_of::<Bucket>() / size_of::<AtomicU64>();

/// How many searches an entry's age tells apart.
const AGES: u8 = 64;

impl TranspositionTable {
    /// A table of at most so many bytes, but at least of a few entries.
    ///
    /// # Errors
    /// The machine has not that much memory.
    pub(crate) fn new(bytes: usize) -> Result<TranspositionTable, NoMemory> {
        check_memory(bytes as u64)?;
        let words = Words::new((bytes / size_of::<Bucket>()).max(1) * WORDS)?;
        // No search is to wait for it.
        words.claim(words.len());
        Ok(TranspositionTable { words, age: 0 })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        self.age = 0;
    }

    /// Another search begins: what earlier ones found is replaced first.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// The share of entries that this search has filled, in thousandths.
    pub(crate) fn permille(&self) -> u32 {
        let sample = &self.buckets()[..self.buckets().len().min(250)];
        let data = || sample.as_flattened().iter().map(data);
        let used = data().filter(|&data| data != 0 && age(data) == self.age).count();
        (used * 1000 / data().count().max(1)) as u32
    }

    fn buckets(&self) -> &[Bucket] {
        let (entries, _) = self.words.as_chunks();
        let (buckets, _) = entries.as_chunks();
        buckets
    }

    /// Which bucket a key has: its high bits, scaled to their number.
    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets().len() as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets()[self.place(key)]
    }

    /// Has the processor fetch what is known of a position that is looked up next.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.words.prefetch(self.place(key) * WORDS);
    }

    /// What is known of a position that is `ply` plies from the root.
    #[inline]
    pub(crate) fn get(&self, key: u64, ply: u16) -> Option<Found> {
        let data = self.bucket(key).iter().find_map(|entry| of(entry, key))?;
        let bound = match data >> 24 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let best = (data >> 32) as u8;
        Some(Found {
            score: Score::seen_from_root(data as u16 as i16, ply),
            bound,
            depth: (data >> 16) as u8,
            best: (best != u8::MAX).then_some(best),
        })
    }

    /// Keeps what was found of a position that is `ply` plies from the root. What is
    /// replaced is the same position, or what was found long ago or at little depth.
    #[inline]
    pub(crate) fn put(&self, key: u64, ply: u16, found: Found) {
        let entries = self.bucket(key);
        let own = entries.iter().find(|entry| of(entry, key).is_some());
        let worth = |data: u64| {
            let old = (self.age + AGES - age(data)) % AGES;
            i32::from((data >> 16) as u8) - 8 * i32::from(old)
        };
        let [first, rest @ ..] = entries;
        let least = rest.iter().fold(first, |least, entry| {
            if worth(data(entry)) < worth(data(least)) { entry } else { least }
        });
        let entry = own.unwrap_or(least);
        // The same position's best move is worth keeping where no new one was found.
        let kept = own.map_or(u8::MAX, |own| (data(own) >> 32) as u8);
        let best = found.best.unwrap_or(kept);
        let data = u64::from(found.score.at(ply) as u16)
            | u64::from(found.depth) << 16
            | (found.bound as u64) << 24
            | u64::from(self.age) << 26
            | u64::from(best) << 32;
        entry[0].store(key ^ data, Ordering::Relaxed);
        entry[1].store(data, Ordering::Relaxed);
    }
}

fn data(entry: &Entry) -> u64 {
    entry[1].load(Ordering::Relaxed)
}

/// The data of an entry if they are of this key.
fn of(entry: &Entry, key: u64) -> Option<u64> {
    let data = data(entry);
    (entry[0].load(Ordering::Relaxed) == key ^ data && data != 0).then_some(data)
}

/// The search that an entry is of.
fn age(data: u64) -> u8 {
    (data >> 26) as u8 & (AGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: usize) -> TranspositionTable {
        TranspositionTable::new(bytes).expect("memory")
    }

    fn found(depth: u8, best: Option<u8>) -> Found {
        Found { score: Score::evaluation(-123), bound: Bound::Lower, depth, best }
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        for bytes in [usize::MAX, 1 << 50] {
            let refused = TranspositionTable::new(bytes);
            assert!(matches!(refused, Err(NoMemory::TooMuch { .. })), "{refused:?}");
        }
    }

    #[test]
    fn what_was_put_is_found() {
        let table = table(1 << 16);
        for key in (1..100u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
            assert_eq!(table.get(key, 0), None);
            table.put(key, 0, found(7, Some(3)));
            assert_eq!(table.get(key, 0), Some(found(7, Some(3))));
        }
    }

    #[test]
    fn a_best_move_is_kept_when_no_new_one_comes() {
        let table = table(1 << 16);
        table.put(42, 0, found(7, Some(3)));
        table.put(42, 0, found(8, None));
        assert_eq!(table.get(42, 0), Some(found(8, Some(3))));
    }

    #[test]
    fn wins_are_as_far_as_seen_from_where_they_are_looked_up() {
        let table = table(1 << 16);
        let win = Found { score: Score::decided(11), bound: Bound::Exact, depth: 3, best: None };
        table.put(5, 4, win);
        let seen = table.get(5, 6).expect("it is there");
        assert_eq!(seen.score, Score::decided(13));
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_of_the_same_search() {
        let mut table = table(64);
        for key in 1..=4 {
            table.put(key, 0, found(10 * key as u8, None));
        }
        table.put(5, 0, found(1, None));
        assert_eq!(table.get(1, 0), None, "the shallowest makes room");
        assert!(table.get(4, 0).is_some());
        table.grow_older();
        for key in 6..=9 {
            table.put(key, 0, found(35, None));
        }
        assert_eq!(table.get(4, 0), None, "an old one makes room, however deep");
        assert_eq!(table.permille(), 1000);
    }
}
