use super::frames::{Frame, Frames};
use crate::solve::by_material::SolvedByMaterial;
use crate::solve::method::Solvable;
use crate::solve::score;
use damka_games::{Color, Material, Pieces, Position};

/// Everything solved before the current fibre: the successors of its signature, and earlier fibres
/// of the signature itself.
#[derive(Debug)]
pub struct Lookup<'a, G> {
    pub(super) successors: &'a SolvedByMaterial<Frames<G>>,
    pub(super) own: &'a Frames<G>,
}

impl<G> Clone for Lookup<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Lookup<'_, G> {}

impl<'a, G: Solvable> Lookup<'a, G> {
    fn frames(&self, materials: &[Material; 2]) -> &'a Frames<G> {
        match *materials == self.own.materials() {
            true => self.own,
            false => self.successors.find(materials).unwrap_or_else(|| {
                panic!("{} {materials:?} has not been solved or loaded", self.own.game().name())
            }),
        }
    }

    /// The frame of the fibre with these men and materials (White's first). Pieces other than men
    /// are ignored.
    ///
    /// # Panics
    /// If frames of these materials have not been solved or loaded.
    #[inline]
    pub(super) fn frame(&self, men: &Pieces, materials: &[Material; 2], turn: Color) -> Frame<'a> {
        match materials[turn as usize].total() {
            0 => Frame::LOST,
            _ => self.frames(materials).frame_of(men, turn),
        }
    }

    /// The score of a position.
    pub(super) fn score(&self, position: &G::Position) -> u8 {
        let turn = position.turn();
        let materials = Color::BOTH.map(|color| position.material(color));
        if materials[turn as usize].total() == 0 {
            return score::LOSS;
        }
        let frames = self.frames(&materials);
        let pieces = position.setup().pieces;
        let [white, black] = frames.placements();
        let placements =
            [white.number_of(&pieces, Color::White), black.number_of(&pieces, Color::Black)];
        let frame = frames.frame_of(&pieces, turn);
        frame.get(placements[!turn as usize], placements[turn as usize])
    }
}
