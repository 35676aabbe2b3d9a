use super::{PIECES, worth};
use damka_games::alapo::{Move, Position};
use damka_games::{Alapo, Color, Game, Position as _, Square, SquareSet};

/// What a side without an answer loses: more than all pieces together.
pub(super) const GAME: i32 = 20_000;

/// What a move wins if both sides go on capturing on the square where it ends, the least
/// valuable piece first, for as long as it pays: the static exchange evaluation.
///
/// On a home rank it does not have to pay: whose home it is must capture, and has lost the
/// [`GAME`] if it cannot. So has a side with no pieces left.
pub(super) fn exchange(position: &Position, mv: Move) -> i32 {
    let occupied = position.occupied() & !SquareSet::from(mv.from);
    let standing = worth(position, mv.from);
    worth(position, mv.to) - answer(position, occupied, !position.turn(), mv.to, standing)
}

/// What `side` wins by capturing on `square`, where an enemy piece worth `standing` has just
/// arrived, if of the other squares only those of `occupied` still are.
fn answer(
    position: &Position,
    occupied: SquareSet,
    side: Color,
    square: Square,
    standing: i32,
) -> i32 {
    let own = position.side(side) & occupied & !SquareSet::from(square);
    let must = own.is_empty() || Position::home(side).contains(square);
    let least = Alapo::kinds().rev().find_map(|kind| {
        let own = own & position.kind(kind);
        let from = (own & Position::reach(kind, square, occupied)).first()?;
        Some((kind, from))
    });
    let won = match least {
        None if must => return -GAME,
        None => return 0,
        Some((kind, from)) => {
            let left = occupied & !SquareSet::from(from);
            standing - answer(position, left, !side, square, PIECES[kind.index()])
        }
    };
    if must { won } else { won.max(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same from the rules alone: move by move, on the board.
    fn slow(position: &Position, square: Square) -> i32 {
        let moves = position.moves();
        if moves.is_empty() {
            return -GAME;
        }
        let onto = moves.into_iter().filter(|mv| mv.to == square);
        // Kinds are in the order of their worth, the best first.
        let Some(least) = onto.min_by_key(|mv| (worth(position, mv.from), mv.from)) else {
            return 0;
        };
        let won = worth(position, square) - slow(&position.play(least), square);
        if position.captures_only() { won } else { won.max(0) }
    }

    #[test]
    fn agrees_with_exchanges_on_the_board() {
        let (mut seen, mut won, mut lost) = (0, 0, 0);
        let mut random = damka_games::Random::new(5);
        for _ in 0..300 {
            let mut position = Alapo.start();
            while let Some(mv) = random.pick(&position.moves()) {
                for mv in position.moves() {
                    let taken = worth(&position, mv.to);
                    let on_board = taken - slow(&position.play(mv), mv.to);
                    let found = exchange(&position, mv);
                    assert_eq!(found, on_board, "{} {mv}", position.fen());
                    seen += 1;
                    won += i32::from(found > GAME / 2);
                    lost += i32::from(found < 0);
                }
                position = position.play(mv);
            }
        }
        assert!(seen > 50_000 && won > 1_000 && lost > 10_000, "{seen}, {won}, {lost}");
    }

    fn of(fen: &str, mv: &str) -> i32 {
        let position = Alapo.parse_fen(fen).expect("a position");
        exchange(&position, position.parse_move(mv).expect("a move"))
    }

    #[test]
    fn exchanges_end_when_they_do_not_pay() {
        let [_, rook, bishop, _, wazir, fers] = PIECES;
        // Nobody guards the wazir.
        assert_eq!(of("6/q5/2w3/6/2R3/5K w", "c2-c4"), wazir);
        // A fers does, and the queen behind the rook does not make up for that.
        assert_eq!(of("6/qf4/2w3/6/2R3/5K w", "c2-c4"), wazir - rook);
        assert_eq!(of("6/qf4/2w3/6/2R3/2Q2K w", "c2-c4"), wazir - rook + fers);
        // The queen could take back, but the rook guards the bishop.
        assert_eq!(of("5q/6/3b2/4B1/6/3R2 w", "e3-d4"), bishop);
    }

    #[test]
    fn a_home_must_be_guarded_as_often_as_it_is_attacked() {
        let [_, rook, _, king, _, fers] = PIECES;
        assert_eq!(of("5k/R5/6/6/6/6 w", "a5-a6"), GAME);
        assert_eq!(of("1k4/R5/6/6/6/5K w", "a5-a6"), -rook);
        assert_eq!(of("1k4/RF4/6/6/5f/6 w", "b5-a6"), GAME + king - fers);
        // Whoever loses the last piece has lost as well.
        assert_eq!(of("6/6/6/2k3/1f4/K5 w", "a1-b2"), fers - GAME - king);
        assert_eq!(of("6/6/6/6/1f4/K5 w", "a1-b2"), GAME + fers);
    }
}
