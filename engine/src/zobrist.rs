use damka_games::Random;
use damka_games::{Color, Game, Kind, MAX_KINDS, Position, SquareSet};

/// Random numbers for every piece on every square, for the side to move, and for the bits of what
/// else a position [is](Position::state).
/// A. L. Zobrist, "A new hashing method with application for game playing", 1970.
struct Keys {
    pieces: [[[u64; 64]; MAX_KINDS]; 2],
    turn: u64,
    state: [u64; 16],
}

static KEYS: Keys = keys();

const fn keys() -> Keys {
    let mut random = Random::new(0x00DA_A3BA);
    let turn = random.next();
    let mut keys = Keys { pieces: [[[0; 64]; MAX_KINDS]; 2], turn, state: [0; 16] };
    let mut place = 0;
    while place < 2 * MAX_KINDS * 64 {
        keys.pieces[place / (MAX_KINDS * 64)][place / 64 % MAX_KINDS][place % 64] = random.next();
        place += 1;
    }
    let mut bit = 0;
    while bit < keys.state.len() {
        keys.state[bit] = random.next();
        bit += 1;
    }
    keys
}

/// The key of a position, made from scratch.
pub(crate) fn key<G: Game>(position: &G::Position) -> u64 {
    let mut key = if position.turn() == Color::White { 0 } else { KEYS.turn };
    key ^= state_key(position.state());
    for color in Color::BOTH {
        for kind in G::kinds() {
            key ^= sum(color, kind, position.pieces(color, kind));
        }
    }
    key
}

/// The key of the position after a move, from that of the one before. Calls `changed` with each
/// kind of which pieces of a side stand elsewhere, and where they stood and stand.
#[inline]
pub(crate) fn key_after<G: Game>(
    key: u64,
    before: &G::Position,
    after: &G::Position,
    mut changed: impl FnMut(Kind, [SquareSet; 2]),
) -> u64 {
    let mut key = key ^ KEYS.turn ^ state_key(before.state() ^ after.state());
    for color in Color::BOTH {
        for kind in G::kinds() {
            let sets = [before, after].map(|position| position.pieces(color, kind));
            // Most are as they were.
            if sets[0] != sets[1] {
                key ^= sum(color, kind, sets[0] ^ sets[1]);
                changed(kind, sets);
            }
        }
    }
    key
}

#[inline]
fn state_key(state: u16) -> u64 {
    if state == 0 {
        return 0;
    }
    (0..16).filter(|bit| state >> bit & 1 != 0).fold(0, |key, bit| key ^ KEYS.state[bit])
}

#[inline]
fn sum(color: Color, kind: Kind, squares: SquareSet) -> u64 {
    let keys = &KEYS.pieces[color as usize][kind.index()];
    squares.into_iter().fold(0, |sum, square| sum ^ keys[usize::from(square)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// What is true of the key of a move is true of this part of it: to exchange one state for
    /// another is to add what has changed.
    #[test]
    fn states_have_keys_of_their_own() {
        let keys: HashSet<u64> = (0..=u16::MAX).map(state_key).collect();
        assert_eq!((keys.len(), state_key(0)), (1 << 16, 0));
        for (before, after) in [(0b1111, 0b1100), (0, 1 << 15), (0x8421, 0x8421)] {
            assert_eq!(state_key(before) ^ state_key(before ^ after), state_key(after));
        }
    }
}
