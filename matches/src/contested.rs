//! What a match needs of each family of games: the baseline, compiled here once for each family, so
//! that other crates do not compile it again; and competitors for programs whose protocols only
//! have draughts.

use crate::baseline::Baseline;
use crate::competitor::Competitor;
use damka_engine::{Limits, Playable};
use damka_games::Draughts;

/// A family of games in which matches are played: each family of [`AnyGame`](damka_games::AnyGame). The functions of
/// this crate call its methods.
pub trait Contested: Playable {
    #[doc(hidden)]
    fn baseline_competitor(limits: Limits) -> Box<dyn Competitor<Self>>;

    /// A program that plays draughts as a competitor in this game; `None` in other families.
    #[doc(hidden)]
    fn draughts_program(
        program: Box<dyn Competitor<Draughts>>,
    ) -> Option<Box<dyn Competitor<Self>>>;
}

macro_rules! contested {
    ($($games:tt :: $family:ident),*) => {$(
        impl Contested for $games::$family {
            fn baseline_competitor(limits: Limits) -> Box<dyn Competitor<Self>> {
                Box::new(Baseline::new(limits))
            }

            fn draughts_program(
                program: Box<dyn Competitor<Draughts>>,
            ) -> Option<Box<dyn Competitor<Self>>> {
                draughts_program!($family, program)
            }
        }
    )*};
}

macro_rules! draughts_program {
    (Draughts, $program:expr) => {
        Some($program)
    };
    ($other:ident, $program:expr) => {{
        drop($program);
        None
    }};
}

damka_games::for_families!(contested);
