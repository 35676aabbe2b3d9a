use super::pair::Pair;

/// What frames come to (see [`Evaluated::count_frame`](super::Evaluated::count_frame)), with White
/// to move: a thread's memory of those that it met last.
pub(crate) struct Frames(Box<[Frame]>);

#[derive(Clone, Copy, Default)]
struct Frame {
    /// 0 if there is nothing.
    key: u64,
    sum: Pair,
}

/// How many are remembered, as a power of 2.
const BITS: u32 = 13;

impl Frames {
    pub(crate) fn new() -> Frames {
        Frames(vec![Frame::default(); 1 << BITS].into())
    }

    /// What the frame with this key comes to: as remembered, or found by `count`.
    #[inline(always)]
    pub(super) fn get(&mut self, key: u64, count: impl FnOnce() -> Pair) -> Pair {
        // Odd, so that there is no key 0.
        let key = key | 1;
        let frame = &mut self.0[(key >> (64 - BITS)) as usize];
        if frame.key != key {
            *frame = Frame { key, sum: count() };
        }
        frame.sum
    }
}
