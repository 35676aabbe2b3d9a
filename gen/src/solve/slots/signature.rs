//! Solves a signature, one fibre after the other.

use super::collect::{self, Collected, Order};
use super::conversions::conversions;
use super::fibre::{Fibre, SlotFrame, Solved, View};
use super::frames::{
    ByPawns, Demand, SlotFrames, advance, fibres_of, materials_of, pieces_of, view,
};
use super::pawns::PawnMove;
use super::solve::{Scores, Slowest, Unsolved, solve};
use crate::cost::PositionCost;
use crate::parallel;
use crate::profile::{CpuScope, Phase, Profile};
use crate::seed_scores::{SeedError, SeedReader, SeedWriter};
use crate::solve::by_material::SolvedByMaterial;
use crate::solve::counts::Counts;
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::journal::{self, Journal, JournalOptions, Limits, Unusable};
use crate::solve::method::{Context, Loading, Method, Setting};
use crate::solve::part::Part;
use crate::solve::score::{DRAW, MAX_PLIES, NONE, SLOWEST_LOSS, SLOWEST_WIN};
use crate::solve::solution::Solution;
use crate::{GenError, Stop};
use damka_games::chess::PAWN;
use damka_games::{Chess, Color, Material};
use damka_tables::combinatorics::choose;
use damka_tables::metric::Histogram;
use damka_tables::{Indexable, Side, Signature, Value};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use zstd::zstd_safe::compress_bound;

/// Solves fibre by fibre, each with sets of cells in slots.
#[derive(Debug)]
pub struct BySlots;

/// Everything solved before the current fibre: the successors of its signature, and earlier fibres
/// of the signature itself.
struct SlotLookup<'a> {
    successors: &'a SolvedByMaterial<SlotFrames>,
    materials: [Material; 2],
    own: &'a ByPawns,
}

impl Solved for SlotLookup<'_> {
    fn view(&self, fibre: &Fibre) -> View<'_> {
        let materials = materials_of(fibre);
        if materials == self.materials {
            return view(self.own, fibre);
        }
        match self.successors.find(&materials) {
            Some(frames) => frames.view(fibre),
            None => panic!("{materials:?} has not been solved or loaded"),
        }
    }
}

/// For these materials: a fibre of typical size, the number of fibres, and how many of their frames
/// are kept at a time while the signature is solved.
fn sizes([white, black]: [Material; 2]) -> (Fibre, usize, usize) {
    let [white_pawns, black_pawns] = [white, black].map(|side| u32::from(side[PAWN]));
    let pawns = white_pawns + black_pawns;
    // Pawns stand on ranks 2 to 7.
    let fibres = choose(48, white_pawns) * choose(48 - white_pawns, black_pawns);
    let fibres = fibres as usize;
    let fibre = Fibre::new(pieces_of(&[white, black]), [((1 << pawns) - 1) << 8, 0]);
    if pawns == 0 {
        return (fibre, 1, 0);
    }
    // With even numbers of like pawns, some fibres are their own mirror image: one for each of the
    // 24 squares on one half of the board, per pair of pawns.
    let is_even = [white, black].iter().all(|side| side[PAWN].is_multiple_of(2));
    let own_images = if is_even { 24usize.pow(pawns / 2) } else { 0 };
    let fibres = (fibres + own_images).div_ceil(2);
    // Pawns stand on six ranks. Frames of three consecutive sums of ranks are kept at a time.
    let sums = 5 * pawns as usize + 1;
    let kept = fibres.min((3 * fibres).div_ceil(sums) * pawns as usize);
    (fibre, fibres, kept)
}

impl Method<Chess> for BySlots {
    type Frames = SlotFrames;
    type Demand = Demand;
    type Shared = ();
    /// Tables are not loaded: solving again is as fast, and does not depend on what a table holds.
    const LOADING: Option<Loading<Chess, SlotFrames>> = None;

    fn cost(signature: &Signature<Chess>) -> PositionCost {
        PositionCost::by_slots(signature)
    }

