use crate::GenError;
use crate::fibre::{self, Manner, Room, Solvable};
use crate::needs::Needs;
use damka_games::{Material, Square};
use damka_probe::{ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Signature};
use std::collections::BTreeSet;
use std::collections::hash_map::{Entry, HashMap};
use std::path::Path;

/// Which tables have to be made, in what order, at what cost.
#[derive(Debug)]
pub struct Plan<G> {
    /// The signatures to work on, in an order in which everything that one leads
    /// to comes before it.
    pub jobs: Vec<Job<G>>,
    /// The signatures that need no work.
    pub present: Vec<Signature<G>>,
    /// Tables that exist but are damaged, and will be built again.
    pub damaged: Vec<ProbeError>,
    /// Large arrays are kept in scratch files, because there is too little memory.
    pub spills: bool,
}

/// The work on one signature.
#[derive(Debug)]
pub struct Job<G> {
    /// The signature.
    pub signature: Signature<G>,
    /// The tables to write.
    pub metrics: Vec<Metric>,
    /// The number of positions, both sides to move, symmetric ones counted once.
    pub positions: u64,
    /// The signatures that one move leads to.
    pub needs: BTreeSet<Signature<G>>,
    /// The memory needed while it is worked on, in bytes.
    pub memory: u64,
    /// The disk needed while it is worked on, in bytes, besides the files made: for
    /// scratch files and the journal.
    pub scratch: u64,
}

/// The time of one core for a position, in nanoseconds: to solve it, and to write it
/// to a WDL table. By what the sides have; measured with `gen --profile` for Russian
/// draughts: 6 pieces, and 7 without distances.
struct Nanoseconds {
    solving: f64,
    writing_wdl: f64,
}

/// Kings only. Symmetric positions are solved each, but counted once.
const KINGS_ONLY: Nanoseconds = Nanoseconds { solving: 420.0, writing_wdl: 25.0 };
/// Both sides have kings.
const BOTH_HAVE_KINGS: Nanoseconds = Nanoseconds { solving: 42.0, writing_wdl: 23.0 };
/// So do they, and one side has nothing but one.
const AGAINST_ONE_KING: Nanoseconds = Nanoseconds { solving: 31.0, writing_wdl: 13.0 };
/// One side has men only: so many, or more.
const ONE_HAS_MEN_ONLY: [Nanoseconds; 4] = [
    Nanoseconds { solving: 52.0, writing_wdl: 9.0 },
    Nanoseconds { solving: 84.0, writing_wdl: 12.0 },
    Nanoseconds { solving: 98.0, writing_wdl: 22.0 },
    Nanoseconds { solving: 115.0, writing_wdl: 30.0 },
];
const MEN_ONLY: Nanoseconds = Nanoseconds { solving: 530.0, writing_wdl: 23.0 };
/// What is added where exits are followed one by one: measured with `gen czech KKMvKM --profile`.
const EXITS_ONE_BY_ONE: f64 = 290.0;
/// To write a position to a DTW table.
const WRITING_DTW: f64 = 20.0;

/// The size of a position on disk, in bits, by how many pieces one side has more than the
/// other; the last one also stands for more.
struct Bits {
    wdl: &'static [f64],
    dtw: &'static [f64],
}

/// The same by what the side with fewer pieces has.
struct BitsAgainst {
    men: Bits,
    kings: Bits,
    both: Bits,
}

/// Kings that go far: measured with `gen russian 6` and `gen russian 7 --metric wdl`. Brazilian
/// and pool take as much.
const FAR: BitsAgainst = BitsAgainst {
    men: Bits { wdl: &[0.257, 0.174, 0.051, 0.005, 0.002], dtw: &[1.28, 1.37, 1.13, 0.63, 0.44] },
    kings: Bits { wdl: &[0.055, 0.151, 0.291, 0.048, 0.007], dtw: &[0.08, 0.29, 0.84, 1.74, 1.37] },
    both: Bits { wdl: &[0.200, 0.297, 0.217, 0.048], dtw: &[0.44, 0.97, 1.60] },
};

