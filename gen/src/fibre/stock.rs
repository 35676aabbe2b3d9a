use super::cells::Scratch;
use super::crew::Crew;
use super::exits::{Crews, Exits, Found, Known, Solvable, Task};
use super::frames::{Frames, Part, Shelf};
use super::men::{flip_set, men_of};
use super::results::{Packer, Solved, turn};
use super::score::{self, NONE};
use super::simd::Instructions;
use crate::GenError;
use crate::needs::Needs;
use crate::room::with_capacity;
use damka_games::{Color, Game, Material, Position};
use damka_probe::{ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Signature, Value};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The frames of solved signatures, in memory as long as they are needed, and
/// loaded from tables when they are not.
pub(crate) struct Stock<'a, G> {
    game: G,
    directory: PathBuf,
    metric: Metric,
    instructions: Instructions,
    /// Where large arrays go, if not into memory.
    scratch: Option<&'a Scratch>,
    crews: Crews,
    kept: Shelf<G>,
}

impl<'a, G: Solvable> Stock<'a, G> {
    /// An empty stock that loads tables of `game` from `directory` and keeps large arrays in
    /// `scratch`, if not in memory.
    pub(crate) fn new(
        game: G,
        directory: &Path,
        metric: Metric,
        instructions: Instructions,
        scratch: Option<&'a Scratch>,
    ) -> Stock<'a, G> {
        Stock {
            game,
            directory: directory.to_owned(),
            metric,
            instructions,
            scratch,
            crews: Crews::default(),
            kept: Shelf::default(),
        }
    }

    /// The crews met so far.
    pub(crate) fn crews(&self) -> &Crews {
        &self.crews
    }

    /// Takes in a solved signature.
    pub(crate) fn insert(&mut self, frames: Frames<G>) {
        self.kept.insert(Arc::new(frames));
    }

    /// Forgets the signatures that `keep` does not want.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Signature<G>) -> bool) {
        self.kept.retain(|&[a, b]| keep(&Signature::new(self.game, a, b).0));
    }

    /// Everything that one move from `signature` leads to, loaded where it is not
    /// there, for White having the first side's pieces.
    ///
    /// # Errors
    /// A table is missing or damaged.
    pub(crate) fn shelf(&mut self, signature: &Signature<G>) -> Result<Shelf<G>, GenError> {
        let mut shelf = Shelf::default();
        for materials in successors::<G>(signature.materials()) {
            let canonical = Signature::new(self.game, materials[0], materials[1]).0;
            let frames = self.frames(&canonical)?;
            shelf.insert(match frames.materials() == materials {
                true => frames,
                false => Arc::new(self.turned(&frames)?),
            });
        }
        Ok(shelf)
    }

    fn frames(&mut self, signature: &Signature<G>) -> Result<Arc<Frames<G>>, GenError> {
        let materials = signature.materials();
        if self.kept.find(&materials).is_none() {
            let shelf = self.shelf(signature)?;
            let frames = self.load(signature, &shelf)?;
            self.insert(frames);
        }
        match self.kept.find(&materials) {
            Some(frames) => Ok(Arc::clone(frames)),
            None => unreachable!("it has just been put there"),
        }
    }

    /// A digest of all tables that a signature leads to: another one if any value is another.
    ///
    /// # Errors
    /// A table is missing or damaged.
    pub(crate) fn origin(&self, signature: &Signature<G>) -> Result<String, GenError> {
        let mut hasher = blake3::Hasher::new();
        for needed in Needs::new(&[*signature]).of(signature) {
            hasher.update(self.open(needed)?.header().digest());
        }
        Ok(hasher.finalize().to_string())
    }

    /// Opens the table that is loaded of a signature.
    fn open(&self, signature: &Signature<G>) -> Result<Table<G>, ProbeError> {
        let open = |metric| Table::open(&self.directory, *signature, metric);
        match (open(self.metric), self.metric.fallback()) {
            (Err(error), Some(other)) if error.is_missing() => open(other).map_err(|_| error),
            (table, _) => table,
        }
    }

    /// Loads a table, and works out the values that it does not hold.
    fn load(&self, signature: &Signature<G>, shelf: &Shelf<G>) -> Result<Frames<G>, GenError> {
        let table = self.open(signature)?;
        let materials = signature.materials();
        let crews = materials.map(|material| self.crews.get::<G>(&material));
        let mut frames = self.empty(materials, crews, Part::All)?;
        let exits = G::Exits::new(self.game, &self.crews, materials);
        for &side in signature.sides() {
            let (stock, table, exits, frames) = (self, &table, &exits, &mut frames);
            let half = Half { stock, table, mover: side.color(), shelf, exits, frames };
            half.load()?;
        }
        Ok(frames)
    }

    /// Frames that are still to be filled.
    fn empty(
        &self,
        materials: [Material; 2],
        crews: [Arc<Crew>; 2],
        part: Part,
    ) -> Result<Frames<G>, GenError> {
        Frames::new(self.game, self.metric, materials, crews, part, self.scratch)
    }

    /// Frames with colours exchanged.
    fn turned(&self, frames: &Frames<G>) -> Result<Frames<G>, GenError> {
        let [white, black] = frames.materials();
        let [white_crew, black_crew] = frames.crews().clone();
        let crews = [black_crew, white_crew];
        let flipped = [&crews[0], &crews[1]]
            .map(|crew: &Arc<Crew>| crew.flipped(|set| flip_set(self.game, set)));
        let part = frames.part().flipped(self.game);
        let mut turned = self.empty([black, white], crews, part)?;
        turned.fill(|mover, men| {
            let old = frames.frame_of(&men_of::<G>(&men.flip()), !mover);
            let (rows, columns) = (&flipped[!mover as usize], &flipped[mover as usize]);
            let mut buffer = Vec::new();
            let mut scores = Vec::with_capacity(rows.len() * columns.len());
            for row in 0..rows.len() {
                scores.extend_from_slice(old.row(row, &mut buffer));
            }
            turn(&scores, rows, columns)
        });
        Ok(turned)
    }
}

