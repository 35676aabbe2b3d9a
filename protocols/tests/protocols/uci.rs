//! UCI in several games.

use super::client::Client;
use super::{PATIENCE, aside, settings};
use damka_engine::book::BookChoice;
use damka_engine::{Evaluated, GameEnd, History, Playable, PlayerSettings};
use damka_games::{Alapo, Chess, Draughts, Game, Position, Russian};
use damka_protocols::uci;
use proptest::prelude::*;
use std::io::Cursor;

/// Little memory and no book.
fn plain<G: Game>(game: G) -> PlayerSettings<G> {
    PlayerSettings { memory: 1 << 18, book: BookChoice::None, ..PlayerSettings::new(game) }
}

/// A client of Russian draughts.
fn russian() -> Client {
    Client::uci(settings(Draughts::Russian))
}

#[test]
fn options_are_declared() {
    let mut client = Client::uci(plain(Alapo));
    client.send("uci\n");
    assert_eq!(
        client.until("uciok"),
        [
            concat!("id name damka ", env!("CARGO_PKG_VERSION")),
            "id author damka authors",
            "option name Hash type spin default 1 min 1 max 1048576",
            "option name Threads type spin default 1 min 1 max 256",
            "option name TablePath type string default <empty>",
            "option name TableCache type spin default 64 min 1 max 262144",
            "option name Ponder type check default false",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name Move Overhead type spin default 10 min 0 max 10000",
            "option name Book type string default none",
            "option name EvalFile type string default <empty>",
            "option name Variety type spin default 0 min 0 max 1000",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 3400 min 800 max 3400",
            "option name UCI_AnalyseMode type check default false",
            "option name UCI_ShowWDL type check default false",
            "option name Clear Hash type button",
            "uciok",
        ]
    );
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("a b");
    std::fs::create_dir(&directory).unwrap();
    client.send(format!("setoption name TablePath value {}\n", directory.display()));
    client.send("setoption name hash value 2\nsetoption name Threads value 3\n");
    client.send("setoption name TableCache value 8\nsetoption name MultiPV value 4\n");
    client.send("setoption name Move Overhead value 50\nsetoption name Book value own\n");
    client.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1500\n");
    client
        .send("setoption name UCI_AnalyseMode value true\nsetoption name UCI_ShowWDL value true\n");
    client.send("setoption name Variety value 25\nsetoption name Clear Hash\n");
    client.send("setoption name Ponder value true\nuci\n");
    let changed: Vec<_> = client.until("uciok").drain(2..17).collect();
    assert_eq!(
        changed,
        [
            "option name Hash type spin default 2 min 1 max 1048576",
            "option name Threads type spin default 3 min 1 max 256",
            &format!("option name TablePath type string default {}", directory.display()),
            "option name TableCache type spin default 8 min 1 max 262144",
            "option name Ponder type check default false",
            "option name MultiPV type spin default 4 min 1 max 256",
            "option name Move Overhead type spin default 50 min 0 max 10000",
            "option name Book type string default own",
            "option name EvalFile type string default <empty>",
            "option name Variety type spin default 25 min 0 max 1000",
            "option name UCI_LimitStrength type check default true",
            "option name UCI_Elo type spin default 1500 min 800 max 3400",
            "option name UCI_AnalyseMode type check default true",
            "option name UCI_ShowWDL type check default true",
            "option name Clear Hash type button",
        ]
    );
    client.send("setoption name TablePath value <empty>\nisready\nquit\n");
    assert_eq!(client.end(), ["readyok"]);
}

#[test]
fn a_search_is_reported() {
    let mut client = russian();
    client.send("setoption name MultiPV value 3\nposition startpos moves c3-d4 b6-a5\n");
    client.send("go depth 6\n");
    let lines = client.until("bestmove");
    let last: Vec<_> = lines.iter().filter(|line| line.starts_with("info depth 6 ")).collect();
    assert!(last.len() >= 3, "{lines:?}");
    let mut moves = Vec::new();
    for (number, line) in (1..).zip(&last[last.len() - 3..]) {
        for word in ["seldepth", "score cp", "nodes", "nps", "hashfull", "tbhits 0", "time"] {
            assert!(line.contains(&format!(" {word} ")), "{word}: {line}");
        }
        assert!(line.contains(&format!(" multipv {number} ")), "{line}");
        let (_, line) = line.split_once(" pv ").expect("a line");
        moves.push(line.split(' ').collect::<Vec<_>>());
    }
    let best = lines[lines.len() - 1].split(' ').collect::<Vec<_>>();
    assert_eq!(best, ["bestmove", moves[0][0], "ponder", moves[0][1]]);
    moves.sort();
    moves.dedup_by_key(|line| line[0]);
    assert_eq!(moves.len(), 3, "three different moves");
    // The last piece is taken.
    client.send("position fen W:Wc3:Bd4\ngo depth 3\n");
    let lines = client.until("bestmove");
    assert!(lines[0].contains(" score mate 1 ") && lines[0].ends_with(" pv c3xe5"), "{lines:?}");
    assert_eq!(lines[lines.len() - 1], "bestmove c3xe5");
    assert!(client.end().is_empty());
}

