//! How large tables would be, compressed otherwise: the study behind
//! `tables/COMPRESSION.md`.
//!
//! ```text
//! cargo run --release -p damka-probe --example compression -- DIR KKMvKM KMMvKM
//! ```
//!
//! reads the WDL and DTW tables of these signatures of Russian draughts from DIR and
//! prints, for each choice, bits for each position and nanoseconds to compress it.

#![allow(clippy::print_stdout)]

use damka_games::draughts::{KING, MAN, Position};
use damka_games::{Color, Game, Material, Russian};
use damka_probe::Table;
use damka_tables::format::Metric;
use damka_tables::{Index, Layout, Side, Signature, Value, Wdl};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// The values of one side to move in the order of the index; `None` where the file
/// may hold anything.
struct Half {
    side: Side,
    values: Vec<Option<Value>>,
}

/// How don't-cares are filled.
#[derive(Clone, Copy)]
enum Fill {
    /// With the value before.
    Previous,
    /// With the value one row of the faster crew before.
    RowBefore(usize),
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let directory = args.next().ok_or("a directory of tables and signatures expected")?;
    for name in args {
        let signature: Signature<Russian> = name.parse()?;
        for metric in Metric::ALL {
            study(Path::new(&directory), signature, metric)?;
        }
    }
    Ok(())
}

fn study(
    directory: &Path,
    signature: Signature<Russian>,
    metric: Metric,
) -> Result<(), Box<dyn Error>> {
    let table = Table::open(directory, signature, metric)?;
    let mut halves = Vec::new();
    for &side in signature.sides() {
        let [mover, opponent] = signature.to_move(side);
        let index = Index::<Russian>::new(mover, opponent);
        let mut positions = index.positions(0..index.len());
        let mut values = Vec::new();
        table.read_values(side, |block| {
            for &value in block {
                let position = positions.next();
                let forced = position.is_some_and(|position| Russian::captures_only(&position));
                values.push((!forced).then_some(value));
            }
        })?;
        halves.push(Half { side, values });
    }
    let positions: usize = halves.iter().map(|half| half.values.len()).sum();
    let say = |what: &str, bytes: usize, seconds: f64| {
        let (bits, ns) = (bytes as f64 * 8.0 / positions as f64, seconds * 1e9 / positions as f64);
        println!("{signature} {:<4} {what:<34} {bits:7.4} bits {ns:7.1} ns", metric.name());
    };
    let level = if metric == Metric::Wdl { 12 } else { 7 };
    let measure = |halves: &[Half], fill: Fill, bytes: usize, level: i32| {
        let start = Instant::now();
        let sizes = halves.iter().map(|half| compressed(&half.values, metric, fill, bytes, level));
        let size = sizes.sum::<Result<usize, _>>();
        size.map(|size| (size, start.elapsed().as_secs_f64()))
    };
    for level in [1, 3, 5, 7, 9, 12, 15, 19] {
        let (size, seconds) = measure(&halves, Fill::Previous, 1 << 14, level)?;
        say(&format!("level {level}, 16 KiB"), size, seconds);
    }
    for kib in [4, 8, 32, 64] {
        let (size, seconds) = measure(&halves, Fill::Previous, kib << 10, level)?;
        say(&format!("level {level}, {kib} KiB"), size, seconds);
    }
    let row = fast_row(&signature);
    let (size, seconds) = measure(&halves, Fill::RowBefore(row), 1 << 14, level)?;
    say("filled from the row before", size, seconds);

    let swapped: Vec<Half> = halves.iter().map(|half| swap(&signature, half)).collect();
    let (size, seconds) = measure(&swapped, Fill::Previous, 1 << 14, level)?;
    say("the other crew fastest", size, seconds);

    let calm: Vec<Half> = halves.iter().map(|half| without_threats(&signature, half)).collect();
    let (size, seconds) = measure(&calm, Fill::Previous, 1 << 14, level)?;
    let left: usize = calm.iter().map(|half| half.values.iter().flatten().count()).sum();
    let stored: usize = halves.iter().map(|half| half.values.iter().flatten().count()).sum();
    say("no positions with a threat", size, seconds);
    println!(
        "{signature} {:<4} of {positions} positions {stored} are stored, {left} without threats",
        metric.name()
    );
    Ok(())
}

