//! Tests of the engine: search, draw rules and opening books.

mod book;
mod chess;
mod draws;
mod player;
mod search;
