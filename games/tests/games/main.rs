//! Rules, positions, moves and their notation.

mod alapo;
mod chess;
mod draughts;
mod fen;
mod perft;
mod rules;
