use super::crew::{Crew, NOWHERE};
use super::frames::{Frame, Frames, Shelf};
use super::score::{self, NONE};
use super::simd::Instructions;
use damka_games::{Alapo, Color, Game, Material, Pieces, Position, SquareSet};
use damka_tables::Indexable;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// A game that the solver can make tables for.
pub trait Solvable: Indexable {
    /// How the conversions of this game are followed.
    type Exits: Exits<Self>;

    /// Tables of up to this many pieces are built in seconds, so that programs
    /// may build them when they are needed.
    const QUICK_PIECES: u32;

    /// How far the men of both sides have come: grows with every move of a man
    /// that stays one. Always the same in games without men.
    fn advance(_position: &Self::Position) -> u32 {
        0
    }

    /// Whether these are found for many positions at once, where that is quicker. What is
    /// expected of a generation depends on it, not what it finds.
    fn finds_exits_at_once(self) -> bool {
        true
    }
}

/// Finds what the conversions of a fibre are worth.
pub trait Exits<G: Indexable>: Send + Sync {
    /// Room to work in.
    type Scratch: Default + Send;

    /// Gets ready for fibres of `game` in which White and Black have these materials.
    fn new(game: G, crews: &Crews, materials: [Material; 2]) -> Self;

    /// Finds what the exits of a fibre with these men are worth.
    fn find(
        &self,
        instructions: Instructions,
        known: Known<'_, G>,
        men: &Pieces,
        task: Task,
        scratch: &mut Self::Scratch,
        found: &mut Found,
    );
}

/// Which exits of a fibre are to be found.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The side to move.
    pub(super) mover: Color,
    /// Only those of positions in which nothing but captures is legal.
    pub(super) forced_only: bool,
    /// All threads are there to help.
    pub(super) parallel: bool,
}

impl Solvable for Alapo {
    type Exits = OneByOne;
    const QUICK_PIECES: u32 = 3;
}

/// What the exits of a fibre are worth to the side to move: a row for each
/// placement of its crew, in it a score for each placement of the other crew.
#[derive(Debug, Default)]
pub struct Found {
    /// Positions in which nothing but captures is legal. NONE: others.
    pub(super) forced: Vec<u8>,
    /// The best exit of other positions, if there are any. NONE: no exit.
    pub(super) exits: Vec<u8>,
    /// Whether there are any of these.
    pub(super) has_exits: bool,
}

impl Found {
    /// Begins a fibre of `rows` rows of `columns` scores.
    pub(super) fn clear(&mut self, rows: usize, columns: usize) {
        self.has_exits = false;
        self.exits.clear();
        self.forced.clear();
        self.forced.resize(rows * columns, NONE);
    }

    /// Only who wins is known from here on.
    #[inline(always)]
    pub(super) fn forget_distances(&mut self) {
        for scores in [&mut self.forced, &mut self.exits] {
            for score in scores.iter_mut() {
                *score = score::without_distance_or_none(*score);
            }
        }
    }

    /// Makes room for exits of positions that are not forced.
    pub(super) fn with_exits(&mut self) {
        if !std::mem::replace(&mut self.has_exits, true) {
            self.exits.resize(self.forced.len(), NONE);
        }
    }
}

/// Crews by material, each made once.
#[derive(Debug, Default)]
pub struct Crews {
    made: Mutex<FxHashMap<Material, Arc<Crew>>>,
}

impl Crews {
    /// The crew of `material`.
    pub(super) fn get<G: Game>(&self, material: &Material) -> Arc<Crew> {
        let mut material = *material;
        G::MEN.iter().for_each(|&kind| material[kind] = 0);
        let mut made = self.made.lock().unwrap_or_else(|lock| lock.into_inner());
        let crew = made.entry(material).or_insert_with(|| Arc::new(Crew::new::<G>(&material)));
        Arc::clone(crew)
    }
}

/// What is solved already: other signatures, and fibres of the same one.
#[derive(Debug)]
pub struct Known<'a, G> {
    pub(super) shelf: &'a Shelf<G>,
    pub(super) own: &'a Frames<G>,
}

