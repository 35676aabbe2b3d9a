use super::demand::Demand;
use super::frames::Frames;
use super::kernel::Kernel;
use super::load;
use super::lookup::Lookup;
use super::own::OwnFrames;
use super::placements::{self, NOWHERE, PlacementCache, Placements};
use super::results::{self, BatchResults, Packer, PackerBuffers, SolvedFibre};
use super::schedule::{MAX_BATCHES_PER_ROUND, Schedule};
use crate::GenError;
use crate::cost::PositionCost;
use crate::parallel;
use crate::profile::{CpuScope, Phase};
use crate::seed_scores::{SeedError, SeedReader, SeedWriter};
use crate::solve::counts::{Counts, ScoreCounter};
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::journal::{self, Journal, JournalOptions, Limits, Unusable};
use crate::solve::men::{fibres_by_advance, men_of};
use crate::solve::method::{Context, Loading, Method, Setting, Solvable};
use crate::solve::part::Part;
use crate::solve::score::{self, MAX_PLIES};
use crate::solve::solution::Solution;
use damka_games::{Color, Material, Pieces, SquareSet};
use damka_tables::{Index, Signature};
use std::io;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

/// Solves fibre by fibre, each in rows of bits, with kernel `K` for the work inside a batch.
pub struct ByRows<K>(PhantomData<K>);

impl<G: Solvable<Method = ByRows<K>>, K: Kernel<G> + 'static> Method<G> for ByRows<K> {
    type Frames = Frames<G>;
    type Demand = Demand;
    type Shared = PlacementCache;
    const LOADING: Option<Loading<G, Frames<G>>> =
        Some(Loading { footprint: load::footprint, load: load::load::<G, Self, K> });

    fn cost(signature: &Signature<G>) -> PositionCost {
        PositionCost::by_rows(signature, signature.game().has_bulk_exits())
    }

    fn frames_footprint(
        game: G,
        materials: [Material; 2],
        users: &[Signature<G>],
        options: MemoryOptions,
    ) -> Footprint {
        Frames::footprint(game, materials, Demand::new(materials, users), options)
    }

    fn exchanged_footprint(
        game: G,
        materials: [Material; 2],
        users: &[Signature<G>],
        options: MemoryOptions,
    ) -> Footprint {
        Self::frames_footprint(game, materials, users, options)
    }

    /// Its own frames and values, the workspaces of all threads, and the results of a round.
    fn footprint(
        signature: &Signature<G>,
        positions: u64,
        users: &[Signature<G>],
        options: MemoryOptions,
    ) -> Footprint {
        let (game, materials) = (signature.game(), signature.materials());
        let placements = materials.map(|material| placements::count::<G>(&material) as usize);
        let fibres = Index::fibres(game, materials[0], materials[1]).len() as usize;
        let schedule = Schedule::new(placements, fibres == 1);
        let batch = schedule.batch(fibres).min(fibres);
        let threads = options.threads.min(fibres.div_ceil(batch)).max(1);
        let helping = if schedule.is_large { options.threads } else { threads };
        let kernel = K::bytes(game, materials, batch, schedule.is_large, helping);
        // Scores and forced scores of a fibre: copies, if a batch has several fibres, and the same in
        // index order.
        let taken_out = if batch > 1 { 2 } else { 0 };
        let in_order = if fibres > 1 { 2 } else { 0 };
        let workspace = (taken_out + in_order) * placements[0] * placements[1];
        let workspaces = if schedule.is_large { workspace } else { threads * workspace };
        // A round is part of a group.
        let group = fibres_by_advance(game, materials).into_iter().max().unwrap_or(1) as usize;
        let round = schedule.round_fibres().min(group);
        let results = BatchResults::bytes::<G>(materials, round, options);
        let order = fibres * size_of::<u64>();
        OwnFrames::footprint(game, materials, Demand::new(materials, users), options)
            + Solution::footprint(signature, positions, options)
            + Footprint::of(kernel + workspaces + results + order)
    }

    fn solve(
        signature: Signature<G>,
        context: &Context<'_, G>,
    ) -> Result<(Solution<G>, Frames<G>), GenError> {
        Solver::<G, K>::new(signature, context).solve()
    }

    fn demand(materials: [Material; 2], users: &[Signature<G>]) -> Demand {
        Demand::new(materials, users)
    }

    fn save(
        frames: &Frames<G>,
        _: [Material; 2],
        demand: &Demand,
        seed: &mut SeedWriter<'_>,
    ) -> io::Result<()> {
        frames.save(*demand, seed)
    }

    fn restore(
        setting: &Setting<'_, G>,
        materials: [Material; 2],
        held: &Demand,
        demand: &Demand,
        seed: &mut SeedReader<'_>,
    ) -> Result<Frames<G>, SeedError> {
        let Setting { game, metric, scratch, shared, .. } = setting;
        let placements = materials.map(|material| shared.get::<G>(&material));
        let (part, demand) = (Part::All, *demand);
        let mut frames =
            Frames::new(*game, *metric, materials, placements, part, demand, *scratch)?;
        frames.restore(*held, seed)?;
        Ok(frames)
    }

    fn prune(
        setting: &Setting<'_, G>,
        frames: &mut Frames<G>,
        materials: [Material; 2],
        users: &[Signature<G>],
    ) -> Result<(), GenError> {
        frames.reduce(Demand::new(materials, users), setting.scratch)
    }

    fn exchanged(
        setting: &Setting<'_, G>,
        frames: &Arc<Frames<G>>,
        users: &[Signature<G>],
    ) -> Result<Frames<G>, GenError> {
        load::exchanged(setting, frames, users)
    }
}

