use crate::draws::{Counters, DrawReason, DrawRules};
use crate::playable::Playable;
use damka_games::draughts::variant::{Brazilian, English, Pool, Russian};
use damka_games::draughts::{Direction, Draughts, Move, Position, Variant, promotion_row};
use damka_games::{Color, Game, bits};

/// What the variants that are played differ in besides their rules.
pub trait Played: Variant {
    /// When a game is drawn.
    #[doc(hidden)]
    const DRAWS: Draws;
}

/// The rules of draws of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Draws(DrawRules);

impl Played for Russian {
    const DRAWS: Draws = Draws(DrawRules::FMJD);
}

impl Played for Brazilian {
    const DRAWS: Draws = Draws(DrawRules::FMJD);
}

impl Played for Pool {
    const DRAWS: Draws = Draws(DrawRules::POOL);
}

impl Played for English {
    const DRAWS: Draws = Draws(DrawRules::ENGLISH);
}

/// The main road, from a1 to h8.
const MAIN_ROAD: u32 = {
    let mut road = 1 << 28;
    let mut front = Direction::UpRight.step(road);
    while front != 0 {
        road |= front;
        front = Direction::UpRight.step(front);
    }
    road
};

impl<V: Played> Playable for Draughts<V> {
    const THREATS: u8 = 2;

    #[inline]
    fn evaluate(position: &Position) -> i32 {
        let worth = Side::<V>::new(position, Color::White).worth()
            - Side::<V>::new(position, Color::Black).worth();
        let tempo = Weights::<V>::TEMPO;
        match position.turn() {
            Color::White => worth + tempo,
            Color::Black => tempo - worth,
        }
    }

    #[inline]
    fn ends(mv: Move) -> (u8, u8) {
        (mv.from().index(), mv.to().index())
    }

    #[inline]
    fn gain(position: &Position, mv: Move) -> i32 {
        let kings = mv.captured() & position.kings();
        let promoted = mv.ends_as_king() && position.kings() >> mv.from().index() & 1 == 0;
        mv.captured().count_ones() as i32 * 100
            + kings.count_ones() as i32 * 150
            + i32::from(promoted) * 150
    }

    #[inline]
    fn is_loud(_: &Position, _: Move) -> bool {
        // Captures are compulsory, and looked at anyway.
        false
    }

    #[inline]
    fn is_threatened(position: &Position) -> bool {
        Self::captures_only(&Self::pass(position))
    }

    #[inline]
    fn may_pass(_: &Position) -> bool {
        false
    }

    #[inline]
    fn pass(position: &Position) -> Position {
        let [white, black] = Color::BOTH.map(|color| position.side(color));
        Position::new(white, black, position.kings(), !position.turn())
    }

    #[inline]
    fn holds_main_road(position: &Position) -> bool {
        V::DRAWS.0.main_road.is_some()
            && Color::BOTH.into_iter().any(|color| {
                let lone = position.side(color);
                lone.is_power_of_two()
                    && lone & position.kings() & MAIN_ROAD != 0
                    && position.side(!color).count_ones() == 3
            })
    }

    #[inline]
    fn drawn(position: &Position, counters: &Counters) -> Option<DrawReason> {
        let count = |kings: bool| {
            let set = if kings { position.kings() } else { !position.kings() };
            Color::BOTH.map(|color| (position.side(color) & set).count_ones())
        };
        V::DRAWS.0.drawn(count(true), count(false), counters)
    }
}

/// What things are worth, in hundredths of a man.
struct Weights<V>(std::marker::PhantomData<V>);

impl<V: Variant> Weights<V> {
    const MAN: i32 = 100;
    /// A flying king is worth about three men, a short one little more than one.
    const KING: i32 = if V::RULES.flying_kings { 300 } else { 140 };
    /// A second and third flying king add less.
    const MORE_KINGS: i32 = if V::RULES.flying_kings { -40 } else { 0 };
    const TEMPO: i32 = 4;
    /// For each row that a man has come.
    const ADVANCE: [i32; 7] = [8, 0, 1, 4, 9, 16, 30];
    const CENTRE: i32 = 4;
    /// A man on a square at the edge, where it cannot be captured, but does little.
    const EDGE: i32 = -3;
    /// A man with one behind it: it cannot be captured from the front.
    const BACKED: i32 = 3;
    /// A man whose way to promotion nothing can bar.
    const RUNAWAY: i32 = 60;
    /// A man that cannot move without being lost, or at all.
    const BLOCKED: i32 = -6;
    /// A king on the main road, the other side having none.
    const MAIN_ROAD: i32 = if V::RULES.flying_kings { 35 } else { 0 };
    /// For each square that a king can go to.
    const KING_MOVE: i32 = if V::RULES.flying_kings { 2 } else { 4 };
}

/// The squares of the middle four files and rows.
const CENTRE: u32 = 0x0066_6600;
/// The squares on the files a and h.
const EDGE: u32 = 0x1818_1818;

