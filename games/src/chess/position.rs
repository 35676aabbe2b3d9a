use super::castling::{Castling, CastlingRights};
use super::geometry::{
    RANKS_1_AND_8, SIZE, diagonal, diagonal_lines, forward, king_steps, knight_leaps, pawn_attacks,
    reached, shifted, straight, straight_lines,
};
use super::{BISHOP, KING, KNIGHT, Move, PAWN, QUEEN, ROOK};
use crate::grid::Board;
use crate::{Bitboards, Color, Kind, Pieces, Position as _, Square, SquareSet};

/// A chess position.
///
/// The square on a row and file, both from 0, has the index `8 * row + file`: a1 is 0, h1 is 7,
/// a2 is 8, h8 is 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) board: Board<SIZE>,
    pub(super) turn: Color,
    castling: CastlingRights,
    en_passant: Option<Square>,
}

/// Bits of a [state](crate::Position::state): the flag that a pawn may be captured en passant, and
/// the position of the lowest bit of that pawn's file.
const EN_PASSANT: u32 = 1 << 7;
const FILE_SHIFT: u32 = 4;

impl Position {
    #[inline]
    pub(super) fn assemble(pieces: &Pieces, turn: Color) -> Position {
        let (castling, en_passant) = (CastlingRights::NONE, None);
        Position { board: Board::new(pieces), turn, castling, en_passant }
    }

    /// The position of bitboards, without castling rights and en passant. Nothing is checked.
    #[inline(always)]
    pub(super) fn from_bitboards(bitboards: &Bitboards) -> Position {
        let (board, turn) = (Board::from_bitboards(bitboards), bitboards.turn);
        Position { board, turn, castling: CastlingRights::NONE, en_passant: None }
    }

    /// The state as a number; the [module](super) describes its bits.
    #[inline]
    pub(super) fn state(&self) -> u32 {
        if self.castling.is_none() && self.en_passant.is_none() {
            return 0;
        }
        let file = |square: Square| (u32::from(square.index()) % 8) << FILE_SHIFT;
        let en_passant = self.en_passant.map_or(0, |square| EN_PASSANT | file(square));
        self.castling.bits() | en_passant
    }

    /// This position with castling rights, and with an en passant square if a pawn can legally
    /// capture there.
    #[inline(always)]
    pub(super) fn with_rights(
        self,
        castling: CastlingRights,
        en_passant: Option<Square>,
    ) -> Position {
        let en_passant = en_passant.filter(|&square| can_be_captured_en_passant(self, square));
        Position { castling, en_passant, ..self }
    }

    /// The squares on which either side has pieces of `kind`.
    #[inline]
    pub fn kind(&self, kind: Kind) -> SquareSet {
        self.board.kind(kind)
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.board.occupied()
    }

