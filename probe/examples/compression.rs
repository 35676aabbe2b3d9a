//! Measures how large tables would be with other methods of compression: the study behind
//! `tables/COMPRESSION.md`.
//!
//! ```text
//! cargo run --release -p damka-probe --example compression -- DIR KKMvKM KMMvKM
//! ```
//!
//! It reads the WDL and DTW tables of these signatures of Russian draughts, which must have men,
//! from DIR. For each choice it prints the bits per position, and the nanoseconds of one core that
//! packing and compressing a position takes. Stars mark the choices with which tables are written.

#![allow(clippy::print_stdout)]

use damka_games::draughts::{KING, MAN, Position};
use damka_games::{Color, Draughts, Position as _, Russian};
use damka_probe::Table;
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature, Value};
use std::error::Error;
use std::io;
use std::path::Path;
use std::time::Instant;

/// The code that a table holds for a position; `None` for a don't-care.
type Code = Option<u8>;

/// The positions of one side to move in the order of the index.
struct Half {
    positions: Vec<Position>,
    codes: Vec<Code>,
    /// How many consecutive positions have their men on the same squares.
    fibre: usize,
    /// The side that the signature names second: its men vary slowest.
    weaker: Color,
}

/// How codes become bytes.
#[derive(Clone, Copy)]
struct Choice {
    level: i32,
    /// Values in a block.
    values: usize,
    packing: Packing,
    fill: Fill,
    /// The size in bytes of a dictionary made of every fourth block, which is counted as part of
    /// the table; 0 for none.
    dictionary: usize,
}

/// How many values share a byte, as digits of a number to this base.
#[derive(Clone, Copy, PartialEq)]
struct Packing {
    values: usize,
    base: u8,
}

const BYTE: Packing = Packing { values: 1, base: 1 };
const TWO_BITS: Packing = Packing { values: 4, base: 4 };
const BASE_3: Packing = Packing { values: 5, base: 3 };
/// One bit per value in blocks with at most two kinds of value; two bits elsewhere.
const ONE_BIT: Packing = Packing { values: 8, base: 2 };

/// How don't-cares are filled.
#[derive(Clone, Copy)]
enum Fill {
    /// With the preceding value.
    Before,
    /// With a value that makes all values of a byte equal, if there is one; else with the preceding
    /// value.
    Uniform,
}

/// The order of positions: which pieces vary slower than others.
#[derive(Clone, Copy)]
enum Order {
    /// The men of the weaker side, other men, the opponent's kings, the mover's kings.
    Used,
    /// As used, but with the mover's kings slower than the opponent's.
    MoverFirst,
    /// As used, but with the other side's men slowest.
    OtherMenFirst,
    /// As used, but with the opponent's kings slowest of all.
    OpponentFirst,
}

const ORDERS: [(&str, Order); 4] = [
    ("as it is", Order::Used),
    ("mover's kings slower", Order::MoverFirst),
    ("other men slowest", Order::OtherMenFirst),
    ("opponent's kings slowest", Order::OpponentFirst),
];

/// For each square a bit: kings are ranked in the order of these bits.
type SquareOrder = [u64; 32];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let directory = args.next().ok_or("expected a directory of tables and signatures")?;
    for name in args {
        let signature = Signature::parse(Russian, &name)?;
        for metric in Metric::ALL {
            study(Path::new(&directory), signature, metric)?;
        }
    }
    Ok(())
}

