//! Sets of placements as bits.

/// A block of `W` words, with one bit for each placement. `W` is 1 for up to 32 placements, and
/// otherwise [`WORDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits<const W: usize = WORDS>(pub(super) [u32; W]);

/// The words of a large block, which fills a register of 512 bits.
pub(super) const WORDS: usize = 16;

impl<const W: usize> Bits<W> {
    pub(super) const NONE: Self = Bits([0; W]);
    pub(super) const ALL: Self = Bits([u32::MAX; W]);
    /// The number of bits.
    pub(super) const LEN: usize = 32 * W;

    #[inline(always)]
    fn with(mut self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a = f(*a, b);
        }
        self
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        self.with(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        self.with(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn and_not(self, other: Self) -> Self {
        self.with(other, |a, b| a & !b)
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        let mut any = 0;
        for &word in &self.0 {
            any |= word;
        }
        any == 0
    }

    /// The places of the bits, in order.
    #[inline(always)]
    pub(super) fn places(self) -> Places<W> {
        Places { bits: self, word: 0 }
    }
}

/// The places of the bits of a set.
#[derive(Debug)]
pub(super) struct Places<const W: usize> {
    /// The bits not returned yet.
    bits: Bits<W>,
    /// The words before this one are empty.
    word: usize,
}

impl<const W: usize> Iterator for Places<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.word < W {
            let bits = &mut self.bits.0[self.word];
            if *bits != 0 {
                let place = bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(self.word * 32 + place);
            }
            self.word += 1;
        }
        None
    }
}
