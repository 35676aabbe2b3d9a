use super::arrays::ScratchFiles;
use super::footprint::{Footprint, MemoryOptions};
use super::frames::{Frames, Part};
use super::kernel::{Kernel, Solvable};
use super::load::load_side;
use super::lookup::FramesByMaterial;
use super::men::{flip_set, men_of};
use super::placements::{PlacementCache, Placements};
use super::results::turn;
use super::simd::Instructions;
use crate::needs::{Needs, after_one_move};
use crate::open::open_for;
use crate::{GenError, Stop};
use damka_games::{Material, Position};
use damka_probe::{Access, ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the successors of a signature take that have to be turned: the frames of all others are
/// those of the [solved signatures](SolvedSignatures) themselves.
pub(crate) fn turned_footprint<G: Indexable>(
    signature: &Signature<G>,
    options: MemoryOptions,
) -> Footprint {
    let game = signature.game();
    let turned =
        after_one_move::<G>(signature.materials()).into_iter().filter(|&[white, black]| {
            Signature::new(game, white, black).0.materials() != [white, black]
        });
    turned.map(|materials| Frames::footprint(game, materials, options)).sum()
}

/// The frames of solved signatures, in memory as long as they are needed, and
/// loaded from tables when they are not.
pub(crate) struct SolvedSignatures<'a, G> {
    game: G,
    directory: PathBuf,
    metric: Metric,
    instructions: Instructions,
    /// Where large arrays go, if not into memory.
    scratch: Option<&'a ScratchFiles>,
    placements: PlacementCache,
    kept: FramesByMaterial<G>,
    stop: &'a Stop,
}

impl<'a, G: Solvable> SolvedSignatures<'a, G> {
    /// Nothing yet. Tables of `game` are loaded from `directory`, large arrays are kept in
    /// `scratch`, if there is one.
    pub(crate) fn new(
        game: G,
        directory: &Path,
        metric: Metric,
        instructions: Instructions,
        scratch: Option<&'a ScratchFiles>,
        stop: &'a Stop,
    ) -> SolvedSignatures<'a, G> {
        SolvedSignatures {
            game,
            directory: directory.to_owned(),
            metric,
            instructions,
            scratch,
            placements: PlacementCache::default(),
            kept: FramesByMaterial::default(),
            stop,
        }
    }

    /// The placements met so far.
    pub(crate) fn placements(&self) -> &PlacementCache {
        &self.placements
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
    /// A table is missing or damaged, or it was interrupted: to load large tables takes minutes.
    pub(crate) fn successors(
        &mut self,
        signature: &Signature<G>,
    ) -> Result<FramesByMaterial<G>, GenError> {
        let mut successors = FramesByMaterial::default();
        for materials in after_one_move::<G>(signature.materials()) {
            let canonical = Signature::new(self.game, materials[0], materials[1]).0;
            let frames = self.frames(&canonical)?;
            successors.insert(match frames.materials() == materials {
                true => frames,
                false => Arc::new(self.turned(&frames)?),
            });
        }
        Ok(successors)
    }

    fn frames(&mut self, signature: &Signature<G>) -> Result<Arc<Frames<G>>, GenError> {
        let materials = signature.materials();
        if self.kept.find(&materials).is_none() {
            let successors = self.successors(signature)?;
            let frames = self.load(signature, &successors)?;
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
        open_for(&self.directory, *signature, self.metric, Access::default())
    }

    /// Loads a table, and works out the values that it does not hold.
    fn load(
        &self,
        signature: &Signature<G>,
        successors: &FramesByMaterial<G>,
    ) -> Result<Frames<G>, GenError> {
        let table = self.open(signature)?;
        let materials = signature.materials();
        let placements = materials.map(|material| self.placements.get::<G>(&material));
        let mut frames = self.empty(materials, placements, Part::All)?;
        let kernel =
            G::Kernel::new(self.game, materials, self.metric, self.instructions, &self.placements);
        for &side in signature.sides() {
            load_side(&table, side, self.metric, &kernel, successors, &mut frames, self.stop)?;
        }
        Ok(frames)
    }

    /// Frames that are still to be filled.
    fn empty(
        &self,
        materials: [Material; 2],
        placements: [Arc<Placements>; 2],
        part: Part,
    ) -> Result<Frames<G>, GenError> {
        Frames::new(self.game, self.metric, materials, placements, part, self.scratch)
    }

    /// Frames with colours exchanged.
    fn turned(&self, frames: &Frames<G>) -> Result<Frames<G>, GenError> {
        let [white, black] = frames.materials();
        let [white_placements, black_placements] = frames.placements().clone();
        let placements = [black_placements, white_placements];
        let flipped = [&placements[0], &placements[1]]
            .map(|placements: &Arc<Placements>| placements.flipped(|set| flip_set(self.game, set)));
        let part = frames.part().flipped(self.game);
        let mut turned = self.empty([black, white], placements, part)?;
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