    /// The square of a side's king.
    ///
    /// # Panics
    /// In debug builds, if there is no king; a legal position has both.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::lowest((self.side(color) & self.kind(KING)).bits())
    }

    /// The castling rights.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square behind a pawn that has just made a double step, if it can be captured there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// All bishops and queens.
    #[inline]
    pub(super) fn diagonal_sliders(&self) -> SquareSet {
        self.kind(BISHOP) | self.kind(QUEEN)
    }

    /// All rooks and queens.
    #[inline]
    pub(super) fn straight_sliders(&self) -> SquareSet {
        self.kind(ROOK) | self.kind(QUEEN)
    }

    /// The pieces of `color` that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, color: Color, occupied: SquareSet) -> SquareSet {
        let side = self.side(color);
        let mut attackers = king_steps(square) & self.kind(KING)
            | knight_leaps(square) & self.kind(KNIGHT)
            | pawn_attacks(!color, square.into()) & self.kind(PAWN);
        let (on_lines, on_diagonals) =
            (self.straight_sliders() & side, self.diagonal_sliders() & side);
        // With few pieces on the board, the lines through the square usually have no slider.
        let near = straight_lines(square) & on_lines | diagonal_lines(square) & on_diagonals;
        if !near.is_empty() {
            attackers |= straight(square, occupied) & on_lines;
            attackers |= diagonal(square, occupied) & on_diagonals;
        }
        attackers & side
    }

    /// The squares that a piece other than a pawn attacks from `square`, given the occupied
    /// squares. Includes the first occupied square of each line.
    #[inline(always)]
    pub fn reach(kind: Kind, square: Square, occupied: SquareSet) -> SquareSet {
        reached(kind, square, occupied)
    }

    /// The squares that `pawns` of `color` attack.
    #[inline]
    pub fn pawn_attacks(color: Color, pawns: SquareSet) -> SquareSet {
        pawn_attacks(color, pawns)
    }

    /// The squares that pieces of `color` attack, given the occupied squares.
    #[inline]
    pub(super) fn attacked(&self, color: Color, occupied: SquareSet) -> SquareSet {
        let pieces = self.side(color);
        let mut attacked =
            king_steps(self.king(color)) | pawn_attacks(color, pieces & self.kind(PAWN));
        for from in pieces & self.kind(KNIGHT) {
            attacked |= knight_leaps(from);
        }
        for from in pieces & self.straight_sliders() {
            attacked |= straight(from, occupied);
        }
        for from in pieces & self.diagonal_sliders() {
            attacked |= diagonal(from, occupied);
        }
        attacked
    }

    /// Whether there may be legal captures or promotions. Faster than
    /// [listing](Position::captures_and_promotions) them if there are few pieces. False only if
    /// there are none.
    #[inline]
    pub fn may_capture_or_promote(&self) -> bool {
        let turn = self.turn;
        let promoted = shifted(self.side(turn) & self.kind(PAWN), forward(turn)) & RANKS_1_AND_8;
        let occupied = self.occupied();
        let mut targets = (self.side(!turn) & !self.kind(KING)).into_iter();
        let may_capture = targets.any(|to| !self.attackers(to, turn, occupied).is_empty());
        self.en_passant.is_some() || may_capture || !promoted.is_empty()
    }

    /// Whether the king of `color` is attacked.
    #[inline]
    pub fn is_in_check(&self, color: Color) -> bool {
        !self.attackers(self.king(color), !color, self.occupied()).is_empty()
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let is_en_passant = self.en_passant == Some(mv.to) && self.kind(PAWN).contains(mv.from);
        // These moves change a second piece, or the kind of the moved piece.
        if mv.promotion.is_some() || is_en_passant || self.castling_of(mv).is_some() {
            return self.play(mv).is_in_check(!self.turn);
        }
        let king = self.king(!self.turn);
        let [from, to] = [mv.from, mv.to].map(SquareSet::from);
        let occupied = self.occupied() & !from | to;
        let after = |squares: SquareSet| {
            let moved = u64::from(squares.contains(mv.from)) << mv.to.index();
            squares & !(from | to) | SquareSet::new(moved)
        };
        let attackers = knight_leaps(king) & after(self.kind(KNIGHT))
            | pawn_attacks(!self.turn, king.into()) & after(self.kind(PAWN))
            | straight(king, occupied) & after(self.straight_sliders())
            | diagonal(king, occupied) & after(self.diagonal_sliders());
        !(attackers & after(self.side(self.turn))).is_empty()
    }

    #[inline]
    pub(super) fn play(&self, mv: Move) -> Position {
        let mover = self.turn;
        let mut next = *self;
        next.turn = !mover;
        next.en_passant = None;
        if let Some(Castling { king, rook }) = self.castling_of(mv) {
            // The king or the rook may move to the square that the other leaves.
            next.board.toggle(mover, KING, SquareSet::from(king[0]) ^ king[1].into());
            next.board.toggle(mover, ROOK, SquareSet::from(rook[0]) ^ rook[1].into());
            next.castling = self.castling.without(self.castling.of(mover));
            return next;
        }
        next.board.play(mover, mv.from, mv.to);
        if !self.castling.is_none() {
            next.castling = self.castling_after(mv);
        }
        if self.kind(PAWN).contains(mv.from) {
            if let Some(kind) = mv.promotion {
                next.board.change(mv.to, PAWN, kind);
            } else if self.en_passant == Some(mv.to) {
                next.board.toggle(!mover, PAWN, beside(mv.to).into());
            } else if mv.from.index().abs_diff(mv.to.index()) == 16 {
                next.allow_en_passant(beside(mv.to));
            }
        }
        next
    }

    /// Which castling the legal move `mv` is; `None` for other moves.
    #[inline]
    pub fn castling_of(&self, mv: Move) -> Option<Castling> {
        let is_castling = self.side(self.turn).contains(mv.to);
        is_castling.then(|| Castling::new(mv.from, mv.to))
    }

    /// The castling rights after a move other than castling.
    #[inline]
    fn castling_after(&self, mv: Move) -> CastlingRights {
        let lost = CastlingRights::of_rook(mv.from) | CastlingRights::of_rook(mv.to);
        let kept = self.castling.without(lost);
        match self.kind(KING).contains(mv.from) {
            true => kept.without(kept.of(self.turn)),
            false => kept,
        }
    }

    /// Whether the king passes and reaches no attacked square by castling. The king must not be in
    /// check, and all squares that castling needs must be empty. `attacked` are the squares that
    /// the other side attacks when the king blocks no lines.
    #[inline]
    pub(super) fn is_castling_safe(&self, castling: &Castling, attacked: SquareSet) -> bool {
        if !(attacked & castling.way()).is_empty() {
            return false;
        }
        // A rook on the b-file may have shielded the king's target from an attacker in the corner.
        let rook = castling.rook[0].index();
        let sliders = self.straight_sliders() & self.side(!self.turn);
        rook % 8 != 1 || !sliders.contains(Square::new(rook - 1))
    }

    /// Sets the en passant square to `square`, which a pawn has just passed, if the pawn can be
    /// captured there.
    #[inline]
    pub(super) fn allow_en_passant(&mut self, square: Square) {
        let takers = self.side(self.turn) & self.kind(PAWN);
        let takers = pawn_attacks(!self.turn, square.into()) & takers;
        if takers.into_iter().any(|from| self.may_take_en_passant(from, square)) {
            self.en_passant = Some(square);
        }
    }

    /// Whether either side has a castling right.
    #[inline]
    pub fn may_castle(&self) -> bool {
        !self.castling.is_none()
    }

    /// Whether the king is safe after a pawn captures en passant.
    pub(super) fn may_take_en_passant(&self, from: Square, to: Square) -> bool {
        let taken = SquareSet::from(beside(to));
        let occupied = self.occupied() ^ (taken | from.into() | to.into());
        let attackers = self.attackers(self.king(self.turn), !self.turn, occupied);
        (attackers & !taken).is_empty()
    }

    /// The position after a null move. The side to move must not be in check.
    #[inline]
    pub fn pass(&self) -> Position {
        Position { turn: !self.turn, en_passant: None, ..*self }
    }

    /// The position before the side that is not to move made the quiet move `mv` with a piece that
    /// was of `kind` before it.
    #[inline]
    pub(super) fn unplay(&self, kind: Kind, mv: Move) -> Position {
        let mut before = *self;
        before.turn = !self.turn;
        before.board.unplay(before.turn, kind, mv.from, mv.to);
        before.en_passant = None;
        before
    }

    /// This position, flipped if Black is to move. Branchless, like the same function of the board.
    #[inline(always)]
    pub(super) fn with_white_to_move(&self) -> Position {
        let turned = self.turn as u8;
        Position {
            board: self.board.with_white_to_move(self.turn),
            turn: Color::White,
            castling: self.castling.turned(turned),
            en_passant: self.en_passant.map(|square| Square::new(square.index() ^ (56 * turned))),
        }
    }

    #[inline]
    pub(super) fn flip(&self) -> Position {
        Position {
            board: self.board.flip(),
            turn: !self.turn,
            castling: self.castling.flip(),
            en_passant: self.en_passant.map(|square| Square::new(square.index() ^ 56)),
        }
    }
}

/// Whether a pawn that has just passed a square can be captured there. Takes the position by value:
/// one passed by reference would be written to memory and read again.
#[cold]
fn can_be_captured_en_passant(mut position: Position, square: Square) -> bool {
    position.allow_en_passant(square);
    position.en_passant.is_some()
}

/// Whether the square is on the rank of en passant squares when `turn` is to move.
pub(super) fn is_en_passant_rank(square: Square, turn: Color) -> bool {
    let rank = match turn {
        Color::White => 5,
        Color::Black => 2,
    };
    square.index() / 8 == rank
}

/// Converts between the en passant square and the square of the pawn that is captured there.
#[inline]
pub(super) const fn beside(square: Square) -> Square {
    Square::new(square.index() ^ 8)
}
