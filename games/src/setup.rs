use crate::chess::CastlingRights;
use crate::{Color, MoveCounters, Pieces, Square};

/// What stands where, and who is to move, as a text or a board tells it. It may be impossible:
/// [`Game::position`](crate::Game::position) makes a position of it or says why it is none.
///
/// ```
/// use damka_games::draughts::{KING, MAN};
/// use damka_games::{Color, Game, Pieces, Russian, Setup, SetupError, Square};
/// let mut pieces = Pieces::default();
/// pieces[(Color::White, KING)] = Square::new(28).into();
/// pieces[(Color::Black, MAN)] = Square::new(0).into();
/// let setup = Setup::new(pieces, Color::White);
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
    /// Who may still castle. Only chess reads it.
    pub castling: CastlingRights,
    /// The square that a pawn has just passed by a double step. Only chess reads it.
    pub en_passant: Option<Square>,
    /// The move counters, if they are known. They make no difference to the position.
    pub counters: Option<MoveCounters>,
}

impl Setup {
    /// These pieces with `turn` to move: no castling, no en passant square, no counters.
    pub fn new(pieces: Pieces, turn: Color) -> Setup {
        Setup { pieces, turn, castling: CastlingRights::NONE, en_passant: None, counters: None }
    }
}
