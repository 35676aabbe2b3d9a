/// A set of numbers with constant-time rank queries.
#[derive(Debug)]
pub(super) struct Subset {
    /// For each 64 numbers: how many members precede them, and a bit set of the members among them.
    words: Vec<(u64, u64)>,
    len: u64,
}

impl Subset {
    /// The numbers below `end` for which `is_member` returns true. Calls it for each in order.
    pub(super) fn new(end: u64, mut is_member: impl FnMut(u64) -> bool) -> Subset {
        let mut len = 0;
        let word = |first: u64| {
            let numbers = first..end.min(first + 64);
            let members = numbers.filter(|&number| is_member(number));
            let word = members.fold(0u64, |word, number| word | 1 << (number - first));
            let below = len;
            len += u64::from(word.count_ones());
            (below, word)
        };
        let words = (0..end).step_by(64).map(word).collect();
        Subset { words, len }
    }

    /// The number of members.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The number of members below `number`, which must be below the end.
    #[inline]
    pub(super) fn below(&self, number: u64) -> u64 {
        let (below, word) = self.words[(number / 64) as usize];
        below + u64::from((word & ((1 << (number % 64)) - 1)).count_ones())
    }

    /// The member with this many members below it.
    #[inline]
    pub(super) fn at(&self, members: u64) -> u64 {
        let i = self.words.partition_point(|&(below, _)| below <= members) - 1;
        let (below, mut word) = self.words[i];
        for _ in below..members {
            word &= word - 1;
        }
        64 * i as u64 + u64::from(word.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_counts_its_members() {
        // Words that are full, empty, and mixed; the last one is short.
        let is_member = |number: u64| number < 64 || number >= 200 && !number.is_multiple_of(3);
        let subset = Subset::new(300, is_member);
        let members: Vec<u64> = (0..300).filter(|&number| is_member(number)).collect();
        assert_eq!(subset.len(), members.len() as u64);
        for number in 0..300 {
            let below = members.iter().filter(|&&member| member < number).count();
            assert_eq!(subset.below(number), below as u64, "{number}");
        }
        for (below, &member) in (0..).zip(&members) {
            assert_eq!(subset.at(below), member, "{below}");
        }
    }
}
