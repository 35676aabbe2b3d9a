//! The journal of an unfinished signature: a file with the results so far, from which a killed run
//! can be resumed.
//!
//! The file starts with a line that identifies what it belongs to. Records follow, each with
//! length, checksum and data. A record with data holds the results of a batch (in chess the scores
//! of a fibre). An empty record is a mark: all results before it form whole rounds. Anything after
//! the last mark is ignored. Each checksum covers the whole file before it, so no record can be
//! missing or duplicated, and zeros, which a crash may leave at the end, are not valid marks.
//!
//! # What is checked
//!
//! * *Damage.* Checksums detect it; the rounds from there on are solved again.
//! * *Other work.* The first line names the version of the program and of the journal's contents,
//!   the game with the versions of its rules and its index, the signature, the kind of results, and
//!   a digest of the tables that they depend on. A valid journal made from other tables is dropped.
//! * *Forged records* with matching checksums can neither make the solver panic nor make it use
//!   more memory than solving does. Unpacked, each must be exactly as long as the results of its
//!   batch; a round must have exactly one record per batch; and a record contains nothing but
//!   possible scores and, if the game needs it, a bit for each position in which only captures are
//!   legal. Everything else (where values belong, how often each occurs) is recomputed. So every
//!   position has a value and is counted once, which is checked before a table is written.
//!
//! What is *not* checked: that the scores are correct. Only solving the fibres again would show
//! that. A journal is trusted as much as its directory: anyone who can write there can also change
//! a table. `damka verify` finds errors in either.

use crate::GenError;
use crc32fast::Hasher;
use damka_system::{is_own_file, open_own_file, remove_file, sync};
use damka_tables::{Indexable, Signature};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A fast level: compression must not take long compared with solving.
const ZSTD_LEVEL: i32 = 1;

/// Compresses the results of a batch into the data of a record.
///
/// # Errors
/// Fails if there is not enough memory.
pub(super) fn compress(plain: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(plain, ZSTD_LEVEL)
}

/// How unfinished work on a signature is journalled.
pub(crate) struct JournalOptions<'a> {
    /// The directory of tables.
    pub(crate) directory: &'a Path,
    /// Interval between syncs to disk.
    pub(crate) interval: Duration,
    /// Identifies the inputs of the signature: differs if any input table differs.
    pub(crate) origin: String,
    /// Callback for a journal that cannot be used, with the reason.
    pub(crate) on_dropped: &'a (dyn Fn(&Path, &str) + Sync),
}

/// A journal open for writing.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// The first line.
    head: String,
    /// The checksum of everything read or written so far.
    crc: Hasher,
    interval: Duration,
    synced: Instant,
}

/// Version of the journal's contents. Incremented when the contents or the division into rounds
/// change.
const VERSION: u32 = 4;

/// Why a journal cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unusable(pub(super) &'static str);

/// Upper limits for the contents of a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Records in a round.
    pub(super) records: usize,
    /// Bytes in a record.
    pub(super) bytes: usize,
}

impl Journal {
    /// Opens or creates the journal of a signature and passes each of its whole rounds to `take`,
    /// in order. `kind` identifies the kind of results. Returns the journal and whether all rounds
    /// were accepted. If not, the journal is empty again and the caller must discard everything
    /// that `take` has received.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or is not a regular file.
    pub(super) fn resume<G: Indexable>(
        options: &JournalOptions<'_>,
        signature: &Signature<G>,
        kind: &str,
        limits: Limits,
        take: impl FnMut(Vec<Vec<u8>>) -> Result<Result<(), Unusable>, GenError>,
    ) -> Result<(Journal, bool), GenError> {
        let JournalOptions { directory, interval, origin, on_dropped } = options;
        let opened = Journal::open(directory, signature, kind, origin, *interval);
        let (mut journal, mut unusable) =
            opened.map_err(cannot_use(&path(directory, signature)))?;
        let read = journal.read(limits, take)?;
        if let Err(problem) = read {
            unusable = Some(problem);
            journal.begin().map_err(cannot_use(&journal.path))?;
        }
        if let Some(Unusable(why)) = unusable {
            on_dropped(journal.path(), why);
        }
        Ok((journal, read.is_ok()))
    }

    /// Opens or creates the journal of a signature in `directory`. `kind` and `origin` identify the
    /// kind of results and their inputs. If an existing journal cannot be used, it is emptied and
    /// the reason is returned.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or is not a regular file.
    fn open<G: Indexable>(
        directory: &Path,
        signature: &Signature<G>,
        kind: &str,
        origin: &str,
        interval: Duration,
    ) -> io::Result<(Journal, Option<Unusable>)> {
        let path = path(directory, signature);
        let program = env!("CARGO_PKG_VERSION");
        let game = signature.game();
        let (game, rules, index) = (game.name(), game.rules_version(), G::INDEX_VERSION);
        let head = format!(
            "damka {program} journal {VERSION} {game} {rules} {index} {signature} {kind} {origin}\n"
        );
        let mut file = open_own_file(&path)?;
        let mut begin = Vec::new();
        (&mut file).take(head.len() as u64).read_to_end(&mut begin)?;
        let crc = Hasher::new();
        let synced = Instant::now();
        let mut journal = Journal { path, file, head, crc, interval, synced };
        if begin == journal.head.as_bytes() {
            journal.crc.update(&begin);
            return Ok((journal, None));
        }
        // A run may have been killed before the whole line was written.
        let is_new = journal.head.as_bytes().starts_with(&begin);
        journal.begin()?;
        let other =
            Unusable("it was made by another version, for another metric or from other tables");
        Ok((journal, (!is_new).then_some(other)))
    }

