//! The index is one-to-one, covers exactly the legal placements, and its totals are the published
//! numbers of positions.

use damka_games::chess::PAWN;
use damka_games::draughts::KING;
use damka_games::{
    Alapo, Chess, Color, Draughts, English, Game, Kind, Material, Pieces, Position, Russian,
    Square, SquareSet,
};
use damka_tables::processor::Baseline;
use damka_tables::{Index, Indexable, Side, Signature};
use std::collections::HashSet;

/// All placements of the pieces of a signature with White to move, found by putting every piece on
/// every square that [`allowed`] accepts.
fn placements<G: Indexable>(
    game: G,
    squares: u8,
    mover: Material,
    opponent: Material,
) -> Vec<G::Position> {
    let list = |material: Material, color: Color| {
        G::kinds().flat_map(move |kind| std::iter::repeat_n((color, kind), material[kind].into()))
    };
    let pieces: Vec<_> = list(mover, Color::White).chain(list(opponent, Color::Black)).collect();
    let mut found = Vec::new();
    place(game, squares, &pieces, 0, &mut Pieces::default(), &mut found);
    found
}

fn place<G: Indexable>(
    game: G,
    squares: u8,
    pieces: &[(Color, Kind)],
    lowest: u8,
    board: &mut Pieces,
    found: &mut Vec<G::Position>,
) {
    let Some((&(color, kind), rest)) = pieces.split_first() else {
        found.push(game.assemble(board, Color::White));
        return;
    };
    for square in lowest..squares {
        let taken = board.occupied().contains(Square::new(square));
        if !taken && allowed(game, board, color, kind, square) {
            board[(color, kind)] |= Square::new(square).into();
            // Like pieces in ascending order, so that each set occurs once.
            let next = if rest.first() == Some(&(color, kind)) { square + 1 } else { 0 };
            place(game, squares, rest, next, board, found);
            board[(color, kind)] &= !SquareSet::from(Square::new(square));
        }
    }
}

/// Whether the rules allow one more piece here, with White to move.
fn allowed<G: Indexable>(game: G, board: &Pieces, color: Color, kind: Kind, square: u8) -> bool {
    if game.name() == "alapo" {
        let invaders = (board.side(Color::Black) & SquareSet::new(0x3F)).len();
        return match color {
            Color::White => square < 30,
            Color::Black => square >= 6 || invaders == 0,
        };
    }
    kind == KING || if color == Color::White { square >= 4 } else { square < 28 }
}

/// Checks one side of a signature against the enumerated placements.
fn check<G: Indexable>(game: G, squares: u8, mover: Material, opponent: Material) {
    let index = Index::new(game, mover, opponent);
    let placements = placements(game, squares, mover, opponent);
    let mut members = vec![0; index.len() as usize];
    for position in &placements {
        let number = index.number(position);
        assert_eq!(index.number_with(Baseline, position), number, "{position:?}");
        members[number as usize] += 1;
    }
    assert_eq!(Index::<G>::count(&mover, &opponent), index.len());
    assert_eq!(Index::<G>::placements(&mover, &opponent), placements.len() as u64);
    for (number, count) in (0..).zip(members) {
        let position = index.position(number);
        assert_eq!(index.number(&position), number, "{position:?}");
        assert_eq!(index.weight(number), count, "{position:?}");
        assert_eq!(position.material(Color::White), mover);
        assert_eq!(position.material(Color::Black), opponent);
    }
    let all = (0..index.len()).map(|number| index.position(number));
    assert!(index.positions(0..index.len()).eq(all), "{mover:?} {opponent:?}");
}

/// Checks one side of a chess signature: every placement that is legal by the rules has a number.
/// If the lead is its own image, each placement with this lead has its own number. Returns the
/// number of legal positions.
fn check_chess(mover: Material, opponent: Material) -> u64 {
    let index = Index::new(Chess, mover, opponent);
    assert_eq!(Index::<Chess>::count(&mover, &opponent), index.len());
    let (mut legal, mut placements) = (0, 0);
    let some = Material::default().with(KING);
    for (number, position) in (0..).zip(index.positions(0..index.len())) {
        assert_eq!(index.number(&position), number, "{position:?}");
        assert_eq!(index.number_with(Baseline, &position), number, "{position:?}");
        assert_eq!([Color::White, Color::Black].map(|c| position.material(c)), [mover, opponent]);
        placements += index.weight(number);
        let is_legal = Chess.position(&position.setup()).is_ok();
        assert_eq!(Chess::is_legal(&position), is_legal, "{position:?}");
        legal += if is_legal { index.weight(number) } else { 0 };
        // A sample of the largest indices is enough.
        if !is_legal || index.len() > 1 << 20 && !number.is_multiple_of(31) {
            continue;
        }
        let has_pawns = mover[PAWN] + opponent[PAWN] > 0;
        let own = position.setup().pieces;
        let mut images = HashSet::from([own]);
        let mut numbers = HashSet::from([number]);
        let all = Chess::symmetries(&some, &some).iter();
        for map in all.take(if has_pawns { 1 } else { 7 }) {
            let mut pieces = own;
            for (color, kind, squares) in own.iter() {
                pieces[(color, kind)] = SquareSet::new(map(squares.bits()));
            }
            images.insert(pieces);
            numbers.insert(index.number(&Chess.assemble(&pieces, Color::White)));
        }
        // The images share a number, or several numbers each stand for some of them.
        assert_eq!(images.len() as u64, numbers.iter().map(|&number| index.weight(number)).sum());
        for number in numbers {
            assert!(images.contains(&index.position(number).setup().pieces), "{position:?}");
        }
    }
    assert_eq!(placements, Index::<Chess>::placements(&mover, &opponent));
    legal
}

