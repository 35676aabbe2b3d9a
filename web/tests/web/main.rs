//! Tests the server with clients over sockets.

mod answers;
mod client;
mod described;
mod errors;
mod lila;
mod limits;
mod reload;