/// One side of a position.
struct Side<V> {
    color: Color,
    men: u32,
    kings: u32,
    other_kings: u32,
    other: u32,
    empty: u32,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> Side<V> {
    #[inline]
    fn new(position: &Position, color: Color) -> Side<V> {
        let (own, other) = (position.side(color), position.side(!color));
        Side {
            color,
            men: own & !position.kings(),
            kings: own & position.kings(),
            other_kings: other & position.kings(),
            other,
            empty: !(own | other),
            variant: std::marker::PhantomData,
        }
    }

    #[inline]
    fn worth(&self) -> i32 {
        type W<V> = Weights<V>;
        let count = |set: u32| set.count_ones() as i32;
        let (men, kings) = (count(self.men), count(self.kings));
        let mut worth = men * W::<V>::MAN + kings * W::<V>::KING;
        worth += (kings - 1).clamp(0, 2) * W::<V>::MORE_KINGS;
        for (row, &weight) in W::<V>::ADVANCE.iter().enumerate() {
            let row = match self.color {
                Color::White => 7 - row,
                Color::Black => row,
            };
            worth += count(self.men & 0xF << (4 * row)) * weight;
        }
        worth += count(self.men & CENTRE) * W::<V>::CENTRE;
        worth += count(self.men & EDGE) * W::<V>::EDGE;

        let forward = match self.color {
            Color::White => [Direction::UpLeft, Direction::UpRight],
            Color::Black => [Direction::DownLeft, Direction::DownRight],
        };
        let ahead = |set: u32| forward.map(|d| d.step(set));
        let [left, right] = ahead(self.men);
        worth += (count(left & self.men) + count(right & self.men)) * W::<V>::BACKED;
        let free = forward.iter().fold(0, |free, d| free | d.opposite().step(self.empty));
        worth += count(self.men & !free) * W::<V>::BLOCKED;
        worth += self.runaways() * W::<V>::RUNAWAY;

        if self.kings != 0 {
            if self.kings & MAIN_ROAD != 0 && self.other_kings & MAIN_ROAD == 0 {
                worth += W::<V>::MAIN_ROAD;
            }
            let moves: u32 = bits(self.kings.into()).map(|king| self.reach(king)).sum();
            worth += moves.min(24) as i32 * W::<V>::KING_MOVE;
        }
        worth
    }

    /// The squares a king can go to.
    #[inline]
    fn reach(&self, king: u8) -> u32 {
        let occupied = !self.empty;
        let slides = damka_games::draughts::DIRECTIONS.map(|d| match V::RULES.flying_kings {
            true => d.slide(king, occupied),
            false => d.step(1 << king) & self.empty,
        });
        slides.iter().map(|slide| slide.count_ones()).sum()
    }

    /// The men whose way forward, however they go, meets no enemy: none stands where it
    /// could bar the way, and there are no enemy kings.
    #[inline]
    fn runaways(&self) -> i32 {
        if self.other_kings != 0 {
            return 0;
        }
        // Where the other side's men may come to, or capture: all that is before them.
        let back = match self.color {
            Color::White => [Direction::DownLeft, Direction::DownRight],
            Color::Black => [Direction::UpLeft, Direction::UpRight],
        };
        let mut barred = self.other;
        for _ in 0..7 {
            barred |= back[0].step(barred) | back[1].step(barred);
        }
        let goal = promotion_row(self.color) & self.empty & !barred;
        let mut open = goal;
        for _ in 0..3 {
            let before = back[0].step(open) | back[1].step(open);
            open |= before & self.empty & !barred;
        }
        let next = back[0].step(open) | back[1].step(open);
        (self.men & next).count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::draughts::variant::Russian as Russian64;
    use damka_games::{English, Russian};

    fn worth<G: Playable>(fen: &str) -> i32 {
        G::evaluate(&G::parse_fen(fen).expect("a position"))
    }

    #[test]
    fn colours_are_alike() {
        let mut position = Russian::start();
        for step in 0..60 {
            let flipped = Russian::flip(&position);
            assert_eq!(Russian::evaluate(&position), Russian::evaluate(&flipped), "{position:?}");
            let moves = Russian::moves(&position);
            if moves.is_empty() {
                break;
            }
            position = Russian::play(&position, moves[step * 7 % moves.len()]);
        }
    }

    #[test]
    fn more_is_worth_more() {
        assert!(worth::<Russian>("W:Wc3,e3:Bd8") > 80);
        assert!(worth::<Russian>("W:WKc1:Bb8,d8") > 80);
        assert!(worth::<English>("W:WK9:B1,2,3") < 0);
    }

    #[test]
    fn nobody_can_stop_a_man_that_all_have_passed() {
        for (fen, runaways) in
            [("W:Wg5:Ba5", 1), ("W:Wg5:Bh8", 0), ("W:Wg5:Ba5,Kb2", 0), ("W:Wg5,c1:Ba7", 1)]
        {
            let position = Russian::parse_fen(fen).expect("a position");
            let white = Side::<Russian64>::new(&position, Color::White);
            assert_eq!(white.runaways(), runaways, "{fen}");
        }
    }
}
