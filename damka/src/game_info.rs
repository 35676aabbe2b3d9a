//! Descriptions of games, for programs that draw boards.

use damka_games::{AnyGame, Color, Game, Kind, Position, with_game};

/// A game: its board, its pieces and its start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GameInfo {
    /// The game's name.
    pub game: &'static str,
    /// Other names of the game.
    pub names: &'static [&'static str],
    /// The rules in a line.
    pub summary: String,
    /// The names of the squares as White sees them: rows from the top, squares from the left;
    /// `None` for squares that are not used.
    pub board: Vec<Vec<Option<String>>>,
    /// The kinds of piece, strongest first.
    pub pieces: Vec<PieceInfo>,
    /// The start position as a FEN.
    pub start: String,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PieceInfo {
    /// Its letter in signatures.
    pub letter: char,
    /// White's letter in diagrams.
    pub white: char,
    /// Black's letter in diagrams.
    pub black: char,
    /// Whether each of its moves is a zeroing move: a man or a pawn.
    pub is_man: bool,
    /// Whether each side always has exactly one: the king of chess.
    pub is_royal: bool,
}

impl GameInfo {
    /// Describes a game.
    pub fn of(game: AnyGame) -> GameInfo {
        with_game!(game, game => info(game))
    }
}

fn info<G: Game>(game: G) -> GameInfo {
    let piece = |kind: Kind| PieceInfo {
        letter: G::KINDS[kind.index()],
        white: G::symbol(Color::White, kind),
        black: G::symbol(Color::Black, kind),
        is_man: G::MEN.contains(&kind),
        is_royal: G::ROYAL == Some(kind),
    };
    let row = |row: Vec<_>| {
        row.into_iter().map(|square| Some(game.square_name(square?))).collect::<Vec<_>>()
    };
    GameInfo {
        game: game.name(),
        names: game.aliases(),
        summary: game.summary(),
        board: game.board().into_iter().map(row).collect(),
        pieces: G::kinds().map(piece).collect(),
        start: game.start().fen(),
    }
}