/// Kings that go one step: measured with `gen english 6`.
const NEAR: BitsAgainst = BitsAgainst {
    men: Bits { wdl: &[0.440, 0.029, 0.004, 0.001], dtw: &[2.20, 2.59, 1.96, 0.85, 0.65] },
    kings: Bits { wdl: &[0.238, 0.275, 0.018, 0.001], dtw: &[0.48, 3.08, 2.67, 1.90, 1.58] },
    both: Bits { wdl: &[0.392, 0.110, 0.010, 0.001], dtw: &[1.16, 3.22, 2.58] },
};

/// No men: measured with `gen alapo 4`.
const NO_MEN: Bits = Bits { wdl: &[0.15, 0.14, 0.127], dtw: &[0.61, 0.5, 0.377] };

/// Head, directory and what compresses badly in a small table, in bytes.
const TABLE_BYTES: u64 = 650;

impl Bits {
    /// Those of a game, by how many men and how many other pieces the side with fewer has.
    fn of<G: Indexable>(game: G, men: u8, others: u32) -> &'static Bits {
        let kings = G::kinds().filter(|kind| !G::MEN.contains(kind));
        let mut rays = kings.flat_map(|kind| game.rays(kind, Square::new(0)));
        let bits = match G::MEN {
            [] => return &NO_MEN,
            _ if rays.any(|ray| ray.len() > 1) => &FAR,
            _ => &NEAR,
        };
        match (men, others) {
            (_, 0) => &bits.men,
            (0, _) => &bits.kings,
            _ => &bits.both,
        }
    }

    fn get(&self, metric: Metric, more: u32) -> f64 {
        let bits = match metric {
            Metric::Wdl => self.wdl,
            Metric::Dtw => self.dtw,
        };
        bits[(more as usize).min(bits.len() - 1)]
    }
}

/// The size of a position in the journal, in bits. Measured as sizes of files of
/// `gen russian 7 --metric wdl` and `gen russian 6`; men alone make small fibres.
fn journal_bits(metric: Metric, men_only: bool) -> f64 {
    let values = match metric {
        Metric::Wdl => 2.0,
        Metric::Dtw => 6.0,
    };
    values + if men_only { 18.0 } else { 0.0 }
}

impl<G: Solvable> Job<G> {
    /// What it has in memory is worked out when it is known what comes before it.
    pub(crate) fn new(signature: Signature<G>, metrics: Vec<Metric>) -> Job<G> {
        Job {
            signature,
            metrics,
            positions: positions(&signature),
            needs: direct(&signature),
            memory: 0,
            scratch: 0,
        }
    }

    /// The processor time that solving may take, in seconds: an estimate.
    pub fn solving(&self) -> f64 {
        let exits = match self.signature.game().finds_exits_at_once() {
            true => 0.0,
            false => EXITS_ONE_BY_ONE,
        };
        self.positions as f64 * (self.nanoseconds().solving + exits) / 1e9
    }

