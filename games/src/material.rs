use crate::{Kind, MAX_KINDS};
use std::ops::{Index, IndexMut};

/// The number of pieces of each kind that a side has, in the order of
/// [`Game::KINDS`](crate::Game::KINDS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(pub [u8; MAX_KINDS]);

impl Material {
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

    /// The material as a number, different for different materials.
    #[inline]
    pub fn key(&self) -> u64 {
        let [a, b, c, d, e, f] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
    }

    /// This material with one piece of `kind` fewer; `None` if there is none.
    pub fn without(mut self, kind: Kind) -> Option<Material> {
        self[kind] = self[kind].checked_sub(1)?;
        Some(self)
    }

    /// This material with one piece of `kind` more.
    pub fn with(mut self, kind: Kind) -> Material {
        self[kind] += 1;
        self
    }
}

/// The number of pieces of a kind.
impl Index<Kind> for Material {
    type Output = u8;

    #[inline]
    fn index(&self, kind: Kind) -> &u8 {
        &self.0[kind.index()]
    }
}

impl IndexMut<Kind> for Material {
    #[inline]
    fn index_mut(&mut self, kind: Kind) -> &mut u8 {
        &mut self.0[kind.index()]
    }
}
