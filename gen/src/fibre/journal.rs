use super::solution::Count;
use crc32fast::Hasher;
use damka_games::Color;
use damka_tables::{Layout, Signature};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What has been solved of a signature that is not finished, in a file, so that a
/// run that was killed can go on.
///
/// The file begins with what it belongs to. Records follow: length, checksum and
/// data, which are the results of a batch, or nothing, which says that all results
/// so far make whole rounds. What follows the last such mark is ignored. Checksums
/// cover everything before them: no record can be missing or twice, and zeros, which
/// a crash may leave at the end, are no marks.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// The checksum of all records so far.
    crc: Hasher,
    /// Records to be written.
    pending: Vec<u8>,
    interval: Duration,
    saved: Instant,
}

/// The results of a batch.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// Side to move, number and place in `packed` of its frames.
    pub(super) frames: Vec<(Color, u64, Range<usize>)>,
    pub(super) packed: Vec<u8>,
    /// Side to move, first number and place in `stored` of runs.
    pub(super) runs: Vec<(Color, u64, Range<usize>)>,
    pub(super) stored: Vec<u8>,
    /// By side to move.
    pub(super) counts: [Count; 2],
}

/// Grows when what a journal holds, or what a round is, changes.
const VERSION: u32 = 3;

impl Journal {
    /// Opens the journal of a signature in `directory`, or begins one. `take` is
    /// given the results that it holds. Returns it with the number of rounds that
    /// these results make.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(super) fn open<G: Layout>(
        directory: &Path,
        signature: &Signature<G>,
        kind: &str,
        interval: Duration,
        mut take: impl FnMut(Solved),
    ) -> io::Result<(Journal, usize)> {
        let path = path(directory, signature);
        let identity = format!(
            "damka journal {VERSION} {} {signature} {kind} {} {}\n",
            G::NAME,
            G::RULES_VERSION,
            G::INDEX_VERSION
        );
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        let mut crc = Hasher::new();
        crc.update(identity.as_bytes());
        let mut rounds = 0;
        match sound_part(&mut file, identity.as_bytes())? {
            None => {
                file.set_len(0)?;
                file.rewind()?;
                file.write_all(identity.as_bytes())?;
            }
            Some(end) => {
                file.set_len(end)?;
                file.seek(SeekFrom::Start(identity.len() as u64))?;
                let mut records = BufReader::with_capacity(1 << 20, &file);
                while let Some(record) = next_record(&mut records, &mut crc)? {
                    match record.is_empty() {
                        true => rounds += 1,
                        false => take(Solved::decode(&record)?),
                    }
                }
                file.seek(SeekFrom::End(0))?;
            }
        }
        let (pending, saved) = (Vec::new(), Instant::now());
        Ok((Journal { path, file, crc, pending, interval, saved }, rounds))
    }

    /// Adds the encoded results of a round, and writes what there is when it is
    /// time to.
    ///
    /// # Errors
    /// Writing failed.
    pub(super) fn add<'r>(&mut self, round: impl Iterator<Item = &'r [u8]>) -> io::Result<()> {
        for record in round.chain([&[][..]]) {
            let len = (record.len() as u64).to_le_bytes();
            self.crc.update(&len);
            self.crc.update(record);
            self.pending.extend(len);
            self.pending.extend(self.crc.clone().finalize().to_le_bytes());
            self.pending.extend(record);
        }
        match self.saved.elapsed() >= self.interval {
            true => self.save(),
            false => Ok(()),
        }
    }

    /// Writes what there is.
    ///
    /// # Errors
    /// Writing failed.
    pub(super) fn save(&mut self) -> io::Result<()> {
        self.file.write_all(&self.pending)?;
        self.file.sync_data()?;
        self.pending.clear();
        self.saved = Instant::now();
        Ok(())
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The journal of a signature.
fn path<G: Layout>(directory: &Path, signature: &Signature<G>) -> PathBuf {
    directory.join(G::NAME).join(format!(".{signature}.journal"))
}

/// Removes the journal of a signature, if there is one.
///
/// # Errors
/// It cannot be removed.
pub(crate) fn remove<G: Layout>(directory: &Path, signature: &Signature<G>) -> io::Result<()> {
    match std::fs::remove_file(path(directory, signature)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Where the last mark of a journal ends; `None` if the file does not begin with
/// this identity.
fn sound_part(file: &mut File, identity: &[u8]) -> io::Result<Option<u64>> {
    file.rewind()?;
    let mut records = BufReader::with_capacity(1 << 20, file);
    let mut begin = vec![0; identity.len()];
    match records.read_exact(&mut begin) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    if begin != identity {
        return Ok(None);
    }
    let mut crc = Hasher::new();
    crc.update(identity);
    let mut at = identity.len() as u64;
    let mut end = at;
    while let Some(record) = next_record(&mut records, &mut crc)? {
        at += 12 + record.len() as u64;
        if record.is_empty() {
            end = at;
        }
    }
    Ok(Some(end))
}

/// The next record; `None` at the end of what is sound. `crc` is the checksum of
/// all before it, and then of all up to it.
fn next_record(records: &mut impl Read, crc: &mut Hasher) -> io::Result<Option<Vec<u8>>> {
    let (mut len, mut sum, mut data) = ([0; 8], [0; 4], Vec::new());
    let whole = records.read_exact(&mut len).and_then(|()| {
        records.read_exact(&mut sum)?;
        let len = u64::from_le_bytes(len);
        // This makes no more room than there is data.
        let read = records.take(len).read_to_end(&mut data)?;
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

/// Quick: this must not take long beside solving.
const ZSTD_LEVEL: i32 = 1;

impl Solved {
    /// The results as the data of a record.
    pub(super) fn encode(&self) -> io::Result<Vec<u8>> {
        let mut plain = Vec::with_capacity(self.packed.len() + self.stored.len() + (1 << 13));
        for (parts, bytes) in [(&self.frames, &self.packed), (&self.runs, &self.stored)] {
            plain.extend((parts.len() as u64).to_le_bytes());
            for (color, number, range) in parts {
                plain.push(*color as u8);
                plain.extend(number.to_le_bytes());
                plain.extend((range.len() as u64).to_le_bytes());
            }
            plain.extend(bytes);
        }
        for count in &self.counts {
            count.encode(&mut plain);
        }
        zstd::bulk::compress(&plain, ZSTD_LEVEL)
    }

    fn decode(record: &[u8]) -> io::Result<Solved> {
        let plain = zstd::decode_all(record)?;
        let mut plain = &plain[..];
        let mut solved = Solved::default();
        for (parts, bytes) in
            [(&mut solved.frames, &mut solved.packed), (&mut solved.runs, &mut solved.stored)]
        {
            let mut end = 0usize;
            for _ in 0..number(&mut plain)? {
                let mut color = [0];
                plain.read_exact(&mut color)?;
                let color = Color::BOTH[usize::from(color[0] != 0)];
                let first = number(&mut plain)?;
                let start = end;
                end = end.saturating_add(number(&mut plain)? as usize);
                parts.push((color, first, start..end));
            }
            let (data, rest) = plain.split_at_checked(end).ok_or(io::ErrorKind::InvalidData)?;
            bytes.extend(data);
            plain = rest;
        }
        for count in &mut solved.counts {
            *count = Count::decode(&mut plain)?;
        }
        Ok(solved)
    }
}

/// Reads a number.
pub(super) fn number(plain: &mut &[u8]) -> io::Result<u64> {
    let mut bytes = [0; 8];
    plain.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