/// One side to move of a table that is loaded.
struct Half<'a, G: Solvable> {
    stock: &'a Stock<'a, G>,
    table: &'a Table<G>,
    mover: Color,
    shelf: &'a Shelf<G>,
    exits: &'a G::Exits,
    frames: &'a mut Frames<G>,
}

impl<G: Solvable> Half<'_, G> {
    /// Fills in the frames.
    fn load(self) -> Result<(), GenError> {
        let Half { stock, table, mover, shelf, exits, frames } = self;
        /// How many fibres are worked on at a time.
        const ROUND: u64 = 1 << 10;
        let signature = *table.signature();
        let materials = signature.materials();
        let is_mirror = materials[0] == materials[1];
        let crews = frames.crews().clone();
        let packer = Packer::new(signature.game(), stock.metric, materials, &crews);
        let places = &packer.places[mover as usize];
        let side = signature.sides()[(mover as usize).min(signature.sides().len() - 1)];
        let summaries = signature.sides().iter().map(|&side| table.header().summary(side));
        let longest = summaries.flat_map(|s| [s.longest_win, s.longest_loss]).flatten();
        if longest.map(|longest| longest.plies).max() > Some(score::LONGEST) {
            let signature = signature.to_string();
            return Err(GenError::TooLong { signature, longest: score::LONGEST });
        }
        let mut stored: Vec<u8> = with_capacity(places.index.len() as usize)?;
        table.read_values(side, |values| {
            // What is no meaningful value may be too long for a score.
            let score = |&value: &Value| score::of(value.under(stock.metric));
            stored.extend(values.iter().map(|value| score(value).unwrap_or(score::DRAW)));
        })?;

        let len = places.index.len() / frames.fibres().len();
        let fibres = frames.fibres().len();
        for start in (0..fibres).step_by(ROUND as usize) {
            let known = Known { shelf, own: &*frames };
            let round: Vec<u64> = (start..(start + ROUND).min(fibres)).collect();
            let loaded: Vec<Solved> = round
                .par_iter()
                .map(|&fibre| {
                    let men = men_of::<G>(&known.own.fibres().position(fibre));
                    let mut found = Found::default();
                    let mut scratch = Default::default();
                    let task = Task { mover, forced_only: true, parallel: false };
                    exits.find(stock.instructions, known, &men, task, &mut scratch, &mut found);
                    let [mine, other] = [&crews[mover as usize], &crews[!mover as usize]];
                    let mut forced = vec![NONE; mine.len() * other.len()];
                    super::quiet::transpose(&found.forced, other.len(), &mut forced, mine.len());
                    let mut scores = vec![score::DRAW; forced.len()];
                    if places.is_folded() {
                        places.unfold(&stored, &forced, &mut scores);
                    } else {
                        let run = &stored[(places.fibre(&men) * len) as usize..][..len as usize];
                        places.fill(&men, run, &forced, &mut scores);
                    }
                    if stock.metric == Metric::Wdl {
                        for score in &mut scores {
                            *score = score::without_distance(*score);
                        }
                    }
                    let mut solved = Solved::default();
                    let fibre = packer.fibre(fibre, &men);
                    packer.add_frame(mover, &fibre, &scores, is_mirror, &mut solved);
                    solved
                })
                .collect();
            loaded.iter().for_each(|solved| solved.put_frames(frames));
        }
        Ok(())
    }
}

/// The materials, White's and Black's, that one move leads to from `sides`, with
/// whichever side to move: a capture may take several pieces, and promote.
pub(crate) fn successors<G: Game>(sides: [Material; 2]) -> Vec<[Material; 2]> {
    let mut all = Vec::new();
    for mover in 0..2 {
        let mut after = vec![sides[mover]];
        let promotions = G::PROMOTIONS.iter();
        after.extend(
            promotions.filter_map(|&(from, to)| Some(sides[mover].without(from)?.with(to))),
        );
        let mut left = vec![sides[1 - mover]];
        let mut next = 0;
        while let Some(&material) = left.get(next) {
            for less in G::kinds().filter_map(|kind| material.without(kind)) {
                if less.total() > 0 && !left.contains(&less) {
                    left.push(less);
                }
            }
            next += 1;
        }
        for mine in &after {
            for other in &left {
                let mut pair = [*mine, *other];
                if mover == 1 {
                    pair.reverse();
                }
                if pair != sides && !all.contains(&pair) {
                    all.push(pair);
                }
            }
        }
    }
    all
}
