//! What is counted in a position of chess: the list of it, and the counting of pieces.

use super::distance::{DARK, OFFSETS, offset, steps};
use super::pawns::{PAWN_FEATURES, Pawns};
use damka_games::chess::{BISHOP, KING, KNIGHT, PAWN, Position, QUEEN, ROOK};
use damka_games::{Chess, Color, Game, Kind, Position as _, Square, SquareSet};

/// Kinds of piece.
const KINDS: usize = Chess::KINDS.len();
/// A piece of a kind.
pub(super) const MATERIAL: usize = 0;
/// A piece of a kind by its square, as its own side [sees](View) it.
pub(super) const ON_SQUARE: usize = MATERIAL + KINDS;
/// A piece of a kind by its [offset] from the other king.
pub(super) const FROM_OTHER_KING: usize = ON_SQUARE + KINDS * 64;
/// A pawn by its offset from the king of its side.
pub(super) const PAWN_FROM_OWN_KING: usize = FROM_OTHER_KING + KINDS * OFFSETS;
/// A piece by its kind and the number of squares that it can go to and no enemy pawn attacks.
pub(super) const MOBILITY: usize = PAWN_FROM_OWN_KING + OFFSETS;
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
/// Where the other side has nothing but its king: how many ranks and files that is from the middle,
/// how much nearer the kings are than they could be, and how much nearer it is to a corner that a
/// bishop can attack.
pub(super) const LONE_KING_FAR: usize = THREAT + 3 * KINDS;
pub(super) const KINGS_NEAR: usize = LONE_KING_FAR + 1;
pub(super) const BISHOPS_CORNER: usize = KINGS_NEAR + 1;
/// What is counted of [pawns](super::pawns).
pub(super) const PAWNS: usize = BISHOPS_CORNER + 1;
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

    #[inline(always)]
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
    /// Those of king and pawns.
    #[inline(always)]
    fn new(position: &Position, color: Color) -> Attacks {
        let mut attacks = Attacks::default();
        attacks.add(PAWN, Position::pawn_attacks(color, position.pieces(color, PAWN)));
        attacks.add(KING, Position::reach(KING, position.king(color), SquareSet::EMPTY));
        attacks
    }

    #[inline(always)]
    fn add(&mut self, kind: Kind, attacked: SquareSet) {
        self.by_kind[kind.index()] |= attacked;
        self.all |= attacked;
    }
}

/// A number that differs wherever pawns or kings stand elsewhere.
#[inline(always)]
pub(super) fn frame(position: &Position) -> u64 {
    // Odd numbers without a pattern: the fractions of the square roots of 2, 3 and 5.
    const FACTORS: [u64; 3] = [0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B];
    let sets = [
        position.pieces(Color::White, PAWN).bits(),
        position.pieces(Color::Black, PAWN).bits(),
        u64::from(position.king(Color::White).index()) << 6
            | u64::from(position.king(Color::Black).index()),
    ];
    sets.into_iter().zip(FACTORS).fold(0, |key: u64, (set, factor)| {
        let mixed = (key ^ set).wrapping_mul(factor);
        mixed ^ mixed >> 32
    })
}

/// Counts what depends on nothing but where pawns and kings stand.
#[inline(always)]
pub(super) fn count_frame(position: &Position, mut tally: impl FnMut(usize, i32)) {
    let turn = position.turn();
    count_own_frame(position, turn, &mut tally);
    count_own_frame(position, !turn, &mut |feature, count| tally(feature, -count));
}

#[inline(always)]
fn count_own_frame(position: &Position, color: Color, tally: &mut impl FnMut(usize, i32)) {
    let place = Place::new(position, color);
    place.count(KING, position.king(color), tally);
    let own = position.pieces(color, PAWN);
    tally(MATERIAL + PAWN.index(), own.len() as i32);
    for square in own {
        place.count(PAWN, square, tally);
        tally(PAWN_FROM_OWN_KING + offset(place.kings[0], place.view.square(square)), 1);
    }
    let pawns = Pawns::new(position, color);
    pawns.count(position, &mut |feature, count| tally(PAWNS + feature, count));
    // Three squares of the first rank stand for the files of a king and its neighbours.
    let file = position.king(color).index() % 8;
    let files = SquareSet::new(7u64 << file >> 1 & 0xFF);
    tally(KING_HALF_OPEN, (files & pawns.half_open & !pawns.open).len() as i32);
    tally(KING_OPEN, (files & pawns.open).len() as i32);
}

