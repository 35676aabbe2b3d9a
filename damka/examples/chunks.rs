//! Cuts the tables of a game into chunks that any web server can serve.
//!
//! ```console
//! $ cargo run --release -p damka --features chunks --example chunks -- russian TABLES OUT
//! ```

#![allow(clippy::print_stdout)]

use damka::chunks::{ChunkRequest, write_chunks};
use std::error::Error;
use std::ops::ControlFlow::Continue;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, tables, out] = &args[..] else {
        return Err("usage: chunks GAME TABLES OUT".into());
    };
    let request = ChunkRequest {
        game: game.parse()?,
        tables: vec![tables.into()],
        most_pieces: None,
        out: out.into(),
    };
    let written = write_chunks(&request, &mut |_, _| Continue(()))?;
    println!("{}", serde_json::to_string(&written)?);
    Ok(())
}
