//! Two bots that play the same game as the same user would send every move twice. A lock keeps the
//! second one from starting.

use crate::error::BotError;
use damka_games::AnyGame;
use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, ToSocketAddrs, UdpSocket};

/// While it exists, no other bot on this machine plays the same games as the same user. The system releases
/// it when the process ends, even by a crash.
pub(crate) struct Lock {
    _names: Vec<Name>,
}

impl Lock {
    /// Locks these games of `user` on the server at `url`, also for bots that use another name of the server.
    ///
    /// # Errors
    /// Another bot has locked one of the games ([`BotError::Another`]).
    pub(crate) fn new(url: &str, user: &str, games: &[AnyGame]) -> Result<Lock, BotError> {
        let servers = identities(url);
        let mut names = Vec::new();
        for game in games.iter().map(|game| game.name()) {
            for server in &servers {
                let whose = blake3::hash(format!("{server}\0{user}\0{game}").as_bytes());
                match claim(&whose.to_string()) {
                    Ok(name) => names.push(name),
                    Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                        return Err(BotError::Another { user: damka_games::excerpt(user), game });
                    }
                    // This system cannot lock names.
                    Err(_) => {}
                }
            }
        }
        Ok(Lock { _names: names })
    }
}

/// A socket with an abstract name.
#[cfg(target_os = "linux")]
type Name = std::os::unix::net::UnixDatagram;

/// A locked file. It is not removed when it is unlocked: this would race with the next bot.
#[cfg(not(target_os = "linux"))]
type Name = std::fs::File;

/// Claims a name of at most 64 characters on this machine.
///
/// # Errors
/// The name is claimed already ([`io::ErrorKind::AddrInUse`]), or the system cannot claim names.
#[cfg(target_os = "linux")]
fn claim(name: &str) -> io::Result<Name> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    // Names have at most 107 bytes.
    let address = SocketAddr::from_abstract_name(format!("damka bot {name}"))?;
    UnixDatagram::bind_addr(&address)
}

/// Takes the lock as a file in the directory of temporary files, which each user has on macOS and Windows.
#[cfg(not(target_os = "linux"))]
fn claim(name: &str) -> io::Result<Name> {
    use std::fs::TryLockError;

    let path = std::env::temp_dir().join(format!("damka-bot-{name}.lock"));
    let file = damka_system::open_own_file(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::AddrInUse.into()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The identities of a server: port and path on each IP address of the host. All addresses of this
/// machine are treated as one. A host that is not found is identified by its name.
fn identities(url: &str) -> BTreeSet<String> {
    let Ok(uri) = url.parse::<ureq::http::Uri>() else { return BTreeSet::from([url.to_owned()]) };
    let (host, path) = (uri.host().unwrap_or_default(), uri.path());
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    let port = uri.port_u16().unwrap_or(usual);
    let addresses = (host.trim_matches(['[', ']']), port).to_socket_addrs();
    let names: BTreeSet<String> = addresses
        .into_iter()
        .flatten()
        .map(|address| match address.ip().to_canonical() {
            ip if is_here(ip) => format!("here:{port}{path}"),
            ip => format!("{ip}:{port}{path}"),
        })
        .collect();
    match names.is_empty() {
        true => BTreeSet::from([format!("{}:{port}{path}", host.to_ascii_lowercase())]),
        false => names,
    }
}

/// Whether an address belongs to this machine: a socket can only be bound to such an address.
fn is_here(ip: IpAddr) -> bool {
    ip.is_loopback() || ip.is_unspecified() || UdpSocket::bind((ip, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_one_identity_by_all_its_names() {
        let here = identities("http://127.0.0.1:3000/api");
        for url in
            ["http://localhost:3000/api", "http://[::1]:3000/api", "http://LOCALHOST:3000/api"]
        {
            assert!(!identities(url).is_disjoint(&here), "{url}: {:?}", identities(url));
        }
        for url in [
            "http://127.0.0.1:3001/api",
            "http://192.0.2.1:3000/api",
            "http://127.0.0.1:3000/x/api",
        ] {
            assert!(identities(url).is_disjoint(&here), "{url}: {:?}", identities(url));
        }
        assert_eq!(identities("https://192.0.2.1/api"), identities("https://192.0.2.1:443/api"));
        let unknown = "http://no-such-host.invalid/api";
        assert_eq!(identities(unknown), BTreeSet::from(["no-such-host.invalid:80/api".to_owned()]));
    }

    #[test]
    fn a_second_bot_of_the_same_user_and_game_is_refused() {
        let games: Vec<AnyGame> = AnyGame::all().take(4).collect();
        let url = format!("http://test-{}", std::process::id());
        let first = Lock::new(&url, "anna", &games[..2]).expect("no other bot");
        let others = [
            (&*url, "boris", &games[..2]),
            (&*url, "anna", &games[2..]),
            ("http://b", "anna", &games),
        ];
        for (url, user, games) in others {
            assert!(Lock::new(url, user, games).is_ok(), "{url} {user}");
        }
        let second = Lock::new(&url, "anna", &games[1..]);
        assert!(matches!(second, Err(BotError::Another { .. })));
        drop(first);
        assert!(Lock::new(&url, "anna", &games).is_ok());
    }
}