/// The number of legal positions agrees with two other generators.
#[test]
fn every_legal_placement_of_chess_has_its_number() {
    for (text, white, black) in [
        ("KvK", 3_612, 3_612),
        ("KBvK", 193_284, 223_944),
        ("KNvK", 205_496, 223_944),
        ("KPvK", 163_328, 168_024),
        ("KQvK", 144_508, 223_944),
        ("KRvK", 175_168, 223_944),
        ("KQvKR", 8_952_608, 10_780_728),
        ("KRvKP", 8_100_040, 9_963_008),
    ] {
        let signature = Signature::parse(Chess, text).expect("a signature");
        for (side, expected) in [(Side::First, white), (Side::Second, black)] {
            let [mover, opponent] = signature.to_move(side);
            assert_eq!(check_chess(mover, opponent), expected, "{text} {side:?}");
        }
    }
}

/// Like pieces, and pawns that are their own mirror image.
#[test]
fn placements_of_like_chess_pieces_have_their_numbers() {
    for text in ["KRRvK", "KPPvK", "KNvKN", "KPvKP"] {
        let signature = Signature::parse(Chess, text).expect("a signature");
        for &side in signature.sides() {
            let [mover, opponent] = signature.to_move(side);
            check_chess(mover, opponent);
        }
    }
}

fn check_all<G: Indexable>(game: G, squares: u8, pieces: u32) {
    for signature in Signature::all(game, pieces) {
        for &side in signature.sides() {
            let [mover, opponent] = signature.to_move(side);
            check(game, squares, mover, opponent);
        }
    }
}

#[test]
fn every_placement_of_2_to_4_draughtsmen_has_its_number() {
    for pieces in 2..=4 {
        check_all(Russian, 32, pieces);
    }
}

#[test]
fn every_placement_of_2_and_3_alapo_pieces_has_its_number() {
    for pieces in 2..=3 {
        check_all(Alapo, 36, pieces);
    }
}

/// Symmetric leading pieces are the hard case: two like pieces on each side.
#[test]
fn symmetric_alapo_placements_have_their_numbers() {
    for text in ["RRvQQ", "WWvWW", "FFvRR", "RRvQF", "KKKvF"] {
        let signature = Signature::parse(Alapo, text).expect("a signature");
        for &side in signature.sides() {
            let [mover, opponent] = signature.to_move(side);
            check(Alapo, 36, mover, opponent);
        }
    }
}

/// Published: of the four images of a position with kings only, one is counted. By Burnside's lemma
/// 2 against 2 kings make (215,760 + 2 x 240 + 1,104) / 4 classes: 16 pairs of squares are
/// exchanged by the half turn and by one reflection, 12 pairs by the other, which leaves 8 squares
/// in place.
#[test]
fn kings_are_counted_up_to_symmetry() {
    let kings = |count| Material::default().with_many(count);
    let index = Index::new(Russian, kings(2), kings(2));
    // Unchanged placements: pairs of pairs, 16 x 15, or with the 8 fixed squares: a side has a pair
    // (12) or two fixed squares (28).
    let reflected = 12 * 11 + 2 * 12 * 28 + 28 * 15;
    assert_eq!(index.len(), (215_760 + 2 * 16 * 15 + reflected) / 4);
}

trait WithMany {
    fn with_many(self, kings: u32) -> Self;
}

impl WithMany for Material {
    fn with_many(self, kings: u32) -> Material {
        (0..kings).fold(self, |material, _| material.with(KING))
    }
}

/// The totals over all signatures equal the published numbers of positions.
#[test]
fn totals_are_the_published_numbers_of_positions() {
    const COUNTS: &str = include_str!("data/position_counts_8x8.tsv");
    let mut rows = 0;
    for row in COUNTS.lines().filter(|row| !row.starts_with('#')) {
        let fields: Vec<u64> =
            row.split('\t').map(|field| field.parse().expect("a count")).collect();
        let [pieces, _, with_both_sides] = fields[..] else { panic!("three columns: {row}") };
        let total: u64 = Signature::all(English, pieces as u32).iter().map(total).sum();
        assert_eq!(total, with_both_sides, "{pieces} pieces");
        rows += 1;
    }
    assert_eq!(rows, 7);
}

