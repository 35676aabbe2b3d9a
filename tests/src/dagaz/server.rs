//! Connections, with a thread for each.

use super::faults::Fault;
use super::fields::Fields;
use super::http::{Reply, Request};
use super::routes;
use super::shared::{Shared, locked};
use super::tokens;
use std::io::{self, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// The time after which idle connections are closed, much shorter than that of the real server.
const IDLE: Duration = Duration::from_millis(300);

/// The delay of a late answer, and the duration of a restart.
pub const DELAY: Duration = Duration::from_millis(150);

/// Listens until the mock is dropped, except during a restart.
pub(super) fn serve(mut listener: TcpListener, shared: &Arc<Shared>) -> io::Result<()> {
    let address = listener.local_addr()?;
    loop {
        let stream = listener.accept().map(|(stream, _)| stream);
        if shared.is_over.load(Ordering::Acquire) {
            return Ok(());
        }
        let down = *locked(&shared.down);
        if let Some(until) = down.filter(|&until| until > Instant::now()) {
            drop((listener, stream));
            thread::sleep(until - Instant::now());
            listener = listen(address)?;
            continue;
        }
        if let Ok(stream) = stream {
            let shared = Arc::clone(shared);
            // Errors are left to the client.
            thread::spawn(move || drop(talk(&stream, &shared)));
        }
    }
}

/// Binds the address. Tries for a while, because another program may take it during a restart.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let mut tries = 0;
    loop {
        match TcpListener::bind(address) {
            Err(_) if tries < 100 => tries += 1,
            result => return result,
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Answers the requests of one connection.
fn talk(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = Request::read(&mut reader)? {
        let is_down = locked(&shared.down).is_some_and(|until| until > Instant::now());
        let answer = if is_down { None } else { answer(shared, &request) };
        let Some(bytes) = answer else { return stream.shutdown(Shutdown::Both) };
        let mut stream = stream;
        stream.write_all(&bytes)?;
        if request.is_last() {
            break;
        }
    }
    Ok(())
}

/// The bytes of the answer; `None` if the connection is dropped.
fn answer(shared: &Shared, request: &Request) -> Option<Vec<u8>> {
    let fault = shared.plan().draw(request);
    let reply = reply(shared, request, fault);
    shared.note(request, fault, reply.clone());
    let mut bytes = reply?.bytes();
    if fault == Some(Fault::Cut) {
        bytes.truncate(bytes.len() * 3 / 4);
    }
    Some(bytes)
}

fn reply(shared: &Shared, request: &Request, fault: Option<Fault>) -> Option<Reply> {
    let Some(fault) = fault else { return Some(routes::answer(shared, request)) };
    before(shared, request, fault);
    let is_move = &*request.path == "/move";
    let reply = match (fault, fault.instead()) {
        (_, Some(reply)) => return Some(reply),
        (Fault::DroppedBefore | Fault::Restart, _) => return None,
        (Fault::HalfStored, _) if is_move => half_store(shared, request),
        (Fault::StoppedHalfway, _) => {
            if is_move {
                half_store(shared, request);
            }
            return None;
        }
        _ => routes::answer(shared, request),
    };
    if fault == Fault::Slow {
        thread::sleep(DELAY);
    }
    (fault != Fault::DroppedAfter).then(|| fault.after(reply, &mut shared.random()))
}

/// Applies a fault before the request is executed.
fn before(shared: &Shared, request: &Request, fault: Fault) {
    let caller = tokens::caller(request);
    match fault {
        Fault::Expired => shared.state().token_age += 200_000,
        Fault::Forgotten => shared.state().tokens.retain(|token| Some(token.user) != caller),
        Fault::Restart | Fault::StoppedHalfway => {
            *locked(&shared.down) = Some(Instant::now() + DELAY)
        }
        Fault::Late => {
            if let Some(session) = session(shared, request) {
                shared.state().sessions.entry(session).and_modify(|s| s.may_be_late = true);
            }
            thread::sleep(DELAY);
        }
        Fault::ClosedByOthers => {
            if let Some(id) = session(shared, request) {
                shared.state().sessions.entry(id).and_modify(|session| {
                    if !session.is_closed {
                        session.break_off();
                    }
                });
            }
        }
        Fault::ClockOut => {
            if let Some(id) = session(shared, request) {
                shared.state().sessions.entry(id).and_modify(|session| {
                    let next = session.next_player;
                    for seat in session.seats.iter_mut().filter(|s| Some(s.player) == next) {
                        seat.time = seat.time.map(|_| 0);
                    }
                });
            }
        }
        _ => {}
    }
}

/// The session of a request.
fn session(shared: &Shared, request: &Request) -> Option<i64> {
    let fields = Fields::of(request).ok()?;
    let number = |name| fields.number(name).ok().flatten();
    let in_path = request.path.rsplit('/').next().and_then(|part| part.parse().ok());
    let uid = number("uid").or(number("winner")).or(number("loser")).or(in_path);
    let of_seat = |uid| shared.state().session_of(uid).map(|session| session.id);
    number("session_id").or(number("id")).or_else(|| uid.and_then(of_seat))
}

/// Stores a move, and then fails.
fn half_store(shared: &Shared, request: &Request) -> Reply {
    let uid = Fields::of(request).and_then(|fields| Ok((fields.number("uid")?, fields)));
    match uid {
        Ok((Some(uid), fields)) => {
            let is_next = {
                let state = shared.state();
                let turns = state.session_of(uid).map(|session| session.turns() + 1);
                fields.number("turn_num").ok().flatten() == turns
            };
            match is_next {
                true => {
                    let stored = routes::store(&mut shared.state(), uid, fields, false);
                    stored.unwrap_or_else(|reply| reply)
                }
                false => Reply::Empty(403),
            }
        }
        _ => Reply::Empty(404),
    }
}
