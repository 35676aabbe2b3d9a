//! The openings of a match.

use damka_engine::book::Book;
use damka_engine::{Control, Engine, Limits, Playable, solve};
use damka_games::{Alapo, Chess, Color, Draughts, English, Game, Position, Russian};
use damka_matches::{OpeningError, Openings};

fn pieces<G: Game>(position: &G::Position) -> u32 {
    Color::BOTH.into_iter().map(|color| position.side(color).len()).sum()
}

/// Random openings have the right length, are playable, and are determined by the seed.
fn check_random<G: Playable>(game: G) {
    let fens = |seed| {
        let openings = Openings::random(game, 6, seed);
        let fens = (0..8).map(|number| {
            let opening = openings.get(number);
            assert_eq!(opening.moves().len(), 6);
            assert_eq!(opening.end(), None);
            opening.position().fen()
        });
        fens.collect::<Vec<_>>()
    };
    assert_eq!(fens(1), fens(1));
    assert_ne!(fens(1), fens(2));
    let mut different = fens(1);
    different.sort();
    different.dedup();
    assert!(different.len() >= 7, "{different:?}");
}

#[test]
fn random_openings_are_reproducible() {
    check_random(Russian);
    check_random(English);
    check_random(Alapo);
}

#[test]
fn endings_have_the_given_number_of_pieces() {
    fn check<G: Playable>(game: G) {
        let openings = Openings::endings(game, 5..=7, 3);
        let mut counts = Vec::new();
        for number in 0..20 {
            let opening = openings.get(number);
            let position = *opening.position();
            // Reading a written position checks that it is legal.
            assert_eq!(game.parse_fen(&position.fen()), Ok(position));
            assert!(opening.moves().is_empty() && opening.end().is_none());
            assert!(matches!(solve::<G>(&position, 3), damka_engine::Outcome::Unknown));
            counts.push(pieces::<G>(&position));
            assert_eq!(openings.get(number).position(), &position);
        }
        counts.sort();
        counts.dedup();
        assert_eq!(counts, [5, 6, 7], "{}", game.name());
    }
    check(Russian);
    check(Alapo);
}

/// A wide margin accepts openings in which one side is ahead, a narrow one does not.
#[test]
fn the_margin_bounds_the_imbalance() {
    let imbalances = |openings: Openings<Draughts>| -> Vec<i32> {
        let imbalance = |number| {
            let mut engine = Engine::new(openings.get(number).position().game(), 1 << 18);
            let limits = Limits { depth: Some(7), ..Limits::default() };
            let found = engine.search(&openings.get(number), &limits, &Control::default(), |_| ());
            found.score.hundredths().abs()
        };
        (0..8).map(imbalance).collect()
    };
    let [narrow, wide] = [40, 300].map(|margin| {
        imbalances(Openings::random(Russian, 12, 1).within(margin))
            .into_iter()
            .filter(|&it| it > 60)
    });
    assert_eq!(narrow.count(), 0);
    assert!(wide.count() >= 3);
}

#[test]
fn listed_openings_are_different() {
    // The second is the first with colours exchanged, the third with its kings reflected.
    let text = "W:WKa1:BKb8,Kd8\nB:WKg1,Ke1:BKh8\nW:WKa1:BKh2,Kh4\nW:WKa1:BKb8,Kf8\n";
    let openings = Openings::from_fens(Russian, text).expect("openings");
    assert_eq!((openings.count(), openings.duplicates()), (Some(2), 2));
    let fens = [0, 1, 2].map(|number| openings.get(number).position().fen());
    assert!(fens[0] != fens[1] && fens[0] == fens[2], "{fens:?}");
}

/// The halfmove clock of the FEN must not be ignored.
#[test]
fn the_halfmove_clock_of_an_opening_counts() {
    let fens = ["98 90", "0 1"].map(|clocks| format!("8/8/4k3/8/8/4K3/4R3/8 w - - {clocks}"));
    let plies = fens.map(|fen| {
        let mut game = Openings::from_fens(Chess, &fen).expect("an opening").get(0);
        for name in ["Ra2", "Kd6", "Rb2", "Kc6"] {
            if game.end().is_none() {
                game.play(game.position().parse_move(name).expect("a move"));
            }
        }
        game.moves().len()
    });
    assert_eq!(plies, [2, 4]);
}

/// Impossible numbers of pieces still give playable games.
#[test]
fn impossible_numbers_of_pieces_do_not_hang() {
    let openings = Openings::endings(Russian, 40..=50, 1);
    assert_eq!(openings.get(0).position(), &Russian.start());
    let openings = Openings::random(Russian, 100_000, 1);
    assert_eq!(openings.get(0).position(), &Russian.start());
}

#[test]
fn lines_of_positions_are_read() {
    let text = "# endings\n\nW:WKa1,c3:Bb8,d8\n  B:Wc1:Bd8,f8\n";
    let openings = Openings::from_fens(Russian, text).expect("openings");
    assert_eq!(openings.count(), Some(2));
    assert_eq!(openings.get(1).position().turn(), Color::Black);
    assert_eq!(openings.get(0).position(), openings.get(2).position());

    let error = Openings::from_fens(Russian, "W:WKa1:Bb8\n\nW:Wz9:Bb8").expect_err("z9");
    assert!(error.to_string().starts_with("line 3: "), "{error}");
    let error = Openings::from_fens(Russian, "# nothing").expect_err("nothing");
    assert_eq!(error, OpeningError::None);
    let error = Openings::from_fens(Russian, "W:Wa5:Bb6,c7").expect_err("it is over");
    assert_eq!(error, OpeningError::Over(1));
}

#[test]
fn games_are_read_up_to_a_number_of_plies() {
    let text = "1. c3-d4 d6-c5 2. b2-c3 *\n\n[FEN \"W:Wc3:Bf6\"]\n\n1. c3-d4 *\n";
    let whole = Openings::from_games(Russian, text, None).expect("openings");
    let lengths = |openings: &Openings<Draughts>| [0, 1].map(|i| openings.get(i).moves().len());
    assert_eq!(lengths(&whole), [3, 1]);
    let short = Openings::from_games(Russian, text, Some(2)).expect("openings");
    assert_eq!(lengths(&short), [2, 1]);
    let error = Openings::from_games(Russian, "1. c3-d5 *", None).expect_err("no such move");
    assert!(matches!(error, OpeningError::Game(_)), "{error}");
}

#[test]
fn openings_come_from_a_book() {
    let book = Book::built_in(Russian).expect("a book");
    let openings = Openings::book(book, 6, 1);
    let mut different = Vec::new();
    for number in 0..20 {
        let game = openings.get(number);
        assert!((1..=6).contains(&game.moves().len()));
        assert_eq!(game.moves(), openings.get(number).moves());
        different.push(game.position().fen());
    }
    different.sort();
    different.dedup();
    assert!(different.len() > 5, "{different:?}");
}
