use super::successors::{ByMaterial, derive, with_conversions};
use super::{Finding, Monitor, Verification, Wrong, block_from, open_all};
use crate::alloc::filled;
use crate::needs::Needs;
use crate::open::open_for;
use crate::parallel;
use crate::request::Request;
use crate::{Event, GenError};
use damka_games::Position;
use damka_probe::{Access, Table};
use damka_tables::metric::{Histogram, Metric, PackedValues, Packing, Summary};
use damka_tables::{Index, Indexable, Side, Signature, Value};
use rayon::ThreadPool;
use std::cell::RefCell;
use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The number of values checked between two checks for a stop request.
const CHUNK: usize = 1 << 14;

/// Checks every value; see [`Check::Whole`](super::Check::Whole). Values of positions in which only
/// captures are legal are derived first, from positions with fewer pieces.
pub(super) fn verify<G: Indexable>(
    signatures: &[Signature<G>],
    pool: &ThreadPool,
    request: &Request<'_>,
) -> Result<Verification, GenError> {
    let (directory, access) = (request.directory, request.options.access);
    let total = signatures.iter().map(crate::job::positions).sum();
    let monitor = Monitor::new(request, total);
    let verifier = Verifier { directory, access, monitor };
    // Tables loaded for one signature also serve other signatures that lead to them.
    let needs = Needs::new(signatures);
    let order = needs.in_order().into_iter().filter(|signature| signatures.contains(signature));
    let order: Vec<Signature<G>> = order.collect();
    pool.install(|| {
        let mut verification = Verification::default();
        let mut known = Metric::ALL.map(|_| ByMaterial::new());
        for (i, &signature) in order.iter().enumerate() {
            let later = &order[i..];
            for known in &mut known {
                known.retain(|loaded: &LoadedSide<G>| {
                    later.iter().any(|l| needs.of(l).contains(loaded.table.signature()))
                });
            }
            request.progress.event(Event::Started { signature: signature.to_string() });
            match verifier.signature(signature, &mut known, &mut verification) {
                Err(GenError::Probe(error)) => verification.findings.push(Finding::Unusable(error)),
                result => result?,
            }
        }
        Ok(verification)
    })
}

/// The values of the positions with one side to move, in memory.
struct LoadedSide<G> {
    table: Arc<Table<G>>,
    side: Side,
    codes: Codes,
    /// One bit for each position: whether its value was derived because no table stores it. Empty
    /// once the signature has been checked.
    derived: Vec<u64>,
    /// Whether codes of one byte suffice for predecessors of these positions.
    predecessors_fit_bytes: bool,
}

/// The codes of values.
enum Codes {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Codes {
    #[inline]
    fn value(&self, number: u64) -> Value {
        Value::from_code(match self {
            Codes::Bytes(codes) => codes[number as usize].into(),
            Codes::Words(codes) => codes[number as usize],
        })
    }
}

impl<G: Indexable> LoadedSide<G> {
    #[inline]
    fn index(&self) -> &Index<G> {
        self.table.side_index(self.side)
    }

    #[inline]
    fn value(&self, position: &G::Position) -> Value {
        self.codes.value(self.index().number(position))
    }

