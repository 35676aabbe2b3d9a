use super::by_material::SolvedByMaterial;
use super::footprint::{Footprint, MemoryOptions};
use super::method::{Context, Demand, DemandOf, FramesOf, Loading, Method, Setting, Solvable};
use super::part::Part;
use crate::manifest::Digests;
use crate::needs::direct_successors;
use crate::needs::{Needs, after_one_move};
use crate::open::open_for;
use crate::profile::Profile;
use crate::seed_file::{self, SeedHead, seed_path};
use crate::seed_scores::{SeedError, SeedReader};
use crate::users::{Inputs, Users};
use crate::{Event, GenError, Progress};
use damka_probe::{Access, ProbeError, Table};
use damka_tables::Signature;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory for those successors of a signature whose colours must be exchanged. All others share the
/// frames of the [solved signatures](SolvedSignatures).
pub(crate) fn exchanged_footprint<G: Solvable>(
    signature: &Signature<G>,
    options: MemoryOptions,
) -> Footprint {
    let game = signature.game();
    let exchanged =
        after_one_move::<G>(signature.materials()).into_iter().filter(|&[white, black]| {
            Signature::new(game, white, black).0.materials() != [white, black]
        });
    exchanged
        .map(|materials| G::Method::exchanged_footprint(game, materials, &[*signature], options))
        .sum()
}

/// The frames of solved signatures. They stay in memory as long as they are needed; missing frames are
/// restored from seed files or loaded from tables.
pub(crate) struct SolvedSignatures<'a, G: Solvable> {
    /// The directories with tables and seed files, in the order in which they are searched.
    directories: Vec<PathBuf>,
    setting: Setting<'a, G>,
    progress: &'a dyn Progress,
    users: Users<G>,
    kept: SolvedByMaterial<FramesOf<G>>,
    /// Seed files that could not be used. They are not tried again.
    refused: BTreeSet<PathBuf>,
}

impl<'a, G: Solvable> SolvedSignatures<'a, G> {
    /// Starts empty, before the first stage.
    pub(crate) fn new(
        directories: &[&Path],
        setting: Setting<'a, G>,
        progress: &'a dyn Progress,
    ) -> SolvedSignatures<'a, G> {
        let directories = directories.iter().copied().map(Path::to_owned).collect();
        let (users, kept, refused) = Default::default();
        SolvedSignatures { directories, setting, progress, users, kept, refused }
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
    /// first side's pieces. `job` is the number of the job that needs them.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged, or if the run is interrupted: loading large
    /// tables takes minutes.
    pub(crate) fn successors(
        &mut self,
        signature: &Signature<G>,
        job: usize,
    ) -> Result<SolvedByMaterial<FramesOf<G>>, GenError> {
        let mut successors = SolvedByMaterial::default();
        for materials in after_one_move::<G>(signature.materials()) {
            let canonical = Signature::new(self.setting.game, materials[0], materials[1]).0;
            let Some(frames) = self.frames(&canonical, job)? else {
                // Without this seed file tables are loaded. That may require scores that the frames
                // restored from other seed files lack.
                self.users.read_tables();
                self.kept = SolvedByMaterial::default();
                return self.successors(signature, job);
            };
            let frames = match canonical.materials() == materials {
                true => frames,
                false => Arc::new(G::Method::exchanged(&self.setting, &frames, &[*signature])?),
            };
            successors.insert(materials, frames);
        }
        Ok(successors)
    }

    /// The frames of a signature; `None` if they may only come from a seed file and none can be used.
    fn frames(
        &mut self,
        signature: &Signature<G>,
        job: usize,
    ) -> Result<Option<Arc<FramesOf<G>>>, GenError> {
        let materials = signature.materials();
        if self.kept.find(&materials).is_none() {
            let frames = match (self.restored(signature, job)?, self.users.inputs()) {
                (Some(frames), _) => frames,
                (None, Inputs::Seeds) => return Ok(None),
                (None, Inputs::Tables) => self.remake_frames(signature, job)?,
            };
            self.insert(signature, frames);
        }
        match self.kept.find(&materials) {
            Some(frames) => Ok(Some(Arc::clone(frames))),
            None => unreachable!("it has just been put there"),
        }
    }

