use super::draw::shuffled;
use super::successors::{ByMaterial, derive, with_conversions};
use super::{Finding, Monitor, Verification, Wrong, open_all};
use crate::GenError;
use crate::needs::Needs;
use crate::open::open_for;
use crate::request::Request;
use damka_games::Position;
use damka_probe::{Access, ProbeError, Table};
use damka_tables::format::Decoder;
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side, Signature, Value};
use rayon::ThreadPool;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory for decoded blocks, all threads together, in bytes.
const CACHE_BYTES: usize = 256 << 20;

/// A sample consists of at least about this many runs, as far as the minimum length of a run
/// allows, so that it covers all parts of the tables.
const RUNS: u64 = 1 << 12;
/// The minimum and maximum length of a run. Lengths are powers of two, so that each run lies within
/// a block; longer runs use decoded blocks more often.
const RUN_LEN: [u64; 2] = [1 << 6, 1 << 14];

/// The positions to check.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Their number; all positions if there are fewer.
    pub positions: u64,
    /// The seed: the same seed selects the same positions of the same tables.
    pub seed: u64,
}

/// Checks a sample; see [`Check::Sample`](super::Check::Sample). Draws it in runs of consecutive
/// numbers.
pub(super) fn verify<G: Indexable>(
    signatures: &[Signature<G>],
    sample: Sample,
    pool: &ThreadPool,
    request: &Request<'_>,
) -> Result<Verification, GenError> {
    let (directory, access) = (request.directory, request.options.access);
    let mut verification = Verification::default();
    let mut opened = Opened::new(directory, access);
    let mut sides = Vec::new();
    let order = Needs::new(signatures).in_order();
    for signature in order.into_iter().filter(|signature| signatures.contains(signature)) {
        match opened.open_checked(signature) {
            Ok((tables, new)) => {
                verification.tables += tables;
                sides.extend(new);
            }
            Err(error) => verification.findings.push(Finding::Unusable(error)),
        }
    }

    let runs = draw(&sides, sample);
    let total = runs.iter().map(Run::len).sum();
    let monitor = Monitor::new(request, total);
    let next = AtomicUsize::new(0);
    let checked = pool.broadcast(|thread| {
        let mut checker = Checker::new(&opened, CACHE_BYTES / thread.num_threads())?;
        while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            monitor.stop.check()?;
            checker.check(&sides[run.side], run.numbers.clone());
            monitor.advance(run.len());
        }
        Ok(checker.found)
    });
    let found = checked.into_iter().collect::<Result<Vec<RunResults>, GenError>>()?;
    let RunResults { positions, wrong, errors } =
        found.into_iter().fold(RunResults::default(), RunResults::and);
    verification.positions = positions;
    let wrong = wrong.into_iter().filter_map(|(table, wrong)| wrong.finding(&opened.tables[table]));
    verification.findings.extend(wrong);
    verification.findings.extend(errors.into_values().map(Finding::Unusable));
    Ok(verification)
}

/// A table and a side to move.
#[derive(Clone, Copy)]
struct TableSide {
    /// The index of the table among the opened tables.
    table: usize,
    side: Side,
}

/// The part of a signature's tables with one side to move.
struct SampledSide {
    /// In the table that is checked against the successors.
    best: TableSide,
    /// In the WDL table that is checked against a DTW table.
    other: Option<TableSide>,
    /// The number of positions.
    len: u64,
}

/// Consecutive positions to check.
struct Run {
    /// Index into the list of sampled sides.
    side: usize,
    numbers: Range<u64>,
}

impl Run {
    fn len(&self) -> u64 {
        self.numbers.end - self.numbers.start
    }
}

/// The results of some runs.
#[derive(Default)]
struct RunResults {
    /// The number of positions checked.
    positions: u64,
    /// Wrong values, by index of the table.
    wrong: BTreeMap<usize, Wrong>,
    /// Read errors, by their text.
    errors: BTreeMap<String, ProbeError>,
}

impl RunResults {
    fn and(mut self, other: RunResults) -> RunResults {
        self.positions += other.positions;
        for (table, found) in other.wrong {
            let wrong = self.wrong.entry(table).or_default();
            *wrong = wrong.and(found);
        }
        self.errors.extend(other.errors);
        self
    }
}

/// Draws a sample, sorted by table.
fn draw(sides: &[SampledSide], sample: Sample) -> Vec<Run> {
    let [least, greatest] = RUN_LEN;
    let len = 1 << (sample.positions / RUNS).clamp(least, greatest).ilog2();
    // For each side, the number of its runs and those of all sides before it.
    let ends: Vec<u64> = sides
        .iter()
        .scan(0, |end, side| {
            *end += side.len.div_ceil(len);
            Some(*end)
        })
        .collect();
    let mut left = sample.positions;
    let mut runs = Vec::new();
    for run in shuffled(ends.last().copied().unwrap_or(0), sample.seed) {
        if left == 0 {
            break;
        }
        let side = ends.partition_point(|&end| end <= run);
        let before = side.checked_sub(1).map_or(0, |before| ends[before]);
        let start = (run - before) * len;
        let end = sides[side].len.min(start + len.min(left));
        left -= end - start;
        runs.push(Run { side, numbers: start..end });
    }
    // Neighbouring positions have successors in the same blocks.
    runs.sort_by_key(|run| (run.side, run.numbers.start));
    runs
}

