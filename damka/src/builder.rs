//! Tables built for a game that is named at run time.

use damka_games::{AnyGame, with_game};
use damka_gen::{Family, GenError, Progress, Request, Stop, build, plan};
use damka_tables::{Signature, SignatureError};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use thiserror::Error;

/// Builds the tables of a game in a directory. Signatures are text, as in `KKMvKM`.
#[derive(Clone, Debug)]
pub struct Builder {
    game: AnyGame,
    directory: PathBuf,
    stop: Stop,
}

/// Why tables were not built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The text is not a signature of the game.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// The tables cannot be built.
    #[error(transparent)]
    Gen(#[from] GenError),
}

/// The estimated cost of building tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The size of the tables in bytes.
    pub disk: u64,
    /// The time in seconds, on all processors.
    pub seconds: f64,
}

impl Builder {
    /// A builder of tables of `game` in `directory`, which is made if it does not exist.
    pub fn new(game: AnyGame, directory: impl Into<PathBuf>) -> Builder {
        Builder { game, directory: directory.into(), stop: Stop::default() }
    }

    /// This builder, whose [`build`](Builder::build) ends with [`GenError::Interrupted`] when
    /// `stop` is requested.
    pub fn with_stop(self, stop: Stop) -> Builder {
        Builder { stop, ..self }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The maximum number of pieces of tables that are built in seconds, so that a program may
    /// build them without asking.
    pub fn quick_pieces(&self) -> u32 {
        fn of<G: Family>(_: G) -> u32 {
            G::QUICK_PIECES
        }
        with_game!(self.game, game => of(game))
    }

    /// The number of pieces of a signature.
    ///
    /// # Errors
    /// The text is not a signature.
    pub fn pieces(&self, signature: &str) -> Result<u32, SignatureError> {
        with_game!(self.game, game => Ok(Signature::parse(game, signature)?.pieces()))
    }

    /// All signatures of `pieces` pieces.
    pub fn signatures(&self, pieces: u32) -> Vec<String> {
        with_game!(self.game, game => {
            Signature::all(game, pieces).iter().map(Signature::to_string).collect()
        })
    }

    /// The estimated cost of building the tables of these signatures, and of what they lead to, as
    /// far as they are missing.
    ///
    /// # Errors
    /// A text is not a signature, or the tables that are there cannot be read.
    pub fn cost(&self, signatures: &[String]) -> Result<Cost, BuildError> {
        with_game!(self.game, game => {
            let signatures = parsed(game, signatures)?;
            let threads = available_parallelism().map_or(1, usize::from);
            let plan = plan(&signatures, &Request::new(&self.directory))?;
            Ok(Cost { disk: plan.disk(), seconds: plan.seconds(threads) })
        })
    }

    /// Builds the tables of these signatures, and of what they lead to, as far as they are
    /// missing, with default options; see [`damka_gen::build`](damka_gen::build()).
    ///
    /// # Errors
    /// A text is not a signature, or the tables cannot be built.
    pub fn build(&self, signatures: &[String], progress: &dyn Progress) -> Result<(), BuildError> {
        with_game!(self.game, game => {
            let signatures = parsed(game, signatures)?;
            let stop = self.stop.clone();
            let request = Request { progress, stop, ..Request::new(&self.directory) };
            Ok(build(&signatures, &request)?)
        })
    }
}

fn parsed<G: Family>(game: G, names: &[String]) -> Result<Vec<Signature<G>>, SignatureError> {
    names.iter().map(|name| Signature::parse(game, name)).collect()
}
