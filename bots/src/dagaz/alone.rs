//! Two bots that play the same games as the same user make the same moves, and the server may store
//! both: a second one does not begin.

use super::error::BotError;
use super::site::SiteGame;
#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::net::{IpAddr, ToSocketAddrs, UdpSocket};

/// As long as this is there, no other bot on this machine plays these games as this user.
///
/// Sockets that are bound to names, in Linux's namespace for such that are no files: nothing is left
/// when the process ends, however it does. Elsewhere nobody is kept from anything.
pub(super) struct Alone {
    #[cfg(target_os = "linux")]
    _sockets: Vec<std::os::unix::net::UnixDatagram>,
}

impl Alone {
    /// To be the only one who plays these games as `user` of the server at `url`, whatever name of it
    /// that has.
    ///
    /// # Errors
    /// There is another one.
    #[cfg(target_os = "linux")]
    pub(super) fn new(url: &str, user: &str, games: &[SiteGame]) -> Result<Alone, BotError> {
        use std::io::ErrorKind;
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::net::{SocketAddr, UnixDatagram};

        let servers = identities(url);
        let mut sockets = Vec::new();
        for game in games.iter().map(|game| game.game.name()) {
            for server in &servers {
                // Names have at most 107 bytes.
                let whose = blake3::hash(format!("{server}\0{user}\0{game}").as_bytes());
                let address = SocketAddr::from_abstract_name(format!("damka bot {whose}"));
                match address.and_then(|address| UnixDatagram::bind_addr(&address)) {
                    Ok(socket) => sockets.push(socket),
                    Err(error) if error.kind() == ErrorKind::AddrInUse => {
                        return Err(BotError::Another { user: damka_games::excerpt(user), game });
                    }
                    // There are no such names here.
                    Err(_) => {}
                }
            }
        }
        Ok(Alone { _sockets: sockets })
    }

    /// Nobody is kept from anything.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn new(_: &str, _: &str, _: &[SiteGame]) -> Result<Alone, BotError> {
        Ok(Alone {})
    }
}

/// What a server is known by, whichever of its names an address has: port and path on each of the
/// host's addresses, all of this machine's being one. A host that is not found goes by its name.
#[cfg(target_os = "linux")]
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

/// Whether an address is one of this machine: only to such can a socket be bound.
#[cfg(target_os = "linux")]
fn is_here(ip: IpAddr) -> bool {
    ip.is_loopback() || ip.is_unspecified() || UdpSocket::bind((ip, 0)).is_ok()
}

#[cfg(all(test, target_os = "linux"))]
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
    fn a_second_bot_of_the_same_user_and_game_does_not_begin() {
        let games: Vec<SiteGame> = super::super::games().filter_map(SiteGame::of).collect();
        let url = format!("http://test-{}", std::process::id());
        let first = Alone::new(&url, "anna", &games[..2]).expect("nobody else");
        let others = [
            (&*url, "boris", &games[..2]),
            (&*url, "anna", &games[2..]),
            ("http://b", "anna", &games),
        ];
        for (url, user, games) in others {
            assert!(Alone::new(url, user, games).is_ok(), "{url} {user}");
        }
        let second = Alone::new(&url, "anna", &games[1..]);
        assert!(matches!(second, Err(BotError::Another { .. })));
        drop(first);
        assert!(Alone::new(&url, "anna", &games).is_ok());
    }
}
