//! Time to number a position and to unnumber it: `cargo bench -p damka-tables`.
//! The time shown is for 1,000 of them, spread over the whole range.

use damka_games::{Draughts, Russian};
use damka_tables::{Index, Side, Signature};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

const SIGNATURES: [&str; 7] =
    ["KKvK", "KKvKK", "KKMvKKM", "KMMvKMM", "MMMvMMM", "KKMMvKKM", "KKMMvKKMM"];
const COUNT: u64 = 1000;

fn index(signature: &str) -> (Index<Draughts>, Vec<u64>) {
    let signature = Signature::parse(Russian, signature).expect("a signature");
    let [mover, opponent] = signature.to_move(Side::First);
    let index = Index::new(Russian, mover, opponent);
    // Spread by multiples of the golden ratio.
    let spread = |i: u64| (u128::from(i * 0x9E37_79B9 % (1 << 32)) * u128::from(index.len())) >> 32;
    let numbers = (0..COUNT).map(|i| spread(i) as u64).collect();
    (index, numbers)
}

#[divan::bench(args = SIGNATURES)]
fn number(bencher: Bencher, signature: &str) {
    let (index, numbers) = index(signature);
    let positions: Vec<_> = numbers.iter().map(|&number| index.position(number)).collect();
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        positions.iter().fold(0, |sum: u64, position| sum.wrapping_add(index.number(position)))
    });
}

#[divan::bench(args = SIGNATURES)]
fn position(bencher: Bencher, signature: &str) {
    let (index, numbers) = index(signature);
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        for &number in &numbers {
            black_box(index.position(number));
        }
    });
}

fn main() {
    divan::main();
}
