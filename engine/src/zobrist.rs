use damka_games::Random;
use damka_games::{Color, Game, Kind, MAX_KINDS, Position, SquareSet};
use damka_tables::Indexable;

/// Zobrist keys: random numbers for every piece on every square, for Black to move, and for each
/// bit of the [state](Position::state) of a position. A. L. Zobrist, "A new hashing method with
/// application for game playing", 1970.
struct Keys {
    pieces: [[[u64; 64]; MAX_KINDS]; 2],
    turn: u64,
    state: [u64; STATE_BITS],
}

/// The number of bits of a state that may be set.
const STATE_BITS: usize = 20;

static KEYS: Keys = keys();

const fn keys() -> Keys {
    let mut random = Random::new(0x00DA_A3BA);
    let turn = random.next();
    let mut keys = Keys { pieces: [[[0; 64]; MAX_KINDS]; 2], turn, state: [0; STATE_BITS] };
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

/// A key that a position shares with all equivalent positions: the one with colours exchanged, and
/// the images under the symmetries of the board that the pieces allow. All have the same value for
/// the side to move.
pub fn symmetric_key<G: Indexable>(position: &G::Position) -> u64 {
    let position = position.with_white_to_move();
    let [mover, opponent] = Color::BOTH.map(|color| position.material(color));
    // Castling rights and the en passant square are not mapped, so a position with them has no
    // symmetries.
    let symmetries = match position.state() {
        0 => G::symmetries(&mover, &opponent),
        _ => &[],
    };
    let image = |map: &dyn Fn(u64) -> u64| {
        let mut key = state_key(position.state());
        for color in Color::BOTH {
            for kind in G::kinds() {
                let squares = SquareSet::new(map(position.pieces(color, kind).bits()));
                key ^= sum(color, kind, squares);
            }
        }
        key
    };
    let images = symmetries.iter().map(|symmetry| image(symmetry));
    images.fold(image(&|squares| squares), u64::min)
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
fn state_key(state: u32) -> u64 {
    let bits = SquareSet::new(state.into()).into_iter();
    bits.fold(0, |key, bit| key ^ KEYS.state[usize::from(bit)])
}

#[inline]
fn sum(color: Color, kind: Kind, squares: SquareSet) -> u64 {
    let keys = &KEYS.pieces[color as usize][kind.index()];
    squares.into_iter().fold(0, |sum, square| sum ^ keys[usize::from(square)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Alapo, Chess, Russian};
    use std::collections::HashSet;

    #[test]
    fn images_share_a_symmetric_key() {
        fn check<G: Indexable>(game: G, alike: &[&str], other: &str) {
            let key = |fen: &str| symmetric_key::<G>(&game.parse_fen(fen).expect("a position"));
            let keys: HashSet<u64> = alike.iter().map(|fen| key(fen)).collect();
            assert!(keys.len() == 1 && !keys.contains(&key(other)), "{alike:?}");
        }
        // With the colours exchanged; kings alone have the symmetries of the board as well.
        check(Russian, &["W:Wc3:Bd6", "B:We3:Bf6"], "B:Wc3:Bd6");
        check(Russian, &["W:WKa1:BKb8", "W:WKh8:BKg1", "W:WKa1:BKh2"], "W:WKb8:BKa1");
        check(Alapo, &["k5/6/6/6/6/F5 w", "5k/6/6/6/6/5F w"], "k5/6/6/6/6/5F w");
        check(
            Chess,
            &["4k3/8/8/8/8/8/P7/K7 w - -", "3k4/8/8/8/8/8/7P/7K w - -"],
            "4k3/8/8/8/8/8/7P/K7 w - -",
        );
        let castling = ["4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 3 9"];
        check(Chess, &castling, "4k3/8/8/8/8/8/8/4K2R w - -");
    }

    /// The incremental update relies on this: the key of the changed bits turns the key of one
    /// state into that of another.
    #[test]
    fn keys_of_states_are_distinct_and_combine_by_xor() {
        let keys: HashSet<u64> = (0..1 << STATE_BITS).map(state_key).collect();
        assert_eq!((keys.len(), state_key(0)), (1 << STATE_BITS, 0));
        for (before, after) in [(0b1111, 0b1100), (0, 1 << 19), (0x88421, 0x88421)] {
            assert_eq!(state_key(before) ^ state_key(before ^ after), state_key(after));
        }
    }
}
