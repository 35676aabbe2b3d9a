use super::client::Client;
use super::{NUMBERING, PATIENCE, aside, board, settings};
use damka_engine::book::Book;
use damka_engine::{GameEnd, History};
use damka_games::draughts::Move;
use damka_games::{Draughts, Game, Position, Russian, Square};
use damka_protocols::hub;
use proptest::prelude::*;
use std::io::Cursor;

const START: &str = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

#[test]
fn parameters_are_declared() {
    let mut client = Client::new(Draughts::Brazilian);
    client.send("hub\n");
    let lines = client.until("wait");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        lines,
        [
            &format!("id name=damka version={version} author=\"damka authors\""),
            "param name=variant value=brazilian type=enum \
             values=\"russian english brazilian pool czech spanish italian thai\"",
            "param name=threads value=1 type=int min=1 max=256",
            "param name=tt-size value=14 type=int min=10 max=28",
            "param name=tables value=\"\" type=string",
            "param name=access value=read type=enum values=\"map read\"",
            "param name=book value=false type=bool",
            "param name=numbering value=top type=enum values=\"usual top bottom turned\"",
            "wait",
        ]
    );
    let directory = tempfile::tempdir().unwrap();
    let tables = directory.path().join("a b");
    std::fs::create_dir(&tables).unwrap();
    let tables = format!("\"{}\"", tables.display());
    client
        .send(format!("set-param name=variant value=pool\nset-param name=tables value={tables}\n"));
    client.send("set-param name=threads value=2\nset-param name=tt-size value=10\n");
    client.send("set-param name=access value=map\n");
    client.send("set-param name=book value=true\nset-param name=numbering value=usual\nhub\n");
    let changed: Vec<_> = client.until("wait").drain(1..8).collect();
    assert_eq!(
        changed,
        [
            "param name=variant value=pool type=enum values=\"russian english brazilian pool czech spanish italian thai\"",
            "param name=threads value=2 type=int min=1 max=256",
            "param name=tt-size value=10 type=int min=10 max=28",
            &format!("param name=tables value={tables} type=string"),
            "param name=access value=map type=enum values=\"map read\"",
            "param name=book value=true type=bool",
            "param name=numbering value=usual type=enum values=\"usual top bottom turned\"",
        ]
    );
    client.send("init\nping\nquit\n");
    assert_eq!(client.end(), ["ready", "pong"]);
}

#[test]
fn a_search_is_reported() {
    let mut client = Client::ready(Draughts::Russian);
    // 22x15x8 is the only move.
    let start = board(&[(22, 'w'), (11, 'b'), (18, 'b'), (23, 'B')]);
    client.send(format!("pos pos=W{start}\nlevel depth=3\ngo think\n"));
    let lines = client.until("done");
    assert!(lines.len() > 1, "{lines:?}");
    for line in &lines[..lines.len() - 1] {
        let names = ["info depth=", " score=", " nodes=", " time=", " nps=", " pv=\"22x8x11x18"];
        assert!(names.iter().all(|name| line.contains(name)), "{line}");
    }
    assert!(lines[lines.len() - 1].starts_with("done move=22x8x11x18"), "{lines:?}");
    // A win in one: the last piece is taken.
    let start = board(&[(22, 'w'), (18, 'b')]);
    client.send(format!("pos pos=W{start}\nlevel depth=9\ngo think\n"));
    let lines = client.until("done");
    assert!(lines[lines.len() - 2].contains("score=99.99"), "{lines:?}");
    assert_eq!(lines[lines.len() - 1], "done move=22x15x18");
    assert!(client.end().is_empty());
}

/// Some clients number squares in moves differently from positions.
#[test]
fn the_numbering_can_be_set() {
    let [capture, free] = [18, 1].map(|black| board(&[(22, 'w'), (black, 'b')]));
    // c3-d4 and c3xe5, which captures d4.
    for (numbering, quiet, taken) in [
        ("top", "22-18", "22x15x18"),
        ("bottom", "10-14", "10x19x14"),
        ("turned", "11-15", "11x18x15"),
    ] {
        let mut client = Client::ready(Draughts::Russian);
        client.send(format!("set-param name=numbering value={numbering}\n"));
        client.send(format!("pos pos=W{capture}\nlevel depth=1\ngo think\n"));
        assert_eq!(client.best(), taken);
        for numbered in ["22-18", "10-14", "11-15"] {
            client.send(format!("pos pos=W{free} moves={numbered}\nping\n"));
            let lines = client.until("pong");
            assert_eq!(lines.len() == 1, numbered == quiet, "{numbering} {numbered}: {lines:?}");
        }
        client.send("set-param name=numbering value=left\nping\n");
        let lines = client.until("pong");
        assert!(lines[0].contains("is not a numbering: expected top bottom turned"), "{lines:?}");
        assert!(client.end().is_empty());
    }
}

