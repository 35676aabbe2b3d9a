use super::{Indexable, Slice, Step, Symmetry, weaker};
use damka_games::draughts::{KING, MAN, Position};
use damka_games::{Color, Draughts, Material, Position as _};
use std::ops::Range;

const BETWEEN: Range<u32> = 4..28;
const BOARD: Range<u32> = 0..32;

/// The rank on which men of this side promote, so that none of them stands there.
fn last_rank(color: Color) -> Range<u32> {
    match color {
        Color::White => 0..4,
        Color::Black => 28..32,
    }
}

/// The squares on which men of this side can stand.
fn men_zone(color: Color) -> Range<u32> {
    match color {
        Color::White => 4..32,
        Color::Black => 0..28,
    }
}

/// Men first, those of the weaker side as the most significant; then kings, the mover's as the
/// least significant. If both sides have men, the slice is determined by the number of men of the
/// weaker side on the promotion rank of the other, because this decides how many squares are left
/// for the other men. COMPRESSION.md explains the benefit of this order.
impl Indexable for Draughts {
    const INDEX_VERSION: u16 = 2;

    fn slices(mover: &Material, opponent: &Material) -> Vec<(u64, Slice)> {
        let step = |color, kind, count, zone| Step { color, kind, count, zone };
        let count = |color: Color, kind| u32::from([mover, opponent][color as usize][kind]);
        let leader = Self::leader(mover, opponent);
        let kings = [leader, !leader].map(|color| step(color, KING, count(color, KING), BOARD));
        let first = weaker(mover, opponent);
        let [first_men, later_men] = [first, !first].map(|color| count(color, MAN));
        let on_last_rank = match later_men {
            0 => 0..=0,
            _ => 0..=first_men.min(4),
        };
        let slice = |on_last_rank| {
            let men = match later_men {
                0 => vec![step(first, MAN, first_men, men_zone(first))],
                _ => vec![
                    step(first, MAN, on_last_rank, last_rank(!first)),
                    step(first, MAN, first_men - on_last_rank, BETWEEN),
                    step(!first, MAN, later_men, men_zone(!first)),
                ],
            };
            (u64::from(on_last_rank), [men, kings.to_vec()].concat())
        };
        on_last_rank.map(slice).collect()
    }

    #[inline]
    fn slice_key(weaker: Color, position: &Position) -> u64 {
        let men = !position.kings();
        let [first, later] = [weaker, !weaker].map(|color| (position.side(color) & men).bits());
        let on_last_rank = first >> last_rank(!weaker).start & 0xF;
        // A branchless table look-up: whether there are later men is unpredictable.
        const COUNTS: u64 = 0x4332_3221_3221_2110;
        u64::from(later != 0) * (COUNTS >> (4 * on_last_rank) & 0xF)
    }

    #[inline]
    fn line(squares: u64) -> u64 {
        map_bytes(squares, &PLACES)
    }

    #[inline]
    fn squares(line: u64) -> u64 {
        map_bytes(line, &SQUARES)
    }

    /// The opponent; without men, the side with fewer kings, because placements are folded by the
    /// leader's kings.
    fn leader(mover: &Material, opponent: &Material) -> Color {
        match mover[MAN] + opponent[MAN] == 0 && mover[KING] <= opponent[KING] {
            true => Color::White,
            false => Color::Black,
        }
    }

    fn symmetries(mover: &Material, opponent: &Material) -> &'static [Symmetry] {
        match mover[MAN] + opponent[MAN] {
            0 => &[turn, reflect_main_road, reflect_other_diagonal],
            _ => &[],
        }
    }
}

/// Turns the board by 180 degrees.
fn turn(set: u64) -> u64 {
    u64::from((set as u32).reverse_bits())
}

/// Reflects the board in the main road, the diagonal a1-h8.
fn reflect_main_road(set: u64) -> u64 {
    map_bytes(set, &MAIN_ROAD)
}

/// Reflects the board in the diagonal a8-h1.
fn reflect_other_diagonal(set: u64) -> u64 {
    turn(reflect_main_road(set))
}

/// The images of sets of squares under reflection in the main road, by byte of the set.
static MAIN_ROAD: [[u32; 256]; 4] = byte_maps(main_road_table());

/// Row 0 is rank 8, file 0 is file a.
const fn row_and_file(square: usize) -> [usize; 2] {
    let row = square / 4;
    [row, square % 4 * 2 + (row + 1) % 2]
}

const fn main_road_table() -> [u8; 32] {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 32 {
        let [row, file] = row_and_file(square);
        // The rank of the image is the file of the square, and the reverse.
        table[square] = ((7 - file) * 4 + (7 - row) / 2) as u8;
        square += 1;
    }
    table
}

/// The place of each square along the line that runs back and forth on the diagonals parallel to
/// the main road.
const LINE: [u8; 32] = line_table();
/// The places of sets of squares, by byte of the set, and the inverse.
static PLACES: [[u32; 256]; 4] = byte_maps(LINE);
static SQUARES: [[u32; 256]; 4] = byte_maps(inverse(LINE));

const fn line_table() -> [u8; 32] {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 32 {
        let [row, file] = row_and_file(square);
        let diagonal = row + file;
        // Count the preceding squares: on earlier diagonals, and on this one.
        let mut place = 0;
        let mut other = 0;
        while other < 32 {
            let [other_row, other_file] = row_and_file(other);
            let is_before = match other_row + other_file == diagonal {
                true if diagonal % 4 == 1 => other_row < row,
                true => other_row > row,
                false => other_row + other_file < diagonal,
            };
            place += is_before as u8;
            other += 1;
        }
        table[square] = place;
        square += 1;
    }
    table
}

const fn inverse(table: [u8; 32]) -> [u8; 32] {
    let mut inverse = [0; 32];
    let mut i = 0;
    while i < 32 {
        inverse[table[i] as usize] = i as u8;
        i += 1;
    }
    inverse
}

const fn byte_maps(table: [u8; 32]) -> [[u32; 256]; 4] {
    let mut maps = [[0; 256]; 4];
    let mut i = 0;
    while i < 4 * 256 {
        let (byte, set) = (i / 256, i % 256);
        let mut bit = 0;
        while bit < 8 {
            if set >> bit & 1 == 1 {
                maps[byte][set] |= 1 << table[byte * 8 + bit];
            }
            bit += 1;
        }
        i += 1;
    }
    maps
}

#[inline]
fn map_bytes(set: u64, maps: &[[u32; 256]; 4]) -> u64 {
    let bytes = (set as u32).to_le_bytes();
    let images = maps.iter().zip(bytes).map(|(map, byte)| map[usize::from(byte)]);
    u64::from(images.fold(0, |all, image| all | image))
}
