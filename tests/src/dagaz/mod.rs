//! A mock of DagazServer that behaves as observed, including oddities; a referee that checks what
//! the server does not check; and injected faults.
//!
//! * `http.rs`, `server.rs`: requests, answers and connections
//! * `faults.rs`: injected faults
//! * `state.rs`, `clock.rs`: the state of the server; `shared.rs`: what its threads share
//! * `routes/`: the answers of each call; `fields.rs`: fields of requests; `tokens.rs`: their users
//! * `referee.rs`, `violation.rs`: legal moves, right results; `site/`: the site's notation

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

/// The state of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of the variant.
    pub variant: i64,
    /// The current position.
    pub setup: Option<String>,
    /// Whether the session is over.
    pub is_closed: bool,
    /// How the session was closed.
    pub ending: Option<Ending>,
    /// The players' results: 1 won, 2 lost, 3 drawn.
    pub results: [Option<i64>; 2],
    /// The players' remaining times, in ms.
    pub times: [Option<i64>; 2],
    /// The seats.
    pub uids: [Option<i64>; 2],
    /// The stored moves.
    pub moves: Vec<String>,
}

impl Default for Mock {
    fn default() -> Mock {
        Mock::new()
    }
}

impl Mock {
    /// A server on a free port, without users and sessions.
    ///
    /// # Panics
    /// If there is no free port.
    pub fn new() -> Mock {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared::new());
        let server = Arc::clone(&shared);
        let serve = move || server::serve(listener, &server).expect("a server");
        Mock { shared, address, thread: Some(thread::spawn(serve)) }
    }

    /// The address of the server.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    /// The faults to inject.
    pub fn plan(&self) -> MutexGuard<'_, Plan> {
        self.shared.plan()
    }

    /// Adds a user; returns the user's number.
    pub fn add_user(&self, login: &str, password: &str) -> i64 {
        self.state().add_user(login, password)
    }

    /// Makes a user an administrator.
    pub fn make_admin(&self, user: i64) {
        self.state().user_mut(user).expect("a user").is_admin = true;
    }

    /// Registers a user as the bot of a variant. Lists show this user more sessions.
    pub fn register(&self, variant: i64, user: i64) {
        self.state().registered.insert(variant, user);
    }

    /// Adds a session between two users, the first of whom begins, without a position, as a
    /// tournament does.
    pub fn add_game(&self, variant: i64, users: [i64; 2], control: Option<TimeControl>) -> i64 {
        let mut state = self.state();
        let session = state.add_session(variant, control);
        for (user, player) in users.into_iter().zip(1..) {
            state.add_seat(session, user, player);
        }
        session
    }

    /// Adds a session with a position.
    ///
    /// # Panics
    /// If the session cannot be added.
    pub fn add_game_at(&self, variant: i64, users: [i64; 2], setup: &str) -> i64 {
        let session = self.add_game(variant, users, TimeControl::numbered(2));
        let mut state = self.state();
        let game = state.sessions.get_mut(&session).expect("a session");
        game.next_player = Some(if setup.starts_with("?turn=1") { 2 } else { 1 });
        game.start = Some(setup.to_owned());
        game.setup = Some(setup.to_owned());
        session
    }

    /// Adds a tournament without members.
    pub fn add_tournament(&self, variant: i64, title: &str) -> i64 {
        let mut state = self.state();
        let id = state.number(Numbered::Tournament);
        let title = title.to_owned();
        let members = Vec::new();
        state.tournaments.insert(id, Tournament { title, variant, is_closed: false, members });
        id
    }

    /// From now on, ends games as drawn after this number of moves.
    pub fn break_off_after(&self, turns: i64) {
        self.state().longest = Some(turns);
    }

    /// Closes a session as a user who does not play in it.
    ///
    /// # Panics
    /// If there is no such session.
    pub fn close(&self, session: i64) {
        self.state().sessions.get_mut(&session).expect("a session").break_off();
    }

    /// Advances all running clocks by `ms`.
    pub fn pass(&self, ms: i64) {
        self.state().clock.pass(ms);
    }

    /// Sets the remaining time of a player, 1 or 2.
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
        state_of(&self.state().sessions[&session])
    }

    /// All sessions.
    pub fn games(&self) -> Vec<Game> {
        self.state().sessions.values().map(state_of).collect()
    }

    /// The number of open sessions.
    pub fn open_games(&self) -> usize {
        self.state().sessions.values().filter(|session| !session.is_closed).count()
    }

    /// The violations of players so far.
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

    /// The faults injected so far.
    pub fn faults(&self) -> Vec<Fault> {
        self.shared.calls().faults.clone()
    }

    /// All valid tokens.
    pub fn tokens(&self) -> Vec<String> {
        self.state().tokens.iter().map(|token| token.text.clone()).collect()
    }
}

fn state_of(session: &Session) -> Game {
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
    /// Ends the listening thread.
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Release);
        // The thread waits for a connection; during a restart it accepts none.
        while !self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            drop(TcpStream::connect(self.address));
        }
        drop(self.thread.take().map(JoinHandle::join));
    }
}
