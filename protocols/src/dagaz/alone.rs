//! Two bots that play the same games as the same user make the same moves, and the server may store
//! both: a second one does not begin.

use super::error::BotError;
use super::site::SiteGame;

/// As long as this is there, no other bot on this machine plays these games as this user.
///
/// Sockets that are bound to names, in Linux's namespace for such that are no files: nothing is left
/// when the process ends, however it does. Elsewhere nobody is kept from anything.
pub(super) struct Alone {
    #[cfg(target_os = "linux")]
    _sockets: Vec<std::os::unix::net::UnixDatagram>,
}

impl Alone {
    /// To be the only one who plays these games as `user` of the server at `url`.
    ///
    /// # Errors
    /// There is another one.
    #[cfg(target_os = "linux")]
    pub(super) fn new(url: &str, user: &str, games: &[SiteGame]) -> Result<Alone, BotError> {
        use std::io::ErrorKind;
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::net::{SocketAddr, UnixDatagram};

        let mut sockets = Vec::new();
        for game in games.iter().map(|game| game.game.name()) {
            // Names have at most 107 bytes.
            let whose = blake3::hash(format!("{url}\0{user}\0{game}").as_bytes());
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
        Ok(Alone { _sockets: sockets })
    }

    /// Nobody is kept from anything.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn new(_: &str, _: &str, _: &[SiteGame]) -> Result<Alone, BotError> {
        Ok(Alone {})
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

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
