//! Bots that play on game servers with the damka engine.

pub mod dagaz;
