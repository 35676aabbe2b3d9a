use super::outline;
use damka_games::{Alapo, English, Game, Russian};
use damka_records::{DEEPEST_VARIATION, MOST_TAGS, RecordError, RecordProblem, read};

/// The contents of a text: the errors, and the outlines of the good games.
fn sorted<G: Game>(game: G, text: &str) -> (Vec<RecordError>, Vec<String>) {
    let mut errors = Vec::new();
    let mut good = Vec::new();
    for game in read(game, text) {
        match game {
            Ok(record) => good.push(outline(&record)),
            Err(error) => errors.push(error),
        }
    }
    (errors, good)
}

#[test]
fn a_broken_game_is_reported_and_the_others_are_kept() {
    let first = "[White \"A\"]\n[Black \"B\"]\n\n1. c3-d4 b6-a5 1-0\n\n";
    let last = "\n\n[White \"Y\"]\n[Black \"Z\"]\n\n1. g3-h4 b6-c5 0-1\n";
    for (broken, place, words) in [
        ("1. c3-d4\nb6-b5 2. d4-c5 *", (7, 1), "`b6-b5` is not a move: expected squares joined"),
        ("1. c3-d4\n b6-c7 2. d4-c5 *", (7, 2), "`b6-c7` is not legal here; legal moves: b6-"),
        ("1. hello world", (6, 4), "`hello` is not a move"),
        ("1. c3-d4 22 18 b6-a5 *", (6, 10), "`22` is not a move"),
        ("1. c3-d4 5", (6, 10), "`5` is not a move"),
        ("1. c3-d4 {never ends 1-0", (6, 10), "the comment that begins here has no `}`"),
        ("1. c3-d4 (1. c3-b4 1-0", (6, 10), "the variation that begins here has no `)`"),
        ("1. c3-d4 (1. c3-b4 (1. g3-h4) f6-g5", (6, 10), "begins here has no `)`"),
        ("1. c3-d4 (1. c3-b4 {)} 1-0", (6, 10), "begins here has no `)`"),
        ("1. c3-d4 ) b6-a5 *", (6, 10), "`)` without a variation"),
        ("1. c3-d4 } b6-a5 *", (6, 10), "`}` without a comment"),
        ("1. c3-d4 $256 *", (6, 10), "`$256` is not an annotation"),
        ("1. c3-d4 $ *", (6, 10), "`$` is not an annotation"),
        ("$1 c3-d4 *", (6, 1), "`$1` must come after a move"),
        ("!! c3-d4 *", (6, 1), "`!!` must come after a move"),
        ("(c3-d4) c3-d4 *", (6, 1), "`(` must come after a move"),
        ("1. c3-d4 (! c3-b4) *", (6, 11), "`!` must come after a move"),
        ("1. c3-d4 [sic] b6-a5 *", (6, 10), "`[` is not a tag"),
        ("1. c3-d4 /FEN \"W:WKa1:BKh8\"/ *", (6, 10), "a set-up"),
        ("[White \"M]\n[Black \"N\"]\n\n1. c3-d4 1-0", (6, 1), "`[White \"M]` is not a tag"),
        ("[White \"M\"]\n[Black]\n[Date \"\"]\n1. c3-d4 *", (7, 1), "`[Black]` is not a tag"),
        ("[Wh-te \"M\"]\n1. c3-d4 *", (6, 1), "is not a tag"),
        ("[Result \"won\"]\n1. c3-d4 *", (6, 1), "the tag Result: `won` is not one of"),
        (
            "[Result \"1-0\"]\n1. c3-d4 0-1",
            (7, 10),
            "ends with `0-1`, but its tag Result says `1-0`",
        ),
        ("[White \"M\"]\n[FEN \"W:WKa1:BKx8\"]\n1. a1-b2 *", (7, 1), "`x8` on this board"),
        ("[FEN \"W:WKa1\"]\n\n1. a1-b2 *", (6, 1), "the tag FEN: Black has no pieces"),
        (
            "[GameType \"20,W,10,10,N2,0\"]\n1. 32-28 *",
            (6, 1),
            "`20,W,10,10,N2,0`, which is not russian",
        ),
        ("[GameType \"21\"]\n1. 11-15 *", (6, 1), "`21`, which is not russian"),
        ("[GameType \"foo\"]\n1. c3-d4 *", (6, 1), "`foo`, which is not russian"),
        ("[GameType \"English\"]\n1. c3-d4 *", (6, 1), "`English`, which is not russian"),
        ("[Result \"0-1\"]\n[Result \"1-0\"]\n1. c3-d4 *", (7, 1), "Result occurs twice"),
        ("[FEN \"W:WKa1:BKh2\"]\n[FEN \"W:WKa1:BKh4\"]\n1. a1-b2 *", (7, 1), "FEN occurs twice"),
        ("1. c3-d4 b6-a5 2. d4-c5 d6xb4 3. a3xc7 *", (6, 34), "`a3xc7` is not legal here"),
        ("[FEN \"W:WKa1:BKb2,Kc3\"]\n1. a1-b2 *", (7, 4), "none, the game is over"),
    ] {
        let text = format!("{first}{broken}{last}");
        let (errors, good) = sorted(Russian, &text);
        assert_eq!(errors.len(), 1, "{broken}: {errors:?}");
        assert_eq!((errors[0].line, errors[0].column), place, "{broken}: {}", errors[0]);
        assert!(errors[0].to_string().contains(words), "{broken}: {}", errors[0]);
        let start = format!("line {}, column {}: ", place.0, place.1);
        assert!(errors[0].to_string().starts_with(&start), "{broken}: {}", errors[0]);
        assert_eq!(good, ["c3-d4 b6-a5", "g3-h4 b6-c5"], "{broken}");
    }
}

