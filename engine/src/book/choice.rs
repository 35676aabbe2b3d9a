use super::Book;
use crate::file::FileError;
use crate::searchable::Searchable;
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// Which opening book a player uses: `own`, `none`, or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookChoice {
    /// None.
    None,
    /// The one that is built in, if the game has one.
    Own,
    /// The one in this file.
    File(PathBuf),
}

impl BookChoice {
    /// The book of `game`.
    ///
    /// # Errors
    /// The file cannot be read, or is no sound book of this game.
    pub fn open<G: Searchable>(&self, game: G) -> Result<Option<Book<G>>, FileError> {
        match self {
            BookChoice::None => Ok(None),
            BookChoice::Own => Ok(Book::built_in(game)),
            BookChoice::File(path) => Book::open(game, path).map(Some),
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
