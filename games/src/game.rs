use crate::pasted;
use crate::perft::perft;
use crate::{
    Bitboards, Color, FenError, Kind, MAX_KINDS, Material, MoveCounters, MoveError, Pieces,
    PositionError, Setup, SetupError, Square, SquareSet,
};
use smallvec::SmallVec;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The legal moves of a position. Up to 64 moves are stored without an allocation.
pub type MoveList<M> = SmallVec<[M; 64]>;

/// The predecessors of a position. Up to 32 are stored without an allocation.
pub type PositionList<P> = SmallVec<[P; 32]>;

/// A family of games with the same board and pieces. Code that is generic over families is compiled
/// once per family; the values of the type are the games.
///
/// The rules for a position are methods of its [`Position`].
pub trait Game: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// Board and side to move.
    type Position: Position<Game = Self, Move = Self::Move>;
    /// A legal move. It is only meaningful together with the position that it was generated for.
    type Move: Copy + Debug + Eq + Send + Sync;

    /// The games of the family.
    const ALL: &'static [Self];
    /// The letters of the kinds of piece, strongest first. A [`Kind`] is an index into this list.
    const KINDS: &'static [char];
    /// The kinds of which every move is a zeroing move, one that cannot be reversed: men or pawns.
    const MEN: &'static [Kind];
    /// The number of squares; at most 64.
    const SQUARES: u8;
    /// The maximum number of pieces of a side.
    const MAX_SIDE_PIECES: u32;
    /// The promotions, as pairs of the kinds before and after.
    const PROMOTIONS: &'static [(Kind, Kind)];
    /// The kind of which each side always has exactly one piece, which is never captured: the king
    /// in chess.
    const ROYAL: Option<Kind> = None;

    /// The move counters of a FEN without counters; `None` if the game's FENs need not have any.
    const COUNTERS: Option<MoveCounters> = None;
    /// The rules that the games of the family share, in a few sentences.
    const BASICS: &'static str;

    /// A phrase for a side that has lost because it has no legal move.
    const LOST: &'static str = "has no legal move";

    /// Whether the game has castling.
    const HAS_CASTLING: bool = false;

    /// Whether one move may capture several pieces.
    const TAKES_SEVERAL: bool = false;

    /// The game's name on the command line and in table files: lower-case ASCII,
    /// at most 16 bytes.
    fn name(self) -> &'static str;

    /// Other common names of the game, in lower case.
    fn aliases(self) -> &'static [&'static str] {
        &[]
    }

    /// Whether this is the game's name or one of its [aliases](Game::aliases), ignoring case.
    fn is_named(self, name: &str) -> bool {
        let name = name.to_lowercase();
        name == self.name() || self.aliases().contains(&&*name)
    }

    /// The kinds of piece, strongest first.
    #[inline]
    fn kinds() -> impl DoubleEndedIterator<Item = Kind> + ExactSizeIterator + Clone {
        (0..Self::KINDS.len()).map(Kind::new)
    }

    /// The rules in one line, for readers who know the family.
    fn summary(self) -> String;

    /// The version of the rules in table files. Incremented when a change of the rules changes any
    /// value.
    fn rules_version(self) -> u16;

    /// The position a game starts from.
    fn start(self) -> Self::Position;

    /// The position with these pieces and side to move; in chess, without castling rights and en
    /// passant. Nothing is checked: the position must be [possible](Game::position).
    fn assemble(self, pieces: &Pieces, turn: Color) -> Self::Position;

    /// Whether pieces of `color` other than [`MEN`](Game::MEN) may stand on all of `squares` at
    /// once with `turn` to move, whatever the other pieces are.
    #[inline]
    fn may_stand(_squares: SquareSet, _color: Color, _turn: Color) -> bool {
        true
    }

    /// The squares that a piece of `kind` on `square` of an empty board reaches by reversible quiet
    /// moves: for each direction, near to far. Pieces cannot pass over occupied squares. Empty for
    /// [`MEN`](Game::MEN).
    fn rays(self, kind: Kind, square: Square) -> Vec<Vec<Square>>;

    /// Every pair of materials that results from the capture of one piece or from one promotion.
    /// The order of the sides stays the same. A side may become empty.
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

    /// The squares mirrored from left to right, in games whose rules, apart from castling, are the
    /// same on the mirrored board. In other games the squares are returned unchanged.
    #[inline(always)]
    fn mirrored(squares: SquareSet) -> SquareSet {
        squares
    }

    /// Parses a FEN, or the tags of PDN or PGN that contain one, as programs copy them to the
    /// clipboard: `[FEN "B:W18,K10:B12."] *`.
    ///
    /// # Errors
    /// Fails if the text is not a FEN; the error names the problem and its place.
    fn parse_setup(self, text: &str) -> Result<Setup, FenError> {
        let fen = pasted::fen(text)?;
        let skipped = text[..fen.start].chars().count();
        let setup = self.parse_bare(&text[fen]);
        setup.map_err(|FenError { problem, at }| FenError { problem, at: skipped + at })
    }

    /// Parses a FEN without tags.
    ///
    /// # Errors
    /// Like [`parse_setup`](Game::parse_setup).
    fn parse_bare(self, fen: &str) -> Result<Setup, FenError>;

    /// Checks that the rules of this game allow a setup, with castling rights and the en passant square in
    /// chess. [`check`](Game::check) has already checked the conditions common to all games.
    ///
    /// # Errors
    /// Fails if the rules do not allow the setup.
    fn check_rules(self, setup: &Setup) -> Result<(), SetupError>;

    /// Checks that a setup is a possible position.
    ///
    /// # Errors
    /// Fails if the setup is impossible.
    #[inline(always)]
    fn check(self, setup: &Setup) -> Result<(), SetupError> {
        if !is_plausible::<Self>(setup) {
            check_pieces(self, setup)?;
        }
        self.check_rules(setup)
    }

    /// The position of a setup, which must have passed [`check`](Game::check).
    #[inline(always)]
    fn assemble_setup(self, setup: &Setup) -> Self::Position {
        self.assemble(&setup.pieces, setup.turn)
    }

    /// Converts a setup to a position. In a hot loop, [`check`](Game::check) and
    /// [`assemble_setup`](Game::assemble_setup) take less time, because no position is moved out of
    /// a `Result`.
    ///
    /// # Errors
    /// Fails if the setup is impossible.
    #[inline(always)]
    fn position(self, setup: &Setup) -> Result<Self::Position, SetupError> {
        self.check(setup)?;
        Ok(self.assemble_setup(setup))
    }

    /// Converts bitboards to a position; in chess, to one without castling rights and en passant. In a hot
    /// loop this takes less time than [`position`](Game::position). `None` if the position is impossible;
    /// [`check`](Game::check) of the same setup returns the reason.
    #[inline(always)]
    fn position_of(self, bitboards: &Bitboards) -> Option<Self::Position> {
        if are_plausible::<Self>(bitboards) { self.assemble_bitboards(bitboards) } else { None }
    }

    /// Implements [`position_of`](Game::position_of), which has already checked the conditions
    /// common to all games.
    #[inline(always)]
    fn assemble_bitboards(self, bitboards: &Bitboards) -> Option<Self::Position> {
        let setup = bitboards.setup();
        self.check_rules(&setup).is_ok().then(|| self.assemble_setup(&setup))
    }

    /// Parses a position.
    ///
    /// # Errors
    /// Fails if the text is not understood or the position is impossible.
    fn parse_fen(self, text: &str) -> Result<Self::Position, PositionError> {
        Ok(self.position(&self.parse_setup(text)?)?)
    }

    /// The name of a square in the game's notation.
    fn square_name(self, square: Square) -> String;

    /// The board as it is drawn with White at the bottom: rows from the top, squares from the left;
    /// `None` for squares that are not used.
    fn board(self) -> Vec<Vec<Option<Square>>>;

    /// The letter of a piece in diagrams.
    fn symbol(color: Color, kind: Kind) -> char;
}

