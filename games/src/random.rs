/// A deterministic random number generator: splitmix64 (S. Vigna).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator for one of several sequences that share a seed, chosen by its number.
    pub const fn numbered(seed: u64, number: u64) -> Random {
        Random(Random(number).next() ^ seed)
    }

    /// The next number.
    #[allow(clippy::should_implement_trait)]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A random element; `None` if there are none.
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> Option<T> {
        match things.len() {
            0 => None,
            count => things.get(self.below(count as u64) as usize).copied(),
        }
    }

    /// The index of one of these weights, chosen at random in proportion to them. `None` if none is
    /// above 0.
    pub fn weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return None;
        }
        let mut rest = self.below(total);
        weights.iter().position(|&weight| {
            let is_chosen = rest < weight;
            rest = rest.saturating_sub(weight);
            is_chosen
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of the published generator with seed 1234567.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn all_numbers_below_a_bound_come_up() {
        let mut random = Random::new(1);
        let mut counts = [0; 6];
        (0..6000).for_each(|_| counts[random.below(6) as usize] += 1);
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert_eq!(random.pick::<u8>(&[]), None);
    }

    #[test]
    fn indices_come_up_in_proportion_to_their_weights() {
        let mut random = Random::new(1);
        let mut counts = [0; 4];
        (0..6000).for_each(|_| counts[random.weighted(&[1, 0, 3, 2]).expect("an index")] += 1);
        assert!((900..1100).contains(&counts[0]) && counts[1] == 0, "{counts:?}");
        assert!((2850..3150).contains(&counts[2]), "{counts:?}");
        assert_eq!(random.weighted(&[0, 0]), None);
    }
}
