//! Matches, played to their end.

mod openings;
mod outside;
mod playing;
