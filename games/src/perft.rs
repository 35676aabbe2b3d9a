/// Counts the leaves of the tree of legal moves, `depth` plies deep. The rules are passed as
/// functions, so that a copy is compiled for each set of rules.
pub(crate) fn perft<P, M: Copy, L: AsRef<[M]>>(
    position: &P,
    depth: u32,
    moves: &impl Fn(&P) -> L,
    count_moves: &impl Fn(&P) -> u64,
    play: &impl Fn(&P, M) -> P,
) -> u64 {
    match depth {
        0 => 1,
        1 => count_moves(position),
        _ => {
            let moves_here = moves(position);
            let successors = moves_here.as_ref().iter().map(|&mv| play(position, mv));
            successors.map(|next| perft(&next, depth - 1, moves, count_moves, play)).sum()
        }
    }
}
