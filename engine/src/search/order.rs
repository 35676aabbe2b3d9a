use super::MAX_PLY;
use crate::searchable::Searchable;
use damka_games::{Color, MoveList, Position};

/// What a thread has learned of moves: which ones refuted others before.
pub(super) struct Experience<G: Searchable> {
    /// By distance from the root: the last quiet moves that were too good.
    killers: Vec<[Option<G::Move>; 2]>,
    /// By side to move, origin and end: how often a quiet move was too good, and how
    /// often it was not.
    history: Box<[[[i16; 64]; 64]; 2]>,
}

/// The places of the legal moves in the order in which they are tried.
pub(super) struct Order(MoveList<(i32, u8)>);

/// What is tried before what: the best move known, moves that win something, killers,
/// and the rest by history.
const BEST: i32 = 1 << 30;
const GAIN: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;
const MOST: i16 = 1 << 13;

impl<G: Searchable> Experience<G> {
    pub(super) fn new() -> Experience<G> {
        Experience {
            killers: vec![[None; 2]; usize::from(MAX_PLY) + 1],
            history: Box::new([[[0; 64]; 64]; 2]),
        }
    }

    /// Orders the legal moves of a position that is `ply` plies from the root; `best` is
    /// the place of the best one, if something is known of it.
    #[inline]
    pub(super) fn order(
        &self,
        position: &G::Position,
        moves: &[G::Move],
        best: Option<u8>,
        ply: u16,
    ) -> Order {
        let killers = &self.killers[usize::from(ply)];
        let history = &self.history[position.turn() as usize];
        let rank = |(place, &mv): (usize, &G::Move)| {
            if best == Some(place as u8) {
                return (BEST, place as u8);
            }
            let gain = G::gain(position, mv);
            let rank = if gain > 0 {
                GAIN + gain
            } else if gain < 0 {
                gain - GAIN
            } else if killers[0] == Some(mv) {
                KILLER + 1
            } else if killers[1] == Some(mv) {
                KILLER
            } else {
                let (from, to) = G::ends(mv);
                history[usize::from(from)][usize::from(to)].into()
            };
            (rank, place as u8)
        };
        Order(moves.iter().enumerate().map(rank).collect())
    }

    /// The move at `place` was too good for the other side, after those `tried` before.
    pub(super) fn learn(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
        place: u8,
        tried: &[u8],
        ply: u16,
        depth: i32,
    ) {
        let mv = moves[place as usize];
        if G::gain(position, mv) != 0 {
            return;
        }
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).min(400) as i16;
        self.note(position.turn(), mv, bonus);
        for &place in tried {
            let mv = moves[place as usize];
            if G::gain(position, mv) == 0 {
                self.note(position.turn(), mv, -bonus);
            }
        }
    }

    /// Moves a count towards its limit, the slower the nearer it is.
    fn note(&mut self, turn: Color, mv: G::Move, bonus: i16) {
        let (from, to) = G::ends(mv);
        let count = &mut self.history[turn as usize][usize::from(from)][usize::from(to)];
        let fading = i32::from(*count) * i32::from(bonus.abs()) / i32::from(MOST);
        *count += bonus - fading as i16;
    }
}

impl Order {
    /// The place of the next move to try, and whether it is a quiet one that nothing
    /// speaks for.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(u8, bool)> {
        let best = self.0.iter().enumerate().max_by_key(|(_, (rank, place))| (*rank, !place))?.0;
        let (rank, place) = self.0.swap_remove(best);
        Some((place, rank < KILLER))
    }
}
