//! Leaves per second, single-threaded: `cargo bench -p damka-games`. Each run
//! checks the published figure at a greater depth than the tests do.

use damka_games::{Brazilian, Draughts, English, Game, Pool, Position, Russian};
use divan::Bencher;
use divan::counter::ItemsCount;

const FIGURES: &str = include_str!("../tests/games/perft_draughts.tsv");
const DEPTH: u32 = 11;

/// The published number of moves at [`DEPTH`].
fn figure(variant: &str) -> u64 {
    let row = format!("{variant}\tstart\tmoves\t");
    let line = FIGURES.lines().find(|line| line.starts_with(&row));
    let figures = line.expect("a published row").split('\t').skip(3);
    let figure = figures.take(DEPTH as usize).last();
    figure.and_then(|text| text.parse().ok()).expect("a figure")
}

#[divan::bench(args = [Russian, Brazilian, Pool, English], sample_count = 3)]
fn start(bencher: Bencher, game: Draughts) {
    let leaves = figure(game.name());
    bencher.counter(ItemsCount::new(leaves)).bench(|| {
        let position = game.start();
        assert_eq!(position.perft(DEPTH), leaves);
    });
}

fn main() {
    divan::main();
}
