//! The draughts family on the 32 dark squares of the 8x8 board: one move generator with rule flags
//! for all variants.

mod capture;
mod fen;
mod geometry;
mod names;
mod notation;
mod position;
mod quiet;
mod rules;

pub use geometry::{DIRECTIONS, Direction};
pub use position::{KING, MAN, Position, promotion_row};
pub use rules::Draughts::{self, *};
pub use rules::{Corner, Notation, Priority, Promotion, Removal, Rules, UnknownVariant};

use capture::Captures;
use rules::{Variant, with_variant};

use crate::perft::perft;
use crate::{
    Bitboards, Color, FenError, Game, Kind, MoveCounters, MoveError, MoveList, Pieces,
    Position as _, PositionList, Setup, SetupError, Square, SquareSet,
};
use std::ops::ControlFlow;

/// A move. Captures with the same origin, end and captured pieces are the same move, even by
/// different routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
    /// Whether the piece is a king after the move.
    king: bool,
    captured: u32,
}

impl Move {
    /// The square the piece leaves.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(self.from)
    }

    /// The square the piece ends on.
    #[inline]
    pub fn to(self) -> Square {
        Square::new(self.to)
    }

    /// Whether the piece is a king after the move.
    pub fn ends_as_king(self) -> bool {
        self.king
    }

    /// The squares of the captured pieces.
    pub fn captured(self) -> SquareSet {
        geometry::squares(self.captured)
    }
}

impl Position {
    /// The number of legal moves, with different routes of the same capture counted separately, as
    /// in some published perft figures.
    pub fn count_routes(&self) -> u64 {
        match capture::routes(self).len() {
            0 => self.count_moves(),
            routes => routes as u64,
        }
    }

    /// The number of routes of a move: 1 for a quiet move.
    pub fn routes_of(&self, mv: Move) -> u64 {
        let routes = capture::routes(self);
        routes.iter().filter(|route| route.mv == mv).count().max(1) as u64
    }

    /// The squares that a move visits, from its origin to its end. If several routes capture the
    /// same pieces, one of them.
    pub fn route_of(&self, mv: Move) -> Vec<Square> {
        let routes = capture::routes(self);
        let found = routes.into_iter().find(|route| route.mv == mv);
        let path = found.map_or_else(|| vec![mv.from, mv.to], |route| route.path);
        path.into_iter().map(Square::new).collect()
    }

    /// Calls `found` with every capture that a man or king of the side to move would have on `from`
    /// with its first jump in direction `d`, once per route. That piece must not be on the board.
    /// [`Priority`] is not applied.
    #[inline]
    pub fn jumps(&self, from: Square, king: bool, d: Direction, found: impl FnMut(Move)) {
        with_variant!(self.game, V => capture::jumps::<V>(self, from.index(), king, d, found));
    }
}

#[inline]
fn moves<V: Variant>(position: &Position) -> MoveList<Move> {
    let captures = Captures::<V>::of(position);
    match captures.any() {
        true => captures.moves(),
        false => quiet::moves::<V>(position),
    }
}

#[inline]
fn count_moves<V: Variant>(position: &Position) -> u64 {
    let captures = Captures::<V>::of(position);
    match captures.any() {
        true => captures.moves().len() as u64,
        false => quiet::count::<V>(position).into(),
    }
}

/// The error for men that stand on their promotion rows.
#[cold]
fn man_on_promotion_row(game: Draughts, [white, black]: [SquareSet; 2]) -> SetupError {
    let (color, men) = if white.is_empty() { (Color::Black, black) } else { (Color::White, white) };
    let square = men.first().map_or_else(String::new, |square| game.square_name(square));
    SetupError::ManOnPromotionRow(color, square)
}

impl Game for Draughts {
    type Position = Position;
    type Move = Move;

    const ALL: &'static [Draughts] = Draughts::ALL;
    const KINDS: &'static [char] = &['K', 'M'];
    const MEN: &'static [Kind] = &[MAN];
    const SQUARES: u8 = 32;
    const MAX_SIDE_PIECES: u32 = 12;
    const TAKES_SEVERAL: bool = true;
    const PROMOTIONS: &'static [(Kind, Kind)] = &[(MAN, KING)];
    const BASICS: &'static str = "\
The game is played on the 32 dark squares of an 8x8 board. Men (M) move one square diagonally
forwards and become kings (K) on the last row. A capture must be made, and continued as far as
possible. A side that has no legal move has lost.";

