use super::named;
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::{Game, Position};
use damka_system::open_own;
use rustc_hash::FxHashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What has been searched for a book so far, in a file, so that a run that is interrupted
/// can go on: a line that tells what it is, and one for each position, with a checksum and its
/// scores in front.
#[derive(Debug)]
pub struct Journal<G: Searchable> {
    path: PathBuf,
    file: File,
    game: PhantomData<G>,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// It could not be read or written.
    #[error("the journal {} cannot be read or written: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It is not of these searches.
    #[error("line {line} of {} is not of these searches: delete the file to begin again", path.display())]
    OtherSearches {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// What the moves of a position are worth to who plays them, in hundredths of a man, in the
/// order of their names.
pub type Scores = Vec<i32>;

/// Positions that have been searched.
pub type Known<G> = FxHashMap<<G as Game>::Position, Scores>;

impl<G: Searchable> Journal<G> {
    /// Opens a journal, or begins one, of searches of so many positions for each move.
    /// Returns what it holds as well.
    ///
    /// # Errors
    /// It cannot be read or written, or holds something else.
    pub fn open(game: G, path: &Path, nodes: u64) -> Result<(Journal<G>, Known<G>), JournalError> {
        let failed = |error| JournalError::Io { path: path.to_owned(), error };
        let other = |line| JournalError::OtherSearches { path: path.to_owned(), line };
        let mut file = open_own(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // The last line may have been cut off.
        let length = text.rfind('\n').map_or(0, |end| end + 1);
        let version = env!("CARGO_PKG_VERSION");
        let head = format!("damka {version} book {} nodes {nodes}", game.name());
        let mut known = Known::<G>::default();
        for (number, line) in (1..).zip(text[..length].lines()) {
            if number == 1 {
                if line != head {
                    return Err(other(number));
                }
                continue;
            }
            let (position, scores) = entry(game, line).ok_or_else(|| other(number))?;
            known.insert(position, scores);
        }
        file.set_len(length as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Journal { path: path.to_owned(), file, game: PhantomData };
        if length == 0 {
            journal.write(&head).map_err(failed)?;
        }
        Ok((journal, known))
    }

    /// Adds a position.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, position: &G::Position, scores: &Scores) -> Result<(), JournalError> {
        let scores: Vec<String> = scores.iter().map(i32::to_string).collect();
        let line = format!("{} {}", scores.join(","), position.fen());
        self.write(&format!("{:08x} {line}", crc32fast::hash(line.as_bytes())))
            .map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }

    /// Removes it: the book is made.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn remove(self) -> Result<(), JournalError> {
        fs::remove_file(&self.path).map_err(|error| JournalError::Io { path: self.path, error })
    }
}

/// Whether a search can have found this.
fn is_score(hundredths: &i32) -> bool {
    hundredths.unsigned_abs() <= Score::INFINITE.hundredths().unsigned_abs()
}

/// A position and its scores, one for each move.
fn entry<G: Searchable>(game: G, line: &str) -> Option<(G::Position, Scores)> {
    let (checksum, line) = line.split_once(' ')?;
    if u32::from_str_radix(checksum, 16).ok()? != crc32fast::hash(line.as_bytes()) {
        return None;
    }
    let (scores, fen) = line.split_once(' ')?;
    let position = game.parse_fen(fen).ok()?;
    let scores = scores.split(',').map(|score| score.parse().ok().filter(is_score));
    let scores: Scores = scores.collect::<Option<_>>()?;
    (scores.len() == named::<G>(&position).len()).then_some((position, scores))
}