/// Whether [`check_pieces`] would find no error. Does not branch on the pieces, because such
/// branches are unpredictable.
#[inline]
fn is_plausible<G: Game>(setup: &Setup) -> bool {
    let Setup { pieces, turn, .. } = setup;
    let board = SquareSet::new(u64::MAX >> (64 - G::SQUARES));
    let (mut sides, mut wrong) = ([SquareSet::EMPTY; 2], SquareSet::EMPTY);
    for color in Color::BOTH {
        let side = &mut sides[color as usize];
        for kind in (0..MAX_KINDS).map(Kind::new) {
            let squares = pieces[(color, kind)];
            wrong |= if kind.index() < G::KINDS.len() { *side & squares } else { squares };
            *side |= squares;
        }
    }
    let occupied = sides[0] | sides[1];
    wrong |= sides[0] & sides[1] | occupied & !board;
    let has_kings = G::ROYAL.is_none_or(|king| {
        let kings = Color::BOTH.map(|color| pieces[(color, king)].bits());
        kings[0].is_power_of_two() & kings[1].is_power_of_two()
    });
    // Either both sides together have no more pieces than one side may have, or neither side has
    // more.
    let max = G::MAX_SIDE_PIECES;
    let are_few = occupied.len() <= max || sides.iter().all(|side| side.len() <= max);
    wrong.is_empty() & has_kings & !sides[!*turn as usize].is_empty() & are_few
}

