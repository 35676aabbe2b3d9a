use super::{Book, OpeningBook};
use crate::file::FileError;
use crate::searchable::Searchable;
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// The opening book of a player, parsed from `own`, `none`, or the path of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookChoice {
    /// No book.
    None,
    /// The built-in book, if the game has one.
    Own,
    /// The book in this file.
    File(PathBuf),
}

impl BookChoice {
    /// Opens the chosen book for `game`; `None` if there is none.
    ///
    /// # Errors
    /// The file cannot be read, or is not a valid book of this game.
    pub fn open<G: Searchable>(&self, game: G) -> Result<Option<OpeningBook<G>>, FileError> {
        match self {
            BookChoice::None => Ok(None),
            BookChoice::Own => Ok(Book::built_in(game).map(OpeningBook::from)),
            BookChoice::File(path) => OpeningBook::open(game, path).map(Some),
        }
    }
}

impl FromStr for BookChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<BookChoice, Infallible> {
        Ok(match text {
            "none" => BookChoice::None,
            "own" => BookChoice::Own,
            path => BookChoice::File(path.into()),
        })
    }
}
