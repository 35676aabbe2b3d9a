//! The exits of draughts fibres, many positions at once.
//!
//! The score of a king's capture depends on the other kings of its side, the captured piece and the
//! direction. It is computed once for all placements of the other side's kings, and is the same for
//! every square from which the king can come. Where the king can continue capturing, its jumps are
//! followed for many placements at once, as sets of bits.

mod captures;
mod chain;
mod chances;
mod found;
mod men;

use super::{ExitScores, Exits, OneByOne, Task};
use crate::solve::instructions::{Instructions, with_processor};
use crate::solve::rows::frames::Frame;
use crate::solve::rows::lookup::Lookup;
use crate::solve::rows::placements::{PlacementCache, Placements};
use crate::solve::score::{self, NONE};
use captures::Buffers;
use damka_games::draughts::{
    DIRECTIONS, Direction, Draughts, KING, MAN, Priority, Removal, Rules, promotion_row,
};
use damka_games::{Color, Material, Pieces, Square, SquareSet};
use damka_tables::combinatorics::rank;
use damka_tables::processor::Processor;
use found::Captures;
use std::sync::Arc;

/// Finds the exits of draughts fibres.
#[derive(Debug)]
pub struct DraughtsExits {
    rules: &'static Rules,
    /// Used for rules that this module does not support.
    one_by_one: OneByOne,
    /// White's and Black's number of kings.
    kings: [usize; 2],
    /// By number of kings.
    placements: Vec<Arc<Placements>>,
    /// By number of kings, placement and square: the placement with one more king, or [`TAKEN`].
    with_king: Vec<Vec<[u32; 32]>>,
    /// By number of kings and square: the placements without a king there, and those with one more
    /// king there.
    adding: Vec<Vec<Vec<(u32, u32)>>>,
    /// By direction and square: the squares that a king reaches on the empty board.
    rays: [Vec<Vec<u8>>; 4],
}

const TAKEN: u32 = u32::MAX;

/// The maximum number of parts in which the captures of a very large fibre are found. Each part
/// takes as much memory as the whole.
const PARTS: usize = 2;

/// Whether this module supports these rules.
pub(crate) fn can_find(rules: &Rules) -> bool {
    matches!(rules.priority, Priority::Free | Priority::Most)
        && !rules.land_behind
        && rules.men_capture_kings
        && rules.removal == Removal::AtEnd
}

/// The set with these bits.
#[inline(always)]
fn squares(word: u32) -> SquareSet {
    SquareSet::new(word.into())
}

/// The index of a square's neighbour.
#[inline(always)]
fn next(d: Direction, square: u8) -> Option<u8> {
    d.next(Square::new(square)).map(Square::index)
}

/// Whether the largest number of pieces must be captured.
#[inline(always)]
fn must_take_most(rules: &Rules) -> bool {
    rules.priority == Priority::Most
}

impl Exits<Draughts> for DraughtsExits {
    type Buffers = Buffers;

    fn new(game: Draughts, cache: &PlacementCache, materials: [Material; 2]) -> DraughtsExits {
        let rules = game.rules();
        let kings = materials.map(|material| usize::from(material[KING]));
        // A man may be promoted to one more king.
        let has_men = materials.iter().any(|material| material[MAN] > 0);
        let most = kings[0].max(kings[1]) + usize::from(has_men);
        let placements = |kings| {
            let mut material = Material::default();
            material[KING] = kings as u8;
            cache.get::<Draughts>(&material)
        };
        let placements: Vec<Arc<Placements>> = (0..=most).map(placements).collect();
        let with_king: Vec<Vec<[u32; 32]>> = placements[..most]
            .iter()
            .map(|placements| {
                let grown = |set: u64, square| match set >> square & 1 {
                    0 => rank(set | 1u64 << square) as u32,
                    _ => TAKEN,
                };
                let sets = placements.sets().iter();
                sets.map(|&set| std::array::from_fn(|square| grown(set, square))).collect()
            })
            .collect();
        let adding = with_king
            .iter()
            .map(|with_king| {
                let pairs = |square| {
                    let all = with_king.iter().enumerate();
                    let grown =
                        all.map(|(from, to): (usize, &[u32; 32])| (from as u32, to[square]));
                    grown.filter(|&(_, to)| to != TAKEN).collect()
                };
                (0..32).map(pairs).collect()
            })
            .collect();
        let rays = DIRECTIONS.map(|d| {
            let reach = if rules.flying_kings { 8 } else { 1 };
            let ray = |square| std::iter::successors(next(d, square), |&near| next(d, near));
            (0..32).map(|square| ray(square).take(reach).collect()).collect()
        });
        DraughtsExits {
            one_by_one: Exits::<Draughts>::new(game, cache, materials),
            kings,
            placements,
            with_king,
            adding,
            rays,
            rules,
        }
    }

    fn buffer_bytes(game: Draughts, positions: usize, threads: usize) -> usize {
        threads.min(PARTS) * Captures::bytes(positions, must_take_most(game.rules()))
    }

