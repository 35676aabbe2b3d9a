/// The maximum number of positions to which captures are followed in one look-up. With 8 pieces in
/// Russian draughts captures lead to at most 2,733 positions; with more pieces they may lead to
/// millions.
pub const MAX_CAPTURES: u32 = 1 << 16;

/// The number of positions to which captures may still be followed.
pub(crate) struct Visits(u32);

impl Visits {
    /// The maximum number of visits.
    #[inline]
    pub(crate) fn new() -> Visits {
        Visits::of(MAX_CAPTURES)
    }

    /// This many visits.
    #[inline]
    pub(crate) fn of(left: u32) -> Visits {
        Visits(left)
    }

    /// The number of visits so far.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> u32 {
        MAX_CAPTURES - self.0
    }

    /// Counts a visit.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Result<(), TooManyCaptures> {
        self.0 = self.0.checked_sub(1).ok_or(TooManyCaptures)?;
        Ok(())
    }
}

/// The [`Visits`] are exhausted.
pub(crate) struct TooManyCaptures;
