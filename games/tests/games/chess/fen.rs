use super::{played, position, random_setup};
use damka_games::chess::Position;
use damka_games::{
    Chess, Color, Counted, FenError, FenProblem, Game, Position as _, PositionError, Random, Setup,
    SetupError, Square,
};
use proptest::prelude::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn written_fens_are_parsed() {
    let mut random = Random::new(7);
    let setups = (0..10_000).map(|_| random_setup(&mut random));
    let (mut possible, mut impossible) = (0, 0);
    for setup in setups {
        match Chess.position(&setup) {
            Ok(p) => {
                possible += 1;
                assert_eq!(Chess.parse_fen(&p.fen()), Ok(p));
                assert_eq!(Chess.position(&p.setup()), Ok(p));
            }
            Err(_) => impossible += 1,
        }
    }
    assert!(possible > 1000 && impossible > 1000, "{possible} {impossible}");
    for p in played(8, 20) {
        assert_eq!(Chess.parse_fen(&p.fen()), Ok(p));
        assert_eq!(Chess.position(&p.setup()), Ok(p));
    }
}

#[test]
fn alternative_fens_are_parsed() {
    for text in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 12 345",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "  rnbqkbnr/pppppppp/44/8/8/11111111/PPPPPPPP/RNBQKBNR\tW  qkQK - \n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; id \"start\";",
        "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n*\n",
    ] {
        assert_eq!(Chess.parse_fen(text), Ok(Chess.start()), "{text}");
    }
    let p = position("4k3/8/8/8/8/8/8/4K2R b");
    assert_eq!(p.fen(), "4k3/8/8/8/8/8/8/4K2R b - - 0 1");
}

/// Some programs write the en passant square after every double step.
#[test]
fn an_en_passant_square_that_no_pawn_can_use_makes_no_difference() {
    for (with, without) in [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"),
    ] {
        assert_eq!(position(with), position(without));
        assert_eq!(position(with).fen(), without);
    }
    let (with, without) = ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    assert_ne!(position(with), position(without));
    assert_eq!(position(with).fen(), with);
}

#[test]
fn states_are_castling_and_en_passant() {
    let state = |fen: &str| position(fen).state();
    assert_eq!(state("4k3/8/8/8/3pP3/8/8/4K3 b - -"), 0);
    assert_eq!(Chess.start().state(), 0b1111);
    assert_eq!(state("r3k2r/8/8/8/8/8/8/R3K2R w K -"), 0b0001);
    assert_eq!(state("r3k2r/8/8/8/8/8/8/R3K2R w Qk -"), 0b0110);
    assert_eq!(state("r3k2r/8/8/8/8/8/8/R3K2R w q -"), 0b1000);
    assert_eq!(state("4k3/8/8/8/pP6/8/8/4K3 b - b3"), 0b1001_0000);
    assert_eq!(state("4k3/8/8/6Pp/8/8/8/4K3 w - h6"), 0b1111_0000);
}

