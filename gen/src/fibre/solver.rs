use super::cells::Scratch;
use super::crew::{Crew, Moves, NOWHERE};
use super::exits::{Crews, Exits, Found, Known, Solvable, Task};
use super::frames::{Frames, Part, Shelf};
use super::journal::{self, Journal, Limits, Unusable};
use super::men::men_of;
use super::places::Run;
use super::quiet::Batch;
use super::results::{self, Fibre, Packer, Solved};
use super::score::{self, LONGEST};
use super::simd::Instructions;
use super::solution::Solution;
use crate::profile::{Clock, Phase, Profile, Who};
use crate::{GenError, Stop};
use damka_games::{Color, Pieces, SquareSet};
use damka_tables::Signature;
use damka_tables::metric::{Metric, Summary};
use rayon::prelude::*;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a signature is solved with.
pub(crate) struct Means<'a, G> {
    pub(crate) metric: Metric,
    pub(crate) instructions: Instructions,
    /// The signatures that this one leads to.
    pub(crate) shelf: &'a Shelf<G>,
    pub(crate) crews: &'a Crews,
    /// Where large arrays go, if not into memory.
    pub(crate) scratch: Option<&'a Scratch>,
    /// How unfinished work is kept, if it is to be kept.
    pub(crate) journal: Option<Keeping<'a>>,
    /// The fibres to solve; others keep whatever values.
    pub(crate) part: Part,
    pub(crate) profile: &'a Profile,
    pub(crate) stop: &'a Stop,
    /// Told how many positions have been solved since it was last told.
    pub(crate) advanced: &'a (dyn Fn(u64) + Sync),
}

/// How unfinished work on a signature is kept.
pub(crate) struct Keeping<'a> {
    /// The directory of tables.
    pub(crate) directory: &'a Path,
    /// How often it is saved.
    pub(crate) interval: Duration,
    /// What the signature is worked out from: another text for other tables.
    pub(crate) origin: String,
    /// Told of a journal that cannot be used, and why.
    pub(crate) dropped: &'a (dyn Fn(&Path, &str) + Sync),
}

/// Solves a signature.
///
/// # Errors
/// It was interrupted, or a distance is too long.
pub(crate) fn solve<G: Solvable>(
    signature: Signature<G>,
    means: &Means<'_, G>,
) -> Result<(Solution<G>, Frames<G>), GenError> {
    Solver::new(signature, means).solve()
}

/// Fibres of so many positions are worked on one by one, by all threads together;
/// those that are alone in their signature already if they are smaller.
const LARGE: usize = 1 << 25;
const LARGE_ALONE: usize = 1 << 20;

/// How many batches make a round, and how many positions at most, unless that
/// would be too few batches for all threads. Nothing here depends on the number
/// of threads: a journal may be continued with another.
const ROUND: usize = 64;
const ROUND_POSITIONS: usize = 1 << 25;
const FEWEST: usize = 4;

/// How many positions of fibres with few columns are solved together.
const SMALL_BATCH: usize = 1 << 19;

pub(super) struct Solver<'a, G: Solvable> {
    signature: Signature<G>,
    means: &'a Means<'a, G>,
    crews: [Arc<Crew>; 2],
    moves: [Arc<Moves>; 2],
    exits: G::Exits,
    packer: Packer<G>,
    /// The fibres to solve, those whose men have come furthest first, in groups
    /// of men that have come equally far.
    groups: Vec<Vec<u64>>,
    /// The positions, both sides to move, that come with each of them.
    share: f64,
}

/// Some fibres that are solved before any other, so many in a batch.
#[derive(Clone, Copy)]
struct Round<'a> {
    fibres: &'a [u64],
    batch: usize,
}

/// What a thread works with, kept for the next batch.
struct Workspace<'a, T> {
    batch: Batch<'a>,
    found: Found,
    scratch: T,
    scores: Vec<u8>,
    forced: Vec<u8>,
    run: Run,
}

type WorkspaceOf<'a, G> = Workspace<'a, <<G as Solvable>::Exits as Exits<G>>::Scratch>;

impl<'a, G: Solvable> Solver<'a, G> {
    fn new(signature: Signature<G>, means: &'a Means<'a, G>) -> Self {
        let materials = signature.materials();
        let crews = materials.map(|material| means.crews.get::<G>(&material));
        let moves = [&crews[0], &crews[1]].map(|crew| Arc::new(Moves::new(signature.game(), crew)));
        let packer = Packer::new(signature.game(), means.metric, materials, &crews);
        let mut solver = Solver {
            signature,
            means,
            exits: G::Exits::new(signature.game(), means.crews, materials),
            crews,
            moves,
            packer,
            groups: Vec::new(),
            share: 0.0,
        };
        (solver.groups, solver.share) = solver.order();
        solver
    }

