//! The work of this crate for each family of games. Compiled here once per family, not again by
//! every crate that uses it, because solver and verifier take most of the compile time of damka.

use crate::request::Request;
use crate::verify::Check;
use crate::{GenError, Plan, Solvable, Verification};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::path::Path;

/// Builds the tables of `signatures`, and of everything they lead to. Existing valid tables are
/// kept. A table gets its name only when it is complete, so an interrupted build can be continued
/// by running it again. If all tables exist, the directory need not be writable.
///
/// # Errors
/// Fails if the build is interrupted, there is not enough memory or disk space, or a table cannot
/// be used. Finished tables are kept.
pub fn build<G: Family>(
    signatures: &[Signature<G>],
    request: &Request<'_>,
) -> Result<(), GenError> {
    G::build(signatures, request)
}

/// Plans the tables of `signatures` and of everything they lead to that `directory` does not hold
/// yet, for `threads` threads and `memory` bytes. Reads existing tables to check whether they are
/// valid.
///
/// # Errors
/// Fails if an existing table cannot be read.
pub fn plan<G: Family>(
    signatures: &[Signature<G>],
    metrics: &[Metric],
    threads: usize,
    memory: u64,
    directory: &Path,
) -> Result<Plan<G>, GenError> {
    G::plan(signatures, metrics, threads, memory, directory)
}

/// Solves a part of a signature without writing anything, to estimate the cost of a signature that
/// is too big to try. Solves the fibres in which every man has advanced at least `steps` steps. All
/// play from there stays in this part or leads to fewer pieces, so the values are exact. The same
/// part of each signature that promotions lead to is solved first; tables of fewer pieces are read.
///
/// Address space is reserved for whole signatures, but memory is used for these parts only.
/// [`Options::memory`] and [`Options::checkpoint`] are ignored.
///
/// [`Options::memory`]: crate::Options::memory
/// [`Options::checkpoint`]: crate::Options::checkpoint
///
/// # Errors
/// Fails if the run is interrupted, a table is missing or damaged, a distance is too long, or no
/// man can advance that far.
pub fn rehearse<G: Family>(
    signature: Signature<G>,
    steps: u32,
    request: &Request<'_>,
) -> Result<(), GenError> {
    G::rehearse(signature, steps, request)
}

/// Checks the existing tables of `signatures`. Of the options only [`Options::threads`] and
/// [`Options::access`] apply.
///
/// [`Options::threads`]: crate::Options::threads
/// [`Options::access`]: crate::Options::access
///
/// # Errors
/// Fails if the run is interrupted or threads cannot be started. Problems with the tables are not
/// errors but [`Finding`](crate::Finding)s.
pub fn verify<G: Family>(
    signatures: &[Signature<G>],
    check: Check<'_, G>,
    request: &Request<'_>,
) -> Result<Verification, GenError> {
    G::verify(signatures, check, request)
}

/// A family of games for which this crate's work is compiled.
#[doc(hidden)]
pub trait Family: Solvable {
    fn build(signatures: &[Signature<Self>], request: &Request<'_>) -> Result<(), GenError>;

    fn plan(
        signatures: &[Signature<Self>],
        metrics: &[Metric],
        threads: usize,
        memory: u64,
        directory: &Path,
    ) -> Result<Plan<Self>, GenError>;

    fn rehearse(
        signature: Signature<Self>,
        steps: u32,
        request: &Request<'_>,
    ) -> Result<(), GenError>;

    fn verify(
        signatures: &[Signature<Self>],
        check: Check<'_, Self>,
        request: &Request<'_>,
    ) -> Result<Verification, GenError>;
}

/// Compiles the work of this crate for families of games, in the crate that calls this.
#[doc(hidden)]
#[macro_export]
macro_rules! families {
    ($($family:ty),*) => {$(
        impl $crate::Family for $family {
            fn build(
                signatures: &[$crate::instantiate::Signature<Self>],
                request: &$crate::Request<'_>,
            ) -> Result<(), $crate::GenError> {
                $crate::instantiate::build(signatures, request)
            }

            fn plan(
                signatures: &[$crate::instantiate::Signature<Self>],
                metrics: &[$crate::instantiate::Metric],
                threads: usize,
                memory: u64,
                directory: &::std::path::Path,
            ) -> Result<$crate::Plan<Self>, $crate::GenError> {
                $crate::Plan::new(signatures, metrics, threads, memory, directory)
            }

            fn rehearse(
                signature: $crate::instantiate::Signature<Self>,
                steps: u32,
                request: &$crate::Request<'_>,
            ) -> Result<(), $crate::GenError> {
                $crate::instantiate::rehearse(signature, steps, request)
            }

            fn verify(
                signatures: &[$crate::instantiate::Signature<Self>],
                check: $crate::Check<'_, Self>,
                request: &$crate::Request<'_>,
            ) -> Result<$crate::Verification, $crate::GenError> {
                $crate::instantiate::verify(signatures, check, request)
            }
        }
    )*};
}

damka_games::for_families!(families);
