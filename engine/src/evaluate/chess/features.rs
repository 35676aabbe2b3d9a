//! The features of chess positions: their list, and the counting of pieces.

use super::distance::{DARK, OFFSETS, offset};
use super::pawns::{PAWN_FEATURES, Pawns};
use damka_games::chess::{BISHOP, KING, KNIGHT, PAWN, Position, QUEEN, ROOK};
use damka_games::{Chess, Color, Game, Kind, Position as _, Square, SquareSet};

/// The number of kinds of piece.
const KINDS: usize = Chess::KINDS.len();
/// A piece, by kind.
pub(super) const MATERIAL: usize = 0;
/// A piece, by kind and square as its own side [sees](View) it.
pub(super) const ON_SQUARE: usize = MATERIAL + KINDS;
/// A piece, by kind and [offset] from the enemy king.
pub(super) const FROM_OTHER_KING: usize = ON_SQUARE + KINDS * 64;
/// A pawn, by its offset from its own king.
pub(super) const PAWN_FROM_OWN_KING: usize = FROM_OTHER_KING + KINDS * OFFSETS;
/// A piece, by kind and the number of squares that it can go to and no enemy pawn attacks.
pub(super) const MOBILITY: usize = PAWN_FROM_OWN_KING + OFFSETS;
/// Two bishops or more.
pub(super) const BISHOP_PAIR: usize = MOBILITY + KINDS * MAX_MOBILITY;
/// A pawn on the colour of a bishop of its own side, for each such bishop.
pub(super) const BAD_BISHOP: usize = BISHOP_PAIR + 1;
/// A knight or bishop on an outpost, by kind: on the fourth to sixth rank, guarded by a pawn, and
/// where no enemy pawn can ever attack it.
pub(super) const OUTPOST: usize = BAD_BISHOP + 1;
/// A rook on a half-open file (one without friendly pawns), and a rook on an open file (one without
/// any pawns).
pub(super) const ROOK_HALF_OPEN: usize = OUTPOST + KINDS;
pub(super) const ROOK_OPEN: usize = ROOK_HALF_OPEN + 1;
/// A half-open file, and an open file, that the king stands on or next to.
pub(super) const KING_HALF_OPEN: usize = ROOK_OPEN + 1;
pub(super) const KING_OPEN: usize = KING_HALF_OPEN + 1;
/// Attacks on the zone round the enemy king, by their sum in [units](ATTACK_UNITS).
pub(super) const DANGER: usize = KING_OPEN + 1;
/// A kind of piece that could give check from a square not attacked by the enemy.
pub(super) const SAFE_CHECK: usize = DANGER + MAX_DANGER + 1;
/// An enemy piece, by kind, attacked by a pawn; by a knight or bishop; by a rook. The last two
/// count only if the attacked piece is more valuable than the attacker or unguarded.
pub(super) const THREAT: usize = SAFE_CHECK + KINDS;
/// The features of [pawns](super::pawns).
pub(super) const PAWNS: usize = THREAT + 3 * KINDS;
/// The bonus of the side to move.
pub(super) const TEMPO: usize = PAWNS + PAWN_FEATURES;
pub(super) const FEATURES: usize = TEMPO + 1;

/// More than the number of squares that any piece can reach.
pub(super) const MAX_MOBILITY: usize = 28;
/// The cap on the units of attacks on a king.
pub(super) const MAX_DANGER: usize = 63;
/// The units of an attack on a square of the zone round a king, by kind of the attacker.
const ATTACK_UNITS: [usize; KINDS] = [0, 5, 3, 2, 2, 0];

