//! How quick probes are: of random positions, on warm and on cold blocks.
#![allow(clippy::print_stdout)]
use damka_games::Russian;
use damka_probe::{Tables, list_tables};
use damka_tables::{Index, Layout, Signature};
use std::time::Instant;
struct Random(u64);
impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (u128::from(z ^ z >> 31) * u128::from(n) >> 64) as u64
    }
}
fn random_positions<G: Layout>(sigs: &[Signature<G>], count: usize) -> Vec<G::Position> {
    let mut random = Random(1);
    let by: Vec<Vec<_>> = (3..=6)
        .map(|n| {
            sigs.iter()
                .filter(|s| s.pieces() == n)
                .flat_map(|s| {
                    s.sides().iter().map(move |&side| {
                        let [m, o] = s.to_move(side);
                        Index::<G>::new(m, o)
                    })
                })
                .collect()
        })
        .collect();
    (0..count)
        .map(|_| {
            let of = &by[random.below(4) as usize];
            let index = &of[random.below(of.len() as u64) as usize];
            let p = index.position(random.below(index.len()));
            if random.below(2) == 0 { p } else { G::flip(&p) }
        })
        .collect()
}
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let n: usize = std::env::args().nth(2).map_or(1_000_000, |s| s.parse().unwrap());
    let sigs = list_tables::<Russian>(dir.as_ref()).unwrap();
    let ps = random_positions(&sigs, n);
    let tables = Tables::<Russian>::with_cache(&dir, 2 << 30);
    let run = |name: &str| {
        let s = Instant::now();
        let mut sum = 0u64;
        for p in &ps {
            sum += tables.wdl(p).unwrap() as u64;
        }
        println!("{name} {:.1} ns  ({sum})", s.elapsed().as_nanos() as f64 / ps.len() as f64);
    };
    run("first");
    run("warm");
    run("warm");
    let s = Instant::now();
    let c = ps.iter().filter(|p| <Russian as damka_games::Game>::captures_only(p)).count();
    println!(
        "captures {:.3}, {:.1} ns",
        c as f64 / ps.len() as f64,
        s.elapsed().as_nanos() as f64 / ps.len() as f64
    );
}
