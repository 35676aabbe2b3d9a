/// A block ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block(pub(super) Content);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// All bytes of the block are equal; only the directory stores the byte.
    Constant(u8),
    /// A zstd frame.
    Compressed(Vec<u8>),
}
