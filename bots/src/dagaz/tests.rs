//! The bot against a server with made-up answers.

use super::scripted::{Request, Scripted, answer};
use super::{Account, Dagaz, bot};
use crate::testing::logged;
use crate::{Bot, BotError, BotOptions, Pace, Password, SeekOptions};
use damka_engine::{Control, PlayerSettings};
use damka_games::{Alapo, AnyGame, Random};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const START: &str = "?turn=0;&setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w";

fn account(url: &str) -> Account {
    Account::new(url, "bot", Password::new("s3cret"))
}

fn options() -> BotOptions {
    const MILLI: Duration = Duration::from_millis(1);
    BotOptions {
        settings: PlayerSettings { memory: 1 << 20, ..PlayerSettings::new(()) },
        move_time: Some(MILLI),
        pace: Pace {
            poll: 2 * MILLI,
            seek: 5 * MILLI,
            back_off: MILLI,
            longest_back_off: 60_000 * MILLI,
            connect: 500 * MILLI,
            call: 500 * MILLI,
            ..Pace::default()
        },
        ..BotOptions::new([AnyGame::Alapo(Alapo)])
    }
}

/// A bot with these options on the server at `url`.
fn bot_with(url: &str, options: BotOptions) -> Bot<Dagaz> {
    bot(account(url), options).expect("a bot")
}

fn usual_bot(url: &str) -> Bot<Dagaz> {
    bot_with(url, options())
}

/// Runs a bot until a condition holds.
fn run_until(bot: &Bot<Dagaz>, is_so: impl Fn() -> bool + Sync) {
    let stop = Control::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            let end = Instant::now() + Duration::from_secs(60);
            while !is_so() && Instant::now() < end {
                thread::sleep(Duration::from_millis(1));
            }
            stop.stop();
        });
        bot.run(&stop).expect("a bot that begins");
    });
    assert!(is_so(), "it took too long");
}