    /// The fibres, one of each pair of mirror images, by how far the men have come,
    /// and how many positions come with each.
    fn order(&self) -> (Vec<Vec<u64>>, f64) {
        let fibres = damka_tables::Index::fibres(
            self.signature.game(),
            self.signature.materials()[0],
            self.signature.materials()[1],
        );
        let mut groups: Vec<Vec<u64>> = Vec::new();
        let mut all = 0u32;
        for (fibre, men) in fibres.positions(0..fibres.len()).enumerate() {
            let fibre = fibre as u64;
            let pieces = men_of::<G>(&men);
            if self.packer.fibre(fibre, &pieces).is_image() {
                continue;
            }
            all += 1;
            if !self.means.part.has(&pieces) {
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
        let positions: u64 = sides.map(|&side| self.packer.places[side as usize].index.len()).sum();
        (groups, positions as f64 / f64::from(all))
    }

    fn solve(self) -> Result<(Solution<G>, Frames<G>), GenError> {
        let crews = [&self.crews[0], &self.crews[1]].map(Arc::clone);
        let materials = self.signature.materials();
        let (metric, scratch) = (self.means.metric, self.means.scratch);
        let mut frames =
            Frames::new(self.signature.game(), metric, materials, crews, self.means.part, scratch)?;
        let sides = self.signature.sides();
        let len: Vec<u64> =
            sides.iter().map(|&side| self.packer.places[side as usize].index.len()).collect();
        let mut solution = Solution::new(self.signature, metric, &len, scratch)?;
        let frame = self.crews[0].len() * self.crews[1].len();
        let alone = self.groups.iter().flatten().count() == 1;
        let large = is_large(frame, alone);
        let batch = batch_fibres([self.crews[0].len(), self.crews[1].len()]);
        let round = if large { 1 } else { round_batches(batch * frame) };
        let rounds = self.groups.iter().flat_map(|group| {
            let batch = share_out(group.len(), batch);
            group.chunks(batch * round).map(move |fibres| Round { fibres, batch })
        });
        let rounds: Vec<Round<'_>> = rounds.collect();

        let (mut journal, done) = match &self.means.journal {
            None => (None, 0),
            Some(keeping) => {
                let limits = Limits { records: round, bytes: self.packer.longest_record(batch) };
                let opened = self.go_on(keeping, limits, &rounds, &mut frames, &mut solution);
                let path = journal::path(keeping.directory, &self.signature);
                let (journal, done) = opened.map_err(GenError::io("use the journal", path))?;
                (Some(journal), done)
            }
        };
        let pool = Mutex::new(Vec::new());
        for (number, &Round { fibres, batch }) in rounds.iter().enumerate() {
            if self.means.stop.is_requested() {
                if let Some(journal) = &mut journal {
                    let saved = journal.save();
                    saved.map_err(GenError::io("write", journal.path()))?;
                }
                return Err(GenError::Interrupted);
            }
            if number >= done {
                let work = |batch: &[u64]| self.batch(batch, &frames, large, &pool);
                let solved: Result<Vec<(Solved, Vec<u8>)>, GenError> = match large {
                    true => fibres.chunks(batch).map(work).collect(),
                    false => fibres.par_chunks(batch).map(work).collect(),
                };
                let (solved, records): (Vec<Solved>, Vec<Vec<u8>>) = solved?.into_iter().unzip();
                if let Some(journal) = &mut journal {
                    let added = journal.add(records.iter().map(|record| &record[..]));
                    added.map_err(GenError::io("write", journal.path()))?;
                }
                self.means.profile.time(Phase::Output, Who::All, || {
                    self.keep(&solved, &mut frames, &mut solution);
                });
            }
            (self.means.advanced)((fibres.len() as f64 * self.share) as u64);
        }
        if self.packer.places[0].is_folded() {
            self.means
                .profile
                .time(Phase::Output, Who::All, || self.collect_folded(&frames, &mut solution));
        }
        Ok((solution, frames))
    }

    /// Opens the journal and takes over the rounds that it holds: all of them, or none if it
    /// cannot be used. Returns it with how many these are.
    fn go_on(
        &self,
        keeping: &Keeping<'_>,
        limits: Limits,
        rounds: &[Round<'_>],
        frames: &mut Frames<G>,
        solution: &mut Solution<G>,
    ) -> io::Result<(Journal, usize)> {
        let Keeping { directory, interval, origin, dropped } = keeping;
        let kind = format!("{:?}", self.means.metric);
        let opened = Journal::open(directory, &self.signature, &kind, origin, *interval);
        let (mut journal, mut unusable) = opened?;
        let mut left = rounds.iter();
        let read = journal.read(limits, |records| {
            let round = left.next().ok_or(Unusable("it has more rounds than there are"))?;
            let batches = round.fibres.par_chunks(round.batch);
            if records.len() != batches.len() {
                return Err(Unusable("a round is not complete"));
            }
            let restore = |(fibres, record): (&[u64], &Vec<u8>)| {
                self.packer.restore(frames.fibres(), fibres, record)
            };
            let solved: Option<Vec<Solved>> = batches.zip(&records).map(restore).collect();
            let solved = solved.ok_or(Unusable("a record is not that of its positions"))?;
            self.keep(&solved, frames, solution);
            Ok(())
        });
        if let Err(problem) = read? {
            unusable = Some(problem);
            journal.begin()?;
            solution.clear();
            left = rounds.iter();
        }
        if let Some(Unusable(why)) = unusable {
            dropped(journal.path(), why);
        }
        Ok((journal, rounds.len() - left.len()))
    }

    /// Puts the results of batches where they belong.
    fn keep(&self, solved: &[Solved], frames: &mut Frames<G>, solution: &mut Solution<G>) {
        let keep_frames = || {
            solved.iter().for_each(|solved| solved.put_frames(frames));
        };
        let keep_values = || {
            for Solved { runs, values, summaries, .. } in solved {
                for (mover, start, range) in runs {
                    solution.put(*mover, *start, &values[range.clone()]);
                }
                for (side, summary) in self.signature.sides().iter().zip(summaries) {
                    solution.count(side.color(), *summary);
                }
            }
        };
        rayon::join(keep_frames, keep_values);
    }

    /// Solves fibres whose values do not depend on each other. Returns the results,
    /// and the same for the journal if there is one.
    fn batch<'w>(
        &'w self,
        fibres: &[u64],
        own: &Frames<G>,
        parallel: bool,
        pool: &Mutex<Vec<WorkspaceOf<'w, G>>>,
    ) -> Result<(Solved, Vec<u8>), GenError> {
        let lock = || pool.lock().unwrap_or_else(|lock| lock.into_inner());
        let used = lock().pop();
        let mut workspace = used.unwrap_or_else(|| {
            let crews = [&*self.crews[0], &*self.crews[1]];
            let moves = [&*self.moves[0], &*self.moves[1]];
            let batch = Batch::new(self.means.metric, crews, moves, parallel);
            Workspace {
                batch,
                found: Found::default(),
                scratch: Default::default(),
                scores: Vec::new(),
                forced: Vec::new(),
                run: Run::default(),
            }
        });
        let Workspace { batch, found, scratch, .. } = &mut workspace;
        let known = Known { shelf: self.means.shelf, own };
        let men: Vec<Pieces> =
            fibres.iter().map(|&fibre| men_of::<G>(&own.fibres().position(fibre))).collect();
        let squares: Vec<u64> = men.iter().map(|men| men.occupied().bits()).collect();
        let instructions = self.means.instructions;
        let profile = self.means.profile;
        let who = if parallel { Who::All } else { Who::Thread };
        profile.time(Phase::Seed, who, || batch.begin(&squares));
        for mover in Color::BOTH {
            let may_stand = |color: usize, set| {
                set != NOWHERE && G::may_stand(SquareSet::new(set), Color::BOTH[color], mover)
            };
            let task = Task { mover, forced_only: false, parallel };
            let mut clock = Clock::now(who);
            for (place, men) in men.iter().enumerate() {
                self.exits.find(instructions, known, men, task, scratch, found);
                // Small fibres are not worth looking at the clock for each.
                let look = found.forced.len() > 1 << 12;
                if look {
                    clock = profile.stop(Phase::Exits, clock);
                }
                batch.seed(instructions, mover as usize, place, squares[place], found, &may_stand);
                if look {
                    clock = profile.stop(Phase::Seed, clock);
                }
            }
            profile.stop(Phase::Exits, clock);
        }
        profile.time(Phase::Quiet, who, || batch.solve(instructions)).map_err(|_| {
            GenError::TooLong { signature: self.signature.to_string(), longest: LONGEST }
        })?;
        let mut solved = Solved::default();
        let mut plain = Vec::new();
        let is_kept = self.means.journal.is_some();
        profile.time(Phase::Output, who, || {
            for (place, (&number, men)) in fibres.iter().zip(&men).enumerate() {
                let fibre = self.packer.fibre(number, men);
                let plain = is_kept.then_some(&mut plain);
                self.finish(&mut workspace, place, &fibre, &mut solved, plain);
            }
        });
        lock().push(workspace);
        let record = match &self.means.journal {
            None => Vec::new(),
            Some(Keeping { directory, .. }) => {
                let compressed = profile.time(Phase::Output, who, || results::compress(&plain));
                compressed.map_err(GenError::io("compress for", *directory))?
            }
        };
        Ok((solved, record))
    }

    /// Takes a solved fibre out of its batch, also into what the journal keeps of it.
    fn finish(
        &self,
        workspace: &mut WorkspaceOf<'_, G>,
        place: usize,
        fibre: &Fibre<'_>,
        solved: &mut Solved,
        mut plain: Option<&mut Vec<u8>>,
    ) {
        let Workspace { batch, scores, forced, run, .. } = workspace;
        for mover in Color::BOTH {
            let scores = batch.scores(mover as usize, place, scores);
            let has_run = self.packer.has_run(mover, fibre);
            let forced = has_run.then(|| batch.forced(mover as usize, place, forced));
            let frame = self.packer.add(mover, fibre, scores, forced, run, solved);
            if let Some(plain) = &mut plain {
                results::write(&solved.packed[frame], forced, plain);
            }
        }
    }
}

/// How many fibres with crews of so many placements are solved together: as many
/// as fill rows of bits, if they have few columns.
pub(crate) fn batch_fibres(placements: [usize; 2]) -> usize {
    let [white, black] = placements;
    match white.min(black) {
        _ if white * black >= LARGE_ALONE << 1 => 1,
        1 => (SMALL_BATCH / (white * black)).clamp(16, 512),
        2..=32 => 16,
        _ => 1,
    }
}

/// How many of so many fibres are solved together if `batch` would be best: fewer, but
/// not by far, where there would be too few batches for all threads.
pub(crate) fn share_out(fibres: usize, batch: usize) -> usize {
    fibres.div_ceil(FEWEST).clamp(batch.div_ceil(8), batch)
}

/// Whether fibres of so many scores are worked on one by one, by all threads;
/// `alone` says that there is but one.
pub(crate) fn is_large(frame: usize, alone: bool) -> bool {
    frame >= if alone { LARGE_ALONE } else { LARGE }
}

/// How many batches of so many positions a round has: a number that few threads can
/// share out evenly.
pub(crate) fn round_batches(positions: usize) -> usize {
    (ROUND_POSITIONS / positions / FEWEST * FEWEST).clamp(FEWEST, ROUND)
}

impl<G: Solvable> Solver<'_, G> {
    /// Collects the values of a signature of one fibre, in which images share a
    /// number.
    fn collect_folded(&self, frames: &Frames<G>, solution: &mut Solution<G>) {
        const CHUNK: u64 = 1 << 16;
        for &side in self.signature.sides() {
            let mover = side.color();
            let places = &self.packer.places[mover as usize];
            let frame = frames.frame(mover, 0);
            let starts: Vec<u64> = (0..places.index.len()).step_by(CHUNK as usize).collect();
            for starts in starts.chunks(ROUND) {
                let runs: Vec<(u64, Vec<u8>, Summary)> = starts
                    .par_iter()
                    .map(|&start| {
                        let end = (start + CHUNK).min(places.index.len());
                        let (mut scores, mut stored) = (Vec::new(), Vec::new());
                        for number in start..end {
                            let (row, column) = places.place(number);
                            let score = frame.get(row, column);
                            scores.push(score);
                            let position = places.index.position(number);
                            let is_stored = G::is_stored(&position);
                            stored.push(if is_stored { score } else { score::NONE });
                        }
                        let (mut packed, mut summary) = (Vec::new(), Summary::default());
                        score::pack(self.means.metric, start, &stored, &mut packed);
                        score::count(start, &scores, &mut summary);
                        (start, packed, summary)
                    })
                    .collect();
                for (start, packed, summary) in runs {
                    solution.put(mover, start, &packed);
                    solution.count(mover, summary);
                }
            }
            // Each image counts.
            let (mine, other) = (&self.crews[mover as usize], &self.crews[!mover as usize]);
            let stands =
                |set: u64, color| set != NOWHERE && G::may_stand(SquareSet::new(set), color, mover);
            let rows = other.sets().par_iter().enumerate().filter(|&(_, &set)| stands(set, !mover));
            let summaries = rows.map(|(row, &set)| {
                let mut buffer = Vec::new();
                let scores = frame.row(row, &mut buffer);
                let columns = mine.sets().iter().zip(scores);
                let legal =
                    columns.filter(|&(&my_set, _)| my_set & set == 0 && stands(my_set, mover));
                let legal: Vec<u8> = legal.map(|(_, &score)| score).collect();
                let mut summary = Summary::default();
                score::count(0, &legal, &mut summary);
                summary
            });
            let all = summaries.reduce(Summary::default, Summary::and);
            solution.count_images(mover, &all);
        }
    }
}
