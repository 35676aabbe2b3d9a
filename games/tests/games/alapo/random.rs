//! Random legal positions, the same in every run.

use super::slow::Board;
use damka_games::Random;

/// Sides of 1 to 12 pieces of any kinds, small ones more often; about a quarter of the
/// positions with an invader.
pub(crate) fn board(random: &mut Random) -> Board {
    let mut below = |limit: usize| random.below(limit as u64) as usize;
    let mut board = Board::empty(below(2) == 0);
    let most = [2, 4, 12][below(3)];
    let (home, goal) = if board.white_to_move { (0, 5) } else { (5, 0) };
    let mover = below(most) + 1;
    let mut enemy = below(most) + 1;
    if below(4) == 0 {
        board.squares[home][below(6)] = letter(!board.white_to_move, below(6));
        enemy -= 1;
    }
    for (count, white, forbidden) in
        [(mover, board.white_to_move, goal), (enemy, !board.white_to_move, home)]
    {
        for _ in 0..count {
            let (row, file) = loop {
                let (row, file) = (below(6), below(6));
                if row != forbidden && board.squares[row][file] == '.' {
                    break (row, file);
                }
            };
            board.squares[row][file] = letter(white, below(6));
        }
    }
    board
}

/// The letter of a piece of one of the six kinds.
fn letter(white: bool, kind: usize) -> char {
    let letters = if white { b"QRBKWF" } else { b"qrbkwf" };
    char::from(letters[kind])
}