#[test]
fn bad_texts_are_refused_with_a_reason_and_the_place() {
    use FenProblem::*;
    let unexpected = |text: &str| Unexpected(text.into(), "");
    let rows = |found| RowCount { found, wanted: 8 };
    let length = |row, found| RowLength { row, found, wanted: 8 };
    let table = [
        ("", NoSideToMove, 1),
        (" \n", NoSideToMove, 1),
        ("4k3/8/8/8/8/8/8/4K3", NoSideToMove, 20),
        ("4k3/8/8/8/8/8/8/4K3 ", NoSideToMove, 20),
        ("4k3/8/8/8/8/8/8/4K3 x", BadSideToMove("x".into()), 21),
        ("4k3/8/8/8/8/8/8/4K3 white", BadSideToMove("white".into()), 21),
        ("w KQkq - 0 1", unexpected("w"), 1),
        ("4k3/8/8/8/8/8/4K3 w - -", rows(7), 18),
        ("4k3/8/8/8/8/8/8/4K3/8 w - -", rows(9), 21),
        ("4k3/8/8/8/8/8/8/4K3/ w - -", rows(9), 21),
        ("4k3/7/8/8/8/8/8/4K3 w - -", length(7, 7), 5),
        ("4k3/8/8/8/8/8/8/4K4 w - -", length(1, 9), 17),
        ("4k3/8//8/8/8/8/4K3 w - -", length(6, 0), 7),
        ("4k3/9/8/8/8/8/8/4K3 w - -", unexpected("9"), 5),
        ("4k3/0/8/8/8/8/8/4K3 w - -", unexpected("0"), 5),
        ("4k3/8/8/8/3M4/8/8/4K3 w - -", unexpected("M"), 12),
        ("4k3/8/8/8/3\u{2654}4/8/8/4K3 w - -", unexpected("\u{2654}"), 12),
        ("4k3/8/8/8/8/8/8/4K3 w KK -", unexpected("KK"), 23),
        ("4k3/8/8/8/8/8/8/4K2R w I -", unexpected("I"), 24),
        ("4k3/8/8/8/8/8/8/4K2R w K- -", unexpected("K-"), 24),
        ("4k3/8/8/8/8/8/8/4K3 w - e3", unexpected("e3"), 25),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d4", unexpected("d4"), 28),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d6", unexpected("d6"), 28),
        ("4k3/8/8/8/8/8/8/4K3 w - i6", unexpected("i6"), 25),
        ("4k3/8/8/8/8/8/8/4K3 w - 0 1", unexpected("0"), 25),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", unexpected("x 1"), 27),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", unexpected("0 1 2"), 27),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", unexpected("-1 1"), 27),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd2", unexpected("bm Kd2"), 27),
    ];
    for (text, problem, at) in table {
        let mut error = Chess.parse_setup(text).expect_err(text);
        // The description of what was expected may change, so it is not compared.
        if let Unexpected(_, wanted) = &mut error.problem {
            assert!(!wanted.is_empty());
            *wanted = "";
        }
        assert_eq!(error, FenError { problem, at }, "{text}");
    }
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    use Color::*;
    use SetupError::*;
    let end_rank = |color, square: &str| PawnOnEndRank(color, square.into());
    let castling = |color, right, piece, square: &str| CastlingFromNowhere {
        color,
        right,
        piece,
        square: square.into(),
    };
    let no_pawn = |color, square: &str, pawn: &str| NothingToTakeEnPassant {
        color,
        square: square.into(),
        pawn: pawn.into(),
    };
    let blocked = |square: &str, by: &str| EnPassantBlocked(square.into(), by.into());
    let table = [
        ("8/8/8/8/8/8/8/8 w - -", Kings(White, 0)),
        ("4k3/8/8/8/8/8/8/8 w - -", Kings(White, 0)),
        ("8/8/8/8/8/8/8/4K3 w - -", Kings(Black, 0)),
        ("4k3/8/8/8/8/8/8/KK6 w - -", Kings(White, 2)),
        ("4k2k/8/8/7k/8/8/8/K7 w - -", Kings(Black, 3)),
        ("4k3/8/8/8/8/8/8/P3K3 w - -", end_rank(White, "a1")),
        ("4k2P/8/8/8/8/8/8/4K3 b - -", end_rank(White, "h8")),
        ("4k2p/8/8/8/8/8/8/4K3 w - -", end_rank(Black, "h8")),
        ("4k3/8/8/8/8/8/8/3pK3 w - -", end_rank(Black, "d1")),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - -", TooManyPawns(White, 9)),
        ("4k3/pppppppp/pp6/8/8/8/8/4K3 w - -", TooManyPawns(Black, 10)),
        (
            "4k3/8/8/8/8/Q7/PPPPPPPP/RNBQKBNR w - -",
            TooManyPieces { color: White, count: 17, max: 16 },
        ),
        ("4k3/8/8/8/8/8/8/4K2r b - -", InCheck(White)),
        ("4k3/8/8/8/8/8/8/4RK2 w - -", InCheck(Black)),
        ("8/8/8/8/8/8/4k3/4K3 w - -", InCheck(Black)),
        ("4k3/3P4/8/8/8/8/8/4K3 w - -", InCheck(Black)),
        ("4k3/8/8/8/8/8/8/4K3 w K -", castling(White, 'K', "rook", "h1")),
        ("4k3/8/8/8/8/8/3K4/7R w K -", castling(White, 'K', "king", "its first rank")),
        ("4k3/8/8/8/8/8/8/r3K3 w Q -", castling(White, 'Q', "rook", "a1")),
        ("4k2r/8/8/8/8/8/8/4K3 w kq -", castling(Black, 'q', "rook", "a8")),
        ("r6r/5k2/8/8/8/8/8/4K3 w k -", castling(Black, 'k', "king", "its first rank")),
        ("4k3/8/8/8/4p3/8/8/4K3 b - d3", no_pawn(White, "d3", "d4")),
        ("4k3/8/8/8/3rp3/8/8/4K3 b - d3", no_pawn(White, "d3", "d4")),
        ("4k3/8/8/3P4/8/8/8/4K3 w - e6", no_pawn(Black, "e6", "e5")),
        ("4k3/8/8/8/3Pp3/3N4/8/4K3 b - d3", blocked("d3", "d3")),
        ("4k3/8/8/8/3Pp3/8/3N4/4K3 b - d3", blocked("d3", "d2")),
        // Before the double step, the rook or the pawn itself already gave check.
        ("4k3/8/8/8/2pP4/8/8/4R1K1 b - d3", InCheckBefore(Black, "d3".into())),
        ("8/8/8/8/2pP4/4k3/8/6K1 b - d3", InCheckBefore(Black, "d3".into())),
    ];
    for (text, problem) in table {
        assert_eq!(Chess.parse_fen(text), Err(problem.into()), "{text}");
    }
}

