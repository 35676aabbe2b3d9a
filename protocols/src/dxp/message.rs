use super::DxpError;
use crate::board::{Letters, NumberedMove};
use damka_games::draughts::Position;
use damka_games::{Color, Draughts};
use std::fmt;

/// The length of a program's name, in characters.
const NAME: usize = 32;

/// The letters of positions.
const LETTERS: Letters =
    Letters { men: ['w', 'z'], kings: ['W', 'Z'], empty: 'e', turn: ['W', 'Z'] };

/// A message of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// `R`: a game is requested.
    GameRequest(GameRequest),
    /// `A`: the answer to a request.
    GameAnswer { name: String, code: char },
    /// `M`: a move, and the seconds it took.
    Move { seconds: u16, mv: NumberedMove },
    /// `E`: the end of a game, or its acknowledgement.
    GameEnd { reason: Reason, wants_no_more: bool },
    /// `C`: a text for people.
    Chat(String),
    /// `B`: a request to take back moves, down to move `number` of the side `turn`.
    BackRequest { number: u16, turn: Color },
    /// `K`: the answer to a request to take back moves.
    BackAnswer { code: char },
}

/// A request for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameRequest {
    pub(super) version: u8,
    /// The name of the program that sends the request.
    pub(super) name: String,
    /// The colour of the program that receives the request.
    pub(super) follower: Color,
    /// The time of each side for the game; 0 without a clock.
    pub(super) minutes: u16,
    /// The number of moves of each side; 0 if unlimited.
    pub(super) moves: u16,
    /// The position to start from; `None` for the start position.
    pub(super) start: Option<Position>,
}

/// Why a game is over, from the viewpoint of the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Unknown,
    Lost,
    Draw,
    Won,
}

/// The request is accepted.
pub(super) const ACCEPTED: char = '0';
/// The version of the protocol is unknown.
pub(super) const WRONG_VERSION: char = '1';
/// This game cannot be played.
pub(super) const NOT_THIS_GAME: char = '2';
/// Moves cannot be taken back.
pub(super) const NO_WAY_BACK: char = '1';

impl Message {
    /// Decodes a message without its terminating zero. Positions are of this variant.
    ///
    /// # Errors
    /// It is not a message of the protocol.
    pub(super) fn decode(bytes: &[u8], variant: Draughts) -> Result<Message, DxpError> {
        let mut fields = Fields(bytes);
        let message = fields.message(variant).filter(|_| fields.0.is_empty());
        message.ok_or_else(|| DxpError::Garbled(printable(bytes)))
    }

    /// Encodes a message without its terminating zero.
    pub(super) fn encode(&self) -> String {
        match self {
            Message::GameRequest(request) => request.encode(),
            Message::GameAnswer { name, code } => format!("A{}{code}", padded(name)),
            Message::Move { seconds, mv: NumberedMove { from, to, captured } } => {
                let seconds = seconds.min(&9999);
                let move_text = format!("M{seconds:04}{from:02}{to:02}{:02}", captured.len());
                captured.iter().fold(move_text, |text, square| format!("{text}{square:02}"))
            }
            Message::GameEnd { reason, wants_no_more } => {
                format!("E{}{}", *reason as u8, u8::from(*wants_no_more))
            }
            Message::Chat(text) => format!("C{text}"),
            Message::BackRequest { number, turn } => format!("B{number:03}{}", letter(*turn)),
            Message::BackAnswer { code } => format!("K{code}"),
        }
    }
}

impl GameRequest {
    fn encode(&self) -> String {
        let GameRequest { version, name, follower, minutes, moves, start } = self;
        let (name, follower) = (padded(name), letter(*follower));
        let [minutes, moves] = [minutes, moves].map(|number| number.min(&999));
        let start = match start {
            None => "A".to_owned(),
            Some(position) => format!("B{}", LETTERS.format(position)),
        };
        format!("R{version:02}{name}{follower}{minutes:03}{moves:03}{start}")
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.encode())
    }
}

/// The bytes of a message that are still to be decoded.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn message(&mut self, variant: Draughts) -> Option<Message> {
        Some(match self.character()? {
            'R' => Message::GameRequest(self.request(variant)?),
            'A' => Message::GameAnswer { name: self.name()?, code: self.character()? },
            'M' => {
                let seconds = self.number(4)?;
                let [from, to, count] = [self.square()?, self.square()?, self.square()?];
                let captured = (0..count).map(|_| self.square()).collect::<Option<_>>()?;
                Message::Move { seconds, mv: NumberedMove { from, to, captured } }
            }
            'E' => Message::GameEnd {
                reason: match self.character()? {
                    '0' => Reason::Unknown,
                    '1' => Reason::Lost,
                    '2' => Reason::Draw,
                    '3' => Reason::Won,
                    _ => return None,
                },
                wants_no_more: match self.character()? {
                    '0' => false,
                    '1' => true,
                    _ => return None,
                },
            },
            'C' => Message::Chat(printable(std::mem::take(&mut self.0))),
            'B' => Message::BackRequest { number: self.number(3)?, turn: self.color()? },
            'K' => Message::BackAnswer { code: self.character()? },
            _ => return None,
        })
    }

    fn request(&mut self, variant: Draughts) -> Option<GameRequest> {
        Some(GameRequest {
            version: self.number(2)? as u8,
            name: self.name()?,
            follower: self.color()?,
            minutes: self.number(3)?,
            moves: self.number(3)?,
            start: match self.character()? {
                'A' => None,
                'B' => {
                    let text = str::from_utf8(std::mem::take(&mut self.0)).ok()?;
                    Some(LETTERS.parse(variant, text).ok()?)
                }
                _ => return None,
            },
        })
    }

    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn character(&mut self) -> Option<char> {
        self.take(1).map(|byte| char::from(byte[0])).filter(char::is_ascii)
    }

    fn number(&mut self, digits: usize) -> Option<u16> {
        let digits = self.take(digits)?;
        let is_number = digits.iter().all(u8::is_ascii_digit);
        str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
    }

    /// A number of two digits: a square, or a count of squares.
    fn square(&mut self) -> Option<u8> {
        Some(self.number(2)? as u8)
    }

    fn color(&mut self) -> Option<Color> {
        let letter = self.character()?;
        let colors = Color::BOTH.into_iter();
        colors.zip(LETTERS.turn).find(|&(_, known)| known == letter).map(|(color, _)| color)
    }

    fn name(&mut self) -> Option<String> {
        Some(printable(self.take(NAME)?).trim().to_owned())
    }
}