/// Tables that are open but not loaded.
struct Opened<'a, G> {
    directory: &'a Path,
    access: Access,
    tables: Vec<Arc<Table<G>>>,
    /// By metric: the table and side for each signature and side to move.
    known: [ByMaterial<TableSide>; Metric::ALL.len()],
}

impl<G: Indexable> Opened<'_, G> {
    fn new(directory: &Path, access: Access) -> Opened<'_, G> {
        Opened {
            directory,
            access,
            tables: Vec::new(),
            known: Metric::ALL.map(|_| ByMaterial::new()),
        }
    }

    /// Opens the tables of a signature and all tables it leads to. Returns the number of tables of
    /// the signature, and its sides to sample.
    fn open_checked(
        &mut self,
        signature: Signature<G>,
    ) -> Result<(usize, Vec<SampledSide>), ProbeError> {
        let tables = open_all(self.directory, signature, self.access)?;
        for table in &tables {
            table.check_directory()?;
        }
        let metric = tables[0].header().metric();
        for exit in signature.exits() {
            self.open(exit, metric)?;
        }
        let first = self.tables.len();
        for &side in signature.sides() {
            self.known[metric as usize].insert(&signature, side, TableSide { table: first, side });
        }
        let is_stored = |side: &&Side| tables.iter().any(|table| table.holds(**side));
        let sides = signature.sides().iter().filter(is_stored).map(|&side| {
            let best = TableSide { table: first, side };
            let other = tables.get(1).filter(|table| table.holds(side));
            let other = other.map(|_| TableSide { table: first + 1, side });
            SampledSide { best, other, len: tables[0].side_index(side).len() }
        });
        let sides = sides.collect();
        let count = tables.len();
        self.tables.extend(tables);
        Ok((count, sides))
    }

    /// Opens a table and everything it leads to, unless it is open already.
    fn open(&mut self, signature: Signature<G>, metric: Metric) -> Result<(), ProbeError> {
        if self.known[metric as usize].contains(&signature) {
            return Ok(());
        }
        for exit in signature.exits() {
            self.open(exit, metric)?;
        }
        let table = self.tables.len();
        let opened = open_for(self.directory, signature, metric, self.access)?;
        self.tables.push(Arc::new(opened));
        for &side in signature.sides() {
            self.known[metric as usize].insert(&signature, side, TableSide { table, side });
        }
        Ok(())
    }
}

/// The work of one thread.
struct Checker<'a, G: Indexable> {
    opened: &'a Opened<'a, G>,
    decoder: Decoder,
    blocks: Blocks,
    /// A hash table of derived values of positions that no table stores: quiet moves of
    /// neighbouring positions often lead to the same ones.
    resolved: Vec<Option<(Metric, G::Position, Value)>>,
    found: RunResults,
}

/// The number of entries in that hash table; a power of two.
const RESOLVED: usize = 1 << 15;

