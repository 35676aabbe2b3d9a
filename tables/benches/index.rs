//! The time to number a position and to find the position of a number: `cargo bench -p
//! damka-tables`. Each figure is for 1,000 positions, spread over the whole range or in a row.

use damka_games::{Alapo, Russian};
use damka_tables::{Index, Indexable, Side, Signature};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

const RUSSIAN: [&str; 7] =
    ["KKvK", "KKvKK", "KKMvKKM", "KMMvKMM", "MMMvMMM", "KKMMvKKM", "KKMMvKKMM"];
const ALAPO: [&str; 4] = ["QRvKW", "RRvQQ", "QQRvFF", "WWvFF"];
const COUNT: u64 = 1000;

fn index<G: Indexable>(game: G, signature: &str) -> (Index<G>, Vec<u64>) {
    let signature = Signature::parse(game, signature).expect("a signature");
    let [mover, opponent] = signature.to_move(Side::First);
    let index = Index::new(game, mover, opponent);
    // Spread by multiples of the golden ratio.
    let spread = |i: u64| (u128::from(i * 0x9E37_79B9 % (1 << 32)) * u128::from(index.len())) >> 32;
    let numbers = (0..COUNT).map(|i| spread(i) as u64).collect();
    (index, numbers)
}

fn number<G: Indexable>(bencher: Bencher, game: G, signature: &str) {
    let (index, numbers) = index(game, signature);
    let positions: Vec<_> = numbers.iter().map(|&number| index.position(number)).collect();
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        positions.iter().fold(0, |sum: u64, position| sum.wrapping_add(index.number(position)))
    });
}

fn position<G: Indexable>(bencher: Bencher, game: G, signature: &str) {
    let (index, numbers) = index(game, signature);
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        for &number in &numbers {
            black_box(index.position(number));
        }
    });
}

fn positions<G: Indexable>(bencher: Bencher, game: G, signature: &str) {
    let (index, _) = index(game, signature);
    let numbers = index.len() / 2..index.len() / 2 + COUNT;
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        for position in index.positions(numbers.clone()) {
            black_box(position);
        }
    });
}

#[divan::bench(args = RUSSIAN)]
fn number_russian(bencher: Bencher, signature: &str) {
    number(bencher, Russian, signature);
}

#[divan::bench(args = ALAPO)]
fn number_alapo(bencher: Bencher, signature: &str) {
    number(bencher, Alapo, signature);
}

#[divan::bench(args = RUSSIAN)]
fn position_russian(bencher: Bencher, signature: &str) {
    position(bencher, Russian, signature);
}

#[divan::bench(args = ALAPO)]
fn position_alapo(bencher: Bencher, signature: &str) {
    position(bencher, Alapo, signature);
}

#[divan::bench(args = RUSSIAN)]
fn positions_russian(bencher: Bencher, signature: &str) {
    positions(bencher, Russian, signature);
}

#[divan::bench(args = ALAPO)]
fn positions_alapo(bencher: Bencher, signature: &str) {
    positions(bencher, Alapo, signature);
}

fn main() {
    divan::main();
}
