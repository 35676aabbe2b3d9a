//! The method that solves each family of games.

use super::method::Solvable;
use super::rows::{ByRows, DraughtsExits, OneByOne, RowKernel, can_find};
use super::slots::{self, BySlots};
use damka_games::chess::{self, PAWN};
use damka_games::draughts::{Position, promotion_row};
use damka_games::{Alapo, Chess, Color, Draughts, Position as _, SquareSet};

impl Solvable for Draughts {
    type Method = ByRows<RowKernel<Draughts, DraughtsExits>>;
    const QUICK_PIECES: u32 = 4;

    fn advance(position: &Position) -> u32 {
        let men = |color| position.side(color) & !position.kings();
        // Row 0 is rank 8.
        let rows = |men: SquareSet| men.into_iter().map(|square| u32::from(square.index() / 4));
        let white = rows(men(Color::White)).map(|row| 7 - row).sum::<u32>();
        white + rows(men(Color::Black)).sum::<u32>()
    }

    fn promotion_squares(color: Color) -> SquareSet {
        promotion_row(color)
    }

    fn has_bulk_exits(self) -> bool {
        can_find(self.rules())
    }
}

/// The method for any game: exits are found by the rules of the game, one position at a time.
pub type ByRules<G> = ByRows<RowKernel<G, OneByOne>>;

impl Solvable for Alapo {
    type Method = ByRules<Alapo>;
    const QUICK_PIECES: u32 = 3;
}

impl Solvable for Chess {
    type Method = BySlots;
    const QUICK_PIECES: u32 = 4;

    fn advance(position: &chess::Position) -> u32 {
        let pawns = |color| position.pieces(color, PAWN).bits();
        slots::advance(Color::BOTH.map(pawns)) as u32
    }
}
