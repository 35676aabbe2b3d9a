//! The users of each signature's frames, and how long frames are kept.

use crate::job::Job;
use crate::needs::{Needs, direct_successors};
use crate::solve::{Footprint, MemoryOptions, Method, Solvable};
use damka_tables::Signature;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The signatures in other processes that look up a signature's values.
#[derive(Debug)]
pub(crate) enum OutsideUsers<G> {
    /// None: this process does all work.
    None,
    /// For each signature, the signatures of a set that lead to it by one move.
    Set(HashMap<Signature<G>, Vec<Signature<G>>>),
    /// Any signature that leads to it by one capture. Two signatures represent all of these, because
    /// they look up everything: one with an additional white piece, one with an additional black one.
    Any,
}

impl<G: Solvable> OutsideUsers<G> {
    /// The users among a set of signatures and everything that these lead to.
    pub(crate) fn in_set(needs: &Needs<G>) -> OutsideUsers<G> {
        let mut users: HashMap<_, Vec<_>> = HashMap::new();
        for signature in needs.in_order() {
            for needed in direct_successors(&signature) {
                users.entry(needed).or_default().push(signature);
            }
        }
        OutsideUsers::Set(users)
    }

    /// Where frames not solved by this process come from.
    pub(crate) fn inputs(&self) -> Inputs {
        match self {
            OutsideUsers::None if G::Method::LOADING.is_some() => Inputs::Tables,
            _ => Inputs::Seeds,
        }
    }

    /// The signatures that look up values of this one.
    pub(crate) fn of(&self, signature: &Signature<G>) -> Vec<Signature<G>> {
        match self {
            OutsideUsers::None => Vec::new(),
            OutsideUsers::Set(users) => users.get(signature).cloned().unwrap_or_default(),
            OutsideUsers::Any => {
                let [white, black] = signature.materials();
                let captured = G::kinds().find(|&kind| Some(kind) != G::ROYAL);
                let before = captured.map(|kind| {
                    [[white.with(kind), black], [white, black.with(kind)]]
                        .map(|[a, b]| Signature::new(signature.game(), a, b).0)
                });
                before.into_iter().flatten().collect()
            }
        }
    }
}

/// Where frames not solved by a stage come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    /// From seed files if these hold enough, otherwise from tables. Loading a table requires the
    /// frames of the signatures that it leads to, recursively.
    Tables,
    /// From seed files alone.
    Seeds,
}

/// For each required signature, the signatures of a stage that lead to it. They determine which
/// parts of its frames are kept while others are solved.
#[derive(Debug)]
pub(crate) struct Users<G> {
    /// The jobs that use a signature, in ascending order of their numbers.
    jobs: HashMap<Signature<G>, Vec<(usize, Signature<G>)>>,
    /// The users of a signature that the stage does not solve, but may have to load from tables.
    present: HashMap<Signature<G>, Vec<Signature<G>>>,
    /// The signatures that the stage solves, each with its users in other processes.
    scheduled: HashMap<Signature<G>, Vec<Signature<G>>>,
    inputs: Inputs,
    /// The number of the last job of the stage.
    last: usize,
}

impl<G> Default for Users<G> {
    fn default() -> Users<G> {
        let (jobs, present, scheduled) = Default::default();
        Users { jobs, present, scheduled, inputs: Inputs::Tables, last: 0 }
    }
}

impl<G: Solvable> Users<G> {
    /// The users in a stage, which is a range of `jobs`, and in other processes (`elsewhere`).
    pub(crate) fn new(
        jobs: &[Job<G>],
        stage: &Range<usize>,
        inputs: Inputs,
        elsewhere: &OutsideUsers<G>,
    ) -> Users<G> {
        let (first, jobs) = (stage.start, &jobs[stage.clone()]);
        let scheduled = jobs.iter().map(|job| (job.signature, elsewhere.of(&job.signature)));
        let (scheduled, last) = (scheduled.collect(), stage.end.saturating_sub(1));
        let mut users = Users { scheduled, inputs, last, ..Users::default() };
        for (number, job) in (first..).zip(jobs) {
            for needed in &job.needs {
                users.jobs.entry(*needed).or_default().push((number, job.signature));
            }
        }
        if inputs == Inputs::Tables {
            users.read_tables();
        }
        users
    }

