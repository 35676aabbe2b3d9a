//! The weights to begin with: fitted to the results of games that the engine has played with
//! itself, of pieces on their rows, and of what they reach.

use super::features::{self, FILES, LEVELS, SIDES, SIZE};
use super::{PIECES, SLIDERS};
use crate::evaluate::Weights;
use damka_games::Alapo;

/// What a king, a wazir and a fers gain on each row from the second to the last but one.
const ADVANCED: [[i32; SIZE - 2]; 3] = [[62, 75, 99, 150], [33, 66, 129, 204], [38, 47, 81, 125]];

/// What a square of the own home is worth by the number of its guards: none, one, more.
const GUARDED: [i32; LEVELS] = [-18, 0, 16];
/// What is lost if an enemy reaches it, by the same.
const ATTACKED: [i32; LEVELS] = [73, 13, 13];

pub(super) fn weights() -> Weights<Alapo> {
    let mut weights = Weights::zero(Alapo);
    let mut set = |feature, hundredths: i32| weights.set(feature, [hundredths as f32; 2]);
    for (kind, worth) in PIECES.into_iter().enumerate() {
        for place in 0..SIZE * FILES {
            let row = place / FILES;
            let advanced = match (kind, row) {
                (SLIDERS.., 1..5) => ADVANCED[kind - SLIDERS][row - 1],
                _ => 0,
            };
            set(features::ON_SQUARE + kind * SIZE * FILES + place, worth + advanced);
        }
    }
    for row in 0..SIZE {
        set(features::OWN + row, 4);
        set(features::DISPUTED + row, 4);
    }
    set(features::STEP, 9);
    for place in 0..SIDES * LEVELS * LEVELS {
        let (guards, enemies) = (place / LEVELS % LEVELS, place % LEVELS);
        let lost = if enemies > 0 { ATTACKED[guards] } else { 0 };
        set(features::HOME + place, GUARDED[guards] - lost);
    }
    set(features::RUN, 20);
    set(features::TEMPO, 9);
    weights
}
