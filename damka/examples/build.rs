//! Builds the table of a signature of Russian draughts, and those that it leads to:
//! `cargo run --release -p damka --example build -- DIR KKMvK`.

use damka::generate::{Request, build};
use damka::{Russian, Signature};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let [directory, signature] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "expected a directory for tables and a signature")?;
    let signature = Signature::parse(Russian, &signature)?;
    build(&[signature], &Request::new(Path::new(&directory)))?;
    Ok(())
}