fn letter(color: Color) -> char {
    LETTERS.turn[color as usize]
}

/// Pads or cuts a name to its fixed length.
fn padded(name: &str) -> String {
    format!("{name:NAME$.NAME$}")
}

/// Replaces characters that are not printable ASCII.
fn printable(bytes: &[u8]) -> String {
    let plain = |&byte: &u8| match byte {
        b' '..=b'~' => char::from(byte),
        _ => '?',
    };
    bytes.iter().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Game, Russian};
    use proptest::prelude::*;

    /// The examples of the protocol's description.
    #[test]
    fn published_messages_are_read_and_written() {
        let mv = |from, to, captured: &[u8]| NumberedMove { from, to, captured: captured.into() };
        let name = "Tornado voor Windows 4.0".to_owned();
        let request = GameRequest {
            version: 1,
            name: name.clone(),
            follower: Color::White,
            minutes: 60,
            moves: 65,
            start: None,
        };
        let examples = [
            ("R01Tornado voor Windows 4.0        W060065A", Message::GameRequest(request)),
            ("ATornado voor Windows 4.0        0", Message::GameAnswer { name, code: '0' }),
            ("M0012061100", Message::Move { seconds: 12, mv: mv(6, 11, &[]) }),
            (
                "M001205250422122320",
                Message::Move { seconds: 12, mv: mv(5, 25, &[22, 12, 23, 20]) },
            ),
            ("E00", Message::GameEnd { reason: Reason::Unknown, wants_no_more: false }),
            (
                "CWhat do you think about move 35?",
                Message::Chat("What do you think about move 35?".to_owned()),
            ),
            ("B005Z", Message::BackRequest { number: 5, turn: Color::Black }),
            ("K0", Message::BackAnswer { code: '0' }),
        ];
        for (text, message) in examples {
            assert_eq!(Message::decode(text.as_bytes(), Russian).unwrap(), message);
            assert_eq!(message.encode(), text);
        }
    }

    #[test]
    fn positions_have_32_squares() {
        let position = Russian.parse_fen("B:WKb8,c3:BKa1,h8").unwrap();
        let request = GameRequest {
            version: 1,
            name: "a name that is too long to be sent".to_owned(),
            follower: Color::Black,
            minutes: 5,
            moves: 0,
            start: Some(position),
        };
        let text = Message::GameRequest(request).encode();
        assert_eq!(
            text,
            "R01a name that is too long to be seZ005000BZWeezeeeeeeeeeeeeeeeeeweeeeeeZeee"
        );
        let Ok(Message::GameRequest(read)) = Message::decode(text.as_bytes(), Russian) else {
            panic!("{text}")
        };
        assert_eq!(read.start, Some(position));
    }

    #[test]
    fn invalid_messages_are_refused() {
        for text in [
            "",
            "X",
            "r01",
            "R",
            "A",
            "M",
            "M00120611",
            "M001206110",
            "M00120611001",
            "M0012061101",
            "M00120611+1",
            "E",
            "E0",
            "E40",
            "E02",
            "E000",
            "B005",
            "B005B",
            "B05W0",
            "K",
            "K00",
            "R01Tornado voor Windows 4.0        W060065",
            "R01Tornado W060065A",
            "R01Tornado voor Windows 4.0        W060065AW",
            "R01Tornado voor Windows 4.0        W060065BWeee",
            "R01Tornado voor Windows 4.0        B060065A",
            "R-1Tornado voor Windows 4.0        W060065A",
        ] {
            let error = Message::decode(text.as_bytes(), Russian).unwrap_err();
            assert!(matches!(error, DxpError::Garbled(_)), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..130)) {
            let _ = Message::decode(&bytes, Russian);
        }

        #[test]
        fn what_is_read_is_written_again(text in "[AMEBK][0-9WZ ]{0,40}") {
            if let Ok(message) = Message::decode(text.as_bytes(), Russian) {
                let again = message.encode();
                prop_assert_eq!(Message::decode(again.as_bytes(), Russian).unwrap(), message);
            }
        }
    }
}
