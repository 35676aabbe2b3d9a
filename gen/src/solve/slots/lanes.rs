//! Eight words side by side, for a rank of an axis whose squares are words. Written so that the
//! compiler vectorizes it.

/// A word for each file of a rank.
pub(super) type Lanes = [u64; 8];

pub(super) const EMPTY: Lanes = [0; 8];

#[inline(always)]
pub(super) fn and(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|i| a[i] & b[i])
}

#[inline(always)]
pub(super) fn or(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|i| a[i] | b[i])
}

/// Moves each word up by `N` files, shifting in zeros.
#[inline(always)]
pub(super) fn up<const N: usize>(a: Lanes) -> Lanes {
    std::array::from_fn(|i| if i < N { 0 } else { a[i - N] })
}

/// Moves each word down by `N` files, shifting in zeros.
#[inline(always)]
pub(super) fn down<const N: usize>(a: Lanes) -> Lanes {
    std::array::from_fn(|i| if i + N < 8 { a[i + N] } else { 0 })
}

/// Whether all words are 0.
#[inline(always)]
pub(super) fn is_empty(words: &[Lanes]) -> bool {
    let mut all = EMPTY;
    for &lanes in words {
        all = or(all, lanes);
    }
    all == EMPTY
}
