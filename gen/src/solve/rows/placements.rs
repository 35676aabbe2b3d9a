use super::bits::{Bits, WORDS};
use damka_games::{Color, Game, Kind, MAX_KINDS, Material, Pieces, Square, SquareSet};
use damka_tables::combinatorics::{choose, rank, unrank};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// All placements of one side's kings, numbered. Like pieces are numbered by the rank of their
/// squares on the empty board; kinds are combined in mixed radix. Numbers in which two kinds share
/// a square are not placements.
#[derive(Debug)]
pub(super) struct Placements {
    /// Kind and count.
    kinds: Vec<(Kind, u32)>,
    board: u32,
    /// The squares of each placement; [`NOWHERE`] if the number is not a placement.
    sets: Vec<u64>,
    /// For each square, a set of bits: the placements that leave it empty. Consists of whole
    /// [`Bits`] of any size.
    clear: Vec<Vec<u32>>,
    /// For each square and placement: 255 if the square is occupied, otherwise 0.
    taken: Vec<Vec<u8>>,
}

/// The set of a number that is not a placement. It overlaps every other set.
pub(super) const NOWHERE: u64 = u64::MAX;

impl Placements {
    /// The placements of the kings of `material`.
    pub(super) fn new<G: Game>(material: &Material) -> Placements {
        let counts = G::kinds().map(|kind| (kind, u32::from(material[kind])));
        let kinds: Vec<_> = counts.filter(|&(kind, n)| n > 0 && !G::MEN.contains(&kind)).collect();
        let board = u32::from(G::SQUARES);
        let mut all =
            Placements { kinds, board, sets: vec![0], clear: Vec::new(), taken: Vec::new() };
        let len = count::<G>(material);
        all.sets = (0..len as usize)
            .map(|placement| {
                let pieces = all.pieces(placement);
                let set = pieces.iter().fold(0, |all, set| all | set);
                let apart = pieces.iter().map(|set| set.count_ones()).sum::<u32>();
                if set.count_ones() == apart { set } else { NOWHERE }
            })
            .collect();
        all.clear = (0..board)
            .map(|square| {
                let blocks = all.sets.len().div_ceil(32 * WORDS);
                let mut clear = vec![0; blocks * WORDS];
                for (placement, set) in all.sets.iter().enumerate() {
                    clear[placement / 32] |= u32::from(set >> square & 1 == 0) << (placement % 32);
                }
                clear
            })
            .collect();
        all.taken = (0..board)
            .map(|square| {
                all.sets.iter().map(|set| 0u8.wrapping_sub((set >> square & 1) as u8)).collect()
            })
            .collect();
        all
    }

    /// How many numbers there are, including those that are not placements.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The number of squares of the board.
    pub(super) fn squares(&self) -> u8 {
        self.board as u8
    }

    /// The squares of each placement.
    pub(super) fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// The number of blocks of `W` words for all placements.
    pub(super) fn blocks<const W: usize>(&self) -> usize {
        self.len().div_ceil(Bits::<W>::LEN)
    }

    /// The placements of a block that leave `square` empty.
    #[inline(always)]
    pub(super) fn clear<const W: usize>(&self, square: u8, block: usize) -> Bits<W> {
        let (blocks, _) = self.clear[square as usize].as_chunks();
        Bits(blocks[block])
    }

    /// The placements of a block that leave all these squares empty.
    #[inline(always)]
    pub(super) fn free<const W: usize>(&self, occupied: u32, block: usize) -> Bits<W> {
        let mut free = Bits::ALL;
        for square in SquareSet::new(occupied.into()) {
            free = free.and(self.clear(square.index(), block));
        }
        free
    }

    /// For each placement: 255 if it occupies `square`, otherwise 0.
    pub(super) fn taken(&self, square: u8) -> &[u8] {
        &self.taken[square as usize]
    }

    /// Adds the kings of a placement to `pieces` as pieces of `color`.
    pub(super) fn put(&self, placement: usize, color: Color, pieces: &mut Pieces) {
        let kings = self.pieces(placement);
        for &(kind, _) in &self.kinds {
            pieces[(color, kind)] = SquareSet::new(kings[kind.index()]);
        }
    }

    /// The squares of the kings of a placement, by kind.
    pub(super) fn pieces(&self, placement: usize) -> [u64; MAX_KINDS] {
        let mut rest = placement as u64;
        let mut pieces = [0; MAX_KINDS];
        for &(kind, count) in self.kinds.iter().rev() {
            let radix = choose(self.board, count);
            pieces[kind.index()] = unrank(rest % radix, count);
            rest /= radix;
        }
        pieces
    }

    /// The number of the placement of `color`'s kings; men are ignored.
    #[inline]
    pub(super) fn number_of(&self, pieces: &Pieces, color: Color) -> usize {
        self.number(|kind| pieces[(color, kind)].bits())
    }

    #[inline]
    fn number(&self, squares: impl Fn(Kind) -> u64) -> usize {
        let digits =
            self.kinds.iter().map(|&(kind, n)| (rank(squares(kind)), choose(self.board, n)));
        digits.fold(0, |number, (rank, radix)| number * radix + rank) as usize
    }

