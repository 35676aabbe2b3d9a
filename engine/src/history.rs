use crate::draws::{Counters, DrawReason};
use crate::searchable::Searchable;
use crate::zobrist;
use damka_games::{Color, Counted, Game, MoveCounters, Position, Random};

/// A game so far: where it began, the moves, and all positions on the way.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    states: Vec<State<G>>,
    moves: Vec<G::Move>,
    /// The move counters of the first position.
    counters: Option<MoveCounters>,
}

/// A position of a game, with what the rules of draws remember.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<G: Game> {
    pub(crate) position: G::Position,
    pub(crate) key: u64,
    pub(crate) counters: Counters,
    /// Whether the side to move [must answer](Searchable::is_forced).
    pub(crate) is_forced: bool,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side has won: the other cannot move.
    Won(Color),
    /// Nobody has won.
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

    /// The state after passing.
    pub(crate) fn passed(&self) -> State<G> {
        let position = G::pass(&self.position);
        State {
            position,
            key: zobrist::key_after::<G>(self.key, &self.position, &position, |_, _| ()),
            counters: Counters::default(),
            is_forced: G::is_forced(&position),
        }
    }

    /// The state after a legal move. Its key is told as soon as it is known.
    #[inline]
    pub(crate) fn after(&self, mv: G::Move, tell: impl FnOnce(u64)) -> State<G> {
        let position = self.position.play(mv);
        let [mut material, mut conversion] = [false; 2];
        let key = zobrist::key_after::<G>(self.key, &self.position, &position, |kind, sets| {
            material |= sets[0].len() != sets[1].len();
            conversion |= G::MEN.contains(&kind);
        });
        tell(key);
        State {
            position,
            key,
            counters: self.counters.after(material, conversion, G::holds_main_road(&position)),
            is_forced: G::is_forced(&position),
        }
    }
}

impl<G: Searchable> History<G> {
    /// A game that begins with this position. The rules of draws go on from its halfmove clock;
    /// earlier repetitions are not known.
    pub fn new(start: impl Into<Counted<G::Position>>) -> History<G> {
        let start = start.into();
        let mut state = State::new(start.position);
        state.counters.since_conversion = start.halfmove_clock();
        History { states: vec![state], moves: Vec::new(), counters: start.counters }
    }

    /// The position the game began with, and its move counters.
    pub fn start(&self) -> Counted<G::Position> {
        Counted { position: self.states[0].position, counters: self.counters }
    }

    /// The position now with its move counters, for its FEN. This replays the game.
    pub fn counted(&self) -> Counted<G::Position> {
        self.moves.iter().fold(self.start(), |counted, &mv| counted.play(mv))
    }

    /// The position now.
    pub fn position(&self) -> &G::Position {
        &self.state().position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// All positions so far, the first and the last included.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = &G::Position> {
        self.states.iter().map(|state| &state.position)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let next = self.state().after(mv, |_| ());
        self.states.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(mv)
    }

    /// How the game has ended, if it has.
    pub fn end(&self) -> Option<End> {
        let State { position, key, counters, .. } = self.state();
        if position.moves().is_empty() {
            return Some(match position.loses_when_stuck() {
                true => End::Won(!position.turn()),
                false => End::Drawn(DrawReason::Stalemate),
            });
        }
        let same = self.states.iter().filter(|state| state.key == *key);
        if same.count() >= position.game().repetitions() {
            return Some(End::Drawn(DrawReason::Repetition));
        }
        G::drawn(position, counters).map(End::Drawn)
    }

    /// Whether a move repeats a position so often that the game is drawn.
    pub(crate) fn is_drawn_by(&self, mv: G::Move) -> bool {
        // The third occurrence is eight plies after the first, or more.
        let state = self.state();
        if usize::from(state.counters.since_conversion).min(self.moves.len()) < 7 {
            return false;
        }
        let key = state.after(mv, |_| ()).key;
        let earlier = self.states.iter().filter(|state| state.key == key).count();
        earlier + 1 >= state.position.game().repetitions()
    }

    /// A number that belongs to the position now.
    pub fn key(&self) -> u64 {
        self.state().key
    }

    /// A number that belongs to all positions so far, in their order: games with the same moves
    /// from the same position share it.
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
    fn what_starts_counting_anew() {
        let counters = |since_conversion, since_material, on_main_road| Counters {
            since_conversion,
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
