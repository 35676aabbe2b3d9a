/// An endgame and an opening value packed into one integer, so that both are added at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair(i64);

impl Pair {
    #[inline(always)]
    pub(super) fn new([end, start]: [i32; 2]) -> Pair {
        Pair((i64::from(start) << 32) + i64::from(end))
    }

    /// The endgame and the opening value.
    #[inline(always)]
    pub(super) fn parts(self) -> [i32; 2] {
        let end = self.0 as i32;
        // A negative low half has borrowed 1 from the high half.
        [end, ((self.0 - i64::from(end)) >> 32) as i32]
    }

    /// Adds a pair `count` times.
    #[inline(always)]
    pub(super) fn add(&mut self, other: Pair, count: i32) {
        self.0 += other.0 * i64::from(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_are_added() {
        let numbers = [-70_000, -1, 0, 1, 3, 70_000];
        let pairs = || numbers.into_iter().flat_map(|end| numbers.map(|start| [end, start]));
        for (one, other) in pairs().flat_map(|one| pairs().map(move |other| (one, other))) {
            for count in [-3, -1, 0, 1, 2] {
                let mut sum = Pair::new(one);
                sum.add(Pair::new(other), count);
                let separately = [0, 1].map(|part| one[part] + other[part] * count);
                assert_eq!(sum.parts(), separately, "{one:?} {other:?} {count}");
            }
        }
    }
}
