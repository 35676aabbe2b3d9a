//! The server as its clients see it, over sockets.

mod answers;
mod client;
mod described;
mod errors;
mod lila;
mod limits;
mod reload;
