//! Measures the time of probes: of random positions whose blocks are decoded, and of blocks that
//! are not.
//!
//! ```text
//! cargo bench -p damka-probe --bench speed -- DIR [GAME [PIECES]]
//! ```
//!
//! It needs the WDL tables of GAME (by default Russian draughts) with 2 to PIECES pieces (by
//! default 6) in DIR. A position is drawn in these steps: the number of pieces, 3 to PIECES; a
//! signature and a side to move; a legal placement; the colours. Positions with captures are
//! included, in draughts about two of five. Each figure is the best of fifteen rounds, by default
//! in processor time: other work on the machine matters only by its use of caches and memory.
//! Before new blocks are probed the memory for them is claimed, as engines do. All blocks that
//! contain the positions are kept decoded, which takes a quarter of a byte for each index number of
//! the tables.

#![allow(clippy::print_stdout)]

use damka_games::{AnyGame, Color, Position, Random, with_game};
use damka_probe::{Access, ProbeError, ProbeOptions, Table, Tables, list_tables};
use damka_system::process_time;
use damka_tables::format::Decoder;
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature};
use std::collections::HashSet;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

const POSITIONS: usize = 1_000_000;
const ROUNDS: usize = 15;

/// The positions of a signature with one side to move.
struct Half<G: Indexable> {
    signature: Signature<G>,
    side: Side,
    index: Index<G>,
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let directory = arguments.next().ok_or("expected a directory of tables")?;
    let game: AnyGame = arguments.next().as_deref().unwrap_or("russian").parse()?;
    let pieces = arguments.next().as_deref().unwrap_or("6").parse()?;
    with_game!(game, game => measure(game, Path::new(&directory), pieces))
}

fn measure<G: Indexable>(game: G, directory: &Path, pieces: u32) -> Result<(), Box<dyn Error>> {
    let mut signatures = list_tables(game, directory)?;
    signatures.retain(|signature| signature.pieces() <= pieces);
    let halves: Vec<_> = (3..=pieces).map(|pieces| halves(&signatures, pieces)).collect();
    let mut random = Random::new(1);
    let positions: Vec<G::Position> = (0..POSITIONS)
        .map(|_| draw(&halves[random.below(halves.len() as u64) as usize], &mut random))
        .collect();

    let start = process_time();
    // Room for every block.
    let positions_there = halves.iter().flatten().map(|half| half.index.len()).sum::<u64>();
    let cache_bytes = positions_there / 3 + (64 << 20);
    let options = ProbeOptions { cache_bytes, ..ProbeOptions::default() };
    let tables = Tables::open_with(game, directory, options);
    show("to open the directory", process_time() - start, 1);
    let first: Vec<G::Position> = signatures.iter().map(first_position).collect();
    let start = process_time();
    probe_all(&tables, &first)?;
    show("a table's first probe", process_time() - start, signatures.len());
    probe_all(&tables, &positions)?;

    let one = best(|| probe_all(&tables, &positions))?;
    show("WDL, decoded", one, positions.len());
    for pieces in 3..=pieces {
        let some = filtered(&positions, |position| count(position) == pieces);
        let time = best(|| probe_all(&tables, &some))?;
        show(&format!("  {pieces} pieces"), time, some.len());
    }
    for (what, captures) in [("without captures", false), ("with captures", true)] {
        let takes =
            |position: &G::Position| position.moves().iter().any(|&mv| position.is_capture(mv));
        let some = filtered(&positions, |position| takes(position) == captures);
        if some.is_empty() {
            continue;
        }
        let time = best(|| probe_all(&tables, &some))?;
        show(&format!("  {what}"), time, some.len());
    }
    // These probes read little memory: their time is mostly computation.
    let few = &positions[..10_000];
    show("  10,000 positions, repeated", best(|| probe_all(&tables, few))?, few.len());
    // The successors of a position one after the other, as in a search.
    let families = positions[..positions.len() / 10].iter().flat_map(|position| {
        let moves = position.moves().into_iter();
        moves.map(|mv| position.play(mv))
    });
    let families: Vec<G::Position> = families.collect();
    probe_all(&tables, &families)?;
    show("  one after all moves", best(|| probe_all(&tables, &families))?, families.len());
    // Each of two threads probes all of them, in another order.
    let backwards: Vec<G::Position> = positions.iter().rev().copied().collect();
    let by_two = || {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| probe_all(&tables, &backwards));
            probe_all(&tables, &positions)?;
            other.join().expect("no panic")
        })
    };
    let two = best(by_two)?;
    show("  by two threads", two, 2 * positions.len());
    let share = two / 2;
    println!("{:28}{:9.2} times the throughput", "", 2.0 * one.as_secs_f64() / share.as_secs_f64());
    let one = best_by_wall_clock(|| probe_all(&tables, &positions))?;
    let two = best_by_wall_clock(by_two)?;
    println!("{:28}{:9.2} by wall-clock time", "", 2.0 * one.as_secs_f64() / two.as_secs_f64());
    let if_decoded = best(|| {
        positions.iter().try_for_each(|position| {
            tables.value_if_decoded(position, Metric::Wdl).map(|value| assert!(value.is_some()))
        })
    })?;
    show("  only if decoded", if_decoded, positions.len());

    let cold = one_for_each_block(directory, halves.iter().flatten(), &mut random)?;
    for access in [Access::Map, Access::Read] {
        let time = best_of((0..ROUNDS).map(|_| {
            let tables = Tables::open_with(game, directory, ProbeOptions { access, ..options });
            probe_all(&tables, &first)?;
            tables.claim_cache();
            timed(|| probe_all(&tables, &cold))
        }))?;
        show(&format!("WDL, a new block ({access:?})"), time, cold.len());
    }

    let mut bytes = 0;
    for signature in &signatures {
        bytes += tables.pin(signature, Metric::Wdl)?;
    }
    let pinned = best(|| probe_all(&tables, &positions))?;
    show("WDL, pinned", pinned, positions.len());
    println!("{:28}{:9} MiB", "  which takes", bytes >> 20);
    Ok(())
}

