//! Bitboards are converted to the same position as their setup, or rejected if the setup is
//! impossible.

use damka_games::{
    Alapo, Bitboards, Chess, Color, Draughts, Game, Kind, MAX_KINDS, Pieces, Random, Setup, Square,
    SquareSet,
};

#[test]
fn bitboards_are_converted_like_setups() {
    for &game in Draughts::ALL {
        check(game);
    }
    check(Chess);
    check(Alapo);
}

fn check<G: Game>(game: G) {
    let mut random = Random::new(32);
    let mut converted = 0;
    for number in 0..40_000 {
        let mut bitboards = random_bitboards::<G>(&mut random);
        // Half of them get a square too many or too few in one or two of their bitboards.
        for _ in 0..[0, 0, 1, 2][number % 4] {
            let square = SquareSet::from(Square::new(random.below(64) as u8));
            match random.below(8) as usize {
                color @ 0..2 => bitboards.sides[color] ^= square,
                kind => bitboards.kinds[kind - 2] ^= square,
            }
        }
        let found = game.position_of(&bitboards);
        let setup = setup(&bitboards).filter(|setup| game.check(setup).is_ok());
        let expected = setup.map(|setup| game.assemble_setup(&setup));
        assert_eq!(found, expected, "{} {bitboards:?}", game.name());
        converted += usize::from(found.is_some());
    }
    assert!((4_000..36_000).contains(&converted), "{}: {converted} are positions", game.name());
}

/// Pieces on random squares, with the kings that the game needs: a few, or too many.
fn random_bitboards<G: Game>(random: &mut Random) -> Bitboards {
    let turn = Color::BOTH[random.below(2) as usize];
    let mut bitboards = Bitboards { sides: Default::default(), kinds: Default::default(), turn };
    let mut put = |random: &mut Random, color: Color, kind: Kind| {
        let square = SquareSet::from(Square::new(random.below(G::SQUARES.into()) as u8));
        let is_free = (square & (bitboards.sides[0] | bitboards.sides[1])).is_empty();
        if is_free {
            bitboards.sides[color as usize] |= square;
            bitboards.kinds[kind.index()] |= square;
        }
    };
    for (color, king) in Color::BOTH.into_iter().filter_map(|color| Some((color, G::ROYAL?))) {
        put(random, color, king);
    }
    let most = if random.below(8) == 0 { 40 } else { 6 };
    for _ in 0..1 + random.below(most) {
        let kind = Kind::new(random.below(G::KINDS.len() as u64) as usize);
        let color = Color::BOTH[random.below(2) as usize];
        put(random, color, kind);
    }
    bitboards
}

/// The setup of bitboards; `None` if a piece has no side or no kind, or has two.
fn setup(bitboards: &Bitboards) -> Option<Setup> {
    let Bitboards { sides, kinds, turn } = bitboards;
    let (mut pieces, mut of_kinds) = (Pieces::default(), SquareSet::EMPTY);
    for (kind, &squares) in (0..MAX_KINDS).map(Kind::new).zip(kinds) {
        if !(of_kinds & squares).is_empty() {
            return None;
        }
        of_kinds |= squares;
        for color in Color::BOTH {
            pieces[(color, kind)] = sides[color as usize] & squares;
        }
    }
    let is_consistent = (sides[0] & sides[1]).is_empty() && of_kinds == sides[0] | sides[1];
    is_consistent.then(|| Setup::new(pieces, *turn))
}
