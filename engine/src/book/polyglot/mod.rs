//! Books in the Polyglot format (<http://hgm.nubati.net/book_format.html>), the usual one in chess: a
//! position is identified only by a hash key, and a move has a weight instead of results.

mod chess;
mod codes;
mod random;

pub use codes::PolyglotCodes;

use super::{BookMove, pick};
use crate::file::{FileError, FileKind};
use crate::searchable::Searchable;
use damka_games::Position;
use std::cmp::Reverse;
use std::path::Path;

/// Names the kind in errors. Such files have no header, so the letters and the version are not used.
const KIND: FileKind = FileKind { name: "Polyglot book", letters: *b"PG", version: 0 };

/// The length of an entry in bytes: key, move, weight, and four bytes for learning.
const ENTRY: usize = 16;

/// A book in the Polyglot format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyglotBook<G> {
    game: G,
    /// By ascending key.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    code: u16,
    weight: u16,
}

impl<G: Searchable> PolyglotBook<G> {
    /// Whether a file is taken for a Polyglot book: the game has such books, and the file name ends
    /// in `.bin`. The format has no header by which to recognize it.
    pub fn has_name(path: &Path) -> bool {
        let extension = path.extension();
        G::POLYGLOT.is_some() && extension.is_some_and(|name| name.eq_ignore_ascii_case("bin"))
    }

    /// Reads a book from a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a valid book.
    pub fn open(game: G, path: &Path) -> Result<PolyglotBook<G>, FileError> {
        KIND.read(path, |bytes| PolyglotBook::from_bytes(game, bytes))
    }

    /// Decodes a file.
    ///
    /// # Errors
    /// There are no entries, the last one is incomplete, or they are not in ascending order of
    /// their keys.
    pub fn from_bytes(game: G, bytes: &[u8]) -> Result<PolyglotBook<G>, FileError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        if entries.is_empty() || !rest.is_empty() {
            return Err(KIND.damaged("its length is not that of whole entries"));
        }
        let entry = |&[a, b, c, d, e, f, g, h, i, j, k, l, ..]: &[u8; ENTRY]| Entry {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            code: u16::from_be_bytes([i, j]),
            weight: u16::from_be_bytes([k, l]),
        };
        let entries: Vec<Entry> = entries.iter().map(entry).collect();
        match entries.is_sorted_by_key(|entry| entry.key) {
            true => Ok(PolyglotBook { game, entries }),
            false => Err(KIND.damaged("its entries are not in order")),
        }
    }

    /// The game that the book is for.
    pub fn game(&self) -> G {
        self.game
    }

    /// The number of positions, at least 1.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.entries.chunk_by(|a, b| a.key == b.key).count()
    }

    /// The moves of a position, those with the highest weight first.
    pub fn moves(&self, position: &G::Position) -> Vec<BookMove<G>> {
        let Some(codes) = G::POLYGLOT else { return Vec::new() };
        let key = (codes.key)(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let legal = position.moves();
        let entries = self.entries[first..].iter().take_while(|entry| entry.key == key);
        let book_move = |entry: &Entry| {
            let mv = legal.iter().copied().find(|&mv| (codes.code)(mv) == entry.code)?;
            Some(BookMove { mv, weight: entry.weight.into(), results: None })
        };
        let mut moves: Vec<BookMove<G>> = entries.filter_map(book_move).collect();
        moves.sort_by_key(|book| Reverse(book.weight));
        moves
    }

    /// A move chosen at random in proportion to the weights; the same for the same seed. `None` if
    /// the book has no move here with a weight above 0.
    pub fn choose(&self, position: &G::Position, seed: u64) -> Option<G::Move> {
        let codes = G::POLYGLOT?;
        pick(&self.moves(position), seed, (codes.key)(position))
    }
}
