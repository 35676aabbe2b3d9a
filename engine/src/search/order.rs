use super::MAX_PLY;
use super::bonus::{MAX_HISTORY, add_bonus};
use super::continuation::{ContinuationHistory, PieceTo};
use crate::searchable::Searchable;
use damka_games::{MoveList, Position};

/// A thread's killer moves and history heuristics.
#[derive(Clone)]
pub(super) struct MoveHistory<G: Searchable> {
    /// By ply: the last two quiet moves that caused a beta cutoff.
    killers: Vec<[Option<G::Move>; 2]>,
    /// By side to move, origin and target square: raised when a quiet move caused a beta cutoff,
    /// lowered when it was searched before the move that did.
    history: Box<[[[i16; 64]; 64]; 2]>,
    /// Used in a [selective](Searchable::IS_SELECTIVE) search only.
    continuation: Option<ContinuationHistory>,
}

/// Picks the moves of a position one by one, the most promising first.
pub(super) struct MovePicker<'a, G: Searchable> {
    position: &'a G::Position,
    moves: &'a [G::Move],
    /// The index of the transposition table move.
    tt_move: Option<u8>,
    ply: u16,
    /// Whether the transposition table move was picked before the others were ranked.
    is_tt_move_picked: bool,
    /// Whether `candidates` is filled.
    is_ranked: bool,
    /// By index: the moves left to pick, [`Candidate::NONE`] for the others.
    candidates: MoveList<Candidate>,
}

/// A move to be picked: its rank, highest first, and in the low eight bits the inverted index in
/// the list of legal moves, so that of equal ranks the first in the list wins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate(i32);

/// Ranks: the transposition table move, captures and other gains (at least `NOISY`), killers, then
/// quiet moves by the sum of their histories (at least `LEAST_QUIET`), and losing moves last (near
/// -`NOISY`).
const TT_MOVE: i32 = 1 << 22;
const NOISY: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;
const LEAST_QUIET: i32 = -3 * MAX_HISTORY as i32;

impl<G: Searchable> MoveHistory<G> {
    pub(super) fn new() -> MoveHistory<G> {
        MoveHistory {
            killers: vec![[None; 2]; usize::from(MAX_PLY) + 1],
            history: Box::new([[[0; 64]; 64]; 2]),
            continuation: G::IS_SELECTIVE.then(ContinuationHistory::new),
        }
    }

    /// The move history with which the next search starts: without killers, and with all history
    /// values halved.
    pub(super) fn aged(mut self) -> MoveHistory<G> {
        self.killers.fill([None; 2]);
        let history = self.history.as_flattened_mut().as_flattened_mut();
        history.iter_mut().for_each(|value| *value /= 2);
        if let Some(continuation) = &mut self.continuation {
            continuation.age();
        }
        self
    }

    /// Records the move that is played at `ply`.
    #[inline]
    pub(super) fn play(&mut self, position: &G::Position, mv: G::Move, ply: u16) {
        if let Some(continuation) = &mut self.continuation {
            continuation.play(PieceTo::of::<G>(position, mv), ply);
        }
    }

    /// Records that a null move is played at `ply`.
    pub(super) fn pass(&mut self, ply: u16) {
        if let Some(continuation) = &mut self.continuation {
            continuation.pass(ply);
        }
    }

    /// Ranks the moves that have not been picked.
    #[inline]
    fn rank(&self, picker: &mut MovePicker<G>) {
        let MovePicker { position, moves, tt_move, ply, is_tt_move_picked, .. } = *picker;
        let killers = &self.killers[usize::from(ply)];
        let history = &self.history[position.turn() as usize];
        // Comparing origin and target first rules out most moves.
        let squares = |mv| {
            let (from, to) = G::from_to(mv);
            u16::from_le_bytes([from.index(), to.index()])
        };
        let killer_squares = killers.map(|killer| killer.map_or(u16::MAX, squares));
        let is_killer = |number: usize, mv| {
            killer_squares[number] == squares(mv) && killers[number] == Some(mv)
        };
        let continuations = self.continuation.as_ref().map(|continuation| continuation.at(ply));
        picker.candidates.resize(moves.len(), Candidate::NONE);
        for ((index, &mv), candidate) in (0..).zip(moves).zip(&mut picker.candidates[..]) {
            let noisy = G::noisy_rank(position, mv);
            let rank = if noisy > 0 {
                NOISY + noisy
            } else if noisy < 0 {
                noisy - NOISY
            } else if is_killer(0, mv) {
                KILLER + 1
            } else if is_killer(1, mv) {
                KILLER
            } else {
                let (from, to) = G::from_to(mv);
                let continued = continuations
                    .map_or(0, |continuations| continuations.get(PieceTo::of::<G>(position, mv)));
                i32::from(history[usize::from(from)][usize::from(to)]) + continued
            };
            *candidate = Candidate::new(rank, index);
        }
        if let Some(index) = tt_move {
            let candidate =
                if is_tt_move_picked { Candidate::NONE } else { Candidate::new(TT_MOVE, index) };
            picker.candidates[usize::from(index)] = candidate;
        }
    }

