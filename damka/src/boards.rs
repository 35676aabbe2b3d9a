//! Positions as rows of bitboards, for programs that look up many at once.

use crate::ask::read_position;
use crate::error::{AskError, RowError};
use crate::{AnyGame, AnyListed, Color, Counted, Game, Kind, Metric, Position, Setup};
use damka_games::{Pieces, Square, SquareSet, with_game};
use damka_probe::{Storage, Tables};
use damka_tables::{Indexable, Value};
use std::ops::ControlFlow;

/// Positions of a game as rows of words, one row after the other. A row consists of a bitboard for
/// each of White's kinds of piece, then for each of Black's, and the side to move: 0 for White, 1
/// for Black. [`BoardLayout`] describes the words of a game. There is no room for castling rights
/// and en passant.
#[derive(Clone, Copy, Debug)]
pub enum Boards<'a> {
    /// Words of 32 bits.
    Narrow(&'a [u32]),
    /// Words of 64 bits.
    Wide(&'a [u64]),
}

/// The meaning of the words in a row of [`Boards`].
///
/// ```
/// use damka::BoardLayout;
/// let layout = BoardLayout::of("russian".parse()?);
/// let mut rows = Vec::<u32>::new();
/// layout.push_fen("B:WKa1:Bb8", &mut rows)?;
/// // White's kings and men, Black's kings and men, Black to move.
/// assert_eq!(rows, [1 << 28, 0, 0, 1, 1]);
/// assert_eq!((&*layout.squares[28], layout.fen(&rows)?), ("a1", "B:WKa1:Bb8".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLayout {
    /// The game.
    pub game: AnyGame,
    /// The bits of a word: 32 if the game has at most 32 squares, otherwise 64.
    pub bits: u32,
    /// The letters of the kinds of piece, in the order of the words.
    pub kinds: &'static [char],
    /// The names of the squares, in the order of the bits.
    pub squares: Vec<String>,
}

impl BoardLayout {
    /// The layout of a game.
    pub fn of(game: AnyGame) -> BoardLayout {
        fn of<G: Game>(any: AnyGame, game: G) -> BoardLayout {
            let squares = (0..G::SQUARES).map(|square| game.square_name(Square::new(square)));
            let bits = if G::SQUARES <= 32 { 32 } else { 64 };
            BoardLayout { game: any, bits, kinds: G::KINDS, squares: squares.collect() }
        }
        with_game!(game, typed => of(game, typed))
    }

    /// The number of words in a row.
    pub fn columns(&self) -> usize {
        columns(self.kinds.len())
    }

    /// Appends the row of the position that a text describes.
    ///
    /// # Errors
    /// The text is not a position, or has castling rights or a pawn that may be captured en passant.
    pub fn push_fen<W: BoardWord>(&self, fen: &str, rows: &mut Vec<W>) -> Result<(), AskError> {
        let (pieces, turn) = with_game!(self.game, game => {
            let position = read_position(game, fen)?.position;
            if position.state() != 0 {
                return Err(RowError::State(position.fen()).into());
            }
            (position.all_pieces(), position.turn())
        });
        self.push(&pieces, turn, rows);
        Ok(())
    }

    /// Appends the row of a listed position.
    pub fn push_listed<W: BoardWord>(&self, listed: &dyn AnyListed, rows: &mut Vec<W>) {
        self.push(&listed.pieces(), listed.turn(), rows);
    }

    fn push<W: BoardWord>(&self, pieces: &Pieces, turn: Color, rows: &mut Vec<W>) {
        for color in Color::BOTH {
            let kinds = (0..self.kinds.len()).map(Kind::new);
            rows.extend(kinds.map(|kind| W::from_bits(pieces[(color, kind)].bits())));
        }
        rows.push(W::from_bits(turn as u64));
    }

    /// The FEN of a row.
    ///
    /// # Errors
    /// The row is not a position of the game.
    pub fn fen<W: BoardWord>(&self, row: &[W]) -> Result<String, AskError> {
        with_game!(self.game, game => Ok(Counted::from(position(game, row)?).fen()))
    }
}

/// A word of a row: 32 or 64 bits.
pub trait BoardWord: Copy + Into<u64> {
    /// The word with the lowest of these bits.
    fn from_bits(bits: u64) -> Self;
}

impl BoardWord for u32 {
    fn from_bits(bits: u64) -> u32 {
        bits as u32
    }
}

impl BoardWord for u64 {
    fn from_bits(bits: u64) -> u64 {
        bits
    }
}

const fn columns(kinds: usize) -> usize {
    2 * kinds + 1
}

/// The position of a row.
#[inline]
fn position<G: Game, W: BoardWord>(game: G, row: &[W]) -> Result<G::Position, AskError> {
    let kinds = G::KINDS.len();
    if row.len() != columns(kinds) {
        return Err(RowError::Length { words: row.len(), columns: columns(kinds) }.into());
    }
    let turn = match row[2 * kinds].into() {
        0 => Color::White,
        1 => Color::Black,
        other => return Err(RowError::Turn(other).into()),
    };
    let mut pieces = Pieces::default();
    for (color, words) in Color::BOTH.into_iter().zip(row.chunks_exact(kinds)) {
        for (kind, &word) in G::kinds().zip(words) {
            pieces[(color, kind)] = SquareSet::new(word.into());
        }
    }
    Ok(game.position(&Setup::new(pieces, turn))?)
}

/// Calls `found` with the number and value of each row until it returns `Break`.
pub(crate) fn values<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    boards: Boards<'_>,
    metric: Metric,
    found: &mut dyn FnMut(usize, Result<Value, AskError>) -> ControlFlow<()>,
) -> Result<(), RowError> {
    match boards {
        Boards::Narrow(words) => values_of(tables, words, metric, found),
        Boards::Wide(words) => values_of(tables, words, metric, found),
    }
}

fn values_of<G: Indexable, S: Storage, W: BoardWord>(
    tables: &Tables<G, S>,
    words: &[W],
    metric: Metric,
    found: &mut dyn FnMut(usize, Result<Value, AskError>) -> ControlFlow<()>,
) -> Result<(), RowError> {
    let columns = columns(G::KINDS.len());
    if !words.len().is_multiple_of(columns) {
        return Err(RowError::Length { words: words.len(), columns });
    }
    let game = Tables::game(tables);
    let position = |number| position(game, &words[number * columns..][..columns]);
    tables.values(words.len() / columns, metric, position, found);
    Ok(())
}