/// The chances are in thousandths. If the result is certain, its chance is 1000.
#[test]
fn chances_are_reported_if_requested() {
    let mut client = russian();
    let search = "position fen W:Wc3,e3:Bd6,h8\ngo depth 3\n";
    client.send(search);
    assert!(client.until("bestmove").iter().all(|line| !line.contains(" wdl ")));
    client.send(format!("setoption name UCI_ShowWDL value true\n{search}"));
    let lines = client.until("bestmove");
    for line in lines.iter().filter(|line| line.starts_with("info depth")) {
        let (before, rest) = line.split_once(" wdl ").expect("chances");
        assert!(before.contains(" score "), "{line}");
        let chances = rest.split(' ').take(3).map(|word| word.parse::<u16>().expect("a number"));
        assert_eq!(chances.sum::<u16>(), 1000, "{line}");
    }
    client.send("position fen W:Wc3:Bd4\ngo depth 3\n");
    assert!(client.line().contains(" score mate 1 wdl 1000 0 0 nodes "));
    client.best_move();
    assert!(client.end().is_empty());
}

/// The transposition table is kept until it is cleared: a second search of a position is shorter.
#[test]
fn the_hash_is_cleared_by_its_button_only() {
    let mut client = russian();
    let mut nodes = |options: &str| {
        client.send(format!("{options}position startpos\ngo depth 7\n"));
        let lines = client.until("bestmove");
        let words: Vec<&str> = lines[lines.len() - 2].split(' ').collect();
        let at = words.iter().position(|&word| word == "nodes").expect("the number of nodes");
        words[at + 1].parse::<u64>().expect("a number")
    };
    let first = nodes("");
    assert!(nodes("setoption name UCI_ShowWDL value true\n") < first);
    assert_eq!(nodes("setoption name clear hash\n"), first);
}

/// Limited strength applies to moves of a game. An analysis is at full strength.
#[test]
fn the_strength_is_limited_in_games_only() {
    let mut client = Client::uci(plain(Chess));
    client.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 230\n");
    let search = "position startpos\ngo depth 6\n";
    client.send(search);
    let lines = client.until("bestmove");
    assert!(
        lines[..lines.len() - 1].iter().all(|line| line.starts_with("info depth 1 ")),
        "{lines:?}"
    );
    client.send("go infinite\n");
    client.until("info depth 6 ");
    client.send("stop\n");
    client.best_move();
    client.send(format!("setoption name UCI_AnalyseMode value true\n{search}"));
    client.until("info depth 6 ");
    client.best_move();
    client.send("setoption name UCI_Elo value 20\nsetoption name UCI_LimitStrength value maybe\n");
    assert!(client.line().contains("UCI_Elo must be a number from 230 to "));
    assert!(client.line().contains("UCI_LimitStrength must be true or false, not maybe"));
    assert!(client.end().is_empty());
}

/// A search without limits is only ended by `stop`.
#[test]
fn an_endless_search_lasts_until_it_is_stopped() {
    let mut client = russian();
    for search in ["go infinite depth 2", "go ponder infinite depth 2", "go infinite nodes 1"] {
        client.send(format!("position startpos\n{search}\n"));
        client.until("info depth");
        client.send("isready\nponderhit\nisready\n");
        let mut lines = client.until("readyok");
        lines.extend(client.until("readyok"));
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
        client.send("stop\n");
        client.best_move();
    }
    // A search with no limit or only invalid ones is ended by `stop` as well.
    for search in ["go", "go ponder", "go wtime", "go depth many"] {
        client.send(format!("{search}\nstop\n"));
        client.best_move();
    }
    client.send("stop\nponderhit\nisready\n");
    assert_eq!(client.end(), ["readyok"]);
}

