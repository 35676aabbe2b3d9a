//! Builds the table of a signature of Russian draughts, and those that it leads to:
//! `cargo run --release -p damka --example build -- DIR KKMvK`.

use damka::generate::{Options, Silent, Stop, build};
use damka::{Russian, Signature};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let [directory, signature] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "a directory for tables and a signature expected")?;
    let signature = Signature::parse(Russian, &signature)?;
    build(&[signature], Path::new(&directory), &Options::default(), &Silent, &Stop::default())?;
    Ok(())
}
