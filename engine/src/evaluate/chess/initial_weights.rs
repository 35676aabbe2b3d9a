//! The initial weights, estimated from common knowledge of chess.

use super::distance::{OFFSETS, offset};
use super::features::{self, MAX_DANGER, MAX_MOBILITY};
use super::pawns;
use crate::evaluate::{Evaluated, Weights};
use damka_games::chess::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};
use damka_games::{Chess, Kind};

/// An endgame and an opening value, in hundredths of a pawn.
type Pair = [f32; 2];

/// Piece values, by kind.
const MATERIAL: [Pair; 6] =
    [[0.0, 0.0], [800.0, 1250.0], [520.0, 570.0], [280.0, 430.0], [245.0, 405.0], [118.0, 92.0]];

pub(super) fn weights() -> Weights<Chess> {
    let mut weights = Table(vec![[0.0; 2]; Chess::FEATURES]);
    for (kind, weight) in MATERIAL.into_iter().enumerate() {
        weights.add(features::MATERIAL + kind, weight);
    }
    for kind in [KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN] {
        for square in 0..64 {
            let weight = on_square(kind, square / 8, square % 8);
            weights.add(features::ON_SQUARE + kind.index() * 64 + square, weight);
        }
    }
    weights.add_king_neighbours();
    weights.add_mobility();
    weights.add_danger();
    weights.add_pawns();
    let others = [
        (features::BISHOP_PAIR, [45.0, 30.0]),
        (features::BAD_BISHOP, [-5.0, -2.0]),
        (features::OUTPOST + KNIGHT.index(), [12.0, 25.0]),
        (features::OUTPOST + BISHOP.index(), [5.0, 15.0]),
        (features::ROOK_HALF_OPEN, [8.0, 14.0]),
        (features::ROOK_OPEN, [12.0, 32.0]),
        (features::KING_HALF_OPEN, [0.0, -15.0]),
        (features::KING_OPEN, [0.0, -22.0]),
        (features::TEMPO, [10.0, 16.0]),
    ];
    for (feature, weight) in others {
        weights.add(feature, weight);
    }
    // Threats by pawns, by knights and bishops, by rooks.
    let threats = [[40.0, 55.0], [35.0, 30.0], [35.0, 25.0]];
    for (class, weight) in threats.into_iter().enumerate() {
        for kind in [QUEEN, ROOK, BISHOP, KNIGHT] {
            weights.add(features::THREAT + 6 * class + kind.index(), weight);
        }
        let weight = if class == 0 { [0.0, 0.0] } else { [12.0, 5.0] };
        weights.add(features::THREAT + 6 * class + PAWN.index(), weight);
    }
    weights.into_weights()
}

/// The piece-square value for a rank and a file, both from 0, if the king of the piece's side is on
/// one of the files 4 to 7.
fn on_square(kind: Kind, rank: usize, file: usize) -> Pair {
    let inward = |place: usize| place.min(7 - place) as f32;
    let (files, ranks) = (inward(file), inward(rank));
    // From 0 in a corner to 6 in the middle.
    let centre = files + ranks;
    let advance = rank as f32;
    match kind {
        PAWN => {
            let middle = [-8.0, -2.0, 4.0, 10.0][files as usize];
            let start = middle * [0.0, 0.0, 0.8, 2.0, 2.5, 3.0, 3.5, 0.0][rank];
            [[0.0, 0.0, 3.0, 6.0, 14.0, 28.0, 48.0, 0.0][rank], 0.7 * start + 1.5 * advance]
        }
        KNIGHT => {
            let forward = [-8.0, 0.0, 3.0, 8.0, 14.0, 14.0, 4.0, -8.0][rank];
            [7.0 * centre - 28.0, 8.0 * centre - 30.0 + forward]
        }
        BISHOP => {
            let forward = if rank == 0 { -10.0 } else { 0.0 };
            [4.0 * centre - 12.0, 4.0 * centre - 10.0 + forward]
        }
        ROOK => {
            let seventh = if rank == 6 { [12.0, 15.0] } else { [0.0, 0.0] };
            [seventh[0], seventh[1] + 4.0 * files - 6.0]
        }
        QUEEN => {
            let home = if rank == 0 { 0.0 } else { -3.0 };
            [7.0 * centre - 21.0, centre - 3.0 + home]
        }
        _ => {
            // The king belongs in a castled position in the opening, and in the middle in the
            // endgame.
            let castled = [22.0, 30.0, 12.0, -8.0][files as usize];
            let exposed = [0.0, -22.0, -50.0, -75.0, -95.0, -110.0, -120.0, -125.0][rank];
            [5.0 * centre - 18.0, castled + exposed]
        }
    }
}

/// Weights by feature.
struct Table(Vec<Pair>);

