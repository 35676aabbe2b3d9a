use super::geometry::{DIRECTIONS, Direction, SPREAD_BOARD, spread};
use super::position::promotion_row;
use super::rules::{Priority, Promotion, Rules, Variant};
use super::{Move, Position};
use crate::{Color, MoveList, bits};

/// The most pieces one move can capture.
const MOST: usize = 12;

/// One way to carry out a move.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) mv: Move,
    /// The squares the piece visits, its origin first.
    pub(super) path: Vec<u8>,
}

/// Whether the side to move can capture.
#[inline]
pub(super) fn any<V: Variant>(position: &Position) -> bool {
    let rules = &V::RULES;
    let [mover, enemy, kings] = [position.mover(), position.opponent(), position.kings].map(spread);
    let empty = SPREAD_BOARD & !(mover | enemy);
    let man_prey = if rules.men_capture_kings { enemy } else { enemy & !kings };
    let [men, kings] = [mover & !kings, mover & kings];
    // Without a branch: whether there is a capture, and of what, is not predictable.
    let able = DIRECTIONS.map(|d| {
        let back = d.opposite();
        let jump = |prey| back.shift(prey, 1) & back.shift(empty, 2);
        let kings = if rules.flying_kings { d.fill(kings, empty) } else { kings };
        let men = if man_captures_towards(rules, position.turn, d) { men } else { 0 };
        men & jump(man_prey) | kings & jump(enemy)
    });
    able.into_iter().fold(0, |a, b| a | b) != 0
}

/// Calls `found` with every capture that the rules allow, with some more than once, if
/// there is [`any`].
#[inline]
pub(super) fn each<V: Variant>(position: &Position, mut found: impl FnMut(Move)) {
    match V::RULES.priority {
        Priority::Free => {
            // To see which flying kings can capture takes as long as to try.
            let flying = if V::RULES.flying_kings { position.kings } else { 0 };
            let able = steppers::<V>(position) | position.mover() & flying;
            search::<V>(position, able, |mv, _| found(mv));
        }
        _ => moves::<V>(position, capturers::<V>(position)).into_iter().for_each(found),
    }
}

/// The pieces that can capture.
#[inline]
pub(super) fn capturers<V: Variant>(position: &Position) -> u32 {
    let flying = match V::RULES.flying_kings {
        true => position.mover() & position.kings,
        false => 0,
    };
    steppers::<V>(position) | fliers(flying, position.opponent(), !position.occupied())
}

/// The men and short kings that can capture.
#[inline]
fn steppers<V: Variant>(position: &Position) -> u32 {
    let rules = &V::RULES;
    let empty = !position.occupied();
    let enemy = position.opponent();
    let kings = position.mover() & position.kings;
    let men = position.mover() & !position.kings;
    let prey = man_prey(rules, enemy, position.kings);
    // The squares from which a jump in direction `d` takes one of `prey`.
    let jump = |prey: u32, d: Direction| d.opposite().step(prey & d.opposite().step(empty));
    let mut able = 0;
    for d in DIRECTIONS {
        if man_captures_towards(rules, position.turn, d) {
            able |= men & jump(prey, d);
        }
        if !rules.flying_kings && kings != 0 {
            able |= kings & jump(enemy, d);
        }
    }
    able
}

/// Which of these flying kings can capture one of `prey`.
#[inline]
fn fliers(kings: u32, prey: u32, empty: u32) -> u32 {
    // All directions without a branch: which of them has a capture is not predictable.
    let can_capture =
        |king| DIRECTIONS.into_iter().fold(false, |any, d| any | d.can_fly_over(king, prey, empty));
    bits(kings.into()).fold(0, |set, king| set | u32::from(can_capture(king)) << king)
}

/// All captures the rules allow, each (from, to, captured set) once, of the
/// pieces that [can capture](capturers).
pub(super) fn moves<V: Variant>(position: &Position, capturers: u32) -> MoveList<Move> {
    let mut list = MoveList::new();
    let mut best = 0;
    search::<V>(position, capturers, |mv, path| {
        let rank = rank(&V::RULES, position, mv, path);
        if rank > best {
            best = rank;
            list.clear();
        }
        // Routes can only meet again after two captures.
        let new = mv.captured & (mv.captured - 1) == 0 || !list.contains(&mv);
        if rank == best && new {
            list.push(mv);
        }
    });
    list
}

/// All ways to capture that the rules allow; a move has several if different
/// routes take the same pieces.
pub(super) fn routes<V: Variant>(position: &Position) -> Vec<Route> {
    let mut routes = Vec::new();
    let mut best = 0;
    search::<V>(position, capturers::<V>(position), |mv, path| {
        let rank = rank(&V::RULES, position, mv, path);
        if rank < best {
            return;
        }
        if rank > best {
            best = rank;
            routes.clear();
        }
        routes.push(Route { mv, path: path.to_vec() });
    });
    routes
}

/// How a capture compares with others under the rules' priority; only those of
/// the highest rank are legal.
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
            // One bit for each capture, the first one highest: set for a king.
            let order = path.windows(2).fold(0, |order, step| {
                let between = DIRECTIONS
                    .into_iter()
                    .find(|d| d.ray(step[0]) & 1 << step[1] != 0)
                    .map_or(0, |d| d.ray(step[0]) ^ d.ray(step[1]));
                order << 1 | u32::from(between & mv.captured & position.kings != 0)
            });
            count << 21 | by_king << 20 | kings << 16 | order
        }
    }
}