    fn frames_footprint(
        _: Chess,
        materials: [Material; 2],
        users: &[Signature<Chess>],
        _: MemoryOptions,
    ) -> Footprint {
        let (fibre, fibres, _) = sizes(materials);
        Footprint::of(Demand::new(materials, users).bytes(&fibre) * fibres)
    }

    fn exchanged_footprint(
        _: Chess,
        _: [Material; 2],
        _: &[Signature<Chess>],
        _: MemoryOptions,
    ) -> Footprint {
        Footprint::default()
    }

    fn footprint(
        signature: &Signature<Chess>,
        positions: u64,
        _: &[Signature<Chess>],
        options: MemoryOptions,
    ) -> Footprint {
        working(signature, options)
            + Solution::footprint(signature, positions, options)
            + Solution::wdl_footprint(signature, positions, options)
    }

    fn solve(
        signature: Signature<Chess>,
        context: &Context<'_, Chess>,
    ) -> Result<(Solution<Chess>, SlotFrames), GenError> {
        let Context { setting, successors, users, part, profile, .. } = *context;
        let values = Values::new(signature, context)?;
        let work = SignatureSolver { signature, setting, users, part, profile, values: &values };
        let frames = work.solve(successors, context.journal.as_ref())?;
        Ok((values.into_solution(), frames))
    }

    fn demand(materials: [Material; 2], users: &[Signature<Chess>]) -> Demand {
        Demand::new(materials, users)
    }

    fn save(
        frames: &SlotFrames,
        materials: [Material; 2],
        demand: &Demand,
        seed: &mut SeedWriter<'_>,
    ) -> io::Result<()> {
        frames.save(materials, demand, seed)
    }

    fn restore(
        _: &Setting<'_, Chess>,
        materials: [Material; 2],
        held: &Demand,
        demand: &Demand,
        seed: &mut SeedReader<'_>,
    ) -> Result<SlotFrames, SeedError> {
        SlotFrames::restore(materials, held, demand, seed)
    }

    fn prune(
        _: &Setting<'_, Chess>,
        frames: &mut SlotFrames,
        materials: [Material; 2],
        users: &[Signature<Chess>],
    ) -> Result<(), GenError> {
        frames.prune(&Demand::new(materials, users));
        Ok(())
    }

    fn exchanged(
        _: &Setting<'_, Chess>,
        frames: &Arc<SlotFrames>,
        _: &[Signature<Chess>],
    ) -> Result<SlotFrames, GenError> {
        Ok(frames.exchanged())
    }
}

/// Memory for solving the fibres of a signature, without its values: the frames that later fibres
/// read, and for each thread the scores of exits, of captures, and sets of cells, or later the
/// scores of conversions.
fn working(signature: &Signature<Chess>, options: MemoryOptions) -> Footprint {
    let (fibre, fibres, kept) = sizes(signature.materials());
    let frame = 2 * fibre.pairs().len() * fibre.cells();
    // Without pawns, captures are the only exits of the fibre.
    let worked_on = if fibres == 1 { 2 } else { 3 * options.threads.min(fibres) };
    Footprint::of(frame * (kept + worked_on))
}

/// Counts the positions of a fibre and its mirror image, with White and with Black to move. Each is
/// counted once for every permutation of like pieces.
fn count(frame: &SlotFrame, slowest: &[Slowest]) -> [Histogram; 2] {
    let is_own_image = frame.fibre.mirrored().pawns() == frame.fibre.pawns();
    let images = if is_own_image { 1 } else { 2 };
    Color::BOTH.map(|mover| {
        let slowest = slowest.iter().filter(|lost| lost.mover == mover);
        let slowest: u64 =
            slowest.map(|lost| u64::from(frame.fibre.pairs().weight(lost.slot))).sum();
        let counts = View::new(frame, false).count(mover);
        let counts = counts.values().map(|(value, count)| match value {
            // Positions lost in `SLOWEST_LOSS` plies have the score of a draw, too.
            Value::DRAW => (value, images * (count - slowest)),
            _ => (value, images * count),
        });
        counts.chain([(Value::decided(SLOWEST_LOSS), images * slowest)]).collect()
    })
}

