//! Metrics: the kind of information that a table stores. Contains everything specific to a metric:
//! how it reduces a value, how its values are packed, digested and counted, and which table can
//! replace a missing one.

mod histogram;
mod packed;
mod packing;
mod summary;

pub use histogram::Histogram;
pub use packed::{PackedValues, pack_two_bits};
pub use packing::Packing;
pub use summary::{Longest, Summary};

use crate::Value;
use damka_games::excerpt;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The kind of information that a table stores.
///
/// Code that depends on the metric uses its properties, which are a row of one table:
/// [`name`](Metric::name), [`has_distances`](Metric::has_distances) and
/// [`derived_from`](Metric::derived_from).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl = 0,
    /// Distance to win.
    Dtw = 1,
}

/// The properties of a metric.
struct Row {
    name: &'static str,
    has_distances: bool,
    derived_from: &'static [Metric],
}

impl Metric {
    /// All metrics, in the order of their numbers in table files.
    pub const ALL: [Metric; 2] = [Metric::Wdl, Metric::Dtw];

    const fn row(self) -> &'static Row {
        match self {
            Metric::Wdl => &Row { name: "wdl", has_distances: false, derived_from: &[Metric::Dtw] },
            Metric::Dtw => &Row { name: "dtw", has_distances: true, derived_from: &[] },
        }
    }

    /// The metric's name on the command line, and the extension of its files.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether its values have a distance in plies. If so, a value takes one or two bytes of a
    /// table, the header names the longest win and loss, and the file ends with a
    /// [`Histogram`] for each side to move; otherwise a value takes two bits.
    #[inline]
    pub const fn has_distances(self) -> bool {
        self.row().has_distances
    }

    /// The metrics whose values include those of this one, the preferred one first. Their tables
    /// replace a missing table of this metric.
    pub const fn derived_from(self) -> &'static [Metric] {
        self.row().derived_from
    }

    /// Whether values of this metric are those of `other`, or included in them.
    pub fn follows_from(self, other: Metric) -> bool {
        self == other || self.derived_from().contains(&other)
    }

    /// The one of these metrics that is solved: all others follow from it. WDL if there are none.
    ///
    /// # Panics
    /// If they do not follow from one of them. With today's metrics they always do.
    pub fn to_solve(metrics: &[Metric]) -> Metric {
        let includes_all = |&solved: &Metric| metrics.iter().all(|m| m.follows_from(solved));
        let found = metrics.iter().copied().find(includes_all);
        assert!(found.is_some() || metrics.is_empty(), "{metrics:?} follow from none of them");
        found.unwrap_or(Metric::Wdl)
    }

    pub(crate) fn from_byte(byte: u8) -> Option<Metric> {
        Metric::ALL.into_iter().find(|&metric| metric as u8 == byte)
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a metric.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown metric `{0}`; the metrics are {names}", names = Metric::ALL.map(Metric::name).join(" and "))]
pub struct UnknownMetric(String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Metric, UnknownMetric> {
        let named = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        named.ok_or_else(|| UnknownMetric(excerpt(name)))
    }
}

impl Value {
    /// The value reduced to the information of `metric`.
    #[inline]
    pub fn reduced_to(self, metric: Metric) -> Value {
        if metric.has_distances() { self } else { self.without_distance() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_metrics_follow_from_one_of_them() {
        let [wdl, dtw] = Metric::ALL;
        let lists: [(&[Metric], Metric); 5] =
            [(&[], wdl), (&[wdl], wdl), (&[dtw], dtw), (&[wdl, dtw], dtw), (&[dtw, wdl], dtw)];
        for (metrics, solved) in lists {
            assert_eq!(Metric::to_solve(metrics), solved, "{metrics:?}");
        }
    }

    #[test]
    fn a_metric_with_distances_does_not_follow_from_one_without() {
        for metric in Metric::ALL {
            assert_eq!(Metric::from_byte(metric as u8), Some(metric));
            assert_eq!(metric.name().parse(), Ok(metric));
            assert!(metric.follows_from(metric));
            for &other in metric.derived_from() {
                assert!(other != metric && other.has_distances() >= metric.has_distances());
                // A table that can replace another one can replace all that the other can.
                assert!(other.derived_from().iter().all(|&m| metric.follows_from(m)));
            }
        }
    }
}