/// The pieces that a man may capture.
#[inline]
fn man_prey(rules: &Rules, enemy: u32, kings: u32) -> u32 {
    match rules.men_capture_kings {
        true => enemy,
        false => enemy & !kings,
    }
}

#[inline]
fn man_captures_towards(rules: &Rules, color: Color, d: Direction) -> bool {
    rules.men_capture_backwards || d.is_up() == (color == Color::White)
}

/// Calls `found` with every way to capture with one of `capturers`, before any
/// rule of priority.
#[inline]
fn search<V: Variant>(position: &Position, capturers: u32, found: impl FnMut(Move, &[u8])) {
    let mut search = Search::<V, _>::new(position, found);
    for from in bits(capturers.into()) {
        // The origin is empty during the capture and may be landed on.
        search.occupied = position.occupied() ^ 1 << from;
        search.visit(from, |search| {
            search.extend(from, position.kings & 1 << from != 0, 0);
        });
    }
}

/// Calls `found` with every way to capture from `from`, the first jump in direction
/// `d`, with a man or king that is not on the board of `position`.
#[inline]
pub(super) fn jumps<V: Variant>(
    position: &Position,
    from: u8,
    king: bool,
    d: Direction,
    found: impl FnMut(Move, &[u8]),
) {
    let mut search = Search::<V, _>::new(position, found);
    search.occupied = position.occupied();
    search.visit(from, |search| search.step(from, king, d, 0));
}

/// A depth-first search for the captures of one piece.
struct Search<V, F> {
    enemy: u32,
    man_prey: u32,
    occupied: u32,
    color: Color,
    /// The squares visited so far: the first `visited` of `path`.
    path: [u8; MOST + 1],
    visited: usize,
    found: F,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant, F: FnMut(Move, &[u8])> Search<V, F> {
    fn new(position: &Position, found: F) -> Search<V, F> {
        Search {
            enemy: position.opponent(),
            man_prey: man_prey(&V::RULES, position.opponent(), position.kings),
            occupied: 0,
            color: position.turn,
            path: [0; MOST + 1],
            visited: 0,
            found,
            variant: std::marker::PhantomData,
        }
    }

    /// Reports every way to go on capturing from `at`; false if there is none.
    /// Captured pieces stay in `occupied`: they block, and are not jumped twice.
    fn extend(&mut self, at: u8, king: bool, captured: u32) -> bool {
        let mut any = false;
        for d in DIRECTIONS {
            any |= self.step(at, king, d, captured);
        }
        any
    }

    /// The same in one direction.
    #[inline]
    fn step(&mut self, at: u8, king: bool, d: Direction, captured: u32) -> bool {
        if king && V::RULES.flying_kings {
            self.fly(at, d, captured)
        } else if king || man_captures_towards(&V::RULES, self.color, d) {
            self.jump(at, d, king, captured)
        } else {
            false
        }
    }

    /// Captures a neighbour by a short jump.
    fn jump(&mut self, at: u8, d: Direction, king: bool, captured: u32) -> bool {
        let prey = if king { self.enemy } else { self.man_prey } & !captured;
        let Some((met, land)) = d.next(at).and_then(|met| Some((met, d.next(met)?))) else {
            return false;
        };
        if prey & 1 << met == 0 || self.occupied & 1 << land != 0 {
            return false;
        }
        let captured = captured | 1 << met;
        let last_row = !king && promotion_row(self.color) & 1 << land != 0;
        let goes_on_as_king = king || last_row && V::RULES.promotion == Promotion::GoesOn;
        let ends = last_row && V::RULES.promotion == Promotion::EndsMove;
        self.visit(land, |search| {
            if ends || !search.extend(land, goes_on_as_king, captured) {
                search.report(king || last_row, captured);
            }
        });
        true
    }

    /// Captures the first piece on a diagonal by a flying king, which must land
    /// where it can capture on if any landing allows that.
    fn fly(&mut self, at: u8, d: Direction, captured: u32) -> bool {
        let Some(met) = d.first(at, self.occupied) else {
            return false;
        };
        if self.enemy & !captured & 1 << met == 0 {
            return false;
        }
        let mut landings = d.slide(met, self.occupied);
        if V::RULES.land_behind {
            landings &= d.step(1 << met);
        }
        let captured = captured | 1 << met;
        let onward = match self.enemy & !captured {
            0 => 0,
            prey => fliers(landings, prey, !self.occupied),
        };
        for land in bits(onward.into()) {
            self.visit(land, |search| search.extend(land, true, captured));
        }
        if onward == 0 {
            for land in bits(landings.into()) {
                self.visit(land, |search| search.report(true, captured));
            }
        }
        landings != 0
    }

    /// Does `then` with `square` at the end of the path.
    #[inline]
    fn visit<T>(&mut self, square: u8, then: impl FnOnce(&mut Self) -> T) -> T {
        self.path[self.visited] = square;
        self.visited += 1;
        let result = then(self);
        self.visited -= 1;
        result
    }

    #[inline]
    fn report(&mut self, king: bool, captured: u32) {
        let path = &self.path[..self.visited];
        let mv = Move { from: path[0], to: path[path.len() - 1], king, captured };
        (self.found)(mv, path);
    }
}
