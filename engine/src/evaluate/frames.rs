use super::pair::Pair;

/// A thread's cache of the evaluations of frames (see
/// [`Evaluated::count_frame`](super::Evaluated::count_frame)), with White to move. In chess it is a
/// pawn hash table.
pub(crate) struct Frames(Box<[Frame]>);

#[derive(Clone, Copy, Default)]
struct Frame {
    /// 0 if the entry is empty.
    key: u64,
    sum: Pair,
}

/// Base-2 logarithm of the number of entries.
const FRAME_BITS: u32 = 13;

impl Frames {
    pub(crate) fn new() -> Frames {
        Frames(vec![Frame::default(); 1 << FRAME_BITS].into())
    }

    /// The evaluation of the frame with this key, from the cache or else by `count`.
    #[inline(always)]
    pub(super) fn get(&mut self, key: u64, count: impl FnOnce() -> Pair) -> Pair {
        // Odd, so that no key is 0.
        let key = key | 1;
        let frame = &mut self.0[(key >> (64 - FRAME_BITS)) as usize];
        if frame.key != key {
            *frame = Frame { key, sum: count() };
        }
        frame.sum
    }
}
