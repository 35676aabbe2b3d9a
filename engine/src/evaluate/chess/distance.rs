//! Offsets between squares.

use damka_games::SquareSet;

/// The dark squares.
pub(super) const DARK: SquareSet = SquareSet::new(0xAA55_AA55_AA55_AA55);

/// An upper bound on [offsets](offset).
pub(super) const OFFSETS: usize = 240;

/// The number of the offset between two squares below 64: pairs of squares with the same difference
/// of files and ranks have the same number.
#[inline(always)]
pub(super) const fn offset(from: usize, to: usize) -> usize {
    // On a board with ranks of 16 squares, differences are unique.
    const fn widened(square: usize) -> usize {
        square + (square & 0o70)
    }
    widened(to) + OFFSETS / 2 - 1 - widened(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_offset_has_its_own_number() {
        let mut seen = HashMap::new();
        for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (from, to))) {
            let difference = (to as i32 / 8 - from as i32 / 8, to as i32 % 8 - from as i32 % 8);
            let number = offset(from, to);
            assert!(number < OFFSETS, "{from} {to}");
            assert_eq!(*seen.entry(number).or_insert(difference), difference, "{from} {to}");
        }
        assert_eq!(seen.len(), 15 * 15);
    }
}
