//! What positions are worth, game by game.

mod alapo;
mod draughts;
