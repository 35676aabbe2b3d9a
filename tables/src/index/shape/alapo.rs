use super::{Indexable, Slice, Step, Symmetry};
use damka_games::grid::mirror;
use damka_games::{Alapo, Color, Game, Kind, Material, Position};
use std::ops::Range;

/// White's home rank, with at most one black piece, the invader.
const RANK_1: Range<u32> = 0..6;
const RANKS_2_TO_5: Range<u32> = 6..30;
/// White's goal rank, without white pieces while White is to move.
const RANK_6: Range<u32> = 30..36;
const RANKS_1_TO_5: Range<u32> = 0..30;

/// Black pieces first, then White's. The slice is determined by which black pieces stand on ranks 1
/// and 6, because this decides how many squares are left for white pieces.
impl Indexable for Alapo {
    const INDEX_VERSION: u16 = 1;

    fn slices(mover: &Material, opponent: &Material) -> Vec<(u64, Slice)> {
        let mut slices: Vec<(u64, Slice)> = vec![(0, Vec::new())];
        for kind in Alapo::kinds().filter(|&kind| opponent[kind] > 0) {
            let count = u32::from(opponent[kind]);
            let mut longer = Vec::new();
            for (key, slice) in slices {
                let invaders = match slice.iter().any(|step| step.zone == RANK_1) {
                    true => 0..=0,
                    false => 0..=1,
                };
                for invader in invaders {
                    for on_rank_6 in 0..=(count - invader).min(RANK_6.len() as u32) {
                        let zones = [RANK_1, RANK_6, RANKS_2_TO_5];
                        let counts = [invader, on_rank_6, count - invader - on_rank_6];
                        let steps = zones.into_iter().zip(counts).filter(|(_, count)| *count > 0);
                        let steps = steps.map(|(zone, count)| Step {
                            color: Color::Black,
                            kind,
                            count,
                            zone,
                        });
                        let slice = slice.iter().cloned().chain(steps).collect();
                        longer.push((key | digits(kind, invader, on_rank_6), slice));
                    }
                }
            }
            slices = longer;
        }
        let white: Slice = Alapo::kinds()
            .filter(|&kind| mover[kind] > 0)
            .map(|kind| Step {
                color: Color::White,
                kind,
                count: mover[kind].into(),
                zone: RANKS_1_TO_5,
            })
            .collect();
        for (_, slice) in &mut slices {
            slice.extend(white.iter().cloned());
            lead_with_odd(slice);
        }
        slices
    }

    #[inline]
    fn slice_key(_: Color, position: &Self::Position) -> u64 {
        Alapo::kinds().fold(0, |key, kind| {
            let pieces = position.pieces(Color::Black, kind).bits();
            let on = |rank: Range<u32>| (pieces >> rank.start & 0x3F).count_ones();
            key | digits(kind, on(RANK_1), on(RANK_6))
        })
    }

    fn leader(_: &Material, _: &Material) -> Color {
        Color::Black
    }

    fn symmetries(_: &Material, _: &Material) -> &'static [Symmetry] {
        &[mirror::<6>]
    }
}

/// A kind's part of the key: the number of its pieces on rank 1 and on rank 6.
fn digits(kind: Kind, on_rank_1: u32, on_rank_6: u32) -> u64 {
    u64::from(on_rank_1 << 3 | on_rank_6) << (6 * kind.index())
}

/// Moves Black's first step with an odd number of pieces, if any, to the front. An odd number of
/// like pieces is never its own mirror image, so the slice then has no symmetric leads.
fn lead_with_odd(slice: &mut Slice) {
    // White's zone overlaps the others, so only a step before White's may be moved.
    let odd = slice.iter().position(|step| step.count % 2 == 1 && step.color == Color::Black);
    if let Some(odd) = odd {
        slice[..=odd].rotate_right(1);
    }
}
