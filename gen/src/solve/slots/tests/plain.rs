//! Chess rules at their simplest: the board is an array, and moves are tried one by one.

use damka_games::Color;

/// The colour and letter of a man: king, queen, rook, bishop, knight or pawn.
pub(super) type Man = (Color, char);

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Board {
    pub(super) squares: [Option<Man>; 64],
    pub(super) turn: Color,
    /// The square that a pawn has just passed over.
    pub(super) passed: Option<usize>,
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The square this many files and ranks away.
fn beside(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((8 * rank + file) as usize)
}

impl Board {
    /// A board with these men.
    pub(super) fn new(men: &[(Man, usize)], turn: Color) -> Board {
        let mut board = Board { squares: [None; 64], turn, passed: None };
        men.iter().for_each(|&(man, square)| board.squares[square] = Some(man));
        board
    }

    pub(super) fn king(&self, color: Color) -> usize {
        let king = self.squares.iter().position(|&man| man == Some((color, 'K')));
        king.expect("a king")
    }

    /// The squares that a piece other than a pawn reaches, including those occupied by its own
    /// side.
    fn reached(&self, kind: char, from: usize) -> Vec<usize> {
        let all = [STRAIGHT, DIAGONAL].concat();
        let leaps: Vec<(i32, i32)> =
            [1, -1].iter().flat_map(|&a| [(a, 2), (a, -2), (2, a), (-2, a)]).collect();
        let (steps, slides) = match kind {
            'K' => (all, false),
            'N' => (leaps, false),
            'Q' => (all, true),
            'R' => (STRAIGHT.to_vec(), true),
            _ => (DIAGONAL.to_vec(), true),
        };
        let mut reached = Vec::new();
        for step in steps {
            let mut square = from;
            while let Some(next) = beside(square, step) {
                reached.push(next);
                if !slides || self.squares[next].is_some() {
                    break;
                }
                square = next;
            }
        }
        reached
    }

    fn forward(color: Color) -> i32 {
        if color == Color::White { 1 } else { -1 }
    }

    fn is_attacked(&self, target: usize, by: Color) -> bool {
        (0..64).any(|from| match self.squares[from] {
            Some((color, 'P')) if color == by => {
                [-1, 1].iter().any(|&side| beside(from, (side, Board::forward(by))) == Some(target))
            }
            Some((color, kind)) if color == by => self.reached(kind, from).contains(&target),
            _ => false,
        })
    }

    pub(super) fn is_checked(&self, color: Color) -> bool {
        self.is_attacked(self.king(color), !color)
    }

    /// Whether the side that is not to move is not in check.
    pub(super) fn is_legal(&self) -> bool {
        !self.is_checked(!self.turn)
    }

    /// The positions after each legal move.
    pub(super) fn successors(&self) -> Vec<Board> {
        let mut found = Vec::new();
        for from in 0..64 {
            let Some((color, kind)) = self.squares[from] else { continue };
            if color != self.turn {
                continue;
            }
            if kind == 'P' {
                self.pawn_moves(from, &mut found);
                continue;
            }
            for to in self.reached(kind, from) {
                if self.squares[to].is_none_or(|(other, _)| other != color) {
                    found.push(self.after(from, to, kind));
                }
            }
        }
        found.retain(Board::is_legal);
        found
    }

    fn pawn_moves(&self, from: usize, found: &mut Vec<Board>) {
        let forward = Board::forward(self.turn);
        for side in [-1, 1] {
            let Some(to) = beside(from, (side, forward)) else { continue };
            match self.squares[to] {
                Some((color, _)) if color != self.turn => self.arrive(from, to, found),
                None if self.passed == Some(to) => {
                    let mut board = self.after(from, to, 'P');
                    board.squares[beside(to, (0, -forward)).expect("a pawn")] = None;
                    found.push(board);
                }
                _ => {}
            }
        }
        let next = beside(from, (0, forward)).expect("pawns are not on the last rank");
        if self.squares[next].is_some() {
            return;
        }
        self.arrive(from, next, found);
        let start = if self.turn == Color::White { 1 } else { 6 };
        let double = beside(next, (0, forward)).filter(|_| from / 8 == start);
        if let Some(double) = double.filter(|&square| self.squares[square].is_none()) {
            found.push(Board { passed: Some(next), ..self.after(from, double, 'P') });
        }
    }

    /// Adds a pawn's moves to a square; on the last rank, its promotions.
    fn arrive(&self, from: usize, to: usize, found: &mut Vec<Board>) {
        let kinds = if (to / 8).is_multiple_of(7) { "QRBN" } else { "P" };
        found.extend(kinds.chars().map(|kind| self.after(from, to, kind)));
    }

    fn after(&self, from: usize, to: usize, kind: char) -> Board {
        let mut board = Board { turn: !self.turn, passed: None, ..self.clone() };
        board.squares[from] = None;
        board.squares[to] = Some((self.turn, kind));
        board
    }
}
