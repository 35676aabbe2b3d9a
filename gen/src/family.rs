//! The work of this crate for each family of games. Compiled here once per family, not again by
//! every crate that uses it, because solver and verifier take most of the compile time of damka.

use crate::verify::Check;
use crate::{GenError, Options, Progress, Solvable, Stop, Verification};
use damka_games::{Alapo, Chess, Draughts};
use damka_probe::Access;
use damka_tables::Signature;
use std::path::Path;

/// Builds the tables of `signatures`, and of everything they lead to, in `directory`. Existing
/// valid tables are kept. A table gets its name only when it is complete, so an interrupted build
/// can be continued by running it again. If all tables exist, the directory need not be writable.
///
/// # Errors
/// Fails if the build is interrupted, there is not enough memory or disk space, or a table cannot
/// be used. Finished tables are kept.
pub fn build<G: Family>(
    signatures: &[Signature<G>],
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    G::build(signatures, directory, options, progress, stop)
}

/// Solves a part of a signature without writing anything, to estimate the cost of a signature that
/// is too big to try. Solves the fibres in which every man has advanced at least `steps` steps. All
/// play from there stays in this part or leads to fewer pieces, so the values are exact. The same
/// part of each signature that promotions lead to is solved first; tables of fewer pieces are read
/// from `directory`.
///
/// Address space is reserved for whole signatures, but memory is used for these parts only.
/// [`Options::memory`] and [`Options::checkpoint`] are ignored.
///
/// # Errors
/// Fails if the run is interrupted, a table is missing or damaged, a distance is too long, or no
/// man can advance that far.
pub fn rehearse<G: Family>(
    signature: Signature<G>,
    steps: u32,
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    G::rehearse(signature, steps, directory, options, progress, stop)
}

/// Checks the existing tables of `signatures` in `directory`.
///
/// # Errors
/// Fails if the run is interrupted or threads cannot be started. Problems with the tables are not
/// errors but [`Finding`](crate::Finding)s.
pub fn verify<G: Family>(
    signatures: &[Signature<G>],
    directory: &Path,
    access: Access,
    check: Check<'_, G>,
    threads: usize,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Verification, GenError> {
    G::verify(signatures, directory, access, check, threads, progress, stop)
}

/// A family of games for which this crate's work is compiled.
pub trait Family: Solvable {
    #[doc(hidden)]
    fn build(
        signatures: &[Signature<Self>],
        directory: &Path,
        options: &Options,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<(), GenError>;

    #[doc(hidden)]
    fn rehearse(
        signature: Signature<Self>,
        steps: u32,
        directory: &Path,
        options: &Options,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<(), GenError>;

    #[doc(hidden)]
    fn verify(
        signatures: &[Signature<Self>],
        directory: &Path,
        access: Access,
        check: Check<'_, Self>,
        threads: usize,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Verification, GenError>;
}

/// Compiles the work of this crate for families of games, in the crate that calls this.
#[macro_export]
macro_rules! families {
    ($($family:ty),*) => {$(impl $crate::Family for $family {
    fn build(
        signatures: &[$crate::instantiate::Signature<Self>],
        directory: &::std::path::Path,
        options: &$crate::Options,
        progress: &dyn $crate::Progress,
        stop: &$crate::Stop,
    ) -> Result<(), $crate::GenError> {
        $crate::instantiate::build(signatures, directory, options, progress, stop)
    }

    fn rehearse(
        signature: $crate::instantiate::Signature<Self>,
        steps: u32,
        directory: &::std::path::Path,
        options: &$crate::Options,
        progress: &dyn $crate::Progress,
        stop: &$crate::Stop,
    ) -> Result<(), $crate::GenError> {
        $crate::instantiate::rehearse(signature, steps, directory, options, progress, stop)
    }

    fn verify(
        signatures: &[$crate::instantiate::Signature<Self>],
        directory: &::std::path::Path,
        access: $crate::instantiate::Access,
        check: $crate::Check<'_, Self>,
        threads: usize,
        progress: &dyn $crate::Progress,
        stop: &$crate::Stop,
    ) -> Result<$crate::Verification, $crate::GenError> {
        $crate::instantiate::verify(signatures, directory, access, check, threads, progress, stop)
    }
    })*};
}

families!(Draughts, Alapo, Chess);
