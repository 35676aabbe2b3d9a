//! Bad input gives one clear line and an exit code that scripts can rely on.

use crate::{Place, outcome};
use std::fs;

#[test]
fn bad_positions_say_what_is_wrong_and_where() {
    let place = Place::new();
    for (game, fen, reason) in [
        ("russian", "", "side to move is missing"),
        ("russian", "nonsense", "`nonsense` is not a side to move"),
        ("russian", "WKa1:BKh8", "side to move is missing"),
        ("russian", "W:WKa1", "Black has no pieces"),
        ("russian", "W:WKa1:BKa1", "two pieces stand on a1 (at character 9)"),
        ("russian", "W:Wa9:Bh8", "no square `a9`"),
        ("russian", "W:Wb1:Bh8", "no square `b1`"),
        ("russian", "W:W33:B1", "no square `33`"),
        ("russian", "W:Wb8:Bb2", "White man on b8 stands on its promotion row"),
        ("russian", "W:WKa1,кот:BKh8", "кот"),
        ("english", "B:W29:B30", "Black man on 30 stands on its promotion row"),
        ("pool", "W:W18-32:B1", "White has 15 pieces"),
        ("pool", "W:W20-32:B12-1", "`12-1` runs backwards"),
        ("alapo", "k5/6/6/6/6/F5", "side to move is missing"),
        ("alapo", "6/6/6/6/6/F5 w", "Black has no pieces"),
        ("alapo", "z5/6/6/6/6/F5 w", "`z`"),
        ("alapo", "k5/6/6/6/F5 w", "5 rows"),
        ("alapo", "F5/6/6/6/6/k5 w", "goal rank"),
        ("alapo", "5/5/5/5/5/5 w", "row 6 has 5 squares"),
    ] {
        for command in ["probe", "line", "perft"] {
            let depth = if command == "perft" { &["2"][..] } else { &[] };
            let mut damka = place.command();
            let outcome = outcome(damka.args([command, game]).args(depth).arg(fen));
            let message = outcome.failure(2);
            assert!(message.starts_with(&format!("damka: `{fen}`: ")), "{message}");
            assert!(message.contains(reason), "{message}");
        }
    }
    assert!(place.files().is_empty(), "something was built");
}

#[test]
fn wrong_usage_is_refused_before_anything_is_done() {
    let place = Place::new();
    for words in [
        "conquer",
        "probe",
        "probe russian",
        "probe gomoku W:WKa1:BKh8",
        "probe draughts W:WKa1:BKh8",
        "probe russian W:WKa1:BKh8 --jsonn",
        "line russian",
        "gen",
        "gen russian",
        "gen russian 0",
        "gen russian 1",
        "gen russian 99",
        "gen russian 99999999999999999999",
        "gen russian -1",
        "gen russian 3 KvQ",
        "gen russian KxK",
        "gen russian Kv",
        "gen russian vK",
        "gen russian KvKvK",
        "gen russian KvQ",
        "gen alapo KvM",
        "gen english MMMMMMMMMMMMMvK",
        "gen russian 3 --memory 0",
        "gen russian 3 --memory x",
        "gen russian 3 --memory -1",
        "gen russian 3 --memory 1X",
        "gen russian 3 --memory 99999999999999G",
        "gen russian 3 --threads x",
        "gen russian 3 --threads -1",
        "gen russian 3 --metric dtz",
        "gen russian 3 --progress loud",
        "stats",
        "stats russian KvQ",
        "verify russian KvQ",
        "perft",
        "perft russian",
        "perft russian x",
        "perft russian -1",
        "perft russian 1.5",
        "perft russian 99999999999",
        "completions",
        "completions tcsh",
    ] {
        place.damka(words).failure(2);
    }
    let usage = place.damka("");
    assert_eq!(usage.code, Some(2));
    assert!(usage.stderr.contains("Usage: damka <COMMAND>"), "{usage:?}");
    assert!(place.files().is_empty(), "something was built");
}

