use super::demand::{Demand, Rows};
use super::frames::Frames;
use super::kernel::Kernel;
use super::lookup::Lookup;
use super::placements::{self, PlacementCache, Placements};
use super::results::{BatchResults, Packer};
use super::schedule::Schedule;
use crate::alloc::with_capacity;
use crate::parallel;
use crate::solve::by_material::SolvedByMaterial;
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::men::{flip_set, men_of};
use crate::solve::method::{Method, Setting, Solvable};
use crate::solve::part::Part;
use crate::solve::score;
use crate::{GenError, Stop};
use damka_games::Position;
use damka_probe::Table;
use damka_tables::metric::Metric;
use damka_tables::{Index, Side, Signature, Value};
use std::sync::Arc;

/// Memory for loading the table of a signature of `positions` positions, besides its frames: the
/// values of one side to move; for each thread the scores of exits, twice, and the scores of a
/// fibre; and the frames of a round of fibres.
pub(crate) fn footprint<G: Solvable>(
    signature: &Signature<G>,
    positions: u64,
    options: MemoryOptions,
) -> Footprint {
    let (game, materials) = (signature.game(), signature.materials());
    let fibres = Index::fibres(game, materials[0], materials[1]).len() as usize;
    let placements = materials.map(|side| placements::count::<G>(&side) as usize);
    let frame = placements[0] * placements[1];
    let values = positions as usize / signature.sides().len();
    let threads = options.threads.min(fibres);
    let round = Schedule::new(placements, fibres == 1).round_fibres().min(fibres);
    let results = round * Frames::<G>::bytes_each(materials, options.metric) as usize;
    Footprint::of(values + threads * 4 * frame + results)
}

/// Loads the parts of the frames of a table's signature that `users` look up. Values that the table
/// does not store are computed from its successors.
///
/// # Errors
/// Fails if the table is damaged or has too long a distance, memory runs out, or the run is
/// interrupted.
pub(super) fn load<G, M, K>(
    setting: &Setting<'_, G>,
    table: &Table<G>,
    successors: &SolvedByMaterial<Frames<G>>,
    users: &[Signature<G>],
) -> Result<Frames<G>, GenError>
where
    G: Solvable<Method = M>,
    M: Method<G, Shared = PlacementCache>,
    K: Kernel<G>,
{
    let Setting { game, metric, instructions, scratch, shared, stop } = setting;
    let materials = table.signature().materials();
    let placements = materials.map(|material| shared.get::<G>(&material));
    let demand = Demand::new(materials, users);
    let mut frames =
        Frames::new(*game, *metric, materials, placements, Part::All, demand, *scratch)?;
    let kernel = K::new(*game, materials, *metric, *instructions, shared);
    let is_mirror = materials[0] == materials[1];
    for &side in table.signature().sides() {
        if !is_mirror && demand.0[side.color() as usize] == Rows::Nothing {
            continue;
        }
        load_side(table, side, *metric, &kernel, successors, &mut frames, stop)?;
    }
    Ok(frames)
}

/// Loads the frames of a table's signature with one side to move. Values that the table does not
/// store are computed from its successors.
///
/// # Errors
/// Fails if the table is damaged or has too long a distance, memory runs out, or the run is
/// interrupted.
fn load_side<G: Solvable, K: Kernel<G>>(
    table: &Table<G>,
    side: Side,
    metric: Metric,
    kernel: &K,
    successors: &SolvedByMaterial<Frames<G>>,
    frames: &mut Frames<G>,
    stop: &Stop,
) -> Result<(), GenError> {
    let signature = *table.signature();
    let longest = table.header().summary(side);
    let longest = [longest.longest_win, longest.longest_loss].into_iter().flatten();
    if longest.map(|longest| longest.plies).max() > Some(score::MAX_PLIES) {
        let signature = signature.to_string();
        return Err(GenError::TooLong { signature, longest: score::MAX_PLIES });
    }
    let (mover, materials) = (side.color(), signature.materials());
    let is_mirror = materials[0] == materials[1];
    let packer = Packer::new(signature.game(), metric, materials, frames.placements());
    let order = &packer.orders[mover as usize];
    let mut stored: Vec<u8> = with_capacity(order.index.len() as usize)?;
    table.read_values(side, |values| {
        // A don't-care may hold a distance that does not fit into a score.
        let score = |&value: &Value| score::of(value.reduced_to(metric)).unwrap_or(score::DRAW);
        stored.extend(values.iter().map(score));
    })?;

    let fibres: Vec<u64> = (0..frames.fibres().len()).collect();
    let run = order.index.len() / fibres.len() as u64;
    let placements = frames.placements().each_ref().map(|placements| placements.len());
    let round = Schedule::new(placements, fibres.len() == 1).round_fibres();
    for fibres in fibres.chunks(round) {
        stop.check()?;
        let lookup = Lookup { successors, own: &*frames };
        let load = |fibre: u64| {
            let men = men_of::<G>(&lookup.own.fibres().position(fibre));
            let forced = kernel.find_forced(lookup, mover, &men);
            let mut scores = vec![score::DRAW; forced.len()];
            if order.is_folded() {
                order.unfold(&stored, &forced, &mut scores);
            } else {
                let run = &stored[(order.fibre(&men) * run) as usize..][..run as usize];
                order.fill(&men, run, &forced, &mut scores);
            }
            if !metric.has_distances() {
                for score in &mut scores {
                    *score = score::without_distance(*score);
                }
            }
            let mut results = BatchResults::default();
            let fibre = packer.fibre(fibre, &men);
            packer.add_frame(mover, &fibre, &scores, is_mirror, &mut results);
            results
        };
        let loaded = parallel::map(fibres.iter().copied(), load);
        loaded.iter().for_each(|results| results.put_frames(frames));
    }
    Ok(())
}

/// The parts of frames that `users` look up, with colours exchanged.
///
/// # Errors
/// Fails if memory runs out.
pub(super) fn exchanged<G: Solvable<Method = M>, M: Method<G, Shared = PlacementCache>>(
    setting: &Setting<'_, G>,
    frames: &Frames<G>,
    users: &[Signature<G>],
) -> Result<Frames<G>, GenError> {
    let Setting { game, metric, scratch, .. } = *setting;
    let [white, black] = frames.materials();
    let [white_placements, black_placements] = frames.placements().clone();
    let placements = [black_placements, white_placements];
    let flipped = [&placements[0], &placements[1]]
        .map(|placements: &Arc<Placements>| placements.flipped(|set| flip_set(game, set)));
    let part = frames.part().flipped(|set| flip_set(game, set));
    let materials = [black, white];
    let demand = Demand::new(materials, users);
    let mut exchanged = Frames::new(game, metric, materials, placements, part, demand, scratch)?;
    exchanged.fill(|mover, men, kept| {
        let old = frames.frame_of(&men_of::<G>(&men.flip()), !mover);
        let (rows, columns) = (&flipped[!mover as usize], &flipped[mover as usize]);
        let mut buffer = Vec::new();
        let mut scores = Vec::with_capacity(kept.len() * columns.len());
        for &placement in kept {
            let row = old.row(rows[placement as usize] as usize, &mut buffer);
            scores.extend(columns.iter().map(|&column| row[column as usize]));
        }
        scores
    });
    Ok(exchanged)
}