#[test]
fn pondering_waits_for_ponderhit() {
    let mut client = russian();
    for limits in ["depth 2", "movetime 10", "wtime 1000 winc 100", "wtime 100 movestogo 3"] {
        client.send(format!("position startpos\ngo ponder {limits}\nisready\n"));
        let before = client.until("readyok");
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{before:?}");
        client.send("ponderhit\n");
        client.best_move();
    }
    assert!(client.end().is_empty());
}

#[test]
fn every_limit_ends_a_search() {
    let mut client = russian();
    for limits in [
        "depth 3",
        "depth 0 nodes 500",
        "nodes 1",
        "movetime 5",
        "movetime 0",
        "movetime -20",
        "wtime 1 btime 99999999",
        "wtime 0 winc 0",
        "wtime -3000 btime -3000",
        "wtime 600 btime 600 winc 10 binc 10 movestogo 20",
        "wtime 99999999999999 movestogo 99999999999 depth 2",
        "infinitely depth 2 searchmoves",
    ] {
        client.send(format!("position startpos moves c3-d4 b6-a5\ngo {limits}\n"));
        let best = client.best_move();
        let legal = ["a3-b4", "b2-c3", "d2-c3", "d4-c5", "d4-e5", "e3-f4", "g3-f4", "g3-h4"];
        assert!(legal.contains(&&best[..]), "{limits}: {best}");
    }
    // Only the clock of the side to move limits the search.
    client.send("position startpos moves c3-d4\ngo wtime 99999999 btime 30\n");
    client.best_move();
    client.send("position fen W:Wc3:Bd4\ngo mate 1\n");
    assert_eq!(client.best_move(), "c3xe5");
    assert!(client.end().is_empty());
}

#[test]
fn searchmoves_restrict_the_root() {
    let mut client = russian();
    for (words, allowed) in [
        ("searchmoves g3-h4 depth 4", &["g3-h4"][..]),
        ("depth 4 searchmoves a3-b4 e3-d4", &["a3-b4", "e3-d4"]),
        ("searchmoves hello a3-b4 h8-g7 depth 4", &["a3-b4"]),
    ] {
        client.send(format!("position startpos\ngo {words}\n"));
        let best = client.best_move();
        assert!(allowed.contains(&&best[..]), "{words}: {best}");
    }
    assert!(client.end().is_empty());
}

/// A search goes on without invalid arguments, and reports them.
#[test]
fn invalid_limits_and_moves_are_reported() {
    let mut client = russian();
    client.send("position startpos\ngo depth 0 movetime soon searchmoves a3-b4 c3-x9 nodes 500\n");
    assert!(client.line().starts_with("info string depth needs a positive number"));
    assert!(client.line().starts_with("info string movetime needs a positive number"));
    assert!(client.line().starts_with("info string bad move: "));
    assert_eq!(client.best_move(), "a3-b4");
    assert!(client.end().is_empty());
}

/// The client expects a move, and does not expect that it must send `stop`.
#[test]
fn a_search_without_a_valid_limit_ends() {
    let mut client = russian();
    for (words, expected) in [
        ("foo", "info string go has no argument foo"),
        ("depth foo", "info string depth needs a positive number"),
        ("movetime", "info string movetime needs a positive number"),
    ] {
        client.send(format!("position startpos moves c3-d4\ngo {words}\n"));
        assert!(client.line().starts_with(expected), "{words}");
        client.best_move();
    }
    // Unknown words do not limit an infinite search.
    client.send("go infinite foo\nisready\n");
    let lines = client.until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    client.send("stop\n");
    client.best_move();
    assert!(client.end().is_empty());
}

/// Some shells write a byte order mark before piped input.
#[test]
fn a_byte_order_mark_is_skipped() {
    let mut client = russian();
    client.send("\u{FEFF}position fen W:Wc3:Bd4\ngo depth 1\n");
    assert_eq!(client.best_move(), "c3xe5");
    assert!(client.end().is_empty());
}

