//! What the solver has in memory, worked out before anything is done.

use super::frames::Exactness;
use super::solver::{batch_fibres, is_large, round_batches};
use super::stock::successors;
use damka_games::Material;
use damka_tables::combinatorics::choose;
use damka_tables::{Index, Layout, Signature};

/// The number of placements of the crew of `material`.
fn placements<G: Layout>(material: &Material) -> u64 {
    let kinds = (0..G::KINDS.len()).filter(|kind| !G::MEN.contains(kind));
    kinds.map(|kind| choose(G::SQUARES.into(), material.0[kind].into())).product()
}

/// The bytes of the frames of some materials.
fn pair_bytes<G: Layout>(exactness: Exactness, materials: [Material; 2]) -> u64 {
    let fibres = Index::<G>::fibres(materials[0], materials[1]).len();
    let [white, black] = materials.map(|material| placements::<G>(&material));
    let row = |columns: u64| exactness.row_bytes(columns as usize) as u64;
    fibres * (white * row(black) + black * row(white))
}

/// The bytes of the frames of a signature.
pub(crate) fn frames_bytes<G: Layout>(exactness: Exactness, signature: &Signature<G>) -> u64 {
    pair_bytes::<G>(exactness, signature.materials())
}

/// The bytes that solving a signature takes, besides the frames that it leads to:
/// those of them that have to be turned, its own frames, its values in order, and
/// what each thread works with.
pub(crate) fn working_bytes<G: Layout>(
    exactness: Exactness,
    signature: &Signature<G>,
    positions: u64,
    threads: usize,
) -> u64 {
    let materials = signature.materials();
    let turned = successors::<G>(materials).into_iter().filter(|&[white, black]| {
        Signature::<G>::new(white, black).0.materials() != [white, black]
    });
    let turned: u64 = turned.map(|materials| pair_bytes::<G>(exactness, materials)).sum();
    let own = frames_bytes(exactness, signature);
    let values = match exactness {
        Exactness::Wdl => positions / 4,
        Exactness::Dtw => positions,
    };
    let crews = materials.map(|material| placements::<G>(&material) as usize);
    let frame = crews[0] * crews[1];
    let has_men = materials.iter().any(|side| G::MEN.iter().any(|&kind| side.0[kind] > 0));
    // Of each half scores, forced values and rows of bits; what exits are worth, for
    // one half in two versions; a frame in order.
    let mut copies = 2.0 * 2.5 + 4.0 + 2.0;
    if has_men {
        copies += 2.0 + 1.0 + 2.0;
    }
    let batch = batch_fibres(crews);
    let (workspaces, round) = match is_large(frame, !has_men) {
        // The exits are found in parts.
        true => (copies + threads.min(8) as f64, 1),
        false => (copies * threads as f64, round_batches(batch * frame)),
    };
    let workspaces = workspaces * (batch * frame) as f64;
    // The results of a round: frames, those of the mirror images, and values.
    let results = (round * batch * frame) as u64 * 4;
    // Sets, squares taken and left, moves, and what placements become with a king more.
    let crews = crews.iter().sum::<usize>() as u64 * 640;
    let order = Index::<G>::fibres(materials[0], materials[1]).len() * 8;
    turned + own + values + workspaces as u64 + results + crews + order
}