    #[inline]
    fn is_derived(&self, number: u64) -> bool {
        self.derived[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// The values of `table`, a table of the same signature, with this side to move, as its digest
    /// covers them, block by block in order. Ends at a read error, which is stored in `failed`.
    fn digested<'a>(
        &'a self,
        table: &'a Table<G>,
        failed: &'a RefCell<Option<GenError>>,
    ) -> impl Iterator<Item = PackedValues<'static>> + 'a {
        let metric = table.header().metric();
        let packing = Packing::of(metric, Value::MAX_PLIES);
        let is_left_out = table.header().left_out() == Some(self.side);
        let (block_len, len) = (table.header().block_positions(), self.index().len());
        let firsts = (0..len).step_by(block_len as usize);
        firsts.map_while(move |first| {
            let numbers = first..len.min(first + block_len);
            let block = match is_left_out {
                true => Ok(numbers.map(|n| self.codes.value(n).reduced_to(metric)).collect()),
                false => block_from(table, self.side, first),
            };
            let mut block: Vec<Value> =
                block.map_err(|error| *failed.borrow_mut() = Some(error)).ok()?;
            if !is_left_out && !table.holds(self.side) {
                return Some(PackedValues::dont_cares(packing, block.len()));
            }
            for (number, value) in (first..).zip(&mut block) {
                if self.is_derived(number) {
                    *value = Value::DONT_CARE;
                }
            }
            Some(PackedValues::pack(packing, &block))
        })
    }
}

/// The numbers below `len` in chunks.
fn chunks(len: u64) -> impl Iterator<Item = Range<u64>> + Send {
    (0..len).step_by(CHUNK).map(move |first| first..len.min(first + CHUNK as u64))
}

/// The value of a successor by a capture or promotion.
#[inline]
fn value_of_exit<G: Indexable>(known: &ByMaterial<LoadedSide<G>>, after: &G::Position) -> Value {
    known.get::<G>(after).map_or(Value::LOST, |loaded| loaded.value(after))
}

/// The value of a position for which a table of `metric` stores `stored`.
#[inline]
fn resolved<G: Indexable>(
    known: &ByMaterial<LoadedSide<G>>,
    position: &G::Position,
    stored: Value,
    metric: Metric,
) -> Value {
    let Ok(value) = with_conversions::<G, Infallible>(position, stored, metric, |after| {
        Ok(value_of_exit(known, after).reduced_to(metric))
    });
    value
}

/// The value of a position derived from its successors; those within its signature are in
/// `after_quiet`.
fn derive_from_moves<G: Indexable>(
    known: &ByMaterial<LoadedSide<G>>,
    after_quiet: &LoadedSide<G>,
    position: &G::Position,
) -> Value {
    let derived = derive::<G, Infallible>(position, |after, is_exit| {
        Ok(match is_exit {
            true => value_of_exit(known, after),
            false if after.state() != 0 => with_state(known, after_quiet, after),
            false => after_quiet.value(after),
        })
    });
    let Ok(derived) = derived;
    derived
}

/// The value of a position with additional state (en passant). `loaded` has the value without that
/// state; the additional moves are captures.
fn with_state<G: Indexable>(
    known: &ByMaterial<LoadedSide<G>>,
    loaded: &LoadedSide<G>,
    position: &G::Position,
) -> Value {
    let pieces = position.game().assemble(&position.setup().pieces, position.turn());
    let of_pieces = (!pieces.moves().is_empty()).then(|| loaded.value(position));
    let captures = position.moves().into_iter().filter(|&mv| position.is_capture(mv));
    let captures = captures.map(|mv| {
        let after = position.play(mv).flip();
        value_of_exit(known, &after).before_move()
    });
    captures.chain(of_pieces).max().unwrap_or_else(|| Value::without_moves::<G>(position))
}

struct Verifier<'a> {
    directory: &'a Path,
    access: Access,
    monitor: Monitor<'a>,
}

impl Verifier<'_> {
    /// Checks the tables of one signature: one table, from which the others can be derived, against
    /// the values of successors, and the others against that table.
    fn signature<G: Indexable>(
        &self,
        signature: Signature<G>,
        known: &mut [ByMaterial<LoadedSide<G>>; Metric::ALL.len()],
        verification: &mut Verification,
    ) -> Result<(), GenError> {
        let tables = open_all(self.directory, signature, self.access)?;
        let best = &tables[0];
        let metric = best.header().metric();
        let known = &mut known[metric as usize];
        for exit in signature.exits() {
            self.load(exit, metric, known)?;
        }
        let sides = self.read(best, metric, known)?;
        // Hashing is sequential; other threads check successors meanwhile.
        let (findings, checked) = parallel::join(
            || {
                let findings = tables.iter().map(|table| self.check_table(table, &sides, known));
                findings.collect::<Result<Vec<_>, _>>()
            },
            || self.successors(&sides, metric, known),
        );
        let (findings, (counts, wrong)) = (findings?, checked?);
        for (table, finding) in tables.iter().zip(findings) {
            verification.findings.extend(finding);
            let (signature, metric) = (signature.to_string(), table.header().metric());
            let (mut same_counts, mut same_histograms) = (true, true);
            for (loaded, (summary, histogram)) in sides.iter().zip(&counts) {
                let stored = table.histogram(loaded.side)?;
                same_histograms &= stored.is_none_or(|stored| stored == *histogram);
                let stored = table.header().summary(loaded.side);
                same_counts &= *stored == summary.reduced_to(metric);
            }
            if !same_counts {
                verification.findings.push(Finding::Counts { signature, metric });
            } else if !same_histograms {
                verification.findings.push(Finding::Histogram { signature, metric });
            }
        }
        verification.findings.extend(wrong.finding(best));
        verification.tables += tables.len();
        verification.positions += crate::job::positions(&signature);
        for loaded in sides {
            known.insert(&signature, loaded.side, LoadedSide { derived: Vec::new(), ..loaded });
        }
        Ok(())
    }

