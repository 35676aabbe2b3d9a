//! Chess by the rules of FIDE.
//!
//! A [`Position`] is a position as the laws of chess define it: pieces, side to move, castling
//! rights and possible en passant captures. The en passant square is kept only if a pawn can
//! legally capture there, so positions with the same moves are equal. Draws by the 50-move rule and
//! by repetition are not handled here. The counters of a FEN are kept beside the position, in
//! [`Counted`](crate::Counted).
//!
//! A position is legal if each side has one king, at most sixteen pieces and at most eight pawns,
//! none of them on the first or last rank; the side that is not to move is not in check; a side
//! with a castling right has its king and that rook on its first rank; and a pawn that may be
//! captured en passant can have made its double step. It need not be reachable in a game.
//!
//! Kings and rooks that may castle can stand on any files, as in Chess960. [`chess960`] has its start
//! positions. Positions without castling rights are the same in both games.
//!
//! In its [state](crate::Position::state), bits 0 to 3 are the castling rights with the rooks of
//! standard chess: White's on the king's side and the queen's side, then Black's. Bits 8 to 13 are
//! White's rights with rooks on b1 to g1, and bits 14 to 19 Black's with rooks on b8 to g8. Bit 7 is
//! set if a pawn may be captured en passant, and bits 4 to 6 are its file, 0 for a.
//!
//! ```
//! use damka_games::{Chess, Game, Position};
//! let position = Chess.parse_fen("4k3/P7/8/8/8/8/8/4K2R w K - 0 1").unwrap();
//! assert_eq!(position.count_moves(), 19);
//! let mv = position.parse_move("a8=N").unwrap();
//! assert_eq!((position.format_move(mv), mv.to_string()), ("a8=N".into(), "a7a8n".into()));
//! let mate = Chess.parse_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - -").unwrap();
//! assert!(mate.moves().is_empty() && mate.loses_when_stuck());
//! ```

mod castling;
mod chess960;
mod fen;
mod geometry;
mod kinds;
mod moves;
mod notation;
mod position;
mod unmoves;

pub use castling::{Castling, CastlingRights};
pub use chess960::{CHESS960_POSITIONS, chess960};
pub use geometry::RANKS_1_AND_8;
pub use kinds::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};
pub use position::Position;

use crate::{
    Bitboards, Color, FenError, Game, Kind, MoveCounters, MoveError, MoveList, Pieces,
    Position as _, PositionList, Setup, SetupError, Square, SquareSet, grid,
};
use geometry::SIZE;
use position::{beside, is_en_passant_rank};
use std::sync::LazyLock;

/// The maximum number of pawns of a side.
const MOST_PAWNS: u32 = 8;

/// A move of a piece from one square to another, including the capture of a piece there. Castling
/// is a move of the king to the rook's square, because in Chess960 its target may also be that of
/// an ordinary king step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it arrives on.
    pub to: Square,
    /// The kind that a pawn is promoted to.
    pub promotion: Option<Kind>,
}

/// The game of chess; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chess;

impl Game for Chess {
    type Position = Position;
    type Move = Move;

    const ALL: &'static [Chess] = &[Chess];
    const KINDS: &'static [char] = &['K', 'Q', 'R', 'B', 'N', 'P'];
    const MEN: &'static [Kind] = &[PAWN];
    const SQUARES: u8 = 64;
    const MAX_SIDE_PIECES: u32 = 16;
    const PROMOTIONS: &'static [(Kind, Kind)] =
        &[(PAWN, QUEEN), (PAWN, ROOK), (PAWN, BISHOP), (PAWN, KNIGHT)];
    const BASICS: &'static str = "\
Chess is played by the rules of FIDE. Positions of Chess960 are those in which kings and rooks that may \
castle stand on other files.";
    const ROYAL: Option<Kind> = Some(KING);
    const HAS_CASTLING: bool = true;
    const COUNTERS: Option<MoveCounters> = Some(MoveCounters::START);
    const LOST: &'static str = "is checkmated";