#[test]
fn setup_errors_describe_the_problem() {
    for (text, message) in [
        ("8/8/8/8/8/8/8/4K3 w - -", "Black has no king: each side must have one"),
        ("4k3/8/8/8/8/8/8/KK6 w - -", "White has 2 kings: each side must have one"),
        ("4k3/8/8/8/8/8/8/4K3 w Q -", "White has the right to castle (`Q`), but no rook on a1"),
        (
            "4k3/8/8/8/4p3/8/8/4K3 b - d3",
            "no pawn can have passed d3 just now: White has none on d4",
        ),
    ] {
        let error = Chess.parse_fen(text).expect_err(text);
        assert!(matches!(error, PositionError::Setup(_)), "{text}");
        assert_eq!(error.to_string(), message);
    }
}

fn check_any_text(text: &str) {
    if let Ok(p) = Chess.parse_fen(text) {
        assert_eq!(Chess.parse_fen(&p.fen()), Ok(p), "{text}");
    }
    let start = Chess.start();
    if let Ok(mv) = start.parse_move(text) {
        assert!(start.moves().contains(&mv), "{text}");
    }
}

#[test]
fn counters_are_parsed_and_advanced() {
    let board = "4k3/8/8/8/8/8/7P/4K2R b K -";
    for (counters, clock, number) in [
        ("", 0, 1),
        ("7", 7, 1),
        ("99 80", 99, 80),
        ("0 0", 0, 0),
        ("99999999 70000", u16::MAX, u16::MAX),
        ("hmvc 3; fmvn 40;", 3, 40),
        ("bm Kd7; hmvc 3;", 3, 1),
        ("bm Kd7; id \"hmvc 3\";", 0, 1),
    ] {
        let counted = counted(&format!("{board} {counters}"));
        assert_eq!(counted.fen(), format!("{board} {clock} {number}"), "{counters}");
        assert_eq!(counted.halfmove_clock(), clock, "{counters}");
    }
    // Without counters, a position is taken for the first of a game.
    assert_eq!(Chess.parse_setup(board).map(|setup| setup.counters), Ok(None));
    assert_eq!(Counted::from(Chess.start()).fen(), START);
    // Captures and pawn moves reset the clock, and the move number grows after Black's move.
    let mut counted = counted("4k2R/8/8/8/8/7p/7P/4K3 b - - 17 40");
    for (mv, fen) in [
        ("Kd7", "7R/3k4/8/8/8/7p/7P/4K3 w - - 18 41"),
        ("Kf2", "7R/3k4/8/8/8/7p/5K1P/8 b - - 19 41"),
        ("Kc6", "7R/8/2k5/8/8/7p/5K1P/8 w - - 20 42"),
        ("Rxh3", "8/8/2k5/8/8/7R/5K1P/8 b - - 0 42"),
        ("Kc5", "8/8/8/2k5/8/7R/5K1P/8 w - - 1 43"),
        ("Rh8", "7R/8/8/2k5/8/8/5K1P/8 b - - 2 43"),
        ("Kd4", "7R/8/8/8/3k4/8/5K1P/8 w - - 3 44"),
        ("h4", "7R/8/8/8/3k3P/8/5K2/8 b - - 0 44"),
    ] {
        counted = counted.play(counted.position.parse_move(mv).expect(mv));
        assert_eq!(counted.fen(), fen, "{mv}");
    }
}

