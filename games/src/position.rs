use crate::perft::perft;
use crate::{Color, Game, MAX_KINDS, Material, MoveError};
use smallvec::SmallVec;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The legal moves of a position. Lives on the stack unless there are very many.
pub type MoveList<M> = SmallVec<[M; 64]>;

/// The predecessors of a position. Lives on the stack unless there are very many.
pub type PositionList<P> = SmallVec<[P; 32]>;

/// A position of a game, and what the rules say of it.
///
/// A position is a board and the side to move, and knows its game, nothing else: no counters,
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

    /// The squares (bit i = square i) on which `color` has pieces of `kind`.
    fn pieces(&self, color: Color, kind: usize) -> u64;

    /// The pieces `color` has.
    #[inline]
    fn material(&self, color: Color) -> Material {
        let kinds = Self::Game::KINDS.len();
        let squares = |kind| if kind < kinds { self.pieces(color, kind) } else { 0 };
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
    fn piece_at(&self, square: u8) -> Option<(Color, usize)> {
        let mut pieces = Color::BOTH
            .into_iter()
            .flat_map(|color| (0..Self::Game::KINDS.len()).map(move |kind| (color, kind)));
        pieces.find(|&(color, kind)| self.pieces(color, kind) >> square & 1 != 0)
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
    /// and Alapo; where it has not, the game is drawn.
    fn loses_when_stuck(&self) -> bool;

    /// The position after a legal move.
    fn play(&self, mv: Self::Move) -> Self;

    /// Whether a legal move takes a piece.
    fn is_capture(&self, mv: Self::Move) -> bool;

    /// Whether a legal move changes a piece into one of another kind.
    fn is_promotion(&self, mv: Self::Move) -> bool;

    /// Whether the rules allow nothing but captures here (in draughts: there is
    /// a capture; in Alapo: there is an invader). The value of such a position
    /// follows from positions with fewer pieces.
    fn captures_only(&self) -> bool;

    /// Whether the rules allow [nothing but captures](Position::captures_only); if so, `found`
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
    /// listed once for each such move.
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
    fn fen(&self) -> String;

    /// Reads a move in any notation the game knows.
    ///
    /// # Errors
    /// The text is not a move, or fits no legal move, or more than one.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Writes a legal move in the game's usual notation.
    fn format_move(&self, mv: Self::Move) -> String;

    /// The board as a person reads it: several lines, White at the bottom, each
    /// line ending in a newline; `.` is an empty square.
    fn diagram(&self) -> String {
        let draw = |square: Option<u8>| match square.map(|square| self.piece_at(square)) {
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
