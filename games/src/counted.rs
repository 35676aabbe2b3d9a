use crate::{Game, MoveCounters, Position, PositionError};

/// A position with the move counters of its FEN.
///
/// Rules, tables and the search use a [`Position`], which has no counters. A `Counted` takes its
/// counters from a parsed FEN, updates them with each move, and writes them to FENs.
///
/// ```
/// use damka_games::{Chess, Counted, Position};
/// let start = Counted::parse(Chess, "4k3/8/8/8/8/8/8/4K2R b - - 12 40").unwrap();
/// let after = start.play(start.position.parse_move("Ke7").unwrap());
/// assert_eq!(after.fen(), "8/4k3/8/8/8/8/8/4K2R w - - 13 41");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counted<P> {
    /// The position.
    pub position: P,
    /// Its counters; `None` if they are unknown and the game's FENs need not have any.
    pub counters: Option<MoveCounters>,
}

impl<P: Position> Counted<P> {
    /// Parses a position and its move counters, from any text that [`Game::parse_setup`] reads.
    ///
    /// # Errors
    /// Fails if the text is not understood or the position is impossible.
    pub fn parse<G: Game<Position = P>>(game: G, text: &str) -> Result<Self, PositionError> {
        let setup = game.parse_setup(text)?;
        let counters = setup.counters.or(G::COUNTERS);
        Ok(Counted { position: game.position(&setup)?, counters })
    }

    /// The position after a legal move, with its counters.
    #[must_use]
    pub fn play(&self, mv: P::Move) -> Counted<P> {
        let position = self.position.play(mv);
        let counters =
            self.counters.map(|counters| counters_after(counters, &self.position, &position));
        Counted { position, counters }
    }

    /// The FEN of the position with its counters.
    pub fn fen(&self) -> String {
        self.position.fen_with(self.counters)
    }

    /// The number of plies since the last capture or move of a man or pawn; 0 if unknown.
    pub fn halfmove_clock(&self) -> u16 {
        self.counters.map_or(0, |counters| counters.halfmove_clock)
    }
}

impl<P: Position> From<P> for Counted<P> {
    /// A position with unknown counters, or with those of the start of a game if the game's FENs
    /// always have counters.
    fn from(position: P) -> Counted<P> {
        Counted { position, counters: P::Game::COUNTERS }
    }
}

/// The counters after a legal move that leads from `before` to `after`.
fn counters_after<P: Position>(counters: MoveCounters, before: &P, after: &P) -> MoveCounters {
    let turn = before.turn();
    let is_second = turn != before.game().start().turn();
    let is_capture = before.side(!turn) != after.side(!turn);
    let moves_man =
        P::Game::MEN.iter().any(|&man| before.pieces(turn, man) != after.pieces(turn, man));
    MoveCounters {
        halfmove_clock: match is_capture || moves_man {
            true => 0,
            false => counters.halfmove_clock.saturating_add(1),
        },
        fullmove_number: counters.fullmove_number.saturating_add(is_second.into()),
    }
}
