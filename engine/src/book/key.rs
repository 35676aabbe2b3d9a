use damka_games::{Color, Game, Position, Square};

/// The unique key of a position; the format is described in mod.rs.
pub(super) fn of<G: Game>(position: &G::Position) -> Box<[u8]> {
    let kinds = G::KINDS.len();
    let width = (2 * kinds - 1).ilog2() + 1;
    let mut bits = Bits::default();
    bits.push(position.turn() == Color::Black);
    for square in Square::all(G::SQUARES) {
        let piece = position.piece_at(square);
        bits.push(piece.is_some());
        if let Some((color, kind)) = piece {
            let number = color as usize * kinds + kind.index();
            (0..width).for_each(|bit| bits.push(number >> bit & 1 != 0));
        }
    }
    let state = position.state();
    let width = match state {
        0 => 0,
        1..=0xFFFF => u16::BITS,
        _ => u32::BITS,
    };
    (0..width).for_each(|bit| bits.push(state >> bit & 1 != 0));
    bits.bytes.into()
}

/// A bit string, packed into bytes from the lowest bit.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.count.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.count % 8);
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use damka_games::{Alapo, Draughts, Game, Position, Russian};
    use std::collections::{HashMap, HashSet};

    /// Worked out by hand. White to move: 0. Square 1 (b8) has a black man: 1, then 3 in two bits:
    /// 11. Squares 2 to 28 are empty. Square 29 (a1) has a white king: 1, then 00.
    #[test]
    fn the_key_is_as_documented() {
        let position = Russian.parse_fen("W:WKa1:Bb8").expect("a position");
        let empty = [0; 27];
        let bits = [&[0, 1, 1, 1][..], &empty, &[1, 0, 0], &[0; 3]].concat();
        let bytes: Vec<u8> = bits
            .chunks(8)
            .map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit))
            .collect();
        assert_eq!(*of::<Draughts>(&position), *bytes);
    }

    #[test]
    fn keys_are_unique() {
        fn check<G: Game>(game: G, depth: u32) {
            let mut keys = HashMap::new();
            let mut all = HashSet::from([game.start()]);
            let mut last = all.clone();
            for _ in 0..depth {
                let moves = |position: &G::Position| {
                    let position = *position;
                    position.moves().into_iter().map(move |mv| position.play(mv))
                };
                last = last.iter().flat_map(moves).collect();
                all.extend(&last);
            }
            assert!(all.len() > 100);
            for position in all {
                assert_eq!(keys.insert(of::<G>(&position), position), None, "{position:?}");
            }
        }
        check(Russian, 4);
        check(Alapo, 2);
    }
}