    /// Loads a table and everything it leads to, unless it is loaded already.
    fn load<G: Indexable>(
        &self,
        signature: Signature<G>,
        metric: Metric,
        known: &mut ByMaterial<LoadedSide<G>>,
    ) -> Result<(), GenError> {
        if known.contains(&signature) {
            return Ok(());
        }
        for exit in signature.exits() {
            self.load(exit, metric, known)?;
        }
        let table = Arc::new(open_for(self.directory, signature, metric, self.access)?);
        for loaded in self.read(&table, metric, known)? {
            known.insert(&signature, loaded.side, LoadedSide { derived: Vec::new(), ..loaded });
        }
        Ok(())
    }

    /// Reads and checks a whole table, and derives the values that it does not store from the
    /// signatures it leads to, which must be loaded.
    fn read<G: Indexable>(
        &self,
        table: &Arc<Table<G>>,
        metric: Metric,
        known: &ByMaterial<LoadedSide<G>>,
    ) -> Result<Vec<LoadedSide<G>>, GenError> {
        table.check_directory()?;
        let is_wdl = !metric.has_distances();
        let has_bytes = table.header().packing() != Packing::TwoBytes;
        let predecessors_fit_bytes =
            is_wdl || has_bytes && known.iter().all(|loaded| loaded.predecessors_fit_bytes);
        let mut sides: Vec<LoadedSide<G>> = Vec::new();
        // The values of a side that is not held follow from those of the other.
        let mut order = table.signature().sides().to_vec();
        order.sort_by_key(|&side| !table.holds(side));
        for side in order {
            let held = sides.first();
            let read = Reading { verifier: self, table, side, metric, known, held };
            let (codes, derived) = match predecessors_fit_bytes {
                true => {
                    let (codes, derived) = read.codes(|value| value.code() as u8)?;
                    (Codes::Bytes(codes), derived)
                }
                false => {
                    let (codes, derived) = read.codes(Value::code)?;
                    (Codes::Words(codes), derived)
                }
            };
            let predecessors_fit_bytes = match &codes {
                Codes::Bytes(codes) => is_wdl || are_below_max(codes),
                Codes::Words(_) => false,
            };
            let table = Arc::clone(table);
            sides.push(LoadedSide { table, side, codes, derived, predecessors_fit_bytes });
        }
        sides.sort_by_key(|loaded| loaded.side);
        Ok(sides)
    }

    /// Compares a table with `sides`, the values of the signature's table from which it can be derived
    /// (which may be the same table), and checks its digest.
    fn check_table<G: Indexable>(
        &self,
        table: &Arc<Table<G>>,
        sides: &[LoadedSide<G>],
        known: &ByMaterial<LoadedSide<G>>,
    ) -> Result<Option<Finding>, GenError> {
        let metric = table.header().metric();
        let mut wrong = Wrong::default();
        for loaded in sides.iter().filter(|loaded| !Arc::ptr_eq(&loaded.table, table)) {
            table.check_directory()?;
            if !table.holds(loaded.side) {
                continue;
            }
            let block_len = table.header().block_positions();
            let compare = |block: u64| {
                self.monitor.stop.check()?;
                let mut wrong = Wrong::default();
                let first = block * block_len;
                for (number, stored) in (first..).zip(block_from(table, loaded.side, first)?) {
                    if loaded.is_derived(number) {
                        continue;
                    }
                    let derived = loaded.codes.value(number).reduced_to(metric);
                    let stored = match stored == derived {
                        true => stored,
                        false => resolved(known, &loaded.index().position(number), stored, metric),
                    };
                    wrong.compare(loaded.side, number, stored, derived);
                }
                Ok::<_, GenError>(wrong)
            };
            let blocks = 0..loaded.index().len().div_ceil(block_len);
            let compared = parallel::try_map(blocks, compare)?;
            wrong = compared.into_iter().fold(wrong, Wrong::and);
        }
        if let Some(wrong) = wrong.finding(table) {
            return Ok(Some(wrong));
        }
        if G::HAS_CONVERSIONS && table.header().left_out().is_some() {
            // The digest covers stored values, which may be lower than the values derived here.
            return Ok(None);
        }
        let failed = RefCell::default();
        let values = sides.iter().flat_map(|loaded| loaded.digested(table, &failed));
        let is_right = table.check_digest(values).is_ok();
        if let Some(error) = failed.into_inner() {
            return Err(error);
        }
        let signature = table.signature().to_string();
        Ok((!is_right).then_some(Finding::Digest { signature, metric }))
    }

