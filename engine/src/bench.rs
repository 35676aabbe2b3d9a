//! Fixed searches: the number of positions they look at tells whether a change of the
//! search changes what it does, and the time how fast it is.

use crate::{Control, Engine, History, Limits, Playable};
use damka_games::Position;
use std::time::Duration;

/// How many positions are searched.
const POSITIONS: usize = 12;

/// What fixed searches have taken.
#[derive(Clone, Debug)]
pub struct Bench<G: Playable> {
    /// The positions, and how many were searched for each.
    pub nodes: Vec<(G::Position, u64)>,
    /// The time for all searches.
    pub time: Duration,
}

impl<G: Playable> Bench<G> {
    /// The number of positions searched.
    pub fn total(&self) -> u64 {
        self.nodes.iter().map(|(_, nodes)| nodes).sum()
    }
}

/// Searches fixed positions to this depth, each with an empty transposition table. With one
/// thread the numbers are always the same.
pub fn run<G: Playable>(engine: &mut Engine<G>, depth: u16) -> Bench<G> {
    let positions = positions(engine.game());
    let mut time = Duration::ZERO;
    let search = |position| {
        engine.forget();
        let game = History::new(position);
        let report = engine.search(&game, &Limits::depth(depth), &Control::default(), |_| ());
        time += report.time;
        (position, report.nodes)
    };
    let nodes = positions.into_iter().map(search).collect();
    Bench { nodes, time }
}

/// Positions from one game that is played by a rule, without sense: the start, and others
/// ever further from it.
fn positions<G: Playable>(game: G) -> Vec<G::Position> {
    let mut positions = vec![game.start()];
    let mut seed = 1usize;
    while positions.len() < POSITIONS {
        // A game of its own for each, so that none is over too soon.
        let plies = 3 * positions.len();
        let mut position = game.start();
        let mut played = 0;
        while played < plies {
            let moves = position.moves();
            let Some(&mv) = moves.get(seed % moves.len().max(1)) else { break };
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
