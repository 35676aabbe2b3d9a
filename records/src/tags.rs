/// The tags that every game has (PGN's Seven Tag Roster), in this order, with their values if
/// unknown. The seventh is `Result`.
pub(crate) const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// The tag that distinguishes variants of chess. If the castling rights of the start position show
/// that the game is Chess960, the tag follows from the position and is not among the [`Tags`].
pub(crate) const VARIANT: &str = "Variant";

/// The tags that follow from other parts of a record.
const DERIVED: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];

/// The tags of a game: names and values. `Event`, `Site`, `Date`, `Round`, `White` and `Black` come
/// first, as far as they are known, then others in the order in which they were set.
///
/// `Result`, `GameType`, `SetUp` and `FEN` are not included, because they follow from other parts
/// of a [`Record`](super::Record).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    tags: Vec<(String, String)>,
}

impl Tags {
    /// No tags.
    pub fn new() -> Tags {
        Tags::default()
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|&(tag, _)| tag == name).map(|(_, value)| value)
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Removes a tag, whatever the case of its name.
    pub(crate) fn remove(&mut self, name: &str) {
        self.tags.retain(|(tag, _)| !tag.eq_ignore_ascii_case(name));
    }

    /// Sets the value of a tag. Control characters become spaces, which are trimmed at both ends.
    /// For the first six tags an empty value, or one of question marks, removes the tag.
    ///
    /// # Panics
    /// If `name` does not consist of ASCII letters, digits and `_`, or is a tag that follows from
    /// other parts of a record.
    pub fn set(&mut self, name: &str, value: &str) {
        let named = !name.is_empty() && name.chars().all(is_in_name);
        assert!(named, "`{name}` cannot be the name of a tag");
        assert!(!is_derived(name), "the tag {name} follows from the rest of the record");
        let value = value.replace(char::is_control, " ").trim().to_owned();
        let unknown = value.chars().all(|c| matches!(c, '?' | '.' | ' '));
        let taken_away = rank(name) < ROSTER.len() && unknown;
        match self.tags.iter().position(|(tag, _)| tag == name) {
            Some(place) if taken_away => drop(self.tags.remove(place)),
            Some(place) => self.tags[place].1 = value,
            None if taken_away => {}
            None => {
                let place = self.tags.partition_point(|(tag, _)| rank(tag) <= rank(name));
                self.tags.insert(place, (name.to_owned(), value));
            }
        }
    }
}

/// The place of a tag among the first six; all others come after them.
fn rank(name: &str) -> usize {
    ROSTER.iter().position(|&(tag, _)| tag == name).unwrap_or(ROSTER.len())
}

/// Whether the character is valid in the name of a tag.
pub(crate) fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether the tag follows from another part of a record. Programs differ in its spelling
/// (`Setup`).
pub(crate) fn is_derived(name: &str) -> bool {
    DERIVED.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}