struct Solver<'a, G: Solvable, K> {
    signature: Signature<G>,
    context: &'a Context<'a, G>,
    placements: [Arc<Placements>; 2],
    kernel: K,
    packer: Packer<G>,
    /// The fibres to solve, in groups of equal advance of the men, most advanced first.
    groups: Vec<Vec<u64>>,
    /// The average number of positions (both sides to move) per solved fibre, for progress.
    positions_per_fibre: f64,
}

/// The fibres of a round. They are solved, in batches of `batch` fibres, before any later ones.
#[derive(Clone, Copy)]
struct Round<'a> {
    fibres: &'a [u64],
    batch: usize,
    /// The fibres of the group, if this is its first round.
    begins: Option<&'a [u64]>,
}

/// The working state of a thread, reused for the next batch.
struct Workspace<B> {
    batch: B,
    scores: Vec<u8>,
    forced: Vec<u8>,
    buffers: PackerBuffers,
}

type WorkspaceOf<'k, G, K> = Workspace<<K as Kernel<G>>::Batch<'k>>;

impl<'a, G, K> Solver<'a, G, K>
where
    G: Solvable<Method = ByRows<K>>,
    K: Kernel<G> + 'static,
{
    fn new(signature: Signature<G>, context: &'a Context<'a, G>) -> Self {
        let (game, materials) = (signature.game(), signature.materials());
        let Setting { metric, instructions, shared: cache, .. } = context.setting;
        let (metric, instructions) = (*metric, *instructions);
        let placements = materials.map(|material| cache.get::<G>(&material));
        let mut solver = Solver {
            signature,
            context,
            kernel: K::new(game, materials, metric, instructions, cache),
            packer: Packer::new(game, metric, materials, &placements),
            placements,
            groups: Vec::new(),
            positions_per_fibre: 0.0,
        };
        (solver.groups, solver.positions_per_fibre) = solver.order();
        solver
    }

    /// Groups the fibres, one of each pair of mirror images, by advance of the men. Also returns
    /// the average number of positions per fibre.
    fn order(&self) -> (Vec<Vec<u64>>, f64) {
        let fibres = Index::fibres(
            self.signature.game(),
            self.signature.materials()[0],
            self.signature.materials()[1],
        );
        let mut groups: Vec<Vec<u64>> = Vec::new();
        let mut all = 0u32;
        for (fibre, men) in (0..).zip(fibres.positions(0..fibres.len())) {
            let pieces = men_of::<G>(&men);
            if self.packer.fibre(fibre, &pieces).is_image() {
                continue;
            }
            all += 1;
            if !self.context.part.contains(&pieces) {
                continue;
            }
            let advance = G::advance(&men) as usize;
            if groups.len() <= advance {
                groups.resize(advance + 1, Vec::new());
            }
            groups[advance].push(fibre);
        }
        groups.reverse();
        groups.retain(|group| !group.is_empty());
        let sides = self.signature.sides().iter();
        let positions: u64 = sides.map(|&side| self.packer.orders[side as usize].index.len()).sum();
        (groups, positions as f64 / f64::from(all))
    }

    fn solve(self) -> Result<(Solution<G>, Frames<G>), GenError> {
        let placements = [&self.placements[0], &self.placements[1]].map(Arc::clone);
        let materials = self.signature.materials();
        let (metric, scratch) = (self.context.setting.metric, self.context.setting.scratch);
        let demand = Demand::new(materials, self.context.users);
        let mut own = OwnFrames::new(materials, metric, demand, |demand| {
            let (game, part) = (self.signature.game(), self.context.part);
            Frames::new(game, metric, materials, placements, part, demand, scratch)
        })?;
        let sides = self.signature.sides();
        let len: Vec<u64> =
            sides.iter().map(|&side| self.packer.orders[side as usize].index.len()).collect();
        let mut solution = Solution::new(self.signature, metric, &len, scratch)?;
        let is_only_fibre = self.groups.iter().flatten().count() == 1;
        let schedule =
            Schedule::new(self.placements.each_ref().map(|side| side.len()), is_only_fibre);
        let rounds = self.groups.iter().flat_map(|group| {
            let batch = schedule.batch(group.len());
            let rounds = group.chunks(batch * schedule.round).enumerate();
            rounds.map(move |(number, fibres)| {
                let begins = (number == 0).then_some(&group[..]);
                Round { fibres, batch, begins }
            })
        });
        let rounds: Vec<Round<'_>> = rounds.collect();

        let (mut journal, done) = match &self.context.journal {
            None => (None, 0),
            Some(options) => {
                let bytes = self.packer.longest_record(schedule.batch(usize::MAX));
                let limits = Limits { records: schedule.round, bytes };
                let (journal, done) =
                    self.resume(options, limits, &rounds, &mut own, &mut solution)?;
                (Some(journal), done)
            }
        };
        let pool = Mutex::new(Vec::new());
        for (number, round) in rounds.iter().enumerate() {
            let &Round { fibres, batch, .. } = round;
            if self.context.setting.stop.is_requested() {
                if let Some(journal) = &mut journal {
                    journal.sync()?;
                }
                return Err(GenError::Interrupted);
            }
            if number >= done {
                self.begin(round, &mut own)?;
                let work =
                    |batch: &[u64]| self.batch(batch, own.solved(), schedule.is_large, &pool);
                let solved: Result<Vec<_>, GenError> = match schedule.is_large {
                    true => fibres.chunks(batch).map(work).collect(),
                    false => parallel::try_map(fibres.chunks(batch), work),
                };
                let (results, records): (Vec<BatchResults>, Vec<Vec<u8>>) =
                    solved?.into_iter().unzip();
                if let Some(journal) = &mut journal {
                    journal.add(records.iter().map(|record| &record[..]))?;
                }
                self.context.profile.time(Phase::Output, CpuScope::Process, || {
                    self.store(&results, &mut own, &mut solution);
                });
            }
            (self.context.on_progress)((fibres.len() as f64 * self.positions_per_fibre) as u64);
        }
        if self.packer.orders[0].is_folded() {
            self.context.profile.time(Phase::Output, CpuScope::Process, || {
                self.collect_folded(own.last(), &mut solution)
            });
        }
        Ok((solution, own.into_kept()))
    }

    /// Begins the group of a round, if it is the first of its group.
    fn begin(&self, round: &Round<'_>, own: &mut OwnFrames<G>) -> Result<(), GenError> {
        let Some(group) = round.begins else { return Ok(()) };
        let fibres = |index: &Index<G>| {
            // Mirror images are solved with their twins.
            let with_twin = |&number: &u64| {
                let men = men_of::<G>(&index.position(number));
                let twin = self.packer.fibre(number, &men).twin();
                std::iter::once(number).chain((twin != number).then_some(twin))
            };
            group.iter().flat_map(with_twin).collect()
        };
        own.begin(fibres, self.context.setting.scratch)
    }

    /// Opens the journal and restores the rounds that it holds: all of them, or none if it cannot
    /// be used. Returns the journal and the number of restored rounds.
    fn resume(
        &self,
        options: &JournalOptions<'_>,
        limits: Limits,
        rounds: &[Round<'_>],
        own: &mut OwnFrames<G>,
        solution: &mut Solution<G>,
    ) -> Result<(Journal, usize), GenError> {
        let kind = format!("{:?}", self.context.setting.metric);
        let mut left = rounds.iter();
        let take = |records: Vec<Vec<u8>>| {
            let Some(round) = left.next() else {
                return Ok(Err(Unusable("it has more rounds than the signature")));
            };
            let batches = round.fibres.chunks(round.batch);
            if records.len() != batches.len() {
                return Ok(Err(Unusable("a round is not complete")));
            }
            self.begin(round, own)?;
            let restore = |(fibres, record): (&[u64], &Vec<u8>)| {
                self.packer.restore(own.solved().fibres(), fibres, record)
            };
            let results = parallel::map(batches.zip(&records), restore);
            let results: Option<Vec<BatchResults>> = results.into_iter().collect();
            let Some(results) = results else {
                return Ok(Err(Unusable("a record does not match its positions")));
            };
            self.store(&results, own, solution);
            Ok(Ok(()))
        };
        let (journal, is_sound) = Journal::resume(options, &self.signature, &kind, limits, take)?;
        if !is_sound {
            solution.clear();
            left = rounds.iter();
        }
        Ok((journal, rounds.len() - left.len()))
    }

    /// Stores the results of batches in frames and solution.
    fn store(&self, results: &[BatchResults], own: &mut OwnFrames<G>, solution: &mut Solution<G>) {
        let keep_frames = || {
            for frames in own.stores() {
                results.iter().for_each(|results| results.put_frames(frames));
            }
        };
        let keep_values = || {
            for BatchResults { runs, values, counts, .. } in results {
                for (mover, start, range) in runs {
                    solution.put(*mover, *start, &values[range.clone()]);
                }
                for (side, counts) in self.signature.sides().iter().zip(counts) {
                    solution.count(side.color(), counts);
                }
            }
        };
        parallel::join(keep_frames, keep_values);
    }

    /// Solves fibres whose values do not depend on each other. Returns the results and, if there is
    /// a journal, their record.
    fn batch<'k>(
        &'k self,
        fibres: &[u64],
        own: &Frames<G>,
        parallel: bool,
        pool: &Mutex<Vec<WorkspaceOf<'k, G, K>>>,
    ) -> Result<(BatchResults, Vec<u8>), GenError> {
        let lock = || pool.lock().unwrap_or_else(|lock| lock.into_inner());
        let used = lock().pop();
        let mut workspace = used.unwrap_or_else(|| Workspace {
            batch: self.kernel.batch(parallel),
            scores: Vec::new(),
            forced: Vec::new(),
            buffers: PackerBuffers::default(),
        });
        let batch = &mut workspace.batch;
        let lookup = Lookup { successors: self.context.successors, own };
        let men: Vec<Pieces> =
            fibres.iter().map(|&fibre| men_of::<G>(&own.fibres().position(fibre))).collect();
        let profile = self.context.profile;
        let scope = if parallel { CpuScope::Process } else { CpuScope::Thread };
        profile.time(Phase::Seed, scope, || self.kernel.begin(batch, &men));
        for mover in Color::BOTH {
            self.kernel.seed(batch, lookup, mover, &men, profile);
        }
        profile.time(Phase::Quiet, scope, || self.kernel.solve(batch)).map_err(|_| {
            GenError::TooLong { signature: self.signature.to_string(), longest: MAX_PLIES }
        })?;
        let mut results = BatchResults::default();
        let mut plain = Vec::new();
        let is_kept = self.context.journal.is_some();
        profile.time(Phase::Output, scope, || {
            for (number, (&fibre, men)) in fibres.iter().zip(&men).enumerate() {
                let fibre = self.packer.fibre(fibre, men);
                let plain = is_kept.then_some(&mut plain);
                self.finish(&mut workspace, number, &fibre, &mut results, plain);
            }
            results.add_counted(&mut workspace.buffers);
        });
        lock().push(workspace);
        let record = match &self.context.journal {
            None => Vec::new(),
            Some(JournalOptions { directory, .. }) => {
                let compressed = profile.time(Phase::Output, scope, || journal::compress(&plain));
                compressed.map_err(GenError::io("compress for", *directory))?
            }
        };
        Ok((results, record))
    }

    /// Adds a solved fibre, given by its index in the batch, to `results` and, if given, to
    /// `plain`, the uncompressed record for the journal.
    fn finish(
        &self,
        workspace: &mut WorkspaceOf<'_, G, K>,
        number: usize,
        fibre: &SolvedFibre<'_>,
        results: &mut BatchResults,
        mut plain: Option<&mut Vec<u8>>,
    ) {
        let Workspace { batch, scores, forced, buffers } = workspace;
        for mover in Color::BOTH {
            let scores = self.kernel.scores(batch, mover, number, scores);
            let has_run = self.packer.has_run(mover, fibre);
            let forced = has_run.then(|| self.kernel.forced(batch, mover, number, forced));
            let frame = self.packer.add(mover, fibre, scores, forced, buffers, results);
            if let Some(plain) = &mut plain {
                results::write(&results.packed[frame], forced, plain);
            }
        }
    }

    /// Collects the values of a signature with a single fibre, in which symmetric positions share a
    /// number.
    fn collect_folded(&self, frames: &Frames<G>, solution: &mut Solution<G>) {
        const CHUNK: u64 = 1 << 16;
        const ROWS: usize = 64;
        for &side in self.signature.sides() {
            let mover = side.color();
            let order = &self.packer.orders[mover as usize];
            let frame = frames.frame(mover, 0);
            let starts: Vec<u64> = (0..order.index.len()).step_by(CHUNK as usize).collect();
            for starts in starts.chunks(MAX_BATCHES_PER_ROUND) {
                let runs = parallel::map(starts.iter().copied(), |start: u64| {
                    let end = (start + CHUNK).min(order.index.len());
                    let (mut scores, mut stored) = (Vec::new(), Vec::new());
                    for number in start..end {
                        let (row, column) = order.row_and_column(number);
                        let score = frame.get(row, column);
                        scores.push(score);
                        let position = order.index.position(number);
                        let is_stored = G::is_stored(&position);
                        stored.push(if is_stored { score } else { score::NONE });
                    }
                    let (mut packed, mut longest) = (Vec::new(), Counts::default());
                    score::pack(self.context.setting.metric, start, &stored, &mut packed);
                    longest.find_longest(start, &scores);
                    (start, packed, longest)
                });
                for (start, packed, longest) in runs {
                    solution.put(mover, start, &packed);
                    solution.count(mover, &longest);
                }
            }
            // Symmetric positions are counted individually.
            let (mine, other) =
                (&self.placements[mover as usize], &self.placements[!mover as usize]);
            let stands =
                |set: u64, color| set != NOWHERE && G::may_stand(SquareSet::new(set), color, mover);
            let rows = other.sets().iter().enumerate().filter(|&(_, &set)| stands(set, !mover));
            let rows: Vec<_> = rows.collect();
            let histograms = parallel::map(rows.chunks(ROWS), |rows| {
                let (mut buffer, mut legal) = (Vec::new(), Vec::new());
                let mut counter = ScoreCounter::default();
                for &(row, &set) in rows {
                    let scores = frame.row(row, &mut buffer);
                    let columns = mine.sets().iter().zip(scores);
                    let columns =
                        columns.filter(|&(&my_set, _)| my_set & set == 0 && stands(my_set, mover));
                    legal.clear();
                    legal.extend(columns.map(|(_, &score)| score));
                    counter.count(&legal);
                }
                counter.take()
            });
            for histogram in histograms {
                solution.count(mover, &Counts { histogram, ..Counts::default() });
            }
        }
    }
}