/// The number of positions of both sides to move, symmetric ones counted individually.
fn total(signature: &Signature<Draughts>) -> u64 {
    let sides = signature.sides().iter();
    sides.map(|&side| positions(signature, side)).sum()
}

fn positions(signature: &Signature<Draughts>, side: Side) -> u64 {
    let [mover, opponent] = signature.to_move(side);
    if mover.0[1] + opponent.0[1] > 0 {
        return Index::new(English, mover, opponent).len();
    }
    // Kings only: folding the largest of these takes minutes. Up to 5 pieces the weights of the
    // classes are added; beyond, the placements are counted by a formula.
    if signature.pieces() <= 5 {
        let index = Index::new(English, mover, opponent);
        return (0..index.len()).map(|number| index.weight(number)).sum();
    }
    let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let [a, b] = [mover.total().into(), opponent.total().into()];
    choose(32, a) * choose(32 - a, b)
}

/// 6 to 8 pieces are too many to enumerate, so this checks numbers spread over the range.
#[test]
fn large_signatures_map_back_and_forth() {
    let signatures =
        ["KKMvKKM", "KMMvKMM", "MMMvMMM", "KKMMvKKM", "KKMMvKKMM", "MMMMvMMMM", "KKKvKK"];
    for text in signatures {
        let signature = Signature::parse(Russian, text).expect("a signature");
        for &side in signature.sides() {
            let [mover, opponent] = signature.to_move(side);
            let index = Index::new(Russian, mover, opponent);
            let step = index.len() / 100_003 + 1;
            for number in (0..index.len()).step_by(step as usize).chain([index.len() - 1]) {
                let position = index.position(number);
                assert_eq!(index.number(&position), number, "{text} {position:?}");
                assert_eq!(position.material(Color::White), mover);
                let some = number..index.len().min(number + 40);
                let each = some.clone().map(|number| index.position(number));
                assert!(index.positions(some).eq(each), "{text} from {number}");
            }
        }
    }
}

/// Published: Alapo with two different pieces each has 1,906,920 positions. (This must count both
/// sides to move: four pieces have 36 x 35 x 34 x 33 = 1,413,720 placements in all.)
#[test]
fn alapo_two_against_two_has_the_published_size() {
    let signature = Signature::parse(Alapo, "QRvKW").expect("a signature");
    let numbers = [Side::First, Side::Second].map(|side| {
        let [mover, opponent] = signature.to_move(side);
        Index::new(Alapo, mover, opponent).len()
    });
    // The board has one mirror symmetry and no placement is its own image, so two share a number.
    assert_eq!(2 * numbers.iter().sum::<u64>(), 1_906_920);
}

#[test]
fn symmetries_keep_the_rules() {
    // If a symmetry did not preserve legal moves, sharing numbers would be wrong.
    let kings = Signature::parse(Russian, "KKvK").expect("a signature");
    let [mover, opponent] = kings.to_move(Side::First);
    let index = Index::new(Russian, mover, opponent);
    for number in (0..index.len()).step_by(7) {
        let position = index.position(number);
        for map in Draughts::symmetries(&mover, &opponent) {
            let mut pieces = Pieces::default();
            for color in Color::BOTH {
                let squares = position.pieces(color, KING);
                pieces[(color, KING)] = SquareSet::new(map(squares.bits()));
                assert_eq!(pieces[(color, KING)].len(), squares.len());
            }
            let image = Russian.assemble(&pieces, Color::White);
            assert_eq!(image.count_moves(), position.count_moves());
            assert_eq!(index.number(&image), number);
        }
    }
}

/// The composition of two symmetries is a symmetry, so the inverse of each is among them.
#[test]
fn symmetries_are_a_group() {
    check_group::<Draughts>(32);
    check_group::<Alapo>(36);
    check_group::<Chess>(64);
}

fn check_group<G: Indexable>(squares: u32) {
    let some = Material::default().with(KING);
    let images = |map: &dyn Fn(u64) -> u64| (0..squares).map(|square| map(1 << square)).collect();
    let identity: Vec<u64> = images(&|set| set);
    let symmetries = G::symmetries(&some, &some);
    let mut all: Vec<Vec<u64>> = symmetries.iter().map(|map| images(map)).collect();
    assert!(!all.is_empty() && !all.contains(&identity));
    all.push(identity);
    for first in symmetries {
        for second in symmetries {
            assert!(all.contains(&images(&|set| second(first(set)))));
        }
    }
}