#[test]
fn an_unclosed_comment_affects_one_game() {
    let text =
        "1. c3-d4 {never ends\r\n\r\n  \r\n[White \"A]\n1. c3-b4 *\n\n[White \"B\"] {x} g3-h4";
    let (errors, good) = sorted(Russian, text);
    assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [1, 4]);
    assert_eq!(good, ["{x} g3-h4"]);
}

#[test]
fn results_alone_separate_games_after_a_broken_one() {
    for broken in [
        "1. zz (1. c3-b4 1-0) c3-d4 {1-0} 1-0",
        "1. c3-d4 (zz (1. c3-b4 1-0) 1-0) 1-0 {a comment on it}",
        "1. c3-d4 (1. c3-b4 1-0",
        "1. c3-d4 [x 1-0",
        "1. c3-d4 $999 1-0",
        "[Result \"1-0\"] 1. c3-d4 0-1 {a comment on it}",
        "[FEN \"W\"] 1. c3-d4 1-0",
        "[GameType \"21\"] [FEN \"W\"] 1. 11-15 (1. 12-16) 1-0",
        "[White A] [Black \"B\"]\n[Date \"\"] 1. c3-d4 1-0",
    ] {
        let (errors, good) = sorted(Russian, &format!("c3-d4 *\n{broken}\nc3-b4 *\ng3-h4"));
        assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [2], "{broken}");
        assert_eq!(good, ["c3-d4", "c3-b4", "g3-h4"], "{broken}");
    }
}

#[test]
fn a_capture_that_may_be_two_moves_is_refused() {
    let (errors, good) = sorted(English, "[FEN \"W:W26:B22,23,14,15\"]\n26x10 *\n11-15 *");
    let messages: Vec<_> = errors.iter().map(|error| error.to_string()).collect();
    assert_eq!(messages, ["line 2, column 1: `26x10` is ambiguous: it may be 26x17x10, 26x19x10"]);
    assert_eq!(good, ["11-15"]);
}

#[test]
fn games_with_and_without_a_type_are_distinguished() {
    let (errors, good) = sorted(Alapo, "[GameType \"25\"]\n1. a2-a3 *");
    let message = "line 1, column 1: the tag GameType is `25`, which is not alapo";
    assert_eq!(errors.iter().map(|error| error.to_string()).collect::<Vec<_>>(), [message]);
    assert_eq!(good, [""; 0]);
}