/// The first moves of games as pydraughts sends them. Positions are always written from the top.
#[test]
fn the_usual_numbering_is_that_of_pydraughts() {
    for (variant, moves, next) in [
        // c3-d4 b6-a5, then d4-c5, a quiet move.
        (Draughts::Russian, "10-14 21-17", "14-18"),
        (Draughts::Brazilian, "10-14 21-17", "14-18"),
        (Draughts::Pool, "10-14 21-17", "14-18"),
        // 11-15 23-19, then 8-11, on a board with Black at the bottom.
        (Draughts::English, "11-15 23-19", "8-11"),
    ] {
        let mut client = Client::with(settings(variant), None);
        client.send(format!("init\npos pos=W{START} moves=\"{moves} {next}\"\nping\n"));
        assert_eq!([client.line(), client.line()], ["ready", "pong"], "{variant:?}");
        client.send(format!("pos pos=W{START} moves=\"22-18\"\nping\n"));
        assert!(client.line().starts_with("error message=\"illegal move"), "{variant:?}");
        assert_eq!(client.line(), "pong");
        assert!(client.end().is_empty());
    }
}

/// The commands that lidraughts-bot sends to an engine by default, and a search with a handicap.
#[test]
fn a_bot_of_lidraughts_is_understood() {
    let mut client = Client::new(Draughts::Russian);
    client.send("hub\n");
    client.until("wait");
    client.send("set-param name=book-ply value=20\nset-param name=tt-size value=23\n");
    client.send("set-param name=bb-size value=0\nset-param name=variant value=russian\n");
    client.send("set-param name=initial-time value=180.0\ninit\n");
    assert_eq!(client.line(), "ready");
    client.send(format!("pos pos=W{START}\nlevel handicap=9 depth=8\ngo think\n"));
    let lines = client.until("done");
    assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info depth=1 ")));
    // The handicap applies to one search.
    client.send(format!("pos pos=W{START}\nlevel depth=4\ngo think\n"));
    assert!(client.until("done").iter().any(|line| line.starts_with("info depth=4 ")));
    client.send("level handicap=x\n");
    assert!(client.line().contains("handicap must be a number, not x"));
    assert!(client.end().is_empty());
}

/// A client that ignores the error gets a move all the same.
#[test]
fn a_search_after_a_refused_level_is_answered_at_once() {
    let mut client = Client::ready(Draughts::Russian);
    client.send(format!("pos pos=W{START}\nlevel time=-5\ngo think\n"));
    assert!(client.line().contains("time must be a number of seconds from 0 on, not -5"));
    client.best();
    assert!(client.end().is_empty());
}

/// A single legal move is played at once, except in an analysis.
#[test]
fn a_single_legal_move_takes_no_time() {
    let mut client = Client::ready(Draughts::Russian);
    // 22x15x18 is the only move, and does not end the game.
    let start = board(&[(22, 'w'), (32, 'w'), (18, 'b'), (1, 'b'), (3, 'b'), (4, 'b')]);
    let search = |level: &str, mode: &str| format!("pos pos=W{start}\nlevel {level}\ngo {mode}\n");
    for level in ["move-time=1000000", "time=1000000", "moves=1 time=1000000 inc=1"] {
        client.send(search(level, "think"));
        let lines = client.until("done");
        assert!(lines[0].starts_with("info depth=1 "), "{lines:?}");
        client.send(search(level, "ponder") + "ponder-hit\n");
        assert_eq!(client.best(), "22x15x18");
    }
    for (level, mode) in [("move-time=1000000", "analyze"), ("depth=5 time=1000000", "think")] {
        client.send(search(level, mode));
        client.until("info depth=5 ");
        client.send("stop\n");
        client.best();
    }
    assert!(client.end().is_empty());
}