/// The values of a signature, collected as fibres are solved.
struct Values<'a> {
    signature: Signature<Chess>,
    order: Order,
    solution: Mutex<Solution<Chess>>,
    /// With White and with Black to move. Each position is counted once for every permutation of like
    /// pieces.
    counts: Mutex<[Histogram; 2]>,
    /// The average number of positions per fibre, for progress.
    positions_per_fibre: f64,
    on_progress: &'a (dyn Fn(u64) + Sync),
    stop: &'a Stop,
}

impl<'a> Values<'a> {
    fn new(
        signature: Signature<Chess>,
        context: &Context<'a, Chess>,
    ) -> Result<Values<'a>, GenError> {
        let Setting { metric, scratch, stop, .. } = *context.setting;
        let order = Order::new(&signature, metric);
        let lens = order.lens();
        let solution = Solution::new(signature, metric, &lens, scratch)?.with_wdl_apart(scratch)?;
        let fibres = fibres_of(signature.materials()).iter().flatten().count();
        Ok(Values {
            signature,
            order,
            solution: Mutex::new(solution),
            counts: Mutex::default(),
            positions_per_fibre: lens.iter().sum::<u64>() as f64 / fibres as f64,
            on_progress: context.on_progress,
            stop,
        })
    }

    /// Adds the values of a fibre.
    ///
    /// # Errors
    /// Fails if a stop is requested.
    fn put(
        &self,
        frame: SlotFrame,
        slowest: &[Slowest],
        lookup: &SlotLookup<'_>,
    ) -> Result<SlotFrame, Unsolved> {
        let of_fibre = count(&frame, slowest);
        for (all, counts) in lock(&self.counts).iter_mut().zip(&of_fibre) {
            all.extend(counts.values());
        }
        let conversions = |fibre: &Fibre, mover| conversions(fibre, mover, lookup);
        let put = |Collected { mover, start, packed, longest, illegal }| {
            let mut solution = lock(&self.solution);
            solution.put_all(mover, start, &packed);
            solution.count(mover, &longest);
            solution.count_illegal(mover, illegal);
            if self.stop.is_requested() { Err(Unsolved::Interrupted) } else { Ok(()) }
        };
        let frame = self.order.collect(frame, conversions, put)?;
        for &position in slowest {
            if let Some(number) = self.order.number(&frame.fibre, position) {
                lock(&self.solution).put_slowest_loss(position.mover, number);
            }
        }
        (self.on_progress)(self.positions_per_fibre as u64);
        Ok(frame)
    }

    /// Discards all values.
    fn clear(&self) {
        lock(&self.solution).clear();
        *lock(&self.counts) = Default::default();
    }

    fn into_solution(self) -> Solution<Chess> {
        let mut solution = self.solution.into_inner().unwrap_or_else(PoisonError::into_inner);
        let all = self.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Symmetric positions are counted individually, permutations of like pieces once.
        let like = collect::like_pieces(self.signature.materials());
        let like: u64 = like.iter().map(|&n| (1..=u64::from(n)).product::<u64>()).product();
        for &side in self.signature.sides() {
            let counts = all[side as usize].values();
            let histogram = counts.map(|(value, count)| (value, count / like)).collect();
            solution.count(side.color(), &Counts { histogram, ..Counts::default() });
        }
        solution
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The work of solving a signature.
struct SignatureSolver<'a> {
    signature: Signature<Chess>,
    setting: &'a Setting<'a, Chess>,
    users: &'a [Signature<Chess>],
    /// The fibres to solve.
    part: Part,
    profile: &'a Profile,
    /// Receives the values.
    values: &'a Values<'a>,
}

/// The fibres of a signature solved so far.
struct SolvedFibres<'a> {
    successors: &'a SolvedByMaterial<SlotFrames>,
    /// The parts of frames that users read.
    demand: Demand,
    /// Frames that later fibres of the signature may read.
    own: ByPawns,
    /// Retired frames, reduced to what users read.
    kept: ByPawns,
    /// The positions lost in [`SLOWEST_LOSS`](crate::solve::score::SLOWEST_LOSS) plies, each with
    /// its fibre.
    slowest: Vec<(Fibre, Slowest)>,
}

