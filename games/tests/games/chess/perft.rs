use damka_games::{Chess, Game, Position};

/// Position, then the figures from depth 1.
const FIGURES: &str = include_str!("../perft_chess.tsv");

/// Counts all figures between these bounds; returns how many there were.
fn check(more_than: u64, at_most: u64) -> usize {
    let mut checked = 0;
    for line in FIGURES.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let fen = fields.next().expect("a position");
        let position = Chess.parse_fen(fen).expect(fen);
        for (depth, figure) in (1..).zip(fields) {
            let figure: u64 = figure.parse().expect("a figure");
            if more_than < figure && figure <= at_most {
                assert_eq!(position.perft(depth), figure, "{fen} depth {depth}");
                checked += 1;
            }
        }
    }
    checked
}

/// Deep enough to meet every rule.
const QUICK: u64 = 20_000_000;

#[test]
fn published_figures() {
    assert_eq!(check(0, QUICK), 141);
}

#[test]
#[ignore = "740 million leaves"]
fn deep_perft_matches_published_figures() {
    assert_eq!(check(QUICK, u64::MAX), 11);
}
