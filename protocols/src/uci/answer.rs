use super::NO_MOVE;
use damka_engine::{Playable, Report, Score, Variation};
use damka_games::Position;

/// What a search has found so far, a line for each of the best moves.
pub(super) fn info<G: Playable>(position: &G::Position, found: &Report<G>) -> Vec<String> {
    let Report { nodes, table_hits, time, hashfull, .. } = found;
    // What tables tell without a search is as good as one move looked ahead, not as none.
    let (depth, longest) = (found.depth.max(1), found.selective_depth.max(1));
    let speed = *nodes as f64 / time.as_secs_f64().max(1e-6);
    let told = |(number, (score, moves)): (usize, (Score, &[G::Move]))| {
        format!(
            "info depth {depth} seldepth {longest} multipv {number} score {} nodes {nodes} \
             nps {speed:.0} hashfull {hashfull} tbhits {table_hits} time {}{}",
            worth(score),
            time.as_millis(),
            variation::<G>(position, moves)
        )
    };
    let others =
        found.other_lines.iter().map(|Variation { score, moves, .. }| (*score, &moves[..]));
    let lines = std::iter::once((found.score, &found.pv[..])).chain(others);
    (1..).zip(lines).map(told).collect()
}

/// The end of a search, as a line.
pub(super) fn best<G: Playable>(position: &G::Position, line: &[G::Move]) -> String {
    match *line {
        [] => format!("bestmove {NO_MOVE}"),
        [best] => format!("bestmove {}", position.coordinates(best)),
        [best, reply, ..] => {
            let after = position.play(best);
            format!("bestmove {} ponder {}", position.coordinates(best), after.coordinates(reply))
        }
    }
}

/// Moves, if there are any.
fn variation<G: Playable>(position: &G::Position, moves: &[G::Move]) -> String {
    let mut position = *position;
    let mut text = String::from(if moves.is_empty() { "" } else { " pv" });
    for &mv in moves {
        text += &format!(" {}", position.coordinates(mv));
        position = position.play(mv);
    }
    text
}

/// A score as UCI has it: in hundredths of a pawn, or as the number of moves, not plies, in which
/// the side to move mates, or, below 0, is mated.
fn worth(score: Score) -> String {
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
    fn mates_are_told_in_moves() {
        for (score, told) in [
            (Score::decided(1), "mate 1"),
            (Score::decided(3), "mate 2"),
            (Score::decided(0), "mate 0"),
            (Score::decided(2), "mate -1"),
            (Score::decided(8), "mate -4"),
            (Score::evaluation(-125), "cp -125"),
            (Score::DRAW, "cp 0"),
        ] {
            assert_eq!(worth(score), told);
        }
        // Won by a table that knows no distance: more than any evaluation.
        let won = worth(Score::table_win(3));
        assert!(
            won.strip_prefix("cp ").is_some_and(|cp| cp.parse().is_ok_and(|cp: i32| cp > 20_000))
        );
    }
}