impl SolvedFibres<'_> {
    /// Retires the frames of fibres whose pawns have advanced at least `from` ranks, and keeps only the
    /// parts that users read.
    fn retire(&mut self, from: usize) {
        for (pawns, frame) in self.own.extract_if(|pawns, _| advance(*pawns) >= from) {
            if self.demand.whole {
                self.kept.insert(pawns, frame);
            } else if !self.demand.promotions.is_empty() {
                self.kept.insert(pawns, frame.after_promotions(&self.demand.promotions));
            }
        }
    }

    /// The lookup for solving a fibre. Retires the frames that neither this fibre nor later ones read.
    fn lookup(&mut self, materials: [Material; 2], fibre: &Fibre) -> SlotLookup<'_> {
        // A pawn move advances by at most two ranks.
        self.retire(advance(fibre.pawns()) + 3);
        SlotLookup { successors: self.successors, materials, own: &self.own }
    }

    fn insert(&mut self, frame: SlotFrame) {
        self.own.insert(frame.fibre.pawns(), frame);
    }

    /// Checks that wherever a pawn move leads to a loss in
    /// [`SLOWEST_LOSS`](crate::solve::score::SLOWEST_LOSS) plies, another move wins: the win after
    /// that loss has no score.
    ///
    /// # Errors
    /// Fails if such a position is not won.
    fn check(&self, frame: &SlotFrame) -> Result<(), Unsolved> {
        for (fibre, lost) in &self.slowest {
            let mover = !lost.mover;
            for (is_mirrored, from) in
                [(false, frame.fibre.clone()), (true, frame.fibre.mirrored())]
            {
                let mut cells = vec![NONE; fibre.cells()];
                let kings = fibre.pairs().pair(lost.slot);
                let leads_there = PawnMove::all(&from, mover).iter().any(|mv| mv.to == *fibre);
                if leads_there
                    && View::new(frame, is_mirrored).copy(mover, kings, None, &mut cells)
                    && cells[lost.cell] <= DRAW
                {
                    return Err(Unsolved::TooLong);
                }
            }
        }
        Ok(())
    }
}

