use crate::{Color, Pieces};

/// What stands where, and who is to move, as a text or a board tells it. It may be impossible:
/// [`Game::position`](crate::Game::position) makes a position of it or says why it is none.
///
/// ```
/// use damka_games::draughts::{KING, MAN};
/// use damka_games::{Color, Game, Pieces, Russian, Setup, SetupError, Square};
/// let mut pieces = Pieces::default();
/// pieces[(Color::White, KING)] = Square::new(28).into();
/// pieces[(Color::Black, MAN)] = Square::new(0).into();
/// let setup = Setup { pieces, turn: Color::White, state: 0 };
/// assert_eq!(Russian.position(&setup), Ok(Russian.parse_fen("W:WKa1:Bb8").unwrap()));
/// let setup = Setup { pieces: Pieces::default(), ..setup };
/// assert_eq!(Russian.position(&setup), Err(SetupError::NoPieces(Color::Black)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands where.
    pub pieces: Pieces,
    /// The side to move.
    pub turn: Color,
    /// What else a position is, as [`Position::state`](crate::Position::state) tells it; 0 if
    /// there is nothing.
    pub state: u16,
}
