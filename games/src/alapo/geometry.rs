//! The board: its squares, and which of them a piece reaches.
//!
//! A step is one look-up. For a sliding piece, the pieces standing on one of its
//! four lines are gathered into adjacent bits by a multiplication, and a table
//! holds the answer for every pattern of them. The two squares at the ends of a
//! line do not matter (a piece slides onto them whether or not they are empty),
//! so there are 16 patterns.

use crate::{Kind, Square, SquareSet};

/// Squares along one side of the board.
pub(super) const SIZE: usize = 6;
/// Squares of the board.
pub(super) const SQUARES: usize = SIZE * SIZE;

/// The kinds of piece. The small pieces go by the names that chess problemists use: a wazir steps straight, a
/// fers diagonally.
pub(super) const QUEEN: Kind = Kind::new(0);
pub(super) const ROOK: Kind = Kind::new(1);
pub(super) const BISHOP: Kind = Kind::new(2);
pub(super) const KING: Kind = Kind::new(3);
pub(super) const WAZIR: Kind = Kind::new(4);
pub(super) const FERS: Kind = Kind::new(5);
pub(super) const KINDS: usize = 6;

/// `a1` to `f6`.
pub(super) fn square_name(square: Square) -> String {
    let (row, file) = (square.index() / SIZE as u8, square.index() % SIZE as u8);
    format!("{}{}", char::from(b'a' + file), row + 1)
}

/// The squares in each of a piece's directions, near to far.
pub(super) fn rays(kind: Kind, square: Square) -> Vec<Vec<Square>> {
    const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let directions = match kind {
        ROOK | WAZIR => STRAIGHT.to_vec(),
        BISHOP | FERS => DIAGONAL.to_vec(),
        _ => [STRAIGHT, DIAGONAL].concat(),
    };
    let reach = if [QUEEN, ROOK, BISHOP].contains(&kind) { SIZE } else { 1 };
    let size = SIZE as i8;
    let (file, row) = (square.index() as i8 % size, square.index() as i8 / size);
    let ray = |(files, rows)| {
        let squares = (1..=reach as i8).map(|steps| (file + steps * files, row + steps * rows));
        let on_board =
            squares.take_while(|(file, row)| (0..size).contains(file) && (0..size).contains(row));
        on_board.map(|(file, row)| Square::new((row * size + file) as u8)).collect()
    };
    directions.into_iter().map(ray).collect()
}

/// The squares that a piece of `kind` on `square` can move to if any piece may
/// be taken: the first occupied square of each line is included.
#[inline]
pub(super) fn reached(kind: Kind, square: Square, occupied: SquareSet) -> SquareSet {
    let (square, occupied) = (usize::from(square), occupied.bits());
    SquareSet::new(match kind {
        QUEEN => straight(square, occupied) | diagonal(square, occupied),
        ROOK => straight(square, occupied),
        BISHOP => diagonal(square, occupied),
        KING => STRAIGHT_STEPS[square] | DIAGONAL_STEPS[square],
        WAZIR => STRAIGHT_STEPS[square],
        FERS => DIAGONAL_STEPS[square],
        _ => 0,
    })
}

#[inline]
fn straight(square: usize, occupied: u64) -> u64 {
    let (row, file) = (square / SIZE, square % SIZE);
    // A square of row r on file a is bit 6r. The bit 25 - 5r of the multiplier
    // takes it to bit 25 + r, where no other product arrives; 26 to 29 are the
    // rows between the ends of the file.
    const GATHER: u64 = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20 | 1 << 25;
    let pattern = ((occupied >> file & FILE_A) * GATHER) >> 26 & 15;
    (ALONG_FILE[row][pattern as usize] << file) | across(RANK[square], file, occupied)
}

#[inline]
fn diagonal(square: usize, occupied: u64) -> u64 {
    let file = square % SIZE;
    across(RISING[square], file, occupied) | across(FALLING[square], file, occupied)
}

/// The squares reached on `line`, which has at most one square on each file.
#[inline]
fn across(line: u64, file: usize, occupied: u64) -> u64 {
    // Multiplying by FILE_A copies every square up its file, so that row 5 (bits
    // 30 to 35) receives each of them once; 31 to 34 are the files between the
    // ends. Nothing carries, as a line has one square a file; what is copied
    // beyond bit 63 is of no interest.
    let pattern = (occupied & line).wrapping_mul(FILE_A) >> 31 & 15;
    ACROSS_FILES[file][pattern as usize] & line
}

/// The squares a1 to a6.
const FILE_A: u64 = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24 | 1 << 30;

static STRAIGHT_STEPS: [u64; SQUARES] = both(lines(1, 0, 1), lines(0, 1, 1));
static DIAGONAL_STEPS: [u64; SQUARES] = both(lines(1, 1, 1), lines(1, -1, 1));
/// The rank and the two diagonals through each square, without the square.
static RANK: [u64; SQUARES] = lines(1, 0, SIZE);
static RISING: [u64; SQUARES] = lines(1, 1, SIZE);
static FALLING: [u64; SQUARES] = lines(1, -1, SIZE);
/// By row of the piece and the pattern of the rows 2 to 5 of its file: the
/// squares reached, on file a.
static ALONG_FILE: [[u64; 16]; SIZE] = line_table(false);
/// By file of the piece and the pattern of the files b to e of its line: the
/// files reached, all squares of each.
static ACROSS_FILES: [[u64; 16]; SIZE] = line_table(true);

/// The squares up to `length` steps from each square in the direction given by
/// files and rows, and in the opposite direction.
const fn lines(files: isize, rows: isize, length: usize) -> [u64; SQUARES] {
    const fn ray(square: usize, files: isize, rows: isize, length: usize) -> u64 {
        const END: isize = SIZE as isize;
        let mut squares = 0;
        let mut file = (square % SIZE) as isize + files;
        let mut row = (square / SIZE) as isize + rows;
        let mut step = 0;
        while step < length && 0 <= file && file < END && 0 <= row && row < END {
            squares |= 1 << (END * row + file);
            file += files;
            row += rows;
            step += 1;
        }
        squares
    }
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = ray(square, files, rows, length) | ray(square, -files, -rows, length);
        square += 1;
    }
    table
}

const fn both(one: [u64; SQUARES], other: [u64; SQUARES]) -> [u64; SQUARES] {
    let mut table = one;
    let mut square = 0;
    while square < SQUARES {
        table[square] |= other[square];
        square += 1;
    }
    table
}

/// For each place on a line of six and each pattern of the four inner places:
/// the places reached. A place stands for a whole file (if `files`) or for one
/// square of file a.
const fn line_table(files: bool) -> [[u64; 16]; SIZE] {
    let mut table = [[0; 16]; SIZE];
    let mut place = 0;
    while place < SIZE {
        let mut pattern = 0;
        while pattern < 16 {
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
                    table[place][pattern] |= if files { FILE_A << at } else { 1 << (SIZE * at) };
                }
                at += 1;
            }
            pattern += 1;
        }
        place += 1;
    }
    table
}
