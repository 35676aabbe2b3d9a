use crate::score::Score;
use crate::transposition::{Bound, Found};

/// The bounds between which a score is of interest.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Only whether a score is better than `alpha` is of interest.
    pub(super) fn test(alpha: Score) -> Window {
        Window { alpha, beta: alpha.shifted(1) }
    }

    /// Whether there is room between the bounds.
    pub(super) fn is_wide(self) -> bool {
        self.beta.hundredths() - self.alpha.hundredths() > 1
    }

    /// Whether what was found answers the question.
    pub(super) fn is_settled(self, found: Found) -> bool {
        match found.bound {
            Bound::Exact => true,
            Bound::Lower => found.score >= self.beta,
            Bound::Upper => found.score <= self.alpha,
        }
    }
}