/// Regression: the advice was to write `-- -1`.
#[test]
fn negative_numbers_are_values_out_of_range() {
    let place = Place::new();
    for (words, expected) in [
        ("list russian KvK --limit -1", "'--limit <N>': expected a whole number, 0 or more"),
        ("list russian KvK --seed -1 --sample 2", "expected a whole number, 0 or more"),
        ("search russian --depth -3", "'--depth <N>': expected a number from 1 to 250"),
        (
            "search russian --time -3",
            "'--time <MS>': expected a whole number, 1 or more, below 2^64",
        ),
        (
            "search russian --time 0",
            "'--time <MS>': expected a whole number, 1 or more, below 2^64",
        ),
        ("perft russian -3", "'<DEPTH>': expected a number from 0 to 100"),
        ("gen russian 3 --checkpoint -1", "expected a number from 0 to 4294967295"),
        (
            "plan russian 3 --threads 1000000",
            "expected a number from 0 to 256: damka starts no more",
        ),
        ("gen russian 3 --threads -1", "expected a number from 0 to 256"),
        ("gen russian 3 --memory -1", "`-1` is not a size"),
        ("book build russian x --search -1", "expected a number from 1 to 1000000"),
    ] {
        let message = place.damka(words).failure(2);
        assert!(message.contains(expected) && !message.contains("tip:"), "{words}: {message}");
    }
}

/// Regression: these threads took all memory.
#[test]
fn a_hundred_thousand_threads_are_refused() {
    let message = Place::new().damka("gen russian 2 --threads 100000").failure(2);
    assert!(message.contains("--threads"), "{message}");
}

#[test]
fn missing_tables_are_named_with_what_builds_them() {
    let place = Place::with("russian 2");
    for (words, hint) in [
        ("probe russian W:WKa1,Kb2,Kc3:BKe7,Kf8", "`damka gen russian KKKvKK --tables "),
        ("line russian W:WKa1,Kb2,Kc3:BKe7,Kf8", "`damka gen russian KKKvKK --tables "),
        ("probe russian W:WKa1,b2,c3:Bb6,d6,f6", "`damka gen russian KMMvMMM --tables "),
        // Tables have at most 8 pieces: there is nothing to build.
        ("probe russian start", "`damka search russian "),
        ("probe alapo k5/6/6/6/6/F5 w --no-build", "`damka gen alapo KvF --tables "),
        ("stats russian KKvK --no-build", "`damka gen russian KKvK --tables "),
        ("list russian KKvK --no-build", "`damka gen russian KKvK --tables "),
        ("list russian KKMvKK", "`damka gen russian KKMvKK --tables "),
        ("stats english", "there are no tables of english"),
        ("verify english", "there are no tables of english"),
    ] {
        let message = place.damka(words).failure(3);
        assert!(message.contains(hint), "{message}");
    }
    let outcome = place.damka("verify russian KKvK");
    assert!(outcome.stdout.contains("`damka gen russian KKvK --tables "), "{outcome:?}");
    outcome.failure(3);
}

/// The suggested command can be run as it is: it builds the missing tables in the directory in
/// which they are missing.
#[cfg(unix)]
#[test]
fn the_suggested_command_builds_what_is_missing() {
    let place = Place::new();
    let tables = place.home().join("it's my tables");
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_damka")).parent().expect("a directory");
    let path = format!("{}:/usr/bin:/bin", bin.display());
    fs::create_dir(&tables).expect("a directory");
    for words in ["probe russian W:WKa1,Kc1:BKh8 --no-build", "stats english", "tables pool"] {
        let damka = || {
            let mut damka = place.command();
            damka.args(words.split(' ')).arg("--tables").arg(&tables);
            outcome(damka.env_remove("DAMKA_TABLES").current_dir(place.home()))
        };
        let message = damka().failure(3);
        let command =
            message.split('`').find(|part| part.starts_with("damka gen")).expect("a command");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", command]).env("PATH", &path).env("HOME", place.home());
        shell.env_remove("DAMKA_TABLES").current_dir(place.home());
        outcome(&mut shell).success();
        damka().success();
    }
}

/// An empty name or a file cannot be a directory of tables. Regression: an empty name selected the
/// platform's directory.
#[test]
fn a_directory_of_tables_must_be_one() {
    let place = Place::new();
    let file = place.home().join("file");
    fs::write(&file, "mine").expect("a file");
    for words in ["gen russian 2", "probe russian W:WKa1:BKh8", "stats russian", "tables"] {
        let named = |name: &std::path::Path| {
            outcome(place.command().args(words.split(' ')).arg("--tables").arg(name)).failure(2)
        };
        let message = named("".as_ref());
        assert!(message.contains("a value is required for '--tables <DIR>'"), "{message}");
        assert_eq!(
            named(&file),
            format!("damka: {} is not a directory\n", file.display()),
            "{words}"
        );
    }
    for words in ["play russian --book", "match russian --a depth=1 --b depth=1 --openings"] {
        outcome(place.command().args(words.split(' ')).arg("")).failure(2);
    }
    assert_eq!(fs::read(&file).expect("the file"), b"mine");
    assert!(place.files().is_empty());
}

