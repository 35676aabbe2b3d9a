//! What PGN has beyond PDN: SAN, castling that looks like a result, clocks.

use super::{game, games, outline};
use damka_games::{Chess, Game, Position};
use damka_records::{GameResult, Ply, Record, decode, read};

/// The example game in the standard of PGN.
const EXAMPLE: &str = r#"[Event "F/S Return Match"]
[Site "Belgrade, Serbia JUG"]
[Date "1992.11.04"]
[Round "29"]
[White "Fischer, Robert J."]
[Black "Spassky, Boris V."]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3
O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15.
Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 21.
Nc4 Nxc4 22. Bxc4 Nb6 23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7
27. Qe3 Qg5 28. Qxg5 hxg5 29. b3 Ke6 30. a3 Kd6 31. axb4 cxb4 32. Ra5 Nd5 33.
f3 Bc8 34. Kf2 Bf5 35. Ra7 g6 36. Ra6+ Kc5 37. Ke1 Nf4 38. g3 Nxh3 39. Kd2 Kb5
40. Rd6 Kc5 41. Ra6 Nf2 42. g4 Bd3 43. Re6 1/2-1/2
"#;

/// Games of other rules may have moves that are legal in chess, too.
#[test]
fn games_of_variants_are_refused() {
    for (variant, is_chess) in [
        ("Standard", true),
        ("standard", true),
        ("From Position", true),
        ("", true),
        ("Antichess", false),
        ("Chess960", true),
        ("atomic", false),
    ] {
        let text = format!("[White \"A\"]\n[Variant \"{variant}\"]\n\n1. Nf3 Nf6 1-0\n");
        let read: Vec<_> = read(Chess, &text).collect();
        assert_eq!(read.len(), 1);
        match &read[0] {
            Ok(_) => assert!(is_chess, "{variant}"),
            Err(error) => {
                let expected =
                    format!("line 2, column 1: the tag Variant is `{variant}`, which is not chess");
                assert!(!is_chess && error.to_string() == expected, "{error}");
            }
        }
    }
}

