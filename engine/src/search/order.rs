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

/// The moves of a position, in the order in which they are tried.
pub(super) struct Order<'a, G: Searchable> {
    position: &'a G::Position,
    moves: &'a [G::Move],
    /// The place of the best one, if something is known of it.
    best: Option<u8>,
    ply: u16,
    /// Whether the best one has been tried, alone.
    is_begun: bool,
    /// Whether the others have ranks.
    is_ranked: bool,
    /// By place: what is left to try, and [`Choice::TRIED`].
    choices: MoveList<Choice>,
}

/// A move that is tried: its rank, the higher the sooner, and in the lowest eight bits its place
/// among the legal moves, inverted, as the first of equals comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice(i32);

/// What is tried before what: the best move known, moves that win something, killers,
/// and the rest by history.
const BEST: i32 = 1 << 22;
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

    /// Ranks the moves that have not been tried.
    #[inline]
    fn rank(&self, order: &mut Order<G>) {
        let Order { position, moves, best, ply, is_begun, .. } = *order;
        let killers = &self.killers[usize::from(ply)];
        let history = &self.history[position.turn() as usize];
        // The ends alone tell most moves from a killer.
        let ends = |mv| {
            let (from, to) = G::ends(mv);
            u16::from_le_bytes([from.index(), to.index()])
        };
        let killers_ends = killers.map(|killer| killer.map_or(u16::MAX, ends));
        let is_killer =
            |number: usize, mv| killers_ends[number] == ends(mv) && killers[number] == Some(mv);
        order.choices.resize(moves.len(), Choice::TRIED);
        for ((place, &mv), choice) in (0..).zip(moves).zip(&mut order.choices[..]) {
            let gain = G::gain(position, mv);
            let rank = if gain > 0 {
                GAIN + gain
            } else if gain < 0 {
                gain - GAIN
            } else if is_killer(0, mv) {
                KILLER + 1
            } else if is_killer(1, mv) {
                KILLER
            } else {
                let (from, to) = G::ends(mv);
                history[usize::from(from)][usize::from(to)].into()
            };
            *choice = Choice::new(rank, place);
        }
        if let Some(place) = best {
            let choice = if is_begun { Choice::TRIED } else { Choice::new(BEST, place) };
            order.choices[usize::from(place)] = choice;
        }
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

impl<'a, G: Searchable> Order<'a, G> {
    /// Begins with the move at the place `best`, if something is known of it.
    #[inline]
    pub(super) fn new(
        position: &'a G::Position,
        moves: &'a [G::Move],
        best: Option<u8>,
        ply: u16,
    ) -> Order<'a, G> {
        // Two positions may have one key, if hardly ever.
        let best = best.filter(|&place| usize::from(place) < moves.len());
        Order {
            position,
            moves,
            best,
            ply,
            is_begun: false,
            is_ranked: false,
            choices: MoveList::new(),
        }
    }

    /// The next move to try, what [loses](Searchable::loss) after all put off.
    #[inline]
    pub(super) fn next(&mut self, experience: &Experience<G>) -> Option<Choice> {
        loop {
            let choice = self.next_promising(experience)?;
            let place = choice.place();
            let may_lose = choice.is_gain();
            let loss =
                if may_lose { G::loss(self.position, self.moves[usize::from(place)]) } else { 0 };
            if loss <= 0 {
                return Some(choice);
            }
            self.choices[usize::from(place)] = Choice::new(-GAIN - loss, place);
        }
    }

    /// The same, by what moves win at first. A selective search has to try few others if it knows
    /// a good one: these get ranks when that has failed.
    #[inline]
    pub(super) fn next_promising(&mut self, experience: &Experience<G>) -> Option<Choice> {
        if !self.is_ranked {
            if let (Some(place), true, false) = (self.best, G::IS_SELECTIVE, self.is_begun) {
                self.is_begun = true;
                return Some(Choice::new(BEST, place));
            }
            self.is_ranked = true;
            experience.rank(self);
        }
        // A plain maximum, so that processors find it for several at a time.
        let best = self.choices.iter().fold(Choice::TRIED.0, |best, choice| best.max(choice.0));
        let choice = Choice(best);
        if choice == Choice::TRIED {
            return None;
        }
        self.choices[usize::from(choice.place())] = Choice::TRIED;
        Some(choice)
    }
}

impl Choice {
    /// No move: worse than all.
    const TRIED: Choice = Choice(i32::MIN);

    #[inline]
    fn new(rank: i32, place: u8) -> Choice {
        Choice(rank << 8 | i32::from(!place))
    }

    #[inline]
    fn rank(self) -> i32 {
        self.0 >> 8
    }

    /// Its place among the legal moves.
    #[inline]
    pub(super) fn place(self) -> u8 {
        !(self.0 as u8)
    }

    /// Whether it is a quiet move that nothing speaks for, or loses something at once.
    #[inline]
    pub(super) fn is_late(self) -> bool {
        self.rank() < KILLER
    }

    /// Whether it wins something at first.
    #[inline]
    pub(super) fn is_gain(self) -> bool {
        (GAIN..BEST).contains(&self.rank())
    }

    /// What it loses at once, in hundredths of a man.
    #[inline]
    pub(super) fn loss(self) -> i32 {
        if self.rank() < -i32::from(MOST) { -(self.rank() + GAIN) } else { 0 }
    }

    /// How often a quiet move was too good, less how often it was not, in plies by which it is
    /// searched deeper.
    #[inline]
    pub(super) fn history(self) -> i32 {
        if self.loss() > 0 { 0 } else { self.rank() / i32::from(MOST / 2) }
    }
}
