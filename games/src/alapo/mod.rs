//! Alapo, a race of twelve against twelve on a 6x6 board.
//!
//! White's home is rank 1, Black's rank 6; each side's goal is the other's home rank. White moves
//! first, each player one piece a turn:
//!
//! | letter | shape | moves |
//! |---|---|---|
//! | Q | large circle | any distance in a straight line or diagonally |
//! | R | large square | any distance in a straight line |
//! | B | large triangle | any distance diagonally |
//! | K | small circle | one square in any direction (it is not royal) |
//! | W | small square | one square in a straight line |
//! | F | small triangle | one square diagonally |
//!
//! Pieces do not jump, and capture by moving onto an enemy piece. Captures are optional, with one
//! exception: an enemy piece that has reached the mover's home rank, the *invader*, must be
//! captured at once. A side without a legal move has lost: either the invader cannot be captured,
//! or no piece is left. (A blocked side would lose, too, but a side's foremost piece can always
//! advance.)
//!
//! A position is legal if each side has between one and twelve pieces, the side to move has none on
//! its goal rank, and its opponent at most one. The side to move may also have no pieces left and
//! have lost.
//!
//! ```
//! use damka_games::{Alapo, Game, Position};
//! let position = Alapo.parse_fen("6/6/6/6/k5/KW4 b").unwrap();
//! let moves = position.moves();
//! let texts: Vec<_> = moves.iter().map(|&mv| position.format_move(mv)).collect();
//! assert!(texts.contains(&"a2-b1".to_string()));
//! ```

mod fen;
mod geometry;
mod moves;
mod position;

pub use position::{Move, Position};

use crate::{
    Color, FenError, Game, Kind, MoveCounters, MoveError, MoveList, Pieces, PositionList, Setup,
    SetupError, Square, SquareSet, grid,
};

/// The game of Alapo; see the [module](self) for its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alapo;

impl Game for Alapo {
    type Position = Position;
    type Move = Move;

    const ALL: &'static [Alapo] = &[Alapo];
    const KINDS: &'static [char] = &['Q', 'R', 'B', 'K', 'W', 'F'];
    const MEN: &'static [Kind] = &[];
    const SQUARES: u8 = geometry::SQUARES as u8;
    const MAX_SIDE_PIECES: u32 = 12;
    const PROMOTIONS: &'static [(Kind, Kind)] = &[];
    const BASICS: &'static str = "\
Each side moves from its home rank towards the other's. Q, R and B (large circle, square and
triangle) move any distance in all directions, in straight lines, or diagonally; K, W and F (the
small ones) move one square in the same ways. No piece jumps. A piece is captured by moving onto
its square. A piece on the opponent's home rank must be captured at once, or it has won.";

    fn name(self) -> &'static str {
        "alapo"
    }

    fn rules_version(self) -> u16 {
        1
    }

    fn summary(self) -> String {
        "6x6, 12 pieces each; the first piece that is safe on the opponent's home rank wins; \
         White begins"
            .to_owned()
    }

    fn start(self) -> Position {
        Position::start()
    }

    #[inline]
    fn assemble(self, pieces: &Pieces, turn: Color) -> Position {
        Position::assemble(pieces, turn)
    }

    fn may_stand(squares: SquareSet, color: Color, turn: Color) -> bool {
        let goal = Position::home(!color);
        match color == turn {
            true => (squares & goal).is_empty(),
            false => (squares & goal).len() <= 1,
        }
    }

    fn rays(self, kind: Kind, square: Square) -> Vec<Vec<Square>> {
        geometry::rays(kind, square)
    }

    fn parse_bare(self, text: &str) -> Result<Setup, FenError> {
        fen::parse(text)
    }

    fn check_rules(self, setup: &Setup) -> Result<(), SetupError> {
        let (mover, enemy) = (setup.turn, !setup.turn);
        let on_goal = |color: Color| setup.pieces.side(color) & Position::home(!color);
        if let Some(square) = on_goal(mover).first() {
            return Err(SetupError::MoverOnGoal(mover, self.square_name(square)));
        }
        match on_goal(enemy).len() {
            0 | 1 => Ok(()),
            count => Err(SetupError::SeveralInvaders(enemy, count)),
        }
    }

    fn square_name(self, square: Square) -> String {
        grid::square_name::<{ geometry::SIZE }>(square).to_string()
    }

    fn board(self) -> Vec<Vec<Option<Square>>> {
        grid::board::<{ geometry::SIZE }>()
    }

    fn symbol(color: Color, kind: Kind) -> char {
        grid::symbol::<Alapo>(color, kind)
    }
}

impl crate::Position for Position {
    type Game = Alapo;
    type Move = Move;

    #[inline]
    fn game(&self) -> Alapo {
        Alapo
    }

    #[inline]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        self.board.side(color) & self.board.kind(kind)
    }

    #[inline]
    fn side(&self, color: Color) -> SquareSet {
        self.board.side(color)
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        self.board.piece_at(square)
    }

    fn moves(&self) -> MoveList<Move> {
        moves::moves(self)
    }

    fn count_moves(&self) -> u64 {
        moves::count(self)
    }

    #[inline]
    fn loses_when_stuck(&self) -> bool {
        true
    }

    #[inline]
    fn play(&self, mv: Move) -> Self {
        self.play(mv)
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        self.occupied().contains(mv.to)
    }

    #[inline]
    fn is_promotion(&self, _: Move) -> bool {
        false
    }

    #[inline]
    fn captures_only(&self) -> bool {
        !self.invaders().is_empty()
    }

    fn unmoves(&self) -> PositionList<Self> {
        moves::unmoves(self)
    }

    #[inline]
    fn flip(&self) -> Self {
        self.flip()
    }

    #[inline(always)]
    fn with_white_to_move(&self) -> Position {
        self.with_white_to_move()
    }

    fn write_fen_with(&self, _: Option<MoveCounters>, text: &mut String) {
        grid::write_rows::<_, { geometry::SIZE }>(self, text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        fen::parse_move(self, text)
    }

    fn format_move(&self, mv: Move) -> String {
        mv.to_string()
    }
}
