//! Opening books: the moves played in a position and the results of the games. Players also read
//! [Polyglot books](PolyglotBook).
//!
//! ```
//! use damka_engine::book::Book;
//! use damka_games::{Game, Position, Russian};
//! use damka_records as records;
//!
//! let mut book = Book::new(Russian);
//! for game in records::read(Russian, "1. c3-d4 b6-a5 1-0\n\n1. e3-f4 b6-a5 0-1") {
//!     book.add(&game.unwrap(), 10);
//! }
//! // A move that has only lost is not played.
//! let start = Russian.start();
//! assert_eq!(book.moves(&start).len(), 2);
//! let mv = book.choose(&start, 1).unwrap();
//! assert_eq!(start.format_move(mv), "c3-d4");
//! ```
//!
//! # The file
//!
//! All numbers are little-endian. A *varint* is an unsigned number below 2^32 in groups of seven
//! bits, lowest first, each in a byte whose highest bit is set if another follows.
//!
//! The [header](crate::FileError) common to all files of the engine, with the letters `42 4B`
//! (`BK`) and version 2, is followed by the number of positions (four bytes) and the positions, in
//! ascending order of their keys.
//!
//! A position consists of the length of its key (one byte), the key, the number of moves (one
//! byte), and for each move its index in the list of legal moves sorted by name (one byte,
//! ascending) and three varints: the games won, drawn and lost by the side that played it.
//!
//! A key encodes the whole position, as bits packed into bytes from the lowest bit: one for the
//! side to move (1: Black); then for each square, in the order of their numbers, a 0 if it is
//! empty, or a 1 and the piece: the number of its kind, plus the number of kinds if it is black,
//! lowest bit first, in as many bits as the largest such number needs. If the
//! [state](Position::state) of the position is not 0, it follows in 16 bits, or in 32 if it is 2^16
//! or more.

mod choice;
mod explore;
mod file;
mod journal;
mod key;
mod opening;
mod polyglot;

use crate::searchable::Searchable;
pub use choice::BookChoice;
use damka_games::{Color, Game, Position, Random};
use damka_records::{GameResult, Record};
pub use explore::Exploration;
pub use journal::{Journal, JournalError, Known, Scores};
pub use opening::OpeningBook;
pub use polyglot::{PolyglotBook, PolyglotCodes};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// An opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book<G> {
    game: G,
    /// By the key of the position: the results of its moves by index in [`named`].
    positions: BTreeMap<Box<[u8]>, BTreeMap<u8, Results>>,
}

/// The results of games, from the view of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Results {
    /// The number of games.
    pub fn games(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// The weight of a move in a random choice: 2 for each win, 1 for each draw.
    pub fn weight(&self) -> u64 {
        2 * u64::from(self.wins) + u64::from(self.draws)
    }
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// Its weight in a random choice.
    pub weight: u64,
    /// The results of the games in which it was played, for the side that played it; `None` in a
    /// Polyglot book.
    pub results: Option<Results>,
}

impl<G: Searchable> Book<G> {
    /// An empty book.
    pub fn new(game: G) -> Book<G> {
        Book { game, positions: BTreeMap::new() }
    }

    /// The game that the book is for.
    pub fn game(&self) -> G {
        self.game
    }

    /// The built-in book, if the game has one: built by search, with weights from games of the
    /// engine against itself.
    pub fn built_in(game: G) -> Option<Book<G>> {
        let bytes: &[u8] = match game.name() {
            "russian" => include_bytes!("../../books/russian.book"),
            "english" => include_bytes!("../../books/english.book"),
            "brazilian" => include_bytes!("../../books/brazilian.book"),
            "pool" => include_bytes!("../../books/pool.book"),
            "czech" => include_bytes!("../../books/czech.book"),
            "spanish" => include_bytes!("../../books/spanish.book"),
            "italian" => include_bytes!("../../books/italian.book"),
            "thai" => include_bytes!("../../books/thai.book"),
            "chess" => include_bytes!("../../books/chess.book"),
            "alapo" => include_bytes!("../../books/alapo.book"),
            _ => return None,
        };
        Book::from_bytes(game, bytes).ok()
    }

    /// Implements [`add`](Book::add) and [`add_results`](Book::add_results); compiled once for each
    /// family of games.
    #[doc(hidden)]
    pub fn count(&mut self, record: &Record<G>, plies: usize, may_add: bool) -> bool {
        let winner = match record.result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::BothLose | GameResult::Unknown => return false,
        };
        let mut position = record.start.position;
        for ply in record.line.plies.iter().take(plies) {
            let named = named::<G>(&position);
            let index = named.iter().position(|&mv| mv == ply.mv);
            // No position of any game has more moves than fit in a byte.
            if let Some(index) = index.and_then(|index| u8::try_from(index).ok()) {
                if !may_add && !self.has(&position, index) {
                    return true;
                }
                let results = self.results(&position, index);
                let count = match winner {
                    None => &mut results.draws,
                    Some(winner) if winner == position.turn() => &mut results.wins,
                    Some(_) => &mut results.losses,
                };
                *count = count.saturating_add(1);
            }
            position = position.play(ply.mv);
        }
        true
    }

    fn has(&self, position: &G::Position, index: u8) -> bool {
        let moves = self.positions.get(&key::of::<G>(position));
        moves.is_some_and(|moves| moves.contains_key(&index))
    }

    /// The results of the move with this index, created if missing.
    fn results(&mut self, position: &G::Position, index: u8) -> &mut Results {
        let moves = self.positions.entry(key::of::<G>(position)).or_default();
        moves.entry(index).or_default()
    }

    /// Removes moves played in fewer than `min_games` games.
    pub fn prune(&mut self, min_games: u64) {
        self.positions.retain(|_, moves| {
            moves.retain(|_, results| results.games() >= min_games);
            !moves.is_empty()
        });
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the book is empty.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The moves of a position, those with the highest weight first.
    pub fn moves(&self, position: &G::Position) -> Vec<BookMove<G>> {
        let Some(indices) = self.positions.get(&key::of::<G>(position)) else {
            return Vec::new();
        };
        let named = named::<G>(position);
        let book_move = |(&index, &results): (&u8, &Results)| {
            let mv = *named.get(usize::from(index))?;
            Some(BookMove { mv, weight: results.weight(), results: Some(results) })
        };
        let mut moves: Vec<BookMove<G>> = indices.iter().filter_map(book_move).collect();
        moves.sort_by_key(|book| Reverse((book.weight, book.results.map(|found| found.games()))));
        moves
    }

    /// A move chosen at random in proportion to the weights; the same for the same seed. `None` if
    /// the book has no move here with a weight above 0.
    pub fn choose(&self, position: &G::Position, seed: u64) -> Option<G::Move> {
        let number = crc32fast::hash(&key::of::<G>(position));
        pick(&self.moves(position), seed, number.into())
    }
}

/// A move chosen at random in proportion to the weights; the same for the same seed and number of the
/// position. `None` if no move has a weight above 0.
fn pick<G: Game>(moves: &[BookMove<G>], seed: u64, number: u64) -> Option<G::Move> {
    let weights: Vec<u64> = moves.iter().map(|book| book.weight).collect();
    let place = Random::numbered(seed, number).weighted(&weights)?;
    Some(moves[place].mv)
}

/// The legal moves sorted by name, an order that does not depend on the move generator.
fn named<G: Game>(position: &G::Position) -> Vec<G::Move> {
    let mut moves = position.moves().to_vec();
    moves.sort_by_cached_key(|&mv| position.format_move(mv));
    moves
}
