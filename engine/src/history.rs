use crate::draws::{Counters, DrawReason};
use crate::searchable::Searchable;
use crate::zobrist;
use damka_games::{Color, Counted, Game, MoveCounters, Position, Random};

/// A game so far: its start position, moves and all positions.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    states: Vec<State<G>>,
    moves: Vec<G::Move>,
    /// The move counters of the first position.
    counters: Option<MoveCounters>,
}

/// A position of a game with its key and the counters of the draw rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<G: Game> {
    pub(crate) position: G::Position,
    pub(crate) key: u64,
    pub(crate) counters: Counters,
    /// Whether the reply [is forced](Searchable::is_forced).
    pub(crate) is_forced: bool,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// This side has won: the other has no legal move.
    Won(Color),
    /// The game is drawn.
    Drawn(DrawReason),
}

impl<G: Searchable> State<G> {
    fn new(position: G::Position) -> State<G> {
        State {
            position,
            key: zobrist::key::<G>(&position),
            counters: Counters::default(),
            is_forced: G::is_forced(&position),
        }
    }

    /// The state after a null move, with all counters reset.
    pub(crate) fn after_null_move(&self) -> State<G> {
        let position = G::null_move(&self.position);
        State {
            position,
            key: zobrist::key_after::<G>(self.key, &self.position, &position, |_, _| ()),
            counters: Counters::default(),
            is_forced: G::is_forced(&position),
        }
    }

    /// The state after a legal move. `on_key` is called with its key as soon as that is known, so
    /// that the caller can prefetch table entries.
    #[inline]
    pub(crate) fn after(&self, mv: G::Move, on_key: impl FnOnce(u64)) -> State<G> {
        let position = self.position.play(mv);
        let [mut material, mut man] = [false; 2];
        let key = zobrist::key_after::<G>(self.key, &self.position, &position, |kind, sets| {
            material |= sets[0].len() != sets[1].len();
            man |= G::MEN.contains(&kind);
        });
        on_key(key);
        State {
            position,
            key,
            counters: self.counters.after(material, man, G::holds_main_road(&position)),
            is_forced: G::is_forced(&position),
        }
    }
}

impl<G: Searchable> History<G> {
    /// A game that starts from this position. The draw rules continue to count from its halfmove
    /// clock. Repetitions of positions before it are not detected.
    pub fn new(start: impl Into<Counted<G::Position>>) -> History<G> {
        let start = start.into();
        let mut state = State::new(start.position);
        state.counters.since_zeroing = start.halfmove_clock();
        History { states: vec![state], moves: Vec::new(), counters: start.counters }
    }

    /// The start position of the game, with its move counters.
    pub fn start(&self) -> Counted<G::Position> {
        Counted { position: self.states[0].position, counters: self.counters }
    }

    /// The current position with its move counters, for its FEN. This replays the game.
    pub fn counted(&self) -> Counted<G::Position> {
        self.moves.iter().fold(self.start(), |counted, &mv| counted.play(mv))
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.state().position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// All positions so far, from the start to the current one.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = &G::Position> {
        self.states.iter().map(|state| &state.position)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let next = self.state().after(mv, |_| ());
        self.states.push(next);
        self.moves.push(mv);
    }

    /// Takes back the last move and returns it; `None` if there is none.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(mv)
    }

    /// The result, if the game is over.
    pub fn end(&self) -> Option<GameEnd> {
        let State { position, key, counters, .. } = self.state();
        if position.moves().is_empty() {
            return Some(match position.loses_when_stuck() {
                true => GameEnd::Won(!position.turn()),
                false => GameEnd::Drawn(DrawReason::Stalemate),
            });
        }
        let occurrences = self.states.iter().filter(|state| state.key == *key);
        if occurrences.count() >= position.game().repetitions() {
            return Some(GameEnd::Drawn(DrawReason::Repetition));
        }
        G::draw_reason(position, counters).map(GameEnd::Drawn)
    }

    /// Whether a move repeats a position so that the game is drawn.
    pub(crate) fn is_drawn_by_repetition(&self, mv: G::Move) -> bool {
        // The third occurrence is at least eight plies after the first.
        let state = self.state();
        if usize::from(state.counters.since_zeroing).min(self.moves.len()) < 7 {
            return false;
        }
        let key = state.after(mv, |_| ()).key;
        let earlier = self.states.iter().filter(|state| state.key == key).count();
        earlier + 1 >= state.position.game().repetitions()
    }

    /// The Zobrist key of the current position.
    pub fn key(&self) -> u64 {
        self.state().key
    }

    /// A hash of all positions so far, in their order: games with the same moves from the same
    /// position share it.
    pub fn line_key(&self) -> u64 {
        self.states.iter().fold(0, |key, state| Random::new(key ^ state.key).next())
    }

    pub(crate) fn states(&self) -> &[State<G>] {
        &self.states
    }

    pub(crate) fn state(&self) -> &State<G> {
        &self.states[self.states.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Draughts, Russian};

    #[test]
    fn counters_are_reset_by_zeroing_moves() {
        let counters = |since_zeroing, since_material, on_main_road| Counters {
            since_zeroing,
            since_material,
            on_main_road,
        };
        for (fen, mv, after) in [
            ("W:WKc1,h2:BKf8,b8", "c1-e3", counters(8, 10, 0)),
            ("W:WKa1:BKc7,Kf8,Kh2", "a1-d4", counters(8, 10, 6)),
            ("W:WKc1,h2:BKf8,b8", "h2-g3", counters(0, 10, 0)),
            ("W:WKc1,h4:BKg5,b8", "h4xf6", counters(0, 0, 0)),
            ("W:WKc1,c7:BKf8,a3", "c7-d8", counters(0, 0, 0)),
        ] {
            let position = Russian.parse_fen(fen).expect("a position");
            let mv = position.parse_move(mv).expect("a move");
            let start = State::<Draughts>::new(position);
            let state = State { counters: counters(7, 9, 5), ..start };
            assert_eq!(state.after(mv, |_| ()).counters, after, "{fen}");
        }
    }
}