/// Whether bitboards meet the conditions common to all games: each piece has a square of the board, a
/// side and a kind, and neither side has too many pieces or kings, or too few.
#[inline(always)]
fn are_plausible<G: Game>(bitboards: &Bitboards) -> bool {
    let Bitboards { sides: [white, black], kinds, turn } = *bitboards;
    let board = SquareSet::new(u64::MAX >> (64 - G::SQUARES));
    let occupied = white | black;
    let (mut of_kinds, mut wrong) = (SquareSet::EMPTY, white & black);
    for kind in &kinds[..G::KINDS.len()] {
        wrong |= of_kinds & *kind;
        of_kinds |= *kind;
    }
    let foreign = kinds[G::KINDS.len()..].iter().copied().collect::<SquareSet>();
    wrong |= of_kinds ^ occupied | occupied & !board | foreign;
    let has_kings = G::ROYAL.is_none_or(|king| {
        let kings = Color::BOTH.map(|color| bitboards.pieces(color, king).bits());
        kings[0].is_power_of_two() & kings[1].is_power_of_two()
    });
    let max = G::MAX_SIDE_PIECES;
    let are_few = occupied.len() <= max || (white.len() <= max && black.len() <= max);
    wrong.is_empty() & has_kings & !bitboards.sides[!turn as usize].is_empty() & are_few
}

/// Checks the conditions common to all games.
#[cold]
fn check_pieces<G: Game>(game: G, setup: &Setup) -> Result<(), SetupError> {
    let Setup { pieces, turn, .. } = setup;
    let board = SquareSet::new(u64::MAX >> (64 - G::SQUARES));
    let mut occupied = SquareSet::EMPTY;
    for (_, kind, squares) in pieces.iter().filter(|(_, _, squares)| !squares.is_empty()) {
        if kind.index() >= G::KINDS.len() {
            return Err(SetupError::NoSuchKind(kind));
        }
        if let Some(square) = (squares & !board).first() {
            return Err(SetupError::NoSuchSquare(square));
        }
        if let Some(square) = (occupied & squares).first() {
            return Err(SetupError::SquareTaken(game.square_name(square)));
        }
        occupied |= squares;
    }
    for color in Color::BOTH {
        if let Some(king) = G::ROYAL
            && pieces[(color, king)].len() != 1
        {
            return Err(SetupError::Kings(color, pieces[(color, king)].len()));
        }
        let (count, max) = (pieces.side(color).len(), G::MAX_SIDE_PIECES);
        if count == 0 && color != *turn {
            return Err(SetupError::NoPieces(color));
        }
        if count > max {
            return Err(SetupError::TooManyPieces { color, count, max });
        }
    }
    Ok(())
}

