//! Moves, un-moves and notation of the draughts family on random positions.

use damka_games::draughts::{KING, MAN, Position};
use damka_games::{
    Alapo, Brazilian, Color, Counted, Draughts, English, FenError, FenProblem, Game, Italian, Kind,
    Material, MoveError, Pool, Position as _, Russian, Setup, SetupError, Spanish, Square,
    SquareSet, Thai,
};
use proptest::prelude::*;
use std::collections::HashSet;
use std::ops::ControlFlow::{Break, Continue};

/// Positions of any variant with 2 to 12 pieces, half of them kings.
fn positions() -> impl Strategy<Value = Position> {
    let games = proptest::sample::select(Draughts::ALL);
    let pieces = proptest::collection::vec((0u8..32, any::<bool>(), any::<bool>()), 2..=12);
    (games, pieces, any::<bool>()).prop_map(|(game, pieces, white_to_move)| {
        let (mut sides, mut kings) = ([SquareSet::EMPTY; 2], SquareSet::EMPTY);
        for (square, white, king) in pieces {
            let square = SquareSet::from(Square::new(square));
            sides = sides.map(|side| side & !square);
            sides[usize::from(!white)] |= square;
            let last_row = SquareSet::new(if white { 0x0000_000F } else { 0xF000_0000 });
            kings = kings & !square | if king { square } else { square & last_row };
        }
        let turn = if white_to_move { Color::White } else { Color::Black };
        Position::new(game, sides[0], sides[1], kings, turn)
    })
}

/// A quiet move leads from `before` to `after` exactly if an un-move leads back.
fn unmoves_invert_quiet_moves(position: &Position) {
    for mv in position.moves() {
        if !position.is_capture(mv) {
            let after = position.play(mv);
            let back = after.unmoves();
            let found = back.iter().filter(|&before| before == position).count();
            assert_eq!(found, 1, "{position:?} {mv:?}");
        }
    }
    for before in position.unmoves() {
        let leads_here = before
            .moves()
            .into_iter()
            .any(|mv| !before.is_capture(mv) && before.play(mv) == *position);
        assert!(leads_here, "{before:?} does not lead to {position:?}");
    }
}

fn flipping_changes_nothing(position: &Position) {
    let flipped = position.flip();
    assert_eq!(flipped.flip(), *position);
    let white_to_move = if position.turn() == Color::White { *position } else { flipped };
    for position in [position, &flipped] {
        assert_eq!(position.with_white_to_move(), white_to_move);
    }
    let successors = |position: &Position| -> HashSet<Position> {
        let moves = position.moves().into_iter();
        moves.map(|mv| position.play(mv)).collect()
    };
    let there = successors(position).iter().map(|after| after.flip()).collect();
    assert_eq!(successors(&flipped), there, "{position:?}");
}

fn counts_agree_with_lists(position: &Position) {
    let moves = position.moves();
    assert_eq!(position.count_moves(), moves.len() as u64);
    let captures = moves.iter().filter(|&&mv| position.is_capture(mv));
    let all_capture = !moves.is_empty() && captures.count() == moves.len();
    assert_eq!(position.captures_only(), all_capture);
    let mut after = HashSet::new();
    let captures_only = position.captures(|position| {
        after.insert(position);
        Continue(())
    });
    assert_eq!(captures_only, all_capture);
    let mut calls = 0;
    let captures_only = position.captures(|_| {
        calls += 1;
        Break(())
    });
    assert_eq!((captures_only, calls), (all_capture, usize::from(all_capture)));
    let played = moves.iter().map(|&mv| position.play(mv));
    let played = played.map(|after| (!after.side(after.turn()).is_empty()).then_some(after));
    assert_eq!(after, played.filter(|_| all_capture).collect(), "{position:?}");
    for (color, pieces) in Color::BOTH.map(|color| (color, position.side(color))) {
        let kings = (pieces & position.kings()).into_iter().count() as u8;
        let men = (pieces & !position.kings()).into_iter().count() as u8;
        let material = position.material(color);
        assert_eq!(material, Material([kings, men, 0, 0, 0, 0]));
    }
    let routes: u64 = moves.iter().map(|&mv| position.routes_of(mv)).sum();
    assert_eq!(position.count_routes(), routes);
}