    fn name(self) -> &'static str {
        self.rules().name
    }

    fn aliases(self) -> &'static [&'static str] {
        match self {
            Russian => &["shashki", "шашки"],
            English => &["checkers", "american"],
            Thai => &["makhos"],
            _ => &[],
        }
    }

    fn rules_version(self) -> u16 {
        match self {
            // In version 1 captured pieces were removed at the end of the move.
            Thai => 2,
            _ => 1,
        }
    }

    fn summary(self) -> String {
        self.rules().to_string()
    }

    fn start(self) -> Position {
        let Rules { men_rows, first_mover, .. } = self.rules();
        let rows = SquareSet::new((1 << (4 * men_rows)) - 1);
        let white = SquareSet::new(rows.bits() << (32 - 4 * men_rows));
        Position::new(self, white, rows, SquareSet::EMPTY, *first_mover)
    }

    #[inline]
    fn assemble(self, pieces: &Pieces, turn: Color) -> Position {
        let [white, black] = Color::BOTH.map(|color| [KING, MAN].map(|kind| pieces[(color, kind)]));
        let kings = white[0] | black[0];
        Position::new(self, white[0] | white[1], black[0] | black[1], kings, turn)
    }

    fn rays(self, kind: Kind, square: Square) -> Vec<Vec<Square>> {
        let reach = if self.rules().flying_kings { 8 } else { 1 };
        let ray = |d: Direction| {
            let squares = std::iter::successors(d.next(square), |&near| d.next(near));
            squares.take(reach).collect()
        };
        match kind {
            KING => DIRECTIONS.map(ray).into(),
            _ => Vec::new(),
        }
    }

    fn parse_bare(self, text: &str) -> Result<Setup, FenError> {
        fen::parse(self, text)
    }

    #[inline(always)]
    fn check_rules(self, setup: &Setup) -> Result<(), SetupError> {
        let on_row = |color| setup.pieces[(color, MAN)] & promotion_row(color);
        if Color::BOTH.map(on_row) == [SquareSet::EMPTY; 2] {
            return Ok(());
        }
        Err(man_on_promotion_row(self, Color::BOTH.map(on_row)))
    }

    #[inline(always)]
    fn assemble_bitboards(self, bitboards: &Bitboards) -> Option<Position> {
        let on_row = |color| bitboards.pieces(color, MAN) & promotion_row(color);
        if Color::BOTH.map(on_row) != [SquareSet::EMPTY; 2] {
            return None;
        }
        let Bitboards { sides: [white, black], kinds, turn } = *bitboards;
        Some(Position::new(self, white, black, kinds[KING.index()], turn))
    }

    fn square_name(self, square: Square) -> String {
        self.format_square(square).to_owned()
    }

    fn board(self) -> Vec<Vec<Option<Square>>> {
        let mirrored = self.rules().mirrored;
        let square = |file, rank| {
            let file = if mirrored { 7 - file } else { file };
            geometry::at(file, rank)
        };
        (0..8).rev().map(|rank| (0..8).map(|file| square(file, rank)).collect()).collect()
    }

    /// `w` and `b` are men, `W` and `B` kings.
    fn symbol(color: Color, kind: Kind) -> char {
        match kind {
            KING => color.letter(),
            _ => color.letter().to_ascii_lowercase(),
        }
    }
}

impl crate::Position for Position {
    type Game = Draughts;
    type Move = Move;

    #[inline]
    fn game(&self) -> Draughts {
        self.game
    }

    #[inline]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        debug_assert!(kind == KING || kind == MAN, "{kind:?}");
        let side = self.sides[color as usize];
        let kings = side & self.kings;
        // Branchless: the kind is unpredictable.
        geometry::squares(if kind == KING { kings } else { side ^ kings })
    }

    #[inline]
    fn side(&self, color: Color) -> SquareSet {
        geometry::squares(self.sides[color as usize])
    }

    #[inline]
    fn moves(&self) -> MoveList<Move> {
        with_variant!(self.game, V => moves::<V>(self))
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        with_variant!(self.game, V => count_moves::<V>(self))
    }

    fn perft(&self, depth: u32) -> u64 {
        with_variant!(self.game, V => {
            perft(self, depth, &moves::<V>, &count_moves::<V>, &Self::play)
        })
    }

    #[inline]
    fn loses_when_stuck(&self) -> bool {
        true
    }

    #[inline]
    fn play(&self, mv: Move) -> Self {
        let (from, to) = (1 << mv.from, 1 << mv.to);
        // A capture may end where it began: clear the origin before setting the end.
        let moved = self.mover() & !from | to;
        let left = self.opponent() & !mv.captured;
        let sides = match self.turn {
            Color::White => [moved, left],
            Color::Black => [left, moved],
        };
        let kings = self.kings & !(mv.captured | from) | u32::from(mv.king) << mv.to;
        Position { sides, kings, turn: !self.turn, game: self.game }
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        mv.captured != 0
    }

    #[inline]
    fn is_promotion(&self, mv: Move) -> bool {
        mv.king && self.kings & 1 << mv.from == 0
    }

    #[inline]
    fn captures_only(&self) -> bool {
        with_variant!(self.game, V => Captures::<V>::of(self).any())
    }

    #[inline]
    fn captures(&self, mut found: impl FnMut(Option<Position>) -> ControlFlow<()>) -> bool {
        with_variant!(self.game, V => {
            let captures = Captures::<V>::of(self);
            let any = captures.any();
            if any {
                match self.opponent().is_power_of_two() {
                    // Every capture takes the opponent's last piece, so captures need not be
                    // generated.
                    true => drop(found(None)),
                    false => captures.each(
                        #[inline(always)]
                        |mv| {
                            let after = self.play(mv);
                            found((after.mover() != 0).then_some(after))
                        },
                    ),
                }
            }
            any
        })
    }

    #[inline]
    fn unmoves(&self) -> PositionList<Self> {
        with_variant!(self.game, V => quiet::unmoves::<V>(self))
    }

    #[inline]
    fn flip(&self) -> Self {
        self.flip()
    }

    #[inline]
    fn with_white_to_move(&self) -> Self {
        self.with_white_to_move()
    }

    fn write_fen_with(&self, counters: Option<MoveCounters>, text: &mut String) {
        fen::write(self, counters, text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse(self, text)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format(self, mv)
    }
}