/// Compares the counters with those of another program after every move.
#[test]
fn counters_match_cozy_chess() {
    for game in 0..40 {
        let mut random = Random::numbered(9, game);
        let mut counted = Counted::from(Chess.start());
        let mut board = cozy_chess::Board::default();
        // The clock of cozy-chess ends at 100.
        while counted.halfmove_clock() < 100
            && let Some(mv) = random.pick(&counted.position.moves())
        {
            board.play(mv.to_string().parse().expect("a move"));
            counted = counted.play(mv);
            let fen = counted.fen();
            let counters = fen.splitn(5, ' ').nth(4).expect("counters");
            let cozy = format!("{} {}", board.halfmove_clock(), board.fullmove_number());
            assert_eq!(counters, cozy, "{fen}");
        }
    }
}

fn counted(fen: &str) -> Counted<Position> {
    Counted::parse(Chess, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Setups that no text describes, but that a program can make.
#[test]
fn an_en_passant_square_is_on_the_right_rank() {
    let setup = Chess.parse_setup("4k3/8/8/8/3pP3/8/8/4K3 b - e3").expect("a setup");
    assert_eq!(setup.en_passant, Some(Square::new(20)));
    for index in [4, 28, 44, 60, 63] {
        let square = Square::new(index);
        let other = Setup { en_passant: Some(square), ..setup };
        let error = SetupError::NoEnPassantSquare(Chess.square_name(square));
        assert_eq!(Chess.position(&other), Err(error));
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        check_any_text(&text);
    }

    #[test]
    fn nearly_good_text_is_read_or_refused(
        text in "[1-5]k[1-5]/[prP1-8]{0,4}/[pP1-8]{0,4}(/8){4}/[RP1-4]K[1-4] ?[wb]?( [KQkqH-]{0,3}( [-a-i3-6]{0,2})?)?"
    ) {
        check_any_text(&text);
    }

    #[test]
    fn a_damaged_position_is_read_or_refused(
        at in 0..START.len(), length in 0..4usize, by in "[QRBKNPqrbknp0-9/ wb-]{0,3}"
    ) {
        let end = START.len().min(at + length);
        check_any_text(&[&START[..at], &by, &START[end..]].concat());
    }

    #[test]
    fn nearly_good_moves_are_read_or_refused(
        text in "[KQRBNP♘O0]?[a-i0-]?[0-9O]?[-x: é]?[a-i]?[0-9]?[=(]?[QRkq)]?[+#!?]{0,2}"
    ) {
        check_any_text(&text);
    }
}