impl<G> Clone for Known<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Known<'_, G> {}

impl<'a, G: Indexable> Known<'a, G> {
    fn frames(&self, materials: &[Material; 2]) -> &'a Frames<G> {
        match *materials == self.own.materials() {
            true => self.own,
            false => self.shelf.find(materials).unwrap_or_else(|| {
                panic!(
                    "{} {materials:?} must be solved before it is needed",
                    self.own.game().name()
                )
            }),
        }
    }

    /// The frame of the fibre with these men (other pieces are ignored) and
    /// materials, White's first.
    ///
    /// # Panics
    /// If the materials are not known.
    #[inline]
    pub(super) fn frame(&self, men: &Pieces, materials: &[Material; 2], turn: Color) -> Frame<'a> {
        match materials[turn as usize].total() {
            0 => Frame::LOST,
            _ => self.frames(materials).frame_of(men, turn),
        }
    }

    /// The score of a position.
    pub(super) fn score(&self, position: &G::Position) -> u8 {
        let turn = position.turn();
        let materials = Color::BOTH.map(|color| position.material(color));
        if materials[turn as usize].total() == 0 {
            return score::LOSS;
        }
        let frames = self.frames(&materials);
        let pieces = position.setup().pieces;
        let [white, black] = frames.crews();
        let placements = [(white, Color::White), (black, Color::Black)]
            .map(|(crew, color)| crew.placement_of(&pieces, color));
        let frame = frames.frame_of(&pieces, turn);
        frame.get(placements[!turn as usize], placements[turn as usize])
    }
}

/// Follows the exits of one position after the other, as the rules give them.
#[derive(Debug)]
pub struct OneByOne {
    /// White's and Black's.
    crews: [Arc<Crew>; 2],
}

impl<G: Indexable> Exits<G> for OneByOne {
    type Scratch = ();

    fn new(_: G, crews: &Crews, materials: [Material; 2]) -> OneByOne {
        OneByOne { crews: materials.map(|material| crews.get::<G>(&material)) }
    }

    fn find(
        &self,
        _: Instructions,
        known: Known<'_, G>,
        men: &Pieces,
        task: Task,
        (): &mut (),
        found: &mut Found,
    ) {
        let Task { mover, forced_only, .. } = task;
        let (mine, other) = (&self.crews[mover as usize], &self.crews[!mover as usize]);
        found.clear(mine.len(), other.len());
        let taken = men.occupied().bits();
        let stands = |set: u64, color| {
            set & taken == 0 && set != NOWHERE && G::may_stand(SquareSet::new(set), color, mover)
        };
        for (row, &my_set) in mine.sets().iter().enumerate() {
            if !stands(my_set, mover) {
                continue;
            }
            for (column, &set) in other.sets().iter().enumerate() {
                if set & my_set != 0 || !stands(set, !mover) {
                    continue;
                }
                let mut pieces = *men;
                for (color, crew, placement) in [(mover, mine, row), (!mover, other, column)] {
                    crew.put(placement, color, &mut pieces);
                }
                let position = known.own.game().assemble(&pieces, mover);
                let forced = position.captures_only();
                if forced_only && !forced {
                    continue;
                }
                let moves = position.moves();
                let exits = moves.iter().filter(|&&mv| forced || is_exit::<G>(&position, mv));
                let scores = exits.map(|&mv| known.score(&position.play(mv)));
                let best = scores.min().map(score::before_move);
                let place = row * other.len() + column;
                match forced {
                    true => found.forced[place] = best.unwrap_or(score::LOSS),
                    false => {
                        if let Some(best) = best {
                            found.with_exits();
                            found.exits[place] = best;
                        }
                    }
                }
            }
        }
    }
}

/// Whether a move is a conversion.
fn is_exit<G: Game>(position: &G::Position, mv: G::Move) -> bool {
    let men = |position: &G::Position, color| {
        G::MEN.iter().map(|&kind| position.pieces(color, kind)).collect::<SquareSet>()
    };
    let mover = position.turn();
    position.is_capture(mv)
        || !G::MEN.is_empty() && men(&position.play(mv), mover) != men(position, mover)
}
