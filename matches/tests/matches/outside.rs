//! Matches with other programs: games are played to the end, faults lose, and nothing hangs.

use damka_engine::{Control, PlayerSettings};
use damka_games::{Alapo, Draughts, Russian};
use damka_matches::{Entrant, Match, MatchError, Openings, Reason, Tally};
use damka_protocols::Fault;
use damka_protocols::dxp::{self, Options};
use damka_records::GameResult;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The time limit of everything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

fn planned(outside: &str) -> Match<Draughts> {
    let entrant = |name, text: &str| {
        let entrant = Entrant::new(Russian, name, text.parse().expect("settings"), None);
        entrant.expect("a player")
    };
    Match {
        entrants: [entrant("us", "depth=2,memory=1M"), entrant("them", outside)],
        openings: Openings::random(Russian, 4, 1),
        pairs: 2,
        seed: 1,
        concurrency: 1,
        longest: 200,
        tables: None,
        sprt: None,
    }
}

/// Plays a match on another thread. Returns its tally and the reasons for the ends of its games.
fn play(planned: Match<Draughts>) -> (Result<Tally, MatchError>, Vec<Reason>) {
    let (send, ended) = mpsc::channel();
    thread::spawn(move || {
        let mut reasons = Vec::new();
        let tally = planned.run(&Control::default(), |pair, _| {
            reasons.extend(pair.games.each_ref().map(|game| game.reason.clone()));
            ControlFlow::Continue(())
        });
        send.send((tally, reasons))
    });
    ended.recv_timeout(PATIENCE).expect("an end in time")
}

/// A scripted program for a protocol. It writes its process number to a file.
struct Script {
    place: TempDir,
    protocol: &'static str,
}

impl Script {
    /// The shell's commands for `hub`, `init` and `go think`.
    fn new(hub: &str, init: &str, go: &str) -> Script {
        Script::of("hub", &[("hub", hub), ("init", init), ("'go think'", go)])
    }

    /// The shell's commands for `uci`, and for what begins with `go`.
    fn uci(uci: &str, go: &str) -> Script {
        Script::of("uci", &[("uci", uci), ("isready", "echo readyok"), ("go*", go)])
    }

