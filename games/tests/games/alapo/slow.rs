//! A second implementation of Alapo, taken directly from the rules and as simple as possible:
//! letters on a board, moved step by step.

/// Letters as in a FEN, `.` for an empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// By row (0 = rank 1) and file (0 = a).
    pub(crate) squares: [[char; 6]; 6],
    pub(crate) white_to_move: bool,
}

pub(crate) struct SlowMove {
    pub(crate) text: String,
    pub(crate) takes: bool,
    pub(crate) next: Board,
}

impl Board {
    pub(crate) fn empty(white_to_move: bool) -> Board {
        Board { squares: [['.'; 6]; 6], white_to_move }
    }

    pub(crate) fn start() -> Board {
        let rows = ["RBQQBR", "WFKKFW", "......", "......", "wfkkfw", "rbqqbr"];
        let squares = rows.map(|row| {
            let letters: Vec<char> = row.chars().collect();
            letters.try_into().unwrap()
        });
        Board { squares, white_to_move: true }
    }

    fn is_movers(&self, piece: char) -> bool {
        piece != '.' && piece.is_ascii_uppercase() == self.white_to_move
    }

    fn is_enemys(&self, piece: char) -> bool {
        piece != '.' && piece.is_ascii_uppercase() != self.white_to_move
    }

    fn home_row(&self) -> usize {
        if self.white_to_move { 0 } else { 5 }
    }

    pub(crate) fn has_invader(&self) -> bool {
        self.squares[self.home_row()].iter().any(|&piece| self.is_enemys(piece))
    }

    pub(crate) fn moves(&self) -> Vec<SlowMove> {
        let mut moves = Vec::new();
        for row in 0..6 {
            for file in 0..6 {
                if self.is_movers(self.squares[row][file]) {
                    self.moves_from(row, file, &mut moves);
                }
            }
        }
        moves
    }

    fn moves_from(&self, row: usize, file: usize, moves: &mut Vec<SlowMove>) {
        let piece = self.squares[row][file];
        let letter = piece.to_ascii_uppercase();
        for up in [-1i32, 0, 1] {
            for right in [-1i32, 0, 1] {
                let fits = match (up, right) {
                    (0, 0) => false,
                    (0, _) | (_, 0) => "RQWK".contains(letter),
                    _ => "BQFK".contains(letter),
                };
                if !fits {
                    continue;
                }
                let (mut to_row, mut to_file) = (row as i32, file as i32);
                loop {
                    to_row += up;
                    to_file += right;
                    if !(0..6).contains(&to_row) || !(0..6).contains(&to_file) {
                        break;
                    }
                    let (r, f) = (to_row as usize, to_file as usize);
                    let there = self.squares[r][f];
                    if self.is_movers(there) {
                        break;
                    }
                    let takes = there != '.';
                    if !self.has_invader() || takes && r == self.home_row() {
                        let mut next = *self;
                        next.squares[row][file] = '.';
                        next.squares[r][f] = piece;
                        next.white_to_move = !self.white_to_move;
                        let name = |row, file| {
                            format!("{}{}", ["a", "b", "c", "d", "e", "f"][file], row + 1)
                        };
                        let text = format!("{}-{}", name(row, file), name(r, f));
                        moves.push(SlowMove { text, takes, next });
                    }
                    if takes || "KWF".contains(letter) {
                        break;
                    }
                }
            }
        }
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.moves().iter().map(|mv| mv.next.perft(depth - 1)).sum(),
        }
    }

    pub(crate) fn fen(&self) -> String {
        let rows: Vec<String> = self.squares.iter().rev().map(|row| row.iter().collect()).collect();
        let mut text = rows.join("/");
        for run in (1..=6).rev() {
            text = text.replace(&".".repeat(run), &run.to_string());
        }
        text + if self.white_to_move { " w" } else { " b" }
    }
}