    /// From now on loads frames from tables where needed. This requires the frames of further
    /// signatures.
    pub(crate) fn read_tables(&mut self) {
        self.inputs = Inputs::Tables;
        // Everything that the stage leads to, each once.
        let mut seen: BTreeSet<Signature<G>> = self.scheduled.keys().copied().collect();
        let mut next: Vec<Signature<G>> = self.jobs.keys().copied().collect();
        next.retain(|signature| seen.insert(*signature));
        while let Some(present) = next.pop() {
            for needed in direct_successors(&present) {
                if seen.insert(needed) {
                    next.push(needed);
                }
                self.present.entry(needed).or_default().push(present);
            }
        }
    }

    /// Where frames not solved by the stage come from.
    pub(crate) fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// The number of the last job for which a signature's frames are kept.
    pub(crate) fn last(&self, signature: &Signature<G>) -> Option<usize> {
        // A signature that the stage solves is kept to its end, because signatures that are loaded
        // later may use it.
        if self.scheduled.contains_key(signature) && self.present.contains_key(signature) {
            return Some(self.last);
        }
        Some(self.jobs.get(signature)?.last()?.0)
    }

    /// The users of a signature: the jobs with this number or later, the signatures that may be
    /// loaded for them, and those in other processes.
    pub(crate) fn from(&self, signature: &Signature<G>, job: usize) -> Vec<Signature<G>> {
        let jobs = self.jobs.get(signature).into_iter().flatten();
        let jobs = jobs.filter(|(number, _)| *number >= job).map(|&(_, user)| user);
        let others = [&self.present, &self.scheduled].map(|users| users.get(signature));
        jobs.chain(others.into_iter().flatten().flatten().copied()).collect()
    }
}

/// The memory of the frames that are kept from one job to the next. There may be thousands of frames,
/// so the sum is updated only for those that are added, changed or dropped.
pub(crate) struct KeptFrames<G> {
    options: MemoryOptions,
    pub(crate) users: Users<G>,
    footprints: HashMap<Signature<G>, Footprint>,
    /// For each job, the signatures that are no longer needed after it.
    released_after: Vec<Vec<Signature<G>>>,
    /// The sum of all footprints.
    pub(crate) sum: Footprint,
}

impl<G: Solvable> KeptFrames<G> {
    /// Starts without frames, before the first stage. `jobs` is the number of jobs in all stages.
    pub(crate) fn new(jobs: usize, options: MemoryOptions) -> KeptFrames<G> {
        let (users, footprints, sum) = Default::default();
        KeptFrames { options, users, footprints, released_after: vec![Vec::new(); jobs], sum }
    }

    /// Begins a stage. No frames are kept from the preceding one.
    pub(crate) fn begin(&mut self, users: Users<G>) {
        self.users = users;
        self.footprints.clear();
        self.sum = Footprint::default();
    }

    /// Memory for the parts of a signature's frames that the job with this number and later ones
    /// use.
    fn footprint(&self, signature: &Signature<G>, job: usize) -> Footprint {
        let users = self.users.from(signature, job);
        G::Method::frames_footprint(signature.game(), signature.materials(), &users, self.options)
    }

    /// Adds the frames of a signature, kept from the job with this number on. Returns false if they
    /// were already kept.
    pub(crate) fn add(&mut self, signature: Signature<G>, job: usize) -> bool {
        if self.footprints.contains_key(&signature) {
            return false;
        }
        let footprint = self.footprint(&signature, job);
        self.footprints.insert(signature, footprint);
        self.sum = self.sum + footprint;
        let last = self.users.last(&signature).map_or(job, |last| last.max(job));
        self.released_after[last].push(signature);
        true
    }

    /// Subtracts the frames that no job later than number `job` uses. `needed` are the signatures that
    /// this job leads to.
    pub(crate) fn release(&mut self, job: usize, needed: &BTreeSet<Signature<G>>) {
        for signature in std::mem::take(&mut self.released_after[job]) {
            let footprint = self.footprints.remove(&signature).unwrap_or_default();
            self.sum = self.sum - footprint;
        }
        for signature in needed {
            if !self.footprints.contains_key(signature) {
                continue;
            }
            let footprint = self.footprint(signature, job + 1);
            if let Some(old) = self.footprints.insert(*signature, footprint) {
                self.sum = self.sum - old + footprint;
            }
        }
    }
}