    /// Updates killers and histories after the move at `index` caused a beta cutoff at a node where
    /// those of `searched` did not.
    pub(super) fn update(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
        index: u8,
        searched: &[u8],
        ply: u16,
        depth: i32,
    ) {
        let mv = moves[index as usize];
        if G::noisy_rank(position, mv) != 0 {
            return;
        }
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).min(400) as i16;
        self.add_bonus(position, mv, ply, bonus);
        for &index in searched {
            let mv = moves[index as usize];
            if G::noisy_rank(position, mv) == 0 {
                self.add_bonus(position, mv, ply, -bonus);
            }
        }
    }

    /// Adds `bonus` to the history values of a quiet move.
    fn add_bonus(&mut self, position: &G::Position, mv: G::Move, ply: u16, bonus: i16) {
        let (from, to) = G::from_to(mv);
        let history = &mut self.history[position.turn() as usize];
        add_bonus(&mut history[usize::from(from)][usize::from(to)], bonus);
        if let Some(continuation) = &mut self.continuation {
            continuation.add_bonus(PieceTo::of::<G>(position, mv), ply, bonus);
        }
    }
}

impl<'a, G: Searchable> MovePicker<'a, G> {
    /// A picker that starts with the move at index `tt_move`, if any.
    #[inline]
    pub(super) fn new(
        position: &'a G::Position,
        moves: &'a [G::Move],
        tt_move: Option<u8>,
        ply: u16,
    ) -> MovePicker<'a, G> {
        // Keys of different positions may collide.
        let tt_move = tt_move.filter(|&index| usize::from(index) < moves.len());
        MovePicker {
            position,
            moves,
            tt_move,
            ply,
            is_tt_move_picked: false,
            is_ranked: false,
            candidates: MoveList::new(),
        }
    }

    /// The next move. Captures that [lose](Searchable::exchange_loss) by SEE are deferred to the
    /// end.
    #[inline]
    pub(super) fn next(&mut self, move_history: &MoveHistory<G>) -> Option<Candidate> {
        loop {
            let candidate = self.next_without_see(move_history)?;
            let index = candidate.index();
            let may_lose = candidate.is_noisy();
            let loss = if may_lose {
                G::exchange_loss(self.position, self.moves[usize::from(index)])
            } else {
                0
            };
            if loss <= 0 {
                return Some(candidate);
            }
            self.candidates[usize::from(index)] = Candidate::new(-NOISY - loss, index);
        }
    }

    /// Like `next`, but does not check captures by SEE. A selective search picks the transposition
    /// table move before it ranks the others, as that move often causes a cutoff.
    #[inline]
    pub(super) fn next_without_see(&mut self, move_history: &MoveHistory<G>) -> Option<Candidate> {
        if !self.is_ranked {
            if let (Some(index), true, false) =
                (self.tt_move, G::IS_SELECTIVE, self.is_tt_move_picked)
            {
                self.is_tt_move_picked = true;
                return Some(Candidate::new(TT_MOVE, index));
            }
            self.is_ranked = true;
            move_history.rank(self);
        }
        // A plain maximum, which the compiler can vectorise.
        let best =
            self.candidates.iter().fold(Candidate::NONE.0, |best, candidate| best.max(candidate.0));
        let candidate = Candidate(best);
        if candidate == Candidate::NONE {
            return None;
        }
        self.candidates[usize::from(candidate.index())] = Candidate::NONE;
        Some(candidate)
    }
}

impl Candidate {
    /// No move; ranks below all others.
    const NONE: Candidate = Candidate(i32::MIN);

    #[inline]
    fn new(rank: i32, index: u8) -> Candidate {
        Candidate(rank << 8 | i32::from(!index))
    }

    #[inline]
    fn rank(self) -> i32 {
        self.0 >> 8
    }

    /// The index in the list of legal moves.
    #[inline]
    pub(super) fn index(self) -> u8 {
        !(self.0 as u8)
    }

    /// Whether it is a quiet move other than a killer, or a losing move.
    #[inline]
    pub(super) fn is_late(self) -> bool {
        self.rank() < KILLER
    }

    /// Whether it is a noisy move that has not been checked by SEE.
    #[inline]
    pub(super) fn is_noisy(self) -> bool {
        (NOISY..TT_MOVE).contains(&self.rank())
    }

    /// What the exchange loses, in hundredths of a man; 0 if nothing.
    #[inline]
    pub(super) fn loss(self) -> i32 {
        if self.rank() < LEAST_QUIET { -(self.rank() + NOISY) } else { 0 }
    }

    /// By how many plies the histories of a quiet move reduce its late move reduction, at most 2;
    /// negative if they increase it.
    #[inline]
    pub(super) fn history(self) -> i32 {
        if self.loss() > 0 { 0 } else { (self.rank() / i32::from(MAX_HISTORY / 2)).clamp(-2, 2) }
    }
}
