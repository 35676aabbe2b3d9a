//! Rules, positions, moves and their notation.

mod alapo;
mod bitboards;
mod chess;
mod draughts;
mod fen;
mod perft;
mod rules;