#[test]
fn damaged_tables_are_named_and_never_answered_from() {
    let place = Place::with("russian KKvK");
    let name = "russian/KKvK.dtw";
    let sound = fs::read(place.table(name)).expect("a table");
    let longer = [&sound[..], b"x"].concat();
    let mut flipped = sound.clone();
    // In the entry of the second block, with Black to move.
    flipped[532] ^= 1;
    let mut newer = sound.clone();
    newer[8] = 99;
    let other = fs::read(place.table("russian/KvK.dtw")).expect("a table");
    for (damage, bytes) in [
        ("empty", &sound[..0]),
        ("cut within the magic", &sound[..5]),
        ("cut within the header", &sound[..100]),
        ("cut after the header", &sound[..512]),
        ("cut by a byte", &sound[..sound.len() - 1]),
        ("longer", &longer),
        ("a byte flipped", &flipped),
        ("of another version", &newer),
        ("another table", &other),
        ("no table", b"hello, world"),
    ] {
        fs::write(place.table(name), bytes).expect("a table");
        let message = place.damka("probe russian B:WKa1,Kc1:BKh2 --json").failure(4);
        assert!(message.contains("KKvK.dtw"), "{damage}: {message}");
        let outcome = place.damka("verify russian");
        assert!(outcome.stdout.contains("KKvK.dtw"), "{damage}: {outcome:?}");
        outcome.failure(4);
    }
}

#[cfg(unix)]
#[test]
fn places_that_cannot_hold_tables_are_reported() {
    let place = Place::new();
    for command in ["gen russian 2", "probe russian W:WKa1:BKh8", "stats russian", "verify russian"]
    {
        let outcome = place.damka(&format!("{command} --tables /dev/null"));
        assert_eq!(outcome.failure(2), "damka: /dev/null is not a directory\n");
    }
}

