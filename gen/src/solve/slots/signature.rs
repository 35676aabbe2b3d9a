//! A signature: its fibres one after the other.

use super::fibre::{Fibre, Frame, Solved, View};
use super::frames::{SlotFrames, fibres_of, materials_of, pieces_of, view};
use super::solve::solve;
use super::{collect, load};
use crate::GenError;
use crate::profile::{Phase, Who};
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::lookup::SolvedByMaterial;
use crate::solve::method::{Context, Method, Setting};
use crate::solve::score::LONGEST;
use crate::solve::solution::Solution;
use damka_games::chess::PAWN;
use damka_games::{Chess, Material};
use damka_probe::Table;
use damka_tables::{Index, Signature};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Fibre by fibre, each in sets of cells of slots.
#[derive(Debug)]
pub struct BySlots;

/// What is solved when a fibre is: what its signature leads to, and fibres of its own.
struct Lookup<'a> {
    successors: &'a SolvedByMaterial<SlotFrames>,
    materials: [Material; 2],
    own: &'a FxHashMap<[u64; 2], Frame>,
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

/// The bytes of the scores of a fibre with both sides to move, and how many fibres there are.
fn sizes([white, black]: [Material; 2]) -> (usize, usize) {
    let fibres = Index::fibres(Chess, white, black).len();
    let has_pawns = white[PAWN] + black[PAWN] > 0;
    let fibre = Fibre::new(pieces_of(&[white, black]), [u64::from(has_pawns) << 8, 0]);
    let frame = 2 * fibre.pairs().len() * fibre.cells();
    // Some are their own mirror image.
    (frame, if has_pawns { (fibres as usize).div_ceil(2) + 64 } else { 1 })
}

impl Method<Chess> for BySlots {
    type Frames = SlotFrames;
    type Shared = ();

    fn frames_footprint(_: Chess, materials: [Material; 2], _: MemoryOptions) -> Footprint {
        let (frame, fibres) = sizes(materials);
        Footprint::of(frame * fibres)
    }

    fn turned_footprint(_: Chess, _: [Material; 2], _: MemoryOptions) -> Footprint {
        Footprint::default()
    }

    fn loading_footprint(
        signature: &Signature<Chess>,
        positions: u64,
        _: MemoryOptions,
    ) -> Footprint {
        Footprint::of(positions as usize / signature.sides().len())
    }

    /// Frames and values, and for each thread the scores of what leads out of a fibre, about as
    /// many again for sets of cells, and the frame itself.
    fn footprint(
        signature: &Signature<Chess>,
        positions: u64,
        options: MemoryOptions,
    ) -> Footprint {
        let (frame, fibres) = sizes(signature.materials());
        let threads = options.threads.min(fibres);
        Footprint::of(frame * fibres + 3 * threads * frame)
            + Solution::footprint(signature, positions, options)
    }

    fn solve(
        signature: Signature<Chess>,
        context: &Context<'_, Chess>,
    ) -> Result<(Solution<Chess>, SlotFrames), GenError> {
        let Context { setting, successors, profile, advanced, .. } = context;
        let materials = signature.materials();
        let indices = collect::indices(&signature);
        let positions: u64 = indices.iter().map(Index::len).sum();
        let groups = fibres_of(materials);
        let share = positions as f64 / groups.iter().flatten().count() as f64;
        let mut own = FxHashMap::default();
        for group in &groups {
            for fibres in group.chunks(2 * rayon::current_num_threads()) {
                if setting.stop.is_requested() {
                    return Err(GenError::Interrupted);
                }
                let lookup = Lookup { successors, materials, own: &own };
                let solve = |fibre: &Fibre| {
                    profile.time(Phase::Quiet, Who::Thread, || {
                        solve(setting.instructions, fibre, &lookup)
                    })
                };
                let solved: Result<Vec<Frame>, _> = fibres.par_iter().map(solve).collect();
                let solved = solved.map_err(|_| GenError::TooLong {
                    signature: signature.to_string(),
                    longest: LONGEST,
                })?;
                own.extend(solved.into_iter().map(|frame| (frame.fibre.pawns(), frame)));
                advanced((fibres.len() as f64 * share) as u64);
            }
        }
        let frames = SlotFrames::new(own);
        let lens: Vec<u64> = indices.iter().map(Index::len).collect();
        let mut solution = Solution::new(signature, setting.metric, &lens, setting.scratch)?;
        profile.time(Phase::Output, Who::All, || {
            for (&side, index) in signature.sides().iter().zip(&indices) {
                collect::collect(&frames, side.color(), index, setting.metric, &mut solution);
            }
        });
        Ok((solution, frames))
    }

    fn load(
        setting: &Setting<'_, Chess>,
        table: &Table<Chess>,
        _: &SolvedByMaterial<SlotFrames>,
    ) -> Result<SlotFrames, GenError> {
        load::load(setting, table)
    }

    fn turned(_: &Setting<'_, Chess>, frames: &Arc<SlotFrames>) -> Result<SlotFrames, GenError> {
        Ok(frames.exchanged())
    }
}
