//! Metrics: the kind of information that a table stores. Contains everything specific to a metric:
//! how it reduces a value, how its values are packed, digested and counted, and which table can
//! replace a missing one.

mod packed;
mod packing;
mod summary;

pub use packed::{PackedValues, pack_two_bits};
pub use packing::Packing;
pub use summary::{Longest, Summary};

use crate::Value;
use damka_games::excerpt;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The kind of information that a table stores. A greater metric includes the information of a
/// lesser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl = 0,
    /// Distance to win.
    Dtw = 1,
}

impl Metric {
    /// Both metrics.
    pub const ALL: [Metric; 2] = [Metric::Wdl, Metric::Dtw];

    /// The metric's name on the command line, and the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
        }
    }

    /// The metric whose tables include all information of this one, if any.
    pub fn fallback(self) -> Option<Metric> {
        match self {
            Metric::Wdl => Some(Metric::Dtw),
            Metric::Dtw => None,
        }
    }

    /// The strongest of several metrics, from which the others follow; WDL if there are none.
    pub fn strongest(metrics: &[Metric]) -> Metric {
        metrics.iter().copied().max().unwrap_or(Metric::Wdl)
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
        match metric {
            Metric::Wdl => self.without_distance(),
            Metric::Dtw => self,
        }
    }
}