/// The tag `Variant` follows from a start position of Chess960, and is written before it.
#[test]
fn games_of_chess960_are_read_and_written() {
    let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
        [Black \"?\"]\n[Result \"*\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"4k3/8/8/8/8/8/8/1RK3R1 w KQ - 0 1\"]\n\n1. O-O Kd7 2. Kh1 *\n";
    let record = game(Chess, text);
    assert_eq!(record.tags.get("Variant"), None);
    assert_eq!(words(&record.to_string()), words(text));
    // The tag is kept if the start position is that of standard chess.
    let record = game(Chess, "[Variant \"Chess960\"]\n\n1. Nf3 *\n");
    assert_eq!(record.tags.get("Variant"), Some("Chess960"));
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn the_example_of_the_standard_is_written_as_it_was_read() {
    let record = game(Chess, EXAMPLE);
    assert_eq!((record.line.plies.len(), record.result), (85, GameResult::Draw));
    assert_eq!(words(&record.to_string()), words(EXAMPLE));
}

#[test]
fn all_parts_of_a_game_round_trip() {
    let text = r#"[Event "a \"club\" \\ b"]
[Result "1-0"]
[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 3 20"]
[Clock "W/0:05:00"]

{before [%clk 0:05:00]} 20. O-O-O $14 {[%clk 0:04:58] long} (20. O-O+?! {short} Kd7 ; to the end
(20... Ke7 $1) 21. a4 1-0) 20... O-O!? 21. Rhg1+ $2 $138 Kh7 1-0 {mate soon}"#;
    let record = game(Chess, text);
    assert_eq!(
        outline(&record),
        "{before [%clk 0:05:00]} O-O-O $14 {[%clk 0:04:58] long} (O-O $6 {short} Kd7 {to the end} \
         (Ke7 $1) a4 {1-0}) O-O $5 Rhg1+ $2 $138 Kh7 {mate soon}"
    );
    assert_eq!(record.tags.get("Event"), Some("a \"club\" \\ b"));
    assert_eq!(record.tags.get("Clock"), Some("W/0:05:00"));
    assert_eq!(record.start.fen(), "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 3 20");
    let written = record.to_string();
    assert_eq!(game(Chess, &written), record, "{written}");
    assert!(written.contains("[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 3 20\"]"));
    assert!(written.contains(" 20. O-O-O $14"), "{written}");
}

#[test]
fn games_are_read_with_russian_letters() {
    let text =
        "1. e4 e5 2. Кf3 Кc6 3. Сb5 Кf6 4. 0–0 К:e4 5. Лe1 Кd6 6. К:e5 Сe7 7. Сf1 О-О 8. Фh5 Крh8";
    let expected = "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 Re1 Nd6 Nxe5 Be7 Bf1 O-O Qh5 Kh8";
    assert_eq!(outline(&game(Chess, text)), expected);
    let text = text.replace('e', "е").replace('c', "с");
    assert_eq!(outline(&game(Chess, &text)), expected);
}

/// `0-0` is also the result in PDN if both players lost.
#[test]
fn castling_may_have_zeros() {
    let castled = "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O";
    for text in [
        "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *",
        "[Result \"1-0\"]\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0–0 0–0 1-0",
        "e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 0-0",
    ] {
        assert_eq!(outline(&game(Chess, text)), castled, "{text}");
    }
    let varied = game(Chess, "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3 (4. 0-0) 0-0 5. 0-0 d6 0-1");
    assert_eq!(outline(&varied), "e4 e5 Nf3 Nf6 Bc4 Bc5 d3 (O-O) O-O O-O d6");
    // The rest of a malformed game is skipped, up to its end.
    let text = "1. e4 e4 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 5. d3 1-0\n\n1. d4 *";
    let found: Vec<_> = read(Chess, text).collect();
    assert!(found[0].is_err() && found[1].is_ok() && found.len() == 2, "{found:?}");
    // Both have lost, and White could still castle.
    let mut record = game(Chess, "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5");
    record.result = GameResult::BothLose;
    assert_eq!(game(Chess, &record.to_string()), record);
}

/// Files as they occur: joined from several sources, from all systems, by people and programs.
#[test]
fn real_files_are_read() {
    let bytes = [
        b"\xEF\xBB\xBF[White \"Sch\xF6n, J\xF6rg\"]\r\n[Black \"N.N.\"]\r\n[Result \"1-0\"]\r\n"
            .as_slice(),
        b"1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6?? 4.Qxf7# 1-0\r\n[White \"B\"]\r\n[Result \"*\"]\r\n\r\n",
        b"% not for readers: Kh9\r\n1. e4 d5 2. e5 f5 3. exf6 e.p. exf6 ( 3... Nxf6 )\r\n\r\n*\r\n",
        b"[White \"C\"]\n[Result \"?\"]\n1 d2-d4 Ng8-f6 2 c2c4 e7e6 3 Nc3 Bb4\n1/2\n",
        "[White \"D\"]\n\n1.♘f3 ♞f6 2.g3 g6 3.♗g2 ♝g7 4.O-O ½-½\x1a".as_bytes(),
    ]
    .concat();
    let found = games(Chess, &decode(&bytes));
    let outlines: Vec<String> = found.iter().map(outline).collect();
    assert_eq!(
        outlines,
        [
            "e4 e5 Qh5 Nc6 Bc4 Nf6 $4 Qxf7#",
            "e4 d5 e5 f5 exf6 exf6 (Nxf6)",
            "d4 Nf6 c4 e6 Nc3 Bb4",
            "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O",
        ]
    );
    assert_eq!(found[0].tags.get("White"), Some("Schön, Jörg"));
    let results: Vec<_> = found.iter().map(|game| game.result).collect();
    use GameResult::{Draw, Unknown, WhiteWins};
    assert_eq!(results, [WhiteWins, Unknown, Draw, Draw]);
}

#[test]
fn errors_have_the_place_of_the_problem() {
    for (text, place, message) in [
        ("1. e4 e5\n2. Ke3 *", (2, 4), "`Ke3` is not legal here; legal moves: "),
        ("1. Nf3 d5 2. Nc3 d4 3. Nb1 d3 4. Ng3 *", (1, 34), "`Ng3` is not legal here"),
        ("1. Nf3 Nf6 2. d3 g6 3. Nd2 *", (1, 24), "`Nd2` is ambiguous: it may be Nbd2, Nfd2"),
        ("1. e4 -- 2. d4 *", (1, 7), "`--` is not a move: expected a move as in Nf3"),
        ("[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n*", (1, 1), "the tag FEN: Black has no king"),
        ("[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-1", (3, 21), "its tag Result says `1-0`"),
    ] {
        let error = read(Chess, text).next().expect(text).expect_err(text);
        assert_eq!((error.line, error.column), place, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// No line begins with a word of a comment that could be taken for a tag.
#[test]
fn lines_do_not_begin_with_clocks() {
    let mut record = Record::<Chess>::new(Chess.start());
    let mv = record.start.position.parse_move("e4").expect("a move");
    record.line.plies.push(Ply::new(mv));
    record.line.plies[0].comments =
        (1..30).map(|n| format!("{} [%clk 0:00:{n}]", "x".repeat(n))).collect();
    let written = record.to_string();
    assert!(!written.split_once("\n\n").expect("moves").1.contains("\n["), "{written}");
    assert_eq!(game(Chess, &written), record);
}
