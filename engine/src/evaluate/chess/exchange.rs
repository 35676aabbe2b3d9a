//! Static exchange evaluation.

use damka_games::chess::{KING, Move, PAWN, Position, QUEEN, RANKS_1_AND_8};
use damka_games::{Chess, Color, Game, Kind, Position as _, Square, SquareSet};

/// Piece values in exchanges, by kind, in hundredths of a pawn. A king is worth more than all other
/// pieces together.
pub(super) const PIECES: [i32; 6] = [10_000, 950, 500, 330, 320, 100];

/// The gain when a pawn becomes a queen.
const PROMOTION: i32 = PIECES[QUEEN.index()] - PIECES[PAWN.index()];

/// The value of the piece that a move captures; 0 if none.
#[inline]
pub(super) fn captured_value(position: &Position, mv: Move) -> i32 {
    match position.piece_at(mv.to) {
        // Castling, a move onto a rook of the same side.
        Some((color, _)) if color == position.turn() => 0,
        Some((_, kind)) => PIECES[kind.index()],
        // En passant.
        None if position.is_capture(mv) => PIECES[PAWN.index()],
        None => 0,
    }
}

/// Static exchange evaluation (SEE): what a move wins if both sides go on capturing on its target
/// square, least valuable piece first, as long as it pays. Pins are ignored; a king captures only
/// an unguarded piece. 0 for castling.
pub(super) fn exchange(position: &Position, mv: Move) -> i32 {
    if position.castling_of(mv).is_some() {
        return 0;
    }
    let moved = position.piece_at(mv.from).map_or(PAWN, |(_, kind)| kind);
    let arrived = mv.promotion.unwrap_or(moved);
    let mut occupied = position.occupied() & !SquareSet::from(mv.from);
    if moved == PAWN && position.en_passant() == Some(mv.to) {
        occupied &= !SquareSet::from(Square::new(mv.to.index() ^ 8));
    }
    let [moved, arrived] = [moved, arrived].map(|kind| PIECES[kind.index()]);
    let won = captured_value(position, mv) + arrived - moved;
    won - recapture(position, occupied, !position.turn(), mv.to, arrived)
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
    let left = occupied & !SquareSet::from(square);
    let attackers = position.attackers(square, side, occupied) & left;
    let attacker_of = |kind: Kind| Some((kind, (attackers & position.kind(kind)).first()?));
    let Some((kind, from)) = Chess::kinds().rev().find_map(attacker_of) else { return 0 };
    if kind == KING && !(position.attackers(square, !side, occupied) & left).is_empty() {
        return 0;
    }
    let promoted = if kind == PAWN && RANKS_1_AND_8.contains(square) { PROMOTION } else { 0 };
    let (won, arrived) = (target_value + promoted, PIECES[kind.index()] + promoted);
    let occupied = occupied & !SquareSet::from(from);
    (won - recapture(position, occupied, !side, square, arrived)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Pieces, Random};

    /// The pieces after one of `color` has moved to or captured on a square.
    fn moved(pieces: &Pieces, color: Color, kind: Kind, from: Square, to: Square) -> Pieces {
        let mut after = *pieces;
        for (owner, kind, squares) in pieces.iter() {
            after[(owner, kind)] = squares & !(SquareSet::from(from) | to.into());
        }
        let ends_as_queen = kind == PAWN && RANKS_1_AND_8.contains(to);
        after[(color, if ends_as_queen { QUEEN } else { kind })] |= to.into();
        after
    }

    /// Like [`recapture`], but moves the pieces on the board.
    fn slow_recapture(pieces: &Pieces, side: Color, square: Square) -> i32 {
        let position = Chess.assemble(pieces, side);
        let attackers = |side| position.attackers(square, side, position.occupied());
        let value_on = |square| {
            let (_, kind) = position.piece_at(square).expect("a piece");
            PIECES[kind.index()]
        };
        let attacker = attackers(side).into_iter().min_by_key(|&from| (value_on(from), from));
        let Some(from) = attacker else { return 0 };
        let (_, kind) = position.piece_at(from).expect("a piece");
        if kind == KING && !attackers(!side).is_empty() {
            return 0;
        }
        let after = moved(pieces, side, kind, from, square);
        let promoted = Chess.assemble(&after, side).piece_at(square).expect("a piece").1 != kind;
        let promoted = if promoted { PROMOTION } else { 0 };
        (value_on(square) + promoted - slow_recapture(&after, !side, square)).max(0)
    }

    #[test]
    fn see_agrees_with_exchanges_played_out() {
        let (mut seen, mut won, mut lost) = (0, 0, 0);
        let mut random = Random::new(5);
        for _ in 0..200 {
            let mut position = Chess.start();
            for _ in 0..150 {
                let Some(mv) = random.pick(&position.moves()) else { break };
                for mv in position.moves() {
                    let is_castling = position.castling_of(mv).is_some();
                    let is_en_passant = position.en_passant() == Some(mv.to);
                    // `moved` supports neither moves of two pieces nor underpromotions.
                    if is_castling || is_en_passant || mv.promotion.is_some_and(|to| to != QUEEN) {
                        continue;
                    }
                    let (color, kind) = position.piece_at(mv.from).expect("a piece");
                    let after = moved(&position.setup().pieces, color, kind, mv.from, mv.to);
                    let promoted = if mv.promotion.is_some() { PROMOTION } else { 0 };
                    let on_board = captured_value(&position, mv) + promoted
                        - slow_recapture(&after, !color, mv.to);
                    let found = exchange(&position, mv);
                    assert_eq!(found, on_board, "{} {mv}", position.fen());
                    seen += 1;
                    won += i32::from(found > 0);
                    lost += i32::from(found < 0);
                }
                position = position.play(mv);
            }
        }
        assert!(seen > 300_000 && won > 10_000 && lost > 50_000, "{seen}, {won}, {lost}");
    }

    fn see(fen: &str, mv: &str) -> i32 {
        let position = Chess.parse_fen(fen).expect(fen);
        exchange(&position, position.parse_move(mv).expect(mv))
    }

    /// The expected values were worked out by hand. The first two are the examples of the Chess
    /// Programming Wiki's page on static exchange evaluation.
    #[test]
    fn exchanges_end_when_they_do_not_pay() {
        let [_, queen, rook, bishop, knight, pawn] = PIECES;
        // The pawn is unguarded.
        assert_eq!(see("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "Rxe5"), pawn);
        // Knight takes, knight recaptures; then neither side goes on, with rooks, queens and a
        // bishop behind.
        let wiki = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -";
        assert_eq!(see(wiki, "Nxe5"), pawn - knight);
        // A guarded pawn costs the queen, but not if another rook stands behind the first.
        assert_eq!(see("4k3/8/3p4/4p3/8/8/8/4Q1K1 w - -", "Qxe5"), pawn - queen);
        assert_eq!(see("4k3/8/8/3rp3/8/8/4R3/4R1K1 w - -", "Rxe5"), pawn);
        assert_eq!(see("4k3/4r3/8/3rp3/8/8/4R3/4R1K1 w - -", "Rxe5"), pawn - rook + rook - rook);
        // The king captures only an unguarded piece.
        assert_eq!(see("8/8/3k4/4p3/8/8/4R3/6K1 w - -", "Rxe5"), pawn - rook);
        assert_eq!(see("8/8/3k4/4p3/8/8/4R3/4R1K1 w - -", "Rxe5"), pawn);
        // A quiet move onto a square that a pawn guards.
        assert_eq!(see("4k3/8/3p4/8/8/5N2/8/4K3 w - -", "Ne5"), -knight);
        // En passant opens the file to the rook behind.
        assert_eq!(see("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6", "exd6"), pawn);
        assert_eq!(see("3rk3/8/8/3pP3/8/8/8/4K3 w - d6", "exd6"), 0);
        // A new queen that is captured at once costs a pawn; one that survives wins its value.
        assert_eq!(see("r3k3/1P6/8/8/8/8/8/4K3 w - -", "bxa8=Q"), rook + queen - pawn);
        assert_eq!(see("r3k3/1P6/8/8/8/8/8/4K3 w - -", "b8=Q"), -pawn);
        assert_eq!(see("4k3/8/8/8/8/3b4/2P5/4K3 w - -", "cxd3"), bishop);
    }
}