    /// The frames of a signature from its seed file; `None` if there is none that can be used.
    fn restored(
        &mut self,
        signature: &Signature<G>,
        job: usize,
    ) -> Result<Option<FramesOf<G>>, GenError> {
        let (setting, materials) = (&self.setting, signature.materials());
        let demand = G::Method::demand(materials, &self.users.from(signature, job));
        for directory in &self.directories {
            let path = seed_path(directory, signature, setting.metric);
            if self.refused.contains(&path) {
                continue;
            }
            let take = |head: SeedHead<DemandOf<G>>, seed: &mut SeedReader<'_>| {
                let table = self.open(signature).map(|table| table.header().digest_hex());
                if table.is_ok_and(|digest| digest != head.table) {
                    return Err(SeedError::Unusable("it was made from another table"));
                }
                if !head.held.covers(&demand) {
                    return Err(SeedError::TooLittle);
                }
                G::Method::restore(setting, materials, &head.held, &demand, seed)
            };
            match seed_file::read(directory, signature, setting.metric, take) {
                Ok(frames) => return Ok(Some(frames)),
                Err(SeedError::Gen(error)) => return Err(error),
                Err(SeedError::TooLittle) => {}
                Err(error) if error.is_missing() => {}
                Err(error) => {
                    let message = format!("the seed file of {signature} cannot be used: {error}");
                    self.refused.insert(path.clone());
                    self.progress.event(Event::SeedDropped { path, message });
                }
            }
        }
        Ok(None)
    }

    /// Makes the frames of a signature that is not solved in this stage: from its table and the
    /// frames of what it leads to or, if tables cannot be loaded, by solving it again from those
    /// frames. `job` is the number of the job that needs them.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged, or if the run is interrupted.
    pub(crate) fn remake_frames(
        &mut self,
        signature: &Signature<G>,
        job: usize,
    ) -> Result<FramesOf<G>, GenError> {
        let successors = self.successors(signature, job)?;
        let users = self.users(signature, job);
        if let Some(Loading { load, .. }) = G::Method::LOADING {
            return load(&self.setting, &self.open(signature)?, &successors, &users);
        }
        let context = Context {
            setting: &self.setting,
            successors: &successors,
            users: &users,
            journal: None,
            part: Part::All,
            profile: &Profile::default(),
            on_progress: &|_| {},
        };
        Ok(G::Method::solve(*signature, &context)?.1)
    }

    /// A digest of the tables that the values of a signature depend on: differs if any value in them
    /// differs.
    ///
    /// # Errors
    /// Fails if a table is missing or damaged.
    pub(crate) fn origin(&self, signature: &Signature<G>) -> Result<String, GenError> {
        let mut hasher = blake3::Hasher::new();
        match self.users.inputs() {
            // Values that a table does not store depend on the tables that its signature leads to.
            Inputs::Tables => {
                for needed in Needs::new(&[*signature]).of(signature) {
                    hasher.update(self.open(needed)?.header().digest());
                }
            }
            Inputs::Seeds => {
                for digest in self.inputs(signature)?.values() {
                    hasher.update(digest.as_bytes());
                }
            }
        }
        Ok(hasher.finalize().to_string())
    }

    /// The digests of the tables whose values are looked up for a signature, by their signatures.
    ///
    /// # Errors
    /// Fails if one is missing or damaged.
    pub(crate) fn inputs(&self, signature: &Signature<G>) -> Result<Digests, GenError> {
        let digest = |needed: Signature<G>| {
            let seeds = self.directories.iter().filter_map(|directory| {
                seed_file::read_head::<G, DemandOf<G>>(directory, &needed, self.setting.metric).ok()
            });
            let digest = match self.open(&needed) {
                Ok(table) => table.header().digest_hex(),
                Err(error) => seeds.map(|head| head.table).next().ok_or(error)?,
            };
            Ok((needed.to_string(), digest))
        };
        direct_successors(signature).into_iter().map(digest).collect()
    }

    /// Opens the table from which a signature is loaded.
    fn open(&self, signature: &Signature<G>) -> Result<Table<G>, ProbeError> {
        let [first, others @ ..] = &self.directories[..] else {
            unreachable!("there is a directory")
        };
        let metric = self.setting.metric;
        let open = |directory: &PathBuf| open_for(directory, *signature, metric, Access::default());
        others.iter().fold(open(first), |found, directory| match found {
            Err(error) if error.is_missing() => match open(directory) {
                Err(other) if other.is_missing() => Err(error),
                found => found,
            },
            found => found,
        })
    }
}
