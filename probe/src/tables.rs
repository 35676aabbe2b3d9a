use crate::ProbeError;
use crate::table::{Table, indices, table_path};
use damka_games::{Color, Game};
use damka_tables::format::{Decoder, Metric};
use damka_tables::{Index, Layout, Signature, Value, Wdl};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

/// The memory for decoded blocks unless the caller says otherwise, in bytes.
const CACHE_BYTES: u64 = 64 << 20;

/// A directory of tables. Tables are opened when they are first needed; threads
/// may share it.
pub struct Tables<G> {
    directory: PathBuf,
    entries: RwLock<HashMap<Signature<G>, Arc<Entry<G>>>>,
    blocks: Cache<BlockKey<G>, Arc<Vec<u8>>, BlockBytes>,
}

/// What is known of a signature: its indices, and its tables that are open.
struct Entry<G> {
    indices: OnceLock<Arc<Vec<Index<G>>>>,
    tables: [OnceLock<Table<G>>; Metric::ALL.len()],
}

type BlockKey<G> = (Signature<G>, Metric, u64);

/// Weighs a decoded block by its size.
#[derive(Clone)]
struct BlockBytes;

impl<G> Weighter<BlockKey<G>, Arc<Vec<u8>>> for BlockBytes {
    fn weight(&self, _: &BlockKey<G>, block: &Arc<Vec<u8>>) -> u64 {
        block.len() as u64
    }
}

thread_local! {
    /// A decompression context costs more than a block to make.
    static DECODER: RefCell<Option<Decoder>> = const { RefCell::new(None) };
}

/// A legal move with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The position it leads to.
    pub position: G::Position,
    /// The result for the side that plays it; its distance counts the move.
    pub value: Value,
}

impl<G: Layout> Tables<G> {
    /// The tables in `directory`, which need not exist yet, with a cache of 64 MiB.
    pub fn open(directory: impl Into<PathBuf>) -> Tables<G> {
        Tables::with_cache(directory, CACHE_BYTES)
    }

    /// The tables in `directory`, decoded blocks taking up to `cache_bytes`.
    pub fn with_cache(directory: impl Into<PathBuf>, cache_bytes: u64) -> Tables<G> {
        let blocks = cache_bytes / (16 << 10) + 1;
        Tables {
            directory: directory.into(),
            entries: RwLock::default(),
            blocks: Cache::with_weighter(blocks as usize, cache_bytes, BlockBytes),
        }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Win, draw or loss for the side to move. Exact for every legal position.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn wdl(&self, position: &G::Position) -> Result<Wdl, ProbeError> {
        Ok(self.value(position, Metric::Wdl)?.wdl())
    }

    /// The value with the distance to win. Exact for every legal position.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn dtw(&self, position: &G::Position) -> Result<Value, ProbeError> {
        self.value(position, Metric::Dtw)
    }

    /// The value under `metric`; without distances under [`Metric::Wdl`], where
    /// a win counts as a win in 1 and a loss as a loss in 0.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn value(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        let bare = Color::BOTH.into_iter().any(|color| is_bare::<G>(position, color));
        let value = match bare || G::captures_only(position) {
            true => self.resolve(position, metric)?,
            false => self.look_up(position, metric)?,
        };
        Ok(match metric {
            Metric::Wdl => Value::without_distance(value.wdl()),
            Metric::Dtw => value,
        })
    }

    /// All legal moves with their results, best first: quick wins, slow wins,
    /// draws, slow losses, quick losses.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn moves(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Vec<RankedMove<G>>, ProbeError> {
        let mut ranked = Vec::new();
        for mv in G::moves(position) {
            let after = G::play(position, mv);
            let value = self.value(&after, metric)?.before_move();
            ranked.push(RankedMove { mv, position: after, value });
        }
        ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.value));
        Ok(ranked)
    }

    /// Best play to the end: the winner takes the shortest way, the loser the
    /// longest. Empty for a draw, which has no end.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn line(&self, position: &G::Position) -> Result<Vec<RankedMove<G>>, ProbeError> {
        let mut line: Vec<RankedMove<G>> = Vec::new();
        // Exactly as long as its value says, whatever the tables hold.
        for _ in 0..self.dtw(position)?.plies().unwrap_or(0) {
            let position = line.last().map_or(*position, |last| last.position);
            let Some(best) = self.moves(&position, Metric::Dtw)?.into_iter().next() else {
                break;
            };
            line.push(best);
        }
        Ok(line)
    }

    /// The best result of the legal moves. This ends: they are captures, which
    /// lead to fewer pieces, or a side has no pieces and so no moves.
    fn resolve(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        let mut best = None;
        for &mv in &G::moves(position) {
            let after = G::play(position, mv);
            let value = self.value(&after, metric)?.before_move();
            best = best.max(Some(value));
            if metric == Metric::Wdl && value.wdl() == Wdl::Win {
                break;
            }
        }
        Ok(best.unwrap_or_else(|| Value::stuck::<G>(position)))
    }

    /// The value that the table holds.
    fn look_up(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        let (signature, side) = Signature::<G>::of(position);
        let entry = self.entry(&signature);
        let table = self.table(&entry, &signature, metric)?;
        let number = table.side_index(side).number(&match G::turn(position) {
            Color::White => *position,
            Color::Black => G::flip(position),
        });
        let (number, place) = table.locate(side, number);
        let decode = || {
            let mut block = Vec::new();
            DECODER.with_borrow_mut(|decoder| {
                let decoder = match decoder {
                    Some(decoder) => decoder,
                    None => {
                        let new = Decoder::new().map_err(|error| table.damaged(error.into()))?;
                        decoder.insert(new)
                    }
                };
                table.read_block(decoder, number, &mut block)
            })?;
            Ok(Arc::new(block))
        };
        let block = self.blocks.get_or_insert_with(&(signature, metric, number), decode)?;
        table.value(number, &block, place)
    }

    fn entry(&self, signature: &Signature<G>) -> Arc<Entry<G>> {
        let known = self.entries.read().unwrap_or_else(|lock| lock.into_inner());
        if let Some(entry) = known.get(signature) {
            return Arc::clone(entry);
        }
        drop(known);
        let mut known = self.entries.write().unwrap_or_else(|lock| lock.into_inner());
        let unopened = || Entry { indices: OnceLock::new(), tables: Default::default() };
        Arc::clone(known.entry(*signature).or_insert_with(|| Arc::new(unopened())))
    }

    fn table<'a>(
        &self,
        entry: &'a Entry<G>,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<&'a Table<G>, ProbeError> {
        let slot = &entry.tables[metric as usize];
        if let Some(table) = slot.get() {
            return Ok(table);
        }
        let indices = || Arc::clone(entry.indices.get_or_init(|| Arc::new(indices(signature))));
        let path = table_path(&self.directory, signature, metric);
        let table = Table::with_indices(path, *signature, metric, indices)?;
        Ok(slot.get_or_init(|| table))
    }
}

/// Whether a side has no pieces left.
fn is_bare<G: Game>(position: &G::Position, color: Color) -> bool {
    (0..G::KINDS.len()).all(|kind| G::pieces(position, color, kind) == 0)
}
