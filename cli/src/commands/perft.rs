use super::input::{self, Positions};
use crate::args::PerftArgs;
use crate::failure::Failure;
use damka::perft as count;
use std::io::{self, Write};

/// `damka perft`.
pub(crate) fn perft(args: &PerftArgs) -> Result<(), Failure> {
    let (game, depth) = (args.game.0, args.depth);
    let fen = match input::positions(game, &args.fen)? {
        Positions::One(fen) => fen,
        Positions::Many(_) if args.divide => {
            return Err(Failure::Input("--divide is for one position".to_owned()));
        }
        Positions::Many(positions) => {
            return input::answer_each(positions, false, |fen| {
                Ok(format!("{fen}\t{}", count(game, fen, depth)?.total).into())
            });
        }
    };
    let counted = count(game, &fen, depth)?;
    let mut out = io::stdout().lock();
    if !args.divide || depth == 0 {
        return Ok(writeln!(out, "{}", counted.total)?);
    }
    for (name, count) in &counted.moves {
        writeln!(out, "{name}: {count}")?;
    }
    writeln!(out, "\n{}", counted.total)?;
    Ok(())
}
