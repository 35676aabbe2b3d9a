//! Tests of the protocols.

mod client;
mod dxp;
mod hub;
mod uci;

use damka_engine::PlayerSettings;
use damka_engine::book::BookChoice;
use damka_games::Draughts;
use damka_protocols::Numbering;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// How long tests wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Little memory and no book.
fn settings(variant: Draughts) -> PlayerSettings<Draughts> {
    PlayerSettings { memory: 1 << 18, book: BookChoice::None, ..PlayerSettings::new(variant) }
}

/// In most tests moves number the squares as positions do.
const NUMBERING: Option<Numbering> = Some(Numbering::Top);

/// Runs `work` on another thread. Its result can be received with a time-out.
fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver
}

/// A board as in both protocols: a letter for each square.
fn board(pieces: &[(usize, char)]) -> String {
    let mut squares = ['e'; 32];
    for &(number, piece) in pieces {
        squares[number - 1] = piece;
    }
    squares.iter().collect()
}