    fn of(protocol: &'static str, cases: &[(&str, &str)]) -> Script {
        let place = tempfile::tempdir().expect("a directory");
        let script = Script { place, protocol };
        let cases: String = cases.iter().map(|(line, go)| format!("{line}) {go};;\n")).collect();
        let text = format!(
            "echo $$ >> {}\nwhile read -r line; do echo \"$line\" >> {}; case \"$line\" in\n\
             {cases}quit) exit;;\nesac; done\n",
            script.path("pids").display(),
            script.path("heard").display()
        );
        fs::write(script.path("engine"), text).expect("a file");
        script
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// The settings of an entrant with this program.
    fn player(&self) -> String {
        format!("{}=sh {},time=20", self.protocol, self.path("engine").display())
    }

    /// The number of times that it was started. Checks that none of these processes is left.
    fn starts(&self) -> usize {
        let pids = fs::read_to_string(self.path("pids")).expect("numbers");
        for pid in pids.lines() {
            assert!(!Path::new("/proc").join(pid).exists(), "{pid} is still there");
        }
        pids.lines().count()
    }
}

#[test]
fn a_program_that_fails_loses_and_is_started_again() {
    for (go, fault) in [
        ("exit 3", Fault::Gone),
        ("sleep 1000", Fault::Silent),
        ("while :; do echo info depth=1; done", Fault::Silent),
        ("head -c 100000 /dev/zero; sleep 1000", Fault::Silent),
        ("head -c 100000 /dev/zero; echo", Fault::Nonsense("an endless line".into())),
        ("echo done move=1-32", Fault::IllegalMove("1-32".into())),
        ("echo done move=hello", Fault::Nonsense("not a move: hello".into())),
        ("echo done", Fault::Nonsense("`done` without a move".into())),
        ("printf 'error message=\"no \\033\"\\n'", Fault::Complaint("no \\u{1b}".into())),
        ("exec >&-; sleep 1000", Fault::Gone),
    ] {
        fails(&Script::new("echo wait", "echo ready", go), go, &fault);
    }
    for (go, fault) in [
        ("exit 3", Fault::Gone),
        ("sleep 1000", Fault::Silent),
        ("while :; do echo info depth 1; done", Fault::Silent),
        ("head -c 100000 /dev/zero; echo", Fault::Nonsense("an endless line".into())),
        ("echo bestmove a1b2 ponder b2c3", Fault::IllegalMove("a1b2".into())),
        ("printf 'bestmove \\033[31m\\n'", Fault::IllegalMove("\\u{1b}[31m".into())),
        ("echo bestmove", Fault::Nonsense("`bestmove` without a move".into())),
        ("echo 'bestmove (none)'", Fault::Nonsense("`bestmove` without a move".into())),
        ("echo bestmove 0000", Fault::Nonsense("`bestmove` without a move".into())),
    ] {
        fails(&Script::uci("echo uciok", go), go, &fault);
    }
}

/// Checks that a program loses both games by this fault, and is started for each game.
fn fails(script: &Script, go: &str, fault: &Fault) {
    let mut planned = planned(&script.player());
    planned.pairs = 1;
    let (tally, reasons) = play(planned);
    let tally = tally.expect(go);
    assert_eq!((tally.wins, tally.games()), (2, 2), "{go}");
    assert_eq!(reasons, [(); 2].map(|()| Reason::Fault(fault.clone())), "{go}");
    assert_eq!(script.starts(), 2, "{go}");
}

/// The input of a program with UCI: the options that it has, the opening, the limits.
#[test]
fn a_program_with_uci_gets_options_opening_and_limits() {
    let uci = "echo id name x; echo option name Hash type spin default 1 min 1 max 9; \
               echo option name Skill Level type spin default 20 min 0 max 20; echo uciok";
    let script = Script::uci(uci, "exit");
    let options = "memory=5M,depth=7,clock=9000+20,option.skill level=3";
    let mut planned = planned(&format!("{},{options}", script.player()));
    planned.pairs = 1;
    assert_eq!(play(planned).0.expect("a match").wins, 2);
    let heard = fs::read_to_string(script.path("heard")).expect("lines");
    let lines: Vec<_> = heard.lines().collect();
    let options = ["setoption name Hash value 5", "setoption name skill level value 3"];
    let first = [&["uci"], &options[..], &["isready", "ucinewgame", "isready"]].concat();
    assert_eq!(lines[..6], first, "{heard}");
    let (position, moves) = lines[6].split_once(" moves ").expect("moves");
    assert_eq!(position, "position startpos");
    assert!(moves.split(' ').count() >= 4, "{moves}");
    assert_eq!(lines[7], "go depth 7 movetime 20 wtime 9000 btime 9000 winc 20 binc 20");
}

#[test]
fn a_program_that_cannot_play_ends_the_match() {
    let them = |(tally, reasons): (Result<Tally, MatchError>, Vec<Reason>)| {
        assert!(reasons.is_empty());
        match tally.expect_err("no match") {
            MatchError::Player { player, fault } => {
                assert_eq!(player, "them");
                fault
            }
            other => panic!("{other}"),
        }
    };
    let known = "echo 'param name=variant type=enum values=\"normal frisian\"'; echo wait";
    for (hub, fault) in [
        ("exit", Fault::Gone),
        ("echo 'error message=\"go away\"'", Fault::Complaint("go away".into())),
        (known, Fault::OtherGame("russian, only normal frisian".into())),
    ] {
        let script = Script::new(hub, "echo ready", "exit");
        assert_eq!(them(play(planned(&script.player()))), fault);
        assert_eq!(script.starts(), 1);
    }
    let script = Script::uci("exit", "exit");
    assert_eq!(them(play(planned(&script.player()))), Fault::Gone);
    let script = Script::uci("echo uciok", "exit");
    let fault = them(play(planned(&format!("{},option.Elo=3", script.player()))));
    assert_eq!(fault, Fault::NoOption("Elo".into()));
    for protocol in ["hub", "uci"] {
        for command in ["/nowhere/engine", "/"] {
            let fault = them(play(planned(&format!("time=1,{protocol}={command}"))));
            let names_command = |text: &str| text.starts_with(command);
            assert!(matches!(&fault, Fault::NotStarted(text) if names_command(text)), "{fault}");
        }
    }
    let nobody = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = nobody.local_addr().expect("an address");
    drop(nobody);
    let fault = them(play(planned(&format!("time=1,dxp={address}"))));
    assert!(matches!(fault, Fault::NotStarted(_)), "{fault}");
}

#[test]
fn hub_and_dxp_are_for_draughts_only() {
    for text in ["time=1,hub=x", "time=1,dxp=localhost"] {
        let found = Entrant::new(Alapo, "x", text.parse().expect("settings"), None);
        assert!(matches!(found, Err(MatchError::NoProtocol("alapo"))));
    }
    let uci = Entrant::new(Alapo, "x", "time=1,uci=x".parse().expect("settings"), None);
    assert!(uci.is_ok());
}

/// A match that is stopped does not wait for a program.
#[test]
fn a_hanging_program_does_not_keep_a_match_from_ending() {
    for script in [
        Script::new("sleep 1000", "echo ready", "true"),
        Script::new("echo wait", "echo ready", "sleep 1000"),
        Script::uci("sleep 1000", "true"),
        Script::uci("echo uciok", "sleep 1000"),
    ] {
        let planned = planned(&script.player().replace("time=20", "time=99999999"));
        let (send, ended) = mpsc::channel();
        let pids = script.path("pids");
        thread::spawn(move || {
            let control = Control::default();
            let tally = thread::scope(|scope| {
                scope.spawn(|| {
                    while !pids.exists() {
                        thread::sleep(Duration::from_millis(10));
                    }
                    thread::sleep(Duration::from_millis(200));
                    control.stop();
                });
                planned.run(&control, |_, _| ControlFlow::Continue(()))
            });
            send.send(tally)
        });
        let tally = ended.recv_timeout(PATIENCE).expect("an end in time").expect("no failure");
        assert_eq!(tally, Tally::default());
        assert_eq!(script.starts(), 1);
    }
}

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    (listener, address.to_string())
}

