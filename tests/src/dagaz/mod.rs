//! A mock of DagazServer, which does what the server was seen to do, with its oddities; a referee,
//! who asks what the server never asks; and faults, at chosen moments or at random.
//!
//! * `http.rs`, `server.rs`: requests, answers and connections
//! * `faults.rs`: what goes wrong, and when
//! * `state.rs`, `clock.rs`: what the server knows; `shared.rs`: how its threads share it
//! * `routes/`: what it answers, call by call; `fields.rs`: what is asked; `tokens.rs`: by whom
//! * `referee.rs`, `violation.rs`: legal moves, right results; `site/`: positions and moves as the site writes them

mod clock;
mod faults;
mod fields;
mod http;
mod referee;
mod routes;
mod server;
mod shared;
pub mod site;
mod state;
mod tokens;
mod violation;

pub use clock::TimeControl;
pub use faults::{Fault, Plan};
pub use http::Reply;
pub use server::DELAY;
pub use shared::Call;
pub use state::Ending;
pub use violation::{Breach, Violation};

use shared::Shared;
use state::{Numbered, Session, State, Tournament};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::thread::{self, JoinHandle};

/// A server that listens until it is dropped.
pub struct Mock {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

/// What has become of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of the variant.
    pub variant: i64,
    /// The position now.
    pub setup: Option<String>,
    /// Whether it is over.
    pub is_closed: bool,
    /// How it has ended.
    pub ending: Option<Ending>,
    /// What the players have got: 1 won, 2 lost, 3 drawn.
    pub results: [Option<i64>; 2],
    /// What the players have left, in ms.
    pub times: [Option<i64>; 2],
    /// The seats.
    pub uids: [Option<i64>; 2],
    /// The moves stored.
    pub moves: Vec<String>,
}

impl Default for Mock {
    fn default() -> Mock {
        Mock::new()
    }
}

impl Mock {
    /// A server on a port of its own, with nobody and nothing in it.
    ///
    /// # Panics
    /// If there is no port.
    pub fn new() -> Mock {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared::new());
        let server = Arc::clone(&shared);
        let serve = move || server::serve(listener, &server).expect("a server");
        Mock { shared, address, thread: Some(thread::spawn(serve)) }
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    /// What is to go wrong.
    pub fn plan(&self) -> MutexGuard<'_, Plan> {
        self.shared.plan()
    }

    /// A new user: his number.
    pub fn add_user(&self, login: &str, password: &str) -> i64 {
        self.state().add_user(login, password)
    }

    /// Makes a user an administrator.
    pub fn make_admin(&self, user: i64) {
        self.state().user_mut(user).expect("a user").is_admin = true;
    }

    /// Makes a user the one who plays a variant for its owner.
    pub fn register(&self, variant: i64, user: i64) {
        self.state().registered.insert(variant, user);
    }

    /// A session between two users, the first of whom begins, as a tournament makes it: without a
    /// position.
    pub fn add_game(&self, variant: i64, users: [i64; 2], control: Option<TimeControl>) -> i64 {
        let mut state = self.state();
        let session = state.add_session(variant, control);
        for (user, player) in users.into_iter().zip(1..) {
            state.add_seat(session, user, player);
        }
        session
    }

    /// The same with a position.
    ///
    /// # Panics
    /// If `?turn=` does not say who is to move.
    pub fn add_game_at(&self, variant: i64, users: [i64; 2], setup: &str) -> i64 {
        let session = self.add_game(variant, users, TimeControl::numbered(2));
        let mut state = self.state();
        let game = state.sessions.get_mut(&session).expect("a session");
        game.next_player = Some(if setup.starts_with("?turn=1") { 2 } else { 1 });
        game.start = Some(setup.to_owned());
        game.setup = Some(setup.to_owned());
        session
    }

    /// A tournament that nobody has entered.
    pub fn add_tournament(&self, variant: i64, title: &str) -> i64 {
        let mut state = self.state();
        let id = state.number(Numbered::Tournament);
        let title = title.to_owned();
        let members = Vec::new();
        state.tournaments.insert(id, Tournament { title, variant, is_closed: false, members });
        id
    }

    /// From now on games are broken off as drawn after so many moves.
    pub fn break_off_after(&self, turns: i64) {
        self.state().longest = Some(turns);
    }

    /// Ends a session as somebody who does not play.
    ///
    /// # Panics
    /// If there is no such session.
    pub fn close(&self, session: i64) {
        self.state().sessions.get_mut(&session).expect("a session").break_off();
    }

    /// Lets so many ms go by, of every clock that runs.
    pub fn pass(&self, ms: i64) {
        self.state().clock.pass(ms);
    }

    /// Sets what a player, 1 or 2, has left.
    ///
    /// # Panics
    /// If there is no such session.
    pub fn set_time(&self, session: i64, player: i64, ms: i64) {
        let mut state = self.state();
        let session = state.sessions.get_mut(&session).expect("a session");
        session.seats.iter_mut().filter(|seat| seat.player == player).for_each(|seat| {
            seat.time = Some(ms);
        });
    }

    /// A session, by its number.
    ///
    /// # Panics
    /// If there is none.
    pub fn game(&self, session: i64) -> Game {
        told(&self.state().sessions[&session])
    }

    /// All sessions.
    pub fn games(&self) -> Vec<Game> {
        self.state().sessions.values().map(told).collect()
    }

    /// How many sessions are not over.
    pub fn open_games(&self) -> usize {
        self.state().sessions.values().filter(|session| !session.is_closed).count()
    }

    /// What players have done that they must not.
    pub fn violations(&self) -> Vec<Violation> {
        self.state().violations.clone()
    }

    /// The last requests.
    pub fn last_calls(&self) -> Vec<Call> {
        self.shared.calls().last.iter().cloned().collect()
    }

    /// The number of requests so far.
    pub fn count_calls(&self) -> usize {
        self.shared.calls().count
    }

    /// What has gone wrong on purpose so far.
    pub fn faults(&self) -> Vec<Fault> {
        self.shared.calls().faults.clone()
    }

    /// All tokens that are known.
    pub fn tokens(&self) -> Vec<String> {
        self.state().tokens.iter().map(|token| token.text.clone()).collect()
    }
}

fn told(session: &Session) -> Game {
    let seat = |player| session.seats.iter().find(|seat| seat.player == player);
    Game {
        variant: session.variant,
        setup: session.setup.clone(),
        is_closed: session.is_closed,
        ending: session.ending,
        results: [1, 2].map(|player| seat(player).and_then(|seat| seat.result)),
        times: [1, 2].map(|player| seat(player).and_then(|seat| seat.time)),
        uids: [1, 2].map(|player| seat(player).map(|seat| seat.uid)),
        moves: session.moves.iter().map(|mv| mv.text.clone()).collect(),
    }
}

impl Drop for Mock {
    /// Ends the thread that listens.
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Release);
        // It waits for a connection; while it restarts it will have none.
        while !self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            drop(TcpStream::connect(self.address));
        }
        drop(self.thread.take().map(JoinHandle::join));
    }
}
