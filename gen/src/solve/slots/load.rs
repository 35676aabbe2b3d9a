//! Tables read back into frames.

use super::board::SQUARES;
use super::collect::indices;
use super::fibre::{Fibre, Frame};
use super::frames::{SlotFrames, fibres_of, kind_of};
use crate::GenError;
use crate::alloc::with_capacity;
use crate::solve::method::Setting;
use crate::solve::score::{self, LONGEST, NONE};
use damka_games::chess::{KING, PAWN, Position};
use damka_games::{Chess, Color, Game, Pieces, Position as _, Square, SquareSet};
use damka_probe::Table;
use damka_tables::{Indexable, Value};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The frames of a table's signature.
///
/// # Errors
/// The table is damaged, has too long a distance, there is no memory, or it was interrupted.
pub(super) fn load(
    setting: &Setting<'_, Chess>,
    table: &Table<Chess>,
) -> Result<SlotFrames, GenError> {
    let signature = *table.signature();
    let materials = signature.materials();
    let indices = indices(&signature);
    let mut stored = Vec::new();
    for (&side, index) in signature.sides().iter().zip(&indices) {
        let longest = table.header().summary(side);
        let longest = [longest.longest_win, longest.longest_loss].into_iter().flatten();
        if longest.map(|longest| longest.plies).max() > Some(LONGEST) {
            let signature = signature.to_string();
            return Err(GenError::TooLong { signature, longest: LONGEST });
        }
        let mut scores: Vec<u8> = with_capacity(index.len() as usize)?;
        table.read_values(side, |values| {
            let score = |value: &Value| score::of(value.under(setting.metric));
            scores.extend(values.iter().map(|value| score(value).unwrap_or(score::DRAW)));
        })?;
        stored.push(scores);
    }
    let mut frames = FxHashMap::default();
    for fibre in fibres_of(materials).into_iter().flatten() {
        if setting.stop.is_requested() {
            return Err(GenError::Interrupted);
        }
        let cells = fibre.cells();
        let scores = Color::BOTH.map(|mover| {
            // Equal sides are one.
            let side = (mover as usize).min(indices.len() - 1);
            let (index, stored) = (&indices[side], &stored[side]);
            let mut scores = vec![NONE; fibre.pairs().len() * cells];
            scores.par_chunks_mut(cells).enumerate().for_each(|(slot, scores)| {
                for (cell, score) in scores.iter_mut().enumerate() {
                    let position = position(&fibre, slot, cell, mover);
                    if let Some(position) = position.filter(Chess::is_legal) {
                        *score = stored[index.number(&position) as usize];
                    }
                }
            });
            scores
        });
        frames.insert(fibre.pawns(), Frame { fibre, scores });
    }
    Ok(SlotFrames::new(frames))
}

/// The position of a cell, White to move; `None` if pieces share a square.
fn position(fibre: &Fibre, slot: usize, cell: usize, mover: Color) -> Option<Position> {
    let mut pieces = Pieces::default();
    let mut taken = SquareSet::EMPTY;
    let mut put = |color: Color, kind, squares: SquareSet| {
        let is_free = (taken & squares).is_empty();
        taken |= squares;
        pieces[(color, kind)] |= squares;
        is_free
    };
    let kings = fibre.pairs().pair(slot);
    for color in Color::BOTH {
        put(color, PAWN, SquareSet::new(fibre.pawns()[color as usize]));
    }
    for color in Color::BOTH {
        if !put(color, KING, Square::new(kings[color as usize]).into()) {
            return None;
        }
    }
    let axes = fibre.pieces().len();
    for (axis, piece) in fibre.pieces().iter().enumerate() {
        let square = cell >> (6 * (axes - 1 - axis)) & (SQUARES - 1);
        if !put(piece.color, kind_of(*piece), Square::new(square as u8).into()) {
            return None;
        }
    }
    Some(Chess.assemble(&pieces, mover).with_white_to_move())
}