impl SignatureSolver<'_> {
    /// Solves all fibres that are not in the journal. Returns the parts of the frames that users
    /// read.
    fn solve(
        &self,
        successors: &SolvedByMaterial<SlotFrames>,
        journal: Option<&JournalOptions<'_>>,
    ) -> Result<SlotFrames, GenError> {
        let SignatureSolver { signature, setting, users, profile, .. } = *self;
        let materials = signature.materials();
        let demand = Demand::new(materials, users);
        let mut done = SolvedFibres {
            successors,
            demand,
            own: ByPawns::default(),
            kept: ByPawns::default(),
            slowest: Vec::new(),
        };
        let mut fibres: Vec<Fibre> = fibres_of(materials).into_iter().flatten().collect();
        fibres.retain(|fibre| self.part.contains_on(fibre.pawns()));
        let mut left = &fibres[..];
        // A single fibre is not journalled.
        let mut journal = match journal.filter(|_| fibres.len() > 1) {
            None => None,
            Some(options) => Some(self.resume(options, &mut left, &mut done)?),
        };
        // Fibres with equal advance do not depend on each other.
        let groups = left.chunk_by(|a, b| advance(a.pawns()) == advance(b.pawns()));
        for fibres in groups.flat_map(|group| group.chunks(rayon::current_num_threads())) {
            if setting.stop.is_requested() {
                if let Some(journal) = &mut journal {
                    journal.sync()?;
                }
                return Err(GenError::Interrupted);
            }
            let lookup = done.lookup(materials, &fibres[0]);
            let solve = |fibre: &Fibre| {
                let Scores { sides, slowest } =
                    profile.time(Phase::Quiet, CpuScope::Thread, || {
                        solve(setting.instructions, setting.stop, fibre, &lookup)
                    })?;
                let record = journal.is_some().then(|| journal::compress(&sides.concat()));
                let frame = self.put(SlotFrame::new(fibre.clone(), sides), &slowest, &lookup)?;
                Ok((frame, slowest, record))
            };
            let solved = parallel::try_map(fibres, solve).map_err(|why| self.error(why))?;
            for (frame, slowest, record) in solved {
                done.check(&frame).map_err(|why| self.error(why))?;
                if !slowest.is_empty() {
                    // Records cannot express these losses, so journalling ends here.
                    journal = None;
                }
                if let (Some(journal), Some(record)) = (&mut journal, record) {
                    let record = record.map_err(GenError::io("compress for", journal.path()))?;
                    journal.add([&record[..]].into_iter())?;
                }
                let fibre = frame.fibre.clone();
                done.slowest.extend(slowest.into_iter().map(|lost| (fibre.clone(), lost)));
                done.insert(frame);
            }
        }
        done.retire(0);
        Ok(SlotFrames::new(done.kept))
    }

    /// Opens the journal and restores its fibres, removing them from `left`: all of them, or none
    /// if the journal cannot be used.
    fn resume(
        &self,
        options: &JournalOptions<'_>,
        left: &mut &[Fibre],
        done: &mut SolvedFibres<'_>,
    ) -> Result<Journal, GenError> {
        let all = *left;
        let bytes = |fibre: &Fibre| 2 * fibre.pairs().len() * fibre.cells();
        let limits = Limits { records: 1, bytes: compress_bound(bytes(&all[0])) };
        let take = |records: Vec<Vec<u8>>| {
            let [record] = &records[..] else {
                return Ok(Err(Unusable("a round does not consist of one fibre")));
            };
            let Some((fibre, others)) = left.split_first() else {
                return Ok(Err(Unusable("it has too many fibres")));
            };
            let scores = zstd::bulk::decompress(record, bytes(fibre)).ok();
            let Some(mut white) = scores.filter(|scores| scores.len() == bytes(fibre)) else {
                return Ok(Err(Unusable("a record does not match its fibre")));
            };
            let black = white.split_off(bytes(fibre) / 2);
            let frame = SlotFrame::new(fibre.clone(), [white, black]);
            let lookup = done.lookup(self.signature.materials(), fibre);
            match self.put(frame, &[], &lookup) {
                Ok(frame) => done.insert(frame),
                Err(Unsolved::TooLong) => return Ok(Err(Unusable("a distance is too long"))),
                Err(why @ Unsolved::Interrupted) => return Err(self.error(why)),
            }
            *left = others;
            Ok(Ok(()))
        };
        let (journal, is_sound) =
            Journal::resume(options, &self.signature, "scores", limits, take)?;
        if !is_sound {
            *left = all;
            done.own.clear();
            done.kept.clear();
            self.values.clear();
        }
        Ok(journal)
    }

    /// Adds the values of a fibre.
    ///
    /// # Errors
    /// Fails if a stop is requested, or if a distance is too long and either other signatures look it up
    /// or a table with distances would have to store it.
    fn put(
        &self,
        frame: SlotFrame,
        slowest: &[Slowest],
        lookup: &SlotLookup<'_>,
    ) -> Result<SlotFrame, Unsolved> {
        if !self.users.is_empty() && (frame.contains_score(SLOWEST_WIN) || !slowest.is_empty()) {
            return Err(Unsolved::TooLong);
        }
        let metric = self.setting.metric;
        let is_held = |lost: &Slowest| {
            let side = Side::of_color(lost.mover);
            metric.has_distances() && Chess::holds_side(&self.signature, metric, side)
        };
        if slowest.iter().any(is_held) {
            return Err(Unsolved::TooLong);
        }
        let put = || self.values.put(frame, slowest, lookup);
        self.profile.time(Phase::Output, CpuScope::Thread, put)
    }

    fn error(&self, why: Unsolved) -> GenError {
        match why {
            Unsolved::TooLong => {
                GenError::TooLong { signature: self.signature.to_string(), longest: MAX_PLIES }
            }
            Unsolved::Interrupted => GenError::Interrupted,
        }
    }
}
