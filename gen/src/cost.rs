//! The cost of a position of a signature in time and disk space, from measurements.

use damka_games::Square;
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};

/// The time of one core per position, in nanoseconds: to solve it, and to write it to a WDL table.
/// Depends on the material. Measured with `gen --profile` for Russian draughts: 6 pieces, and 7
/// without distances.
struct Nanoseconds {
    solving: f64,
    writing_wdl: f64,
}

/// Kings only. Symmetric positions are solved individually but counted once.
const KINGS_ONLY: Nanoseconds = Nanoseconds { solving: 420.0, writing_wdl: 25.0 };
/// Both sides have kings.
const BOTH_HAVE_KINGS: Nanoseconds = Nanoseconds { solving: 42.0, writing_wdl: 23.0 };
/// Both sides have kings, and one side has only a single king.
const AGAINST_ONE_KING: Nanoseconds = Nanoseconds { solving: 31.0, writing_wdl: 13.0 };
/// One side has only men: one, two, three, or more.
const ONE_HAS_MEN_ONLY: [Nanoseconds; 4] = [
    Nanoseconds { solving: 52.0, writing_wdl: 9.0 },
    Nanoseconds { solving: 84.0, writing_wdl: 12.0 },
    Nanoseconds { solving: 98.0, writing_wdl: 22.0 },
    Nanoseconds { solving: 115.0, writing_wdl: 30.0 },
];
const MEN_ONLY: Nanoseconds = Nanoseconds { solving: 530.0, writing_wdl: 23.0 };
/// Additional nanoseconds of solving where exits are followed one by one; measured with `gen czech
/// KKMvKM --profile`.
const EXITS_ONE_BY_ONE: f64 = 290.0;
/// The time to write a position to a DTW table, in nanoseconds.
const WRITING_DTW: f64 = 20.0;

/// The size of a position of at most six pieces on disk, in bits, indexed by the difference in number of
/// pieces; the last entry applies to all larger differences.
struct BitsPerPosition {
    wdl: &'static [f64],
    dtw: &'static [f64],
}

/// The size of a position, by the kinds of the weaker side's pieces: only men, only kings, or both.
struct BitsByKind {
    men: BitsPerPosition,
    kings: BitsPerPosition,
    both: BitsPerPosition,
    /// The factor for each piece above six, without and with distances.
    above_six: [f64; 2],
}

/// Flying kings: measured with `gen russian 6`; the factors with `gen russian 8 --metric wdl` and `gen
/// russian KKMMvKKM`. Brazilian and pool need the same space.
const FLYING_KINGS: BitsByKind = BitsByKind {
    men: BitsPerPosition {
        wdl: &[0.257, 0.174, 0.051, 0.005, 0.002],
        dtw: &[1.28, 1.37, 1.13, 0.63, 0.44],
    },
    kings: BitsPerPosition {
        wdl: &[0.055, 0.151, 0.291, 0.048, 0.007],
        dtw: &[0.08, 0.29, 0.84, 1.74, 1.37],
    },
    both: BitsPerPosition { wdl: &[0.200, 0.297, 0.217, 0.048], dtw: &[0.44, 0.97, 1.60] },
    above_six: [0.91, 0.45],
};

/// Kings that move one step: measured with `gen english 6`. More pieces have not been measured.
const SHORT_KINGS: BitsByKind = BitsByKind {
    men: BitsPerPosition {
        wdl: &[0.440, 0.029, 0.004, 0.001],
        dtw: &[2.20, 2.59, 1.96, 0.85, 0.65],
    },
    kings: BitsPerPosition {
        wdl: &[0.238, 0.275, 0.018, 0.001],
        dtw: &[0.48, 3.08, 2.67, 1.90, 1.58],
    },
    both: BitsPerPosition { wdl: &[0.392, 0.110, 0.010, 0.001], dtw: &[1.16, 3.22, 2.58] },
    above_six: [1.0, 1.0],
};

/// Games without men: measured with `gen alapo 4`.
const NO_MEN: BitsPerPosition =
    BitsPerPosition { wdl: &[0.15, 0.14, 0.127], dtw: &[0.61, 0.5, 0.377] };

impl BitsPerPosition {
    fn get(&self, metric: Metric, surplus: u32) -> f64 {
        let bits = if metric.has_distances() { self.dtw } else { self.wdl };
        bits[(surplus as usize).min(bits.len() - 1)]
    }
}

