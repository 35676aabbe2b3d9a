use crate::book::PolyglotCodes;
use crate::draws::{Counters, DrawReason};
use crate::evaluate::material_value;
use crate::handicap::{DRAUGHTS, Handicap, LEVEL_COUNT};
use crate::score::WinRate;
use damka_games::{MoveList, Position, Square};
use damka_tables::Indexable;

/// The properties of a game that the search needs besides rules and evaluation: how to order and
/// prune moves, and when a game is drawn.
pub trait Searchable: Indexable {
    /// The default depth of the [benchmark](crate::bench), in plies, chosen to take a few seconds.
    const BENCH_DEPTH: u16 = 8;

    /// The levels, from the weakest to full strength.
    const LEVELS: [Handicap; LEVEL_COUNT] = DRAUGHTS;

    /// How often a side wins at an evaluation, fitted to 300 games of the engine against itself
    /// with 2000 positions per move. The default is that of Russian draughts.
    const WIN_RATE: WinRate = WinRate { even: 480.0, scale: 210.0 };

    /// How Polyglot books encode positions and moves, for games that have such books.
    const POLYGLOT: Option<PolyglotCodes<Self>> = None;

    /// The evaluation used by the baseline, the simple player that engines are measured against:
    /// for the side to move, in hundredths of a man. By default the material balance, with the
    /// weakest kind of piece worth 1 man and each stronger kind 1 more.
    fn baseline(position: &Self::Position) -> i32 {
        let material = |color| -> i32 {
            let count = |kind| position.pieces(color, kind).len() as i32;
            Self::kinds().map(|kind| count(kind) * material_value::<Self>(kind)).sum()
        };
        let turn = position.turn();
        material(turn) - material(!turn)
    }

    /// The origin and target squares of a move.
    fn from_to(mv: Self::Move) -> (Square, Square);

    /// Whether a move promotes to another kind of piece than the strongest.
    fn is_underpromotion(_mv: Self::Move) -> bool {
        false
    }

    /// The rank of a noisy move in move ordering, by what it wins at once: positive for captures,
    /// promotions and other gains, higher first. 0 for a quiet move. For a move that loses, minus
    /// the loss in hundredths of a man. By default 1 for captures and promotions.
    fn noisy_rank(position: &Self::Position, mv: Self::Move) -> i32 {
        i32::from(position.is_capture(mv) || position.is_promotion(mv))
    }

    /// By how much a move loses material by static exchange evaluation (SEE), in hundredths of a
    /// man; at most 0 if it loses nothing. For games whose [`noisy_rank`](Searchable::noisy_rank) does not
    /// include SEE; called only when the move would be searched next.
    #[inline]
    fn exchange_loss(_position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// The legal moves that quiescence search follows where standing pat is allowed, by default
    /// captures and promotions. `None` if there are no legal moves at all, as far as the game needs
    /// to detect that.
    fn noisy_moves(position: &Self::Position) -> Option<MoveList<Self::Move>> {
        let mut moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        moves.retain(|mv| position.is_capture(*mv) || position.is_promotion(*mv));
        Some(moves)
    }

    /// The delta pruning margin: the most that a noisy move can gain, in hundredths of a man. A
    /// selective search skips the move in quiescence search if that cannot raise alpha.
    #[inline]
    fn max_gain(_position: &Self::Position, _mv: Self::Move) -> i32 {
        i32::from(i16::MAX)
    }

    /// Corrects a static evaluation in endings whose evaluation cannot be learned from the results
    /// of games. For the side to move, in hundredths of a man.
    #[inline]
    fn corrected(_position: &Self::Position, evaluation: i32) -> i32 {
        evaluation
    }

    /// Whether the other side threatens to win something at once, which makes the static evaluation
    /// unreliable, although no reply [is forced](Searchable::is_forced).
    #[inline]
    fn is_threatened(_position: &Self::Position) -> bool {
        false
    }

    /// Whether the reply is forced, so that the position is not evaluated statically and no move is
    /// pruned: a capture is compulsory or, in chess, the side to move is in check.
    #[inline]
    fn is_forced(position: &Self::Position) -> bool {
        position.captures_only()
    }

    /// Whether a move leaves the other side with a [forced](Searchable::is_forced) reply; in chess,
    /// whether it gives check.
    #[inline]
    fn forces_reply(position: &Self::Position, mv: Self::Move) -> bool {
        Self::is_forced(&position.play(mv))
    }

    /// Whether the search is more selective, for games in which most quiet moves matter little: it
    /// also reduces moves by their histories, and it extends [forced](Searchable::is_forced) replies
    /// by a ply. It does not use ProbCut, because a shallow search of this kind predicts a deep one
    /// too poorly.
    const IS_SELECTIVE: bool = false;

    /// The late move reduction of a quiet move, in plies, at this depth and after `searched` other
    /// moves.
    fn reduction(depth: i32, searched: usize) -> i32 {
        1 + i32::from(depth >= 6) + i32::from(searched >= 5) + i32::from(depth >= 12)
    }

    /// Whether null move pruning is sound here: having to move is practically never a disadvantage
    /// (no zugzwang), unless the reply [is forced](Searchable::is_forced). Never in draughts.
    #[inline]
    fn allows_null_move(_position: &Self::Position) -> bool {
        false
    }

    /// The position after a null move: with the other side to move.
    fn null_move(position: &Self::Position) -> Self::Position;

    /// Whether one side has a lone king on the main road and the other three pieces: a draw rule of
    /// Russian draughts counts for how long.
    fn holds_main_road(_position: &Self::Position) -> bool {
        false
    }

    /// The number of occurrences of a position that draws the game.
    #[inline]
    fn repetitions(self) -> usize {
        3
    }

    /// The draw rule by which the position is drawn, if any; repetition aside.
    #[inline]
    fn draw_reason(_position: &Self::Position, _counters: &Counters) -> Option<DrawReason> {
        None
    }

    /// The number of plies left before a draw rule that counts moves applies, unless a move resets
    /// the count. `None` if the search does not correct table values for such a rule.
    #[inline]
    fn plies_to_draw(_counters: &Counters) -> Option<u16> {
        None
    }

    /// Whether no move that resets the count leaves the winning side enough material to win.
    #[inline]
    fn zeroing_cannot_win(_position: &Self::Position) -> bool {
        false
    }

    /// Whether a draw rule that counts moves is so near that transposition table entries, which
    /// ignore the count, may be wrong.
    #[inline]
    fn is_draw_near(_counters: &Counters) -> bool {
        false
    }
}
