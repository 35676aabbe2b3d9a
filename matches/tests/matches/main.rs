//! Tests of matches.

mod openings;
mod outside;
mod playing;
