/// The maximum number of kinds of piece in any game: six in chess and Alapo.
pub const MAX_KINDS: usize = 6;

/// A kind of piece of a game, as an index into [`Game::KINDS`](crate::Game::KINDS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

impl Kind {
    /// The kind with this index, which must be below [`MAX_KINDS`].
    ///
    /// # Panics
    /// In debug builds, if it is not.
    #[inline]
    pub const fn new(index: usize) -> Kind {
        debug_assert!(index < MAX_KINDS);
        Kind(index as u8)
    }

    /// The index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
