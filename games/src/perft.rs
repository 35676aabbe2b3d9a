use crate::Game;

/// Counts the leaves of the tree of legal moves, `depth` plies deep. The last
/// ply is counted, not played.
pub fn perft<G: Game>(position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => G::count_moves(position),
        _ => {
            G::moves(position).iter().map(|&mv| perft::<G>(&G::play(position, mv), depth - 1)).sum()
        }
    }
}
