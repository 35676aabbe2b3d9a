//! The start positions of Chess960.

use super::{BISHOP, CastlingRights, Chess, KING, KNIGHT, PAWN, Position, QUEEN, ROOK};
use crate::{Color, Game, Kind, Pieces, Square};

/// The number of start positions of Chess960.
pub const CHESS960_POSITIONS: u16 = 960;

/// The start position of Chess960 with this number, from 0 to 959, as R. Scharnagl numbers them
/// (FIDE Laws of Chess, Guidelines II; <https://en.wikipedia.org/wiki/Chess960_numbering_scheme>).
/// `None` for other numbers.
///
/// ```
/// use damka_games::{Chess, Game, Position, chess};
/// assert_eq!(chess::chess960(518), Some(Chess.start()));
/// let first = chess::chess960(0).unwrap();
/// assert_eq!(first.fen(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
/// ```
pub fn chess960(number: u16) -> Option<Position> {
    (number < CHESS960_POSITIONS).then(|| start(first_rank(number)))
}

/// The pieces of a first rank from the a-file on: one bishop on each colour, the queen on one of the
/// free files, the knights on two of the rest, and rook, king and rook on those left.
fn first_rank(number: u16) -> [Kind; 8] {
    /// The places of the knights among the five free files.
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let mut rest = usize::from(number);
    let mut digit = |base| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    let mut rank = [None; 8];
    rank[2 * digit(4) + 1] = Some(BISHOP);
    rank[2 * digit(4)] = Some(BISHOP);
    let free = |rank: &[Option<Kind>; 8], place: usize| {
        (0..8).filter(|&file| rank[file].is_none()).nth(place).expect("a free file")
    };
    rank[free(&rank, digit(6))] = Some(QUEEN);
    let knights = KNIGHTS[digit(10)].map(|place| free(&rank, place));
    knights.into_iter().for_each(|file| rank[file] = Some(KNIGHT));
    let mut left = [ROOK, KING, ROOK].into_iter();
    rank.map(|kind| kind.or_else(|| left.next()).expect("three free files"))
}

/// The start position with these pieces on the first ranks, from the a-file on.
pub(super) fn start(first_rank: [Kind; 8]) -> Position {
    let mut pieces = Pieces::default();
    let mut castling = CastlingRights::NONE;
    for (color, rank, pawns) in [(Color::White, 0, 8), (Color::Black, 56, 48)] {
        for (file, kind) in (0..).zip(first_rank) {
            let square = Square::new(rank + file);
            pieces[(color, kind)] |= square.into();
            pieces[(color, PAWN)] |= Square::new(pawns + file).into();
            if kind == ROOK {
                castling = castling | CastlingRights::of_rook(square);
            }
        }
    }
    Chess.assemble(&pieces, Color::White).with_rights(castling, None)
}
