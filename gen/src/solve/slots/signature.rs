//! A signature: its fibres one after the other.

use super::collect::{self, Collected, Order};
use super::conversions::conversions;
use super::fibre::{Counts, Fibre, Frame, Solved, View};
use super::frames::{
    Asked, ByPawns, SlotFrames, advance, fibres_of, materials_of, pieces_of, view,
};
use super::solve::{TooLong, solve};
use crate::GenError;
use crate::cost::Cost;
use crate::profile::{Phase, Profile, Who};
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::lookup::SolvedByMaterial;
use crate::solve::method::{Context, Method, Setting};
use crate::solve::score::{LONGEST, SLOWEST_WIN};
use crate::solve::solution::Solution;
use damka_games::chess::PAWN;
use damka_games::{Chess, Color, Material};
use damka_probe::Table;
use damka_tables::metric::Summary;
use damka_tables::{Index, Signature};
use rayon::prelude::*;
use std::sync::Arc;

/// Fibre by fibre, each in sets of cells of slots.
#[derive(Debug)]
pub struct BySlots;

/// What is solved when a fibre is: what its signature leads to, and fibres of its own.
struct Lookup<'a> {
    successors: &'a SolvedByMaterial<SlotFrames>,
    materials: [Material; 2],
    own: &'a ByPawns,
}

impl Solved for Lookup<'_> {
    fn view(&self, fibre: &Fibre) -> View<'_> {
        let materials = materials_of(fibre);
        if materials == self.materials {
            return view(self.own, fibre);
        }
        match self.successors.find(&materials) {
            Some(frames) => frames.view(fibre),
            None => panic!("{materials:?} must be solved before it is needed"),
        }
    }
}

/// A fibre such as those of these materials, how many of them there are, and how many of them are
/// kept for others while these are solved.
fn sizes([white, black]: [Material; 2]) -> (Fibre, usize, usize) {
    let fibres = Index::fibres(Chess, white, black).len() as usize;
    let pawns = u32::from(white[PAWN] + black[PAWN]);
    let fibre = Fibre::new(pieces_of(&[white, black]), [((1 << pawns) - 1) << 8, 0]);
    if pawns == 0 {
        return (fibre, 1, 0);
    }
    // Of like pawns in pairs some are their own mirror image: 24 places of a pawn have one each.
    let is_even = [white, black].iter().all(|side| side[PAWN].is_multiple_of(2));
    let own_images = if is_even { 24usize.pow(pawns / 2) } else { 0 };
    let fibres = (fibres + own_images).div_ceil(2);
    // Pawns stand on six ranks, and of these sums of ranks three are kept.
    let sums = 5 * pawns as usize + 1;
    let kept = fibres.min((3 * fibres).div_ceil(sums) * pawns as usize);
    (fibre, fibres, kept)
}

impl Method<Chess> for BySlots {
    type Frames = SlotFrames;
    type Shared = ();

    fn cost(signature: &Signature<Chess>) -> Cost {
        Cost::by_slots(signature)
    }

    fn frames_footprint(
        _: Chess,
        materials: [Material; 2],
        users: &[Signature<Chess>],
        _: MemoryOptions,
    ) -> Footprint {
        let (fibre, fibres, _) = sizes(materials);
        Footprint::of(Asked::new(materials, users).bytes(&fibre) * fibres)
    }

    fn turned_footprint(_: Chess, _: [Material; 2], _: MemoryOptions) -> Footprint {
        Footprint::default()
    }

    /// As solving it, without its values.
    fn loading_footprint(
        signature: &Signature<Chess>,
        _: u64,
        options: MemoryOptions,
    ) -> Footprint {
        working(signature, options)
    }

    fn footprint(
        signature: &Signature<Chess>,
        positions: u64,
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
        let Context { setting, profile, advanced, .. } = context;
        let order = Order::new(&signature, setting.metric);
        let lens = order.lens();
        let mut solution = Solution::new(signature, setting.metric, &lens, setting.scratch)?
            .with_wdl_apart(setting.scratch)?;
        let mut counts = [Counts::default(); 2];
        let (mut fibres, positions) = (0, lens.iter().sum::<u64>() as f64);
        let all = fibres_of(signature.materials()).iter().flatten().count() as f64;
        let finish = |frame: Frame, lookup: &Lookup<'_>| {
            profile.time(Phase::Output, Who::Thread, || {
                let counts = count(&frame);
                let conversions = Color::BOTH.map(|mover| conversions(&frame.fibre, mover, lookup));
                let conversions = Frame::new(frame.fibre.clone(), conversions);
                let (frame, collected) = order.collect(frame, conversions);
                (frame, (counts, collected))
            })
        };
        let work = Signatures { signature, setting, profile, users: context.users };
        let frames = work.solve(context.successors, finish, |(of_fibre, collected)| {
            for color in Color::BOTH {
                counts[color as usize].add(&of_fibre[color as usize]);
            }
            for Collected { mover, start, packed, summary, illegal } in collected {
                solution.put_all(mover, start, &packed);
                solution.count(mover, summary);
                solution.count_illegal(mover, illegal);
            }
            let done = |fibres: u32| (positions * f64::from(fibres) / all) as u64;
            fibres += 1;
            advanced(done(fibres) - done(fibres - 1));
        })?;
        // Each image counts, like pieces once.
        let like = collect::like_pieces(signature.materials());
        let like: u64 = like.iter().map(|&n| (1..=u64::from(n)).product::<u64>()).product();
        for &side in signature.sides() {
            let Counts { wins, draws, losses, .. } = counts[side as usize];
            let [wins, draws, losses] = [wins, draws, losses].map(|number| number / like);
            let images = Summary { wins, draws, losses, ..Summary::default() };
            solution.count_images(side.color(), &images);
        }
        Ok((solution, frames))
    }

    /// Solved again: that is as quick as reading the table, and asks less of what is in it.
    fn load(
        setting: &Setting<'_, Chess>,
        table: &Table<Chess>,
        successors: &SolvedByMaterial<SlotFrames>,
        users: &[Signature<Chess>],
    ) -> Result<SlotFrames, GenError> {
        let (signature, profile) = (*table.signature(), &Profile::default());
        Signatures { signature, setting, profile, users }.solve(successors, |f, _| (f, ()), |()| ())
    }

    fn keep(frames: &mut SlotFrames, materials: [Material; 2], users: &[Signature<Chess>]) {
        frames.keep(&Asked::new(materials, users));
    }

    fn turned(_: &Setting<'_, Chess>, frames: &Arc<SlotFrames>) -> Result<SlotFrames, GenError> {
        Ok(frames.exchanged())
    }
}

