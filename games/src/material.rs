use crate::Game;

/// The most kinds of piece any game has (chess and Alapo: six).
pub const MAX_KINDS: usize = 6;

/// How many pieces of each kind one side has, strongest kind first (the order
/// of [`Game::KINDS`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(pub [u8; MAX_KINDS]);

impl Material {
    /// The pieces `color` has in `position`.
    #[inline]
    pub fn of<G: Game>(position: &G::Position, color: crate::Color) -> Material {
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

    /// The number of pieces of all kinds.
    #[inline]
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    /// Whether there are no pieces.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.key() == 0
    }

    /// The material as a number: another one for every other material.
    #[inline]
    pub fn key(&self) -> u64 {
        let [a, b, c, d, e, f] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
    }

    /// This material with one piece of `kind` less, or `None` if there is none.
    pub fn without(mut self, kind: usize) -> Option<Material> {
        self.0[kind] = self.0[kind].checked_sub(1)?;
        Some(self)
    }

    /// This material with one piece of `kind` more.
    pub fn with(mut self, kind: usize) -> Material {
        self.0[kind] += 1;
        self
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
