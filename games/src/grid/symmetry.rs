//! The symmetries of a square board, on sets of squares as words: bit i is the square with index i.

use super::{file, rank};

/// Exchanges left and right.
#[inline(always)]
pub const fn mirror<const SIZE: usize>(set: u64) -> u64 {
    if SIZE == 8 {
        return set.swap_bytes().reverse_bits();
    }
    let mut image = 0;
    let mut left = 0;
    while left < SIZE {
        image |= (set >> left & file::<SIZE>(0).bits()) << (SIZE - 1 - left);
        left += 1;
    }
    image
}

/// Exchanges top and bottom.
#[inline(always)]
pub const fn flip<const SIZE: usize>(set: u64) -> u64 {
    if SIZE == 8 {
        return set.swap_bytes();
    }
    // With an odd number of ranks, the middle one stays in place.
    let mut image = if SIZE % 2 == 1 { set & rank::<SIZE>(SIZE / 2).bits() } else { 0 };
    let mut row = 0;
    while row < SIZE / 2 {
        let distance = SIZE * (SIZE - 1 - 2 * row);
        let low = rank::<SIZE>(row).bits();
        image |= (set & low) << distance | set >> distance & low;
        row += 1;
    }
    image
}

/// Exchanges ranks and files of a board of 8 by 8 squares: reflects it in the diagonal a1-h8. The
/// standard method, with three exchanges of ever smaller blocks.
#[inline(always)]
pub const fn transpose(mut set: u64) -> u64 {
    const EXCHANGES: [(u32, u64); 3] =
        [(28, 0x0F0F_0F0F_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500)];
    let mut i = 0;
    while i < EXCHANGES.len() {
        let (shift, mask) = EXCHANGES[i];
        let moved = mask & (set ^ set << shift);
        set ^= moved ^ moved >> shift;
        i += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set of the squares to which `image` maps those of `set`, by file and row.
    fn slow<const SIZE: usize>(set: u64, image: impl Fn(usize, usize) -> (usize, usize)) -> u64 {
        let squares = (0..SIZE * SIZE).filter(|square| set >> square & 1 == 1);
        let images = squares.map(|square| image(square % SIZE, square / SIZE));
        images.fold(0, |all, (file, row)| all | 1 << (SIZE * row + file))
    }

    fn check<const SIZE: usize>() {
        let mut random = crate::Random::new(1);
        let board = !0 >> (64 - SIZE * SIZE);
        for _ in 0..1000 {
            let set = random.below(u64::MAX) & board;
            assert_eq!(mirror::<SIZE>(set), slow::<SIZE>(set, |x, y| (SIZE - 1 - x, y)));
            assert_eq!(flip::<SIZE>(set), slow::<SIZE>(set, |x, y| (x, SIZE - 1 - y)));
            if SIZE == 8 {
                assert_eq!(transpose(set), slow::<SIZE>(set, |x, y| (y, x)));
            }
        }
    }

    #[test]
    fn images_agree_with_square_by_square_mapping() {
        check::<5>();
        check::<6>();
        check::<8>();
    }
}
