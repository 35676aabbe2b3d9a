use super::by_material::SolvedByMaterial;
use super::footprint::{Footprint, MemoryOptions};
use super::method::{FramesOf, Loading, Method, Setting, Solvable};
use crate::GenError;
use crate::needs::{Needs, after_one_move};
use crate::open::open_for;
use crate::plan::Users;
use damka_probe::{Access, ProbeError, Table};
use damka_tables::Signature;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory for the successors of a signature that need colours exchanged. All other successors share
/// the frames of the [solved signatures](SolvedSignatures).
pub(crate) fn turned_footprint<G: Solvable>(
    signature: &Signature<G>,
    options: MemoryOptions,
) -> Footprint {
    let game = signature.game();
    let turned =
        after_one_move::<G>(signature.materials()).into_iter().filter(|&[white, black]| {
            Signature::new(game, white, black).0.materials() != [white, black]
        });
    turned
        .map(|materials| G::Method::turned_footprint(game, materials, &[*signature], options))
        .sum()
}

/// The frames of solved signatures. Kept in memory as long as they are needed, and loaded from
/// tables when missing.
pub(crate) struct SolvedSignatures<'a, G: Solvable> {
    directory: PathBuf,
    setting: Setting<'a, G>,
    users: Users<G>,
    kept: SolvedByMaterial<FramesOf<G>>,
}

impl<'a, G: Solvable> SolvedSignatures<'a, G> {
    /// Starts empty, before the first stage. Tables are loaded from `directory`.
    pub(crate) fn new(directory: &Path, setting: Setting<'a, G>) -> SolvedSignatures<'a, G> {
        let (users, kept) = Default::default();
        SolvedSignatures { directory: directory.to_owned(), setting, users, kept }
    }

    /// Begins a stage: drops everything. Only the parts of frames that `users` read will be kept.
    pub(crate) fn begin(&mut self, users: Users<G>) {
        self.users = users;
        self.kept = SolvedByMaterial::default();
    }

    /// The settings of the run.
    pub(crate) fn setting(&self) -> &Setting<'a, G> {
        &self.setting
    }

    /// Adds the frames of a solved signature.
    pub(crate) fn insert(&mut self, signature: &Signature<G>, frames: FramesOf<G>) {
        self.kept.insert(signature.materials(), Arc::new(frames));
    }

    /// The signatures that use `signature` in the job with number `job` or later.
    pub(crate) fn users(&self, signature: &Signature<G>, job: usize) -> Vec<Signature<G>> {
        self.users.from(signature, job)
    }

    /// Drops everything that no job with number `job` or later uses.
    ///
    /// # Errors
    /// Fails if memory runs out.
    pub(crate) fn retain(&mut self, job: usize) -> Result<(), GenError> {
        let SolvedSignatures { users, setting, kept, .. } = self;
        let mut result = Ok(());
        kept.retain(|&[a, b], frames| {
            let signature = Signature::new(setting.game, a, b).0;
            let is_used = users.last(&signature).is_some_and(|last| last >= job);
            if let (true, true, Some(frames)) = (is_used, result.is_ok(), Arc::get_mut(frames)) {
                let users = users.from(&signature, job);
                result = G::Method::prune(setting, frames, [a, b], &users);
            }
            is_used
        });
        result
    }

    /// The frames of all materials that one move from `signature` leads to, where White has the
    /// first side's pieces. Loads what is missing. `job` is the number of the job that needs them.
    ///
    /// # Errors
    /// Fails if a table is missing or damaged, or if the run is interrupted: loading large tables
    /// takes minutes.
    pub(crate) fn successors(
        &mut self,
        signature: &Signature<G>,
        job: usize,
    ) -> Result<SolvedByMaterial<FramesOf<G>>, GenError> {
        let mut successors = SolvedByMaterial::default();
        for materials in after_one_move::<G>(signature.materials()) {
            let canonical = Signature::new(self.setting.game, materials[0], materials[1]).0;
            let frames = self.frames(&canonical, job)?;
            let frames = match canonical.materials() == materials {
                true => frames,
                false => Arc::new(G::Method::turned(&self.setting, &frames, &[*signature])?),
            };
            successors.insert(materials, frames);
        }
        Ok(successors)
    }

    fn frames(
        &mut self,
        signature: &Signature<G>,
        job: usize,
    ) -> Result<Arc<FramesOf<G>>, GenError> {
        let materials = signature.materials();
        if self.kept.find(&materials).is_none() {
            let Some(Loading { load, .. }) = G::Method::LOADING else {
                unreachable!("{signature} is solved before it is needed")
            };
            let successors = self.successors(signature, job)?;
            let users = self.users(signature, job);
            let frames = load(&self.setting, &self.open(signature)?, &successors, &users)?;
            self.insert(signature, frames);
        }
        match self.kept.find(&materials) {
            Some(frames) => Ok(Arc::clone(frames)),
            None => unreachable!("it has just been put there"),
        }
    }

    /// A digest of all tables that a signature leads to; differs if any value in them differs.
    ///
    /// # Errors
    /// Fails if a table is missing or damaged.
    pub(crate) fn origin(&self, signature: &Signature<G>) -> Result<String, GenError> {
        let mut hasher = blake3::Hasher::new();
        for needed in Needs::new(&[*signature]).of(signature) {
            hasher.update(self.open(needed)?.header().digest());
        }
        Ok(hasher.finalize().to_string())
    }

    /// Opens the table from which a signature is loaded.
    fn open(&self, signature: &Signature<G>) -> Result<Table<G>, ProbeError> {
        open_for(&self.directory, *signature, self.setting.metric, Access::default())
    }
}
