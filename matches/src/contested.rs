//! Compiles the baseline once for each family of games, so that crates that use it do not compile it
//! again.

use crate::baseline::Baseline;
use crate::competitor::Competitor;
use damka_engine::{Limits, Playable};

/// A game in which matches are played.
pub trait Contested: Playable {
    #[doc(hidden)]
    fn baseline_competitor(limits: Limits) -> Box<dyn Competitor<Self>>;
}

macro_rules! contested {
    ($($family:ty),*) => {$(
        impl Contested for $family {
            fn baseline_competitor(limits: Limits) -> Box<dyn Competitor<Self>> {
                Box::new(Baseline::new(limits))
            }
        }
    )*};
}

damka_games::for_families!(contested);
