//! What has been solved of a signature that is not finished, in a file, so that a run that
//! was killed can go on.
//!
//! The file begins with a line that tells what it belongs to. Records follow: length, checksum
//! and data, which are the results of a batch (in chess the scores of a fibre), or nothing, which
//! says that all results so far make whole rounds. What follows the last such mark is ignored. Checksums cover everything
//! before them: no record can be missing or twice, and zeros, which a crash may leave at the
//! end, are no marks.
//!
//! # What is guarded
//!
//! * *Damage* costs the rounds from there on: checksums tell.
//! * *Other work* is not gone on with: the first line names the version of the program and of
//!   what a journal holds, the game with the versions of its rules and its index, the
//!   signature, whether distances count, and a digest of all tables that the signature leads
//!   to. A journal that is honest but was made from other tables is dropped.
//! * *Forged records*, whose checksums fit, can neither make the solver panic nor have it take
//!   more memory than solving does: each must be as long, when it is unpacked, as the results
//!   of its batch are, a round must have as many as it has batches, and there is nothing in
//!   them but scores that can be and, if a game needs it, a bit for each position in which only
//!   captures are legal.
//!   Everything else, where values belong and how often each occurs, is worked out again. So
//!   every position has a value and is counted once, which is checked before a table is
//!   written.
//!
//! What is *not* guarded: that the scores are the right ones. Nothing short of solving the
//! fibres again would tell. A journal is trusted as much as the directory that it is in: who
//! can write there may as well change a table. `damka verify` finds what is wrong in either.

use crate::GenError;
use crc32fast::Hasher;
use damka_system::{is_own, open_own};
use damka_tables::{Indexable, Signature};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How unfinished work on a signature is kept.
pub(crate) struct JournalOptions<'a> {
    /// The directory of tables.
    pub(crate) directory: &'a Path,
    /// How often it is synced.
    pub(crate) interval: Duration,
    /// What the signature is worked out from: another text for other tables.
    pub(crate) origin: String,
    /// Told of a journal that cannot be used, and why.
    pub(crate) dropped: &'a (dyn Fn(&Path, &str) + Sync),
}

/// A journal that is being written.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// The first line.
    head: String,
    /// The checksum of all so far.
    crc: Hasher,
    interval: Duration,
    synced: Instant,
}

/// Grows when what a journal holds, or what a round is, changes.
const VERSION: u32 = 4;

/// Why a journal cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unusable(pub(super) &'static str);

/// The most that a round may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) records: usize,
    /// Of a record.
    pub(super) bytes: usize,
}

impl Journal {
    /// Opens the journal of a signature, or begins one, and hands the whole rounds that it has to
    /// `take`, in order: the records of each. `kind` tells what results are of. Returns it with
    /// whether all is well: else whatever has been taken is to be forgotten, and it has been begun
    /// anew.
    ///
    /// # Errors
    /// The file cannot be read or written, or is no regular file.
    pub(super) fn go_on<G: Indexable>(
        options: &JournalOptions<'_>,
        signature: &Signature<G>,
        kind: &str,
        limits: Limits,
        take: impl FnMut(Vec<Vec<u8>>) -> Result<(), Unusable>,
    ) -> Result<(Journal, bool), GenError> {
        let JournalOptions { directory, interval, origin, dropped } = options;
        let go_on = || {
            let opened = Journal::open(directory, signature, kind, origin, *interval);
            let (mut journal, mut unusable) = opened?;
            let read = journal.read(limits, take)?;
            if let Err(problem) = read {
                unusable = Some(problem);
                journal.begin()?;
            }
            if let Some(Unusable(why)) = unusable {
                dropped(journal.path(), why);
            }
            Ok((journal, read.is_ok()))
        };
        go_on().map_err(GenError::io("use the journal", path(directory, signature)))
    }

