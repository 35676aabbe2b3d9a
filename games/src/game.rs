use crate::pasted;
use crate::perft::perft;
use crate::{
    Color, FenError, Kind, MAX_KINDS, Material, MoveCounters, MoveError, Pieces, PositionError,
    Setup, SetupError, Square, SquareSet,
};
use smallvec::SmallVec;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The legal moves of a position. Lives on the stack unless there are very many.
pub type MoveList<M> = SmallVec<[M; 64]>;

/// The predecessors of a position. Lives on the stack unless there are very many.
pub type PositionList<P> = SmallVec<[P; 32]>;

/// A family of games that share board and pieces, and so the code built on them, which is
/// compiled once for all of them; its values are the games.
///
/// What the rules say of a position are methods of the [`Position`].
pub trait Game: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// Board and side to move.
    type Position: Position<Game = Self, Move = Self::Move>;
    /// A legal move; what it does is defined by the position it was made for.
    type Move: Copy + Debug + Eq + Send + Sync;

    /// The games of the family.
    const ALL: &'static [Self];
    /// The letters of the kinds of piece, strongest first: a [`Kind`] is a place in this list.
    const KINDS: &'static [char];
    /// The men or pawns among the kinds: those whose every move is a conversion.
    const MEN: &'static [Kind];
    /// The number of squares; at most 64.
    const SQUARES: u8;
    /// The most pieces of a side.
    const MOST_PIECES: u32;
    /// Which kinds of piece can become which others, as (from, to).
    const PROMOTIONS: &'static [(Kind, Kind)];
    /// The kind of which each side has exactly one piece, which is never taken: chess's king.
    const ROYAL: Option<Kind> = None;

    /// The move counters of a FEN that has none, if the game's FENs always have some.
    const COUNTERS: Option<MoveCounters> = None;
    /// The rules that the games of the family share, in a few sentences for a person.
    const BASICS: &'static str;

    /// What has happened to a side that has lost, having no legal move.
    const LOST: &'static str = "has no legal move";

    /// Whether one move may take several pieces.
    const TAKES_SEVERAL: bool = false;

    /// The game's name on the command line and in table files: lower-case ASCII,
    /// at most 16 bytes.
    fn name(self) -> &'static str;

    /// Other names that people use for the game, in lower case.
    fn aliases(self) -> &'static [&'static str] {
        &[]
    }

    /// Whether this is the game's name or one of its [aliases](Game::aliases), in any case.
    fn is_named(self, name: &str) -> bool {
        let name = name.to_lowercase();
        name == self.name() || self.aliases().contains(&&*name)
    }

    /// The kinds of piece, strongest first.
    #[inline]
    fn kinds() -> impl DoubleEndedIterator<Item = Kind> + ExactSizeIterator + Clone {
        (0..Self::KINDS.len()).map(Kind::new)
    }

    /// The rules in a line, for somebody who knows the family.
    fn summary(self) -> String;

    /// Identifies the rules in table files: grows whenever a change of rules
    /// changes any value.
    fn rules_version(self) -> u16;

    /// The position a game starts from.
    fn start(self) -> Self::Position;

    /// The position made of `pieces` with `turn` to move; in chess nobody may castle or take en
    /// passant. It must be [possible](Game::position): nothing is checked.
    fn assemble(self, pieces: &Pieces, turn: Color) -> Self::Position;

    /// Whether pieces of `color` other than [`MEN`](Game::MEN) may stand on `squares`, all of
    /// them together, when it is `turn`'s move, whatever else stands where.
    #[inline]
    fn may_stand(_squares: SquareSet, _color: Color, _turn: Color) -> bool {
        true
    }

    /// Where a piece of `kind` on `square` of an empty board can go by quiet moves
    /// that it could take back: the squares in each direction, near to far; it
    /// passes over none that is occupied. Nothing for [`MEN`](Game::MEN).
    fn rays(self, kind: Kind, square: Square) -> Vec<Vec<Square>>;

    /// The materials (of the same two sides) that one capture of a single piece
    /// or one promotion leads to. Sides may become empty.
    fn exits(sides: [Material; 2]) -> Vec<[Material; 2]> {
        let mut exits = Vec::new();
        for side in 0..2 {
            let taken = Self::kinds().filter(|&kind| Some(kind) != Self::ROYAL);
            let captured = taken.map(|kind| sides[side].without(kind));
            let promotions = Self::PROMOTIONS.iter();
            let promoted = promotions.map(|&(from, to)| Some(sides[side].without(from)?.with(to)));
            for material in captured.chain(promoted).flatten() {
                let mut exit = sides;
                exit[side] = material;
                exits.push(exit);
            }
        }
        exits
    }

    /// Reads what stands where and who is to move: a FEN, or the tags of PDN or PGN with one, as
    /// programs copy them to the clipboard, `[FEN "B:W18,K10:B12."] *`.
    ///
    /// # Errors
    /// Says what in the text is not understood, and where.
    fn parse_setup(self, text: &str) -> Result<Setup, FenError> {
        let fen = pasted::fen(text)?;
        let skipped = text[..fen.start].chars().count();
        let setup = self.parse_bare(&text[fen]);
        setup.map_err(|FenError { problem, at }| FenError { problem, at: skipped + at })
    }

    /// Reads a FEN without anything around it.
    ///
    /// # Errors
    /// Like [`parse_setup`](Game::parse_setup).
    fn parse_bare(self, fen: &str) -> Result<Setup, FenError>;

    /// Finds what the rules of this game do not allow in a setup: what no game allows
    /// ([`position`](Game::position)) need not be looked for.
    ///
    /// # Errors
    /// Says what is impossible.
    fn check(self, setup: &Setup) -> Result<(), SetupError>;

    /// The position that is set up.
    ///
    /// # Errors
    /// Says what is impossible about it.
    fn position(self, setup: &Setup) -> Result<Self::Position, SetupError> {
        let Setup { pieces, turn, .. } = setup;
        let mut occupied = SquareSet::EMPTY;
        for (_, kind, squares) in pieces.iter().filter(|(_, _, squares)| !squares.is_empty()) {
            if kind.index() >= Self::KINDS.len() {
                return Err(SetupError::NoSuchKind(kind));
            }
            if let Some(square) = squares.into_iter().find(|square| square.index() >= Self::SQUARES)
            {
                return Err(SetupError::NoSuchSquare(square));
            }
            if let Some(square) = (occupied & squares).first() {
                return Err(SetupError::SquareTaken(self.square_name(square)));
            }
            occupied |= squares;
        }
        for color in Color::BOTH {
            if let Some(king) = Self::ROYAL
                && pieces[(color, king)].len() != 1
            {
                return Err(SetupError::Kings(color, pieces[(color, king)].len()));
            }
            let (count, max) = (pieces.side(color).len(), Self::MOST_PIECES);
            if count == 0 && color != *turn {
                return Err(SetupError::NoPieces(color));
            }
            if count > max {
                return Err(SetupError::TooManyPieces { color, count, max });
            }
        }
        self.check(setup)?;
        Ok(self.assemble_all(setup))
    }

    /// [Assembles](Game::assemble) a setup with all that its position consists of: in chess also
    /// who may castle and take en passant.
    fn assemble_all(self, setup: &Setup) -> Self::Position {
        self.assemble(&setup.pieces, setup.turn)
    }

    /// Reads a position.
    ///
    /// # Errors
    /// The text is not understood, or what it says is impossible.
    fn parse_fen(self, text: &str) -> Result<Self::Position, PositionError> {
        Ok(self.position(&self.parse_setup(text)?)?)
    }

    /// A square as moves are written with it.
    fn square_name(self, square: Square) -> String;

    /// The board as it is drawn with White at the bottom: its rows from the top, and in each
    /// the squares from the left, `None` where no piece can stand.
    fn board(self) -> Vec<Vec<Option<Square>>>;

    /// The letter that a piece is drawn as.
    fn symbol(color: Color, kind: Kind) -> char;
}

