//! Matches, played to their end.

mod openings;
mod playing;
