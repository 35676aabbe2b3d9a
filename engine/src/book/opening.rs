use super::{Book, BookMove, PolyglotBook};
use crate::file::{FileError, FileProblem};
use crate::searchable::Searchable;
use std::path::Path;

/// An opening book in either format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningBook<G> {
    /// A book in damka's own format.
    Results(Book<G>),
    /// A book in the Polyglot format.
    Polyglot(PolyglotBook<G>),
}

impl<G> From<Book<G>> for OpeningBook<G> {
    fn from(book: Book<G>) -> OpeningBook<G> {
        OpeningBook::Results(book)
    }
}

impl<G: Searchable> OpeningBook<G> {
    /// Reads a book of `game` from a file. The file is taken for a Polyglot book if it [has such a
    /// name](PolyglotBook::has_name).
    ///
    /// # Errors
    /// The file cannot be read, or is not a valid book of this game.
    pub fn open(game: G, path: &Path) -> Result<OpeningBook<G>, FileError> {
        match PolyglotBook::<G>::has_name(path) {
            true => PolyglotBook::open(game, path).map(OpeningBook::Polyglot),
            false => {
                Book::open(game, path).map(OpeningBook::Results).map_err(explain_polyglot_name::<G>)
            }
        }
    }

    /// The game that the book is for.
    pub fn game(&self) -> G {
        match self {
            OpeningBook::Results(book) => book.game(),
            OpeningBook::Polyglot(book) => book.game(),
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        match self {
            OpeningBook::Results(book) => book.len(),
            OpeningBook::Polyglot(book) => book.len(),
        }
    }

    /// Whether the book is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The moves of a position, those with the highest weight first.
    pub fn moves(&self, position: &G::Position) -> Vec<BookMove<G>> {
        match self {
            OpeningBook::Results(book) => book.moves(position),
            OpeningBook::Polyglot(book) => book.moves(position),
        }
    }

    /// A move chosen at random in proportion to the weights; the same for the same seed. `None` if
    /// the book has no move here with a weight above 0.
    pub fn choose(&self, position: &G::Position, seed: u64) -> Option<G::Move> {
        match self {
            OpeningBook::Results(book) => book.choose(position, seed),
            OpeningBook::Polyglot(book) => book.choose(position, seed),
        }
    }
}

/// Adds to the error how a Polyglot book is recognized, if the file is not a book of damka and the
/// game has Polyglot books.
fn explain_polyglot_name<G: Searchable>(error: FileError) -> FileError {
    const KIND: &str = "opening book (the name of a Polyglot book ends in .bin)";
    match error.problem {
        FileProblem::OtherKind if G::POLYGLOT.is_some() => FileError { kind: KIND, ..error },
        _ => error,
    }
}
