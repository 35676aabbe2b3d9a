use super::connection::Connection;
use super::message::{Message, NOT_THIS_GAME};
use super::{DxpError, GameOutcome, NAME, Options, follow, prepare};
use damka_games::Draughts;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The poll interval for new connections.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long a new connection waits for the previous program to leave.
const GRACE: Duration = Duration::from_millis(500);

/// The maximum number of waiting connections.
const QUEUE: usize = 64;

/// An event of a server.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// A game has been played.
    Finished(GameOutcome),
    /// A connection ended with an error.
    Failed {
        /// The address of the other program.
        peer: SocketAddr,
        /// The error.
        error: DxpError,
    },
    /// A program was refused because another one is playing.
    Refused {
        /// The address of the refused program.
        peer: SocketAddr,
    },
}

/// Plays with one program at a time, and refuses others that connect meanwhile, until `report` returns
/// `Break`. `report` is called on several threads.
///
/// # Errors
/// The listener fails.
pub fn serve(
    listener: &TcpListener,
    options: &Options,
    report: impl Fn(Event) -> ControlFlow<()> + Sync,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let is_over = AtomicBool::new(false);
    let report = |event| {
        if report(event).is_break() {
            is_over.store(true, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let mut game: Option<thread::ScopedJoinHandle<'_, ()>> = None;
        // Waiting connections and their deadlines.
        let mut queue: VecDeque<(TcpStream, SocketAddr, Instant)> = VecDeque::new();
        while !is_over.load(Ordering::Relaxed) {
            match listener.accept() {
                Ok((stream, peer)) => queue.push_back((stream, peer, Instant::now() + GRACE)),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => thread::sleep(INTERVAL),
                    // No connection: a signal has arrived, or the client has closed it before it was accepted.
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
                report(Event::Refused { peer });
                continue;
            }
            game = Some(scope.spawn(move || {
                let played = |outcome: &GameOutcome| report(Event::Finished(outcome.clone()));
                let ended = prepare(&stream).map_err(DxpError::from);
                if let Err(error) = ended.and_then(|()| follow(stream, options, played)) {
                    report(Event::Failed { peer, error });
                }
            }));
        }
        Ok(())
    })
}

/// Refuses a game.
fn refuse(stream: TcpStream, variant: Draughts) {
    let answer = Message::GameAnswer { name: NAME.to_owned(), code: NOT_THIS_GAME };
    if prepare(&stream).is_ok() {
        let mut connection = Connection::new(stream, variant);
        let _ = connection.send(&answer);
        // Closing with unread input would discard the answer.
        let _ = connection.listen();
    }
}