#[test]
fn the_variant_can_be_changed() {
    let mut client = Client::ready(Draughts::Russian);
    // A king on a1 takes d4 only if it flies.
    let start = board(&[(29, 'W'), (18, 'b')]);
    let search = format!("pos pos=W{start}\nlevel depth=1\ngo think\n");
    client.send(&search);
    assert!(client.best().contains("x18"));
    client.send(format!("set-param name=variant value=english\n{search}"));
    assert!(client.best().starts_with("29-"));
    assert!(client.end().is_empty());
}

#[test]
fn the_book_answers_at_once_when_thinking() {
    let mut client = Client::ready(Draughts::Russian);
    let search = |book: bool, mode: &str| {
        format!("set-param name=book value={book}\npos pos=W{START}\nlevel depth=2\ngo {mode}\n")
    };
    let known = Book::built_in(Russian).unwrap().moves(&Russian.start());
    client.send(search(true, "think"));
    let answer = client.line();
    let mv = answer.strip_prefix("done move=").unwrap();
    assert!(known.iter().any(|known| name(known.mv) == mv), "{mv}");
    for (book, mode) in [(false, "think"), (true, "analyze")] {
        client.send(search(book, mode));
        assert!(client.line().starts_with("info "));
        client.best();
    }
    assert!(client.end().is_empty());
}

#[test]
fn a_search_is_stopped() {
    let mut client = Client::ready(Draughts::Russian);
    for mode in ["think", "ponder", "analyze"] {
        client.send(format!("pos pos=W{START}\nlevel infinite\ngo {mode}\n"));
        client.until("info");
        client.send("ping\n");
        client.until("pong");
        client.send("stop\n");
        client.best();
    }
    // A client need not wait for the end of a search that it has stopped.
    client.send(format!("pos pos=W{START}\ngo ponder\nstop\npos pos=W{START}\n"));
    client.send("level depth=2\ngo think\n");
    client.best();
    client.best();
    // Commands that arrive after the end of the search have no effect.
    client.send("stop\nponder-hit\nping\n");
    assert_eq!(client.line(), "pong");
    assert!(client.end().is_empty());
}

#[test]
fn pondering_waits_for_ponder_hit() {
    let mut client = Client::ready(Draughts::English);
    for level in ["depth=2", "move-time=0.01", "time=1 inc=0.1", "moves=3 time=0.1"] {
        client.send(format!("pos pos=B{START}\nlevel {level}\ngo ponder\nping\n"));
        let before = client.until("pong");
        assert!(!before.iter().any(|line| line.starts_with("done")), "{before:?}");
        client.send("ponder-hit\n");
        client.best();
    }
    assert!(client.end().is_empty());
}

#[test]
fn few_commands_are_allowed_during_a_search() {
    let mut client = Client::ready(Draughts::Pool);
    client.send(format!("pos pos=W{START}\ngo think\n"));
    for command in
        ["go think", "init", "new-game", "level depth=1", "set-param name=threads value=2"]
    {
        client.send(format!("{command}\n"));
        let error = client.until("error").pop().unwrap();
        let word = command.split(' ').next().unwrap();
        assert_eq!(error, format!("error message=\"{word} during a search: send stop first\""));
    }
    client.send("stop\n");
    client.best();
    assert!(client.end().is_empty());
}

