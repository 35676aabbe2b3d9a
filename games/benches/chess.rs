//! Chess perft compared with that of cozy-chess. Both are single-threaded and only count the moves
//! of the last ply: `cargo bench -p damka-games --bench chess`. Each run checks a published figure.

use cozy_chess::Board;
use damka_games::{Chess, Game, Position};
use divan::Bencher;
use divan::counter::ItemsCount;

const FIGURES: &str = include_str!("../tests/games/perft_chess.tsv");

/// For each position the deepest published figure up to this one is counted.
const MOST_LEAVES: u64 = 20_000_000;

/// The positions with published figures, and the depth and the leaves that are counted.
fn rows() -> impl Iterator<Item = (&'static str, u32, u64)> {
    let lines = FIGURES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split('\t');
        let fen = fields.next().expect("a position");
        let figures = fields.map(|figure| figure.parse().expect("a figure"));
        let depths = (1..).zip(figures);
        let (depth, leaves) =
            depths.take_while(|&(_, leaves)| leaves <= MOST_LEAVES).last().expect("a row");
        (fen, depth, leaves)
    })
}

#[divan::bench(sample_count = 10)]
fn damka(bencher: Bencher) {
    bencher.counter(ItemsCount::new(rows().map(|(_, _, leaves)| leaves).sum::<u64>())).bench(
        || {
            for (fen, depth, leaves) in rows() {
                let position = Chess.parse_fen(fen).expect(fen);
                assert_eq!(position.perft(depth), leaves, "{fen}");
            }
        },
    );
}

#[divan::bench(sample_count = 10)]
fn cozy_chess(bencher: Bencher) {
    fn perft(board: &Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            leaves += match depth {
                1 => moves.len() as u64,
                _ => moves
                    .into_iter()
                    .map(|mv| {
                        let mut next = board.clone();
                        next.play_unchecked(mv);
                        perft(&next, depth - 1)
                    })
                    .sum(),
            };
            false
        });
        leaves
    }
    bencher.counter(ItemsCount::new(rows().map(|(_, _, leaves)| leaves).sum::<u64>())).bench(
        || {
            for (fen, depth, leaves) in rows() {
                let board: Board = format!("{fen} 0 1").parse().expect(fen);
                assert_eq!(perft(&board, depth), leaves, "{fen}");
            }
        },
    );
}

fn main() {
    divan::main();
}
