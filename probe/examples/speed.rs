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
    for _ in 0..std::env::args().nth(3).map_or(3, |s| s.parse().unwrap()) {
        run("warm");
    }
    if std::env::args().nth(4).is_some() {
        let mut b = 0;
        for g in &sigs {
            b += tables.pin(g, damka_tables::format::Metric::Wdl).unwrap();
        }
        println!("pinned {b}");
    }
    use damka_games::Game;
    type R = Russian;
    let t = |name: &str,
             ps: &[damka_games::draughts::Position],
             f: &dyn Fn(&damka_games::draughts::Position) -> u64| {
        let s = Instant::now();
        let mut x = 0;
        for _ in 0..5 {
            x = ps.iter().map(|p| f(p)).sum::<u64>();
        }
        println!(
            "{name:12} {:.1} ns of {} ({x})",
            s.elapsed().as_nanos() as f64 / 5. / ps.len() as f64,
            ps.len()
        );
    };
    if std::env::var("HOT").is_ok() {
        let q: Vec<_> = ps
            .iter()
            .filter(|p| {
                (p.side(damka_games::Color::White) | p.side(damka_games::Color::Black)).count_ones()
                    <= 4
                    && !R::captures_only(p)
            })
            .copied()
            .collect();
        for _ in 0..100 {
            t("hot", &q[..20000], &|p| tables.wdl(p).unwrap() as u64);
        }
    }
    let (c, q): (Vec<_>, Vec<_>) = ps.iter().partition(|p| R::captures_only(p));
    t("nothing", &ps, &|p| p.kings() as u64);
    t("captures?", &ps, &|p| R::captures_only(p) as u64);
    t("sides", &ps, &|p| {
        let t = p.turn();
        let [a, b] = [t, !t].map(|c| damka_games::Material::of::<R>(p, c));
        u64::from(a.0[0] ^ b.0[1] ^ a.0[1] ^ b.0[0])
    });
    t("moves", &c, &|p| R::moves(p).len() as u64);
    t("wdl quiet", &q, &|p| tables.wdl(p).unwrap() as u64);
    t("wdl capture", &c, &|p| tables.wdl(p).unwrap() as u64);
    for n in 3..7 {
        let q: Vec<_> = q
            .iter()
            .filter(|p| {
                (p.side(damka_games::Color::White) | p.side(damka_games::Color::Black)).count_ones()
                    == n
            })
            .copied()
            .collect();
        t(&format!("wdl quiet {n}"), &q, &|p| tables.wdl(p).unwrap() as u64);
        let (k, m): (Vec<_>, Vec<_>) = q.iter().partition(|p| {
            (p.side(damka_games::Color::White) | p.side(damka_games::Color::Black)) == p.kings()
        });
        t(&format!(" kings {n}"), &k, &|p| tables.wdl(p).unwrap() as u64);
        t(&format!(" men {n}"), &m, &|p| tables.wdl(p).unwrap() as u64);
    }
    let m: std::collections::HashMap<_, _> = Signature::<R>::all(6)
        .into_iter()
        .chain((2..6).flat_map(Signature::all))
        .flat_map(|s| {
            s.sides().iter().map(move |&side| {
                let [m, o] = s.to_move(side);
                ([m, o], Index::<R>::new(m, o))
            })
        })
        .collect();
    let with: Vec<_> = q
        .iter()
        .map(|p| {
            let t = p.turn();
            let k = [t, !t].map(|c| damka_games::Material::of::<R>(p, c));
            (&m[&k], if t == damka_games::Color::White { *p } else { R::flip(p) })
        })
        .collect();
    let s = Instant::now();
    let x: u64 = with.iter().map(|(i, p)| i.number(p)).sum();
    println!("number {:.1} {x}", s.elapsed().as_nanos() as f64 / with.len() as f64);
}
