use crate::{Game, Position};

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

    /// The counters after a legal move that leads from `before` to `after`.
    fn after<P: Position>(self, before: &P, after: &P) -> MoveCounters {
        let turn = before.turn();
        let is_second = turn != before.game().start().turn();
        let is_capture = before.side(!turn) != after.side(!turn);
        let moves_man =
            P::Game::MEN.iter().any(|&man| before.pieces(turn, man) != after.pieces(turn, man));
        MoveCounters {
            halfmove_clock: match is_capture || moves_man {
                true => 0,
                false => self.halfmove_clock.saturating_add(1),
            },
            fullmove_number: self.fullmove_number.saturating_add(is_second.into()),
        }
    }
}

/// A position with the move counters of its FEN.
///
/// Rules, tables and the search ask for a [`Position`], which has no counters. A `Counted` takes
/// the counters from the text of one position to the texts of those that follow it.
///
/// ```
/// use damka_games::{Chess, Game, Position};
/// let start = Chess.parse_counted("4k3/8/8/8/8/8/8/4K2R b - - 12 40").unwrap();
/// let after = start.play(start.position.parse_move("Ke7").unwrap());
/// assert_eq!(after.fen(), "8/4k3/8/8/8/8/8/4K2R w - - 13 41");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counted<P> {
    /// The position.
    pub position: P,
    /// Its counters; `None` if they are not known and the game's FENs need none.
    pub counters: Option<MoveCounters>,
}

impl<P: Position> Counted<P> {
    /// The position after a legal move, with its counters.
    #[must_use]
    pub fn play(&self, mv: P::Move) -> Counted<P> {
        let position = self.position.play(mv);
        let counters = self.counters.map(|counters| counters.after(&self.position, &position));
        Counted { position, counters }
    }

    /// Writes the position with its counters.
    pub fn fen(&self) -> String {
        self.position.fen_with(self.counters)
    }

    /// The plies since the last capture or move of a man or pawn, as far as they are known.
    pub fn halfmove_clock(&self) -> u16 {
        self.counters.map_or(0, |counters| counters.halfmove_clock)
    }
}

impl<P: Position> From<P> for Counted<P> {
    /// A position without known counters: it gets those of the start if the game's FENs always
    /// have counters.
    fn from(position: P) -> Counted<P> {
        Counted { position, counters: P::Game::COUNTERS }
    }
}

/// Reads a counter: digits alone. A number that is too large is the largest.
pub(crate) fn parse_counter(digits: &str) -> Option<u16> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u16::MAX))
}
