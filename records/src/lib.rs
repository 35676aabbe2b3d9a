//! Recorded games of any game damka knows: what is in them, and how they are read and written.

pub mod pdn;
