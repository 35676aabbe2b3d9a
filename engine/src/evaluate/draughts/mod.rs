mod features;

use super::{Evaluated, Evaluator, Weights, parse_evaluator};
use crate::draws::{Counters, DrawReason, DrawRules};
use crate::searchable::Searchable;
use damka_games::draughts::{Move, Position};
use damka_games::{Color, Draughts, MoveList, Position as _, Square};
use std::sync::{Arc, OnceLock};

/// The rules by which a game is drawn.
fn draw_rules(game: Draughts) -> &'static DrawRules {
    match game {
        Draughts::English | Draughts::Italian => &DrawRules::ENGLISH,
        Draughts::Pool => &DrawRules::POOL,
        Draughts::Czech => &DrawRules::CZECH,
        _ => &DrawRules::FMJD,
    }
}

/// The files of learned weights and networks. A variant without one uses its initial weights.
const LEARNED: &[(Draughts, &[u8])] = &[
    (Draughts::Russian, include_bytes!("../../../weights/russian.weights")),
    (Draughts::English, include_bytes!("../../../weights/english.weights")),
    (Draughts::Brazilian, include_bytes!("../../../weights/brazilian.weights")),
    (Draughts::Pool, include_bytes!("../../../weights/pool.weights")),
    (Draughts::Czech, include_bytes!("../../../weights/czech.weights")),
    (Draughts::Spanish, include_bytes!("../../../weights/spanish.weights")),
    (Draughts::Italian, include_bytes!("../../../weights/italian.weights")),
    (Draughts::Thai, include_bytes!("../../../weights/thai.weights")),
];

impl Searchable for Draughts {
    /// Deep: few moves are legal, and single legal captures are extended.
    const BENCH_DEPTH: u16 = 17;

    #[inline]
    fn from_to(mv: Move) -> (Square, Square) {
        (mv.from(), mv.to())
    }

    #[inline]
    fn noisy_rank(position: &Position, mv: Move) -> i32 {
        let kings = mv.captured() & position.kings();
        let promoted = mv.ends_as_king() && !position.kings().contains(mv.from());
        mv.captured().len() as i32 * 100 + kings.len() as i32 * 150 + i32::from(promoted) * 150
    }

    /// No moves: captures are compulsory, so a position where standing pat is allowed has no
    /// captures.
    #[inline]
    fn noisy_moves(position: &Position) -> Option<MoveList<Move>> {
        (!position.moves().is_empty()).then(MoveList::new)
    }

    #[inline]
    fn is_threatened(position: &Position) -> bool {
        Self::null_move(position).captures_only()
    }

    #[inline]
    fn allows_null_move(_: &Position) -> bool {
        false
    }

    #[inline]
    fn null_move(position: &Position) -> Position {
        position.pass()
    }

    #[inline]
    fn holds_main_road(position: &Position) -> bool {
        draw_rules(position.game()).main_road.is_some()
            && Color::BOTH.into_iter().any(|color| {
                let lone = position.side(color);
                lone.len() == 1
                    && !(lone & position.kings() & features::MAIN_ROAD_SQUARES).is_empty()
                    && position.side(!color).len() == 3
            })
    }

    #[inline]
    fn repetitions(self) -> usize {
        if self == Draughts::Italian { 4 } else { 3 }
    }

    #[inline]
    fn draw_reason(position: &Position, counters: &Counters) -> Option<DrawReason> {
        let count = |kings: bool| {
            let set = if kings { position.kings() } else { !position.kings() };
            Color::BOTH.map(|color| (position.side(color) & set).len())
        };
        draw_rules(position.game()).drawn(count(true), count(false), counters)
    }
}

impl Evaluated for Draughts {
    const FEATURES: usize = features::FEATURES;
    const MAX_PHASE: i32 = 24;

    #[inline]
    fn phase(position: &Position) -> i32 {
        Color::BOTH.map(|color| position.side(color).len() as i32).iter().sum()
    }

    #[inline]
    fn count_rest(position: &Position, tally: impl FnMut(usize, i32)) {
        features::count(position, tally);
    }

    fn initial_weights(self) -> Weights<Self> {
        let mut weights = Weights::zero(self);
        let mut set = |feature, hundredths: i32| weights.set(feature, [hundredths as f32; 2]);
        // A flying king is worth about three men, a short king little more than one. A second and
        // a third flying king add less.
        let (king, next, king_move, main_road) = match self.rules().flying_kings {
            true => (300, 260, 2, 35),
            false => (140, 140, 4, 0),
        };
        for (own, other) in (0..4).flat_map(|own| (0..4).map(move |other| (own, other))) {
            set(features::MAN + 4 * own + other, 100);
            let first = if own > 0 { king - next } else { 0 };
            set(features::BALANCE + 4 * own + other, first + own as i32 * next);
        }
        set(features::MORE_KINGS, king);
        set(features::KING_MOVE, king_move);
        (0..8).for_each(|others| set(features::MAIN_ROAD + others, main_road));
        set(features::RUNAWAY, 60);
        set(features::STEP, 2);
        set(features::TEMPO, 4);
        weights
    }

    fn evaluator(self) -> Arc<dyn Evaluator<Self>> {
        static EVALUATORS: [OnceLock<Arc<dyn Evaluator<Draughts>>>; Draughts::ALL.len()] =
            [const { OnceLock::new() }; Draughts::ALL.len()];
        let load = || -> Arc<dyn Evaluator<Draughts>> {
            match LEARNED.iter().find(|(game, _)| *game == self) {
                Some((_, bytes)) => {
                    parse_evaluator(self, bytes).expect("the built-in evaluation is valid")
                }
                None => Arc::new(self.initial_weights()),
            }
        };
        Arc::clone(EVALUATORS[self as usize].get_or_init(load))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Draughts::{English, Russian};
    use damka_games::Game;

    fn evaluation(game: Draughts, fen: &str) -> i32 {
        let position = game.parse_fen(fen).expect("a position");
        game.evaluator().evaluate(&position)
    }

    #[test]
    fn evaluation_is_symmetric_in_colours() {
        let evaluator = Russian.evaluator();
        let mut position = Russian.start();
        for step in 0..60 {
            let flipped = position.flip();
            let evaluation = |position| evaluator.evaluate(position);
            assert_eq!(evaluation(&position), evaluation(&flipped), "{position:?}");
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[step * 7 % moves.len()]);
        }
    }

    #[test]
    fn more_material_is_worth_more() {
        for (game, more, less) in [
            (Russian, "W:Wc3,e3:Bd8", "W:Wc3:Bd8"),
            (Russian, "W:WKc1:Bb8,d8", "W:Wc1:Bb8,d8"),
            (English, "W:WK9:B1", "W:WK9:B1,2,3"),
        ] {
            let [more, less] = [more, less].map(|fen| evaluation(game, fen));
            assert!(more > 0 && more > less + 50, "{}: {more} {less}", game.name());
        }
        assert!(evaluation(English, "W:WK9:B1,2,3") < 0);
    }
}