fn study(
    directory: &Path,
    signature: Signature<Draughts>,
    metric: Metric,
) -> Result<(), Box<dyn Error>> {
    let table = Table::open(directory, signature, metric)?;
    let sides = signature.sides().iter();
    let halves: Vec<Half> =
        sides.map(|&side| read(&table, metric, side)).collect::<Result<_, _>>()?;
    let positions: usize = halves.iter().map(|half| half.positions.len()).sum();
    let measure = |what: &str, codes: &[Vec<Code>], choice: Choice| -> io::Result<()> {
        let start = Instant::now();
        let sizes = codes.iter().map(|codes| compressed(codes, choice));
        let bytes = sizes.sum::<io::Result<usize>>()?;
        let bits = bytes as f64 * 8.0 / positions as f64;
        let ns = start.elapsed().as_secs_f64() * 1e9 / positions as f64;
        println!("{signature} {:<4} {what:<64} {bits:7.4} bits {ns:7.1} ns", metric.name());
        Ok(())
    };
    let (level, packing) = match metric.has_distances() {
        false => (12, TWO_BITS),
        true => (7, BYTE),
    };
    let used =
        Choice { level, values: packing.values << 14, packing, fill: Fill::Uniform, dictionary: 0 };
    let star = |is_used| if is_used { " *" } else { "" };

    let codes: Vec<_> = halves.iter().map(|half| half.codes.clone()).collect();
    for level in [1, 3, 5, 7, 9, 12, 15, 19] {
        let what = format!("level {level}{}", star(level == used.level));
        measure(&what, &codes, Choice { level, ..used })?;
    }
    for kib in [4, 8, 16, 32, 64] {
        let what = format!("blocks of {kib} KiB{}", star(kib == 16));
        measure(&what, &codes, Choice { values: packing.values * (kib << 10), ..used })?;
    }
    for kib in [4, 16, 64] {
        let what = format!("with a dictionary of {kib} KiB");
        measure(&what, &codes, Choice { dictionary: kib << 10, ..used })?;
    }
    if metric == Metric::Wdl {
        let packings =
            [("two bits", TWO_BITS), ("base 3", BASE_3), ("a byte", BYTE), ("one bit", ONE_BIT)];
        for (name, packing) in packings {
            let what = format!("packed: {name}{}", star(packing == used.packing));
            measure(&what, &codes, Choice { packing, ..used })?;
        }
        measure("filled with the value before", &codes, Choice { fill: Fill::Before, ..used })?;
        measure("filled to make bytes uniform *", &codes, used)?;
    }
    for (order_name, order) in ORDERS {
        for (i, (line_name, line)) in lines().iter().enumerate() {
            let star = star(i == 0 && matches!(order, Order::Used));
            let what = format!("order: {order_name}, kings {line_name}{star}");
            let sorted: Vec<_> = halves.iter().map(|half| half.sorted(order, line)).collect();
            measure(&what, &sorted, used)?;
        }
    }
    let calm: Vec<_> = halves.iter().map(Half::without_threats).collect();
    measure("no positions with a threat", &calm, used)?;
    let stored = |codes: &[Vec<Code>]| codes.iter().flatten().flatten().count();
    println!(
        "{signature} {:<4} of {positions} positions {} are stored, {} without threats",
        metric.name(),
        stored(&codes),
        stored(&calm)
    );
    Ok(())
}

fn read(table: &Table<Draughts>, metric: Metric, side: Side) -> Result<Half, Box<dyn Error>> {
    let signature = table.signature();
    let [mover, opponent] = signature.to_move(side);
    if mover[MAN] + opponent[MAN] == 0 {
        return Err("without men, symmetric positions share numbers".into());
    }
    let index = Index::new(Russian, mover, opponent);
    let positions: Vec<Position> = index.positions(0..index.len()).collect();
    let mut values = Vec::with_capacity(positions.len());
    table.read_values(side, |block| values.extend_from_slice(block))?;
    let code = |(position, value): (&Position, &Value)| match metric.has_distances() {
        _ if !Draughts::is_stored(position) => Ok(None),
        false => Ok(Some(value.wdl() as u8)),
        true => u8::try_from(value.code()).map(Some),
    };
    Ok(Half {
        codes: positions.iter().zip(&values).map(code).collect::<Result<_, _>>()?,
        fibre: positions.len() / Index::fibres(Russian, mover, opponent).len() as usize,
        positions,
        weaker: if side == Side::First { Color::Black } else { Color::White },
    })
}