/// Invalid lines are answered by an error, and the session goes on.
#[test]
fn hostile_lines_are_answered() {
    let capture = board(&[(22, 'w'), (11, 'b'), (18, 'b'), (23, 'B')]);
    let capture = format!("pos pos=W{capture}");
    let lines: Vec<Vec<u8>> = [
        "",
        "   ",
        "\0\0\0",
        "=",
        "\"",
        "HUB",
        "unknown",
        "uci",
        "go",
        "hub = x",
        "pos pos=",
        "pos pos=W",
        "pos pos=\"",
        "pos moves=\"",
        "pos pos=Wwwwwwwwwwwwweeeeeeeebbbbbbbbbbbb",
        "pos pos=Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
        "pos pos=WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWB",
        "pos pos=Wбббббббббббббббббббббббббббббббб",
        "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "pos moves=\"32-28\"",
        "pos moves=\"22-18 22-18\"",
        "pos moves=\"0-0\"",
        "pos moves=\"22x18\"",
        "pos moves=\"22-18x3\"",
        "pos moves=\"c3-d4\"",
        "pos moves=\"99999999999999999999-1\"",
        "pos moves=\"22-18 -\"",
        "level depth",
        "level depth=x",
        "level depth=-3",
        "level nodes=1e9",
        "level time=soon",
        "level moves=3",
        "level inc=1",
        "set-param",
        "set-param name=variant",
        "set-param value=1",
        "set-param name=variant value=normal",
        "set-param name=threads value=0",
        "set-param name=threads value=257",
        "set-param name=threads value=-1",
        "set-param name=tt-size value=64",
        "set-param name=tt-size value=many",
        "set-param name=\"\" value=\"\"",
        "set-param name=book value=maybe",
        "set-param name=nonsense value=true",
        "set-param name=access value=write",
        "set-param name=tables value=/no/such/directory",
        "level time=nan inc=nan nodes=1",
        "level time=-5 inc=-inf",
        "level time=-5",
        "level move-time=-1",
        "level move-time=inf nodes=1",
    ]
    .into_iter()
    .map(|line| line.as_bytes().to_vec())
    .chain([
        b"\xFF\xFE\x80".to_vec(),
        [capture.as_bytes(), b" moves=\"22x8x11\""].concat(),
        [capture.as_bytes(), b" moves=\"22x8x18\""].concat(),
        [capture.as_bytes(), b" moves=\"22x8x11x18x23\""].concat(),
        [capture.as_bytes(), b" moves=\"22-8\""].concat(),
        vec![b'x'; 1 << 20],
        [b"pos moves=\"".to_vec(), b"22-18 ".repeat(1 << 16)].concat(),
        b"pos ".iter().chain(&b"a=b ".repeat(1 << 14)).copied().collect(),
    ])
    .collect();
    let mut client = Client::ready(Draughts::Russian);
    let count = lines.len();
    for line in lines {
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
        client.send([line, b"\nping\n".to_vec()].concat());
        let answers = client.until("pong");
        let error = &answers[0];
        assert!(error.starts_with("error message="), "{shown}: {answers:?}");
        assert_eq!(answers.len(), 2, "{shown}: {answers:?}");
        assert!(error.len() < 200 && !error.contains(char::is_control), "{shown}: {error}");
    }
    assert!(count > 40);
    assert!(client.end().is_empty());
}

#[test]
fn huge_values_are_valid_limits() {
    let mut client = Client::ready(Draughts::Russian);
    for level in [
        "depth=99999999999",
        "time=1e300 inc=1e300 moves=99999999999 nodes=1",
        "time=0",
        "move-time=0",
        "nodes=0",
        "depth=0",
    ] {
        client.send(format!("pos pos=W{START}\nlevel {level}\nping\ngo think\nstop\n"));
        client.until("pong");
        client.best();
    }
    assert!(client.end().is_empty());
}

#[test]
fn nothing_is_searched_without_a_position() {
    let mut client = Client::new(Draughts::Russian);
    for command in ["go think", "pos", "level depth=1", "new-game"] {
        client.send(format!("{command}\n"));
        let word = command.split(' ').next().unwrap();
        assert_eq!(client.line(), format!("error message=\"{word} before init: send init first\""));
    }
    client.send("stop\nponder-hit\ninit\ngo think\n");
    assert_eq!(client.line(), "ready");
    let refused =
        "error message=\"go without a position: there was none yet, or the last pos was refused\"";
    assert_eq!(client.line(), refused);
    // After a position was refused, an earlier one is not searched.
    for wrong in ["pos=Wxxx", "moves=1-2"] {
        client.send(format!("pos\npos {wrong}\ngo think\n"));
        client.until("error");
        assert_eq!(client.line(), refused, "{wrong}");
    }
    // White cannot move.
    let start = board(&[(21, 'w'), (17, 'b'), (14, 'b')]);
    client.send(format!("pos pos=W{start}\ngo think\n"));
    assert!(client.line().starts_with("error message=\"the game is over"));
    assert!(client.end().is_empty());
}

