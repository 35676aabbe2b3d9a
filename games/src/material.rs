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
        for (kind, count) in counts.iter_mut().enumerate().take(G::KINDS.len()) {
            *count = G::pieces(position, color, kind).count_ones() as u8;
        }
        Material(counts)
    }

    /// The number of pieces of all kinds.
    #[inline]
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
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
