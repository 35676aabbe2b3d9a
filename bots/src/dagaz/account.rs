use crate::secret::Password;

/// A user of a DagazServer, and how the bot plays there.
#[derive(Clone, Debug)]
pub struct Account {
    /// The address of the server, with or without `/api`: `https://host`, `http://127.0.0.1:3000`.
    pub url: String,
    /// The user, who must be registered.
    pub user: String,
    /// The password of the user.
    pub password: Password,
    /// Whether an arbiter confirms moves. Then moves are sent without the position they lead to, and
    /// the arbiter sets up the pieces and ends games.
    pub arbiter: bool,
    /// The clock of the games that the bot creates, by the server's number: 0 for none, 1 for 2 hours
    /// and a minute, 2 for half an hour and 20 seconds, 3 for 4 hours and 3 minutes, 4 for a
    /// sandglass of 15 minutes.
    pub time_control: u32,
}

impl Account {
    /// A user without an arbiter. Games are created with half an hour and 20 seconds.
    pub fn new(url: &str, user: &str, password: Password) -> Account {
        let (url, user) = (url.to_owned(), user.to_owned());
        Account { url, user, password, arbiter: false, time_control: 2 }
    }
}