/// The size of a position of a signature on disk, in bits.
fn bits<G: Indexable>(signature: &Signature<G>, metric: Metric) -> f64 {
    let [first, second] = signature.materials().map(|side| side.total());
    let surplus = first.abs_diff(second);
    let king_kinds = G::kinds().filter(|kind| !G::MEN.contains(kind));
    let mut rays = king_kinds.flat_map(|kind| signature.game().rays(kind, Square::new(0)));
    let by_kind = match G::MEN {
        [] => return NO_MEN.get(metric, surplus),
        _ if rays.any(|ray| ray.len() > 1) => &FLYING_KINGS,
        _ => &SHORT_KINGS,
    };
    let (men, kings) = men_and_kings(signature);
    let bits = match (men[1], kings[1]) {
        (_, 0) => &by_kind.men,
        (0, _) => &by_kind.kings,
        _ => &by_kind.both,
    };
    let factor = by_kind.above_six[usize::from(metric.has_distances())];
    bits.get(metric, surplus) * factor.powi((first + second).saturating_sub(6) as i32)
}

/// The size of a position in the journal, in bits. Measured as file sizes of `gen russian 7
/// --metric wdl` and `gen russian 6`. In fibres with men only, each position takes whole bytes.
fn journal_bits(metric: Metric, men_only: bool) -> f64 {
    let values = if metric.has_distances() { 6.0 } else { 2.0 };
    values + if men_only { 18.0 } else { 0.0 }
}

/// A number for each metric.
pub(crate) type ByMetric = [f64; Metric::ALL.len()];

/// One number for all metrics without distances, another for all with distances.
fn by_distances(without: f64, with: f64) -> ByMetric {
    Metric::ALL.map(|metric| if metric.has_distances() { with } else { without })
}

/// The cost of a position.
#[derive(Clone, Copy, Debug)]
pub struct PositionCost {
    /// The time of one core to solve it, in nanoseconds.
    pub(crate) solving: f64,
    /// The time of one core to write it to a table, in nanoseconds, by metric.
    pub(crate) writing: ByMetric,
    /// Its size in a table, in bits, by metric.
    pub(crate) bits: ByMetric,
    /// Its size in the journal, in bits, by metric.
    pub(crate) journal: ByMetric,
}

impl PositionCost {
    /// The cost with the row method of draughts and Alapo. `has_bulk_exits` is whether exits are
    /// found for many positions at once.
    pub(crate) fn by_rows<G: Indexable>(
        signature: &Signature<G>,
        has_bulk_exits: bool,
    ) -> PositionCost {
        let exits = if has_bulk_exits { 0.0 } else { EXITS_ONE_BY_ONE };
        let (men, kings) = men_and_kings(signature);
        let &Nanoseconds { solving, writing_wdl } = nanoseconds(men, kings);
        PositionCost {
            solving: solving + exits,
            writing: by_distances(writing_wdl, WRITING_DTW),
            bits: Metric::ALL.map(|metric| bits(signature, metric)),
            journal: Metric::ALL.map(|metric| journal_bits(metric, kings == [0, 0])),
        }
    }

    /// The cost with the slot method of chess: measured with `gen chess 5 --profile`, the journal
    /// with `gen chess 4 --checkpoint 0`.
    pub(crate) fn by_slots<G: Indexable>(signature: &Signature<G>) -> PositionCost {
        let (men, others) = men_and_kings(signature);
        let (solving, journal) = match (men[0] + men[1], others) {
            (0, _) => (12.0, 0.0),
            // Kings and pawns only: each slot has one cell.
            (_, [1, 1]) => (500.0, 4.2),
            (1, _) => (25.0, 1.6),
            _ => (42.0, 1.6),
        };
        PositionCost {
            solving,
            writing: by_distances(16.0, 18.0),
            bits: by_distances(0.09, 0.59),
            journal: by_distances(journal, journal),
        }
    }
}

/// The number of men, and of other pieces, of each side.
fn men_and_kings<G: Indexable>(signature: &Signature<G>) -> ([u8; 2], [u32; 2]) {
    let materials = signature.materials();
    let men = materials.map(|side| G::MEN.iter().map(|&kind| side[kind]).sum::<u8>());
    let kings = [0, 1].map(|side: usize| materials[side].total() - u32::from(men[side]));
    (men, kings)
}

fn nanoseconds(men: [u8; 2], kings: [u32; 2]) -> &'static Nanoseconds {
    let most_men = ONE_HAS_MEN_ONLY.len() as u8;
    match kings {
        _ if men == [0, 0] => &KINGS_ONLY,
        [0, 0] => &MEN_ONLY,
        [0, _] => &ONE_HAS_MEN_ONLY[usize::from(men[0].min(most_men)) - 1],
        [_, 0] => &ONE_HAS_MEN_ONLY[usize::from(men[1].min(most_men)) - 1],
        [1, _] if men[0] == 0 => &AGAINST_ONE_KING,
        [_, 1] if men[1] == 0 => &AGAINST_ONE_KING,
        _ => &BOTH_HAVE_KINGS,
    }
}
