use damka_games::Random;
use damka_games::{Color, Game, Kind, MAX_KINDS, Position, SquareSet};

/// Random numbers for every piece on every square, and for the side to move.
/// A. L. Zobrist, "A new hashing method with application for game playing", 1970.
struct Keys {
    pieces: [[[u64; 64]; MAX_KINDS]; 2],
    turn: u64,
}

static KEYS: Keys = keys();

const fn keys() -> Keys {
    let mut random = Random::new(0x00DA_A3BA);
    let mut keys = Keys { pieces: [[[0; 64]; MAX_KINDS]; 2], turn: random.next() };
    let mut place = 0;
    while place < 2 * MAX_KINDS * 64 {
        keys.pieces[place / (MAX_KINDS * 64)][place / 64 % MAX_KINDS][place % 64] = random.next();
        place += 1;
    }
    keys
}

/// The key of a position, made from scratch.
pub(crate) fn key<G: Game>(position: &G::Position) -> u64 {
    let mut key = if position.turn() == Color::White { 0 } else { KEYS.turn };
    for color in Color::BOTH {
        for kind in G::kinds() {
            key ^= sum(color, kind, position.pieces(color, kind));
        }
    }
    key
}

/// The key of the position after a move, from that of the one before.
#[inline]
pub(crate) fn key_after<G: Game>(key: u64, before: &G::Position, after: &G::Position) -> u64 {
    let mut key = key ^ KEYS.turn;
    for color in Color::BOTH {
        for kind in G::kinds() {
            let changed = before.pieces(color, kind) ^ after.pieces(color, kind);
            key ^= sum(color, kind, changed);
        }
    }
    key
}

#[inline]
fn sum(color: Color, kind: Kind, squares: SquareSet) -> u64 {
    let keys = &KEYS.pieces[color as usize][kind.index()];
    squares.into_iter().fold(0, |sum, square| sum ^ keys[usize::from(square)])
}
