/// The move counters of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveCounters {
    /// The number of plies since the last capture or move of a man or pawn. Saturates when parsed.
    pub halfmove_clock: u16,
    /// The number of the next move, from 1. A move consists of a ply of each player, so the number
    /// grows after the second player's ply. Saturates when parsed.
    pub fullmove_number: u16,
}

impl MoveCounters {
    /// The counters at the start of a game.
    pub const START: MoveCounters = MoveCounters { halfmove_clock: 0, fullmove_number: 1 };

    /// The counters, with defaults if one is missing; `None` if both are missing.
    pub(crate) fn from_parts(clock: Option<u16>, number: Option<u16>) -> Option<MoveCounters> {
        let is_given = clock.is_some() || number.is_some();
        is_given.then(|| MoveCounters {
            halfmove_clock: clock.unwrap_or(MoveCounters::START.halfmove_clock),
            fullmove_number: number.unwrap_or(MoveCounters::START.fullmove_number),
        })
    }
}

/// Parses a counter, which consists of digits only. Numbers that are too large become the maximum.
pub(crate) fn parse_counter(digits: &str) -> Option<u16> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u16::MAX))
}

/// Appends a counter. Most counters have one or two digits, which are pushed faster than `write!`
/// formats them.
pub(crate) fn push_counter(counter: u16, text: &mut String) {
    if counter > 9 {
        push_counter(counter / 10, text);
    }
    text.push(char::from(b'0' + (counter % 10) as u8));
}
