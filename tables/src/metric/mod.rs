//! Metrics: what a table tells about its positions. Whatever is different from one
//! metric to the next is in here: what it leaves of a value, how its values are
//! packed, digested and counted, and which table serves where its own is missing.

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

/// What a table tells about its positions. The greater tells more.
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

    /// The metric's name on the command line, and the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
        }
    }

    /// The metric whose tables tell all that tables of this one do, and more.
    pub fn fallback(self) -> Option<Metric> {
        match self {
            Metric::Wdl => Some(Metric::Dtw),
            Metric::Dtw => None,
        }
    }

    /// The one of several metrics that tells most, from which the others follow; WDL if
    /// there is none.
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

/// A name that no metric has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no metric `{0}`: there are {names}", names = Metric::ALL.map(Metric::name).join(" and "))]
pub struct UnknownMetric(String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Metric, UnknownMetric> {
        let named = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        named.ok_or_else(|| UnknownMetric(excerpt(name)))
    }
}

impl Value {
    /// The value as a table of `metric` tells it.
    #[inline]
    pub fn under(self, metric: Metric) -> Value {
        match metric {
            Metric::Wdl => self.without_distance(),
            Metric::Dtw => self,
        }
    }
}