#[test]
fn columns_count_characters() {
    let (errors, _) = sorted(Russian, "\u{FEFF}{début}\r\n{ж} c3-d9");
    assert_eq!((errors[0].line, errors[0].column), (2, 5));
}

#[test]
fn variations_are_nested_to_a_limit() {
    let nested = |depth| {
        let open = "c3-d4 (".repeat(depth);
        format!("{open}c3-b4{} 1-0\n\nc3-d4", ")".repeat(depth))
    };
    let (errors, good) = sorted(Russian, &nested(DEEPEST_VARIATION));
    assert_eq!((errors, good.len()), (vec![], 2));
    for depth in [DEEPEST_VARIATION + 1, 100_000] {
        let (errors, good) = sorted(Russian, &nested(depth));
        let problems: Vec<_> = errors.into_iter().map(|error| error.problem).collect();
        assert_eq!((problems, good), (vec![RecordProblem::TooDeep], vec!["c3-d4".to_owned()]));
    }
}

#[test]
fn tags_are_read_to_a_limit() {
    let tags = |count| (0..count).map(|i| format!("[T{i} \"\"]\n")).collect::<String>();
    let text = |count| format!("{}\nc3-d4\n\n[White \"A\"]\nc3-b4", tags(count));
    assert_eq!(sorted(Russian, &text(MOST_TAGS)).1, ["c3-d4", "c3-b4"]);
    let (errors, good) = sorted(Russian, &text(100_000));
    assert_eq!((errors.len(), errors[0].line), (1, MOST_TAGS + 1));
    assert_eq!((&errors[0].problem, good), (&RecordProblem::TooManyTags, vec!["c3-b4".to_owned()]));
}

/// Each of these is read within a moment; in quadratic time it would take very long.
#[test]
fn hostile_texts_are_read_in_linear_time() {
    const MANY: usize = 1_000_000;
    for (unit, errors) in [
        ("(", 1),
        ("(!", 1),
        (")", 1),
        ("[", 1),
        (" [", 1),
        ("[ ", 1),
        ("\n[", 1),
        ("[a", 1),
        ("[a \"", 1),
        ("[a \"\" ", 1),
        ("{", 1),
        ("{\n\n", 1),
        ("{}", 0),
        ("{\n}", 0),
        ("}", 1),
        ("\0", 1),
        ("1", 1),
        ("1 ", 1),
        ("1.", 0),
        ("1. ", 0),
        ("$", 1),
        ("$1", 1),
        ("!", 1),
        ("! ", 1),
        ("* ", 0),
        ("*", 1),
        ("c3", 1),
        ("c3-", 1),
        ("\"", 1),
        ("\\", 1),
        ("\n", 0),
        ("\r", 0),
        ("%", 0),
        ("\n%", 0),
        (";", 0),
        ("\n;", 0),
        ("zz * ", MANY / 5),
        ("c3-d4 (c3-b4 1-0 ", MANY / 17),
        ("é", 1),
    ] {
        let text = unit.repeat(MANY / unit.len());
        let (found, good) = sorted(Russian, &text);
        assert_eq!((found.len(), good.len()), (errors, 0), "{unit:?}");
        let most = found.iter().map(|error| error.to_string().len()).max();
        assert!(most < Some(1000), "{unit:?}: an error of {most:?} bytes");
    }
    let value = "x".repeat(MANY);
    for (tag, words) in [("FEN", "far too long"), ("Result", "is not one of"), ("GameType", "not")]
    {
        let (errors, good) = sorted(Russian, &format!("[{tag} \"1,{value}\"] c3-d4"));
        assert_eq!((errors.len(), good.len()), (1, 0), "{tag}");
        let message = errors[0].to_string();
        assert!(message.contains(words) && message.len() < 1000, "{tag}: {message:.100}");
    }
}