fn text_round_trips(position: &Position) {
    let sides = Color::BOTH.map(|color| position.side(color).len());
    if !sides.contains(&0) {
        let fen = position.fen();
        assert_eq!(position.game().parse_fen(&fen).as_ref(), Ok(position), "{fen}");
    }
    for mv in position.moves() {
        let text = position.format_move(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32000))]
    #[test]
    fn unmoves_are_the_inverse_of_quiet_moves(position in positions()) {
        unmoves_invert_quiet_moves(&position);
    }

    #[test]
    fn both_sides_have_the_same_rules(position in positions()) {
        flipping_changes_nothing(&position);
    }

    #[test]
    fn counting_and_listing_agree(position in positions()) {
        counts_agree_with_lists(&position);
    }

    #[test]
    fn positions_and_moves_survive_as_text(position in positions()) {
        text_round_trips(&position);
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,40}", fenlike in "[WBKwbk:,.x0-9a-h -]{0,40}") {
        let position = Russian.start();
        for text in [text, fenlike] {
            let _ = Russian.parse_fen(&text);
            let _ = position.parse_move(&text);
        }
    }
}

/// The legal moves of a position, sorted.
fn legal(game: Draughts, fen: &str) -> Vec<String> {
    let position = game.parse_fen(fen).expect("a legal position");
    let moves = position.moves().into_iter();
    let mut moves: Vec<String> = moves.map(|mv| position.format_move(mv)).collect();
    moves.sort();
    moves
}

#[test]
fn a_russian_man_goes_on_as_a_king() {
    // Promoted on d8, it takes g5 from afar and lands on h4.
    assert_eq!(legal(Russian, "W:Wb6:Bc7,g5"), ["b6xd8xh4"]);
    // As a man it has nothing more to take: it is promoted when the move ends.
    assert_eq!(legal(Brazilian, "W:Wb6:Bc7,g5"), ["b6xd8"]);
    assert_eq!(legal(Pool, "W:Wb6:Bc7,g5"), ["b6xd8"]);
}

#[test]
fn brazilian_captures_the_most_pieces() {
    let fen = "W:Wc3:Bb4,d4,f6";
    assert_eq!(legal(Russian, fen), ["c3xa5", "c3xe5xg7"]);
    assert_eq!(legal(Brazilian, fen), ["c3xe5xg7"]);
}

#[test]
fn a_king_lands_where_it_can_capture_on() {
    // Of the landing squares d4 to h8, only e5 allows another capture, of d6.
    assert_eq!(legal(Russian, "W:WKa1:Bc3,d6"), ["a1xe5xb8", "a1xe5xc7"]);
}

#[test]
fn english_men_capture_forward_and_stop_on_promotion() {
    assert_eq!(legal(English, "W:W9:B6,7"), ["9x2"]);
    assert_eq!(legal(English, "W:W6:B10"), ["6-1", "6-2"]);
}

#[test]
fn a_thai_king_turns_back_over_a_square_it_has_emptied() {
    assert_eq!(legal(Thai, "W:WK10:BK7,K14"), ["10x17x3", "10x3x17"]);
    // In other variants a captured piece stays on the board until the end of the move, and blocks.
    assert_eq!(legal(Russian, "W:WKd4:BKc3,Ke5"), ["d4xa1", "d4xb2", "d4xf6", "d4xg7", "d4xh8"]);
}

#[test]
fn routes_with_the_same_captures_are_one_move() {
    // A king that goes round four men: both ways are one move.
    let position = Russian.parse_fen("W:WKa1:Bb2,b6,f6,f2").expect("legal");
    let moves = position.moves();
    for (i, a) in moves.iter().enumerate() {
        assert!(!moves[i + 1..].contains(a), "{a:?} is listed twice");
    }
}

#[test]
fn moves_are_read_in_every_notation() {
    let position = Russian.parse_fen("W:Wc3:Bd4,f6").expect("legal");
    let full = position.parse_move("c3xe5xg7").expect("the full route");
    for text in ["c3xg7", "c3:g7", "22x8", "22x15x8", "C3:E5:G7", " c3-g7 ", "22:8"] {
        assert_eq!(position.parse_move(text), Ok(full), "{text}");
    }
    for text in ["c3g7", "c3e5g7", "2208", " 221508 "] {
        assert_eq!(position.parse_move(text), Ok(full), "{text}");
    }
    for text in [
        "",
        "c3",
        "c3xe5",
        "c3-b4",
        "c3xf6xg7",
        "33-34",
        "c3xxg7",
        "привет",
        "228",
        "c3g",
        "c3g7☃",
        "c3 g7",
        "22 8",
    ] {
        assert!(position.parse_move(text).is_err(), "{text}");
    }
}

