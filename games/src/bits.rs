/// Iterates over the indices of the set bits of `board`, lowest first.
#[inline]
pub fn bits(mut board: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (board != 0).then(|| {
            let lowest = board.trailing_zeros() as u8;
            board &= board - 1;
            lowest
        })
    })
}
