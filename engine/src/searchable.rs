use crate::draws::{Counters, DrawReason};
use crate::evaluate::Evaluated;
use damka_games::{Kind, Position, Square};
use damka_tables::Indexable;

/// What the engine must know of a game besides its rules and what positions are worth:
/// which moves are likely to be good, and when a game is drawn.
pub trait Searchable: Indexable + Evaluated {
    /// What the baseline, the simple player that engines are measured by, takes the position
    /// to be worth to the side to move, in hundredths of a man: material, unless a game says
    /// otherwise. A piece of the weakest kind is worth 1, one of each stronger kind 1 more.
    fn baseline(position: &Self::Position) -> i32 {
        let worth = |kind: Kind| (Self::KINDS.len() - kind.index()) as i32 * 100;
        let material = |color| -> i32 {
            let kinds = Self::kinds();
            kinds.map(|kind| position.pieces(color, kind).len() as i32 * worth(kind)).sum()
        };
        let turn = position.turn();
        material(turn) - material(!turn)
    }

    /// The square a move leaves, and the one it ends on.
    fn ends(mv: Self::Move) -> (Square, Square);

    /// What a move wins at once, for a start: 0 for a quiet move, and more for what is
    /// to be tried first.
    fn gain(position: &Self::Position, mv: Self::Move) -> i32;

    /// Whether a quiescence search follows this move although others could be made.
    fn is_loud(position: &Self::Position, mv: Self::Move) -> bool;

    /// Whether the other side threatens to win something at once, so that an evaluation
    /// means little.
    fn is_threatened(position: &Self::Position) -> bool;

    /// Whether the side to move is practically never worse off than if it could pass, so
    /// that passing tells how good the position is. Never in draughts.
    fn may_pass(position: &Self::Position) -> bool;

    /// The position with the other side to move.
    fn pass(position: &Self::Position) -> Self::Position;

    /// Whether one side has a lone king on the main road, and the other three pieces: a
    /// rule of Russian draughts counts for how long.
    fn holds_main_road(_position: &Self::Position) -> bool {
        false
    }

    /// Whether the game is drawn by a rule that counts moves.
    fn drawn(position: &Self::Position, counters: &Counters) -> Option<DrawReason>;
}