/// Openings that the federation of draughts-64 draws by lot, with the positions that they lead to,
/// as lidraughts lists them: moves as Russian players write them, and FENs.
#[test]
fn the_first_rank_may_be_omitted() {
    for (moves, fen) in [
        (
            "ab4 ba5 ed4 dc5 bd6 ce5",
            "W:W18,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,11,12,13,15",
        ),
        (
            "cb4 ba5 gh4 ac3 bd4 de5",
            "W:W18,20,21,23,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,11,12,15",
        ),
        (
            "cb4 fe5 bc3 gf6 cb2 fg5",
            "W:W17,21,22,23,24,25,26,27,28,29,31,32:B1,2,3,4,5,6,7,9,10,12,15,16",
        ),
        (
            "cd4 ba5 gf4 fe5 df6 eg5",
            "W:W19,21,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,12,13,16",
        ),
        (
            "cd4 bc5 db6 ac5 bc3 de5",
            "W:W21,22,23,24,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,11,12,14,15",
        ),
        ("cd4 de5 bc3 ef4 eg5 fh4", "W:W18,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,12,20"),
        (
            "cd4 fg5 gh4 dc5 hf6 eg5",
            "W:W18,21,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,12,14,16",
        ),
        ("cd4 fe5 df6 ge5 gh4", "B:W20,21,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,12,15"),
    ] {
        let after = Russian.parse_fen(fen).expect(fen);
        let colons = |mv: &str| format!("{}:{}", &mv[..1], &mv[1..]);
        let cyrillic = |mv: &str| mv.replace('a', "а").replace('c', "с").replace('e', "е");
        for written in [str::to_owned, str::to_uppercase, colons, cyrillic] {
            let played = moves.split(' ').fold(Russian.start(), |position, mv| {
                let mv = written(mv);
                position.play(position.parse_move(&mv).unwrap_or_else(|error| panic!("{error}")))
            });
            assert_eq!(played, after, "{moves}");
        }
    }
}

#[test]
fn short_moves_name_the_file_and_later_squares() {
    let position = Russian.parse_fen("W:Wc3,Ka1:Bd4,f6").expect("legal");
    let full = position.parse_move("c3xe5xg7").expect("the full route");
    for text in ["c:e5:g7", "ce5g7", "c:g7", "cg7", "с:е5:g7", "с3хе5хg7", "c3×g7", "c3–g7"]
    {
        assert_eq!(position.parse_move(text), Ok(full), "{text}");
    }
    for text in ["c", "c:", "c-", ":g7", "cc3", "i:g7", "1g7", "cg", "b:g7", "c:e5", "ж:g7"] {
        assert!(position.parse_move(text).is_err(), "{text}");
    }
    let ambiguous = |game: Draughts, fen: &str, text: &str, fits: &str| {
        let error = game.parse_fen(fen).expect("legal").parse_move(text);
        assert_eq!(error, Err(MoveError::Ambiguous(text.to_owned(), fits.to_owned())));
    };
    ambiguous(Russian, "W:Wc3,Kc5:Bh8", "cd4", "c3-d4, c5-d4");
}

#[test]
fn an_ambiguous_short_move_is_refused_and_a_route_decides() {
    let position = English.parse_fen("W:Wd2:Bc3,e3,c5,e5").expect("legal");
    let short = position.parse_move("d2xd6");
    assert!(matches!(short, Err(MoveError::Ambiguous(..))), "{short:?}");
    let left = position.parse_move("d2xb4xd6").expect("legal");
    let right = position.parse_move("d2xf4xd6").expect("legal");
    assert_ne!(left.captured(), right.captured());
}

#[test]
fn common_variants_of_fen_are_parsed() {
    let position = Russian.parse_fen("W:WKa1,c3:Bb8,d8").expect("legal");
    for text in [
        "W:WKa1,c3:Bb8,d8.",
        "W:W22,K29:B1-2",
        "w:wKA1,C3:bB8,D8",
        "W:B1,2:WK29,22",
        " W : W Ka1 , c3 : B b8 , d8 . ",
        "W:WKa1 c3:Bb8 d8",
        "W:WKa1,c3:Bb8,d8:H0:F1",
        "W:WKa1,c3:Bb8,d8:+0+0",
        // Cyrillic letters that look like Latin ones.
        "W:WКа1,с3:Вb8,d8",
        "[FEN \"W:WKa1,c3:Bb8,d8.\"] *",
    ] {
        assert_eq!(Russian.parse_fen(text), Ok(position), "{text}");
    }
    let kings = Russian.parse_fen("B:WK1-K4:BK29-32").expect("legal");
    assert_eq!(kings.kings().len(), 8);
}

