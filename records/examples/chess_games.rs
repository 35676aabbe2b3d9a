//! Reads recorded games of chess and writes them again, for `tests/crosscheck/pgn_check.py`.
//! Reports on standard error what it could not read.

use damka_games::Chess;
use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    let mut out = io::stdout().lock();
    for game in damka_records::read(Chess, &damka_records::decode(&bytes)) {
        match game {
            Ok(game) => writeln!(out, "{game}")?,
            Err(error) => writeln!(io::stderr(), "{error}")?,
        }
    }
    Ok(())
}
