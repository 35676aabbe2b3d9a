//! Recorded games of any game damka knows: what is in them, and how they are read and written.
//!
//! # Where things are
//!
//! * `pdn/`: lexer.rs cuts, reader.rs understands; the writer

pub mod pdn;