    fn nanoseconds(&self) -> &'static Nanoseconds {
        let (men, kings) = self.men_and_kings();
        let most_men = ONE_HAS_MEN_ONLY.len() as u8;
        match kings {
            _ if men == [0, 0] => &KINGS_ONLY,
            [0, 0] => &MEN_ONLY,
            [0, _] => &ONE_HAS_MEN_ONLY[usize::from(men[0].min(most_men)) - 1],
            [_, 0] => &ONE_HAS_MEN_ONLY[usize::from(men[1].min(most_men)) - 1],
            [1, _] if men[0] == 0 => &AGAINST_ONE_KING,
            [_, 1] if men[1] == 0 => &AGAINST_ONE_KING,
            _ => &BOTH_HAVE_KINGS,
        }
    }

    /// How many men, and how many other pieces, each side has.
    fn men_and_kings(&self) -> ([u8; 2], [u32; 2]) {
        let materials = self.signature.materials();
        let men = materials.map(|side| G::MEN.iter().map(|&kind| side[kind]).sum::<u8>());
        let kings = [0, 1].map(|side: usize| materials[side].total() - u32::from(men[side]));
        (men, kings)
    }

    /// The size that its journal may have, in bytes: an estimate.
    fn journal(&self, metric: Metric) -> u64 {
        let bits = journal_bits(metric, self.men_and_kings().1 == [0, 0]);
        (self.positions as f64 * bits / 8.0) as u64
    }

    /// The processor time that writing may take, in seconds: an estimate.
    pub fn writing(&self) -> f64 {
        let nanoseconds = |metric: &Metric| match metric {
            Metric::Wdl => self.nanoseconds().writing_wdl,
            Metric::Dtw => WRITING_DTW,
        };
        self.positions as f64 * self.metrics.iter().map(nanoseconds).sum::<f64>() / 1e9
    }

    /// The time it may take on this many threads, in seconds: an estimate.
    pub fn seconds(&self, threads: usize) -> f64 {
        (self.solving() + self.writing()) / threads.max(1) as f64
    }

    /// The space that the files will need, in bytes: an estimate.
    pub fn disk(&self) -> u64 {
        let [first, second] = self.signature.materials().map(|side| side.total());
        let (men, kings) = self.men_and_kings();
        let bits = Bits::of(self.signature.game(), men[1], kings[1]);
        let table = |&metric| {
            let bits = bits.get(metric, first.abs_diff(second));
            TABLE_BYTES + (self.positions as f64 * bits / 8.0) as u64
        };
        self.metrics.iter().map(table).sum()
    }
}

