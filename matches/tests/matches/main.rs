//! Tests of matches.

mod levels;
mod openings;
mod outside;
mod playing;
