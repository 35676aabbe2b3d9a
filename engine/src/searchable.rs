use crate::draws::{Counters, DrawReason};
use crate::evaluate::Evaluated;
use damka_games::{Kind, MoveList, Position, Square};
use damka_tables::Indexable;

/// What the engine must know of a game besides its rules and what positions are worth:
/// which moves are likely to be good, and when a game is drawn.
pub trait Searchable: Indexable + Evaluated {
    /// The depth of the [fixed searches](crate::bench), in plies: so that they take some seconds.
    const BENCH_DEPTH: u16;

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

    /// What a move loses in spite of its [gain](Searchable::gain), where that tells only what it
    /// wins at first: asked when it would be tried next.
    #[inline]
    fn loss(_position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// The legal moves that a quiescence search follows although others could be made; `None` if
    /// there are no legal moves at all, as far as that must be known.
    fn loud_moves(position: &Self::Position) -> Option<MoveList<Self::Move>>;

    /// The most that a loud move can win at once, in hundredths of a man: a selective search does
    /// not try it where that is too little.
    #[inline]
    fn hope(_position: &Self::Position, _mv: Self::Move) -> i32 {
        i32::from(i16::MAX)
    }

    /// Whether neither side can win, though one has more: it is evaluated as a draw.
    #[inline]
    fn is_fortress(_position: &Self::Position) -> bool {
        false
    }

    /// Whether the other side threatens to win something at once, so that an evaluation
    /// means little, though no answer [is forced](Searchable::is_forced).
    fn is_threatened(position: &Self::Position) -> bool;

    /// Whether the side to move must answer at once, so that there is nothing to evaluate and no
    /// move to leave out: the rules demand a capture, or in chess, it is in check.
    #[inline]
    fn is_forced(position: &Self::Position) -> bool {
        position.captures_only()
    }

    /// Whether the other side [must answer](Searchable::is_forced) a move.
    #[inline]
    fn forces(position: &Self::Position, mv: Self::Move) -> bool {
        Self::is_forced(&position.play(mv))
    }

    /// Whether single quiet moves matter so little that the search is selective: near the leaves
    /// it leaves out those that come late or would have to win much, and bad captures; it looks
    /// a ply further where the side to move [must answer](Searchable::is_forced). Shallower
    /// searches with moved bounds, which then do not tell enough of deeper ones, it leaves out.
    const IS_SELECTIVE: bool = false;

    /// By how many plies less than others a quiet move is searched at this depth, after so many
    /// tried before.
    fn reduction(depth: i32, tried: usize) -> i32 {
        1 + i32::from(depth >= 6) + i32::from(tried >= 8) + i32::from(depth >= 12)
    }

    /// Whether the side to move is practically never worse off than if it could pass, so
    /// that passing tells how good the position is, unless an answer [is
    /// forced](Searchable::is_forced). Never in draughts.
    fn may_pass(position: &Self::Position) -> bool;

    /// The position with the other side to move.
    fn pass(position: &Self::Position) -> Self::Position;

    /// Whether one side has a lone king on the main road, and the other three pieces: a
    /// rule of Russian draughts counts for how long.
    fn holds_main_road(_position: &Self::Position) -> bool {
        false
    }

    /// The number of occurrences of a position that draws the game.
    #[inline]
    fn repetitions(self) -> usize {
        3
    }

    /// Whether the game is drawn by a rule that counts moves.
    fn drawn(position: &Self::Position, counters: &Counters) -> Option<DrawReason>;

    /// How many plies may follow, the one that decides the game included, before it is drawn by
    /// such a rule, if no move begins the count anew; `None` where tables know nothing of such a
    /// rule, and nothing is done about it.
    #[inline]
    fn plies_left(_counters: &Counters) -> Option<u16> {
        None
    }

    /// Whether no move that begins the count anew leaves anything to win for the side that is
    /// winning.
    #[inline]
    fn is_conversion_vain(_position: &Self::Position) -> bool {
        false
    }

    /// Whether such a rule is so near that what was found of the position elsewhere, where more
    /// moves were left, may not hold.
    #[inline]
    fn is_draw_near(_counters: &Counters) -> bool {
        false
    }
}
