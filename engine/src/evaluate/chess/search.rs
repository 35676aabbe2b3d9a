//! What the search needs to know about chess.

use super::distance::DARK;
use super::exchange::{PIECES, captured_value, exchange};
use super::lone_king;
use crate::book::PolyglotCodes;
use crate::draws::{Counters, DrawReason};
use crate::handicap::Handicap;
use crate::level::Level;
use crate::score::WinRate;
use crate::searchable::Searchable;
use damka_games::chess::{BISHOP, KING, KNIGHT, Move, PAWN, Position, QUEEN};
use damka_games::{Chess, Color, Game, Kind, MoveList, Position as _, Square};

/// The 50-move rule: the moves of each side without a capture or pawn move that draw the game.
const MOVE_LIMIT: u16 = 50;

impl Searchable for Chess {
    const BENCH_DEPTH: u16 = 12;
    const IS_SELECTIVE: bool = true;
    const LEVELS: [Handicap; Level::COUNT] = [
        Handicap::new(1, 512, 20, 320, 230),
        Handicap::new(1, 512, 16, 190, 490),
        Handicap::new(1, 512, 12, 120, 730),
        Handicap::new(2, 1_000, 10, 75, 930),
        Handicap::new(3, 2_000, 8, 50, 1_200),
        Handicap::new(4, 3_000, 6, 40, 1_440),
        Handicap::new(5, 5_000, 6, 30, 1_610),
        Handicap::new(8, 8_000, 5, 22, 1_720),
        Handicap::new(40, 16_000, 4, 14, 1_850),
        Handicap::none(2_600),
    ];
    const WIN_RATE: WinRate = WinRate { even: 130.0, scale: 140.0 };
    const POLYGLOT: Option<PolyglotCodes<Chess>> = Some(PolyglotCodes::CHESS);

    /// Material with the values that beginners learn.
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
    fn from_to(mv: Move) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn is_underpromotion(mv: Move) -> bool {
        mv.promotion.is_some_and(|kind| kind != QUEEN)
    }

    /// Inlined for the common case of a quiet move.
    #[inline(always)]
    fn noisy_rank(position: &Position, mv: Move) -> i32 {
        match mv.promotion.is_none() && !position.is_capture(mv) {
            true => 0,
            false => capture_gain(position, mv),
        }
    }

    /// Capturing a piece of at least the same value never loses.
    #[inline]
    fn exchange_loss(position: &Position, mv: Move) -> i32 {
        let is_safe =
            mv.promotion.is_none() && captured_value(position, mv) >= attacker_value(position, mv);
        if is_safe { 0 } else { -exchange(position, mv) }
    }

    /// Captures and promotions. Stalemate is only detected if the side to move has just king and
    /// pawns.
    #[inline]
    fn noisy_moves(position: &Position) -> Option<MoveList<Move>> {
        let noisy = position.captures_and_promotions();
        let is_stalemate =
            noisy.is_empty() && !Self::allows_null_move(position) && position.moves().is_empty();
        (!is_stalemate).then_some(noisy)
    }

    /// The captured piece, a queen for a promotion, and a margin for positional gains.
    #[inline]
    fn max_gain(position: &Position, mv: Move) -> i32 {
        const POSITIONAL_GAIN: i32 = 200;
        let promoted = if mv.promotion.is_some() { PIECES[QUEEN.index()] } else { 0 };
        captured_value(position, mv) + promoted + POSITIONAL_GAIN
    }

    #[inline]
    fn corrected(position: &Position, evaluation: i32) -> i32 {
        lone_king::corrected(position, evaluation)
    }

    /// Whether an enemy pawn attacks a piece.
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
    fn forces_reply(position: &Position, mv: Move) -> bool {
        position.gives_check(mv)
    }

    fn reduction(depth: i32, searched: usize) -> i32 {
        let [depth, searched] = [depth as f32, searched as f32].map(f32::ln);
        (0.8 + depth * searched / 2.2) as i32
    }

    /// With only king and pawns, zugzwang is a risk.
    #[inline]
    fn allows_null_move(position: &Position) -> bool {
        let turn = position.turn();
        let pieces = position.side(turn) & !(position.kind(PAWN) | position.kind(KING));
        !pieces.is_empty()
    }

    #[inline]
    fn null_move(position: &Position) -> Position {
        position.pass()
    }

    #[inline]
    fn draw_reason(position: &Position, counters: &Counters) -> Option<DrawReason> {
        if is_material_insufficient(position) {
            return Some(DrawReason::InsufficientMaterial);
        }
        if counters.since_zeroing < 2 * MOVE_LIMIT {
            return None;
        }
        // Mate takes precedence over the 50-move rule.
        let is_mated = position.is_in_check(position.turn()) && position.moves().is_empty();
        (!is_mated).then_some(DrawReason::NoProgress { moves: MOVE_LIMIT })
    }

    #[inline]
    fn plies_to_draw(counters: &Counters) -> Option<u16> {
        Some((2 * MOVE_LIMIT).saturating_sub(counters.since_zeroing))
    }

    /// Whether one side has a lone king, and the other side could not mate it after the loss of a
    /// piece: it has no pawns, and only one piece or two minor pieces.
    fn zeroing_cannot_win(position: &Position) -> bool {
        let lone = |color| position.side(color).len() == 1;
        let others = position.occupied() & !position.kind(KING);
        let minor = position.kind(BISHOP) | position.kind(KNIGHT);
        Color::BOTH.into_iter().any(lone)
            && (position.kind(PAWN) & others).is_empty()
            && (others.len() == 1 || others.len() == 2 && others == others & minor)
    }

    #[inline]
    fn is_draw_near(counters: &Counters) -> bool {
        const NEAR_MOVES: u16 = 10;
        counters.since_zeroing >= 2 * (MOVE_LIMIT - NEAR_MOVES)
    }
}

/// The move ordering rank of a capture or promotion.
fn capture_gain(position: &Position, mv: Move) -> i32 {
    // Underpromotions are hardly ever better.
    if let Some(kind) = mv.promotion.filter(|&kind| kind != QUEEN) {
        return PIECES[kind.index()] - PIECES[QUEEN.index()];
    }
    // Most valuable victim, least valuable attacker (MVV-LVA).
    let promoted = if mv.promotion.is_some() { 9_000 } else { 0 };
    10 * captured_value(position, mv) + promoted - attacker_value(position, mv) / 10 + 1_000
}

/// The value of the moving piece.
#[inline]
fn attacker_value(position: &Position, mv: Move) -> i32 {
    position.piece_at(mv.from).map_or(0, |(_, kind)| PIECES[kind.index()])
}

/// Whether no sequence of moves leads to mate: besides the kings there is one knight, or there are
/// only bishops on squares of one colour (or nothing).
#[inline]
fn is_material_insufficient(position: &Position) -> bool {
    let others = position.occupied() & !position.kind(KING);
    let bishops = position.kind(BISHOP);
    let is_knight = others == position.kind(KNIGHT) && others.len() == 1;
    is_knight || others == bishops && ((bishops & DARK).is_empty() || (bishops & !DARK).is_empty())
}