/// A position of a game, and the rules that apply to it.
///
/// A position consists of the game, the board, the side to move and whatever else the legal moves
/// depend on ([`state`](Position::state)). It has neither move counters, which are in
/// [`Counted`](crate::Counted), nor a history. The rules must be the same for both sides:
/// [`flip`](Position::flip) converts a position to an equivalent one with the other side to move.
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
    /// A legal move. It is only meaningful together with the position that it was generated for.
    type Move: Copy + Debug + Eq + Send + Sync;

    /// The game.
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

    /// The owner and kind of the piece on a square; `None` if the square is empty.
    fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        let mut pieces = Color::BOTH
            .into_iter()
            .flat_map(|color| Self::Game::kinds().map(move |kind| (color, kind)));
        pieces.find(|&(color, kind)| self.pieces(color, kind).contains(square))
    }

    /// The state of a position besides pieces and side to move, as a number: castling rights and en
    /// passant in chess. The search and books treat positions with different states as different. 0
    /// in other games.
    #[inline]
    fn state(&self) -> u32 {
        0
    }

    /// All legal moves, without duplicates. The game is over if there are none.
    fn moves(&self) -> MoveList<Self::Move>;

    /// The number of legal moves.
    fn count_moves(&self) -> u64 {
        self.moves().len() as u64
    }

    /// Counts the leaves of the tree of legal moves, `depth` plies deep. Moves of the last ply are
    /// counted without being played.
    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth, &Self::moves, &Self::count_moves, &Self::play)
    }

    /// Whether the side to move loses if it has no legal move; otherwise the game is drawn. True in
    /// draughts and Alapo, and in chess if the side to move is in check.
    fn loses_when_stuck(&self) -> bool;

    /// The position after a legal move.
    fn play(&self, mv: Self::Move) -> Self;

    /// Whether a legal move captures a piece.
    fn is_capture(&self, mv: Self::Move) -> bool;

    /// Whether a legal move promotes a piece.
    fn is_promotion(&self, mv: Self::Move) -> bool;

    /// Whether the rules require a capture: in draughts if a capture is possible, in Alapo if there
    /// is an invader, in chess never, even if all legal moves are captures. The value of such a
    /// position follows from positions with fewer pieces.
    fn captures_only(&self) -> bool;

    /// Whether the rules [require a capture](Position::captures_only). If so, calls `found` with
    /// the position after each legal move until it returns `Break`. Positions may repeat. Those in
    /// which the side to move has no pieces left and has lost are passed as `None`, possibly once
    /// for several.
    fn captures(&self, mut found: impl FnMut(Option<Self>) -> ControlFlow<()>) -> bool {
        let captures_only = self.captures_only();
        if captures_only {
            // There is nothing to do after a `Break`.
            let _ = self.moves().into_iter().try_for_each(|mv| {
                let after = self.play(mv);
                let has_pieces = !after.material(after.turn()).is_empty();
                found((has_pieces || !after.loses_when_stuck()).then_some(after))
            });
        }
        captures_only
    }

    /// The legal positions from which a quiet move leads to this one, each listed once per such
    /// move. In chess only predecessors with the same castling rights and without an en passant
    /// capture.
    fn unmoves(&self) -> PositionList<Self>;

    /// The equivalent position with colours exchanged and the board turned accordingly. Flipping
    /// twice gives the original position.
    fn flip(&self) -> Self;

    /// This position, [flipped](Position::flip) if Black is to move.
    fn with_white_to_move(&self) -> Self;

    /// The FEN of the position. [`parse_fen`](Game::parse_fen) reads it back, even if the side to
    /// move has no pieces left.
    fn fen(&self) -> String {
        self.fen_with(Self::Game::COUNTERS)
    }

    /// Like [`fen`](Position::fen), but with these move counters.
    fn fen_with(&self, counters: Option<MoveCounters>) -> String {
        // Enough for most positions, so that the text does not grow piece by piece.
        let mut text = String::with_capacity(64);
        self.write_fen_with(counters, &mut text);
        text
    }

    /// Appends the [`fen`](Position::fen) to a text, which avoids an allocation for each of many
    /// positions.
    fn write_fen(&self, text: &mut String) {
        self.write_fen_with(Self::Game::COUNTERS, text);
    }

    /// Appends the FEN with these move counters to a text.
    fn write_fen_with(&self, counters: Option<MoveCounters>, text: &mut String);

    /// Parses a move in any notation of the game.
    ///
    /// # Errors
    /// Fails if the text is not a move, or does not match exactly one legal move.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// A legal move in the game's usual notation.
    fn format_move(&self, mv: Self::Move) -> String;

    /// A legal move in the notation of protocols: the squares only, such as UCI's `e2e4` in chess.
    /// [`parse_move`](Position::parse_move) reads it. Same as
    /// [`format_move`](Position::format_move) in games whose usual notation has only squares.
    fn coordinates(&self, mv: Self::Move) -> String {
        self.format_move(mv)
    }

    /// Like [`coordinates`](Position::coordinates), but castling is always given by the squares of
    /// king and rook, as in UCI with its option `UCI_Chess960`.
    fn coordinates_960(&self, mv: Self::Move) -> String {
        self.coordinates(mv)
    }

    /// A diagram of the board: several lines, White at the bottom, each ending in a newline; `.` is
    /// an empty square.
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

/// The number of set bits in the low and in the high half. Counts both at once, because counting is
/// slow on processors without an instruction for it.
#[inline]
fn count_halves(set: u64) -> [u8; 2] {
    let twos = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    let sums = bytes.wrapping_mul(0x0101_0101).to_le_bytes();
    [sums[3], sums[7]]
}