/// Counts all else.
#[inline(always)]
pub(super) fn count_rest(position: &Position, mut tally: impl FnMut(usize, i32)) {
    let turn = position.turn();
    let [mut own, mut other] = [Attacks::new(position, turn), Attacks::new(position, !turn)];
    count_pieces(position, turn, &mut own, &other, &mut tally);
    count_pieces(position, !turn, &mut other, &own, &mut |feature, count| tally(feature, -count));
    for kind in PIECES {
        let count = |color| position.pieces(color, kind).len() as i32;
        tally(MATERIAL + kind.index(), count(turn) - count(!turn));
    }
    count_threats(position, turn, &own, &other, &mut tally);
    count_threats(position, !turn, &other, &own, &mut |feature, count| tally(feature, -count));
    count_structure(position, turn, &mut tally);
    count_structure(position, !turn, &mut |feature, count| tally(feature, -count));
    tally(TEMPO, 1);
}

/// Counts the pieces of a side but king and pawns where they stand, and adds what they attack.
#[inline(always)]
fn count_pieces(
    position: &Position,
    color: Color,
    own: &mut Attacks,
    other: &Attacks,
    tally: &mut impl FnMut(usize, i32),
) {
    let pieces = position.side(color);
    let barred = position.kind(PAWN) | position.kind(KING);
    let free = !(pieces & barred | other.by_kind[PAWN.index()]);
    let zone = surroundings(!color, position.king(!color));
    let mut counter = Counter {
        position,
        place: Place::new(position, color),
        free,
        zone,
        attackers: 0,
        units: 0,
    };
    // One after the other, so that each is compiled for its kind.
    counter.count(QUEEN, pieces, own, tally);
    counter.count(ROOK, pieces, own, tally);
    counter.count(BISHOP, pieces, own, tally);
    counter.count(KNIGHT, pieces, own, tally);
    // One attacker alone does no harm, and without a queen there is less to fear.
    let has_queen = !(pieces & position.kind(QUEEN)).is_empty();
    let units = if has_queen { counter.units } else { counter.units / 2 };
    if counter.attackers >= 2 {
        tally(DANGER + units.min(MOST_UNITS), 1);
    }
}

/// Counts pieces of a side kind by kind.
struct Counter<'a> {
    position: &'a Position,
    place: Place,
    /// Where they can go without being taken by a pawn, unless one of their own stands there that
    /// seldom moves.
    free: SquareSet,
    /// The squares round the other king.
    zone: SquareSet,
    /// How many pieces attack these, and what that counts.
    attackers: usize,
    units: usize,
}

impl Counter<'_> {
    #[inline(always)]
    fn count(
        &mut self,
        kind: Kind,
        pieces: SquareSet,
        own: &mut Attacks,
        tally: &mut impl FnMut(usize, i32),
    ) {
        for square in pieces & self.position.kind(kind) {
            self.place.count(kind, square, tally);
            let reached = Position::reach(kind, square, self.position.occupied());
            own.add(kind, reached);
            let reaches = (reached & self.free).len() as usize;
            tally(MOBILITY + kind.index() * REACHES + reaches, 1);
            let near = (reached & self.zone).len() as usize;
            self.attackers += usize::from(near > 0);
            self.units += ATTACK_UNITS[kind.index()] * near;
        }
    }
}

/// Where a side sees its pieces.
struct Place {
    view: View,
    /// The squares of its own king and of the other as it sees them.
    kings: [usize; 2],
}

impl Place {
    #[inline(always)]
    fn new(position: &Position, color: Color) -> Place {
        let [own, other] = [position.king(color), position.king(!color)];
        let view = View::new(color, own);
        Place { view, kings: [view.square(own), view.square(other)] }
    }

    #[inline(always)]
    fn count(&self, kind: Kind, square: Square, tally: &mut impl FnMut(usize, i32)) {
        let (kind, square) = (kind.index(), self.view.square(square));
        tally(ON_SQUARE + kind * 64 + square, 1);
        tally(FROM_OTHER_KING + kind * OFFSETS + offset(self.kings[1], square), 1);
    }
}

