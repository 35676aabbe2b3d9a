use super::input::{self, Positions};
use crate::args::PerftArgs;
use crate::failure::Failure;
use damka_games::{Game, Position};
use std::io::{self, Write};

/// `damka perft`.
pub(crate) fn perft<G: Game>(game: G, args: &PerftArgs) -> Result<(), Failure> {
    let position = match input::positions(args.game.0, &args.fen)? {
        Positions::One(fen) => input::position(game, &fen)?.position,
        Positions::Many(_) if args.divide => {
            return Err(Failure::Input("--divide is for one position".to_owned()));
        }
        Positions::Many(positions) => {
            return input::answer_each(positions, false, |fen| {
                let count = input::position(game, fen)?.position.perft(args.depth);
                Ok(format!("{fen}\t{count}"))
            });
        }
    };
    let mut out = io::stdout().lock();
    if !args.divide || args.depth == 0 {
        return Ok(writeln!(out, "{}", position.perft(args.depth))?);
    }
    let mut total = 0;
    for mv in position.moves() {
        let count = position.play(mv).perft(args.depth - 1);
        writeln!(out, "{}: {count}", position.format_move(mv))?;
        total += count;
    }
    writeln!(out, "\n{total}")?;
    Ok(())
}
