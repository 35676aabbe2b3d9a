//! Ranks subsets: maps the k-subsets of n places to the numbers below C(n, k), in the combinatorial
//! number system (colexicographic order).

use std::hint::select_unpredictable;

/// The maximum number of places, and of chosen ones.
const MAX_PLACES: usize = 64;
const MAX_CHOSEN: usize = 12;

/// `CHOOSE[k][n]` = C(n, k).
static CHOOSE: [[u64; MAX_PLACES + 1]; MAX_CHOSEN + 1] = choose_table();

const fn choose_table() -> [[u64; MAX_PLACES + 1]; MAX_CHOSEN + 1] {
    let mut table = [[0; MAX_PLACES + 1]; MAX_CHOSEN + 1];
    let mut n = 0;
    while n <= MAX_PLACES {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_CHOSEN && n > 0 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// `TERM[k][n]` = C(n, k) for a place n; 0 for place 64, which stands for an empty set.
static TERM: [[u64; MAX_PLACES + 1]; MAX_CHOSEN + 1] = {
    let mut table = choose_table();
    let mut k = 0;
    while k <= MAX_CHOSEN {
        table[k][MAX_PLACES] = 0;
        k += 1;
    }
    table
};

/// C(n, k), the number of k-subsets of n places.
///
/// # Panics
/// If `n` is more than 64 or `k` more than 12.
#[inline]
pub fn choose(n: u32, k: u32) -> u64 {
    CHOOSE[k as usize][n as usize]
}

/// The rank of a set among all sets of the same size.
///
/// # Panics
/// In debug builds, if the set has more than 12 places.
#[inline(always)]
pub fn rank(mut set: u64) -> u64 {
    debug_assert!(set.count_ones() <= MAX_CHOSEN as u32);
    let mut rank = 0;
    // Four places per iteration: their number is unpredictable, and adding a zero costs less than a
    // mispredicted branch.
    for terms in TERM[1..].as_chunks::<4>().0 {
        for term in terms {
            rank += term[set.trailing_zeros() as usize];
            set &= set.wrapping_sub(1);
        }
        if set == 0 {
            break;
        }
    }
    rank
}

/// The set of `k` of 64 places with this rank.
///
/// # Panics
/// If `k` is more than 12, and in debug builds if no set has the rank.
#[inline]
pub fn unrank(mut rank: u64, k: u32) -> u64 {
    if k == 0 {
        return 0;
    }
    let mut set = 0;
    for choose in CHOOSE[2..=k as usize].iter().rev() {
        // The highest place whose binomial does not exceed the rank. A branchless binary search,
        // because the result is unpredictable.
        let mut place = 0;
        for step in [32, 16, 8, 4, 2, 1] {
            let further = place + step;
            place = select_unpredictable(choose[further] <= rank, further, place);
        }
        rank -= choose[place];
        set |= 1 << place;
    }
    set | 1 << rank
}

/// The non-empty set of the first `n` places, of the same size, that follows `set` in rank; `None`
/// after the last.
#[inline]
pub(super) fn next(set: u64, n: u32) -> Option<u64> {
    // The end of the lowest run moves up one place; the rest of the run falls to the bottom.
    let lowest = set.trailing_zeros();
    let carried = set.checked_add(1 << lowest)?;
    let next = carried | (carried ^ set) >> lowest >> 2;
    (next.checked_shr(n).unwrap_or(0) == 0).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_count_the_subsets() {
        // All subsets of 10 places by size: each rank below C(10, k) once.
        for k in 0..=10u32 {
            let sets = (0u64..1 << 10).filter(|set| set.count_ones() == k);
            let mut ranks: Vec<u64> = sets.map(rank).collect();
            ranks.sort_unstable();
            assert!(ranks.into_iter().eq(0..choose(10, k)));
        }
        assert_eq!(choose(32, 4), 35_960);
        assert_eq!(choose(64, 5), 7_624_512);
    }

    #[test]
    fn next_increments_the_rank() {
        for (n, k) in [(1, 1), (10, 1), (10, 4), (10, 10), (64, 2)] {
            for rank in 0..choose(n, k) {
                let expected = (rank + 1 < choose(n, k)).then(|| unrank(rank + 1, k));
                assert_eq!(next(unrank(rank, k), n), expected, "{rank} of C({n}, {k})");
            }
        }
    }

    proptest! {
        #[test]
        fn unrank_inverts_rank(set: u64) {
            let mut set = set;
            while set.count_ones() > MAX_CHOSEN as u32 {
                set &= set - 1;
            }
            prop_assert_eq!(unrank(rank(set), set.count_ones()), set);
        }
    }
}
