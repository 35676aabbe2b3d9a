use super::{NO_MOVE, Notation};
use damka_engine::{Playable, Report, Score};
use damka_games::Position;

/// The report of a search, with a line for each principal variation, and with the chances of win, draw
/// and loss if they are wanted.
pub(super) fn info<G: Playable>(
    position: &G::Position,
    found: &Report<G>,
    shows_wdl: bool,
    notation: Notation,
) -> Vec<String> {
    let Report { nodes, table_hits, time, hashfull, .. } = found;
    // An answer from tables without a search is reported as depth 1, the least that clients expect.
    let (depth, selective_depth) = (found.depth.max(1), found.selective_depth.max(1));
    let speed = *nodes as f64 / time.as_secs_f64().max(1e-6);
    let info_line = |number: usize, score: Score, chances: [u16; 3], moves: &[G::Move]| {
        let [win, draw, loss] = chances;
        let wdl = if shows_wdl { format!(" wdl {win} {draw} {loss}") } else { String::new() };
        format!(
            "info depth {depth} seldepth {selective_depth} multipv {number} score {}{wdl} \
             nodes {nodes} nps {speed:.0} hashfull {hashfull} tbhits {table_hits} time {}{}",
            format_score(score),
            time.as_millis(),
            variation::<G>(position, moves, notation)
        )
    };
    let others = found.other_lines.iter();
    let others = others.map(|line| (line.score, line.chances(), &line.moves[..]));
    let first = (found.score, found.chances(), &found.pv[..]);
    let lines = std::iter::once(first).chain(others);
    let numbered = (1..).zip(lines);
    numbered
        .map(|(number, (score, chances, moves))| info_line(number, score, chances, moves))
        .collect()
}

/// The `bestmove` line that ends a search.
pub(super) fn best<G: Playable>(
    position: &G::Position,
    line: &[G::Move],
    notation: Notation,
) -> String {
    let [best, replies @ ..] = line else { return format!("bestmove {NO_MOVE}") };
    let mut text = format!("bestmove {}", notation.format(position, *best));
    if let Some(reply) = replies.first() {
        text += &format!(" ponder {}", notation.format(&position.play(*best), *reply));
    }
    text
}

/// The word `pv` and the moves of a variation; empty if there are no moves.
fn variation<G: Playable>(position: &G::Position, moves: &[G::Move], notation: Notation) -> String {
    let mut position = *position;
    let mut text = String::from(if moves.is_empty() { "" } else { " pv" });
    for &mv in moves {
        text += &format!(" {}", notation.format(&position, mv));
        position = position.play(mv);
    }
    text
}

/// A score in UCI: in hundredths of a pawn, or the number of moves (not plies) to mate, negative if the
/// side to move is mated.
fn format_score(score: Score) -> String {
    match score.plies() {
        Some(plies) if score.is_win() => format!("mate {}", plies.div_ceil(2)),
        Some(plies) => format!("mate {}", -i32::from(plies / 2)),
        None => format!("cp {}", score.hundredths()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_given_in_moves() {
        for (score, expected) in [
            (Score::decided(1), "mate 1"),
            (Score::decided(3), "mate 2"),
            (Score::decided(0), "mate 0"),
            (Score::decided(2), "mate -1"),
            (Score::decided(8), "mate -4"),
            (Score::evaluation(-125), "cp -125"),
            (Score::DRAW, "cp 0"),
        ] {
            assert_eq!(format_score(score), expected);
        }
        // A win by a table without distances is higher than any evaluation.
        let won = format_score(Score::table_win(3));
        assert!(
            won.strip_prefix("cp ").is_some_and(|cp| cp.parse().is_ok_and(|cp: i32| cp > 20_000))
        );
    }
}