    /// The number of each placement on the board flipped by `flip`.
    pub(super) fn flipped(&self, flip: impl Fn(u64) -> u64) -> Vec<u32> {
        let flipped = |placement| {
            let pieces = self.pieces(placement);
            self.number(|kind| flip(pieces[kind.index()])) as u32
        };
        (0..self.len()).map(flipped).collect()
    }
}

/// The number of placements of the kings of `material`.
pub(super) fn count<G: Game>(material: &Material) -> u64 {
    count_within::<G>(material, G::SQUARES.into())
}

/// The number of placements of the kings of `material` with at least one king on a given set of
/// `squares` squares.
pub(super) fn count_touching<G: Game>(material: &Material, squares: u32) -> u64 {
    count::<G>(material) - count_within::<G>(material, u32::from(G::SQUARES) - squares)
}

/// The number of placements of the kings of `material` on a board of this many squares.
fn count_within<G: Game>(material: &Material, squares: u32) -> u64 {
    let kinds = G::kinds().filter(|kind| !G::MEN.contains(kind));
    kinds.map(|kind| choose(squares, material[kind].into())).product()
}

/// Placements by material of the kings, each computed once.
#[derive(Debug, Default)]
pub struct PlacementCache {
    made: Mutex<FxHashMap<Material, Arc<Placements>>>,
}

impl PlacementCache {
    /// The placements of the kings of `material`.
    pub(super) fn get<G: Game>(&self, material: &Material) -> Arc<Placements> {
        let mut kings = *material;
        G::MEN.iter().for_each(|&kind| kings[kind] = 0);
        let mut made = self.made.lock().unwrap_or_else(|lock| lock.into_inner());
        Arc::clone(made.entry(kings).or_insert_with(|| Arc::new(Placements::new::<G>(&kings))))
    }
}

/// The quiet moves of one side's kings from each placement, on an otherwise empty board.
#[derive(Debug)]
pub(super) struct QuietMoves {
    /// Index of the first step of each placement, and the end of the last one.
    starts: Vec<u32>,
    steps: Vec<Step>,
}

/// One square of a ray and the placement after moving there. The rays of a placement follow each
/// other, each from its far end to its near end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step(u32);

impl Step {
    const NEAREST: u32 = 1 << 31;
    const SQUARE: u32 = 24;

    fn new(target: usize, square: Square, nearest: bool) -> Step {
        debug_assert!(target < 1 << Step::SQUARE);
        let nearest = if nearest { Step::NEAREST } else { 0 };
        Step(target as u32 | u32::from(square.index()) << Step::SQUARE | nearest)
    }

    /// The placement after the move.
    #[inline(always)]
    pub(super) fn target(self) -> usize {
        (self.0 & ((1 << Step::SQUARE) - 1)) as usize
    }

    /// The destination square.
    #[inline(always)]
    pub(super) fn square(self) -> usize {
        (self.0 >> Step::SQUARE & 0x3F) as usize
    }

    /// Whether this is the last step of its ray, adjacent to the piece.
    #[inline(always)]
    pub(super) fn is_nearest(self) -> bool {
        self.0 & Step::NEAREST != 0
    }
}

impl QuietMoves {
    /// Bytes per placement here and in [`Placements`]: the set, the occupied and empty squares, the
    /// steps, and, where exits need it, the placement with one more king.
    pub(super) const BYTES: usize = 640;

    pub(super) fn new<G: Game>(game: G, placements: &Placements) -> QuietMoves {
        let rays: Vec<Vec<Vec<Vec<Square>>>> = G::kinds()
            .map(|kind| Square::all(G::SQUARES).map(|square| game.rays(kind, square)).collect())
            .collect();
        let mut moves = QuietMoves { starts: vec![0], steps: Vec::new() };
        for (placement, &set) in placements.sets.iter().enumerate() {
            let pieces = placements.pieces(placement);
            for (kind, from) in (0..MAX_KINDS).filter(|_| set != NOWHERE).flat_map(|kind| {
                SquareSet::new(pieces[kind]).into_iter().map(move |from| (kind, from))
            }) {
                for ray in &rays[kind][usize::from(from)] {
                    let free = |square: &&Square| !SquareSet::new(set).contains(**square);
                    let reach = ray.iter().take_while(free).count();
                    for (i, &to) in ray[..reach].iter().enumerate().rev() {
                        let mut after = pieces;
                        after[kind] ^= (SquareSet::from(from) | to.into()).bits();
                        moves.steps.push(Step::new(
                            placements.number(|kind| after[kind.index()]),
                            to,
                            i == 0,
                        ));
                    }
                }
            }
            moves.starts.push(moves.steps.len() as u32);
        }
        moves
    }

    /// The steps of all rays of a placement.
    #[inline(always)]
    pub(super) fn of(&self, placement: usize) -> &[Step] {
        &self.steps[self.starts[placement] as usize..self.starts[placement + 1] as usize]
    }
}
