use crate::perft::perft;
use crate::{Color, FenError, MAX_KINDS, Material, MoveError};
use smallvec::SmallVec;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The legal moves of a position. Lives on the stack unless there are very many.
pub type MoveList<M> = SmallVec<[M; 64]>;

/// The predecessors of a position. Lives on the stack unless there are very many.
pub type PositionList<P> = SmallVec<[P; 32]>;

/// The bitboards of both sides, White first, each by kind (the order of
/// [`Game::KINDS`]).
pub type Pieces = [[u64; MAX_KINDS]; 2];

/// A family of games that share board and pieces, and so the code built on them, which is
/// compiled once for all of them; its values are the games.
///
/// A position is a board and the side to move, and knows its game, nothing else: no counters,
/// no history. Rules must be the same for both sides: [`flip`](Game::flip) turns a position into an equivalent one
/// with the other side to move.
pub trait Game: Copy + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// Board and side to move.
    type Position: Copy + Debug + Eq + Hash + Send + Sync;
    /// A legal move; what it does is defined by the position it was made for.
    type Move: Copy + Debug + Eq + Send + Sync;

    /// The games of the family.
    const ALL: &'static [Self];
    /// The letters of the kinds of piece, strongest first; a kind is an index
    /// into this list.
    const KINDS: &'static [char];
    /// The men or pawns among the kinds: those whose every move is a conversion.
    const MEN: &'static [usize];
    /// The number of squares; at most 64.
    const SQUARES: u8;
    /// Which kinds of piece can become which others, as (from, to).
    const PROMOTIONS: &'static [(usize, usize)];

    /// The game's name on the command line and in table files: lower-case ASCII,
    /// at most 16 bytes.
    fn name(self) -> &'static str;

    /// Identifies the rules in table files: grows whenever a change of rules
    /// changes any value.
    fn rules_version(self) -> u16;

    /// The game that a position is of.
    fn of(position: &Self::Position) -> Self;

    /// The position a game starts from.
    fn start(self) -> Self::Position;

    /// The side to move.
    fn turn(position: &Self::Position) -> Color;

    /// The squares (bit i = square i) on which `color` has pieces of `kind`.
    fn pieces(position: &Self::Position, color: Color, kind: usize) -> u64;

    /// The position made of `pieces` with `turn` to move. The pieces must not
    /// overlap and must make a legal placement.
    fn assemble(self, pieces: &Pieces, turn: Color) -> Self::Position;

    /// All legal moves, without duplicates. None: the game is over.
    fn moves(position: &Self::Position) -> MoveList<Self::Move>;

    /// The number of legal moves.
    fn count_moves(position: &Self::Position) -> u64 {
        Self::moves(position).len() as u64
    }

    /// Counts the leaves of the tree of legal moves, `depth` plies deep. The last
    /// ply is counted, not played.
    fn perft(position: &Self::Position, depth: u32) -> u64 {
        perft(position, depth, &Self::moves, &Self::count_moves, &Self::play)
    }

    /// Whether the side to move, having no legal move, has lost. It has in draughts
    /// and Alapo; where it has not, the game is drawn.
    fn loses_when_stuck(position: &Self::Position) -> bool;

    /// The position after a legal move.
    fn play(position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Whether the move takes a piece.
    fn is_capture(position: &Self::Position, mv: Self::Move) -> bool;

    /// Whether the move changes a piece into one of another kind.
    fn is_promotion(position: &Self::Position, mv: Self::Move) -> bool;

    /// Whether the rules allow nothing but captures here (in draughts: there is
    /// a capture; in Alapo: there is an invader). The value of such a position
    /// follows from positions with fewer pieces.
    fn captures_only(position: &Self::Position) -> bool;

    /// Whether the rules allow [nothing but captures](Game::captures_only); if so, `found`
    /// is called with the positions that legal moves lead to until it breaks off. Some may come
    /// more than once. For those whose side to move has lost its last piece, and by that the
    /// game, there is `None`, which may stand for several.
    fn captures(
        position: &Self::Position,
        mut found: impl FnMut(Option<Self::Position>) -> ControlFlow<()>,
    ) -> bool {
        let captures_only = Self::captures_only(position);
        if captures_only {
            // Nothing else is left to be done if it breaks off.
            let _ = Self::moves(position).into_iter().try_for_each(|mv| {
                let after = Self::play(position, mv);
                let has_pieces = !Material::of::<Self>(&after, Self::turn(&after)).is_empty();
                found((has_pieces || !Self::loses_when_stuck(&after)).then_some(after))
            });
        }
        captures_only
    }

    /// Every predecessor reached by a quiet move: all legal positions in which
    /// some legal move that takes nothing leads to `position`. A predecessor is
    /// listed once for each such move.
    fn unmoves(position: &Self::Position) -> PositionList<Self::Position>;

    /// The equivalent position with colours and side to move exchanged and the
    /// board turned accordingly. Its own inverse.
    fn flip(position: &Self::Position) -> Self::Position;

    /// The same with White to move: [flipped](Game::flip) if Black is to move.
    #[inline]
    fn with_white_to_move(position: &Self::Position) -> Self::Position {
        match Self::turn(position) {
            Color::White => *position,
            Color::Black => Self::flip(position),
        }
    }

    /// Where a piece of `kind` on `square` of an empty board can go by quiet moves
    /// that it could take back: the squares in each direction, near to far; it
    /// passes over none that is occupied. Nothing for [`MEN`](Game::MEN).
    fn rays(self, kind: usize, square: u8) -> Vec<Vec<u8>>;

    /// The materials (of the same two sides) that one capture of a single piece
    /// or one promotion leads to. Sides may become empty.
    fn exits(sides: [Material; 2]) -> Vec<[Material; 2]> {
        let mut exits = Vec::new();
        for side in 0..2 {
            let captured = (0..Self::KINDS.len()).map(|kind| sides[side].without(kind));
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

    /// Reads a position.
    ///
    /// # Errors
    /// Says what is wrong with the text or with the position, and where.
    fn parse_fen(self, text: &str) -> Result<Self::Position, FenError>;

    /// Writes a position so that [`parse_fen`](Game::parse_fen) reads it back, also where
    /// the side to move has lost its last piece.
    fn fen(position: &Self::Position) -> String;

    /// Reads a move in any notation the game knows.
    ///
    /// # Errors
    /// The text is not a move, or fits no legal move, or more than one.
    fn parse_move(position: &Self::Position, text: &str) -> Result<Self::Move, MoveError>;

    /// Writes a legal move in the game's usual notation.
    fn format_move(position: &Self::Position, mv: Self::Move) -> String;

    /// A square as moves are written with it.
    fn square_name(self, square: u8) -> String;

    /// The board as it is drawn with White at the bottom: its rows from the top, and in each
    /// the squares from the left, `None` where no piece can stand.
    fn board(self) -> Vec<Vec<Option<u8>>>;

    /// The letter that a piece is drawn as.
    fn symbol(color: Color, kind: usize) -> char;

    /// The piece on a square: whose, and its kind.
    fn piece_at(position: &Self::Position, square: u8) -> Option<(Color, usize)> {
        let mut pieces = Color::BOTH
            .into_iter()
            .flat_map(|color| (0..Self::KINDS.len()).map(move |kind| (color, kind)));
        pieces.find(|&(color, kind)| Self::pieces(position, color, kind) >> square & 1 != 0)
    }

    /// The board as a person reads it: several lines, White at the bottom, each
    /// line ending in a newline; `.` is an empty square.
    fn diagram(position: &Self::Position) -> String {
        let draw = |square: Option<u8>| match square.map(|square| Self::piece_at(position, square))
        {
            None => ' ',
            Some(None) => '.',
            Some(Some((color, kind))) => Self::symbol(color, kind),
        };
        let rows = Self::of(position).board();
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

impl Material {
    /// The pieces `color` has in `position`.
    #[inline]
    pub fn of<G: Game>(position: &G::Position, color: Color) -> Material {
        let mut counts = [0; MAX_KINDS];
        let pieces = |kind| match kind < G::KINDS.len() {
            true => G::pieces(position, color, kind),
            false => 0,
        };
        for (i, two) in counts.chunks_exact_mut(2).enumerate() {
            let [first, second] = [2 * i, 2 * i + 1].map(pieces);
            let both = match G::SQUARES {
                ..=32 => count_halves(second << 32 | first),
                _ => [first, second].map(|set| set.count_ones() as u8),
            };
            two.copy_from_slice(&both);
        }
        Material(counts)
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
