//! Compiles the search once for each family of games, so that crates that use it do not compile it
//! again.

use crate::searchable::Searchable;
use crate::{Control, Engine, History, Limits, Report};

/// A game that the engine plays.
pub trait Playable: Searchable {
    #[doc(hidden)]
    fn search(
        engine: &mut Engine<Self>,
        game: &History<Self>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report<Self>),
    ) -> Report<Self>;
}

impl<G: Playable> Engine<G> {
    /// Searches the current position of a game until a limit is reached or `control` stops the
    /// search. Calls `report` after each depth.
    pub fn search(
        &mut self,
        game: &History<G>,
        limits: &Limits,
        control: &Control,
        mut report: impl FnMut(&Report<G>),
    ) -> Report<G> {
        G::search(self, game, limits, control, &mut report)
    }
}

/// Compiles the search for families of games, in the crate that calls this.
#[doc(hidden)]
#[macro_export]
macro_rules! playable {
    ($($family:ty),*) => {$(
        impl $crate::Playable for $family {
            fn search(
                engine: &mut $crate::Engine<$family>,
                game: &$crate::History<$family>,
                limits: &$crate::Limits,
                control: &$crate::Control,
                report: &mut dyn FnMut(&$crate::Report<$family>),
            ) -> $crate::Report<$family> {
                engine.search_any(game, limits, control, report)
            }
        }
    )*};
}

damka_games::for_families!(playable);
