use super::{ExitScores, Exits, Task};
use crate::solve::instructions::Instructions;
use crate::solve::method::Solvable;
use crate::solve::rows::lookup::Lookup;
use crate::solve::rows::placements::{NOWHERE, PlacementCache, Placements};
use crate::solve::score;
use damka_games::{Game, Material, Pieces, Position, SquareSet};

use std::sync::Arc;

/// Finds exits one position at a time, from the rules of any game.
#[derive(Debug)]
pub struct OneByOne {
    /// White's and Black's.
    placements: [Arc<Placements>; 2],
}

impl<G: Solvable> Exits<G> for OneByOne {
    type Buffers = ();

    fn new(_: G, cache: &PlacementCache, materials: [Material; 2]) -> OneByOne {
        OneByOne { placements: materials.map(|material| cache.get::<G>(&material)) }
    }

    fn buffer_bytes(_: G, _: usize, _: usize) -> usize {
        0
    }

    fn find(
        &self,
        _: Instructions,
        lookup: Lookup<'_, G>,
        men: &Pieces,
        task: Task,
        (): &mut (),
        found: &mut ExitScores,
    ) {
        let Task { mover, forced_only, .. } = task;
        let (mine, other) = (&self.placements[mover as usize], &self.placements[!mover as usize]);
        found.clear(mine.len(), other.len());
        let taken = men.occupied().bits();
        let stands = |set: u64, color| {
            set & taken == 0 && set != NOWHERE && G::may_stand(SquareSet::new(set), color, mover)
        };
        for (row, &my_set) in mine.sets().iter().enumerate() {
            if !stands(my_set, mover) {
                continue;
            }
            for (column, &set) in other.sets().iter().enumerate() {
                if set & my_set != 0 || !stands(set, !mover) {
                    continue;
                }
                let mut pieces = *men;
                mine.put(row, mover, &mut pieces);
                other.put(column, !mover, &mut pieces);
                let position = lookup.own.game().assemble(&pieces, mover);
                let forced = position.captures_only();
                if forced_only && !forced {
                    continue;
                }
                let moves = position.moves();
                let exits = moves.iter().filter(|&&mv| forced || is_exit::<G>(&position, mv));
                let scores = exits.map(|&mv| lookup.score(&position.play(mv)));
                let best = scores.min().map(score::before_move);
                let cell = row * other.len() + column;
                match forced {
                    true => found.forced[cell] = best.unwrap_or(score::LOSS),
                    false => {
                        if let Some(best) = best {
                            found.with_exits();
                            found.exits[cell] = best;
                        }
                    }
                }
            }
        }
    }
}

/// Whether a move is a zeroing move, so that its successor is an exit.
fn is_exit<G: Game>(position: &G::Position, mv: G::Move) -> bool {
    let men = |position: &G::Position, color| {
        G::MEN.iter().map(|&kind| position.pieces(color, kind)).collect::<SquareSet>()
    };
    let mover = position.turn();
    position.is_capture(mv)
        || !G::MEN.is_empty() && men(&position.play(mv), mover) != men(position, mover)
}