/// A position of a game, and what the rules say of it.
///
/// A position is a board and the side to move, and knows its game and what else its rules look at
/// ([`state`](Position::state)), nothing more: no counters ([`Counted`](crate::Counted) has them),
/// no history. Rules must be the same for both sides: [`flip`](Position::flip) turns a position
/// into an equivalent one with the other side to move.
///
/// ```
/// use damka_games::{Game, Position, Russian};
/// let position = Russian.parse_fen("W:WKa1:BKh8").unwrap();
/// let mv = position.parse_move("a1-b2").unwrap();
/// assert_eq!(position.play(mv).fen(), "B:WKb2:BKh8");
/// ```
pub trait Position: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    /// The family of the game.
    type Game: Game<Position = Self, Move = Self::Move>;
    /// A legal move; what it does is defined by the position it was made for.
    type Move: Copy + Debug + Eq + Send + Sync;

    /// The game that this is a position of.
    fn game(&self) -> Self::Game;

    /// The side to move.
    fn turn(&self) -> Color;

    /// The squares on which `color` has pieces of `kind`.
    fn pieces(&self, color: Color, kind: Kind) -> SquareSet;

    /// The squares on which `color` has pieces.
    #[inline]
    fn side(&self, color: Color) -> SquareSet {
        Self::Game::kinds().map(|kind| self.pieces(color, kind)).collect()
    }

    /// All pieces of both sides.
    #[inline]
    fn all_pieces(&self) -> Pieces {
        let mut pieces = Pieces::default();
        for color in Color::BOTH {
            for kind in Self::Game::kinds() {
                pieces[(color, kind)] = self.pieces(color, kind);
            }
        }
        pieces
    }

    /// The position as a setup, without counters.
    #[inline]
    fn setup(&self) -> Setup {
        Setup::new(self.all_pieces(), self.turn())
    }

    /// How many pieces of each kind `color` has.
    #[inline]
    fn material(&self, color: Color) -> Material {
        let kinds = Self::Game::KINDS.len();
        let squares = |kind| match kind < kinds {
            true => self.pieces(color, Kind::new(kind)).bits(),
            false => 0,
        };
        let mut counts = [0; MAX_KINDS];
        for (i, two) in counts.chunks_exact_mut(2).enumerate() {
            let [first, second] = [2 * i, 2 * i + 1].map(squares);
            let both = match Self::Game::SQUARES {
                ..=32 => count_halves(second << 32 | first),
                _ => [first, second].map(|set| set.count_ones() as u8),
            };
            two.copy_from_slice(&both);
        }
        Material(counts)
    }

    /// The piece on a square: whose, and its kind.
    fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        let mut pieces = Color::BOTH
            .into_iter()
            .flat_map(|color| Self::Game::kinds().map(move |kind| (color, kind)));
        pieces.find(|&(color, kind)| self.pieces(color, kind).contains(square))
    }

    /// What a position is besides its pieces and the side to move, as a number: in chess, who
    /// may castle and where a pawn may be taken en passant. Positions that differ in it are
    /// different ones to the search and in books. 0 if there is nothing.
    #[inline]
    fn state(&self) -> u16 {
        0
    }

    /// All legal moves, without duplicates. None: the game is over.
    fn moves(&self) -> MoveList<Self::Move>;

    /// The number of legal moves.
    fn count_moves(&self) -> u64 {
        self.moves().len() as u64
    }

    /// Counts the leaves of the tree of legal moves, `depth` plies deep. The last
    /// ply is counted, not played.
    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth, &Self::moves, &Self::count_moves, &Self::play)
    }

    /// Whether the side to move, having no legal move, has lost. It has in draughts
    /// and Alapo, and in chess if it is in check; where it has not, the game is drawn.
    fn loses_when_stuck(&self) -> bool;

    /// The position after a legal move.
    fn play(&self, mv: Self::Move) -> Self;

    /// Whether a legal move takes a piece.
    fn is_capture(&self, mv: Self::Move) -> bool;

    /// Whether a legal move changes a piece into one of another kind.
    fn is_promotion(&self, mv: Self::Move) -> bool;

    /// Whether the rules demand a capture here (in draughts: there is a capture; in Alapo: there
    /// is an invader; in chess never, though captures may be all that is left). The value of such
    /// a position follows from positions with fewer pieces.
    fn captures_only(&self) -> bool;

    /// Whether the rules [demand a capture](Position::captures_only); if so, `found`
    /// is called with the positions that legal moves lead to until it breaks off. Some may come
    /// more than once. For those whose side to move has lost its last piece, and by that the
    /// game, there is `None`, which may stand for several.
    fn captures(&self, mut found: impl FnMut(Option<Self>) -> ControlFlow<()>) -> bool {
        let captures_only = self.captures_only();
        if captures_only {
            // Nothing else is left to be done if it breaks off.
            let _ = self.moves().into_iter().try_for_each(|mv| {
                let after = self.play(mv);
                let has_pieces = !after.material(after.turn()).is_empty();
                found((has_pieces || !after.loses_when_stuck()).then_some(after))
            });
        }
        captures_only
    }

    /// Every predecessor reached by a quiet move: all legal positions in which
    /// some legal move that takes nothing leads to this one. A predecessor is
    /// listed once for each such move. In chess these are the predecessors in which the same
    /// castling is possible as here, and no capture en passant.
    fn unmoves(&self) -> PositionList<Self>;

    /// The equivalent position with colours and side to move exchanged and the
    /// board turned accordingly. Its own inverse.
    fn flip(&self) -> Self;

    /// The same with White to move: [flipped](Position::flip) if Black is to move.
    #[inline]
    fn with_white_to_move(&self) -> Self {
        match self.turn() {
            Color::White => *self,
            Color::Black => self.flip(),
        }
    }

    /// Writes a position so that [`parse_fen`](Game::parse_fen) reads it back, also where
    /// the side to move has lost its last piece.
    fn fen(&self) -> String {
        self.fen_with(Self::Game::COUNTERS)
    }

    /// Like [`fen`](Position::fen), but with these move counters.
    fn fen_with(&self, counters: Option<MoveCounters>) -> String {
        let mut text = String::new();
        self.write_fen_with(counters, &mut text);
        text
    }

    /// Appends the [`fen`](Position::fen) to a text. Many positions can be written without an
    /// allocation for each.
    fn write_fen(&self, text: &mut String) {
        self.write_fen_with(Self::Game::COUNTERS, text);
    }

    /// Appends the FEN with these move counters to a text.
    fn write_fen_with(&self, counters: Option<MoveCounters>, text: &mut String);

    /// Reads a move in any notation the game knows.
    ///
    /// # Errors
    /// The text is not a move, or fits no legal move, or more than one.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Writes a legal move in the game's usual notation.
    fn format_move(&self, mv: Self::Move) -> String;

    /// Writes a legal move as it is told to programs, by the squares alone: UCI's `e2e4` in chess.
    /// [`parse_move`](Position::parse_move) reads it. The game's usual notation, if that is such.
    fn coordinates(&self, mv: Self::Move) -> String {
        self.format_move(mv)
    }

    /// The board as a person reads it: several lines, White at the bottom, each
    /// line ending in a newline; `.` is an empty square.
    fn diagram(&self) -> String {
        let draw = |square: Option<Square>| match square.map(|square| self.piece_at(square)) {
            None => ' ',
            Some(None) => '.',
            Some(Some((color, kind))) => Self::Game::symbol(color, kind),
        };
        let rows = self.game().board();
        let files = ('a'..).take(rows.first().map_or(0, Vec::len));
        let mut text = String::new();
        for (rank, row) in (1..=rows.len()).rev().zip(&rows) {
            let row: String = row.iter().flat_map(|&square| [' ', draw(square)]).collect();
            text += &format!("{rank} {}\n", row.trim_end());
        }
        let files: String = files.flat_map(|file| [' ', file]).collect();
        text + &format!("  {files}\n")
    }
}

/// The number of set bits in the low and in the high half. Without a machine instruction
/// counting is slow: both at once.
#[inline]
fn count_halves(set: u64) -> [u8; 2] {
    let twos = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    let sums = bytes.wrapping_mul(0x0101_0101).to_le_bytes();
    [sums[3], sums[7]]
}
