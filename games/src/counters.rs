/// The move counters of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveCounters {
    /// The plies since the last capture or move of a man or pawn. A larger number than fits is
    /// read as the largest.
    pub halfmove_clock: u16,
    /// The number of the move that is played next: 1 at the start of a game. Moves are counted in
    /// pairs, so it grows after the move of the second player. A larger number than fits is read as
    /// the largest.
    pub fullmove_number: u16,
}

impl MoveCounters {
    /// The counters at the start of a game.
    pub const START: MoveCounters = MoveCounters { halfmove_clock: 0, fullmove_number: 1 };

    /// The counters of a text that may leave out one of them; `None` if it has neither.
    pub(crate) fn from_parts(clock: Option<u16>, number: Option<u16>) -> Option<MoveCounters> {
        let is_given = clock.is_some() || number.is_some();
        is_given.then(|| MoveCounters {
            halfmove_clock: clock.unwrap_or(MoveCounters::START.halfmove_clock),
            fullmove_number: number.unwrap_or(MoveCounters::START.fullmove_number),
        })
    }
}

/// Reads a counter: digits alone. A number that is too large is the largest.
pub(crate) fn parse_counter(digits: &str) -> Option<u16> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u16::MAX))
}
