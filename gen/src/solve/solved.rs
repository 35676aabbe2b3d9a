use super::footprint::{Footprint, MemoryOptions};
use super::lookup::SolvedByMaterial;
use super::method::{FramesOf, Method, Setting, Solvable};
use crate::GenError;
use crate::needs::{Needs, after_one_move};
use crate::open::open_for;
use damka_probe::{Access, ProbeError, Table};
use damka_tables::Signature;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the successors of a signature take that have to be turned: the frames of all others are
/// those of the [solved signatures](SolvedSignatures) themselves.
pub(crate) fn turned_footprint<G: Solvable>(
    signature: &Signature<G>,
    options: MemoryOptions,
) -> Footprint {
    let game = signature.game();
    let turned =
        after_one_move::<G>(signature.materials()).into_iter().filter(|&[white, black]| {
            Signature::new(game, white, black).0.materials() != [white, black]
        });
    turned.map(|materials| G::Method::turned_footprint(game, materials, options)).sum()
}

/// The frames of solved signatures, in memory as long as they are needed, and
/// loaded from tables when they are not.
pub(crate) struct SolvedSignatures<'a, G: Solvable> {
    directory: PathBuf,
    setting: Setting<'a, G>,
    kept: SolvedByMaterial<FramesOf<G>>,
}

impl<'a, G: Solvable> SolvedSignatures<'a, G> {
    /// Nothing yet. Tables are loaded from `directory`.
    pub(crate) fn new(directory: &Path, setting: Setting<'a, G>) -> SolvedSignatures<'a, G> {
        let kept = SolvedByMaterial::default();
        SolvedSignatures { directory: directory.to_owned(), setting, kept }
    }

    /// What signatures are solved with.
    pub(crate) fn setting(&self) -> &Setting<'a, G> {
        &self.setting
    }

    /// Takes in a solved signature.
    pub(crate) fn insert(&mut self, signature: &Signature<G>, frames: FramesOf<G>) {
        self.kept.insert(signature.materials(), Arc::new(frames));
    }

    /// Forgets the signatures that `keep` does not want.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Signature<G>) -> bool) {
        self.kept.retain(|&[a, b]| keep(&Signature::new(self.setting.game, a, b).0));
    }

    /// Everything that one move from `signature` leads to, loaded where it is not
    /// there, for White having the first side's pieces.
    ///
    /// # Errors
    /// A table is missing or damaged, or it was interrupted: to load large tables takes minutes.
    pub(crate) fn successors(
        &mut self,
        signature: &Signature<G>,
    ) -> Result<SolvedByMaterial<FramesOf<G>>, GenError> {
        let mut successors = SolvedByMaterial::default();
        for materials in after_one_move::<G>(signature.materials()) {
            let canonical = Signature::new(self.setting.game, materials[0], materials[1]).0;
            let frames = self.frames(&canonical)?;
            let frames = match canonical.materials() == materials {
                true => frames,
                false => Arc::new(G::Method::turned(&self.setting, &frames)?),
            };
            successors.insert(materials, frames);
        }
        Ok(successors)
    }

    fn frames(&mut self, signature: &Signature<G>) -> Result<Arc<FramesOf<G>>, GenError> {
        let materials = signature.materials();
        if self.kept.find(&materials).is_none() {
            let successors = self.successors(signature)?;
            let table = self.open(signature)?;
            let frames = G::Method::load(&self.setting, &table, &successors)?;
            self.insert(signature, frames);
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
        open_for(&self.directory, *signature, self.setting.metric, Access::default())
    }
}
