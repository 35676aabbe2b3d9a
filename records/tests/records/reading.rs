use super::{game, games, outline};
use damka_games::{Alapo, Color, English, Game, Pool, Position, Russian, Thai};
use damka_records::{GameResult, Record, decode};

#[test]
fn a_game_has_tags_moves_and_a_result() {
    let text = r#"[White "Ivanov, I."]
[Black "Petrov, P."]
[Event "Championship"]
[Round "?"]
[Date "1950."]
[Result "1/2-1/2"]
[Annotator "me"]

1. c3-d4 f6-g5 2. b2-c3 g7-f6 3. c3-b4 b6-a5
4. b4-c5 d6:b4 5. a3:c5 1/2-1/2
"#;
    let record = game(Russian, text);
    let tags: Vec<_> = record.tags.iter().collect();
    let expected = [
        ("Event", "Championship"),
        ("Date", "1950."),
        ("White", "Ivanov, I."),
        ("Black", "Petrov, P."),
        ("Annotator", "me"),
    ];
    assert_eq!(tags, expected);
    assert_eq!(record.tags.get("Round"), None);
    assert_eq!(record.start, Russian.start().into());
    assert_eq!(outline(&record), "c3-d4 f6-g5 b2-c3 g7-f6 c3-b4 b6-a5 b4-c5 d6xb4 a3xc5");
    assert_eq!(record.result, GameResult::Draw);
}

#[test]
fn moves_have_comments_annotations_and_variations() {
    let text =
        "{ the start } 1. c3-d4! {good\n   move} $10 $255 b6-a5!!! (1... f6-g5 {or} (1... d6-c5*
        2. b2-c3 ?!) 2. b2-c3 ; a rest of { line )
        $3) {again} (1... b6-c5 1-0) 2. d4-c5(??) {[%clk 0:05:00] x} () d6xb4 *!  *";
    let expected = "{the start} c3-d4 $1 $10 $255 {good move} \
        b6-a5 $3 {again} (f6-g5 {or} (d6-c5 $7 b2-c3 $6) b2-c3 $3 {a rest of { line )}) \
        (b6-c5 {1-0}) d4-c5 $4 {[%clk 0:05:00] x} () d6xb4 $7 $1";
    assert_eq!(outline(&game(Russian, text)), expected);
}

#[test]
fn results_of_every_style_are_read() {
    use GameResult::*;
    for (text, expected) in [
        ("1-0", WhiteWins),
        ("2-0", WhiteWins),
        ("1–0", WhiteWins),
        ("0-1", BlackWins),
        ("0-2", BlackWins),
        ("1/2-1/2", Draw),
        ("1-1", Draw),
        ("½-½", Draw),
        ("0-0", BothLose),
        ("*", Unknown),
        ("", Unknown),
    ] {
        let after = game(English, &format!("1. 11-15 {text}"));
        let tag = game(English, &format!("[Result \"{text}\"]\n1. 11-15"));
        let star = game(English, &format!("[Result \"{text}\"]\n1. 11-15 *"));
        assert_eq!([after.result, tag.result, star.result], [expected; 3], "{text}");
    }
    assert_eq!(game(English, "[Result \"2-0\"]\n1. 11-15 1-0").result, WhiteWins);
    assert_eq!(game(English, "[Result \"?\"]\n1. 11-15 0-1").result, BlackWins);
}

#[test]
fn moves_are_read_in_every_notation() {
    let expected = "c3-d4 f6-g5 b2-c3 g7-f6 c3-b4 b6-a5 b4-c5 d6xb4 a3xc5";
    for text in [
        "1. c3-d4 f6-g5 2. b2-c3 g7-f6 3. c3-b4 b6-a5 4. b4-c5 d6:b4 5. a3:c5",
        "1.c3-d4 f6-g5 2.b2-c3 g7-f6 3.c3-b4 b6-a5 4.b4-c5 d6xb4 5.a3xc5",
        "c3-d4 f6-g5 b2-c3 g7-f6 c3-b4 b6-a5 b4-c5 d6*b4 a3*c5",
        "1 C3-D4 F6-G5 2 B2-C3 G7-F6 3 C3-B4 B6-A5 4 B4-C5 D6XB4 5 A3XC5",
        "1. c3–d4 1... f6—g5 2. b2−c3 2... g7‑f6 3. c3-b4 b6-a5 4. b4-c5 d6×b4 5. a3×c5",
        "1. c3d4 f6g5 2. b2c3 g7f6 3. c3b4 b6a5 4. b4c5 d6b4 5. a3c5",
        "1. ... 22-18 11-16 2. 25-22 8-11 3. 22-17 9-13 4. 17-14 10x17 5. 21x14",
        "1… 2218 1116 2522 0811 22-17 09-13 17-14 10:17 21:14",
    ] {
        assert_eq!(outline(&game(Russian, text)), expected, "{text}");
    }
}