/// A position without conversions: its probe opens only this signature's table.
fn first_position<G: Indexable>(signature: &Signature<G>) -> G::Position {
    let [mover, opponent] = signature.to_move(Side::First);
    let index = Index::new(signature.game(), mover, opponent);
    let mut positions = (0..index.len()).map(|number| index.position(number));
    let is_quiet = |p: &G::Position| G::is_stored(p) && G::conversions(p).is_empty();
    positions.find(is_quiet).expect("a quiet position")
}

fn halves<G: Indexable>(signatures: &[Signature<G>], pieces: u32) -> Vec<Half<G>> {
    let signatures = signatures.iter().filter(|signature| signature.pieces() == pieces);
    let half = |signature: &Signature<G>, side| {
        let [mover, opponent] = signature.to_move(side);
        Half { signature: *signature, side, index: Index::new(signature.game(), mover, opponent) }
    };
    signatures.flat_map(|s| s.sides().iter().map(move |&side| half(s, side))).collect()
}

fn draw<G: Indexable>(halves: &[Half<G>], random: &mut Random) -> G::Position {
    let index = &halves[random.below(halves.len() as u64) as usize].index;
    let position = loop {
        let position = index.position(random.below(index.len()));
        if G::is_legal(&position) {
            break position;
        }
    };
    match random.below(2) {
        0 => position,
        _ => position.flip(),
    }
}

fn count(position: &impl Position) -> u32 {
    Color::BOTH.iter().map(|&color| position.side(color).len()).sum()
}

fn filtered<P: Position>(positions: &[P], keep: impl Fn(&P) -> bool) -> Vec<P> {
    positions.iter().filter(|position| keep(position)).copied().collect()
}

/// A position for each block that is compressed, whose probe reads this block; in random order.
/// Reads all these blocks, so that the system has them in memory.
fn one_for_each_block<'a, G: Indexable>(
    directory: &Path,
    halves: impl Iterator<Item = &'a Half<G>>,
    random: &mut Random,
) -> Result<Vec<G::Position>, Box<dyn Error>> {
    let mut decoder = Decoder::new()?;
    let mut bytes = Vec::new();
    let mut positions = Vec::new();
    for half in halves {
        let table = Table::open(directory, half.signature, Metric::Wdl)?;
        if !table.holds(half.side) {
            continue;
        }
        let mut seen = HashSet::new();
        for _ in 0..half.index.len() / 4096 {
            let number = random.below(half.index.len());
            let position = half.index.position(number);
            let (block, _) = table.locate(half.side, number);
            if G::is_stored(&position) && seen.insert(block) {
                table.read_block(&mut decoder, block, &mut bytes)?;
                if bytes.iter().any(|byte| *byte != bytes[0]) {
                    positions.push(position);
                }
            }
        }
    }
    for i in (1..positions.len()).rev() {
        positions.swap(i, random.below(i as u64 + 1) as usize);
    }
    Ok(positions)
}

fn probe_all<G: Indexable>(
    tables: &Tables<G>,
    positions: &[G::Position],
) -> Result<(), ProbeError> {
    for position in positions {
        std::hint::black_box(tables.wdl(position)?);
    }
    Ok(())
}

fn timed(work: impl FnOnce() -> Result<(), ProbeError>) -> Result<Duration, ProbeError> {
    let start = process_time();
    work()?;
    Ok(process_time() - start)
}

fn best(work: impl Fn() -> Result<(), ProbeError>) -> Result<Duration, ProbeError> {
    best_of((0..ROUNDS).map(|_| timed(&work)))
}

fn best_by_wall_clock(work: impl Fn() -> Result<(), ProbeError>) -> Result<Duration, ProbeError> {
    best_of((0..ROUNDS).map(|_| {
        let start = Instant::now();
        work()?;
        Ok(start.elapsed())
    }))
}

fn best_of(
    mut times: impl Iterator<Item = Result<Duration, ProbeError>>,
) -> Result<Duration, ProbeError> {
    times.try_fold(Duration::MAX, |best, time| Ok(best.min(time?)))
}

fn show(what: &str, time: Duration, count: usize) {
    println!("{what:28}{:9.1} ns, of {count}", time.as_secs_f64() * 1e9 / count as f64);
}