    /// Checks every value that the table stores against its successors, and counts the values of
    /// each side to move.
    fn successors<G: Indexable>(
        &self,
        sides: &[LoadedSide<G>],
        metric: Metric,
        known: &ByMaterial<LoadedSide<G>>,
    ) -> Result<(Vec<(Summary, Histogram)>, Wrong), GenError> {
        let mut counts = Vec::new();
        let mut wrong = Wrong::default();
        for loaded in sides {
            let after_quiet =
                sides.iter().find(|other| other.side != loaded.side).unwrap_or(loaded);
            let is_held = loaded.table.holds(loaded.side);
            let check = |numbers: Range<u64>| {
                self.monitor.stop.check()?;
                let (mut summary, mut histogram) = (Summary::default(), Histogram::default());
                let mut wrong = Wrong::default();
                let positions = loaded.index().positions(numbers.clone());
                for (number, position) in numbers.clone().zip(positions) {
                    let stored = loaded.codes.value(number);
                    if !G::is_legal(&position) {
                        continue;
                    }
                    let weight = loaded.index().weight(number);
                    summary.count(stored, number, weight);
                    histogram.add(stored, weight);
                    if is_held && !loaded.is_derived(number) {
                        let derived = derive_from_moves(known, after_quiet, &position);
                        wrong.compare(loaded.side, number, stored, derived.reduced_to(metric));
                    }
                }
                self.monitor.advance(numbers.end - numbers.start);
                Ok::<_, GenError>(((summary, histogram), wrong))
            };
            let checked = parallel::try_map(chunks(loaded.index().len()), check)?;
            let mut all = (Summary::default(), Histogram::default());
            for ((summary, histogram), compared) in checked {
                all = (all.0.merged(summary), all.1);
                all.1.extend(histogram.values());
                wrong = wrong.and(compared);
            }
            counts.push(all);
        }
        Ok((counts, wrong))
    }
}

/// Whether all codes are less than 255.
fn are_below_max(codes: &[u8]) -> bool {
    const CHUNK: usize = 1 << 16;
    let chunks = codes.chunks(CHUNK);
    parallel::map(chunks, |chunk| chunk.iter().all(|&code| code < u8::MAX)).into_iter().all(|is| is)
}

/// The part of a table with one side to move, being read.
struct Reading<'a, G> {
    verifier: &'a Verifier<'a>,
    table: &'a Table<G>,
    side: Side,
    metric: Metric,
    known: &'a ByMaterial<LoadedSide<G>>,
    /// The values with the other side to move, if they have been read.
    held: Option<&'a LoadedSide<G>>,
}

impl<G: Indexable> Reading<'_, G> {
    /// All values, encoded by `code`, and the bits of those that were derived.
    fn codes<C: Copy + Default + Send>(
        &self,
        code: impl Fn(Value) -> C + Sync,
    ) -> Result<(Vec<C>, Vec<u64>), GenError> {
        let index = self.table.side_index(self.side);
        // If the table does not hold this side, its values follow from those of the other side to
        // move.
        let is_held = self.table.holds(self.side);
        let unheld = self.held.filter(|_| !is_held);
        let len = index.len() as usize;
        let mut codes = filled(C::default(), len)?;
        let mut derived = filled(0, len.div_ceil(64))?;
        // A multiple of 64, so that no two threads share a word of bits.
        let block_len = self.table.header().block_positions() as usize;
        let bits = derived.chunks_mut(block_len / 64);
        let blocks = codes.chunks_mut(block_len).zip(bits).enumerate();
        parallel::try_map(blocks, |(block, (codes, bits))| {
            self.verifier.monitor.stop.check()?;
            let first = (block * block_len) as u64;
            let values = match self.table.header().left_out() == Some(self.side) {
                true => vec![Value::DONT_CARE; codes.len()],
                false => block_from(self.table, self.side, first)?,
            };
            let positions = index.positions(first..first + values.len() as u64);
            for (offset, (stored, position)) in values.into_iter().zip(positions).enumerate() {
                let value = match (G::is_stored(&position), unheld) {
                    (true, None) => resolved(self.known, &position, stored, self.metric),
                    (true, Some(after_quiet)) => {
                        derive_from_moves(self.known, after_quiet, &position)
                    }
                    (false, _) => {
                        bits[offset / 64] |= 1 << (offset % 64);
                        self.derived(&position)
                    }
                };
                codes[offset] = code(value.reduced_to(self.metric));
            }
            Ok::<_, GenError>(())
        })?;
        Ok((codes, derived))
    }

    /// The derived value of a position that the table does not store; arbitrary if it is not legal.
    fn derived(&self, position: &G::Position) -> Value {
        if !G::is_legal(position) {
            return Value::DRAW;
        }
        let Ok(value) =
            derive::<G, Infallible>(position, |after, _| Ok(value_of_exit(self.known, after)));
        value
    }
}
