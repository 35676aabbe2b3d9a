use crate::{Color, Pieces};

/// What stands where, and who is to move, as a text or a board tells it. It may be impossible:
/// [`Game::position`](crate::Game::position) makes a position of it or says why it is none.
///
/// What else a game's positions know (chess: who may castle, where a pawn may be taken en passant)
/// belongs here, and into [`Position::state`](crate::Position::state).
///
/// ```
/// use damka_games::draughts::{KING, MAN};
/// use damka_games::{Color, Game, Pieces, Russian, Setup, SetupError, Square};
/// let mut pieces = Pieces::default();
/// pieces[(Color::White, KING)] = Square::new(28).into();
/// pieces[(Color::Black, MAN)] = Square::new(0).into();
/// let setup = Setup { pieces, turn: Color::White };
/// assert_eq!(Russian.position(&setup), Ok(Russian.parse_fen("W:WKa1:Bb8").unwrap()));
/// let setup = Setup { turn: Color::White, pieces: Pieces::default() };
/// assert_eq!(Russian.position(&setup), Err(SetupError::NoPieces(Color::Black)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands where.
    pub pieces: Pieces,
    /// The side to move.
    pub turn: Color,
}