impl<G: Solvable> Plan<G> {
    /// Plans the tables of `signatures` and of everything they lead to, as far
    /// as `directory` does not hold them yet, for work on so many threads with so
    /// much memory (in bytes). Existing tables are read to see whether they are sound.
    ///
    /// # Errors
    /// An existing table cannot be read.
    pub fn new(
        signatures: &[Signature<G>],
        metrics: &[Metric],
        threads: usize,
        memory: u64,
        directory: &Path,
    ) -> Result<Plan<G>, GenError> {
        let needs = Needs::new(signatures);
        let mut plan =
            Plan { jobs: Vec::new(), present: Vec::new(), damaged: Vec::new(), spills: false };
        for signature in needs.in_order() {
            let mut missing = Vec::new();
            for &metric in metrics {
                match Table::open(directory, signature, metric).and_then(|table| table.check()) {
                    Ok(()) => {}
                    Err(ProbeError::Missing { .. }) => missing.push(metric),
                    // What a newer program made is not ours to replace.
                    Err(newer) if newer.is_unknown_version() => return Err(newer.into()),
                    Err(damaged @ ProbeError::Damaged { .. }) => {
                        missing.push(metric);
                        plan.damaged.push(damaged);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            if missing.is_empty() {
                plan.present.push(signature);
                continue;
            }
            plan.jobs.push(Job::new(signature, missing));
        }
        for spill in [false, true] {
            plan.spills = spill;
            plan.estimate_room(
                &needs,
                Manner { metric: Metric::strongest(metrics), threads, spill },
            );
            if plan.largest().is_none_or(|job| job.memory <= memory) {
                break;
            }
        }
        Ok(plan)
    }

    /// Works out what each job has in memory: what it is solved with, and the frames
    /// of the signatures it leads to, of those that a later job leads to, and, where
    /// some have to be loaded first, of everything that these lead to.
    fn estimate_room(&mut self, needs: &Needs<G>, manner: Manner) {
        let mut kept = Kept {
            manner,
            last_use: last_use(&self.jobs),
            rooms: HashMap::new(),
            leaving: vec![Vec::new(); self.jobs.len()],
            sum: Room::default(),
        };
        for (place, job) in self.jobs.iter_mut().enumerate() {
            let mut loading = 0;
            for needed in &job.needs {
                if kept.add(*needed, place) {
                    needs.of(needed).iter().for_each(|&signature| {
                        kept.add(signature, place);
                    });
                    loading = loading.max(manner.loading(needed, positions(needed)));
                }
            }
            let solving = manner.solving(&job.signature, job.positions);
            let fixed = manner.fixed(job.positions);
            job.memory = fixed + kept.sum.memory + loading.max(solving.memory);
            job.scratch = kept.sum.scratch + solving.scratch + job.journal(manner.metric);
            kept.add(job.signature, place);
            kept.leave(place);
        }
    }

    /// Positions to solve, both sides to move.
    pub fn positions(&self) -> u64 {
        self.jobs.iter().map(|job| job.positions).sum()
    }

    /// The job that needs most memory.
    pub fn largest(&self) -> Option<&Job<G>> {
        self.jobs.iter().max_by_key(|job| job.memory)
    }

    /// The space that the files will need, in bytes: an estimate.
    pub fn disk(&self) -> u64 {
        self.jobs.iter().map(Job::disk).sum()
    }

    /// The most space that is needed besides at any time, in bytes.
    pub fn scratch(&self) -> u64 {
        self.jobs.iter().map(|job| job.scratch).max().unwrap_or(0)
    }

    /// The time it may take on this many threads, in seconds: an estimate.
    pub fn seconds(&self, threads: usize) -> f64 {
        // A sum of nothing would be a negative zero.
        self.jobs.iter().fold(0.0, |seconds, job| seconds + job.seconds(threads))
    }
}

/// The last of some jobs, by its place, that leads to each signature that one leads to.
pub(crate) fn last_use<G: Indexable>(jobs: &[Job<G>]) -> HashMap<Signature<G>, usize> {
    let uses = jobs.iter().enumerate();
    uses.flat_map(|(place, job)| job.needs.iter().map(move |needed| (*needed, place))).collect()
}

/// The frames that are kept from one job to the next. There may be thousands, so that only
/// those are looked at that come or leave.
struct Kept<G> {
    manner: Manner,
    /// The last job that leads to each signature.
    last_use: HashMap<Signature<G>, usize>,
    rooms: HashMap<Signature<G>, Room>,
    /// What is needed no more, after each job.
    leaving: Vec<Vec<Signature<G>>>,
    /// What all of them take.
    sum: Room,
}

impl<G: Indexable> Kept<G> {
    /// Keeps the frames of a signature from the job at `place` on; returns whether they were
    /// not there.
    fn add(&mut self, signature: Signature<G>, place: usize) -> bool {
        let Entry::Vacant(entry) = self.rooms.entry(signature) else { return false };
        let room = *entry.insert(self.manner.frames(&signature));
        self.sum = self.sum + room;
        let last = self.last_use.get(&signature).map_or(place, |&last| last.max(place));
        self.leaving[last].push(signature);
        true
    }

    /// Gives away what no job behind the one at `place` leads to.
    fn leave(&mut self, place: usize) {
        for signature in std::mem::take(&mut self.leaving[place]) {
            let room = self.rooms.remove(&signature).unwrap_or_default();
            self.sum = self.sum - room;
        }
    }
}

/// The signatures that one move leads to, as far as both sides have pieces.
fn direct<G: Indexable>(signature: &Signature<G>) -> BTreeSet<Signature<G>> {
    let successors = fibre::successors::<G>(signature.materials()).into_iter();
    let other = successors.map(|[a, b]: [Material; 2]| Signature::new(signature.game(), a, b).0);
    other.filter(|other| other != signature).collect()
}

/// The number of positions of a signature, both sides to move.
pub(crate) fn positions<G: Indexable>(signature: &Signature<G>) -> u64 {
    let sides = signature.sides().iter();
    sides
        .map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            Index::<G>::count(&mover, &opponent)
        })
        .sum()
}
