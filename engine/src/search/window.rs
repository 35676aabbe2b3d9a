use crate::score::Score;
use crate::transposition::{Bound, Entry};

/// An alpha-beta window: scores at or below `alpha` and at or above `beta` are only bounds.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// Whether a node with this window is expected to fail high (a cut node). Always false for an
    /// open window, where an exact score is expected.
    pub(super) is_cut_node: bool,
}

impl Window {
    /// A window in which an exact score is expected.
    pub(super) fn open(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta, is_cut_node: false }
    }

    /// The window as the other side sees it: what fails high for one side fails low for the other.
    pub(super) fn flipped(self) -> Window {
        let is_cut_node = !self.is_open() && !self.is_cut_node;
        Window { alpha: -self.beta, beta: -self.alpha, is_cut_node }
    }

    /// A null window, which only shows whether a score exceeds `alpha`. The score is expected not
    /// to.
    pub(super) fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha.shifted(1), is_cut_node: false }
    }

    /// Whether an exact score can lie between the bounds: the window is not a null window.
    pub(super) fn is_open(self) -> bool {
        self.beta.hundredths() - self.alpha.hundredths() > 1
    }

    /// Whether the score of a search with this window is exact, or a lower or upper bound on the
    /// true score.
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
