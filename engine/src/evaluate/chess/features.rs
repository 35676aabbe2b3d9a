//! What is counted in a position of chess: the list of it, and the counting of pieces.

use super::distance::{OFFSETS, offset, steps};
use super::pawns::{PAWN_FEATURES, Pawns};
use damka_games::chess::{BISHOP, KING, KNIGHT, PAWN, Position, QUEEN, ROOK};
use damka_games::{Chess, Color, Game, Kind, Position as _, Square, SquareSet};

/// Kinds of piece.
const KINDS: usize = Chess::KINDS.len();
/// A piece of a kind.
pub(super) const MATERIAL: usize = 0;
/// A piece of a kind by its square, as its own side [sees](View) it.
pub(super) const ON_SQUARE: usize = MATERIAL + KINDS;
/// A piece of a kind by its [offset] from the king of its side.
pub(super) const FROM_OWN_KING: usize = ON_SQUARE + KINDS * 64;
/// And by that from the other king.
pub(super) const FROM_OTHER_KING: usize = FROM_OWN_KING + KINDS * OFFSETS;
/// A piece by its kind and the number of squares that it can go to and no enemy pawn attacks.
pub(super) const MOBILITY: usize = FROM_OTHER_KING + KINDS * OFFSETS;
/// Two bishops or more.
pub(super) const BISHOP_PAIR: usize = MOBILITY + KINDS * REACHES;
/// A pawn on a square of the colour that a bishop of its side goes on, for each such bishop.
pub(super) const BAD_BISHOP: usize = BISHOP_PAIR + 1;
/// A knight or a bishop, by its kind, beyond the middle of the board, guarded by a pawn, where no
/// enemy pawn can ever attack it.
pub(super) const OUTPOST: usize = BAD_BISHOP + 1;
/// A rook on a file without pawns of its side, and on one without any.
pub(super) const ROOK_HALF_OPEN: usize = OUTPOST + KINDS;
pub(super) const ROOK_OPEN: usize = ROOK_HALF_OPEN + 1;
/// A file without pawns of its side, and one without any, on which the king stands or next to it.
pub(super) const KING_HALF_OPEN: usize = ROOK_OPEN + 1;
pub(super) const KING_OPEN: usize = KING_HALF_OPEN + 1;
/// How much the other king's surroundings are attacked: in [units](ATTACK_UNITS).
pub(super) const DANGER: usize = KING_OPEN + 1;
/// A kind of piece that could give check from a square that no enemy attacks.
pub(super) const SAFE_CHECK: usize = DANGER + MOST_UNITS + 1;
/// An enemy piece by its kind that a pawn attacks; a knight or bishop; a rook. By others than
/// pawns only if it is better than its attacker, or nobody guards it.
pub(super) const THREAT: usize = SAFE_CHECK + KINDS;
/// Where the other side has nothing but its king: how many steps that is from the middle, and how
/// much nearer the kings are than they could be.
pub(super) const LONE_KING_FAR: usize = THREAT + 3 * KINDS;
pub(super) const KINGS_NEAR: usize = LONE_KING_FAR + 1;
/// What is counted of [pawns](super::pawns).
pub(super) const PAWNS: usize = KINGS_NEAR + 1;
/// To be the side to move.
pub(super) const TEMPO: usize = PAWNS + PAWN_FEATURES;
pub(super) const FEATURES: usize = TEMPO + 1;

/// More than the most squares that a piece reaches.
pub(super) const REACHES: usize = 28;
/// From here on more attacks on a king's surroundings count no more.
pub(super) const MOST_UNITS: usize = 63;
/// What an attack on a square next to a king counts, by kind.
const ATTACK_UNITS: [usize; KINDS] = [0, 5, 3, 2, 2, 0];