impl Half {
    /// The codes in another order.
    fn sorted(&self, order: Order, line: &SquareOrder) -> Vec<Code> {
        let key = |(number, position): (usize, &Position)| {
            let fibre = (number / self.fibre) as u64;
            let [mover, opponent] = [Color::White, Color::Black].map(|color| {
                let kings = position.pieces(color, KING);
                kings.into_iter().fold(0, |all, square| all | line[usize::from(square)])
            });
            match order {
                Order::Used => [0, fibre, opponent << 32 | mover],
                Order::MoverFirst => [0, fibre, mover << 32 | opponent],
                Order::OtherMenFirst => {
                    let men = position.pieces(!self.weaker, MAN).bits();
                    // The slice: how many of them stand where men of the weaker side promote.
                    let rank = if self.weaker == Color::White { 0xF } else { 0xF << 28 };
                    let slice = match position.pieces(self.weaker, MAN).bits() {
                        0 => 0,
                        _ => u64::from((men & rank).count_ones()),
                    };
                    [slice << 32 | men, fibre, opponent << 32 | mover]
                }
                Order::OpponentFirst => [opponent, fibre, mover],
            }
        };
        let keys = self.positions.iter().enumerate().map(key);
        let mut keyed: Vec<([u64; 3], Code)> = keys.zip(self.codes.iter().copied()).collect();
        keyed.sort_unstable_by_key(|&(key, _)| key);
        keyed.into_iter().map(|(_, code)| code).collect()
    }

    /// The codes without those of positions in which the other side could capture if
    /// it were to move.
    fn without_threats(&self) -> Vec<Code> {
        let is_calm = |position: &Position| !position.pass().captures_only();
        let codes = self.positions.iter().zip(&self.codes);
        codes.map(|(position, code)| code.filter(|_| is_calm(position))).collect()
    }
}

/// The orders of squares tried for kings; the first is used.
fn lines() -> [(&'static str, SquareOrder); 5] {
    [
        ("to and fro", std::array::from_fn(|square| Draughts::line(1 << square))),
        ("row by row", line(|row, file| row * 8 + file)),
        ("by columns", line(|row, file| file * 8 + row)),
        ("along diagonals", line(|row, file| (row + file) * 8 + row)),
        ("along the other diagonals", line(|row, file| (row + 7 - file) * 8 + row)),
    ]
}

/// The squares sorted by a key of row and file.
fn line(key: fn(usize, usize) -> usize) -> SquareOrder {
    // Row 0 is rank 8, file 0 file a.
    let key = |square: usize| key(square / 4, square % 4 * 2 + (square / 4 + 1) % 2);
    std::array::from_fn(|square| 1 << (0..32).filter(|&other| key(other) < key(square)).count())
}

/// The bytes that these codes take, with the entries of the directory.
fn compressed(codes: &[Code], choice: Choice) -> io::Result<usize> {
    let mut dictionary = Vec::new();
    if choice.dictionary > 0 {
        let samples: Vec<Vec<u8>> =
            codes.chunks(choice.values).step_by(4).map(|block| pack(block, choice)).collect();
        dictionary = zstd::dict::from_samples(&samples, choice.dictionary)?;
    }
    let mut zstd = zstd::bulk::Compressor::with_dictionary(choice.level, &dictionary)?;
    zstd.include_contentsize(false)?;
    let mut size = dictionary.len();
    for block in codes.chunks(choice.values) {
        let packed = pack(block, choice);
        if packed.iter().any(|byte| *byte != packed[0]) {
            size += zstd.compress(&packed)?.len();
        }
        size += 12;
    }
    Ok(size)
}

/// The bytes of a block before compression.
fn pack(block: &[Code], choice: Choice) -> Vec<u8> {
    let highest = block.iter().flatten().max();
    let is_one_bit = || {
        let mut others = block.iter().flatten().filter(|&code| Some(code) != highest);
        others.next().is_none_or(|first| others.all(|code| code == first))
    };
    let packing = match choice.packing {
        ONE_BIT if !is_one_bit() => TWO_BITS,
        packing => packing,
    };
    let digit = |code| if packing == ONE_BIT { u8::from(Some(&code) == highest) } else { code };
    let mut last = block.iter().flatten().next().copied().unwrap_or_default();
    let byte = |byte: &[Code]| {
        let mut known = byte.iter().flatten();
        if let (Fill::Uniform, Some(&first)) = (choice.fill, known.next())
            && known.all(|&code| code == first)
        {
            last = first;
        }
        // The first value is the lowest digit; the last byte of a part may lack some.
        let missing = std::iter::repeat_n(&None, packing.values - byte.len());
        let digits = byte.iter().chain(missing).map(|code| {
            last = code.unwrap_or(last);
            digit(last)
        });
        let (sum, _) = digits.fold((0, 1), |(sum, unit): (u8, u8), digit| {
            (sum + digit * unit, unit.wrapping_mul(packing.base))
        });
        sum
    };
    block.chunks(packing.values).map(byte).collect()
}
