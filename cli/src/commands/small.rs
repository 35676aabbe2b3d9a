//! Small tables, built when they are needed.

use crate::failure::Failure;
use crate::words::note;
use damka_gen::{Family, Options, Silent, Stop, build};
use damka_tables::Signature;
use std::path::Path;

/// Whether the tables of a signature are built in seconds.
pub(crate) fn is_small<G: Family>(signature: &Signature<G>) -> bool {
    signature.pieces() <= G::QUICK_PIECES
}

/// Builds the tables of a signature and of what it leads to, and says so.
pub(crate) fn build_small<G: Family>(
    signature: Signature<G>,
    directory: &Path,
) -> Result<(), Failure> {
    let place = directory.display();
    note(&format!("building {signature} and what it leads to in {place}"));
    // A signal ends the process, which leaves no half table either.
    build(&[signature], directory, &Options::default(), &Silent, &Stop::default())?;
    Ok(())
}