/// The size of values packed, in blocks of so many bytes.
fn compressed(
    values: &[Option<Value>],
    metric: Metric,
    fill: Fill,
    bytes: usize,
    level: i32,
) -> std::io::Result<usize> {
    let per_byte = if metric == Metric::Wdl { 4 } else { 1 };
    let mut zstd = zstd::bulk::Compressor::new(level)?;
    zstd.include_contentsize(false)?;
    let mut size = 0;
    let mut codes = Vec::new();
    for block in values.chunks(bytes * per_byte) {
        codes.clear();
        let code = |value: Value| match metric {
            Metric::Wdl => value.wdl() as u8,
            Metric::Dtw => value.code() as u8,
        };
        let mut last = block.iter().flatten().next().map_or(Wdl::Draw as u8, |&v| code(v));
        for (i, value) in block.iter().enumerate() {
            last = match (value, fill) {
                (Some(value), _) => code(*value),
                (None, Fill::RowBefore(row)) if i >= row => codes[i - row],
                (None, _) => last,
            };
            codes.push(last);
        }
        let packed: Vec<u8> = match metric {
            Metric::Wdl => {
                let byte = |four: &[u8]| four.iter().rev().fold(0, |byte, code| byte << 2 | code);
                codes.chunks(4).map(byte).collect()
            }
            Metric::Dtw => codes.clone(),
        };
        if packed.iter().any(|byte| *byte != packed[0]) {
            size += zstd.compress(&packed)?.len();
        }
        // The directory's entry.
        size += 12;
    }
    Ok(size)
}

/// How many placements the faster crew has beside one of the slower.
fn fast_row(signature: &Signature<Russian>) -> usize {
    let kings = signature.materials().map(|side| usize::from(side.0[KING]));
    let men = signature.materials().map(|side| usize::from(side.0[MAN]));
    let (slow, fast) = (kings[0].min(kings[1]), kings[0].max(kings[1]));
    let free = 32 - men[0] - men[1] - slow;
    (0..fast).fold(1, |n, i| n * (free - i) / (i + 1))
}

/// The values with the crews' order exchanged in each fibre.
fn swap(signature: &Signature<Russian>, half: &Half) -> Half {
    let [mover, opponent] = signature.to_move(half.side);
    if mover.0[MAN] + opponent.0[MAN] == 0 {
        // Without men symmetric positions share numbers: there is no such order.
        return Half { side: half.side, values: half.values.clone() };
    }
    let index = Index::<Russian>::new(mover, opponent);
    let fibre = index.len() / Index::<Russian>::fibres(mover, opponent).len();
    let slow = Russian::leader(&mover, &opponent);
    let crew = |position: &Position, color| Russian::pieces(position, color, KING);
    let mut values = Vec::with_capacity(half.values.len());
    for start in (0..index.len()).step_by(fibre as usize) {
        let positions = index.positions(start..start + fibre);
        let mut keyed: Vec<(u64, u64, Option<Value>)> = positions
            .zip(&half.values[start as usize..])
            .map(|(position, &value)| (crew(&position, !slow), crew(&position, slow), value))
            .collect();
        keyed.sort_by_key(|&(first, second, _)| (first, second));
        values.extend(keyed.into_iter().map(|(_, _, value)| value));
    }
    Half { side: half.side, values }
}

/// The values without those of positions in which the other side could capture if
/// it were to move.
fn without_threats(signature: &Signature<Russian>, half: &Half) -> Half {
    let [mover, opponent]: [Material; 2] = signature.to_move(half.side);
    let index = Index::<Russian>::new(mover, opponent);
    let values = index.positions(0..index.len()).zip(&half.values).map(|(position, &value)| {
        let pieces = Color::BOTH.map(|color| {
            std::array::from_fn(
                |kind| if kind < 2 { Russian::pieces(&position, color, kind) } else { 0 },
            )
        });
        let threatened = Russian::captures_only(&Russian::assemble(&pieces, Color::Black));
        value.filter(|_| !threatened)
    });
    Half { side: half.side, values: values.collect() }
}
