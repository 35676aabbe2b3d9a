use super::Metric;
use crate::{Value, Wdl};
use std::cmp::Reverse;

/// The longest win or loss of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    /// Its distance in plies.
    pub plies: u16,
    /// The lowest number of a position with this distance.
    pub number: u64,
}

impl Longest {
    /// Whether this one is longer than `other`, or equally long with a lower number.
    #[inline]
    pub fn is_beyond(self, other: Option<Longest>) -> bool {
        let key = |longest: Longest| (longest.plies, Reverse(longest.number));
        other.is_none_or(|other| key(self) > key(other))
    }
}

/// Counts over all positions of a signature with one side to move: all legal placements, including
/// those in which only captures are legal. Symmetric positions are counted individually even where
/// they share a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of wins for the side to move.
    pub wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of losses for the side to move.
    pub losses: u64,
    /// The longest win; `None` if there are no wins or the table has no distances.
    pub longest_win: Option<Longest>,
    /// The longest loss; `None` if there are no losses or the table has no distances.
    pub longest_loss: Option<Longest>,
}

impl Summary {
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Whether the sum of the counts does not overflow, and the longest win and loss have valid
    /// distances, and numbers below `positions`.
    pub(crate) fn is_sane(&self, positions: u64) -> bool {
        let sum = self.wins.checked_add(self.draws).and_then(|sum| sum.checked_add(self.losses));
        let mut longest = self.longest_win.iter().chain(&self.longest_loss);
        sum.is_some() && longest.all(|l| l.number < positions && l.plies <= Value::MAX_PLIES)
    }

    /// Counts `weight` positions with this result.
    pub fn add(&mut self, wdl: Wdl, weight: u64) {
        *match wdl {
            Wdl::Win => &mut self.wins,
            Wdl::Draw => &mut self.draws,
            Wdl::Loss => &mut self.losses,
        } += weight;
    }

    /// Counts the `weight` positions that share a number.
    #[inline]
    pub fn count(&mut self, value: Value, number: u64, weight: u64) {
        self.add(value.wdl(), weight);
        let longest = match value.wdl() {
            Wdl::Win => &mut self.longest_win,
            Wdl::Loss => &mut self.longest_loss,
            Wdl::Draw => return,
        };
        let found = Longest { plies: value.plies().unwrap_or(0), number };
        if found.is_beyond(*longest) {
            *longest = Some(found);
        }
    }

    /// The combined counts of two sets of positions.
    pub fn merged(self, other: Summary) -> Summary {
        let longer = |a: Option<Longest>, b: Option<Longest>| match a {
            Some(longest) if longest.is_beyond(b) => a,
            _ => b,
        };
        Summary {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: longer(self.longest_win, other.longest_win),
            longest_loss: longer(self.longest_loss, other.longest_loss),
        }
    }

    /// The counts as in the header of a table of `metric`: there is no longest win or loss without
    /// distances.
    pub fn reduced_to(self, metric: Metric) -> Summary {
        match metric.has_distances() {
            true => self,
            false => Summary { longest_win: None, longest_loss: None, ..self },
        }
    }
}
