use super::{Book, Results};
use crate::playable::Playable;
use crate::whole_file::write_whole;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};
use thiserror::Error;

/// Ends of lines that are changed on the way change it.
const MAGIC: [u8; 8] = *b"\x89DMKBK\r\n";
const VERSION: u16 = 1;
const NAME_LEN: usize = 16;
const CRC_LEN: usize = 4;

/// Why a book cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file could not be read or written.
    #[error("the book {} cannot be read or written: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is something else.
    #[error("this is no opening book")]
    NotABook,
    /// The book was made by another version of the program.
    #[error("the book has version {0}, which is not known")]
    UnknownVersion(u16),
    /// The book is of another game.
    #[error("the book is of the game `{found}`, not of `{wanted}`")]
    OtherGame {
        /// The game that the file names.
        found: String,
        /// The game that was asked for.
        wanted: &'static str,
    },
    /// A journal of searches that cannot be gone on with.
    #[error("line {line} of {} is not of these searches: delete the file to begin again", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The bytes are not those that were written.
    #[error("the book is damaged: {0}")]
    Damaged(&'static str),
}

impl<G: Playable> Book<G> {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// It cannot be read, or is no sound book of this game.
    pub fn open(path: &Path) -> Result<Book<G>, BookError> {
        let bytes =
            fs::read(path).map_err(|error| BookError::Io { path: path.to_owned(), error })?;
        Book::from_bytes(&bytes)
    }

    /// Writes the book to a file, which is complete or not there.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, path: &Path) -> Result<(), BookError> {
        write_whole(path, &self.to_bytes())
            .map_err(|error| BookError::Io { path: path.to_owned(), error })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let mut name = [0; NAME_LEN];
        name.iter_mut().zip(G::NAME.bytes()).for_each(|(to, byte)| *to = byte);
        bytes.extend(name);
        bytes.extend((self.positions.len() as u32).to_le_bytes());
        for (key, moves) in &self.positions {
            bytes.push(key.len() as u8);
            bytes.extend(key);
            bytes.push(moves.len() as u8);
            for (&place, results) in moves {
                bytes.push(place);
                for count in [results.wins, results.draws, results.losses] {
                    push_varint(&mut bytes, count);
                }
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// They are no sound book of this game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book<G>, BookError> {
        let mut input = Input(bytes);
        if input.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
            return Err(BookError::NotABook);
        }
        let version = u16::from_le_bytes(input.array()?);
        if version != VERSION {
            return Err(BookError::UnknownVersion(version));
        }
        let sound = bytes
            .split_last_chunk::<CRC_LEN>()
            .is_some_and(|(rest, crc)| crc32fast::hash(rest) == u32::from_le_bytes(*crc));
        if !sound {
            return Err(BookError::Damaged("the checksum is wrong"));
        }
        let name: [u8; NAME_LEN] = input.array()?;
        let found = String::from_utf8_lossy(&name);
        let found = found.trim_end_matches('\0');
        if found != G::NAME {
            return Err(BookError::OtherGame { found: found.to_owned(), wanted: G::NAME });
        }
        let mut book = Book::new();
        for _ in 0..u32::from_le_bytes(input.array()?) {
            let len = input.byte()?;
            let key = input.take(len.into())?;
            let moves = input.moves()?;
            if book.positions.last_key_value().is_some_and(|(last, _)| **last >= *key) {
                return Err(BookError::Damaged("its positions are not in order"));
            }
            book.positions.insert(key.into(), moves);
        }
        match input.0.len() {
            CRC_LEN => Ok(book),
            _ => Err(BookError::Damaged("its length is wrong")),
        }
    }
}

fn push_varint(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Bytes still to be read.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], BookError> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or(BookError::Damaged("it is too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BookError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn byte(&mut self) -> Result<u8, BookError> {
        Ok(self.array::<1>()?[0])
    }

    fn varint(&mut self) -> Result<u32, BookError> {
        let mut number = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number)
                    .map_err(|_| BookError::Damaged("a number is too large"));
            }
        }
        Err(BookError::Damaged("a number has no end"))
    }

    fn moves(&mut self) -> Result<BTreeMap<u8, Results>, BookError> {
        let mut moves = BTreeMap::new();
        for _ in 0..self.byte()? {
            let place = self.byte()?;
            let [wins, draws, losses] = [self.varint()?, self.varint()?, self.varint()?];
            if moves.last_key_value().is_some_and(|(&last, _)| last >= place) {
                return Err(BookError::Damaged("the moves of a position are not in order"));
            }
            moves.insert(place, Results { wins, draws, losses });
        }
        Ok(moves)
    }
}
