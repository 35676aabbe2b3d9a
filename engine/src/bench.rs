//! The benchmark: searches of fixed positions. The node total is a checksum of the behaviour of the
//! search, and the time measures its speed.

use crate::{Control, Engine, History, Limits, Playable};
use damka_games::Position;
use std::time::Duration;

/// The number of positions searched.
const POSITIONS: usize = 12;

/// The result of a benchmark.
#[derive(Clone, Debug)]
pub struct Bench<G: Playable> {
    /// The positions, each with the nodes of its search.
    pub nodes: Vec<(G::Position, u64)>,
    /// The time of all searches.
    pub time: Duration,
}

impl<G: Playable> Bench<G> {
    /// The nodes of all searches.
    pub fn total(&self) -> u64 {
        self.nodes.iter().map(|(_, nodes)| nodes).sum()
    }
}

/// Searches the fixed positions to `depth` plies, each with an empty transposition table. With one
/// thread the node counts are deterministic.
pub fn run<G: Playable>(engine: &mut Engine<G>, depth: u16) -> Bench<G> {
    let positions = positions(engine.game());
    let mut time = Duration::ZERO;
    let search = |position| {
        engine.clear();
        let game = History::new(position);
        let report = engine.search(&game, &Limits::depth(depth), &Control::default(), |_| ());
        time += report.time;
        (position, report.nodes)
    };
    let nodes = positions.into_iter().map(search).collect();
    Bench { nodes, time }
}

/// The fixed positions: the start, and positions increasingly far into games of pseudorandom moves.
fn positions<G: Playable>(game: G) -> Vec<G::Position> {
    let mut positions = vec![game.start()];
    // A generator of its own instead of `Random`: the positions must not change between versions,
    // so that speeds can be compared.
    let mut seed = 1u64;
    while positions.len() < POSITIONS {
        // A new game for each position, as a single one might end too soon.
        let plies = 3 * positions.len();
        let mut position = game.start();
        let mut played = 0;
        while played < plies {
            let moves = position.moves();
            let Some(&mv) = moves.get((seed % moves.len().max(1) as u64) as usize) else { break };
            position = position.play(mv);
            seed = seed.wrapping_mul(25_214_903_917).wrapping_add(11) >> 1;
            played += 1;
        }
        seed += 1;
        if !position.moves().is_empty() && !position.captures_only() {
            positions.push(position);
        }
    }
    positions
}
