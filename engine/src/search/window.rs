use crate::score::Score;
use crate::transposition::{Bound, Entry};

/// An alpha-beta window: scores at or below `alpha` and at or above `beta` are only bounds.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The window as the other side sees it.
    pub(super) fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// A null window, which only shows whether a score exceeds `alpha`.
    pub(super) fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha.shifted(1) }
    }

    /// Whether an exact score can lie between the bounds: the window is not a null window.
    pub(super) fn is_open(self) -> bool {
        self.beta.hundredths() - self.alpha.hundredths() > 1
    }

    /// What the score of a search with this window says of the true score.
    pub(super) fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a transposition table entry, if deep enough, gives a score or a cutoff for this
    /// window.
    pub(super) fn is_decided_by(self, entry: Entry) -> bool {
        match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= self.beta,
            Bound::Upper => entry.score <= self.alpha,
        }
    }
}