/// The kinds that are neither king nor pawn.
const PIECES: [Kind; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// How a side sees the board: from its own first rank, and mirrored so that its king is on one of
/// the files e to h.
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

/// The squares attacked by the pieces of a side.
#[derive(Default)]
struct Attacks {
    by_kind: [SquareSet; KINDS],
    all: SquareSet,
}

impl Attacks {
    /// The attacks of king and pawns; those of other pieces are added later.
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

/// A hash of the squares of pawns and kings.
#[inline(always)]
pub(super) fn structure_key(position: &Position) -> u64 {
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

/// Counts the features that depend only on pawns and kings.
#[inline(always)]
pub(super) fn count_structure(position: &Position, mut tally: impl FnMut(usize, i32)) {
    let turn = position.turn();
    count_own_structure(position, turn, &mut tally);
    count_own_structure(position, !turn, &mut |feature, count| tally(feature, -count));
}

#[inline(always)]
fn count_own_structure(position: &Position, color: Color, tally: &mut impl FnMut(usize, i32)) {
    let placement = Placement::new(position, color);
    placement.count(KING, position.king(color), tally);
    let own = position.pieces(color, PAWN);
    tally(MATERIAL + PAWN.index(), own.len() as i32);
    for square in own {
        placement.count(PAWN, square, tally);
        tally(PAWN_FROM_OWN_KING + offset(placement.kings[0], placement.view.square(square)), 1);
    }
    let pawns = Pawns::new(position, color);
    pawns.count(position, &mut |feature, count| tally(PAWNS + feature, count));
    // The king's file and those next to it, each represented by its square on the first rank.
    let file = position.king(color).index() % 8;
    let files = SquareSet::new(7u64 << file >> 1 & 0xFF);
    tally(KING_HALF_OPEN, (files & pawns.half_open & !pawns.open).len() as i32);
    tally(KING_OPEN, (files & pawns.open).len() as i32);
}

/// Counts all other features.
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
    count_piece_structure(position, turn, &mut tally);
    count_piece_structure(position, !turn, &mut |feature, count| tally(feature, -count));
    tally(TEMPO, 1);
}

/// Counts the placement, mobility and king attacks of the pieces of a side other than king and
/// pawns, and adds their attacks to `own`.
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
        placement: Placement::new(position, color),
        free,
        zone,
        attackers: 0,
        units: 0,
    };
    // Not a loop, so that each call is compiled for its kind.
    counter.count(QUEEN, pieces, own, tally);
    counter.count(ROOK, pieces, own, tally);
    counter.count(BISHOP, pieces, own, tally);
    counter.count(KNIGHT, pieces, own, tally);
    // A single attacker is no danger. Without a queen the danger is halved.
    let has_queen = !(pieces & position.kind(QUEEN)).is_empty();
    let units = if has_queen { counter.units } else { counter.units / 2 };
    if counter.attackers >= 2 {
        tally(DANGER + units.min(MAX_DANGER), 1);
    }
}

/// Counts pieces of a side kind by kind.
struct Counter<'a> {
    position: &'a Position,
    placement: Placement,
    /// The squares that count for mobility: not attacked by enemy pawns, and not occupied by a
    /// friendly pawn or king.
    free: SquareSet,
    /// The zone round the enemy king.
    zone: SquareSet,
    /// The number of pieces that attack the zone.
    attackers: usize,
    /// The sum of the units of their attacks.
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
            self.placement.count(kind, square, tally);
            let reached = Position::reach(kind, square, self.position.occupied());
            own.add(kind, reached);
            let mobility = (reached & self.free).len() as usize;
            tally(MOBILITY + kind.index() * MAX_MOBILITY + mobility, 1);
            let near = (reached & self.zone).len() as usize;
            self.attackers += usize::from(near > 0);
            self.units += ATTACK_UNITS[kind.index()] * near;
        }
    }
}

/// The placement of pieces as their side sees it.
struct Placement {
    view: View,
    /// The squares of its own king and of the enemy king, as it sees them.
    kings: [usize; 2],
}

impl Placement {
    #[inline(always)]
    fn new(position: &Position, color: Color) -> Placement {
        let [own, other] = [position.king(color), position.king(!color)];
        let view = View::new(color, own);
        Placement { view, kings: [view.square(own), view.square(other)] }
    }

    #[inline(always)]
    fn count(&self, kind: Kind, square: Square, tally: &mut impl FnMut(usize, i32)) {
        let (kind, square) = (kind.index(), self.view.square(square));
        tally(ON_SQUARE + kind * 64 + square, 1);
        tally(FROM_OTHER_KING + kind * OFFSETS + offset(self.kings[1], square), 1);
    }
}

/// The zone round a king: its square, those next to it, and those in front of them.
#[inline(always)]
fn surroundings(color: Color, king: Square) -> SquareSet {
    let near = Position::reach(KING, king, SquareSet::EMPTY) | king.into();
    let bits = near.bits();
    near | SquareSet::new(if color == Color::White { bits << 8 } else { bits >> 8 })
}

/// Counts the threats of a side: attacked pieces and safe checks.
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
        // Usually empty.
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

/// Counts the features of pieces in relation to pawns and to each other.
#[inline(always)]
fn count_piece_structure(position: &Position, color: Color, tally: &mut impl FnMut(usize, i32)) {
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
}
