mod board;
mod fibre;
mod holes;
mod lanes;
mod moves;
mod pairs;
mod pawns;
mod reach;
mod seeds;
mod solve;
mod stuck;
mod world;

pub use board::Kind;
pub use fibre::{Counts, Fibre, Frame, Piece, Solved, View};
pub use solve::solve;

impl Fibre {
    /// The fibres that captures and pawn moves lead to, and those with which a double step can
    /// be answered.
    pub fn successors(&self) -> Vec<Fibre> {
        let pieces = (0..self.pieces().len()).map(|axis| self.without_piece(axis));
        let pawns = board::squares(self.all_pawns()).map(|square| self.without_pawn(square));
        let mut fibres: Vec<Fibre> = pieces.chain(pawns).collect();
        for mover in damka_games::Color::BOTH {
            for mv in pawns::PawnMove::all(self, mover) {
                fibres.push(mv.to);
                fibres.extend(mv.answers);
            }
        }
        fibres
    }
}

#[cfg(test)]
mod tests;
