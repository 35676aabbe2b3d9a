/// The most kinds of piece any game has (chess and Alapo: six).
pub const MAX_KINDS: usize = 6;

/// A kind of piece of a game: its place in [`Game::KINDS`](crate::Game::KINDS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

impl Kind {
    /// The kind at this place of the list, below [`MAX_KINDS`].
    #[inline]
    pub const fn new(index: usize) -> Kind {
        debug_assert!(index < MAX_KINDS);
        Kind(index as u8)
    }

    /// The place in the list.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
