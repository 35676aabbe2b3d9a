//! The work of this crate for each family of games. Compiled here once per family, not again by
//! every crate that uses it, because solver and verifier take most of the compile time of damka.

use crate::request::Request;
use crate::verify::Check;
use crate::{GenError, Plan, Share, Solvable, Verification};
use damka_tables::Signature;
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

/// Plans what [`build`] would do with the same request. Reads existing tables to check whether they
/// are sound, unless the manifest records that they are.
///
/// # Errors
/// Fails if an existing table cannot be read.
pub fn plan<G: Family>(
    signatures: &[Signature<G>],
    request: &Request<'_>,
) -> Result<Plan<G>, GenError> {
    G::plan(signatures, request)
}

/// Plans what [`build`] would do with the same request, divided among several processes: each share
/// is for one call of [`build_share`]. A share comes after all shares that it needs.
///
/// # Errors
/// Fails if an existing table cannot be read.
pub fn shares<G: Family>(
    signatures: &[Signature<G>],
    request: &Request<'_>,
) -> Result<Vec<Share<G>>, GenError> {
    G::shares(signatures, request)
}

/// Builds the tables of the signatures `only`, and the seed files that others need: the work of one
/// of several processes. The values of the positions that one move leads to are looked up in seed
/// files or tables in `inputs` or [`Request::directory`].
///
/// `set` has all signatures that the processes build together; what they lead to is included. With
/// `set`, seed files hold only the values that these signatures look up; without it, all values
/// that any signature looks up.
///
/// Tables and seed files that exist and were made from the same inputs are kept. Processes may build
/// the same signatures at the same time: one waits for the other. A process that was killed can be
/// started again, on any machine.
///
/// # Errors
/// Fails with [`GenError::MissingInputs`] if neither the table nor the seed file of a required
/// signature exists. Otherwise as [`build`].
pub fn build_share<G: Family>(
    set: Option<&[Signature<G>]>,
    only: &[Signature<G>],
    inputs: &Path,
    request: &Request<'_>,
) -> Result<(), GenError> {
    G::build_share(set, only, inputs, request)
}

/// Solves part of a signature and writes nothing, to estimate the cost of a signature that is too
/// large for a trial build. The part consists of the fibres in which every man has advanced at least
/// `steps` steps. All play from there stays in this part, or leads to fewer pieces or to the same
/// part of a signature that a promotion leads to, so the values are exact. The signatures that
/// promotions lead to are solved first. Tables of signatures with fewer pieces are read; in chess
/// these signatures are solved, too.
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

/// A family of games for which this crate is compiled: each family of
/// [`AnyGame`](damka_games::AnyGame). The functions of this crate call its methods.
pub trait Family: Solvable {
    #[doc(hidden)]
    fn build(signatures: &[Signature<Self>], request: &Request<'_>) -> Result<(), GenError>;

    #[doc(hidden)]
    fn plan(signatures: &[Signature<Self>], request: &Request<'_>) -> Result<Plan<Self>, GenError>;

    #[doc(hidden)]
    fn shares(
        signatures: &[Signature<Self>],
        request: &Request<'_>,
    ) -> Result<Vec<Share<Self>>, GenError>;

    #[doc(hidden)]
    fn build_share(
        set: Option<&[Signature<Self>]>,
        only: &[Signature<Self>],
        inputs: &Path,
        request: &Request<'_>,
    ) -> Result<(), GenError>;

    #[doc(hidden)]
    fn rehearse(
        signature: Signature<Self>,
        steps: u32,
        request: &Request<'_>,
    ) -> Result<(), GenError>;

    #[doc(hidden)]
    fn verify(
        signatures: &[Signature<Self>],
        check: Check<'_, Self>,
        request: &Request<'_>,
    ) -> Result<Verification, GenError>;
}

/// Implements [`Family`] for families of games, in the crate that calls this.
#[doc(hidden)]
#[macro_export]
macro_rules! family {
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
                request: &$crate::Request<'_>,
            ) -> Result<$crate::Plan<Self>, $crate::GenError> {
                $crate::Plan::new(signatures, request)
            }

            fn shares(
                signatures: &[$crate::instantiate::Signature<Self>],
                request: &$crate::Request<'_>,
            ) -> Result<Vec<$crate::Share<Self>>, $crate::GenError> {
                $crate::instantiate::shares(signatures, request)
            }

            fn build_share(
                set: Option<&[$crate::instantiate::Signature<Self>]>,
                only: &[$crate::instantiate::Signature<Self>],
                inputs: &::std::path::Path,
                request: &$crate::Request<'_>,
            ) -> Result<(), $crate::GenError> {
                $crate::instantiate::build_share(set, only, inputs, request)
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

damka_games::for_families!(family);