/// The kinds that are neither king nor pawn.
const PIECES: [Kind; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// How a side sees the board: from behind, and in the mirror where its king would stand on the
/// files a to d.
#[derive(Clone, Copy)]
struct View(u8);

impl View {
    fn new(color: Color, king: Square) -> View {
        let turned = if color == Color::White { 0 } else { 0o70 };
        View(if king.index() % 8 < 4 { turned ^ 7 } else { turned })
    }

    #[inline]
    fn square(self, square: Square) -> usize {
        usize::from(square.index() ^ self.0)
    }
}

/// What the pieces of a side attack.
#[derive(Default)]
struct Attacks {
    by_kind: [SquareSet; KINDS],
    all: SquareSet,
}

impl Attacks {
    #[inline]
    fn add(&mut self, kind: Kind, attacked: SquareSet) {
        self.by_kind[kind.index()] |= attacked;
        self.all |= attacked;
    }
}

/// Counts what there is in a position.
#[inline]
pub(super) fn count(position: &Position, mut tally: impl FnMut(usize, i32)) {
    let turn = position.turn();
    let both = [(turn, 1), (!turn, -1)];
    let mut attacks = Color::BOTH.map(|color| {
        let mut attacks = Attacks::default();
        let pawns = position.pieces(color, PAWN);
        attacks.add(PAWN, Position::pawn_attacks(color, pawns));
        attacks.add(KING, Position::reach(KING, position.king(color), SquareSet::EMPTY));
        attacks
    });
    for (color, times) in both {
        count_pieces(position, color, &mut attacks, &mut |feature, count: i32| {
            tally(feature, times * count);
        });
    }
    let pawns = Color::BOTH.map(|color| Pawns::new(position, color));
    for (color, times) in both {
        let [own, other] = [color, !color].map(|color| &attacks[color as usize]);
        let mut tally = |feature, count: i32| tally(feature, times * count);
        count_threats(position, color, own, other, &mut tally);
        count_structure(position, color, &pawns[color as usize], &mut tally);
        pawns[color as usize].count(position, &mut |feature, count| {
            tally(PAWNS + feature, count);
        });
    }
    tally(TEMPO, 1);
}

/// Counts the pieces of a side where they stand, and what they attack.
#[inline]
fn count_pieces(
    position: &Position,
    color: Color,
    attacks: &mut [Attacks; 2],
    tally: &mut impl FnMut(usize, i32),
) {
    let occupied = position.occupied();
    let own = position.side(color);
    let kings = [position.king(color), position.king(!color)];
    let view = View::new(color, kings[0]);
    let [own_king, other_king] = kings.map(|king| view.square(king));
    let mut attackers = 0;
    let mut units = 0;
    let free = !(own & (position.kind(KING) | position.kind(PAWN)))
        & !attacks[!color as usize].by_kind[PAWN.index()];
    let zone = surroundings(!color, kings[1]);
    let mut stand = |kind: Kind, from: Square| {
        let (row, square) = (kind.index(), view.square(from));
        tally(ON_SQUARE + row * 64 + square, 1);
        tally(FROM_OWN_KING + row * OFFSETS + offset(own_king, square), 1);
        tally(FROM_OTHER_KING + row * OFFSETS + offset(other_king, square), 1);
        if kind == KING || kind == PAWN {
            return;
        }
        let reached = Position::reach(kind, from, occupied);
        attacks[color as usize].add(kind, reached);
        tally(MOBILITY + row * REACHES + (reached & free).len() as usize, 1);
        let near = (reached & zone).len() as usize;
        attackers += usize::from(near > 0);
        units += ATTACK_UNITS[row] * near;
    };
    stand(KING, kings[0]);
    for kind in PIECES.into_iter().chain([PAWN]) {
        for square in own & position.kind(kind) {
            stand(kind, square);
        }
    }
    for kind in PIECES.into_iter().chain([PAWN]) {
        tally(MATERIAL + kind.index(), (own & position.kind(kind)).len() as i32);
    }
    // One attacker alone does no harm, and without a queen there is less to fear.
    let has_queen = !(own & position.kind(QUEEN)).is_empty();
    let units = if has_queen { units } else { units / 2 };
    if attackers >= 2 {
        tally(DANGER + units.min(MOST_UNITS), 1);
    }
}

/// The squares a king can go to, and those before them.
#[inline]
fn surroundings(color: Color, king: Square) -> SquareSet {
    let near = Position::reach(KING, king, SquareSet::EMPTY) | king.into();
    let bits = near.bits();
    near | SquareSet::new(if color == Color::White { bits << 8 } else { bits >> 8 })
}

/// Counts what a side could win or begin at once.
#[inline]
fn count_threats(
    position: &Position,
    color: Color,
    own: &Attacks,
    other: &Attacks,
    tally: &mut impl FnMut(usize, i32),
) {
    let enemies = position.side(!color);
    let of = |kind: Kind| own.by_kind[kind.index()];
    let classes = [of(PAWN), of(KNIGHT) | of(BISHOP), of(ROOK)];
    let attacked = enemies & (classes[0] | classes[1] | classes[2]);
    if !attacked.is_empty() {
        for (class, attacks) in classes.into_iter().enumerate() {
            for kind in PIECES.into_iter().chain([PAWN]) {
                let is_better = class == 0 || kind == QUEEN || class == 1 && kind == ROOK;
                let weak = if is_better { attacks } else { attacks & !other.all };
                let count = (enemies & position.kind(kind) & weak).len() as i32;
                tally(THREAT + class * KINDS + kind.index(), count);
            }
        }
    }
    let king = position.king(!color);
    let occupied = position.occupied();
    let [straight, diagonal, leaps] =
        [ROOK, BISHOP, KNIGHT].map(|kind| Position::reach(kind, king, occupied));
    let checks =
        [(QUEEN, straight | diagonal), (ROOK, straight), (BISHOP, diagonal), (KNIGHT, leaps)];
    let safe = !(other.all | position.side(color));
    for (kind, squares) in checks {
        tally(SAFE_CHECK + kind.index(), i32::from(!(of(kind) & squares & safe).is_empty()));
    }
}

/// Counts how pieces stand with regard to pawns and to each other.
#[inline]
fn count_structure(
    position: &Position,
    color: Color,
    pawns: &Pawns,
    tally: &mut impl FnMut(usize, i32),
) {
    const DARK: SquareSet = SquareSet::new(0xAA55_AA55_AA55_AA55);
    let count = |squares: SquareSet| squares.len() as i32;
    let own = |kind: Kind| pawns.seen(position.pieces(color, kind));
    let bishops = own(BISHOP);
    tally(BISHOP_PAIR, i32::from(bishops.len() >= 2));
    let hindered = |squares| count(bishops & squares) * count(pawns.own & squares);
    tally(BAD_BISHOP, hindered(DARK) + hindered(!DARK));
    for kind in [BISHOP, KNIGHT] {
        tally(OUTPOST + kind.index(), count(own(kind) & pawns.outposts));
    }
    let rooks = own(ROOK);
    tally(ROOK_HALF_OPEN, count(rooks & pawns.half_open & !pawns.open));
    tally(ROOK_OPEN, count(rooks & pawns.open));
    // Three squares of the first rank stand for the files of a king and its neighbours.
    let file = position.king(color).index() % 8;
    let files = SquareSet::new(7u64 << file >> 1 & 0xFF);
    tally(KING_HALF_OPEN, count(files & pawns.half_open & !pawns.open));
    tally(KING_OPEN, count(files & pawns.open));
    if position.side(!color).len() == 1 {
        let king = position.king(!color);
        let centre = [27, 28, 35, 36].map(|square| steps(king, Square::new(square)));
        tally(LONE_KING_FAR, centre.into_iter().min().unwrap_or(0).into());
        tally(KINGS_NEAR, (7 - steps(king, position.king(color))).into());
    }
}