#[test]
fn a_match_is_played_by_dxp() {
    let (listener, address) = listener();
    let followed = thread::spawn(move || {
        let settings = PlayerSettings { memory: 1 << 18, ..PlayerSettings::new(Draughts::Russian) };
        let move_time = Some(Duration::from_millis(2));
        let options = Options {
            settings,
            numbering: None,
            move_time,
            longest_move: PATIENCE,
            patience: PATIENCE,
        };
        let (stream, _) = listener.accept().expect("a connection");
        dxp::prepare(&stream).expect("a stream");
        let mut outcomes = Vec::new();
        let ended = dxp::follow(stream, &options, |outcome| outcomes.push(outcome.clone()));
        (ended, outcomes)
    });
    let (tally, reasons) = play(planned(&format!("dxp={address},clock=60000+0")));
    let (ended, outcomes) = followed.join().expect("no panic");
    assert!(ended.is_ok(), "{ended:?}");
    let tally = tally.expect("a match");
    assert_eq!((tally.games(), outcomes.len()), (4, 4));
    let fair =
        |reason: &Reason| matches!(reason, Reason::Stuck | Reason::Rules(_) | Reason::TooLong);
    assert!(reasons.iter().all(fair), "{reasons:?}");
    // Both sides report the same results.
    let draws = outcomes.iter().filter(|outcome| outcome.result == GameResult::Draw);
    assert_eq!(draws.count() as u64, tally.draws);
}

/// A program that answers each of two connections with these bytes, and closes it or waits.
fn answering(bytes: String, hangs_up: bool) -> String {
    let (listener, address) = listener();
    thread::spawn(move || {
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().expect("a connection");
            stream.write_all(bytes.as_bytes()).expect("it is written");
            if !hangs_up {
                let _ = stream.read_to_end(&mut Vec::new());
            }
        }
    });
    address
}

fn answer(code: char) -> String {
    format!("A{:32}{code}\0", "Fake")
}

#[test]
fn a_dxp_program_that_fails_loses() {
    for (answers, hangs_up, fault) in [
        ("", true, Fault::Gone),
        ("", false, Fault::Silent),
        ("E01\0", false, Fault::Gone),
        ("E20\0", false, Fault::EndedGame),
        ("M0000013200\0", false, Fault::IllegalMove("1-32".into())),
        ("K0\0", false, Fault::Nonsense("the message `K0` is not allowed now".into())),
        ("hm\0", false, Fault::Nonsense("not a message of the protocol: `hm`".into())),
    ] {
        let address = answering(answer('0') + answers, hangs_up);
        let mut planned = planned(&format!("dxp={address},time=20"));
        planned.pairs = 1;
        let (tally, reasons) = play(planned);
        assert_eq!(tally.expect("a match").wins, 2, "{answers}");
        assert_eq!(reasons, [Reason::Fault(fault.clone()), Reason::Fault(fault)], "{answers}");
    }
}

#[test]
fn a_dxp_program_that_refuses_ends_the_match() {
    let address = answering(answer('2'), false);
    let (tally, _) = play(planned(&format!("dxp={address},time=20")));
    let error = tally.expect_err("no match").to_string();
    assert_eq!(error, "player them does not want to play: code 2");
}

#[test]
fn a_dxp_program_may_resign() {
    let (listener, address) = listener();
    let resigns = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a connection");
        let mut requests = 0;
        for message in BufReader::new(&stream).split(0) {
            let message = message.expect("a message");
            let is_its_turn = match message[0] {
                b'R' => {
                    requests += 1;
                    (&stream).write_all(answer('0').as_bytes()).expect("it is written");
                    // Its colour, and the side to move in the position that is sent.
                    message[35] == message[43]
                }
                first => first == b'M',
            };
            if is_its_turn {
                (&stream).write_all(b"E10\0").expect("it is written");
            }
        }
        requests
    });
    let (tally, reasons) = play(planned(&format!("dxp={address},time=20")));
    assert_eq!(tally.expect("a match").wins, 4);
    assert_eq!(reasons, [const { Reason::Resigned }; 4]);
    assert_eq!(resigns.join().expect("no panic"), 4);
}
