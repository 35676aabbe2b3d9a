use super::connection::Connection;
use super::message::{Message, NOT_THIS_GAME};
use super::{DxpError, NAME, Options, Outcome, follow, prepare};
use damka_games::Draughts;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether somebody has come.
const INTERVAL: Duration = Duration::from_millis(10);

/// Who comes while another program is leaving waits so long for that.
const GRACE: Duration = Duration::from_millis(500);

/// So many may wait at a time.
const QUEUE: usize = 64;

/// What happens to a server.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// A game has been played.
    Finished(Outcome),
    /// A conversation ended before its time.
    Failed {
        /// The other program's address.
        peer: SocketAddr,
        /// Why it ended.
        error: DxpError,
    },
    /// A program was refused, as another one plays.
    Refused {
        /// Its address.
        peer: SocketAddr,
    },
}

/// Plays with one program after the other that connects, and refuses those that come meanwhile,
/// until `tell` breaks off. That is called on several threads.
///
/// # Errors
/// The listener has failed.
pub fn serve(
    listener: &TcpListener,
    options: &Options,
    tell: impl Fn(Event) -> ControlFlow<()> + Sync,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let is_over = AtomicBool::new(false);
    let tell = |event| {
        if tell(event).is_break() {
            is_over.store(true, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let mut game: Option<thread::ScopedJoinHandle<'_, ()>> = None;
        // Who has come, and how long he waits.
        let mut queue: VecDeque<(TcpStream, SocketAddr, Instant)> = VecDeque::new();
        while !is_over.load(Ordering::Relaxed) {
            match listener.accept() {
                Ok((stream, peer)) => queue.push_back((stream, peer, Instant::now() + GRACE)),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => thread::sleep(INTERVAL),
                    // It has gone again.
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted => {}
                    _ => return Err(error),
                },
            }
            let is_playing = game.as_ref().is_some_and(|game| !game.is_finished());
            let is_full = queue.len() == QUEUE;
            let Some((stream, peer, until)) = queue.pop_front() else { continue };
            if is_playing && !is_full && Instant::now() < until {
                queue.push_front((stream, peer, until));
                continue;
            }
            if is_playing {
                refuse(stream, options.settings.game);
                tell(Event::Refused { peer });
                continue;
            }
            game = Some(scope.spawn(move || {
                let played = |outcome: &Outcome| tell(Event::Finished(outcome.clone()));
                let ended = prepare(&stream).map_err(DxpError::from);
                if let Err(error) = ended.and_then(|()| follow(stream, options, played)) {
                    tell(Event::Failed { peer, error });
                }
            }));
        }
        Ok(())
    })
}

/// Tells a program that no game is to be had, if it still listens.
fn refuse(stream: TcpStream, variant: Draughts) {
    let answer = Message::GameAnswer { name: NAME.to_owned(), code: NOT_THIS_GAME };
    if prepare(&stream).is_ok() {
        let mut connection = Connection::new(stream, variant);
        let _ = connection.send(&answer);
        // What has come unread would take the answer back with it.
        let _ = connection.listen();
    }
}