    fn find(
        &self,
        instructions: Instructions,
        lookup: Lookup<'_, Draughts>,
        men: &Pieces,
        task: Task,
        buffers: &mut Buffers,
        found: &mut ExitScores,
    ) {
        if !can_find(self.rules) {
            return self.one_by_one.find(instructions, lookup, men, task, &mut (), found);
        }
        let mover = task.mover;
        let fibre = FibreExits {
            all: self,
            lookup,
            mover,
            mine: self.kings[mover as usize],
            other: self.kings[!mover as usize],
            my_men: men[(mover, MAN)].bits() as u32,
            other_men: men[(!mover, MAN)].bits() as u32,
        };
        with_processor!(instructions, processor => fibre.find(processor, task, buffers, found));
    }
}

/// One fibre, with one side to move.
struct FibreExits<'a> {
    all: &'a DraughtsExits,
    lookup: Lookup<'a, Draughts>,
    mover: Color,
    /// The numbers of kings of the side to move and of the other side.
    mine: usize,
    other: usize,
    my_men: u32,
    other_men: u32,
}

impl<'a> FibreExits<'a> {
    fn find<P: Processor>(
        &self,
        processor: P,
        task: Task,
        buffers: &mut Buffers,
        found: &mut ExitScores,
    ) {
        let (rows, columns) = (self.placements(self.mine).len(), self.placements(self.other).len());
        found.clear(rows, columns);
        self.captures(processor, rows, columns, task.parallel, buffers);
        processor.call(|| {
            let captures = &buffers.captures;
            if must_take_most(self.all.rules) {
                for (forced, &(number, least)) in found.forced.iter_mut().zip(&captures.most) {
                    *forced = if number > 1 { least } else { NONE };
                }
            }
            for (forced, &least) in found.forced.iter_mut().zip(&captures.scores) {
                let least = if *forced == NONE { least } else { *forced };
                *forced = if least == NONE { NONE } else { score::before_move(least) };
            }
        });
        if !task.forced_only && self.my_men != 0 {
            found.with_exits();
            let exits = &mut found.exits;
            processor.call(|| {
                self.men_moves(columns, exits);
                for (exit, &forced) in exits.iter_mut().zip(&found.forced) {
                    let nothing = *exit == NONE || forced != NONE;
                    *exit = if nothing { NONE } else { score::before_move(*exit) };
                }
            });
        }
    }

    fn placements(&self, kings: usize) -> &'a Placements {
        &self.all.placements[kings]
    }

    /// The frame after a move, with the other side to move.
    fn frame(&self, my_men: u32, other_men: u32, mine: usize, other: usize) -> Frame<'a> {
        let mut men = Pieces::default();
        let mut materials = [Material::default(); 2];
        for (color, set, kings) in [(self.mover, my_men, mine), (!self.mover, other_men, other)] {
            men[(color, MAN)] = squares(set);
            materials[color as usize][MAN] = set.count_ones() as u8;
            materials[color as usize][KING] = kings as u8;
        }
        self.lookup.frame(&men, &materials, !self.mover)
    }

    fn men(&self) -> u32 {
        self.my_men | self.other_men
    }

    /// In frames with one score per row, removes the scores of rows whose kings stand on men.
    #[inline(always)]
    fn clear_impossible(&self, scores: &mut [u8]) {
        for square in squares(self.men()).into_iter().map(Square::index) {
            for (score, &taken) in scores.iter_mut().zip(self.placements(self.mine).taken(square)) {
                *score |= taken;
            }
        }
    }

    /// The quiet moves of men.
    #[inline(always)]
    fn men_moves(&self, columns: usize, exits: &mut [u8]) {
        let mut buffer = Vec::new();
        for from in squares(self.my_men).into_iter().map(Square::index) {
            for d in DIRECTIONS.into_iter().filter(|d| self.is_forward(*d)) {
                let Some(to) = next(d, from).filter(|to| self.men() >> to & 1 == 0) else {
                    continue;
                };
                let left = self.my_men ^ 1 << from;
                let promotes = promotion_row(self.mover).contains(Square::new(to));
                let frame = match promotes {
                    true => self.frame(left, self.other_men, self.mine + 1, self.other),
                    false => self.frame(left | 1 << to, self.other_men, self.mine, self.other),
                };
                if columns == 1 && !promotes {
                    let mine = self.placements(self.mine);
                    let scores = frame.column().iter();
                    for ((exit, &score), &taken) in exits.iter_mut().zip(scores).zip(mine.taken(to))
                    {
                        *exit = (*exit).min(score | taken);
                    }
                    continue;
                }
                let taken = self.placements(self.other).taken(to);
                for (row, &set) in self.placements(self.mine).sets().iter().enumerate() {
                    if set as u32 & (self.men() | 1 << to) != 0 {
                        continue;
                    }
                    let after = if promotes { self.with_king(self.mine, row, to) } else { row };
                    let exits = &mut exits[row * columns..][..columns];
                    let scores = frame.row(after, &mut buffer);
                    for ((exit, &score), &taken) in exits.iter_mut().zip(scores).zip(taken) {
                        *exit = (*exit).min(score | taken);
                    }
                }
            }
        }
        if columns == 1 {
            self.clear_impossible(exits);
        }
    }

    #[inline(always)]
    fn is_forward(&self, d: Direction) -> bool {
        d.is_up() == (self.mover == Color::White)
    }

    /// The number of a placement of `kings` kings after another king has been added on `square`.
    #[inline(always)]
    fn with_king(&self, kings: usize, placement: usize, square: u8) -> usize {
        self.all.with_king[kings][placement][square as usize] as usize
    }
}
