use super::{Layout, Slice, Step, Symmetry};
use damka_games::draughts::{Draughts, KING, MAN, Position, Variant};
use damka_games::{Color, Material};
use std::ops::Range;

/// Rank 8, where no white man stands, and rank 1, where no black man stands.
const RANK_8: Range<u32> = 0..4;
const BETWEEN: Range<u32> = 4..28;
const RANKS_8_TO_2: Range<u32> = 0..28;
const RANKS_7_TO_1: Range<u32> = 4..32;
const BOARD: Range<u32> = 0..32;

/// Men first, then kings. When both sides have men, each number of black men on
/// rank 8 makes a slice: it decides how many squares are left for white men.
impl<V: Variant> Layout for Draughts<V> {
    const INDEX_VERSION: u16 = 1;
    const QUICK_PIECES: u32 = 4;

    fn slices(mover: &Material, opponent: &Material) -> Vec<(u64, Slice)> {
        let step = |color, kind, count, zone| Step { color, kind, count, zone };
        let [white_kings, white_men] = [KING, MAN].map(|kind| u32::from(mover.0[kind]));
        let [black_kings, black_men] = [KING, MAN].map(|kind| u32::from(opponent.0[kind]));
        let mut kings = [
            step(Color::White, KING, white_kings, BOARD),
            step(Color::Black, KING, black_kings, BOARD),
        ];
        if Self::leader(mover, opponent) == Color::Black {
            kings.reverse();
        }
        let on_rank_8 = match white_men {
            0 => 0..=0,
            _ => 0..=black_men.min(RANK_8.end),
        };
        let slice = |on_rank_8| {
            let men = match white_men {
                0 => vec![step(Color::Black, MAN, black_men, RANKS_8_TO_2)],
                _ => vec![
                    step(Color::Black, MAN, on_rank_8, RANK_8),
                    step(Color::Black, MAN, black_men - on_rank_8, BETWEEN),
                    step(Color::White, MAN, white_men, RANKS_7_TO_1),
                ],
            };
            (u64::from(on_rank_8), [men, kings.to_vec()].concat())
        };
        on_rank_8.map(slice).collect()
    }

    #[inline]
    fn slice_key(position: &Position) -> u64 {
        let men = !position.kings();
        match position.side(Color::White) & men {
            0 => 0,
            _ => (position.side(Color::Black) & men & 0xF).count_ones().into(),
        }
    }

    /// The smaller group of kings: the symmetries are folded by it.
    fn leader(mover: &Material, opponent: &Material) -> Color {
        match mover.0[KING] <= opponent.0[KING] {
            true => Color::White,
            false => Color::Black,
        }
    }

    #[inline]
    fn may_stand(_: u64, _: Color, _: Color) -> bool {
        true
    }

    fn advance(position: &Position) -> u32 {
        let men = |color| u64::from(position.side(color) & !position.kings());
        // Row 0 is rank 8.
        let rows = |men| damka_games::bits(men).map(|square| u32::from(square / 4));
        let white = rows(men(Color::White)).map(|row| 7 - row).sum::<u32>();
        white + rows(men(Color::Black)).sum::<u32>()
    }

    fn symmetries(mover: &Material, opponent: &Material) -> &'static [Symmetry] {
        match mover.0[MAN] + opponent.0[MAN] {
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
    map(set, &MAIN_ROAD)
}

/// Reflects the board in the diagonal a8-h1.
fn reflect_other_diagonal(set: u64) -> u64 {
    turn(reflect_main_road(set))
}

/// The image of each square in the main road.
static MAIN_ROAD: [u8; 32] = main_road_table();

const fn main_road_table() -> [u8; 32] {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 32 {
        let row = square / 4;
        let file = square % 4 * 2 + (row + 1) % 2;
        // The rank of the image is the file of the square, and the reverse.
        table[square] = ((7 - file) * 4 + (7 - row) / 2) as u8;
        square += 1;
    }
    table
}

fn map(set: u64, table: &[u8; 32]) -> u64 {
    damka_games::bits(set).fold(0, |image, square| image | 1 << table[square as usize])
}