/// The squares a king can go to, and those before them.
#[inline(always)]
fn surroundings(color: Color, king: Square) -> SquareSet {
    let near = Position::reach(KING, king, SquareSet::EMPTY) | king.into();
    let bits = near.bits();
    near | SquareSet::new(if color == Color::White { bits << 8 } else { bits >> 8 })
}

/// Counts what a side could win or begin at once.
#[inline(always)]
fn count_threats(
    position: &Position,
    color: Color,
    own: &Attacks,
    other: &Attacks,
    tally: &mut impl FnMut(usize, i32),
) {
    let enemies = position.side(!color);
    let of = |kind: Kind| own.by_kind[kind.index()];
    let [queens, rooks] = [position.kind(QUEEN), position.kind(ROOK)];
    let alone = !other.all;
    let classes = [
        of(PAWN) & !position.kind(PAWN),
        (of(KNIGHT) | of(BISHOP)) & (queens | rooks | alone),
        of(ROOK) & (queens | alone),
    ];
    for (class, attacked) in classes.into_iter().enumerate() {
        // Mostly nothing is threatened.
        for square in attacked & enemies {
            if let Some((_, kind)) = position.piece_at(square).filter(|&(_, kind)| kind != KING) {
                tally(THREAT + class * KINDS + kind.index(), 1);
            }
        }
    }
    let (king, occupied) = (position.king(!color), position.occupied());
    let straight = Position::reach(ROOK, king, occupied);
    let diagonal = Position::reach(BISHOP, king, occupied);
    let leaps = Position::reach(KNIGHT, king, occupied);
    let checks =
        [(QUEEN, straight | diagonal), (ROOK, straight), (BISHOP, diagonal), (KNIGHT, leaps)];
    let safe = !(other.all | position.side(color));
    for (kind, squares) in checks {
        if !(of(kind) & squares & safe).is_empty() {
            tally(SAFE_CHECK + kind.index(), 1);
        }
    }
}

/// Counts how pieces stand with regard to pawns and to each other.
#[inline(always)]
fn count_structure(position: &Position, color: Color, tally: &mut impl FnMut(usize, i32)) {
    let pawns = Pawns::new(position, color);
    let count = |squares: SquareSet| squares.len() as i32;
    let own = |kind: Kind| pawns.seen(position.pieces(color, kind));
    let bishops = own(BISHOP);
    if !bishops.is_empty() {
        tally(BISHOP_PAIR, i32::from(bishops.len() >= 2));
        let hindered = |squares| count(bishops & squares) * count(pawns.own & squares);
        tally(BAD_BISHOP, hindered(DARK) + hindered(!DARK));
    }
    if !pawns.outposts.is_empty() {
        for kind in [BISHOP, KNIGHT] {
            tally(OUTPOST + kind.index(), count(own(kind) & pawns.outposts));
        }
    }
    let rooks = own(ROOK);
    tally(ROOK_HALF_OPEN, count(rooks & pawns.half_open & !pawns.open));
    tally(ROOK_OPEN, count(rooks & pawns.open));
    pawns.count_free(position, &mut |feature, count| tally(PAWNS + feature, count));
    if position.side(!color).len() == 1 {
        let [far, near, corner] = count_lone_king(position, color);
        tally(LONE_KING_FAR, far);
        tally(KINGS_NEAR, near);
        tally(BISHOPS_CORNER, corner);
    }
}

/// How far a king that has nothing else has been driven: the counts of the three features. Apart
/// from the rest, and without the tally, which can then be kept in registers.
#[inline(never)]
fn count_lone_king(position: &Position, color: Color) -> [i32; 3] {
    let king = position.king(!color);
    let inward = |place: u8| place.min(7 - place);
    let inward = inward(king.index() / 8) + inward(king.index() % 8);
    let bishops = position.pieces(color, BISHOP);
    let corners = [(DARK, [0, 63]), (!DARK, [7, 56])];
    let bishops_corners = corners.into_iter().filter(|&(dark, _)| !(bishops & dark).is_empty());
    let far = bishops_corners.flat_map(|(_, corners)| corners);
    let far = far.map(|corner| steps(king, Square::new(corner))).min();
    let near = 7 - steps(king, position.king(color));
    [6 - inward, near, far.map_or(0, |far| 7 - far)].map(i32::from)
}