/// Moves are coordinates, castling is a move of the king, and mates are counted in moves.
#[test]
fn chess_is_written_as_in_other_programs() {
    let mut client = Client::uci(plain(Chess));
    for (fen, search, score, best) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "mate 1", "mate 1", "a1a8"),
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "depth 5", "mate -1", "h8h7"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "depth 2 searchmoves e1g1", "cp", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "depth 2 searchmoves O-O-O", "cp", "e8c8"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "searchmoves a7a8n depth 3", "cp", "a7a8n"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "depth 3", "cp 0", "0000"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "depth 3", "mate 0", "0000"),
    ] {
        client.send(format!("position fen {fen}\ngo {search}\n"));
        let lines = client.until("bestmove");
        let score = format!(" score {score}");
        assert!(lines[lines.len() - 2].contains(&score), "{fen}: {lines:?}");
        assert_eq!(lines[lines.len() - 1].split(' ').nth(1), Some(best), "{fen}");
    }
    // A search for a mate ends as soon as one is found: White mates with two rooks in two moves.
    client.send("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1\ngo mate 2\n");
    let lines = client.until("bestmove");
    let found = &lines[lines.len() - 2];
    assert!(found.contains(" score mate 2 ") || found.contains(" score mate 1 "), "{found}");
    // The 50-move rule counts from the halfmove clock of the position. Mate in two, Qa7 and Qg7, comes
    // in time after 97 plies, and not after 98.
    let queen = "position fen 7k/8/5K2/8/8/8/8/Q7 w - -";
    for (clock, is_drawn) in
        [("", false), ("0 80", false), ("97 80", false), ("98 80", true), ("100 80", true)]
    {
        client.send(format!("{queen} {clock}\ngo depth 4\n"));
        let lines = client.until("bestmove");
        let found = lines[lines.len() - 2].contains(" score cp 0 ");
        assert_eq!(found, is_drawn, "{clock}: {lines:?}");
    }
    // After 1. e4 e5 2. Qh5 Ke7 it is mate on e5.
    client.send("position startpos moves e2e4 e7e5 d1h5 e8e7\ngo movetime 1000\n");
    assert_eq!(client.best_move(), "h5e5");
    assert!(client.end().is_empty());
}

/// With `UCI_Chess960`, castling is written as the king's capture of its rook, also in standard chess. This
/// notation is read with and without the option.
#[test]
fn castling_is_written_as_the_option_wants_it() {
    let mut client = Client::uci(plain(Chess));
    let corners = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9";
    let chess960 = "4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1";
    for (option, fen, mv, best) in [
        ("false", corners, "e1h1", "e1g1"),
        ("true", corners, "e1g1", "e1h1"),
        ("true", corners, "e1a1", "e1a1"),
        ("true", chess960, "c1g1", "c1g1"),
        ("false", chess960, "O-O-O", "c1b1"),
    ] {
        client.send(format!("setoption name UCI_Chess960 value {option}\nposition fen {fen}\n"));
        client.send(format!("go depth 2 searchmoves {mv}\n"));
        let lines = client.until("bestmove");
        let [.., info, last] = &lines[..] else { panic!("{lines:?}") };
        assert!(info.contains(&format!(" pv {best}")), "{fen} {mv}: {info}");
        assert_eq!(last.split(' ').nth(1), Some(best), "{fen} {mv}");
    }
    client.send(format!("position fen {chess960} moves c1g1 e8d8 g1h1\ngo depth 1\n"));
    client.until("bestmove");
    assert!(client.end().is_empty());
}