impl Table {
    fn add(&mut self, feature: usize, weight: Pair) {
        self.0[feature] = std::array::from_fn(|phase| self.0[feature][phase] + weight[phase]);
    }

    /// Pawns shelter their king, and pieces gain by being near the enemy king.
    fn add_king_neighbours(&mut self) {
        // From the corners, all offsets between two squares occur.
        for king in [0, 7, 56, 63] {
            for square in 0..64 {
                let at = |kind: Kind| kind.index() * OFFSETS + offset(king, square);
                let apart = |one: usize, other: usize| one.abs_diff(other);
                let files = apart(king % 8, square % 8);
                let ranks = apart(king / 8, square / 8);
                if files <= 1 && king < square {
                    let shelter = [0.0, 18.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0][ranks];
                    self.set(features::PAWN_FROM_OWN_KING + offset(king, square), [0.0, shelter]);
                }
                let near = 7.0 - files.max(ranks) as f32;
                let other = features::FROM_OTHER_KING;
                self.set(other + at(KNIGHT), [1.0 * near, 2.5 * near]);
                self.set(other + at(BISHOP), [0.0, 1.0 * near]);
                self.set(other + at(QUEEN), [3.0 * near, 3.0 * near]);
                let file = if files <= 1 { 5.0 } else { 0.0 };
                self.set(other + at(ROOK), [0.0, file]);
            }
        }
    }

    fn set(&mut self, feature: usize, weight: Pair) {
        self.0[feature] = weight;
    }

    /// Each further square adds less: mobility grows with the square root.
    fn add_mobility(&mut self) {
        let kinds = [
            (KNIGHT, 4.0, [21.0, 28.0]),
            (BISHOP, 6.0, [18.0, 23.0]),
            (ROOK, 7.0, [27.0, 16.0]),
            (QUEEN, 12.0, [22.0, 10.0]),
        ];
        for (kind, usual, weight) in kinds {
            for mobility in 0..MAX_MOBILITY {
                let more = (mobility as f32).sqrt() - f32::sqrt(usual);
                let feature = features::MOBILITY + kind.index() * MAX_MOBILITY + mobility;
                self.add(feature, weight.map(|weight| weight * more));
            }
        }
    }

    /// The danger grows with the square of the units: attackers support each other.
    fn add_danger(&mut self) {
        for units in 0..=MAX_DANGER {
            let weight = (0.15 * (units * units) as f32).min(480.0);
            self.add(features::DANGER + units, [0.15 * weight, weight]);
        }
        let checks = [(QUEEN, 40.0), (ROOK, 50.0), (BISHOP, 20.0), (KNIGHT, 40.0)];
        for (kind, weight) in checks {
            self.add(features::SAFE_CHECK + kind.index(), [8.0, weight]);
        }
    }

    fn add_pawns(&mut self) {
        const PASSED: [Pair; 8] = [
            [0.0, 0.0],
            [10.0, 0.0],
            [14.0, 2.0],
            [28.0, 6.0],
            [48.0, 18.0],
            [80.0, 38.0],
            [125.0, 70.0],
            [0.0, 0.0],
        ];
        for (rank, weight) in PASSED.into_iter().enumerate() {
            let half = weight.map(|weight| weight / 2.0);
            self.add(features::PAWNS + pawns::PASSED + rank, weight);
            self.add(features::PAWNS + pawns::FREE + rank, [half[0], half[1] / 2.0]);
            self.add(
                features::PAWNS + pawns::PASSED_TOGETHER + rank,
                [half[0] / 2.0, half[1] / 2.0],
            );
            let together = [0.0, 2.0, 5.0, 9.0, 14.0, 22.0, 30.0, 0.0][rank];
            self.add(features::PAWNS + pawns::TOGETHER + rank, [together / 2.0, together]);
        }
        for steps in 0..8 {
            let far = steps as f32 - 3.0;
            self.add(features::PAWNS + pawns::OWN_KING + steps, [-8.0 * far, 0.0]);
            self.add(features::PAWNS + pawns::OTHER_KING + steps, [18.0 * far, 0.0]);
        }
        let others = [
            (pawns::RUNAWAY, [450.0, 450.0]),
            (pawns::ISOLATED, [-12.0, -12.0]),
            (pawns::DOUBLED, [-18.0, -8.0]),
            (pawns::BACKWARD, [-10.0, -10.0]),
        ];
        for (feature, weight) in others {
            self.add(features::PAWNS + feature, weight);
        }
    }

    fn into_weights(self) -> Weights<Chess> {
        let mut weights = Weights::zero(Chess);
        for (feature, weight) in self.0.into_iter().enumerate() {
            weights.set(feature, weight);
        }
        weights
    }
}