    /// Empties the journal and writes its first line.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    fn begin(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(self.head.as_bytes())?;
        self.crc = Hasher::new();
        self.crc.update(self.head.as_bytes());
        Ok(())
    }

    /// Passes the records of each whole round of a journal that has just been opened to `take`, in
    /// order. Truncates the file after the last whole round.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or `take` fails. The inner result is an error if
    /// `take` returned one, or if a round has too many records.
    fn read(
        &mut self,
        limits: Limits,
        mut take: impl FnMut(Vec<Vec<u8>>) -> Result<Result<(), Unusable>, GenError>,
    ) -> Result<Result<(), Unusable>, GenError> {
        let mut end = self.head.len() as u64;
        self.file.seek(SeekFrom::Start(end)).map_err(cannot_use(&self.path))?;
        let mut records = BufReader::with_capacity(1 << 20, &self.file);
        let (mut at, mut crc) = (end, self.crc.clone());
        let mut round = Vec::new();
        let mut next = |crc: &mut Hasher| {
            next_record(&mut records, crc, limits.bytes).map_err(cannot_use(&self.path))
        };
        while let Some(record) = next(&mut crc)? {
            at += 12 + record.len() as u64;
            if !record.is_empty() {
                round.push(record);
                if round.len() > limits.records {
                    return Ok(Err(Unusable("a round has too many records")));
                }
                continue;
            }
            let taken = take(std::mem::take(&mut round))?;
            if taken.is_err() {
                return Ok(taken);
            }
            end = at;
            self.crc = crc.clone();
        }
        let seek_end = self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::End(0)));
        seek_end.map_err(cannot_use(&self.path))?;
        Ok(Ok(()))
    }

    /// Writes the records of a round. Syncs the file if the interval has passed.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub(super) fn add<'r>(
        &mut self,
        round: impl Iterator<Item = &'r [u8]>,
    ) -> Result<(), GenError> {
        let write = || {
            for record in round.chain([&[][..]]) {
                let len = (record.len() as u64).to_le_bytes();
                self.crc.update(&len);
                self.crc.update(record);
                self.file.write_all(&len)?;
                self.file.write_all(&self.crc.clone().finalize().to_le_bytes())?;
                self.file.write_all(record)?;
            }
            Ok(())
        };
        write().map_err(GenError::io("write", &self.path))?;
        match self.synced.elapsed() >= self.interval {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Syncs the file, so that what has been written survives a crash of the system.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub(super) fn sync(&mut self) -> Result<(), GenError> {
        sync(&self.file).map_err(GenError::io("write", &self.path))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// The path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The error for a journal that cannot be read or written.
fn cannot_use(path: &Path) -> impl FnOnce(io::Error) -> GenError {
    GenError::io("use the journal", path)
}

/// The path of the journal of a signature.
fn path<G: Indexable>(directory: &Path, signature: &Signature<G>) -> PathBuf {
    directory.join(signature.game().name()).join(format!(".{signature}.journal"))
}

/// The journals of unfinished work on `game` in a directory of tables, by ascending number of
/// pieces. Empty if the directory does not exist.
///
/// # Errors
/// Fails if the directory cannot be read.
pub fn journals<G: Indexable>(
    game: G,
    directory: &Path,
) -> Result<Vec<(Signature<G>, PathBuf)>, GenError> {
    let of_game = directory.join(game.name());
    let cannot_read = || GenError::io("read", &of_game);
    let files = match fs::read_dir(&of_game) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files.map_err(cannot_read())?,
    };
    let mut found = Vec::new();
    for file in files {
        let file = file.map_err(cannot_read())?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.strip_prefix('.').and_then(|name| name.strip_suffix(".journal"));
        let Some(signature) = name.and_then(|name| Signature::parse(game, name).ok()) else {
            continue;
        };
        // Other files with such names are not damka's.
        if file == path(directory, &signature) && is_own_file(&file) {
            found.push((signature, file));
        }
    }
    found.sort_by_key(|(signature, _)| (signature.pieces(), *signature));
    Ok(found)
}

/// Removes the journal of a signature if there is one. Leaves anything of that name that is not a
/// regular file alone.
///
/// # Errors
/// Fails if it cannot be removed.
pub(crate) fn remove<G: Indexable>(directory: &Path, signature: &Signature<G>) -> io::Result<()> {
    let path = path(directory, signature);
    if is_own_file(&path) { remove_file(&path) } else { Ok(()) }
}

/// Reads the next record, of at most `max_len` bytes; `None` at the end of the valid part. On entry
/// `crc` is the checksum of everything before the record, on return of everything up to its end.
fn next_record(
    records: &mut impl Read,
    crc: &mut Hasher,
    max_len: usize,
) -> io::Result<Option<Vec<u8>>> {
    let (mut len, mut sum, mut data) = ([0; 8], [0; 4], Vec::new());
    let whole = records.read_exact(&mut len).and_then(|()| {
        records.read_exact(&mut sum)?;
        let len = u64::from_le_bytes(len);
        // `take` limits the allocation to the data that exists.
        let read = records.take(len.min(max_len as u64)).read_to_end(&mut data)?;
        if read as u64 == len { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    });
    match whole {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
        Ok(()) => {
            crc.update(&len);
            crc.update(&data);
            let sound = crc.clone().finalize() == u32::from_le_bytes(sum);
            Ok(sound.then_some(data))
        }
    }
}
