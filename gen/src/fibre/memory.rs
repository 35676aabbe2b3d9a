//! What the solver has in memory, worked out before anything is done.

use super::cells;
use super::draughts::PARTS;
use super::frames::row_bytes;
use super::solver::{batch_fibres, is_large, round_batches, share_out};
use super::stock::successors;
use damka_games::Material;
use damka_tables::combinatorics::choose;
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Signature};
use std::iter::Sum;
use std::ops::{Add, Sub};

/// The number of placements of the crew of `material`.
fn placements<G: Indexable>(material: &Material) -> u64 {
    let kinds = G::kinds().filter(|kind| !G::MEN.contains(kind));
    kinds.map(|kind| choose(G::SQUARES.into(), material[kind].into())).product()
}

/// Bytes in memory and in scratch files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) memory: u64,
    pub(crate) scratch: u64,
}

impl Room {
    /// An array; `spill` says whether large ones are kept in scratch files.
    fn array(bytes: u64, spill: bool) -> Room {
        match spill && bytes >= cells::LEAST {
            true => Room { memory: 0, scratch: bytes },
            false => Room { memory: bytes, scratch: 0 },
        }
    }
}

impl Add for Room {
    type Output = Room;

    fn add(self, other: Room) -> Room {
        Room { memory: self.memory + other.memory, scratch: self.scratch + other.scratch }
    }
}

impl Sub for Room {
    type Output = Room;

    fn sub(self, other: Room) -> Room {
        Room { memory: self.memory - other.memory, scratch: self.scratch - other.scratch }
    }
}

impl Sum for Room {
    fn sum<I: Iterator<Item = Room>>(rooms: I) -> Room {
        rooms.fold(Room::default(), Room::add)
    }
}

/// How the solver is to work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) metric: Metric,
    pub(crate) threads: usize,
    /// Large arrays are kept in scratch files.
    pub(crate) spill: bool,
}

impl Manner {
    /// What is always there, in bytes: the program, what a thread compresses with, and
    /// blocks that are being written.
    pub(crate) fn fixed(self, positions: u64) -> u64 {
        const PROGRAM: u64 = 12 << 20;
        const THREAD: u64 = 1 << 20;
        const BLOCKS: u64 = 36 << 20;
        PROGRAM + self.threads as u64 * THREAD + BLOCKS.min(4 * positions)
    }

    /// The frames of some materials.
    fn pair<G: Indexable>(self, game: G, materials: [Material; 2]) -> Room {
        let fibres = Index::fibres(game, materials[0], materials[1]).len();
        let placements = materials.map(|material| placements::<G>(&material));
        let half = |turn: usize| {
            let row = row_bytes(self.metric, placements[turn] as usize) as u64;
            Room::array(fibres * placements[1 - turn] * row, self.spill)
        };
        half(0) + half(1)
    }

    /// The frames of a signature.
    pub(crate) fn frames<G: Indexable>(self, signature: &Signature<G>) -> Room {
        self.pair(signature.game(), signature.materials())
    }

    /// What loading the table of a signature takes besides its frames, in bytes: its
    /// values in order, and for each thread what captures are worth, twice, which
    /// values are forced, and the scores of a fibre.
    pub(crate) fn loading<G: Indexable>(self, signature: &Signature<G>, positions: u64) -> u64 {
        let (game, materials) = (signature.game(), signature.materials());
        let fibres = Index::fibres(game, materials[0], materials[1]).len();
        let frame: u64 = materials.iter().map(placements::<G>).product();
        positions + 5 * frame * fibres.min(self.threads as u64)
    }

    /// What solving a signature takes, besides the frames that it leads to: those of
    /// them that have to be turned, its own frames, its values in order, and what
    /// each thread works with.
    pub(crate) fn solving<G: Indexable>(self, signature: &Signature<G>, positions: u64) -> Room {
        let (game, materials) = (signature.game(), signature.materials());
        let turned = successors::<G>(materials).into_iter().filter(|&[white, black]| {
            Signature::new(game, white, black).0.materials() != [white, black]
        });
        let turned: Room = turned.map(|materials| self.pair(game, materials)).sum();
        let sides = signature.sides().len() as u64;
        let values = match self.metric {
            Metric::Wdl => positions / 4,
            Metric::Dtw => positions,
        };
        let values = Room::array(values / sides, self.spill);
        let values: Room = (0..sides).map(|_| values).sum();

        let crews = materials.map(|material| placements::<G>(&material) as usize);
        let frame = crews[0] * crews[1];
        let fibres = Index::fibres(game, materials[0], materials[1]).len() as usize;
        let has_men = materials.iter().any(|side| G::MEN.iter().any(|&kind| side[kind] > 0));
        let most = batch_fibres(crews);
        let batch = share_out(fibres, most).min(fibres);
        let at_once = self.threads.min(fibres.div_ceil(batch));
        // Of each half scores, forced values and four rows of bits; what captures are
        // worth, before and after the move.
        let mut copies = 2.0 * 2.6 + 2.0;
        if has_men {
            // Of each half, and of what is found, the exits of positions that are not
            // forced; values in order, all and stored.
            copies += 2.0 + 1.0 + 2.0;
        }
        if batch > 1 {
            // Scores and forced values of one fibre.
            copies += 2.0;
        }
        let (workspaces, round) = match is_large(frame, !has_men) {
            true => (copies + (self.threads.min(PARTS) - 1) as f64, 1),
            false => (copies * at_once as f64, round_batches(most * frame)),
        };
        let workspaces = workspaces * (batch * frame) as f64;
        // The results of a round: frames of both sides to move, those of mirror images,
        // and values.
        let packed = match self.metric {
            Metric::Wdl => 0.5,
            Metric::Dtw => 2.0,
        };
        let mirror = if sides == 1 && has_men { 2.0 } else { 1.0 };
        let values_of_round = if has_men { 1.0 } else { 0.0 };
        let of_round = (round * batch).min(fibres) * frame;
        let results = of_round as f64 * packed * (mirror + values_of_round);
        // Sets, squares taken and left, moves, and what placements become with a king
        // more.
        let crews = crews.iter().sum::<usize>() as u64 * 640;
        let order = fibres as u64 * 8;
        let memory = (workspaces + results) as u64 + crews + order;
        turned + self.frames(signature) + values + Room { memory, scratch: 0 }
    }
}
