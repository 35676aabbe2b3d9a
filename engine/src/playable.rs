//! Code that is slow to compile, compiled here once for each family of games, so that crates that use it
//! do not compile it again: the search, the opening of tables, books and weights, and the processing of
//! many games.

use crate::book::Book;
use crate::evaluate::{Evaluated, Evaluator};
use crate::file::FileError;
use crate::player::{PlayerError, PlayerSettings, Resources};
use crate::searchable::Searchable;
use crate::tune::{Dataset, FirstNetwork, Loss, Training};
use crate::{Control, EndgameTables, Engine, History, Limits, Network, Report, Weights};
use damka_probe::{ProbeError, Tables};
use damka_records::Record;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// A family of games that the engine plays: each family of [`AnyGame`](damka_games::AnyGame). The functions of this
/// crate call its methods.
pub trait Playable: Searchable + Evaluated {
    #[doc(hidden)]
    fn search(
        engine: &mut Engine<Self>,
        game: &History<Self>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report<Self>),
    ) -> Report<Self>;

    #[doc(hidden)]
    fn open_tables(tables: Arc<Tables<Self>>) -> Result<EndgameTables<Self>, ProbeError>;

    #[doc(hidden)]
    fn open_evaluator(self, path: &Path) -> Result<Arc<dyn Evaluator<Self>>, FileError>;

    #[doc(hidden)]
    fn open_resources(settings: &PlayerSettings<Self>) -> Result<Resources<Self>, PlayerError>;

    #[doc(hidden)]
    fn count_game(
        book: &mut Book<Self>,
        record: &Record<Self>,
        plies: usize,
        may_add: bool,
    ) -> bool;

    #[doc(hidden)]
    fn add_examples(
        dataset: &mut Dataset<Self>,
        record: &Record<Self>,
        endings: &EndgameTables<Self>,
    );

    #[doc(hidden)]
    fn learn(
        dataset: Dataset<Self>,
        first: &Weights<Self>,
        training: &Training,
        report: &mut dyn FnMut(u32, Loss) -> ControlFlow<()>,
    ) -> Weights<Self>;

    #[doc(hidden)]
    fn learn_network(
        self,
        dataset: Dataset<Self>,
        first: &FirstNetwork<Self>,
        training: &Training,
        report: &mut dyn FnMut(u32, Loss) -> ControlFlow<()>,
    ) -> Network<Self>;
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

impl<G: Playable> EndgameTables<G> {
    /// Like [`new`](EndgameTables::new), for tables in a directory.
    ///
    /// # Errors
    /// Like [`new`](EndgameTables::new).
    pub fn open(tables: Arc<Tables<G>>) -> Result<EndgameTables<G>, ProbeError> {
        G::open_tables(tables)
    }
}

/// Reads an evaluation of `game` from a file of [`Weights`] or of a [`Network`]. The header of the
/// file determines which.
///
/// # Errors
/// The file cannot be read, or holds neither weights nor a network of this game.
pub fn open_evaluator<G: Playable>(
    game: G,
    path: &Path,
) -> Result<Arc<dyn Evaluator<G>>, FileError> {
    game.open_evaluator(path)
}

impl<G: Playable> Resources<G> {
    /// Opens the tables, weights and book of these settings. All tables are opened now, not when they
    /// are first needed.
    ///
    /// # Errors
    /// The directory of tables, the weights or the book cannot be read, or memory cannot be
    /// allocated.
    pub fn open(settings: &PlayerSettings<G>) -> Result<Resources<G>, PlayerError> {
        G::open_resources(settings)
    }
}

impl<G: Playable> Book<G> {
    /// Adds the first `plies` plies of a game. Returns false for a game without a result, which is
    /// ignored.
    pub fn add(&mut self, record: &Record<G>, plies: usize) -> bool {
        G::count_game(self, record, plies, true)
    }

    /// Like [`add`](Book::add), but stops at the first move that is not in the book yet.
    pub fn add_results(&mut self, record: &Record<G>, plies: usize) -> bool {
        G::count_game(self, record, plies, false)
    }
}

impl<G: Playable> Dataset<G> {
    /// Adds the quiet positions of a game, if tables have their value or the game has a result. A
    /// position is quiet if no capture follows, no reply is forced and nothing is threatened. A game
    /// that is identical to an earlier one is ignored.
    pub fn add(&mut self, record: &Record<G>, endings: &EndgameTables<G>) {
        G::add_examples(self, record, endings);
    }

    /// Learns the weights of features from all examples, and calls `report` before the first round and
    /// after each; `Break` ends the learning. Returns the weights of the round with the least loss on
    /// the validation set, or of the last round if there is no such set. Deterministic for examples in a
    /// given order. Without examples, returns `first` and reports nothing.
    pub fn learn(
        self,
        first: &Weights<G>,
        training: &Training,
        mut report: impl FnMut(u32, Loss) -> ControlFlow<()>,
    ) -> Weights<G> {
        G::learn(self, first, training, &mut report)
    }

    /// Like [`learn`](Dataset::learn), but learns a network. Its evaluations have the unit of the noted
    /// scores.
    ///
    /// # Panics
    /// The number of hidden neurons is not a multiple of 32.
    pub fn learn_network(
        self,
        game: G,
        first: &FirstNetwork<G>,
        training: &Training,
        mut report: impl FnMut(u32, Loss) -> ControlFlow<()>,
    ) -> Network<G> {
        game.learn_network(self, first, training, &mut report)
    }
}

/// Implements [`Playable`] for families of games, in the crate that calls this.
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

            fn open_tables(
                tables: ::std::sync::Arc<$crate::instantiate::Tables<$family>>,
            ) -> Result<$crate::EndgameTables<$family>, $crate::instantiate::ProbeError> {
                $crate::EndgameTables::new(tables)
            }

            fn open_evaluator(
                self,
                path: &::std::path::Path,
            ) -> Result<
                ::std::sync::Arc<dyn $crate::Evaluator<$family>>,
                $crate::FileError,
            > {
                $crate::instantiate::open_any(self, path)
            }

            fn open_resources(
                settings: &$crate::PlayerSettings<$family>,
            ) -> Result<$crate::Resources<$family>, $crate::PlayerError> {
                $crate::Resources::open_any(settings)
            }

            fn count_game(
                book: &mut $crate::book::Book<$family>,
                record: &$crate::instantiate::Record<$family>,
                plies: usize,
                may_add: bool,
            ) -> bool {
                book.count(record, plies, may_add)
            }

            fn add_examples(
                dataset: &mut $crate::tune::Dataset<$family>,
                record: &$crate::instantiate::Record<$family>,
                endings: &$crate::EndgameTables<$family>,
            ) {
                dataset.add_any(record, endings);
            }

            fn learn(
                dataset: $crate::tune::Dataset<$family>,
                first: &$crate::Weights<$family>,
                training: &$crate::tune::Training,
                report: &mut dyn FnMut(u32, $crate::tune::Loss) -> ::std::ops::ControlFlow<()>,
            ) -> $crate::Weights<$family> {
                dataset.learn_any(first, training, report)
            }

            fn learn_network(
                self,
                dataset: $crate::tune::Dataset<$family>,
                first: &$crate::tune::FirstNetwork<$family>,
                training: &$crate::tune::Training,
                report: &mut dyn FnMut(u32, $crate::tune::Loss) -> ::std::ops::ControlFlow<()>,
            ) -> $crate::Network<$family> {
                dataset.learn_network_any(self, first, training, report)
            }
        }
    )*};
}

damka_games::for_families!(playable);