    fn name(self) -> &'static str {
        "chess"
    }

    fn aliases(self) -> &'static [&'static str] {
        &["шахматы"]
    }

    fn rules_version(self) -> u16 {
        1
    }

    fn summary(self) -> String {
        "the rules of FIDE; tables ignore the 50-move rule and repetition".to_owned()
    }

    fn start(self) -> Position {
        const HOME: [Kind; 8] = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK];
        // Computed once, because the move counters need its side to move after every move.
        static START: LazyLock<Position> = LazyLock::new(|| chess960::start(HOME));
        *START
    }

    #[inline]
    fn assemble(self, pieces: &Pieces, turn: Color) -> Position {
        Position::assemble(pieces, turn)
    }

    fn rays(self, kind: Kind, square: Square) -> Vec<Vec<Square>> {
        geometry::rays(kind, square)
    }

    fn parse_bare(self, text: &str) -> Result<Setup, FenError> {
        fen::parse(text)
    }

    #[inline(always)]
    fn mirrored(squares: SquareSet) -> SquareSet {
        SquareSet::new(grid::mirror::<SIZE>(squares.bits()))
    }

    #[inline(always)]
    fn check_rules(self, setup: &Setup) -> Result<(), SetupError> {
        let Setup { pieces, turn, castling, en_passant, .. } = setup;
        let position = self.assemble(pieces, *turn);
        // If both sides together have no more pieces than one side may have pawns, neither has too
        // many pawns.
        let may_be_many = position.occupied().len() > MOST_PAWNS;
        if may_be_many || !(position.kind(PAWN) & RANKS_1_AND_8).is_empty() {
            check_pawns(self, pieces)?;
        }
        if position.is_in_check(!*turn) {
            return Err(SetupError::InCheck(!*turn));
        }
        if !castling.is_none() {
            self.check_castling(pieces, *castling)?;
        }
        match *en_passant {
            Some(passed) => self.check_double_step(&position, passed),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn assemble_setup(self, setup: &Setup) -> Position {
        let position = self.assemble(&setup.pieces, setup.turn);
        position.with_rights(setup.castling, setup.en_passant)
    }

    #[inline(always)]
    fn assemble_bitboards(self, bitboards: &Bitboards) -> Option<Position> {
        let position = Position::from_bitboards(bitboards);
        let pawns = position.kind(PAWN);
        let are_few = |color| bitboards.pieces(color, PAWN).len() <= MOST_PAWNS;
        let is_possible = (pawns & RANKS_1_AND_8).is_empty()
            && (pawns.len() <= MOST_PAWNS || Color::BOTH.into_iter().all(are_few))
            && !position.is_in_check(!bitboards.turn);
        is_possible.then_some(position)
    }

    fn square_name(self, square: Square) -> String {
        grid::square_name::<SIZE>(square).to_string()
    }

    fn board(self) -> Vec<Vec<Option<Square>>> {
        grid::board::<SIZE>()
    }

    fn symbol(color: Color, kind: Kind) -> char {
        grid::symbol::<Chess>(color, kind)
    }
}

/// Checks the numbers and ranks of the pawns.
#[cold]
fn check_pawns(game: Chess, pieces: &Pieces) -> Result<(), SetupError> {
    for color in Color::BOTH {
        let pawns = pieces[(color, PAWN)];
        if let Some(square) = (pawns & RANKS_1_AND_8).first() {
            return Err(SetupError::PawnOnEndRank(color, game.square_name(square)));
        }
        if pawns.len() > MOST_PAWNS {
            return Err(SetupError::TooManyPawns(color, pawns.len()));
        }
    }
    Ok(())
}

impl Chess {
    /// Checks that kings and rooks that may castle are on their first rank, with at most one such
    /// rook on each side of the king.
    fn check_castling(self, pieces: &Pieces, rights: CastlingRights) -> Result<(), SetupError> {
        for color in Color::BOTH {
            let rooks = rights.rooks_of(color);
            let Some(rook) = rooks.first() else { continue };
            let nowhere = |rook: Square, piece, square| {
                let right = castling::letter(color, rook);
                Err(SetupError::CastlingFromNowhere { color, right, piece, square })
            };
            let king = pieces[(color, KING)].first().map_or(0, Square::index);
            if king / 8 != rook.index() / 8 {
                return nowhere(rook, "king", "its first rank".to_owned());
            }
            if let Some(rook) = (rooks & !pieces[(color, ROOK)]).first() {
                return nowhere(rook, "rook", self.square_name(rook));
            }
            let on_queenside = SquareSet::new((1 << king) - 1);
            if (rooks & on_queenside).len() > 1 || (rooks & !on_queenside).len() > 1 {
                return Err(SetupError::CastlingTwice(color));
            }
        }
        Ok(())
    }

    /// Checks that a pawn can just have made a double step over `passed`.
    fn check_double_step(self, position: &Position, passed: Square) -> Result<(), SetupError> {
        let color = !position.turn();
        let square = self.square_name(passed);
        if !is_en_passant_rank(passed, position.turn()) {
            return Err(SetupError::NoEnPassantSquare(square));
        }
        let to = beside(passed);
        let from = Square::new(2 * passed.index() - to.index());
        if !position.pieces(color, PAWN).contains(to) {
            let pawn = self.square_name(to);
            return Err(SetupError::NothingToTakeEnPassant { color, square, pawn });
        }
        if let Some(there) = [passed, from].into_iter().find(|&at| position.occupied().contains(at))
        {
            return Err(SetupError::EnPassantBlocked(square, self.square_name(there)));
        }
        let before = position.unplay(PAWN, Move { from, to, promotion: None });
        match before.is_in_check(!color) {
            true => Err(SetupError::InCheckBefore(!color, square)),
            false => Ok(()),
        }
    }
}

impl crate::Position for Position {
    type Game = Chess;
    type Move = Move;

    #[inline]
    fn game(&self) -> Chess {
        Chess
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

    #[inline]
    fn state(&self) -> u32 {
        self.state()
    }

    fn setup(&self) -> Setup {
        let (castling, en_passant) = (self.castling(), self.en_passant());
        Setup { castling, en_passant, ..Setup::new(self.all_pieces(), self.turn()) }
    }

    fn moves(&self) -> MoveList<Move> {
        moves::moves(self)
    }

    fn count_moves(&self) -> u64 {
        moves::count(self)
    }

    #[inline]
    fn loses_when_stuck(&self) -> bool {
        self.is_in_check(self.turn())
    }

    #[inline]
    fn play(&self, mv: Move) -> Position {
        self.play(mv)
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        self.side(!self.turn()).contains(mv.to)
            || self.en_passant() == Some(mv.to) && self.kind(PAWN).contains(mv.from)
    }

    #[inline]
    fn is_promotion(&self, mv: Move) -> bool {
        mv.promotion.is_some()
    }

    #[inline]
    fn captures_only(&self) -> bool {
        false
    }

    fn unmoves(&self) -> PositionList<Position> {
        unmoves::unmoves(self)
    }

    #[inline]
    fn flip(&self) -> Position {
        self.flip()
    }

    #[inline(always)]
    fn with_white_to_move(&self) -> Position {
        self.with_white_to_move()
    }

    fn write_fen_with(&self, counters: Option<MoveCounters>, text: &mut String) {
        fen::write(self, counters.unwrap_or(MoveCounters::START), text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse(self, text)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format(self, mv)
    }

    fn coordinates(&self, mv: Move) -> String {
        notation::coordinates(self, mv)
    }

    fn coordinates_960(&self, mv: Move) -> String {
        mv.to_string()
    }
}
