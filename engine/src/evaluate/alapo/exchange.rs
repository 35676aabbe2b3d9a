use super::{PIECES, value};
use damka_games::alapo::{Move, Position};
use damka_games::{Alapo, Color, Game, Position as _, Square, SquareSet};

/// What winning the game is worth in an exchange: more than all pieces together.
pub(super) const GAME: i32 = 20_000;

/// Static exchange evaluation (SEE): what a move wins if both sides go on capturing on its target
/// square, least valuable piece first, as long as it pays. In hundredths of a fers.
///
/// A side must capture an enemy piece on its home rank even if that does not pay, and loses the
/// [`GAME`] if it cannot. A side that has no pieces left has lost the game as well.
pub(super) fn exchange(position: &Position, mv: Move) -> i32 {
    let occupied = position.occupied() & !SquareSet::from(mv.from);
    let target_value = value(position, mv.from);
    value(position, mv.to) - recapture(position, occupied, !position.turn(), mv.to, target_value)
}

/// What `side` wins by capturing on `square`, to which an enemy piece worth `target_value` has just
/// moved, while the other pieces stand on the squares of `occupied`.
fn recapture(
    position: &Position,
    occupied: SquareSet,
    side: Color,
    square: Square,
    target_value: i32,
) -> i32 {
    let own = position.side(side) & occupied & !SquareSet::from(square);
    let must = own.is_empty() || Position::home(side).contains(square);
    let attacker = Alapo::kinds().rev().find_map(|kind| {
        let own = own & position.kind(kind);
        let from = (own & Position::reach(kind, square, occupied)).first()?;
        Some((kind, from))
    });
    let won = match attacker {
        None if must => return -GAME,
        None => return 0,
        Some((kind, from)) => {
            let left = occupied & !SquareSet::from(from);
            target_value - recapture(position, left, !side, square, PIECES[kind.index()])
        }
    };
    if must { won } else { won.max(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Like [`recapture`], but plays the moves on the board by the rules.
    fn slow_recapture(position: &Position, square: Square) -> i32 {
        let moves = position.moves();
        if moves.is_empty() {
            return -GAME;
        }
        let onto = moves.into_iter().filter(|mv| mv.to == square);
        // Kinds are ordered by value, the most valuable first.
        let Some(attacker) = onto.min_by_key(|mv| (value(position, mv.from), mv.from)) else {
            return 0;
        };
        let won = value(position, square) - slow_recapture(&position.play(attacker), square);
        if position.captures_only() { won } else { won.max(0) }
    }

    #[test]
    fn see_agrees_with_exchanges_played_out() {
        let (mut seen, mut won, mut lost) = (0, 0, 0);
        let mut random = damka_games::Random::new(5);
        for _ in 0..300 {
            let mut position = Alapo.start();
            while let Some(mv) = random.pick(&position.moves()) {
                for mv in position.moves() {
                    let taken = value(&position, mv.to);
                    let on_board = taken - slow_recapture(&position.play(mv), mv.to);
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

    fn see(fen: &str, mv: &str) -> i32 {
        let position = Alapo.parse_fen(fen).expect("a position");
        exchange(&position, position.parse_move(mv).expect("a move"))
    }

    #[test]
    fn exchanges_end_when_they_do_not_pay() {
        let [_, rook, bishop, _, wazir, fers] = PIECES;
        // The wazir is unguarded.
        assert_eq!(see("6/q5/2w3/6/2R3/5K w", "c2-c4"), wazir);
        // It is guarded by a fers, and the queen behind the rook does not make up for that.
        assert_eq!(see("6/qf4/2w3/6/2R3/5K w", "c2-c4"), wazir - rook);
        assert_eq!(see("6/qf4/2w3/6/2R3/2Q2K w", "c2-c4"), wazir - rook + fers);
        // The queen could recapture, but the rook guards the bishop.
        assert_eq!(see("5q/6/3b2/4B1/6/3R2 w", "e3-d4"), bishop);
    }

    #[test]
    fn captures_on_the_home_rank_are_compulsory() {
        let [_, rook, _, king, _, fers] = PIECES;
        assert_eq!(see("5k/R5/6/6/6/6 w", "a5-a6"), GAME);
        assert_eq!(see("1k4/R5/6/6/6/5K w", "a5-a6"), -rook);
        assert_eq!(see("1k4/RF4/6/6/5f/6 w", "b5-a6"), GAME + king - fers);
        // A side that loses its last piece has lost the game.
        assert_eq!(see("6/6/6/2k3/1f4/K5 w", "a1-b2"), fers - GAME - king);
        assert_eq!(see("6/6/6/6/1f4/K5 w", "a1-b2"), GAME + fers);
    }
}
