//! The engine: what it finds, its rules of draws, its books.

mod book;
mod chess;
mod draws;
mod search;
