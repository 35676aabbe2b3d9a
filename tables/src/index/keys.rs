/// Maps the key of a slice to its number among the slices of an index.
#[derive(Debug)]
pub(super) enum Keys {
    /// The number for each key, if all keys are small (draughts).
    Small([u8; 8]),
    /// The keys, sorted, with their numbers.
    Sorted(Vec<(u64, usize)>),
}

impl Keys {
    /// Builds the map from pairs of key and number.
    pub(super) fn new(mut keys: Vec<(u64, usize)>) -> Keys {
        keys.sort_unstable();
        match keys.last() {
            Some(&(last, _)) if last < 8 => {
                let mut numbers = [u8::MAX; 8];
                for (key, number) in keys {
                    numbers[key as usize] = number as u8;
                }
                Keys::Small(numbers)
            }
            _ => Keys::Sorted(keys),
        }
    }

    /// The number of the slice with this key.
    ///
    /// # Panics
    /// May panic, or return a wrong number, if there is no such slice.
    #[inline]
    pub(super) fn number(&self, key: u64) -> usize {
        match self {
            Keys::Small(numbers) => numbers[key as usize].into(),
            Keys::Sorted(keys) => keys[keys.partition_point(|&(known, _)| known < key)].1,
        }
    }
}
