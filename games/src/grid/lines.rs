//! Attacks of sliding pieces along the lines of a board.

use super::file;
use crate::Square;

/// Look-up tables of the squares that a sliding piece attacks.
///
/// A multiplication gathers the occupied squares of a line into adjacent bits, which are the index
/// into a table. The squares at the ends of a line do not matter (a piece slides onto them in any
/// case), so there are 16 patterns on a board of 6 by 6 squares, and 64 on one of 8 by 8.
pub(crate) struct SlidingAttacks<const SIZE: usize> {
    /// The rank and the two diagonals through each square, without the square.
    rank: [u64; 64],
    rising: [u64; 64],
    falling: [u64; 64],
    /// The squares reached along a file, on file a. Indexed by the row of the piece and the pattern
    /// of the inner rows of its file.
    along_file: [[u64; 64]; 8],
    /// The files reached along a line, each with all its squares. Indexed by the file of the piece
    /// and the pattern of the inner files of its line.
    across_files: [[u64; 64]; 8],
}

impl<const SIZE: usize> SlidingAttacks<SIZE> {
    /// The squares of file a.
    const FILE_A: u64 = file::<SIZE>(0).bits();
    /// The factor that gathers file a into adjacent bits. The square of row r on file a is bit
    /// `SIZE * r`. Bit `(SIZE - 1) * (SIZE - 1 - r)` of the factor moves it to bit
    /// `(SIZE - 1)² + r`, where no other partial product arrives.
    const GATHER: u64 = Self::spread(SIZE - 1);
    /// A mask of as many bits as a line has squares between its ends.
    const INNER: u64 = (1 << (SIZE - 2)) - 1;

    pub(crate) const fn new() -> Self {
        SlidingAttacks {
            rank: lines::<SIZE>(1, 0, SIZE),
            rising: lines::<SIZE>(1, 1, SIZE),
            falling: lines::<SIZE>(1, -1, SIZE),
            along_file: Self::line_table(false),
            across_files: Self::line_table(true),
        }
    }

    /// `SIZE` bits, from the lowest, `distance` apart.
    const fn spread(distance: usize) -> u64 {
        let mut bits = 0;
        let mut i = 0;
        while i < SIZE {
            bits |= 1 << (distance * i);
            i += 1;
        }
        bits
    }

    /// All squares of rank and file.
    #[inline]
    pub(crate) fn straight_lines(&self, square: usize) -> u64 {
        self.rank[square] | Self::FILE_A << (square % SIZE)
    }

    /// All squares of the two diagonals, without the square.
    #[inline]
    pub(crate) fn diagonal_lines(&self, square: usize) -> u64 {
        self.rising[square] | self.falling[square]
    }

    /// The squares reached on rank and file, including the first occupied square of each direction.
    #[inline]
    pub(crate) fn straight(&self, square: usize, occupied: u64) -> u64 {
        let (row, file) = (square / SIZE, square % SIZE);
        let gathered = (occupied >> file & Self::FILE_A).wrapping_mul(Self::GATHER);
        let pattern = gathered >> ((SIZE - 1) * (SIZE - 1) + 1) & Self::INNER;
        (self.along_file[row][pattern as usize] << file)
            | self.across(self.rank[square], file, occupied)
    }

    /// The squares reached on the two diagonals.
    #[inline]
    pub(crate) fn diagonal(&self, square: usize, occupied: u64) -> u64 {
        let file = square % SIZE;
        self.across(self.rising[square], file, occupied)
            | self.across(self.falling[square], file, occupied)
    }

    /// The squares reached on `line`, which has at most one square on each file.
    #[inline]
    fn across(&self, line: u64, file: usize, occupied: u64) -> u64 {
        // The product copies every square up its file, so that the last row receives each of them
        // once. There are no carries, because a line has at most one square per file; bits beyond
        // bit 63 are irrelevant.
        let copied = (occupied & line).wrapping_mul(Self::FILE_A);
        let pattern = copied >> (SIZE * (SIZE - 1) + 1) & Self::INNER;
        self.across_files[file][pattern as usize] & line
    }

    /// For each place on a line and each pattern of the inner places: the places reached. A
    /// place stands for a whole file (if `files`) or for one square of file a.
    const fn line_table(files: bool) -> [[u64; 64]; 8] {
        let mut table = [[0; 64]; 8];
        let mut place = 0;
        while place < SIZE {
            let mut pattern = 0;
            while pattern <= Self::INNER as usize {
                let taken = pattern << 1;
                let mut reached: usize = 0;
                let mut up = place + 1;
                while up < SIZE {
                    reached |= 1 << up;
                    up = if taken >> up & 1 == 1 { SIZE } else { up + 1 };
                }
                let mut down = place;
                while down > 0 {
                    reached |= 1 << (down - 1);
                    down = if taken >> (down - 1) & 1 == 1 { 0 } else { down - 1 };
                }
                let mut at = 0;
                while at < SIZE {
                    if reached >> at & 1 == 1 {
                        table[place][pattern] |=
                            if files { Self::FILE_A << at } else { 1 << (SIZE * at) };
                    }
                    at += 1;
                }
                pattern += 1;
            }
            place += 1;
        }
        table
    }
}

/// The squares up to `length` steps from each square in the direction given by files and rows,
/// and in the opposite direction.
pub(crate) const fn lines<const SIZE: usize>(
    files: isize,
    rows: isize,
    length: usize,
) -> [u64; 64] {
    const fn ray<const SIZE: usize>(
        square: usize,
        files: isize,
        rows: isize,
        length: usize,
    ) -> u64 {
        let end = SIZE as isize;
        let mut squares = 0;
        let mut file = (square % SIZE) as isize + files;
        let mut row = (square / SIZE) as isize + rows;
        let mut step = 0;
        while step < length && 0 <= file && file < end && 0 <= row && row < end {
            squares |= 1 << (end * row + file);
            file += files;
            row += rows;
            step += 1;
        }
        squares
    }
    let mut table = [0; 64];
    let mut square = 0;
    while square < SIZE * SIZE {
        table[square] =
            ray::<SIZE>(square, files, rows, length) | ray::<SIZE>(square, -files, -rows, length);
        square += 1;
    }
    table
}

/// The union of several tables, square by square.
pub(crate) const fn union<const COUNT: usize>(tables: [[u64; 64]; COUNT]) -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut table = 0;
        while table < COUNT {
            all[square] |= tables[table][square];
            table += 1;
        }
        square += 1;
    }
    all
}

/// The squares up to `reach` steps from a square, near to far, for each direction, given by files
/// and rows.
pub(crate) fn rays<const SIZE: usize>(
    directions: &[(i8, i8)],
    reach: usize,
    square: Square,
) -> Vec<Vec<Square>> {
    let size = SIZE as i8;
    let (file, row) = (square.index() as i8 % size, square.index() as i8 / size);
    let ray = |&(files, rows): &(i8, i8)| {
        let squares = (1..=reach as i8).map(|steps| (file + steps * files, row + steps * rows));
        let on_board =
            squares.take_while(|(file, row)| (0..size).contains(file) && (0..size).contains(row));
        on_board.map(|(file, row)| Square::new((row * size + file) as u8)).collect()
    };
    directions.iter().map(ray).collect()
}
