use super::geometry::{
    DIRECTIONS, Direction, SPREAD_BOARD, bits, in_all, spread, square_of, unspread,
};
use super::position::last_row;
use super::rules::{Priority, Promotion, Removal, Rules, Variant, with_variant};
use super::{Draughts, Move, Position};
use crate::{Color, Game, MoveList};
use std::marker::PhantomData;
use std::ops::ControlFlow::{self, Continue};

/// The maximum number of pieces that one move can capture.
const MOST: usize = Draughts::MAX_SIDE_PIECES as usize;

/// One way to carry out a move.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) mv: Move,
    /// The squares that the piece visits, from its origin.
    pub(super) path: Vec<u8>,
}

/// The first jumps of a position's captures. All sets are [`spread`].
pub(super) struct Captures<'a, V> {
    position: &'a Position,
    kings: u64,
    enemy: u64,
    man_prey: u64,
    empty: u64,
    /// The men that can jump in each direction.
    men: [u64; 4],
    /// The squares from which kings can jump in each direction: their own or, for flying kings,
    /// those they can slide to.
    before_jump: [u64; 4],
    variant: PhantomData<V>,
}

impl<'a, V: Variant> Captures<'a, V> {
    #[inline]
    pub(super) fn of(position: &'a Position) -> Captures<'a, V> {
        let rules = &V::RULES;
        let [mover, enemy, kings] =
            [spread(position.mover()), spread(position.opponent()), spread(position.kings)];
        let mut captures = Captures {
            position,
            kings: mover & kings,
            enemy,
            man_prey: if rules.men_capture_kings { enemy } else { enemy & !kings },
            empty: SPREAD_BOARD & !(mover | enemy),
            men: [0; 4],
            before_jump: [0; 4],
            variant: PhantomData,
        };
        // Branchless: whether there is a capture, and by which piece, is unpredictable.
        for (i, d) in DIRECTIONS.into_iter().enumerate() {
            let Captures { kings, empty, .. } = captures;
            let men =
                if man_captures_towards(rules, position.turn, d) { mover & !kings } else { 0 };
            let kings = if rules.flying_kings { d.fill(kings, empty) } else { kings };
            captures.men[i] = men & before_prey(d, captures.man_prey, empty);
            captures.before_jump[i] = kings & before_prey(d, enemy, empty);
        }
        captures
    }

    /// Whether there are any captures.
    #[inline]
    pub(super) fn any(&self) -> bool {
        union(self.men) | union(self.before_jump) != 0
    }

    /// All captures that the rules allow, without duplicates of (from, to, captured set).
    pub(super) fn moves(&self) -> MoveList<Move> {
        let mut list = MoveList::new();
        let mut best = 0;
        let _ = self.search(|mv, path| {
            let rank = rank(&V::RULES, self.position, mv, path);
            if rank > best {
                best = rank;
                list.clear();
            }
            // Two routes can only have the same result after at least two captures.
            let new = mv.captured & (mv.captured - 1) == 0 || !list.contains(&mv);
            if rank == best && new {
                list.push(mv);
            }
            Continue(())
        });
        list
    }

    /// See [`routes`].
    fn routes(&self) -> Vec<Route> {
        let mut routes = Vec::new();
        let mut best = 0;
        let _ = self.search(|mv, path| {
            let rank = rank(&V::RULES, self.position, mv, path);
            if rank > best {
                best = rank;
                routes.clear();
            }
            if rank == best {
                routes.push(Route { mv, path: path.to_vec() });
            }
            Continue(())
        });
        routes
    }

    /// Calls `found` with every capture that the rules allow until it returns `Break`. Captures may
    /// repeat.
    #[inline(never)]
    pub(super) fn each(&self, mut found: impl FnMut(Move) -> ControlFlow<()>) {
        // The caller knows about the `Break`.
        let _ = match V::RULES.priority {
            Priority::Free => self.search(
                #[inline(always)]
                |mv, _| found(mv),
            ),
            _ => self.moves().into_iter().try_for_each(found),
        };
    }

    /// Calls `found` with every way to capture, ignoring rules of priority, until it returns
    /// `Break`.
    #[inline]
    fn search(&self, found: impl FnMut(Move, &[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
        let captors = in_all(|d| {
            let before = self.before_jump[d as usize];
            let kings = match V::RULES.flying_kings {
                true => fliers(self.kings, d, before, self.empty),
                false => before,
            };
            self.men[d as usize] | kings
        });
        let mut search = Search::new(self, found);
        for from in bits(union(captors)).map(|from| 1 << from) {
            search.start(from, self.kings & from != 0, captors, self.empty)?;
        }
        Continue(())
    }
}

/// All ways to capture that the rules allow. A move has several if different routes capture the
/// same pieces.
pub(super) fn routes(position: &Position) -> Vec<Route> {
    with_variant!(position.game, V => Captures::<V>::of(position).routes())
}

/// The union of the sets of all directions.
#[inline]
fn union(sets: [u64; 4]) -> u64 {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// The squares from which a neighbouring piece of `prey` in direction `d` can be jumped, because
/// the square behind it is empty.
#[inline]
fn before_prey(d: Direction, prey: u64, empty: u64) -> u64 {
    let back = d.opposite();
    back.shift(prey, 1) & back.shift(empty, 2)
}

/// The flying kings that can slide in direction `d` to one of the squares `before`.
#[inline]
fn fliers(kings: u64, d: Direction, before: u64, empty: u64) -> u64 {
    let back = d.opposite();
    kings & (before | back.shift(back.fill(before & empty, empty), 1))
}

/// The rank of a capture under the rules of priority. Only captures of the highest rank are legal.
#[inline]
fn rank(rules: &Rules, position: &Position, mv: Move, path: &[u8]) -> u32 {
    if rules.priority == Priority::Free {
        return 0;
    }
    let count = mv.captured.count_ones();
    let kings = (mv.captured & position.kings).count_ones();
    let by_king = u32::from(position.kings & 1 << mv.from != 0);
    match rules.priority {
        Priority::Free => 0,
        Priority::King => by_king,
        Priority::Most => count,
        Priority::MostThenKings => count << 4 | kings,
        Priority::Italian => {
            // One bit for each captured piece, in the order of capture, the first one highest. The
            // bits of kings are set.
            let mut left = mv.captured;
            let order = path.windows(2).fold(0, |order, step| {
                let between = DIRECTIONS
                    .into_iter()
                    .find(|d| d.ray(step[0]) & 1 << step[1] != 0)
                    .map_or(0, |d| d.ray(step[0]) ^ d.ray(step[1]));
                let taken = between & left;
                left ^= taken;
                order << 1 | u32::from(taken & position.kings != 0)
            });
            count << 21 | by_king << 20 | kings << 16 | order
        }
    }
}

#[inline]
fn man_captures_towards(rules: &Rules, color: Color, d: Direction) -> bool {
    rules.men_capture_backwards || d.is_up() == (color == Color::White)
}

/// Calls `found` with every way to capture for a man or king that starts on `from` with a jump in
/// direction `d`. This piece is not on the board of `position`.
#[inline]
pub(super) fn jumps<V: Variant>(
    position: &Position,
    from: u8,
    king: bool,
    d: Direction,
    mut found: impl FnMut(Move),
) {
    let captures = Captures::<V>::of(position);
    let mut search = Search::new(&captures, |mv, _: &[u8]| {
        found(mv);
        Continue(())
    });
    let from = spread(1 << from);
    let captors = search.captors(from, king, 0);
    let captors = in_all(|other| if other == d { captors[d as usize] } else { 0 });
    let _ = search.start(from, king, captors, captures.empty);
}

/// A depth-first search for the captures of one piece. All sets are [`spread`], including squares,
/// which are sets of one.
struct Search<V, F> {
    enemy: u64,
    man_prey: u64,
    /// The squares that are empty before the first jump, including the origin.
    empty: u64,
    promotion_row: u64,
    color: Color,
    /// The squares visited so far: the first `visited` of `path`.
    path: [u8; MOST + 1],
    visited: usize,
    found: F,
    variant: PhantomData<V>,
}

impl<V: Variant, F: FnMut(Move, &[u8]) -> ControlFlow<()>> Search<V, F> {
    #[inline]
    fn new(captures: &Captures<V>, found: F) -> Search<V, F> {
        let color = captures.position.turn;
        Search {
            enemy: captures.enemy,
            man_prey: captures.man_prey,
            empty: captures.empty,
            promotion_row: spread(last_row(color)),
            color,
            path: [0; MOST + 1],
            visited: 0,
            found,
            variant: PhantomData,
        }
    }

    /// Reports every way to capture from `from`, beginning in the directions in which `captors`
    /// contains it, until the receiver returns `Break`. `empty` are the empty squares of the board.
    #[inline]
    fn start(&mut self, from: u64, king: bool, captors: [u64; 4], empty: u64) -> ControlFlow<()> {
        // The origin is empty during the capture and may be landed on.
        self.empty = empty | from;
        self.visit(from, |search| search.go_on(from, king, captors, 0))
    }

    /// For each direction, the squares of `at` from which a piece that has already `captured` these
    /// pieces can continue its capture.
    #[inline(always)]
    fn captors(&self, at: u64, king: bool, captured: u64) -> [u64; 4] {
        let prey = if king { self.enemy } else { self.man_prey } & !captured;
        // Often the only piece in reach has been captured.
        if prey == 0 {
            return [0; 4];
        }
        let (_, empty) = self.board_after(captured);
        in_all(|d| {
            let before = before_prey(d, prey, empty);
            if king && V::RULES.flying_kings {
                fliers(at, d, before, empty)
            } else if king || man_captures_towards(&V::RULES, self.color, d) {
                at & before
            } else {
                0
            }
        })
    }

    /// The opponent's pieces that can be jumped and the empty squares, after `captured` have been
    /// jumped. Pieces that are removed only at the end of the move block the captor and cannot be
    /// jumped again.
    #[inline(always)]
    fn board_after(&self, captured: u64) -> (u64, u64) {
        match V::RULES.removal {
            Removal::AtEnd => (self.enemy, self.empty),
            Removal::AtOnce => (self.enemy & !captured, self.empty | captured),
        }
    }

    /// Reports every way to continue capturing from `at` in the directions in which `captors`
    /// contains it, until the receiver returns `Break`.
    fn go_on(&mut self, at: u64, king: bool, captors: [u64; 4], captured: u64) -> ControlFlow<()> {
        // One branch for each capture that exists, not for each direction.
        let towards = in_all(|d| u64::from(captors[d as usize] & at != 0) << d as u32);
        bits(union(towards)).map(|d| DIRECTIONS[usize::from(d)]).try_for_each(|d| {
            match king && V::RULES.flying_kings {
                true => self.fly(at, d, captured),
                false => self.jump(at, d, king, captured),
            }
        })
    }

    /// Captures a neighbour by a short jump.
    #[inline]
    fn jump(&mut self, at: u64, d: Direction, king: bool, captured: u64) -> ControlFlow<()> {
        let land = d.shift(at, 2);
        let captured = captured | d.shift(at, 1);
        let last_row = !king && self.promotion_row & land != 0;
        let goes_on_as_king = king || last_row && V::RULES.promotion == Promotion::GoesOn;
        let ends = last_row && V::RULES.promotion == Promotion::EndsMove;
        let captors = self.captors(land, goes_on_as_king, captured);
        self.visit(land, |search| match ends || union(captors) == 0 {
            true => search.report(king || last_row, captured),
            false => search.go_on(land, goes_on_as_king, captors, captured),
        })
    }

    /// Captures the first piece on a diagonal with a flying king. The king must land on a square
    /// from which it can continue capturing, if there is one.
    #[inline]
    fn fly(&mut self, at: u64, d: Direction, captured: u64) -> ControlFlow<()> {
        let (enemy, empty) = self.board_after(captured);
        let met = d.shift(d.fill(at, empty), 1) & enemy;
        let next = d.shift(met, 1);
        let captured = captured | met;
        let (_, empty) = self.board_after(captured);
        let landings = if V::RULES.land_behind { next } else { d.fill(next, empty) };
        let captors = self.captors(landings, true, captured);
        match union(captors) {
            0 => bits(landings)
                .map(|land| 1 << land)
                .try_for_each(|land| self.visit(land, |search| search.report(true, captured))),
            onward => bits(onward).map(|land| 1 << land).try_for_each(|land| {
                self.visit(land, |search| search.go_on(land, true, captors, captured))
            }),
        }
    }

    /// Calls `then` with `square` appended to the path.
    #[inline]
    fn visit<T>(&mut self, square: u64, then: impl FnOnce(&mut Self) -> T) -> T {
        self.path[self.visited] = square_of(square);
        self.visited += 1;
        let result = then(self);
        self.visited -= 1;
        result
    }

    #[inline]
    fn report(&mut self, king: bool, captured: u64) -> ControlFlow<()> {
        let path = &self.path[..self.visited];
        let mv =
            Move { from: path[0], to: path[path.len() - 1], king, captured: unspread(captured) };
        (self.found)(mv, path)
    }
}
