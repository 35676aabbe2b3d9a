use super::named;
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::{Game, Position};
use damka_system::{open_own_file, remove_file};
use rustc_hash::FxHashMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file with the search results of a book under construction, so that an interrupted run can be
/// resumed: a header line, then one line for each position with a checksum, the scores of its moves
/// and its FEN.
#[derive(Debug)]
pub struct Journal<G: Searchable> {
    path: PathBuf,
    file: File,
    game: PhantomData<G>,
}

/// An error of a journal.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The journal could not be read or written.
    #[error("the journal {} cannot be read or written: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// Another process writes the journal.
    #[error("another damka builds a book with the journal {}", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A line is damaged, or the journal belongs to another game, number of nodes or version.
    #[error(
        "line {line} of {} is damaged, or was written with other settings or by another version",
        path.display()
    )]
    OtherSearches {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// The scores of the moves of a position for the side to move, in hundredths of a man, in the order
/// of the names of the moves.
pub type Scores = Vec<i32>;

/// The scores of positions that have been searched.
pub type Known<G> = FxHashMap<<G as Game>::Position, Scores>;

impl<G: Searchable> Journal<G> {
    /// Opens or creates a journal of searches with `nodes` nodes for each move, and locks it. Also
    /// returns the scores that it holds.
    ///
    /// # Errors
    /// The file cannot be read or written, is not a journal of such searches, or another process has
    /// it open.
    pub fn open(game: G, path: &Path, nodes: u64) -> Result<(Journal<G>, Known<G>), JournalError> {
        let failed = |error| JournalError::Io { path: path.to_owned(), error };
        let other = |line| JournalError::OtherSearches { path: path.to_owned(), line };
        let mut file = open_own_file(path).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Busy { path: path.to_owned() },
            TryLockError::Error(error) => failed(error),
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // An interrupted run may have left an incomplete last line, which is cut off.
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
            let (position, scores) = parse_entry(game, line).ok_or_else(|| other(number))?;
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

    /// Appends a position.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, position: &G::Position, scores: &Scores) -> Result<(), JournalError> {
        let scores: Vec<String> = scores.iter().map(i32::to_string).collect();
        let line = format!("{} {}", scores.join(","), position.fen());
        self.write(&format!("{:08x} {line}", crc32fast::hash(line.as_bytes())))
            .map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }

    /// Removes the file, once the book is built.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        remove_file(&self.path).map_err(|error| JournalError::Io { path: self.path, error })
    }
}

/// Whether a number is in the range of scores.
fn is_score(hundredths: &i32) -> bool {
    hundredths.unsigned_abs() <= Score::INFINITE.hundredths().unsigned_abs()
}

/// Parses a line into a position and its scores, one for each move.
fn parse_entry<G: Searchable>(game: G, line: &str) -> Option<(G::Position, Scores)> {
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