/// What a signature's fibres are solved with and kept as, its values left out: the frames of those
/// that later ones lead to, and for each thread the scores of what leads out of a fibre, what is
/// known of captures, sets of cells, and the frames that wait for those solved with them.
fn working(signature: &Signature<Chess>, options: MemoryOptions) -> Footprint {
    let (fibre, fibres, kept) = sizes(signature.materials());
    let frame = 2 * fibre.pairs().len() * fibre.cells();
    let threads = options.threads.min(fibres);
    Footprint::of(frame * kept + 5 * threads * frame)
}

/// Counts the positions of a fibre and its mirror image, White's and Black's to move.
fn count(frame: &Frame) -> [Counts; 2] {
    let is_own_image = frame.fibre.mirrored().pawns() == frame.fibre.pawns();
    Color::BOTH.map(|mover| {
        let counts = View::new(frame, false).count(mover);
        let mut all = counts;
        if !is_own_image {
            all.add(&counts);
        }
        all
    })
}

fn too_long(signature: Signature<Chess>) -> GenError {
    GenError::TooLong { signature: signature.to_string(), longest: LONGEST }
}

/// A signature whose fibres are solved.
struct Signatures<'a> {
    signature: Signature<Chess>,
    setting: &'a Setting<'a, Chess>,
    profile: &'a Profile,
    users: &'a [Signature<Chess>],
}

impl Signatures<'_> {
    /// Solves all fibres: each frame is given to `finish` on its thread, and what comes of it to
    /// `put`. Returns what is asked for of the frames.
    fn solve<T: Send>(
        &self,
        successors: &SolvedByMaterial<SlotFrames>,
        finish: impl Fn(Frame, &Lookup<'_>) -> (Frame, T) + Sync,
        mut put: impl FnMut(T),
    ) -> Result<SlotFrames, GenError> {
        let Signatures { signature, setting, profile, users } = *self;
        let materials = signature.materials();
        let asked = Asked::new(materials, users);
        let (mut own, mut kept) = (ByPawns::default(), ByPawns::default());
        let mut retire = |own: &mut ByPawns, least: usize| {
            for (pawns, frame) in own.extract_if(|pawns, _| advance(*pawns) >= least) {
                if asked.whole {
                    kept.insert(pawns, frame);
                } else if !asked.promotions.is_empty() {
                    kept.insert(pawns, frame.behind_promotions(&asked.promotions));
                }
            }
        };
        for group in fibres_of(materials) {
            for fibres in group.chunks(rayon::current_num_threads()) {
                if setting.stop.is_requested() {
                    return Err(GenError::Interrupted);
                }
                let lookup = Lookup { successors, materials, own: &own };
                let solve = |fibre: &Fibre| {
                    let scores = profile.time(Phase::Quiet, Who::Thread, || {
                        solve(setting.instructions, fibre, &lookup)
                    })?;
                    Ok(finish(Frame::new(fibre.clone(), scores), &lookup))
                };
                let solved: Result<Vec<(Frame, T)>, _> = fibres.par_iter().map(solve).collect();
                let solved = solved.map_err(|TooLong| too_long(signature))?;
                for (frame, result) in solved {
                    // Whoever leads there could not tell what is lost.
                    if !users.is_empty() && frame.has(SLOWEST_WIN) {
                        return Err(too_long(signature));
                    }
                    own.insert(frame.fibre.pawns(), frame);
                    put(result);
                }
            }
            // A pawn comes two ranks further at most.
            let advance = group.first().map_or(0, |fibre| advance(fibre.pawns()));
            retire(&mut own, advance + 2);
        }
        retire(&mut own, 0);
        Ok(SlotFrames::new(kept))
    }
}
