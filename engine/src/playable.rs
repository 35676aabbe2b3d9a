//! Instantiates the search once for each family of games, so that crates that use it do not compile
//! it again.

use crate::searchable::Searchable;
use crate::{Control, Engine, History, Limits, Report};

mod sealed {
    pub trait Sealed {}
}

/// A game that the engine plays.
pub trait Playable: Searchable + sealed::Sealed {
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

macro_rules! families {
    ($($family:ty),*) => {$(
        impl sealed::Sealed for $family {}

        impl Playable for $family {
            fn search(
                engine: &mut Engine<$family>,
                game: &History<$family>,
                limits: &Limits,
                control: &Control,
                report: &mut dyn FnMut(&Report<$family>),
            ) -> Report<$family> {
                engine.search_any(game, limits, control, report)
            }
        }
    )*};
}

damka_games::for_families!(families);