#[test]
fn ambiguous_captures_are_written_with_their_route() {
    for route in ["26x17x10", "26x19x10"] {
        let record = game(English, &format!("[FEN \"W:W26:B22,23,14,15\"]\n{route}"));
        assert_eq!(outline(&record), route);
        assert_eq!(game(English, &record.to_string()), record);
    }
}

/// A whole game in the short notation of Russian players, and the same on a Russian keyboard.
#[test]
fn games_are_read_in_russian_notation() {
    let expected = "c3-d4 b6-a5 g3-f4 f6-e5 d4xf6 e7xg5";
    for text in [
        "1.cd4 ba5 2.gf4 fe5 3.df6 eg5 *",
        "1. cd4 ba5 2. gf4 fe5 3. d:f6 e:g5 *",
        "1. сd4 bа5 2. gf4 fе5 3. d:f6 е:g5 *",
        "1. c3–d4 b6–a5 2. g3–f4 f6–e5 3. d4×f6 e7×g5 *",
    ] {
        assert_eq!(outline(&game(Russian, text)), expected, "{text}");
    }
    // Games are still written in full notation.
    let written = game(Russian, "1.cd4 ba5 2.gf4 fe5 3.df6 eg5 *").to_string();
    assert!(written.ends_with("\n1. c3-d4 b6-a5 2. g3-f4 f6-e5 3. d4xf6 e7xg5 *\n"), "{written}");
}

/// The counters that lidraughts writes stay in the tag, and give the number of the first move.
#[test]
fn counters_of_a_fen_are_kept() {
    let text = "[FEN \"W:WKa1,c3:BKf8:H7:F31\"]\n\n31. c3-b4 f8xa3 0-1\n";
    let record = game(Russian, text);
    let written = record.to_string();
    assert!(
        written.contains("[FEN \"W:WKa1,c3:BKf8:H7:F31\"]\n\n31. c3-b4 f8xa3 0-1\n"),
        "{written}"
    );
    assert_eq!(game(Russian, &written), record);
}

#[test]
fn black_moves_first_in_english_draughts() {
    let text = "1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 1-0";
    let record = game(English, text);
    let expected = "11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x18x11 7x16 20x11";
    assert_eq!(outline(&record), expected);
    assert_eq!(record.start.position.turn(), Color::Black);
}

#[test]
fn a_game_starts_from_its_fen() {
    let position = English.parse_fen("B:W21,K5:BK17,K14").unwrap();
    for fen in ["B:W21,K5:BK17,K14", "B:W21,K5:BK17,K14.", " B:BKb4,Kc5:WKa7,a3 "] {
        for setup in ["", "[SetUp \"1\"]\n", "[Setup \"1\"]\n"] {
            let record = game(English, &format!("{setup}[FEN \"{fen}\"]\n\n1. 14-18 1-0\n"));
            assert_eq!(record.start, position.into(), "{fen}");
            assert_eq!(record.tags.iter().count(), 0, "{fen}");
        }
    }
    let ranges = game(Russian, "[FEN \"W:W21-32:B1-12\"] 1. c3-d4 *");
    assert_eq!(ranges.start.position, Russian.start());
    assert_eq!(game(Russian, "[FEN \"\"] 1. c3-d4 *").start.position, Russian.start());
}