/// Games and signatures are read in the forms that people write; an ambiguous name lists its games.
#[test]
fn names_are_understood_as_people_write_them() {
    let place = Place::new();
    for (words, game) in [
        ("Russian W:WKa1:BKh8", "russian"),
        ("shashki W:WKa1:BKh8", "russian"),
        ("CHECKERS W:WK29:BK4", "english"),
        ("makhos W:WK32:BK1", "thai"),
    ] {
        let answer = place.damka(&format!("probe {words} --json")).success();
        assert!(answer.starts_with(&format!("{{\"schema\":1,\"game\":\"{game}\",")), "{answer}");
    }
    let rows = place.damka("stats chess KRK --json").success();
    assert_eq!(rows, place.damka("stats Chess kvkr --json").success());
    assert!(rows.starts_with(r#"{"schema":1,"game":"chess","signature":"KRvK","#), "{rows}");
    place.damka("plan chess KRPKR krp-kr KRP_KR").success();
    let message = place.damka("probe draughts W:WKa1:BKh8").failure(2);
    assert!(message.contains("name one of russian, english, "), "{message}");
    let message = place.damka("probe gomoku W:WKa1:BKh8").failure(2);
    assert!(message.contains("the games are russian, english, "), "{message}");
    assert!(!message.contains("similar"), "{message}");
    // A side may have several kings: the start of the second side is ambiguous.
    let message = place.damka("stats russian KKK").failure(2);
    assert!(message.contains("joined by `v`"), "{message}");
}

/// Regression: a directory that does not exist was treated as one without tables.
#[test]
fn a_directory_that_is_named_must_be_there_to_be_read() {
    let place = Place::new();
    let nowhere = place.home().join("nowhere");
    let named = format!("--tables {}", nowhere.display());
    for words in [
        "probe russian W:WKa1:BKh8",
        "probe russian W:WKa1:BKh8 --no-build",
        "line russian W:WKa1:BKh8",
        "search russian W:WKa1:BKh8",
        "search russian W:WKa1:BKh8 --no-build",
        "list russian KvK",
        "tables",
        "rehearse russian KMvK",
        "engine russian",
        "engine chess --build 2",
        "play russian --build 2",
        "stats russian KvK",
        "probe russian W:WKa1,Kb2,Kc3:BKe7,Kf8",
        "search russian W:WKa1,Kb2,Kc3:BKe7,Kf8",
        "search russian",
        "stats russian",
        "verify russian",
        "play russian",
        "match russian --a nodes=10 --b nodes=10 --games 2",
        "tune russian new.weights",
        "book build russian new.book --self-play 2 --player nodes=10",
    ] {
        let message = place.damka(&format!("{words} {named}")).failure(3);
        let expected = format!("there is no directory {}", nowhere.display());
        assert!(message.contains(&expected), "{message}");
        let mut damka = place.command();
        damka.env("DAMKA_TABLES", &nowhere).args(words.split(' '));
        assert_eq!(outcome(&mut damka).failure(3), message);
    }
    let setting = format!("tables={}", nowhere.display());
    let words = format!("match russian --a nodes=1,{setting} --b nodes=1 --games 2");
    let message = place.damka(&words).failure(3);
    let expected = format!("the directory {} given by tables= does not exist", nowhere.display());
    assert!(message.contains(&expected), "{message}");
    // `plan` works without the directory, as `gen` makes it, with a message.
    place.damka(&format!("plan russian 2 {named}")).success();
    assert!(!nowhere.exists());
    let built = place.damka(&format!("gen russian 2 {named}"));
    let expected = format!("damka: making the directory {}\n", nowhere.display());
    assert!(built.stderr.starts_with(&expected), "{built:?}");
    built.success();
    assert!(nowhere.join("russian/KvK.dtw").exists());
    let built = place.damka(&format!("gen russian 3 {named}"));
    assert!(!built.stderr.contains("making"), "{built:?}");
}

#[test]
fn tables_are_read_in_either_way() {
    let place = Place::with("russian 2");
    let commands = [
        "probe russian W:WKa1:BKh8",
        "line russian W:WKa1:BKh8",
        "stats russian",
        "verify russian",
        "verify russian --sample 1000 --seed 1",
        "search russian W:WKa1:BKh8 --json",
        "play russian --fen W:WKa1:BKh8",
        "match russian --a nodes=10 --b nodes=10 --games 2 --openings endings:2-2",
    ];
    for words in commands {
        let mapped = place.damka(&format!("{words} --access map")).success();
        assert_eq!(place.damka(words).success(), mapped);
        assert_eq!(place.damka(&format!("{words} --access read")).success(), mapped);
        place.damka(&format!("{words} --access guess")).failure(2);
    }
}

/// The system reports whether files are mapped.
#[cfg(target_os = "linux")]
#[test]
fn read_means_that_nothing_is_mapped() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let place = Place::with("russian 2");
    for (access, is_mapped) in [("map", true), ("read", false)] {
        let mut command = place.command();
        command.args(["probe", "russian", "-", "--access", access]);
        let mut damka =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("damka starts");
        let mut questions = damka.stdin.take().expect("its standard input");
        crate::say(&mut questions, "W:WKa1:BKh8");
        let mut answers = BufReader::new(damka.stdout.take().expect("its standard output"));
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer");
        let maps = fs::read_to_string(format!("/proc/{}/maps", damka.id())).expect("its maps");
        assert_eq!(maps.contains("KvK.dtw"), is_mapped, "{maps}");
        drop(questions);
        assert!(damka.wait().expect("damka ends").success());
    }
}

#[test]
fn the_option_goes_before_the_environment() {
    let place = Place::new();
    let elsewhere = place.home().join("elsewhere");
    let words = format!("gen russian 2 --progress none --tables {}", elsewhere.display());
    place.damka(&words).success();
    assert!(elsewhere.join("russian/KvK.wdl").exists());
    assert!(place.files().is_empty());
}

/// An empty variable is treated as unset, as is usual. Regression: it was refused.
#[test]
fn tables_are_in_the_platforms_data_directory_by_default() {
    let place = Place::new();
    for variable in [None, Some("")] {
        let mut damka = place.command();
        match variable {
            Some(value) => damka.env("DAMKA_TABLES", value),
            None => damka.env_remove("DAMKA_TABLES"),
        };
        damka.env("XDG_DATA_HOME", place.home());
        outcome(damka.args(["gen", "russian", "2"])).success();
        assert!(place.home().join("damka/russian/KvK.wdl").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_position_that_is_no_text_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let fen = OsStr::from_bytes(b"W:WKa1:BK\xff");
    outcome(Place::new().command().args(["probe", "russian"]).arg(fen)).failure(2);
}
