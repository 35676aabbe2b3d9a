use super::{Book, Results};
use crate::file::{FileError, FileKind};
use crate::searchable::Searchable;
use std::collections::BTreeMap;
use std::path::Path;

const KIND: FileKind = FileKind { name: "opening book", letters: *b"BK", version: 2 };

impl<G: Searchable> Book<G> {
    /// Reads a book of `game` from a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a valid book of this game.
    pub fn open(game: G, path: &Path) -> Result<Book<G>, FileError> {
        KIND.read(path, |bytes| Book::from_bytes(game, bytes))
    }

    /// Checks that a book can be written to `path`. Call this before the work of building one. An
    /// existing file is overwritten only if it is a book.
    ///
    /// # Errors
    /// `path` is another kind of file or cannot be read, or its directory does not exist.
    pub fn check_place(path: &Path) -> Result<(), FileError> {
        KIND.check_place(path)
    }

    /// Writes the book to a file atomically: on failure an existing file is unchanged.
    ///
    /// # Errors
    /// The file cannot be written, or [is of another kind](Book::check_place).
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        KIND.write(path, &self.to_bytes())
    }

    /// Encodes the book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.positions.len() as u32).to_le_bytes().to_vec();
        for (key, moves) in &self.positions {
            bytes.push(key.len() as u8);
            bytes.extend(key);
            bytes.push(moves.len() as u8);
            for (&index, results) in moves {
                bytes.push(index);
                for count in [results.wins, results.draws, results.losses] {
                    push_varint(&mut bytes, count);
                }
            }
        }
        KIND.bytes(self.game.name(), &bytes)
    }

    /// Decodes the bytes of a book file of `game`.
    ///
    /// # Errors
    /// The bytes are not a valid book of this game.
    pub fn from_bytes(game: G, bytes: &[u8]) -> Result<Book<G>, FileError> {
        let mut input = Input(KIND.contents(game.name(), bytes)?);
        let mut book = Book::new(game);
        for _ in 0..u32::from_le_bytes(input.array()?) {
            let len = input.byte()?;
            let key = input.take(len.into())?;
            let moves = input.moves()?;
            if book.positions.last_key_value().is_some_and(|(last, _)| **last >= *key) {
                return Err(KIND.damaged("its positions are not in order"));
            }
            book.positions.insert(key.into(), moves);
        }
        match input.0.is_empty() {
            true => Ok(book),
            false => Err(KIND.damaged("it is too long")),
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

/// The bytes that remain to be read.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], FileError> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or_else(|| KIND.damaged("it is too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn byte(&mut self) -> Result<u8, FileError> {
        Ok(self.array::<1>()?[0])
    }

    fn varint(&mut self) -> Result<u32, FileError> {
        let mut number = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number).map_err(|_| KIND.damaged("a number is too large"));
            }
        }
        Err(KIND.damaged("a number is too long"))
    }

    fn moves(&mut self) -> Result<BTreeMap<u8, Results>, FileError> {
        let mut moves = BTreeMap::new();
        for _ in 0..self.byte()? {
            let index = self.byte()?;
            let [wins, draws, losses] = [self.varint()?, self.varint()?, self.varint()?];
            if moves.last_key_value().is_some_and(|(&last, _)| last >= index) {
                return Err(KIND.damaged("the moves of a position are not in order"));
            }
            moves.insert(index, Results { wins, draws, losses });
        }
        Ok(moves)
    }
}
