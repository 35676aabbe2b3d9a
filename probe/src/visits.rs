/// To how many positions captures are followed for one answer. Those of 8 pieces were found to
/// lead to 2,733 at most, in Russian draughts; those of more pieces may lead to millions.
pub const MAX_CAPTURES: u32 = 1 << 16;

/// How many more positions captures may be followed to.
pub(crate) struct Visits(u32);

impl Visits {
    /// All.
    #[inline]
    pub(crate) fn new() -> Visits {
        Visits::of(MAX_CAPTURES)
    }

    /// This many.
    #[inline]
    pub(crate) fn of(left: u32) -> Visits {
        Visits(left)
    }

    /// How many were taken.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> u32 {
        MAX_CAPTURES - self.0
    }

    /// Takes one.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Result<(), TooManyCaptures> {
        self.0 = self.0.checked_sub(1).ok_or(TooManyCaptures)?;
        Ok(())
    }
}

/// There are no more [`Visits`].
pub(crate) struct TooManyCaptures;