/// The input may end anywhere, and a search ends with it.
#[test]
fn sessions_end_with_their_input() {
    let script = format!(
        "hub\nset-param name=tt-size value=10\ninit\nnew-game\npos pos=W{START} \
         moves=\"22-18 9-13\"\nlevel depth=2\ngo think\nping\nstop\n\
         pos\ngo ponder\nponder-hit\n"
    );
    for end in 0..=script.len() {
        let input = Cursor::new(script.as_bytes()[..end].to_vec());
        let ended = aside(move || {
            let mut output = Vec::new();
            hub::serve(input, &mut output, settings(Draughts::Russian), NUMBERING).map(|()| output)
        });
        let output = ended.recv_timeout(PATIENCE).expect("an end in time").unwrap();
        let output = String::from_utf8(output).unwrap();
        // A search that was started is answered.
        let searches = script[..end].matches("go think\n").count();
        let answers = output.lines().filter(|line| line.starts_with("done"));
        assert!(answers.count() >= searches, "{output}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the order of commands, the session lasts until the end of its input.
    #[test]
    fn any_order_of_commands_is_survived(
        lines in prop::collection::vec(
            prop_oneof![
                Just("hub"), Just("init"), Just("init"), Just("ping"), Just("stop"),
                Just("ponder-hit"), Just("new-game"), Just("pos"), Just("pos"),
                Just("pos moves=\"22-18 9-13\""), Just("pos moves=\"9-13\""),
                Just("level depth=2"), Just("level nodes=99"), Just("go think"),
                Just("go think"), Just("go ponder"), Just("go analyze"),
                Just("set-param name=variant value=english"),
                Just("set-param name=tt-size value=10"), Just("\"\0"),
            ],
            0..30,
        )
    ) {
        let input = Cursor::new(lines.join("\n") + "\n");
        let ended = aside(move || {
            let mut output = Vec::new();
            hub::serve(input, &mut output, settings(Draughts::Pool), NUMBERING).map(|()| output)
        });
        let output = ended.recv_timeout(PATIENCE).expect("an end in time").unwrap();
        let output = String::from_utf8(output).unwrap();
        let words = ["id ", "param ", "wait", "ready", "pong", "info ", "done ", "error "];
        prop_assert!(output.lines().all(|line| words.iter().any(|word| line.starts_with(word))));
    }
}

/// A move in the notation of the protocol.
fn name(mv: Move) -> String {
    let number = |square: Square| square.index() + 1;
    let [from, to] = [mv.from(), mv.to()].map(number);
    match mv.captured().is_empty() {
        true => format!("{from}-{to}"),
        false => {
            let taken = mv.captured().into_iter().map(|square| format!("x{}", number(square)));
            format!("{from}x{to}{}", taken.collect::<String>())
        }
    }
}

/// Two sessions play a whole game.
fn play(variant: Draughts, levels: [&str; 2]) {
    let mut game = History::<Draughts>::new(variant.start());
    let mut clients = [Client::ready(variant), Client::ready(variant)];
    let mut moves: Vec<String> = Vec::new();
    let turn = variant.start().turn().letter();
    while game.end().is_none() {
        let client = &mut clients[moves.len() % 2];
        client.send(format!("pos pos={turn}{START} moves=\"{}\"\n", moves.join(" ")));
        client.send(format!("level {}\ngo think\n", levels[moves.len() % 2]));
        let best = client.best();
        let legal = game.position().moves();
        let mv = legal.into_iter().find(|&mv| name(mv) == best);
        game.play(mv.unwrap_or_else(|| panic!("{best} is not legal: {moves:?}")));
        moves.push(best);
        assert!(moves.len() < 1000, "the game does not end");
    }
    let end = game.end();
    assert!(matches!(end, Some(GameEnd::Won(_) | GameEnd::Drawn(_))), "{end:?}");
    assert!(clients.map(Client::end).iter().all(Vec::is_empty));
}

#[test]
fn sessions_play_whole_games() {
    let levels = ["depth=4", "nodes=2000"];
    play(Draughts::Russian, levels);
    play(Draughts::English, levels);
    play(Draughts::Brazilian, ["time=1 inc=0.002", "move-time=0.002"]);
    play(Draughts::Pool, ["moves=300 time=1", "depth=3"]);
}