fn login() -> Vec<u8> {
    answer(201, r#"{"access_token":"t","user_id":"7"}"#)
}

/// A session in which White is to make the first move.
fn session(what: &str) -> Option<Vec<u8>> {
    let row = json!({"id": "5", "status": "2", "variant_id": 134, "last_setup": START,
        "last_turn": 0, "player_name": "bot (1) / Anna (2)"});
    let recovery = json!({"id": 5, "uid": "11", "player_num": 1, "last_setup": START,
        "last_turn": "0", "variant_id": "134"});
    let body = match what {
        "POST /api/auth/login" => return Some(login()),
        "GET /api/session/current" => json!([row]),
        "POST /api/session/recovery" => recovery,
        "GET /api/session/export/5" | "GET /api/move/confirmed/11" => json!([]),
        _ => return None,
    };
    Some(answer(200, &body.to_string()))
}

fn count(server: &Scripted, what: &str) -> usize {
    server.paths().iter().filter(|path| *path == what).count()
}

/// Property: no answers make the bot panic or stop.
#[test]
fn any_answers_are_survived() {
    for seed in 0..8 {
        let numbers = AtomicUsize::new(0);
        let server = Scripted::new(move |request: &Request| {
            let number = numbers.fetch_add(1, Ordering::Relaxed);
            let mut random = Random::numbered(seed, number as u64);
            let sound = session(&request.what).unwrap_or_else(|| answer(201, r#"{"id":1}"#));
            match random.below(10) {
                // The first login must succeed.
                _ if number == 0 => login(),
                0 => Vec::new(),
                1 => answer(200, "<!doctype html><html></html>"),
                2 => answer(200, ""),
                3 => {
                    let status = [400, 401, 403, 404, 500, 502, 302, 101][random.below(8) as usize];
                    answer(status, ["", "{}", r#"{"statusCode":403}"#][random.below(3) as usize])
                }
                4 => answer(200, &any_value(&mut random, 3).to_string()),
                5 => {
                    let length = random.below(sound.len() as u64 + 1) as usize;
                    sound[..length].to_vec()
                }
                6 => {
                    let mut bytes = sound;
                    let at = random.below(bytes.len() as u64) as usize;
                    bytes[at] = random.below(256) as u8;
                    bytes
                }
                _ => sound,
            }
        });
        let seek =
            SeekOptions { create: true, accept: true, tournaments: true, ..SeekOptions::default() };
        let mut options = BotOptions { seek, ..options() };
        options.pace.longest_back_off = Duration::from_millis(10);
        let bot = bot_with(&server.url, options);
        run_until(&bot, || server.paths().len() > 150);
    }
}

fn any_value(random: &mut Random, depth: u64) -> Value {
    const KEYS: [&str; 10] = [
        "id",
        "uid",
        "status",
        "variant_id",
        "last_setup",
        "last_turn",
        "player_num",
        "time_limit",
        "result_id",
        "access_token",
    ];
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => random.below(200).into(),
        2 => (-(random.below(1 << 40) as i64)).into(),
        3 => START.into(),
        4 => "\u{1b}[2J\u{202e}".into(),
        5 => (0..random.below(4)).map(|_| any_value(random, depth - 1)).collect(),
        _ => {
            let fields = (0..random.below(6)).map(|_| {
                let key = KEYS[random.below(KEYS.len() as u64) as usize];
                (key.to_owned(), any_value(random, depth - 1))
            });
            Value::Object(fields.collect())
        }
    }
}

#[test]
fn a_move_is_sent_once_and_not_again_while_the_list_is_late() {
    let server = Scripted::new(|request| {
        session(&request.what).unwrap_or_else(|| answer(201, r#"{"id":1}"#))
    });
    run_until(&usual_bot(&server.url), || count(&server, "GET /api/session/current") > 3);
    assert_eq!(count(&server, "POST /api/move"), 1);
    assert_eq!(count(&server, "POST /api/session/recovery"), 1);
    let requests = server.requests.lock().expect("no panic");
    let sent = requests.iter().find(|request| request.what == "POST /api/move").expect("a move");
    let sent: Value = serde_json::from_str(&sent.body).expect("JSON");
    assert_eq!(
        (&sent["uid"], &sent["turn_num"], &sent["next_player"]),
        (&json!(11), &json!(1), &json!(2))
    );
    assert!(sent["setup_str"].as_str().is_some_and(|setup| setup.starts_with("?turn=1;&setup=")));
}

/// The answer to a move is lost, or demands a login. The record shows whether the move was stored:
/// if so, no second one is sent, otherwise the same one is sent again.
#[test]
fn a_move_that_may_have_arrived_is_not_repeated_blindly() {
    let answers = || [Vec::new(), answer(401, r#"{"statusCode":401}"#)];
    for (is_stored, first) in [true, false].into_iter().flat_map(|is| answers().map(|a| (is, a))) {
        let moves = AtomicUsize::new(0);
        let server = Scripted::new(move |request| match request.what.as_str() {
            "POST /api/move" => match moves.fetch_add(1, Ordering::SeqCst) {
                0 => first.clone(),
                _ => answer(201, r#"{"id":1}"#),
            },
            "GET /api/session/export/5" if is_stored && moves.load(Ordering::SeqCst) > 0 => {
                answer(200, r#"[{"turn":"1","player":"1","move":"a2-a3"}]"#)
            }
            what => session(what).unwrap_or_else(|| answer(200, "{}")),
        });
        let expected = if is_stored { 1 } else { 2 };
        run_until(&usual_bot(&server.url), || {
            count(&server, "POST /api/move") == expected
                && count(&server, "GET /api/session/export/5") >= 2
        });
        let requests = server.requests.lock().expect("no panic");
        let moves = requests.iter().filter(|request| request.what == "POST /api/move");
        let mut sent: Vec<&str> = moves.map(|request| request.body.as_str()).collect();
        assert_eq!(sent.len(), expected);
        sent.dedup();
        assert_eq!(sent.len(), 1);
        let recoveries =
            requests.iter().filter(|request| request.what.ends_with("recovery")).count();
        assert_eq!(recoveries, expected);
    }
}

/// No answer arrives in time, and the record does not have the move. The move may still be under way. If it
/// were sent again too early, the server could store both copies.
#[test]
fn a_move_that_may_be_under_way_does_not_meet_itself() {
    let moves = Arc::new(Mutex::new(Vec::new()));
    let sent = Arc::clone(&moves);
    let server = Scripted::new(move |request| match request.what.as_str() {
        "POST /api/move" => {
            let number = {
                let mut sent = sent.lock().expect("no panic");
                sent.push(Instant::now());
                sent.len()
            };
            if number == 1 {
                thread::sleep(Duration::from_secs(2));
            }
            answer(201, r#"{"id":1}"#)
        }
        what => session(what).unwrap_or_else(|| answer(200, "{}")),
    });
    let options = options();
    let longest = options.pace.call;
    let bot = bot_with(&server.url, options);
    run_until(&bot, || moves.lock().expect("no panic").len() == 2);
    let moves = moves.lock().expect("no panic");
    assert!(moves[1] - moves[0] >= 2 * longest, "{:?}", moves[1] - moves[0]);
}

#[test]
fn an_expired_token_is_replaced() {
    let logins = AtomicUsize::new(0);
    let server = Scripted::new(move |request| match request.what.as_str() {
        "POST /api/auth/login" => {
            let number = logins.fetch_add(1, Ordering::SeqCst);
            answer(201, &format!(r#"{{"access_token":"t{number}"}}"#))
        }
        _ if request.token == "Bearer t0" => answer(401, r#"{"statusCode":401}"#),
        _ if request.token == "Bearer t1" => answer(403, r#"{"statusCode":403}"#),
        what => session(what).unwrap_or_else(|| answer(201, r#"{"id":1}"#)),
    });
    run_until(&usual_bot(&server.url), || count(&server, "POST /api/move") == 1);
    assert_eq!(count(&server, "POST /api/auth/login"), 3);
}

/// With one search and one list an hour, all three games of the list are played.
#[test]
fn an_idle_worker_takes_the_next_turn_of_the_list() {
    let rows = [5, 6, 7].map(
        |id| json!({"id": id, "status": 2, "variant_id": 134, "last_setup": START, "last_turn": 0}),
    );
    let rows = answer(200, &json!(rows).to_string());
    let answers = move |request: &Request| match request.what.as_str() {
        "GET /api/session/current" => rows.clone(),
        "POST /api/session/recovery" => {
            let body: Value = serde_json::from_str(&request.body).expect("JSON");
            let recovery = json!({"id": body["id"], "uid": body["id"], "player_num": 1,
                "last_setup": START, "last_turn": 0});
            answer(200, &recovery.to_string())
        }
        "POST /api/auth/login" => login(),
        "POST /api/move" => answer(201, r#"{"id":1}"#),
        _ => answer(200, "[]"),
    };
    let server = Scripted::new(answers.clone());
    let mut slow = options();
    slow.pace.poll = Duration::from_secs(3600);
    let bot = bot_with(&server.url, slow);
    run_until(&bot, || count(&server, "POST /api/move") == 3);
    assert_eq!(count(&server, "GET /api/session/current"), 1);
    // With `once`, each turn is taken only once, although the list stays the same.
    let server = Scripted::new(answers);
    let once = BotOptions { once: true, ..options() };
    bot_with(&server.url, once).run(&Control::default()).expect("three turns");
    assert_eq!(count(&server, "POST /api/move"), 3);
    assert_eq!(count(&server, "GET /api/session/current"), 1);
}

/// With `once` a failed turn is an error.
#[test]
fn a_failed_turn_is_an_error_with_once() {
    let server = Scripted::new(|request| match request.what.as_str() {
        "POST /api/session/recovery" => answer(500, ""),
        what => session(what).unwrap_or_else(|| answer(200, "[]")),
    });
    let once = BotOptions { once: true, ..options() };
    let error = bot_with(&server.url, once).run(&Control::default());
    assert!(matches!(error, Err(BotError::Unfinished(1))), "{error:?}");
}

/// An answer about another session is ignored.
#[test]
fn a_recovery_of_another_session_is_an_error() {
    let server = Scripted::new(|request| match request.what.as_str() {
        "GET /api/session/current" => {
            let row = json!({"id": 6, "status": 2, "variant_id": 134, "last_setup": START});
            answer(200, &json!([row]).to_string())
        }
        what => session(what).unwrap_or_else(|| answer(200, "[]")),
    });
    let once = BotOptions { once: true, ..options() };
    let error = bot_with(&server.url, once).run(&Control::default());
    assert!(matches!(error, Err(BotError::Unfinished(1))), "{error:?}");
    assert_eq!(count(&server, "POST /api/move"), 0);
}

/// A draw is offered in the start position, where it is declined, and in a position that is nearly lost,
/// where it is accepted.
#[test]
fn an_offer_is_answered_before_the_move() {
    let lost = "?turn=0;&setup=6/6/5k/1r3q/6/F5 w";
    for (setup, answered) in [
        (START, vec!["POST /api/move/accept", "POST /api/move"]),
        (lost, vec!["POST /api/session/close", "POST /api/move/accept"]),
    ] {
        let server = Scripted::new(move |request| match request.what.as_str() {
            "GET /api/move/confirmed/11" => answer(200, r#"[{"turn_num":1,"result_id":"3"}]"#),
            "POST /api/auth/login" => login(),
            what => {
                let sound = session(what).unwrap_or_else(|| answer(201, r#"{"id":1}"#));
                let text = String::from_utf8(sound).expect("text");
                let body = text.split("\r\n\r\n").nth(1).expect("a body");
                answer(200, &body.replace(START, setup))
            }
        });
        let options = BotOptions { move_time: Some(Duration::from_millis(300)), ..options() };
        let bot = bot_with(&server.url, options);
        run_until(&bot, || server.paths().iter().any(|path| path == answered[1]));
        let paths = server.paths();
        let of = ["POST /api/session/close", "POST /api/move/accept", "POST /api/move"];
        let sent: Vec<&String> = paths.iter().filter(|path| of.contains(&path.as_str())).collect();
        assert_eq!(sent[..2], answered);
    }
}

/// An offer is not tried again if the server refuses it, but is if the server fails.
#[test]
fn offers_are_tried_again_only_after_failures_of_the_server() {
    for (status, is_final) in [(404, true), (403, true), (500, false)] {
        let server = Scripted::new(move |request| match request.what.as_str() {
            "POST /api/auth/login" => login(),
            "GET /api/tournament/game/30/134" => answer(200, r#"[{"id":3,"title":"Cup"}]"#),
            "POST /api/tournament/join" => answer(status, ""),
            _ => answer(200, "[]"),
        });
        let seek = SeekOptions { tournaments: true, ..SeekOptions::default() };
        let bot = bot_with(&server.url, BotOptions { seek, ..options() });
        run_until(&bot, || count(&server, "GET /api/tournament/game/30/134") > 5);
        assert_eq!(count(&server, "POST /api/tournament/join") == 1, is_final, "{status}");
    }
}

/// Many games wait, and none can be joined.
#[test]
fn few_games_are_tried_at_a_time() {
    let waiting: Vec<Value> = (1..1000).map(|id| json!({"id": id, "status": 1})).collect();
    let waiting = answer(200, &Value::from(waiting).to_string());
    for status in [404, 500] {
        let waiting = waiting.clone();
        let server = Scripted::new(move |request| match request.what.as_str() {
            "POST /api/auth/login" => login(),
            "GET /api/session/waiting/30/134" => waiting.clone(),
            "POST /api/join" => answer(status, ""),
            _ => answer(200, "[]"),
        });
        let seek = SeekOptions { accept: true, max_games: 3, ..SeekOptions::default() };
        let options = BotOptions { seek, once: true, ..options() };
        bot_with(&server.url, options).run(&Control::default()).expect("a look");
        assert_eq!(count(&server, "POST /api/join"), 3, "{status}");
    }
}

#[test]
fn a_dry_run_changes_nothing() {
    let server = Scripted::new(|request| {
        session(&request.what).unwrap_or_else(|| answer(200, r#"[{"id":3,"status":1}]"#))
    });
    let seek =
        SeekOptions { create: true, accept: true, tournaments: true, ..SeekOptions::default() };
    let options = BotOptions { dry_run: true, seek, ..options() };
    bot_with(&server.url, options).run(&Control::default()).expect("a dry run");
    let posts = server.paths().into_iter().filter(|path| path.starts_with("POST"));
    assert_eq!(posts.collect::<Vec<_>>(), ["POST /api/auth/login"]);
}

#[test]
fn errors_at_the_start_are_returned() {
    let stop = Control::default();
    for (login, is_refused) in [
        (answer(401, r#"{"statusCode":401}"#), true),
        (answer(200, "<html>"), false),
        (answer(201, "{}"), false),
        (answer(201, r#"{"access_token":1}"#), false),
        (answer(302, r#"{"access_token":"new-token"}"#), false),
        (answer(201, r#"{"access_token":"new-token",}"#), false),
        (answer(201, r#"{"access_token":"a\nb"}"#), false),
        (answer(500, ""), false),
        (Vec::new(), false),
    ] {
        let server = Scripted::new(move |_| login.clone());
        let error = usual_bot(&server.url).run(&stop).expect_err("no login");
        assert_eq!(matches!(error, BotError::Login { .. }), is_refused, "{error}");
        let error = error.to_string();
        assert!(!error.contains("s3cret") && !error.contains("new-token"), "{error}");
    }
    let none = BotOptions { games: Vec::new(), ..options() };
    assert!(matches!(bot(account("http://a"), none), Err(BotError::NoGame(_))));
    let pool = BotOptions { games: vec!["pool".parse().expect("a game")], ..options() };
    assert!(matches!(bot(account("http://a"), pool), Err(BotError::Game { game: "pool", .. })));
}

/// The server has stored a move, but the list does not show it. The move is taken back after a while and
/// played again, unless an arbiter is to confirm it.
#[test]
fn a_move_that_is_not_passed_on_is_taken_back() {
    for arbiter in [false, true] {
        let times = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&times);
        let server = Scripted::new(move |request| {
            let mut times = seen.lock().expect("no panic");
            match request.what.as_str() {
                what @ ("POST /api/move" | "POST /api/move/undo/11") => {
                    times.push((what.to_owned(), Instant::now()));
                    answer(201, r#"{"id":1}"#)
                }
                "GET /api/session/export/5" => match times.len() % 2 {
                    0 => answer(200, "[]"),
                    _ => answer(200, r#"[{"turn":1,"player":1,"move":"a2-a3"}]"#),
                },
                what => session(what).unwrap_or_else(|| answer(200, "{}")),
            }
        });
        let account = Account { arbiter, ..account(&server.url) };
        let mut options = options();
        options.pace.longest_back_off = Duration::from_millis(10);
        options.pace.undo = Duration::from_millis(300);
        let bot = bot(account, options).expect("a bot");
        match arbiter {
            true => run_until(&bot, || count(&server, "GET /api/session/export/5") > 60),
            false => run_until(&bot, || count(&server, "POST /api/move") > 1),
        }
        let times = times.lock().expect("no panic");
        let what: Vec<&str> = times.iter().map(|(what, _)| what.as_str()).collect();
        match arbiter {
            true => assert_eq!(what, ["POST /api/move"]),
            false => {
                assert_eq!(
                    what[..3],
                    ["POST /api/move", "POST /api/move/undo/11", "POST /api/move"]
                );
                assert!(times[1].1 - times[0].1 >= Duration::from_millis(300));
            }
        }
    }
}

/// After a position without named fields, the bot sends one without named fields.
#[test]
fn a_position_without_fields_is_played() {
    let bare = "rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w";
    let server = Scripted::new(move |request| {
        let sound = session(&request.what).unwrap_or_else(|| answer(201, r#"{"id":1}"#));
        let text = String::from_utf8(sound).expect("text");
        let body = text.split("\r\n\r\n").nth(1).expect("a body");
        answer(200, &body.replace(START, bare))
    });
    run_until(&usual_bot(&server.url), || count(&server, "POST /api/move") == 1);
    let requests = server.requests.lock().expect("no panic");
    let sent = requests.iter().find(|request| request.what == "POST /api/move").expect("a move");
    let sent: Value = serde_json::from_str(&sent.body).expect("JSON");
    let setup = sent["setup_str"].as_str().expect("a position");
    assert!(setup.ends_with(" b") && !setup.contains('='), "{setup}");
}

/// The bot sends the start position, unless there is an arbiter.
#[test]
fn a_session_without_a_position_waits_for_the_arbiter() {
    for arbiter in [true, false] {
        let server = Scripted::new(|request| match request.what.as_str() {
            "GET /api/session/current" => {
                answer(200, r#"[{"id":5,"status":2,"variant_id":134,"last_setup":null}]"#)
            }
            what => session(what).unwrap_or_else(|| answer(200, "{}")),
        });
        let account = Account { arbiter, ..account(&server.url) };
        let mut options = options();
        options.pace.longest_back_off = Duration::from_millis(5);
        let bot = bot(account, options).expect("a bot");
        run_until(&bot, || count(&server, "GET /api/session/current") > 20);
        assert_eq!(count(&server, "POST /api/session/recovery") == 0, arbiter);
    }
}

/// Two games of Alapo are open, so the next ones are of other kinds.
#[test]
fn games_are_created_where_the_fewest_are_open() {
    let server = Scripted::new(|request| match request.what.as_str() {
        "POST /api/auth/login" => login(),
        "GET /api/session/my" => answer(
            200,
            r#"[{"id":1,"status":2,"variant_id":134},{"id":2,"status":2,"variant_id":134},
                {"id":3,"status":2,"variant_id":3},{"id":4,"status":3,"variant_id":31}]"#,
        ),
        _ => answer(200, "[]"),
    });
    let seek = SeekOptions { create: true, max_games: 6, ..SeekOptions::default() };
    let games = ["alapo", "russian", "chess", "english"].map(|name| name.parse().expect("a game"));
    let options = BotOptions { seek, once: true, games: games.to_vec(), ..options() };
    bot_with(&server.url, options).run(&Control::default()).expect("a look");
    let requests = server.requests.lock().expect("no panic");
    let created = requests.iter().filter(|request| request.what == "POST /api/session");
    let created =
        created.map(|request| serde_json::from_str::<Value>(&request.body).expect("JSON"));
    let created: Vec<String> = created.map(|body| body["variant_id"].to_string()).collect();
    assert_eq!(created, ["31", "45", "3"]);
}

#[test]
fn the_summary_counts_moves_and_failures() {
    let server = Scripted::new(|request| {
        session(&request.what).unwrap_or_else(|| answer(500, r#"{"id":1}"#))
    });
    let bot = usual_bot(&server.url);
    let log = logged(|| bot.log_summary(3));
    assert!(log.contains("INFO summary open=3 moves=0 failures=0"), "{log}");
    run_until(&bot, || count(&server, "POST /api/move") > 0);
    let log = logged(|| bot.log_summary(3));
    assert!(log.contains("moves=0 failures=") && log.contains("last_success_s=0"), "{log}");
    assert!(!log.contains("failures=0"), "{log}");
}

/// A token that is too long is refused at once. A stop ends a login that is not answered.
#[test]
fn a_login_does_not_hang() {
    let long = json!({"access_token": "a".repeat(5_000)}).to_string();
    let server = Scripted::new(move |_| answer(201, &long));
    let error = usual_bot(&server.url).run(&Control::default()).expect_err("no login");
    assert!(error.to_string().contains("a token of 5000 bytes"), "{error}");
    let server = Scripted::new(|_| {
        thread::sleep(Duration::from_secs(60));
        login()
    });
    let mut slow = options();
    slow.pace.call = Duration::from_secs(60);
    let started = Instant::now();
    run_until(&bot_with(&server.url, slow), || count(&server, "POST /api/auth/login") == 1);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}
