//! What the search asks of chess.

use super::distance::DARK;
use super::exchange::{PIECES, exchange, taken};
use super::fortress::is_fortress;
use crate::draws::{Counters, DrawReason};
use crate::searchable::Searchable;
use damka_games::chess::{BISHOP, KING, KNIGHT, Move, PAWN, Position, QUEEN};
use damka_games::{Chess, Color, Game, Kind, MoveList, Position as _, Square};

/// Moves of each side without a capture or a move of a pawn after which the game is drawn.
const MOST_MOVES: u16 = 50;

impl Searchable for Chess {
    const BENCH_DEPTH: u16 = 12;
    const IS_SELECTIVE: bool = true;

    /// What beginners learn pieces to be worth.
    fn baseline(position: &Position) -> i32 {
        const WORTH: [i32; 6] = [0, 900, 500, 300, 300, 100];
        let turn = position.turn();
        let material = |color| -> i32 {
            let count = |kind: Kind| position.pieces(color, kind).len() as i32;
            Chess::kinds().map(|kind| count(kind) * WORTH[kind.index()]).sum()
        };
        material(turn) - material(!turn)
    }

    #[inline]
    fn ends(mv: Move) -> (Square, Square) {
        (mv.from, mv.to)
    }

    /// Of most moves it takes little to see that they win nothing.
    #[inline(always)]
    fn gain(position: &Position, mv: Move) -> i32 {
        match mv.promotion.is_none() && !position.is_capture(mv) {
            true => 0,
            false => gain(position, mv),
        }
    }

    /// Who takes what is worth more loses nothing by it.
    #[inline]
    fn loss(position: &Position, mv: Move) -> i32 {
        let is_clear = mv.promotion.is_none() && taken(position, mv) >= attacker(position, mv);
        if is_clear { 0 } else { -exchange(position, mv) }
    }

    /// A stalemate is looked for where a king and pawns are all that could move.
    #[inline]
    fn loud_moves(position: &Position) -> Option<MoveList<Move>> {
        let loud = position.captures_and_promotions();
        let is_stuck = loud.is_empty() && !Self::may_pass(position) && position.moves().is_empty();
        (!is_stuck).then_some(loud)
    }

    /// What is taken, and a queen for a pawn; and something for what else is better then.
    #[inline]
    fn hope(position: &Position, mv: Move) -> i32 {
        const BETTER: i32 = 200;
        let promoted = if mv.promotion.is_some() { PIECES[QUEEN.index()] } else { 0 };
        taken(position, mv) + promoted + BETTER
    }

    fn is_fortress(position: &Position) -> bool {
        is_fortress(position)
    }

    /// A pawn attacks something better.
    #[inline]
    fn is_threatened(position: &Position) -> bool {
        let turn = position.turn();
        let pieces = position.side(turn) & !position.kind(PAWN);
        let attacked = Position::pawn_attacks(!turn, position.pieces(!turn, PAWN));
        !(pieces & attacked).is_empty()
    }

    #[inline]
    fn is_forced(position: &Position) -> bool {
        position.is_in_check(position.turn())
    }

    #[inline]
    fn forces(position: &Position, mv: Move) -> bool {
        position.gives_check(mv)
    }

    fn reduction(depth: i32, tried: usize) -> i32 {
        let [depth, tried] = [depth as f32, tried as f32].map(f32::ln);
        (0.8 + depth * tried / 2.2) as i32
    }

    /// With nothing but pawns having to move may be what loses.
    #[inline]
    fn may_pass(position: &Position) -> bool {
        let turn = position.turn();
        let pieces = position.side(turn) & !(position.kind(PAWN) | position.kind(KING));
        !pieces.is_empty()
    }

    #[inline]
    fn pass(position: &Position) -> Position {
        position.pass()
    }

    #[inline]
    fn drawn(position: &Position, counters: &Counters) -> Option<DrawReason> {
        if is_material_insufficient(position) {
            return Some(DrawReason::InsufficientMaterial);
        }
        if counters.since_conversion < 2 * MOST_MOVES {
            return None;
        }
        // Who is mated has lost, whatever was counted.
        let is_mated = position.is_in_check(position.turn()) && position.moves().is_empty();
        (!is_mated).then_some(DrawReason::NoProgress { moves: MOST_MOVES })
    }

    #[inline]
    fn plies_left(counters: &Counters) -> Option<u16> {
        Some((2 * MOST_MOVES).saturating_sub(counters.since_conversion))
    }

    /// A lone king has nothing to lose, and with one piece less than a queen or a rook, or than two
    /// bishops or knights, nobody mates it.
    fn is_conversion_vain(position: &Position) -> bool {
        let lone = |color| position.side(color).len() == 1;
        let others = position.occupied() & !position.kind(KING);
        let minor = position.kind(BISHOP) | position.kind(KNIGHT);
        Color::BOTH.into_iter().any(lone)
            && (position.kind(PAWN) & others).is_empty()
            && (others.len() == 1 || others.len() == 2 && others == others & minor)
    }

    #[inline]
    fn is_draw_near(counters: &Counters) -> bool {
        const NEAR: u16 = 10;
        counters.since_conversion >= 2 * (MOST_MOVES - NEAR)
    }
}

/// What a capture or a promotion wins at first.
fn gain(position: &Position, mv: Move) -> i32 {
    // Hardly ever is another piece better than a queen.
    if let Some(kind) = mv.promotion.filter(|&kind| kind != QUEEN) {
        return PIECES[kind.index()] - PIECES[QUEEN.index()];
    }
    // The most valuable victim first, and of several attackers the least valuable.
    let promoted = if mv.promotion.is_some() { 9_000 } else { 0 };
    10 * taken(position, mv) + promoted - attacker(position, mv) / 10 + 1_000
}

/// What the piece that a move begins with is worth.
#[inline]
fn attacker(position: &Position, mv: Move) -> i32 {
    position.piece_at(mv.from).map_or(0, |(_, kind)| PIECES[kind.index()])
}

/// Whether no moves of both sides lead to a mate: beside the kings there is one knight, or there
/// are bishops that all go on squares of one colour.
#[inline]
fn is_material_insufficient(position: &Position) -> bool {
    let others = position.occupied() & !position.kind(KING);
    let bishops = position.kind(BISHOP);
    let is_knight = others == position.kind(KNIGHT) && others.len() == 1;
    is_knight || others == bishops && ((bishops & DARK).is_empty() || (bishops & !DARK).is_empty())
}
