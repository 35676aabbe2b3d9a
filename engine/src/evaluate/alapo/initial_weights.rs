//! The initial weights, for pieces by row and for the squares that they reach. They were fitted to
//! the results of games of the engine against itself.

use super::features::{self, FILES, LEVELS, SIDES, SIZE};
use super::{PIECES, SLIDERS};
use crate::evaluate::Weights;
use damka_games::Alapo;

/// The bonus of a king, a wazir and a fers on each row from the second to the last but one.
const ADVANCED: [[i32; SIZE - 2]; 3] = [[62, 75, 99, 150], [33, 66, 129, 204], [38, 47, 81, 125]];

/// The value of a square of the home rank by the number of its guards: none, one, more.
const GUARDED: [i32; LEVELS] = [-18, 0, 16];
/// The penalty if an enemy reaches a square of the home rank, by the number of its guards.
const ATTACKED: [i32; LEVELS] = [73, 13, 13];

pub(super) fn weights() -> Weights<Alapo> {
    let mut weights = Weights::zero(Alapo);
    let mut set = |feature, hundredths: i32| weights.set(feature, [hundredths as f32; 2]);
    for (kind, weight) in PIECES.into_iter().enumerate() {
        for index in 0..SIZE * FILES {
            let row = index / FILES;
            let advanced = match (kind, row) {
                (SLIDERS.., 1..5) => ADVANCED[kind - SLIDERS][row - 1],
                _ => 0,
            };
            set(features::ON_SQUARE + kind * SIZE * FILES + index, weight + advanced);
        }
    }
    for row in 0..SIZE {
        set(features::OWN + row, 4);
        set(features::DISPUTED + row, 4);
    }
    set(features::STEP, 9);
    for index in 0..SIDES * LEVELS * LEVELS {
        let (guards, enemies) = (index / LEVELS % LEVELS, index % LEVELS);
        let attacked = if enemies > 0 { ATTACKED[guards] } else { 0 };
        set(features::HOME + index, GUARDED[guards] - attacked);
    }
    set(features::RUN, 20);
    set(features::TEMPO, 9);
    weights
}
