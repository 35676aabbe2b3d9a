//! Describes chess positions, for `tests/crosscheck/chess_check.py`: reads a FEN per line and
//! writes a line with its error, or with the FEN of the position, whether the side to move is in
//! check, and every legal move: in UCI's notation, without and with its option `UCI_Chess960`, in
//! SAN, and as the FEN it leads to. Tabs separate the fields.

use damka_games::{Chess, Game, Position};
use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let position = match Chess.parse_fen(&line?) {
            Ok(position) => position,
            Err(error) => {
                writeln!(out, "error\t{error}")?;
                continue;
            }
        };
        write!(out, "{}\t{}", position.fen(), position.is_in_check(position.turn()))?;
        for mv in position.moves() {
            let (san, after) = (position.format_move(mv), position.play(mv).fen());
            let (uci, uci_960) = (position.coordinates(mv), position.coordinates_960(mv));
            write!(out, "\t{uci}\t{uci_960}\t{san}\t{after}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
