use crate::{Color, FenError, MAX_KINDS, Material, Position};
use std::fmt::Debug;
use std::hash::Hash;

/// The bitboards of both sides, White first, each by kind (the order of
/// [`Game::KINDS`]).
pub type Pieces = [[u64; MAX_KINDS]; 2];

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

    /// The position a game starts from.
    fn start(self) -> Self::Position;

    /// The position made of `pieces` with `turn` to move. The pieces must not
    /// overlap and must make a legal placement.
    fn assemble(self, pieces: &Pieces, turn: Color) -> Self::Position;

    /// Whether pieces of `color` other than [`MEN`](Game::MEN) may stand on `squares`, all of
    /// them together, when it is `turn`'s move, whatever else stands where.
    #[inline]
    fn may_stand(_squares: u64, _color: Color, _turn: Color) -> bool {
        true
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

    /// Reads a position from text.
    ///
    /// # Errors
    /// Says what is wrong with the text or with the position, and where.
    fn parse_fen(self, text: &str) -> Result<Self::Position, FenError>;

    /// A square as moves are written with it.
    fn square_name(self, square: u8) -> String;

    /// The board as it is drawn with White at the bottom: its rows from the top, and in each
    /// the squares from the left, `None` where no piece can stand.
    fn board(self) -> Vec<Vec<Option<u8>>>;

    /// The letter that a piece is drawn as.
    fn symbol(color: Color, kind: usize) -> char;
}
