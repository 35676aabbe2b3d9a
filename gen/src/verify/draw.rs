//! Random numbers for samples, reproducible by seed.

use damka_games::Random;
use rustc_hash::FxHashMap;

/// The numbers below `count` in an order determined by `seed`. Memory is proportional to the
/// numbers drawn so far.
pub(super) fn shuffled(count: u64, seed: u64) -> impl Iterator<Item = u64> {
    let mut random = Random::new(seed);
    // A Fisher-Yates shuffle of a list of which only the changed entries are stored.
    let mut moved: FxHashMap<u64, u64> = FxHashMap::default();
    (0..count).map(move |position| {
        let other = position + random.below(count - position);
        let own = moved.remove(&position).unwrap_or(position);
        match other == position {
            true => own,
            false => moved.insert(other, own).unwrap_or(other),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_drawn_once() {
        for seed in 0..100 {
            let mut drawn: Vec<u64> = shuffled(50, seed).collect();
            drawn.sort_unstable();
            assert!(drawn.into_iter().eq(0..50));
        }
    }

    #[test]
    fn the_seed_determines_the_order() {
        let drawn = |seed| shuffled(1 << 40, seed).take(20).collect::<Vec<_>>();
        assert_eq!(drawn(42), drawn(42));
        assert_ne!(drawn(42), drawn(43));
    }

    #[test]
    fn all_numbers_are_equally_likely() {
        let mut firsts = [0; 8];
        for seed in 0..8000 {
            for drawn in shuffled(8, seed).take(2) {
                firsts[drawn as usize] += 1;
            }
        }
        assert!(firsts.iter().all(|count| (1800..2200).contains(count)), "{firsts:?}");
    }
}
