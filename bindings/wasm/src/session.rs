use crate::parts::{PartId, Parts};
use crate::ranges::RangedFiles;
use crate::requests::{self, Failure, Fields};
use crate::storage::Fetched;
use damka::chunks::{ChunkedTable, ChunkedTables};
use damka::{AnyAnswers, AnyGame, BlockCache, open_answers};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// The memory for decoded blocks of all games, in bytes.
const CACHE_BYTES: u64 = 8 << 20;
/// The memory for parts of files, in bytes. All parts that one step of a request needs must fit.
const PART_BYTES: usize = 16 << 20;

/// All open tables, and their shared data.
pub(crate) struct Session {
    cache: BlockCache,
    parts: Arc<Parts>,
    tables: HashMap<u32, Opened>,
    /// The next free numbers of tables and of files.
    next_tables: u32,
    next_file: u32,
}

/// The open tables of a game.
pub(crate) struct Opened {
    pub(crate) tables: Box<dyn AnyAnswers>,
    /// The numbers of their files, if they are in whole files.
    files: Range<u32>,
}

/// The reply to a request that opens tables.
#[derive(Serialize)]
struct Open {
    tables: u32,
    game: &'static str,
    /// The number of the first file.
    first_file: u32,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            cache: BlockCache::new(CACHE_BYTES),
            parts: Arc::new(Parts::new(PART_BYTES)),
            tables: HashMap::new(),
            next_tables: 0,
            next_file: 0,
        }
    }
}

impl Session {
    /// The reply to a request, as JSON: `ok` with the result; or `needed`, the parts that must be
    /// delivered before the request can be answered; or `error`.
    pub(crate) fn request(&mut self, request: &[u8]) -> String {
        let answered = match str::from_utf8(request) {
            Ok(text) => self.answer(&mut Fields::new(text)),
            Err(_) => Err(Failure::request("the request is not text")),
        };
        let needed = self.parts.take_needed();
        match answered {
            Ok(json) => format!("{{\"ok\":{json}}}"),
            Err(Failure::Pending { found }) => requests::needed(&needed, found),
            Err(Failure::Error(error)) => format!("{{\"error\":{}}}", requests::json(&error)),
        }
    }

    fn answer(&mut self, fields: &mut Fields<'_>) -> Result<String, Failure> {
        match fields.text()? {
            "games" => {
                fields.finish()?;
                Ok(requests::games())
            }
            "game" => {
                let game = game(fields.text()?)?;
                fields.finish()?;
                Ok(requests::json(&game.name()))
            }
            "open_chunks" => {
                let game = game(fields.text()?)?;
                let mut tables = BTreeMap::new();
                while let Some(name) = fields.next() {
                    let (bytes, chunk, at) =
                        (fields.number()?, fields.number()?, fields.optional()?);
                    tables.insert(name.to_owned(), ChunkedTable { bytes, chunk, at });
                }
                let storage = ChunkedTables::new(game.name(), tables, Arc::clone(&self.parts));
                Ok(self.open(game, Fetched::Chunks(storage), self.next_file))
            }
            "open_files" => {
                let game = game(fields.text()?)?;
                let mut files = HashMap::new();
                let first_file = self.next_file;
                while let Some(name) = fields.next() {
                    let size = fields.number()?;
                    files.insert(format!("{}/{name}", game.name()), (self.next_file, size));
                    self.next_file += 1;
                }
                let storage = RangedFiles { files, parts: Arc::clone(&self.parts) };
                Ok(self.open(game, Fetched::Files(storage), first_file))
            }
            "close" => {
                let number = fields.number()?;
                fields.finish()?;
                if let Some(Opened { files, .. }) = self.tables.remove(&number) {
                    self.parts.forget(|file| files.contains(&file));
                }
                Ok("null".to_owned())
            }
            operation => {
                let opened = self.tables.get(&fields.number()?);
                let opened = opened.ok_or(Failure::request("these tables are not open"))?;
                requests::answer(&*opened.tables, operation, fields)
            }
        }
    }

    /// Opens tables; their files have the numbers from `first_file`.
    fn open(&mut self, game: AnyGame, storage: Fetched, first_file: u32) -> String {
        let number = self.next_tables;
        self.next_tables += 1;
        let tables = open_answers(game, storage, self.cache.clone());
        self.tables.insert(number, Opened { tables, files: first_file..self.next_file });
        requests::json(&Open { tables: number, game: game.name(), first_file })
    }

    /// Stores a part: its name, a zero byte, and its bytes. Returns whether the bytes are right.
    pub(crate) fn deliver(&self, part: &[u8]) -> bool {
        let Some(end) = part.iter().position(|&byte| byte == 0) else { return false };
        let id = str::from_utf8(&part[..end]).ok().and_then(|text| text.parse::<PartId>().ok());
        id.is_some_and(|id| self.parts.put(id, &part[end + 1..]))
    }
}

fn game(name: &str) -> Result<AnyGame, Failure> {
    name.parse().map_err(|error: damka::games::UnknownGame| {
        Failure::error("bad", "unknown_game", error.to_string())
    })
}
