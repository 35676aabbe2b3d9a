use crate::chess::{CastlingRights, KING};
use crate::{Color, MoveCounters, Pieces, Square};

/// The pieces and the side to move as read from a FEN or entered on a board. A setup may be
/// impossible; [`Game::position`](crate::Game::position) checks it and converts it to a position.
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
    /// The pieces.
    pub pieces: Pieces,
    /// The side to move.
    pub turn: Color,
    /// The castling rights; used by chess only.
    pub castling: CastlingRights,
    /// The en passant square: the one that a pawn has just passed by a double step. Used by chess
    /// only.
    pub en_passant: Option<Square>,
    /// The move counters, if known. They do not affect the position.
    pub counters: Option<MoveCounters>,
}

impl Setup {
    /// A setup without castling rights, en passant square and counters.
    pub fn new(pieces: Pieces, turn: Color) -> Setup {
        Setup { pieces, turn, castling: CastlingRights::NONE, en_passant: None, counters: None }
    }

    /// Whether a side may castle with king or rook on other squares than in standard chess.
    pub fn is_chess960(&self) -> bool {
        const KINGS: [(Color, Square); 2] =
            [(Color::White, Square::new(4)), (Color::Black, Square::new(60))];
        let is_elsewhere = |(color, square): (Color, Square)| {
            !self.castling.rooks_of(color).is_empty()
                && !self.pieces[(color, KING)].contains(square)
        };
        !CastlingRights::ALL.contains(self.castling) || KINGS.into_iter().any(is_elsewhere)
    }
}
