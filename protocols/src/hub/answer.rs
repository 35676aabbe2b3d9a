use super::notation::format_move;
use crate::numbering::Numbering;
use damka_engine::{Report, Score};
use damka_games::Draughts;

/// The `info` line that reports a search.
pub(super) fn info(variant: Draughts, found: &Report<Draughts>, numbering: Numbering) -> String {
    let seconds = found.time.as_secs_f64();
    let millions = found.nodes as f64 / 1e6 / seconds.max(1e-6);
    let line: Vec<String> =
        found.pv.iter().map(|&mv| format_move(variant, mv, numbering)).collect();
    format!(
        "info depth={} score={:.2} nodes={} time={seconds:.3} nps={millions:.3} pv=\"{}\"",
        found.depth,
        men(found.score),
        found.nodes,
        line.join(" ")
    )
}

/// The `done` line that ends a search.
pub(super) fn done(variant: Draughts, found: &Report<Draughts>, numbering: Numbering) -> String {
    let words = ["move", "ponder"].iter().zip(&found.pv);
    words.fold("done".to_owned(), |line, (word, &mv)| {
        format!("{line} {word}={}", format_move(variant, mv, numbering))
    })
}

/// A score in men as in Scan: 100 for a win, minus a hundredth for each ply of its distance; 89 for
/// a win of unknown distance, from a WDL table.
fn men(score: Score) -> f64 {
    const TABLE: f64 = 89.0;
    const BEST: f64 = 80.0;
    let sign = if score.is_loss() { -1.0 } else { 1.0 };
    match score.plies() {
        Some(plies) => sign * (100.0 - f64::from(plies) / 100.0),
        None if score.is_win() || score.is_loss() => sign * TABLE,
        None => (f64::from(score.hundredths()) / 100.0).clamp(-BEST, BEST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Game, Position, Russian};
    use std::time::Duration;

    fn report(score: Score, moves: usize) -> Report<Draughts> {
        let mut position = Russian.parse_fen("W:Wc3:Bb6,h8").unwrap();
        let mut line = Vec::new();
        for _ in 0..moves {
            line.push(position.moves()[0]);
            position = position.play(line[line.len() - 1]);
        }
        Report {
            depth: 7,
            selective_depth: 7,
            score,
            value: None,
            nodes: 1500,
            table_hits: 0,
            time: Duration::from_millis(250),
            hashfull: 0,
            pv: line,
            other_lines: Vec::new(),
        }
    }

    #[test]
    fn reports_are_lines() {
        let found = report(Score::evaluation(-125), 2);
        let [first, second] =
            [found.pv[0], found.pv[1]].map(|mv| format_move(Russian, mv, Numbering::Bottom));
        assert_eq!(
            info(Russian, &found, Numbering::Bottom),
            format!(
                "info depth=7 score=-1.25 nodes=1500 time=0.250 nps=0.006 pv=\"{first} {second}\""
            )
        );
        assert_eq!(
            done(Russian, &found, Numbering::Bottom),
            format!("done move={first} ponder={second}")
        );
        assert_eq!(
            done(Russian, &report(Score::DRAW, 1), Numbering::Bottom),
            format!("done move={first}")
        );
    }

    #[test]
    fn scores_are_in_men() {
        assert_eq!(men(Score::decided(3)), 99.97);
        assert_eq!(men(Score::decided(4)), -99.96);
        assert_eq!(men(Score::table_win(5)), 89.0);
        assert_eq!(men(-Score::table_win(5)), -89.0);
        assert_eq!(men(Score::evaluation(40)), 0.4);
        assert_eq!(men(Score::evaluation(1_000_000)), 80.0);
    }
}
