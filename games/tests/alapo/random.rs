//! Random legal positions, the same in every run.

use crate::slow::Board;

/// Steele, Lea and Flood's SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z % limit as u64) as usize
    }

    /// Sides of 1 to 12 pieces of any kinds, small ones more often; about a
    /// quarter of the positions with an invader.
    pub(crate) fn board(&mut self) -> Board {
        let mut board = Board::empty(self.below(2) == 0);
        let most = [2, 4, 12][self.below(3)];
        let (home, goal) = if board.white_to_move { (0, 5) } else { (5, 0) };
        let mover = self.below(most) + 1;
        let mut enemy = self.below(most) + 1;
        if self.below(4) == 0 {
            board.squares[home][self.below(6)] = self.piece(!board.white_to_move);
            enemy -= 1;
        }
        for (count, white, forbidden) in
            [(mover, board.white_to_move, goal), (enemy, !board.white_to_move, home)]
        {
            for _ in 0..count {
                let (row, file) = loop {
                    let (row, file) = (self.below(6), self.below(6));
                    if row != forbidden && board.squares[row][file] == '.' {
                        break (row, file);
                    }
                };
                board.squares[row][file] = self.piece(white);
            }
        }
        board
    }

    fn piece(&mut self, white: bool) -> char {
        let letters = if white { b"QRBKWF" } else { b"qrbkwf" };
        char::from(letters[self.below(6)])
    }
}