impl<'a, G: Indexable> Checker<'a, G> {
    fn new(opened: &'a Opened<'a, G>, capacity: usize) -> Result<Checker<'a, G>, GenError> {
        Ok(Checker {
            opened,
            decoder: Decoder::new().map_err(GenError::io("read", opened.directory))?,
            blocks: Blocks::new(opened.tables.len(), capacity),
            resolved: vec![None; RESOLVED],
            found: RunResults::default(),
        })
    }

    /// Checks some positions, up to the first that cannot be checked.
    fn check(&mut self, side: &SampledSide, numbers: Range<u64>) {
        let positions = numbers.end - numbers.start;
        match self.compare(side, numbers) {
            Ok(()) => self.found.positions += positions,
            Err(error) => {
                self.found.errors.insert(error.to_string(), error);
            }
        }
    }

    fn compare(&mut self, sampled: &SampledSide, numbers: Range<u64>) -> Result<(), ProbeError> {
        let TableSide { table, side } = sampled.best;
        let best = &self.opened.tables[table];
        let metric = best.header().metric();
        let is_held = best.holds(side);
        for (number, position) in numbers.clone().zip(best.side_index(side).positions(numbers)) {
            if !G::is_stored(&position) {
                continue;
            }
            let stored = self.value(metric, metric, sampled.best, number, &position)?;
            if is_held {
                let derived = self.derived(metric, sampled.best, &position)?;
                if stored != derived {
                    let wrong = self.found.wrong.entry(table).or_default();
                    wrong.compare(side, number, stored, derived);
                }
            }
            if let Some(other) = sampled.other {
                let wdl = self.value(Metric::Wdl, metric, other, number, &position)?;
                let stored = stored.reduced_to(Metric::Wdl);
                if wdl != stored {
                    let wrong = self.found.wrong.entry(other.table).or_default();
                    wrong.compare(side, number, wdl, stored);
                }
            }
        }
        Ok(())
    }

    /// The value, under `metric`, that follows from the successors of a position. `side` is the table
    /// of the position and its side to move.
    fn derived(
        &mut self,
        metric: Metric,
        side: TableSide,
        position: &G::Position,
    ) -> Result<Value, ProbeError> {
        let opened = self.opened;
        let value = derive::<G, _>(position, |after, is_exit| {
            let side = match is_exit {
                true => match opened.known[metric as usize].get::<G>(after) {
                    Some(&side) => side,
                    None => return Ok(Value::LOST),
                },
                false => {
                    let sides = opened.tables[side.table].signature().sides();
                    let other = sides.iter().find(|&&other| other != side.side);
                    TableSide { side: *other.unwrap_or(&side.side), ..side }
                }
            };
            // The recursion ends: each of these positions leads to fewer pieces or to men advanced
            // further, or the other side is held.
            if after.state() != 0 || !G::is_stored(after) {
                return self.resolve(metric, side, after);
            }
            let number = opened.tables[side.table].side_index(side.side).number(after);
            self.value(metric, metric, side, number, after)
        })?;
        Ok(value.reduced_to(metric))
    }

    /// The value of a position under `metric`, from a table, or derived from its moves if the table
    /// does not hold the side to move. Positions after captures and promotions are looked up in the
    /// tables of `known`.
    fn value(
        &mut self,
        metric: Metric,
        known: Metric,
        side: TableSide,
        number: u64,
        position: &G::Position,
    ) -> Result<Value, ProbeError> {
        let opened = self.opened;
        let table = &opened.tables[side.table];
        if !table.holds(side.side) {
            return Ok(self.resolve(known, side, position)?.reduced_to(metric));
        }
        let stored = self.stored(side, number)?.reduced_to(metric);
        with_conversions::<G, _>(position, stored, metric, |after| {
            let Some(&side) = opened.known[known as usize].get::<G>(after) else {
                return Ok(Value::LOST);
            };
            let number = opened.tables[side.table].side_index(side.side).number(after);
            self.value(known, known, side, number, after)
        })
    }

    /// The derived value of a position that no table stores, cached.
    fn resolve(
        &mut self,
        metric: Metric,
        side: TableSide,
        position: &G::Position,
    ) -> Result<Value, ProbeError> {
        // The high bits of this hash are the well-mixed ones.
        let slot = FxBuildHasher.hash_one(position) >> (u64::BITS - RESOLVED.ilog2());
        match self.resolved[slot as usize] {
            Some((of, same, value)) if of == metric && same == *position => Ok(value),
            _ => {
                let value = self.derived(metric, side, position)?;
                self.resolved[slot as usize] = Some((metric, *position, value));
                Ok(value)
            }
        }
    }

    /// The value stored in a table.
    #[inline]
    fn stored(&mut self, side: TableSide, number: u64) -> Result<Value, ProbeError> {
        let table = &self.opened.tables[side.table];
        let (block, at) = table.locate(side.side, number);
        let values = self
            .blocks
            .get(side.table, block, |values| table.read_block(&mut self.decoder, block, values))?;
        table.value(block, values, at)
    }
}

/// A cache of decoded blocks of tables.
struct Blocks {
    /// By table and block: the index of the decoded block, plus 1, or 0 if it is not decoded. Each
    /// list is as long as required so far.
    numbers: Vec<Vec<u32>>,
    decoded: Vec<Vec<u8>>,
    /// Table and block of the first entries of `decoded`; the remaining entries are spare buffers.
    used: Vec<(usize, u64)>,
    /// The bytes in use, and the limit.
    bytes: usize,
    capacity: usize,
}

impl Blocks {
    fn new(tables: usize, capacity: usize) -> Blocks {
        let numbers = vec![Vec::new(); tables];
        Blocks { numbers, decoded: Vec::new(), used: Vec::new(), bytes: 0, capacity }
    }

    /// A block of a table; calls `read` if it is not cached.
    #[inline]
    fn get<E>(
        &mut self,
        table: usize,
        block: u64,
        read: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<&[u8], E> {
        match self.numbers[table].get(block as usize) {
            None | Some(0) => self.add(table, block, read),
            Some(&number) => Ok(&self.decoded[number as usize - 1]),
        }
    }

    #[cold]
    fn add<E>(
        &mut self,
        table: usize,
        block: u64,
        read: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<&[u8], E> {
        if self.bytes > self.capacity {
            for (table, block) in self.used.drain(..) {
                self.numbers[table][block as usize] = 0;
            }
            self.bytes = 0;
        }
        let next = self.used.len();
        if self.decoded.len() == next {
            self.decoded.push(Vec::new());
        }
        read(&mut self.decoded[next])?;
        self.bytes += self.decoded[next].len();
        self.used.push((table, block));
        let numbers = &mut self.numbers[table];
        numbers.resize(numbers.len().max(block as usize + 1), 0);
        numbers[block as usize] = next as u32 + 1;
        Ok(&self.decoded[next])
    }
}
