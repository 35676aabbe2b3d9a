use super::Summary;
use crate::{Value, Wdl};

/// The number of positions of each value, of a signature with one side to move. Counts the same
/// positions as [`Summary`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Indexed by the code of the value. The last count is not 0.
    by_code: Vec<u64>,
}

impl Histogram {
    /// The histogram of counts indexed by the code of the value.
    pub(crate) fn of_codes(mut by_code: Vec<u64>) -> Histogram {
        while by_code.last() == Some(&0) {
            by_code.pop();
        }
        Histogram { by_code }
    }

    /// The counts, indexed by the code of the value; the last one is not 0.
    pub(crate) fn by_code(&self) -> &[u64] {
        &self.by_code
    }

    /// Counts `positions` positions of this value.
    #[inline]
    pub fn add(&mut self, value: Value, positions: u64) {
        if positions == 0 {
            return;
        }
        let code = usize::from(value.code());
        if self.by_code.len() <= code {
            self.by_code.resize(code + 1, 0);
        }
        self.by_code[code] += positions;
    }

    /// The values that occur and the number of positions of each: the draw, then wins and losses
    /// by ascending distance.
    pub fn values(&self) -> impl Iterator<Item = (Value, u64)> {
        let counts = (0..).map(Value::from_code).zip(self.by_code.iter().copied());
        counts.filter(|&(_, positions)| positions > 0)
    }

    /// The number of positions with this result.
    pub fn positions(&self, wdl: Wdl) -> u64 {
        self.of(wdl).map(|(_, positions)| positions).sum()
    }

    /// The longest distance of a win or loss in plies; `None` if there is none.
    pub fn longest(&self, wdl: Wdl) -> Option<u16> {
        self.of(wdl).filter_map(|(value, _)| value.plies()).max()
    }

    fn of(&self, wdl: Wdl) -> impl Iterator<Item = (Value, u64)> {
        self.values().filter(move |(value, _)| value.wdl() == wdl)
    }

    /// Whether the counts and the longest distances are those of `summary`.
    pub(crate) fn agrees_with(&self, summary: &Summary) -> bool {
        let counts = [
            (Wdl::Win, summary.wins, summary.longest_win),
            (Wdl::Draw, summary.draws, None),
            (Wdl::Loss, summary.losses, summary.longest_loss),
        ];
        // Counts read from a file may be too large to be added.
        let sum = |wdl| self.of(wdl).try_fold(0u64, |sum, (_, count)| sum.checked_add(count));
        counts.into_iter().all(|(wdl, positions, longest)| {
            sum(wdl) == Some(positions) && self.longest(wdl) == longest.map(|longest| longest.plies)
        })
    }
}

impl Extend<(Value, u64)> for Histogram {
    fn extend<T: IntoIterator<Item = (Value, u64)>>(&mut self, counts: T) {
        counts.into_iter().for_each(|(value, positions)| self.add(value, positions));
    }
}

impl FromIterator<(Value, u64)> for Histogram {
    fn from_iter<T: IntoIterator<Item = (Value, u64)>>(counts: T) -> Histogram {
        let mut histogram = Histogram::default();
        histogram.extend(counts);
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Longest;

    const WIN: Value = Value::decided(3);
    const LOSS: Value = Value::decided(2);

    #[test]
    fn counts_agree_with_a_summary_in_every_field() {
        let mut summary = Summary::default();
        let mut histogram = Histogram::default();
        assert!(histogram.agrees_with(&summary));
        for (value, weight) in [(LOSS, 4), (WIN, 1), (Value::DRAW, 7), (WIN, 2), (Value::LOST, 9)] {
            histogram.add(value, weight);
            assert!(!histogram.agrees_with(&summary));
            summary.count(value, 5, weight);
            assert!(histogram.agrees_with(&summary));
        }
        let values: Vec<(Value, u64)> = histogram.values().collect();
        assert_eq!(values, [(Value::DRAW, 7), (Value::LOST, 9), (LOSS, 4), (WIN, 3)]);
        assert_eq!(values.into_iter().collect::<Histogram>(), histogram);
        assert_eq!(histogram.positions(Wdl::Loss), 13);
        assert_eq!((histogram.longest(Wdl::Win), histogram.longest(Wdl::Draw)), (Some(3), None));
        for other in [
            Summary { wins: 4, ..summary },
            Summary { draws: 6, ..summary },
            Summary { losses: 0, ..summary },
            Summary { longest_win: None, ..summary },
            Summary { longest_loss: Some(Longest { plies: 0, number: 5 }), ..summary },
        ] {
            assert!(!histogram.agrees_with(&other), "{other:?}");
        }
    }

    #[test]
    fn counts_whose_sum_overflows_agree_with_no_summary() {
        let counts = [(Value::LOST, u64::MAX), (LOSS, 1)];
        let histogram: Histogram = counts.into_iter().collect();
        let longest_loss = Some(Longest { plies: 2, number: 0 });
        assert!(!histogram.agrees_with(&Summary { longest_loss, ..Summary::default() }));
    }

    #[test]
    fn values_that_do_not_occur_make_no_difference() {
        let mut histogram = Histogram::default();
        histogram.add(WIN, 0);
        assert_eq!(histogram, Histogram::default());
        assert_eq!(Histogram::of_codes(vec![0; 3]), histogram);
        histogram.add(Value::DRAW, 1);
        assert_eq!(Histogram::of_codes(vec![1, 0, 0]), histogram);
    }
}
