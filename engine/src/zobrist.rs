use damka_games::Random;
use damka_games::{Color, Game, Kind, MAX_KINDS, Position, SquareSet};

/// Zobrist keys: random numbers for every piece on every square, for Black to move, and for each
/// bit of the [state](Position::state) of a position. A. L. Zobrist, "A new hashing method with
/// application for game playing", 1970.
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
    let mut index = 0;
    while index < 2 * MAX_KINDS * 64 {
        keys.pieces[index / (MAX_KINDS * 64)][index / 64 % MAX_KINDS][index % 64] = random.next();
        index += 1;
    }
    let mut bit = 0;
    while bit < keys.state.len() {
        keys.state[bit] = random.next();
        bit += 1;
    }
    keys
}

/// The key of a position, computed from scratch.
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

/// The key of the position after a move, updated from the key before it. Calls `changed` for each
/// kind and side whose pieces changed, with their squares before and after.
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
            // Most sets have not changed.
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

    /// The incremental update relies on this: the key of the changed bits turns the key of one
    /// state into that of another.
    #[test]
    fn keys_of_states_are_distinct_and_combine_by_xor() {
        let keys: HashSet<u64> = (0..=u16::MAX).map(state_key).collect();
        assert_eq!((keys.len(), state_key(0)), (1 << 16, 0));
        for (before, after) in [(0b1111, 0b1100), (0, 1 << 15), (0x8421, 0x8421)] {
            assert_eq!(state_key(before) ^ state_key(before ^ after), state_key(after));
        }
    }
}
