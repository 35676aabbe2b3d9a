//! What this crate does with a family of games, compiled here once for each of them and not
//! again by every crate that asks for it: solver and verifier take most of the time that it
//! takes to compile damka.

use crate::verify::Check;
use crate::{GenError, Options, Progress, Solvable, Stop, Verification};
use damka_games::{Alapo, Chess, Draughts};
use damka_probe::Access;
use damka_tables::Signature;
use std::path::Path;

/// Builds the tables of `signatures`, and of everything they lead to, in
/// `directory`. Tables that are there and sound are kept; a table appears when
/// it is complete, so that running again after any interruption goes on. Where all
/// are there, the directory need not be one that can be written to.
///
/// # Errors
/// It was interrupted, or memory, disk or a table failed. Finished tables stay.
pub fn build<G: Family>(
    signatures: &[Signature<G>],
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    G::build(signatures, directory, options, progress, stop)
}

/// Solves a part of a signature, and writes nothing: to see what it would take to
/// build one that is too big to try. Solved are the fibres whose men have all come at
/// least `steps` steps; all play from there stays there or leads to fewer pieces,
/// so that nothing is made up: this part of each signature that promotions lead
/// to is solved before, and tables of fewer pieces are read from `directory`.
///
/// Memory is reserved for the whole signatures, but used for these parts only;
/// [`Options::memory`] and [`Options::checkpoint`] count for nothing.
///
/// # Errors
/// It was interrupted, a table is missing or damaged, a distance is too long, or no
/// man comes so far.
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

/// Checks the tables of `signatures` in `directory`, as far as they are there.
///
/// # Errors
/// It was interrupted, or threads could not be started. What is wrong with the
/// tables is no error but a [`Finding`](crate::Finding).
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

macro_rules! families {
    ($($family:ty),*) => {$(impl Family for $family {
    fn build(
        signatures: &[Signature<Self>],
        directory: &Path,
        options: &Options,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<(), GenError> {
        crate::build::build(signatures, directory, options, progress, stop)
    }

    fn rehearse(
        signature: Signature<Self>,
        steps: u32,
        directory: &Path,
        options: &Options,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<(), GenError> {
        crate::rehearse::rehearse(signature, steps, directory, options, progress, stop)
    }

    fn verify(
        signatures: &[Signature<Self>],
        directory: &Path,
        access: Access,
        check: Check<'_, Self>,
        threads: usize,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Verification, GenError> {
        crate::verify::verify(signatures, directory, access, check, threads, progress, stop)
    }
    })*};
}

families!(Draughts, Alapo, Chess);