/// lidraughts writes the plies since the last capture or move of a man, and the number of the move.
#[test]
fn counters_are_kept_if_there_are_some() {
    for (fen, written) in [
        ("W:WKa1,c3:BKf8:H7:F31", "W:WKa1,c3:BKf8:H7:F31"),
        ("W:WKa1,c3:BKf8:F31", "W:WKa1,c3:BKf8:H0:F31"),
        ("W:WKa1,c3:BKf8:h7.", "W:WKa1,c3:BKf8:H7:F1"),
        ("W:WKa1,c3:BKf8", "W:WKa1,c3:BKf8"),
    ] {
        assert_eq!(Counted::parse(Russian, fen).map(|counted| counted.fen()), Ok(written.into()));
    }
    let mut counted = Counted::parse(Russian, "W:WKa1,c3:BKf8:H7:F31").expect("legal");
    for (mv, counters) in
        [("a1-b2", ":H8:F31"), ("f8-g7", ":H9:F32"), ("c3-d4", ":H0:F32"), ("g7xa1", ":H0:F33")]
    {
        counted = counted.play(counted.position.parse_move(mv).expect(mv));
        assert!(counted.fen().ends_with(counters), "{mv}: {}", counted.fen());
    }
}

#[test]
fn a_bad_fen_is_refused_with_the_reason_and_the_place() {
    use FenProblem::*;
    let squares = "squares are 1 to 32, or the dark squares a1 to h8";
    let cases: &[(&str, usize, FenProblem)] = &[
        ("", 1, NoSideToMove),
        ("WKa1:Bb8", 1, NoSideToMove),
        (":Wa1:Bb8", 1, NoSideToMove),
        ("X:Wa1:Bb8", 1, BadSideToMove("X".into())),
        // As it was typed, not in Latin letters.
        ("абв", 1, BadSideToMove("абв".into())),
        ("W:Wa2:Bb8", 4, NoSuchSquare("a2".into(), squares)),
        ("W:W33:B1", 4, NoSuchSquare("33".into(), squares)),
        ("W:W0:B1", 4, NoSuchSquare("0".into(), squares)),
        ("W:W22,9999999999:B1", 7, NoSuchSquare("9999999999".into(), squares)),
        ("W:Wc3,Kc3:B1", 7, SquareTaken("c3".into())),
        ("W:Wc3:Bc3", 8, SquareTaken("c3".into())),
        ("W:Bc3", 6, NotListed(Color::White)),
        ("W:W8-5:B1", 4, BackwardRange("8-5".into())),
        ("W:Wc3:Wd4", 7, SideTwice(Color::White)),
        ("W:Wc3:Bd4:H1:F2:H3", 17, Unexpected("H".into(), "each counter once")),
        ("W:Wc3,:Bb8", 7, Unexpected(":".into(), "a square")),
        ("W:Wc3:Bb8 hello", 11, NoSuchSquare("hello".into(), squares)),
        ("W:Wc3:Bb8 (?)", 11, Unexpected("(".into(), "`:`, `,` or the end")),
        ("[FEN \"W:Wa2:Bb8\"] *", 10, NoSuchSquare("a2".into(), squares)),
        ("W:Wc3:Bb8:Hx", 12, Unexpected("x".into(), "the number of a move counter")),
        ("W:Wc3:Bb8:H", 12, Unexpected("the end".into(), "the number of a move counter")),
    ];
    for (text, at, problem) in cases {
        let expected = FenError { problem: problem.clone(), at: *at };
        assert_eq!(Russian.parse_fen(text), Err(expected.into()), "{text}");
    }
}

#[test]
fn an_impossible_position_is_refused_with_the_reason() {
    use SetupError::*;
    let cases = [
        ("W:Wb8:Bc3", ManOnPromotionRow(Color::White, "b8".into())),
        ("W:Wc3:Ba1", ManOnPromotionRow(Color::Black, "a1".into())),
        ("W:Wc3:B", NoPieces(Color::Black)),
        ("W:Wc3", NoPieces(Color::Black)),
        ("B:W:Bc3", NoPieces(Color::White)),
        ("W:W:B", NoPieces(Color::Black)),
        ("W:W20-32:B1", TooManyPieces { color: Color::White, count: 13, max: 12 }),
    ];
    for (text, problem) in cases {
        assert_eq!(Russian.parse_fen(text), Err(problem.into()), "{text}");
    }
}

