//! Measures how exactly searches keep their time limits:
//! `cargo bench -p damka-matches --bench clock -- [DIRECTORY OF RUSSIAN TABLES]`.
//!
//! Positions of 7 to 12 pieces are searched with limits of 5 to 200 ms, by one thread and by two,
//! without tables and with tables that are opened anew for each search, so that their cache is
//! empty. Opening the tables is not part of the time. Prints by how much the limit was missed, in
//! milliseconds: less than 0 is early.
//!
//! The first lines show how exact the machine is: the longest gap between two readings of the clock
//! in threads that do nothing else. No search can be more exact than that.

#![allow(clippy::print_stdout)]

use damka_engine::{Control, EndgameTables, Engine, Limits};
use damka_games::Russian;
use damka_matches::Openings;
use damka_probe::{ProbeError, Tables};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const LIMITS: [u64; 6] = [5, 10, 20, 50, 100, 200];
const SEARCHES: u64 = 100;

fn main() -> Result<(), ProbeError> {
    for threads in [1, 2] {
        let gap = longest_gap(threads).as_secs_f64() * 1e3;
        println!("{threads} threads that look at the clock for 10 s: longest gap {gap:.2} ms");
    }
    // Cargo adds `--bench`.
    let directory = std::env::args().skip(1).find(|argument| argument != "--bench");
    let openings = Openings::endings(Russian, 7..=12, 1);
    let games: Vec<_> = (0..SEARCHES).map(|number| openings.get(number)).collect();
    println!("limit  threads  tables    least   median      99%     most  late");
    for (limit, threads) in LIMITS.into_iter().flat_map(|limit| [(limit, 1), (limit, 2)]) {
        for directory in [None, directory.as_ref()] {
            let mut engine = Engine::new(Russian, 16 << 20);
            engine.set_threads(threads);
            let mut missed = Vec::new();
            for game in &games {
                if let Some(directory) = directory {
                    let tables = Arc::new(Tables::open(Russian, directory));
                    engine.set_tables(Some(Arc::new(EndgameTables::new(tables)?)));
                }
                let limits = Limits::time(Duration::from_millis(limit));
                let started = Instant::now();
                engine.search(game, &limits, &Control::default(), |_| ());
                missed.push(started.elapsed().as_secs_f64() * 1e3 - limit as f64);
            }
            missed.sort_by(f64::total_cmp);
            let at = |share: usize| missed[(missed.len() - 1) * share / 100];
            let late = missed.iter().filter(|&&missed| missed > 0.0).count();
            let tables = if directory.is_some() { "cold" } else { "none" };
            println!(
                "{limit:>5}  {threads:>7}  {tables:>6} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {late:>5}",
                at(0),
                at(50),
                at(99),
                at(100)
            );
        }
    }
    Ok(())
}

/// The longest time between two readings of the clock in this number of threads that do nothing
/// else.
fn longest_gap(threads: usize) -> Duration {
    let look = || {
        let start = Instant::now();
        let (mut last, mut longest) = (start, Duration::ZERO);
        while last - start < Duration::from_secs(10) {
            let now = Instant::now();
            longest = longest.max(now - last);
            last = now;
        }
        longest
    };
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(look)).collect();
        let gaps = all.into_iter().map(|thread| thread.join().expect("no panic"));
        gaps.max().unwrap_or_default()
    })
}