    /// Opens the journal of a signature in `directory`, or begins one. `kind` and `origin`
    /// tell what results are of and what they were worked out from. Returns it with why
    /// what was there could not be used, if so: then it has been begun anew.
    ///
    /// # Errors
    /// The file cannot be read or written, or is no regular file.
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
        let mut file = open_own(&path)?;
        let mut begin = Vec::new();
        (&mut file).take(head.len() as u64).read_to_end(&mut begin)?;
        let crc = Hasher::new();
        let synced = Instant::now();
        let mut journal = Journal { path, file, head, crc, interval, synced };
        if begin == journal.head.as_bytes() {
            journal.crc.update(&begin);
            return Ok((journal, None));
        }
        // A run may have been killed before all of the line was there.
        let is_new = journal.head.as_bytes().starts_with(&begin);
        journal.begin()?;
        let other = Unusable("another version made it, for other metrics or from other tables");
        Ok((journal, (!is_new).then_some(other)))
    }

    /// Begins anew.
    ///
    /// # Errors
    /// The file cannot be written.
    fn begin(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(self.head.as_bytes())?;
        self.crc = Hasher::new();
        self.crc.update(self.head.as_bytes());
        Ok(())
    }

    /// Hands the whole rounds of a journal that has just been opened to `take`, in order:
    /// the records of each. What follows them is cut off.
    ///
    /// # Errors
    /// The file cannot be read or written. The inner error is what `take` says, or that a
    /// round has too many records.
    fn read(
        &mut self,
        limits: Limits,
        mut take: impl FnMut(Vec<Vec<u8>>) -> Result<(), Unusable>,
    ) -> io::Result<Result<(), Unusable>> {
        let mut end = self.head.len() as u64;
        self.file.seek(SeekFrom::Start(end))?;
        let mut records = BufReader::with_capacity(1 << 20, &self.file);
        let (mut at, mut crc) = (end, self.crc.clone());
        let mut round = Vec::new();
        while let Some(record) = next_record(&mut records, &mut crc, limits.bytes)? {
            at += 12 + record.len() as u64;
            if !record.is_empty() {
                round.push(record);
                if round.len() > limits.records {
                    return Ok(Err(Unusable("a round has too many records")));
                }
                continue;
            }
            if let Err(unusable) = take(std::mem::take(&mut round)) {
                return Ok(Err(unusable));
            }
            end = at;
            self.crc = crc.clone();
        }
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::End(0))?;
        Ok(Ok(()))
    }

    /// Writes the records of a round, and syncs the file when it is time to.
    ///
    /// # Errors
    /// Writing failed.
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

    /// Sees to it that what has been written outlasts a crash of the system.
    ///
    /// # Errors
    /// Writing failed.
    pub(super) fn sync(&mut self) -> Result<(), GenError> {
        self.file.sync_data().map_err(GenError::io("write", &self.path))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The journal of a signature.
fn path<G: Indexable>(directory: &Path, signature: &Signature<G>) -> PathBuf {
    directory.join(signature.game().name()).join(format!(".{signature}.journal"))
}

/// The journals of unfinished work on `game` in a directory of tables, in ascending order of pieces.
///
/// # Errors
/// The directory cannot be read. One that does not exist has none.
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
        // Others are not damka's own.
        if file == path(directory, &signature) && is_own(&file) {
            found.push((signature, file));
        }
    }
    found.sort_by_key(|(signature, _)| (signature.pieces(), *signature));
    Ok(found)
}

/// Removes the journal of a signature, if there is one. What has its name but is no
/// regular file is left alone.
///
/// # Errors
/// It cannot be removed.
pub(crate) fn remove<G: Indexable>(directory: &Path, signature: &Signature<G>) -> io::Result<()> {
    let path = path(directory, signature);
    if is_own(&path) { fs::remove_file(path) } else { Ok(()) }
}

/// The next record, of at most `most` bytes; `None` at the end of what is sound. `crc` is
/// the checksum of all before it, and then of all up to it.
fn next_record(
    records: &mut impl Read,
    crc: &mut Hasher,
    most: usize,
) -> io::Result<Option<Vec<u8>>> {
    let (mut len, mut sum, mut data) = ([0; 8], [0; 4], Vec::new());
    let whole = records.read_exact(&mut len).and_then(|()| {
        records.read_exact(&mut sum)?;
        let len = u64::from_le_bytes(len);
        // This makes no more room than there is data.
        let read = records.take(len.min(most as u64)).read_to_end(&mut data)?;
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