/// Setups that no text describes, but that a program can make.
#[test]
fn a_setup_may_be_of_another_board() {
    let square = |index| SquareSet::from(Square::new(index));
    let piece = |kind, squares| {
        let mut pieces = Russian.start().setup().pieces;
        pieces[(Color::White, kind)] |= squares;
        Russian.position(&Setup::new(pieces, Color::White))
    };
    assert_eq!(piece(KING, square(0)), Err(SetupError::SquareTaken("b8".into())));
    assert_eq!(piece(KING, square(32)), Err(SetupError::NoSuchSquare(Square::new(32))));
    assert_eq!(piece(Kind::new(2), square(16)), Err(SetupError::NoSuchKind(Kind::new(2))));
    assert!(matches!(piece(KING, square(16)), Err(SetupError::TooManyPieces { count: 13, .. })));
}

/// The table of rules in docs/GAMES.md agrees with the flags.
#[test]
fn rules_are_displayed_by_their_flags() {
    let page = include_str!("../../../docs/GAMES.md");
    for game in Draughts::ALL {
        let row = format!("| `{}` | {} |", game.name(), game.summary().replace("; ", " | "));
        assert!(page.contains(&row), "docs/GAMES.md lacks: {row}");
    }
}

/// The error about a square that does not exist names the board's corners, which differ on a
/// mirrored board.
#[test]
fn errors_about_squares_name_the_corners_of_the_board() {
    for &game in Draughts::ALL {
        let message = game.parse_fen("W:Wa0:B").expect_err("no square").to_string();
        let dark = game.board()[0][0].is_some();
        assert_eq!(message.contains("a8 to h1"), dark, "{}: {message}", game.name());
        assert_eq!(message.contains("a1 to h8"), !dark, "{}: {message}", game.name());
    }
}

/// Makhos is played with eight men a side: two rows. Black begins, as in its PDN type.
#[test]
fn thai_draughts_starts_with_eight_men() {
    assert_eq!(Thai.start().fen(), "B:W1,2,3,4,5,6,7,8:B25,26,27,28,29,30,31,32");
    assert!(
        Draughts::ALL
            .iter()
            .all(|&game| game == Thai || game.start().side(Color::White).len() == 12)
    );
}

/// Every square is drawn once, in the place that its name gives. Numbers follow the rows.
#[test]
fn diagrams_match_the_names_of_squares() {
    let squares = |board: Vec<Vec<Option<Square>>>| board.into_iter().flatten().flatten();
    // The corner of square 1 is the one that PDN names for the type of the game.
    for (game, is_top_left) in [(English, true), (Italian, true), (Spanish, false), (Thai, false)] {
        let mut names: Vec<String> =
            squares(game.board()).map(|square| game.square_name(square)).collect();
        if !is_top_left {
            names.reverse();
        }
        assert_eq!(names, (1..=32).map(|number| number.to_string()).collect::<Vec<_>>());
        let top_left_is_dark = game.board()[0][0].is_some();
        assert_eq!(top_left_is_dark, matches!(game, Italian | Spanish), "{game:?}");
    }
    let named = |board: Vec<Vec<Option<Square>>>, name: fn(Square) -> String| {
        let (rows, mut seen) = (board.len(), 0);
        for (rank, row) in (1..=rows).rev().zip(board) {
            for (file, square) in ('a'..).zip(row) {
                let Some(square) = square else { continue };
                assert_eq!(name(square), format!("{file}{rank}"));
                seen += 1;
            }
        }
        seen
    };
    assert_eq!(named(Russian.board(), |square| Russian.square_name(square)), 32);
    assert_eq!(named(Alapo.board(), |square| Alapo.square_name(square)), 36);
    let p = Russian.parse_fen("W:WKa1,c3:BKh8,b8").expect("a position");
    assert_eq!(p.piece_at(Square::new(28)), Some((Color::White, KING)));
    assert_eq!(p.piece_at(Square::new(3)), Some((Color::Black, KING)));
    assert_eq!(p.piece_at(Square::new(0)), Some((Color::Black, MAN)));
    assert_eq!(p.piece_at(Square::new(1)), None);
}