#[test]
fn the_game_type_says_who_moves_first() {
    let unified = game(Pool, "[GameType \"23,W,8,8,A0,0\"]\n1. c3-d4 *");
    assert_eq!(unified.start.position, Pool.start());
    let american = game(Pool, "[GameType \"23,B,8,8,N1,0\"]\n1. 11-15 23-19 *");
    assert_eq!(american.start.fen(), Pool.start().fen().replacen('W', "B", 1));
    // The number alone stands for American pool checkers.
    assert_eq!(game(Pool, "[GameType \"23\"]\n1. 11-15 23-19 *").start, american.start);
    let thai = game(Thai, "[GameType \"31,B,8,8,N2,0\"]\n1. 25-21 *");
    assert_eq!(thai.start.position, Thai.start());
    assert_eq!(thai.start.position.turn(), Color::Black);
    // This value contains no information.
    assert_eq!(game(Pool, "[GameType \"?\"]\n1. c3-d4 *").start.position, Pool.start());
    assert_eq!(game(Pool, "[GameType \"Pool\"]\n1. c3-d4 *").start.position, Pool.start());
    assert_eq!(game(Alapo, "[GameType \"\"]\n1. a2-a3 *").start.position, Alapo.start());
}

#[test]
fn what_programs_add_to_a_file_is_skipped() {
    let text = "% written by a program\n[White \"A\"]\n\n1. c3-d4 b6-a5\n%2. zz\n2. d4-c5 1-0\n";
    let expected = game(Russian, text);
    assert_eq!(outline(&expected), "c3-d4 b6-a5 d4-c5");
    let mac = text.replace('\n', "\r");
    for text in [format!("\u{FEFF}{text}"), text.replace('\n', "\r\n"), mac, format!("{text}\x1A")]
    {
        assert_eq!(game(Russian, &text), expected, "{text:?}");
    }
    let twice = games(Russian, &format!("{text}\x1A\u{FEFF}{text}"));
    assert_eq!(twice, [expected.clone(), expected]);
}

#[test]
fn a_game_ends_with_its_result_or_where_tags_begin() {
    let outlines = |text| games(Russian, text).iter().map(outline).collect::<Vec<_>>();
    assert_eq!(outlines("1. c3-d4 1-0 1. c3-b4 * * 1. g3-h4"), ["c3-d4", "c3-b4", "g3-h4"]);
    assert_eq!(outlines("[White \"A\"]\nc3-d4\n[White \"B\"]\nc3-b4"), ["c3-d4", "c3-b4"]);
    assert_eq!(outlines("[White \"A\"]\n1. 2-0\n\n[White \"B\"]\nc3-b4"), ["", "c3-b4"]);
    // Tags alone are a game, comments and results are none.
    assert_eq!(outlines("[White \"A\"]\n\n[White \"B\"]\n[Black \"C\"]"), ["", ""]);
    assert_eq!(outlines("{hello} 1-0 *\n; the end\n"), [""; 0]);
    assert_eq!(outlines(""), [""; 0]);
}

#[test]
fn comments_belong_to_the_game_beside_them() {
    let text =
        "{file}\n[White \"A\"]\n{one}\n\nc3-d4 1-0 {White won} ; on time\n{next}\n[White \"B\"]\n";
    let outlines: Vec<_> = games(Russian, text).iter().map(outline).collect();
    assert_eq!(outlines, ["{file} {one} c3-d4 {White won} {on time}", "{next}"]);
}

#[test]
fn tags_are_read_as_programs_write_them() {
    let text = r#"[Event "The \"Big\" one"] [Site "a \\ b"]
[ White  "Ann "the" Great"  ]
[Source "C:\games"]
[Event "twice"]
"#;
    let record = game(Russian, text);
    let tags: Vec<_> = record.tags.iter().collect();
    let expected = [
        ("Event", "twice"),
        ("Site", r"a \ b"),
        ("White", r#"Ann "the" Great"#),
        ("Source", r"C:\games"),
    ];
    assert_eq!(tags, expected);
}

#[test]
fn alapo_games_are_read() {
    let record: Record<Alapo> = game(Alapo, "[White \"bot\"]\n\n1. a2-a3 {!} a5-a4 2. a3xa4 1-0");
    assert_eq!(outline(&record), "a2-a3 {!} a5-a4 a3-a4");
    let set_up: Record<Alapo> = game(Alapo, "[FEN \"6/6/6/6/k5/KW4 b\"]\n1... a2-b1 *");
    assert_eq!(outline(&set_up), "a2-b1");
}

#[test]
fn a_file_that_is_not_utf_8_is_read() {
    let record = game(Russian, &decode(b"[White \"Fran\xE7ois\"]\n1. c3\x96d4 {d\xE9but} *"));
    assert_eq!(record.tags.get("White"), Some("François"));
    assert_eq!(outline(&record), "c3-d4 {début}");
}