/// Without a move, the client would lose its game.
#[test]
fn a_move_is_found_if_the_options_cannot_be_met() {
    let none = BookChoice::File("/no/such.book".into());
    for (settings, expected) in [
        (PlayerSettings { memory: usize::MAX, ..settings(Russian) }, "MiB of memory requested"),
        (PlayerSettings { book: none, ..settings(Russian) }, "/no/such.book"),
    ] {
        let mut client = Client::uci(settings);
        client.send("position startpos moves c3-d4\ngo depth 4\n");
        let why = client.line();
        assert!(why.starts_with("info string ") && why.contains(expected), "{why}");
        assert!(client.best_move().contains('-'));
        // The next search works in the same way, and the problem is not reported again.
        client.send("go depth 2 searchmoves h6-g5\n");
        let lines = client.until("bestmove");
        assert!(lines[lines.len() - 1].starts_with("bestmove h6-g5"), "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("info string")), "{lines:?}");
        assert!(client.end().is_empty());
    }
}

/// A client that continues after its position was refused does not wait for ever.
#[test]
fn without_a_position_there_is_no_move() {
    let mut client = russian();
    for wrong in ["fen W:Wx9:Ba1", "startpos moves c3-d5", "", "startpos moves c3-d4 c3-d4"] {
        client.send(format!("position startpos\nposition {wrong}\n"));
        assert!(client.line().starts_with("info string bad "), "{wrong}");
        client.send("go depth 3\n");
        assert_eq!(client.line(), "bestmove 0000", "{wrong}");
        assert!(client.line().starts_with("info string no position"), "{wrong}");
    }
    // White cannot move: it has lost.
    client.send("position fen W:Wa3:Bb4,c5\ngo depth 3\n");
    assert!(client.line().contains(" score mate 0 "));
    assert_eq!(client.line(), "bestmove 0000");
    // The start position need not be sent.
    let mut client = russian();
    client.send("go depth 1\n");
    assert!(client.best_move().contains('-'));
    assert!(client.end().is_empty());
}

/// A command that is not allowed during a search ends it, and each search is answered.
#[test]
fn other_commands_end_a_search() {
    let mut client = russian();
    for command in ["position startpos", "ucinewgame", "setoption name Hash value 1", "go depth 1"]
    {
        client.send(format!("position startpos\ngo infinite\n{command}\n"));
        client.best_move();
    }
    client.best_move();
    assert!(client.end().is_empty());
}

#[test]
fn the_book_answers_at_once_unless_the_search_is_restricted() {
    let mut client = russian();
    client.send("setoption name Book value own\nposition startpos\ngo depth 2\n");
    assert!(client.line().starts_with("bestmove "));
    for search in ["go infinite", "go searchmoves c3-d4 depth 2", "go ponder depth 2"] {
        client.send(format!("{search}\n"));
        assert!(client.line().starts_with("info depth"), "{search}");
        client.send("stop\n");
        client.best_move();
    }
    client.send("setoption name Book value /no/such/book\n");
    assert!(client.line().starts_with("info string /no/such/book"));
    client.send("setoption name Book value <empty>\ngo depth 2\n");
    assert!(client.line().starts_with("info depth"));
    client.best_move();
    assert!(client.end().is_empty());
}

#[test]
fn the_evaluation_is_read_from_a_file() {
    let mut client = russian();
    let mut score = |setting: &str| {
        client.send(format!("{setting}position startpos moves c3-d4 b6-a5\ngo depth 1\n"));
        let lines = client.until("bestmove");
        let words: Vec<_> = lines[0].split(' ').skip_while(|&word| word != "cp").collect();
        words[1].to_owned()
    };
    let built_in = score("");
    let place = tempfile::tempdir().unwrap();
    let weights = place.path().join("initial.weights");
    Russian.initial_weights().save(&weights).unwrap();
    let read = score(&format!("setoption name EvalFile value {}\n", weights.display()));
    assert_ne!(read, built_in);
    assert_eq!(score("setoption name EvalFile value <empty>\n"), built_in);
    client.send("setoption name EvalFile value /no/such/weights\n");
    assert!(client.line().starts_with("info string /no/such/weights"));
    assert!(client.end().is_empty());
}

/// Unknown words are skipped, and errors are reported by `info string`.
#[test]
fn hostile_lines_are_survived() {
    let mut client = russian();
    let ignored = ["", "  ", "\0\0", "hello", "register later", "register name x code 1", "UCI"];
    let reported = [
        "setoption",
        "setoption name",
        "setoption name nonsense value 1",
        "setoption name Hash",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999999",
        "setoption name Threads value -1",
        "setoption name Ponder value maybe",
        "setoption name TablePath value /no/such/directory",
        "setoption name Book value /",
        "position",
        "position fen",
        "position fen \u{1b}[31m \u{202e}",
        "position startpos moves e2e4",
        "position startpos moves \u{1b}",
    ];
    for (lines, answers) in [(&ignored[..], 1), (&reported[..], 2)] {
        for line in lines {
            client.send(format!("{line}\nisready\n"));
            let found = client.until("readyok");
            assert_eq!(found.len(), answers, "{line}: {found:?}");
            let sound = |found: &String| {
                found.starts_with("info string ") && !found.contains(char::is_control)
            };
            assert!(found[..answers - 1].iter().all(sound), "{line}: {found:?}");
        }
    }
    client.send(b"\xFF\xFE\n".iter().chain(&vec![b'x'; 1 << 20]).copied().collect::<Vec<_>>());
    client.send("\njoho isready\n");
    assert!(client.line().contains("a line has more than"));
    assert_eq!(client.line(), "readyok");
    client.send("debug on\nhello\ndebug off\nhello\nisready\n");
    assert_eq!([client.line(), client.line()], ["info string no command: hello", "readyok"]);
    assert!(client.end().is_empty());
}

/// The input may end anywhere, and a search ends with it.
#[test]
fn sessions_end_with_their_input() {
    let script = "uci\nsetoption name Hash value 1\nisready\nucinewgame\nposition startpos moves \
                  c3-d4\ngo depth 2\nisready\nstop\nposition startpos\ngo ponder\nponderhit\n\
                  stop\ngo infinite\n";
    for end in 0..=script.len() {
        let input = Cursor::new(script.as_bytes()[..end].to_vec());
        let ended = aside(move || {
            let mut output = Vec::new();
            uci::serve(input, &mut output, settings(Draughts::Russian)).map(|()| output)
        });
        let output = ended.recv_timeout(PATIENCE).expect("an end in time").unwrap();
        let output = String::from_utf8(output).unwrap();
        // A search that was started is answered once.
        let is_go = |line: &&str| line.split_whitespace().next() == Some("go");
        let searches = script[..end].split_inclusive('\n').filter(is_go).count();
        let answers = output.lines().filter(|line| line.starts_with("bestmove"));
        assert_eq!(answers.count(), searches, "{output}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the order of commands, each search is answered, and the session lasts until the end of its
    /// input.
    #[test]
    fn any_order_of_commands_is_survived(
        lines in prop::collection::vec(
            prop_oneof![
                Just("uci"), Just("isready"), Just("ucinewgame"), Just("stop"),
                Just("ponderhit"), Just("position startpos"), Just("position fen x"),
                Just("position startpos moves c3-d4 b6-a5"), Just("go depth 2"),
                Just("go nodes 99"), Just("go infinite"), Just("go ponder depth 3"),
                Just("go ponder movetime 3"), Just("go"), Just("debug on"), Just("\0"),
                Just("setoption name MultiPV value 2"), Just("setoption name Hash value 1"),
            ],
            0..30,
        )
    ) {
        let input = Cursor::new(lines.join("\n") + "\n");
        let ended = aside(move || {
            let mut output = Vec::new();
            uci::serve(input, &mut output, settings(Draughts::Pool)).map(|()| output)
        });
        let output = ended.recv_timeout(PATIENCE).expect("an end in time").unwrap();
        let output = String::from_utf8(output).unwrap();
        let words = ["id ", "option ", "uciok", "readyok", "info ", "bestmove "];
        prop_assert!(output.lines().all(|line| words.iter().any(|word| line.starts_with(word))));
        let searches = lines.iter().filter(|line| line.starts_with("go")).count();
        let answers = output.lines().filter(|line| line.starts_with("bestmove")).count();
        prop_assert_eq!(searches, answers);
    }
}

/// Two sessions play a whole game.
fn play<G: Playable>(game: G, limits: [&str; 2]) {
    let mut history = History::<G>::new(game.start());
    let mut clients = [(); 2].map(|()| Client::uci(plain(game)));
    let mut moves = String::new();
    while history.end().is_none() {
        let number = history.moves().len();
        let client = &mut clients[number % 2];
        client.send(format!("position startpos moves{moves}\ngo {}\n", limits[number % 2]));
        let best = client.best_move();
        let legal = history.position().moves().into_iter();
        let mv = legal.into_iter().find(|&mv| history.position().coordinates(mv) == best);
        history.play(mv.unwrap_or_else(|| panic!("{best} is not legal:{moves}")));
        moves += &format!(" {best}");
        assert!(number < 1000, "the game does not end");
    }
    let end = history.end();
    assert!(matches!(end, Some(GameEnd::Won(_) | GameEnd::Drawn(_))), "{end:?}");
    assert!(clients.map(Client::end).iter().all(Vec::is_empty));
}

#[test]
fn sessions_play_whole_games() {
    play(Alapo, ["depth 4", "nodes 2000"]);
    play(Chess, ["nodes 2000", "depth 3"]);
    play(Russian, ["wtime 1000 btime 1000 winc 2 binc 2", "movetime 12"]);
}
