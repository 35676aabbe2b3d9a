//! The engine: what it finds, its rules of draws, its books.

mod book;
mod draws;
mod search;
