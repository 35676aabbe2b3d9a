//! Opening books: which moves were played in a position, and how the games ended.
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
//! // What has only lost is not played.
//! let start = Russian.start();
//! assert_eq!(book.moves(&start).len(), 2);
//! let mv = book.choose(&start, 1).unwrap();
//! assert_eq!(start.format_move(mv), "c3-d4");
//! ```
//!
//! # The file
//!
//! All numbers are little-endian; a *varint* is an unsigned number below 2^32 in groups of
//! seven bits, the lowest first, each in a byte whose highest bit says that another follows.
//!
//! After the [head](crate::FileError) that all files of the engine have, with the letters
//! `42 4B` (`BK`) and version 2, come the number of positions in four bytes, and the positions,
//! their keys in ascending order.
//!
//! A position is the length of its key (one byte), the key, the number of moves (one
//! byte), and for each move its place among the legal moves in the order of their names
//! (one byte, ascending), and three varints: games won, drawn and lost by who played it.
//!
//! A key is the position itself, as bits that fill bytes from the lowest: one for the side
//! to move (1: Black); then for each square in the order of their numbers a 0 if it is empty,
//! or a 1 and what stands there: the kind's number, plus the number of kinds if the piece is
//! Black's, the lowest bit first, in as many bits as the largest such number needs. What else the
//! position [is](Position::state) follows in 16 bits unless it is 0.

mod choice;
mod explore;
mod file;
mod journal;
mod key;

use crate::searchable::Searchable;
pub use choice::BookChoice;
use damka_games::Random;
use damka_games::{Color, Game, Position};
use damka_records::{GameResult, Record};
pub use explore::Exploration;
pub use journal::{Journal, JournalError, Known, Scores};
use std::collections::BTreeMap;

/// An opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book<G> {
    game: G,
    /// By the key of the position: the moves by their place, see [`named`].
    positions: BTreeMap<Box<[u8]>, BTreeMap<u8, Results>>,
}

/// How games ended, for one of the players.
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

    /// How likely a move with these results is to be chosen among others: in proportion
    /// to its points.
    pub fn weight(&self) -> u64 {
        2 * u64::from(self.wins) + u64::from(self.draws)
    }
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// How the games ended in which it was played, for who played it.
    pub results: Results,
}

impl<G: Searchable> Book<G> {
    /// An empty book.
    pub fn new(game: G) -> Book<G> {
        Book { game, positions: BTreeMap::new() }
    }

    /// The game that it is for.
    pub fn game(&self) -> G {
        self.game
    }

    /// The book that is built in, if the game has one: made by search and by games of the
    /// engine with itself.
    pub fn built_in(game: G) -> Option<Book<G>> {
        let bytes: &[u8] = match game.name() {
            "russian" => include_bytes!("../../books/russian.book"),
            "english" => include_bytes!("../../books/english.book"),
            "brazilian" => include_bytes!("../../books/brazilian.book"),
            "pool" => include_bytes!("../../books/pool.book"),
            "alapo" => include_bytes!("../../books/alapo.book"),
            _ => return None,
        };
        Book::from_bytes(game, bytes).ok()
    }

    /// Takes in the first `plies` moves of a game. A game without a result says nothing:
    /// `false` is returned for it.
    pub fn add(&mut self, record: &Record<G>, plies: usize) -> bool {
        self.count(record, plies, true)
    }

    /// Takes in a game as [`add`](Book::add) does, but only as far as its moves are in the
    /// book already.
    pub fn weigh(&mut self, record: &Record<G>, plies: usize) -> bool {
        self.count(record, plies, false)
    }

    fn count(&mut self, record: &Record<G>, plies: usize, adds: bool) -> bool {
        let winner = match record.result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::BothLose | GameResult::Unknown => return false,
        };
        let mut position = record.start.position;
        for ply in record.line.plies.iter().take(plies) {
            let named = named::<G>(&position);
            let place = named.iter().position(|&mv| mv == ply.mv);
            // No position of any game has more moves than a byte can number.
            if let Some(place) = place.and_then(|place| u8::try_from(place).ok()) {
                if !adds && !self.has(&position, place) {
                    return true;
                }
                let results = self.results(&position, place);
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

    fn has(&self, position: &G::Position, place: u8) -> bool {
        let moves = self.positions.get(&key::of::<G>(position));
        moves.is_some_and(|moves| moves.contains_key(&place))
    }

    /// The results of the move at this place.
    fn results(&mut self, position: &G::Position, place: u8) -> &mut Results {
        let moves = self.positions.entry(key::of::<G>(position)).or_default();
        moves.entry(place).or_default()
    }

    /// Forgets moves that were played in fewer games.
    pub fn keep(&mut self, min_games: u64) {
        self.positions.retain(|_, moves| {
            moves.retain(|_, results| results.games() >= min_games);
            !moves.is_empty()
        });
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The moves of a position, those that are chosen most often first.
    pub fn moves(&self, position: &G::Position) -> Vec<BookMove<G>> {
        let Some(places) = self.positions.get(&key::of::<G>(position)) else {
            return Vec::new();
        };
        let named = named::<G>(position);
        let of = |(&place, &results): (&u8, &Results)| {
            Some(BookMove { mv: *named.get(usize::from(place))?, results })
        };
        let mut moves: Vec<_> = places.iter().filter_map(of).collect();
        moves.sort_by_key(|book| std::cmp::Reverse((book.results.weight(), book.results.games())));
        moves
    }

    /// A move by chance, in proportion to the weights; the same for the same seed. `None`
    /// if the book has no move here that has ever made a point.
    pub fn choose(&self, position: &G::Position, seed: u64) -> Option<G::Move> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|book| book.results.weight()).sum();
        if total == 0 {
            return None;
        }
        let number = crc32fast::hash(&key::of::<G>(position));
        let mut rest = Random::numbered(seed, number.into()).below(total);
        let chosen = moves.iter().find(|book| {
            let weight = book.results.weight();
            let is_chosen = rest < weight;
            rest = rest.saturating_sub(weight);
            is_chosen
        });
        chosen.map(|book| book.mv)
    }
}

/// The legal moves in the order of their names, which does not depend on how they are
/// generated.
fn named<G: Game>(position: &G::Position) -> Vec<G::Move> {
    let mut moves = position.moves().to_vec();
    moves.sort_by_cached_key(|&mv| position.format_move(mv));
    moves
}
