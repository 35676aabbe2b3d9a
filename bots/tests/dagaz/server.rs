//! The mock itself: the server's oddities, and the referee's findings.

use super::arena::PASSWORDS;
use super::client::Client;
use super::{ALAPO, CHESS, RUSSIAN};
use damka_tests::dagaz::{Breach, Ending, Mock, TimeControl, site};
use serde_json::{Value, json};

/// A server with a game between two users, who are logged in.
struct Table {
    mock: Mock,
    session: i64,
}

impl Table {
    fn new(variant: i64, setup: &str) -> Table {
        let mock = Mock::new();
        let users = [0, 1].map(|i| mock.add_user(["white", "black"][i], PASSWORDS[i]));
        let session = mock.add_game_at(variant, users, setup);
        Table { mock, session }
    }

    fn client(&self, user: usize) -> Client<'_> {
        Client::login(&self.mock, ["white", "black"][user], PASSWORDS[user], "test")
    }

    fn uid(&self, player: usize) -> i64 {
        self.mock.game(self.session).uids[player].expect("a seat")
    }

    /// A legal move of the player to move.
    fn step(&self) -> site::Step {
        let game = self.mock.game(self.session);
        let judged = site::judge(game.variant, &game.setup.expect("a position"));
        judged.expect("a position").steps.swap_remove(0)
    }

    /// The body of a request that makes a move.
    fn body(&self, player: usize, turn: i64, step: &site::Step) -> Value {
        json!({"uid": self.uid(player), "turn_num": turn, "move_str": step.names[0],
            "setup_str": step.after, "next_player": 2 - player as i64})
    }

    fn recovery(&self, user: usize) -> Value {
        let body = json!({"id": self.session, "setup_required": true, "ai": true});
        let (status, answer) = self.client(user).post("/session/recovery", body);
        assert_eq!(status, 200, "{answer}");
        answer
    }

    fn breaches(&self) -> Vec<Breach> {
        self.mock.violations().into_iter().map(|violation| violation.breach).collect()
    }
}

#[test]
fn legal_moves_break_no_rule() {
    for variant in super::VARIANTS {
        let table = Table::new(variant, &site::start(variant));
        for turn in 1..=40 {
            let player = (turn as usize + 1) % 2;
            let body = table.body(player, turn, &table.step());
            assert_eq!(table.client(player).post("/move", body).0, 201);
        }
        assert_eq!(table.breaches(), []);
    }
}

#[test]
fn the_referee_sees_moves_that_are_wrong() {
    let start = site::start(ALAPO);
    let cases: [(Breach, &str, Value); 5] = [
        (Breach::IllegalMove, "an illegal move", json!({"move_str": "a2-a4"})),
        (Breach::IllegalMove, "no move at all", json!({"move_str": "pass"})),
        (Breach::WrongPosition, "another position", json!({"setup_str": start})),
        (Breach::WrongPosition, "the mover again", json!({"next_player": 1})),
        (Breach::NoTurnNumber, "no number", json!({"turn_num": null})),
    ];
    for (breach, what, change) in cases {
        let table = Table::new(ALAPO, &start);
        let mut body = table.body(0, 1, &table.step());
        for (name, value) in change.as_object().expect("fields") {
            body[name] = value.clone();
        }
        assert_eq!(table.client(0).post("/move", body).0, 201, "the server takes {what}");
        assert_eq!(table.breaches(), [breach], "{what}");
    }
}

#[test]
fn the_referee_sees_who_moves_out_of_turn() {
    let table = Table::new(ALAPO, &site::start(ALAPO));
    let (first, second) = (table.client(0), table.client(1));
    let body = table.body(0, 1, &table.step());
    assert_eq!(first.post("/move", body.clone()).0, 201);
    // A repeated move is refused by its number; with another number it is a second move.
    assert_eq!(first.post("/move", body.clone()), (403, Value::Null));
    let mut again = body;
    again["turn_num"] = 2.into();
    assert_eq!(first.post("/move", again).0, 201);
    assert_eq!(table.breaches(), [Breach::OutOfTurn]);
    let mut late = table.body(1, 3, &table.step());
    table.mock.close(table.session);
    assert_eq!(second.post("/move", late.clone()).0, 201, "others have ended it meanwhile");
    assert_eq!(table.breaches(), [Breach::OutOfTurn]);
    late["turn_num"] = 4.into();
    assert_eq!(table.mock.game(table.session).moves.len(), 3);
}

#[test]
fn several_equal_moves_sent_at_once_may_all_be_stored() {
    let table = Table::new(ALAPO, &site::start(ALAPO));
    let body = table.body(0, 1, &table.step());
    let clients: Vec<Client<'_>> = (0..8).map(|_| table.client(0)).collect();
    std::thread::scope(|scope| {
        for client in &clients {
            scope.spawn(|| client.post("/move", body.clone()));
        }
    });
    let stored = table.mock.game(table.session).moves.len();
    assert_eq!(table.breaches().len(), stored - 1, "all but the first are out of turn");
}

#[test]
fn the_referee_sees_results_that_are_false() {
    // White is to move, and Black has a piece on White's home rank that cannot be captured.
    let lost = "?turn=0;&setup=r5/6/6/6/5F/k5 w";
    let open = site::start(ALAPO);
    let stalemate = "?turn=1;&setup=k7/2Q5/8/8/8/8/8/K7 b ---- - 0 1";
    let cases = [
        (ALAPO, lost, json!({"loser": 0}), Ending::Played, [2, 1], None),
        (ALAPO, lost, json!({"winner": 1}), Ending::Played, [2, 1], None),
        (ALAPO, lost, json!({"winner": 0}), Ending::Others, [1, 2], Some(Breach::FalseResult)),
        (ALAPO, &open, json!({"winner": 0}), Ending::Others, [1, 2], Some(Breach::FalseResult)),
        (ALAPO, &open, json!({"loser": 1}), Ending::Resigned, [1, 2], None),
        (CHESS, stalemate, json!({"winner": 1, "loser": 1}), Ending::Played, [3, 3], None),
        (
            ALAPO,
            &open,
            json!({"winner": 0, "loser": 0}),
            Ending::Others,
            [3, 3],
            Some(Breach::FalseResult),
        ),
    ];
    for (variant, setup, body, ending, results, breach) in cases {
        let table = Table::new(variant, setup);
        let seats = body.as_object().expect("fields").iter();
        let seats = seats.map(|(name, player)| {
            (name.clone(), table.uid(player.as_u64().expect("a player") as usize).into())
        });
        let body = Value::Object(seats.collect());
        assert_eq!(table.client(0).post("/session/close", body.clone()).0, 200);
        let game = table.mock.game(table.session);
        assert_eq!((game.ending, game.results), (Some(ending), results.map(Some)), "{body}");
        assert_eq!(table.breaches(), Vec::from_iter(breach), "{body} in {setup}");
        assert_eq!(table.client(0).post("/session/close", body).0, 403, "it is closed");
    }
}

#[test]
fn the_referee_sees_moves_that_are_hidden_and_secrets_that_are_not() {
    let table = Table::new(RUSSIAN, &site::start(RUSSIAN));
    let body = table.body(0, 1, &table.step());
    assert_eq!(table.client(0).post("/move", body).0, 201);
    table.recovery(0);
    assert_eq!(table.breaches(), [Breach::Unasked]);
    let confirmed = table.client(1).get(&format!("/move/confirmed/{}", table.uid(1)));
    assert_eq!(confirmed, (200, json!([])), "the opponent's page waits for ever");
    table.client(0).get(&format!("/session/current/{}", PASSWORDS[0]));
    assert_eq!(table.breaches(), [Breach::Unasked, Breach::Secret]);
}

#[test]
fn a_turn_costs_twice_its_length_and_clocks_go_below_nothing() {
    let table = Table::new(ALAPO, &site::start(ALAPO));
    let move_after = |player: usize, turn, ms| {
        table.recovery(player);
        table.mock.pass(ms);
        let left = table.recovery(player)["time_limit"].as_i64();
        let body = table.body(player, turn, &table.step());
        assert_eq!(table.client(player).post("/move", body).0, 201);
        left
    };
    // Before the first move, the answer does not contain the time.
    assert_eq!(move_after(0, 1, 5_000), None);
    let near = |found: Option<i64>, expected: i64| {
        let found = found.expect("a clock");
        assert!((expected - 2_000..=expected).contains(&found), "{found} instead of {expected}");
    };
    near(table.mock.game(table.session).times[0], 1_790_000);
    near(move_after(1, 2, 1_810_000), -10_000);
    assert_eq!(table.mock.game(table.session).times[1], Some(0));
    assert!(!table.mock.game(table.session).is_closed, "the server does not look at its clocks");
}

#[test]
fn an_offer_hides_moves_from_both() {
    let table = Table::new(ALAPO, &site::start(ALAPO));
    let [white, black] = [0, 1].map(|user| table.client(user));
    let offer = json!({"session_id": table.session, "uid": table.uid(1), "result_id": 3});
    assert!(black.post("/move/alert", offer.clone()).1["id"].is_i64());
    assert!(black.post("/move/alert", offer).1["id"].is_null());
    let confirmed = |player: usize| {
        table.client(player).get(&format!("/move/confirmed/{}", table.uid(player))).1
    };
    assert_eq!(confirmed(0), json!([{"result_id": 3, "turn_num": 1}]));
    assert_eq!(white.post("/move", table.body(0, 1, &table.step())).0, 201);
    assert_eq!(confirmed(1), json!([]));
    assert_eq!(white.post("/move/accept", json!({"session_id": table.session})).0, 200);
    assert_eq!(confirmed(1)[0]["turn_num"], 1);
}

#[test]
fn one_row_hides_the_others_and_a_login_ends_the_last_one() {
    let table = Table::new(ALAPO, "?turn=0;&setup=nonsense w");
    let users = [1, 2];
    let second = table.mock.add_game_at(ALAPO, users, &site::start(ALAPO));
    let white = table.client(0);
    let (_, rows) = white.get(&format!("/session/current/{ALAPO}"));
    assert_eq!((rows[0]["id"].as_i64(), rows[1].is_null()), (Some(table.session), true));
    let (_, rows) = white.get("/session/current");
    assert_eq!([&rows[0]["id"], &rows[1]["id"]], [&json!(second), &json!(table.session)]);
    // Tokens contain their time in seconds: within the same second a new token would be equal.
    table.mock.pass(1_000);
    let again = table.client(0);
    let (status, answer) = white.get("/session/current");
    assert_eq!((status, &answer["message"]), (403, &json!("Forbidden resource")));
    assert_eq!(again.get("/session/current").0, 200);
    table.mock.pass(36_000_000);
    assert_eq!(again.get("/session/current").0, 401);
    assert_eq!(again.get("/no/such/route").0, 200);
}

#[test]
fn pages_that_replay_a_move_make_lists_lag() {
    let table = Table::new(ALAPO, &site::start(ALAPO));
    for turn in 1..=2 {
        let player = (turn as usize + 1) % 2;
        let body = table.body(player, turn, &table.step());
        assert_eq!(table.client(player).post("/move", body).0, 201);
    }
    let page = json!({"id": table.session, "setup_required": true});
    let (_, answer) = table.client(0).post("/session/recovery", page);
    assert_eq!(answer["last_turn"], 2);
    let (_, rows) = table.client(0).get("/session/current");
    assert_eq!(rows[0]["last_turn"], 1, "the list lags behind");
    assert_ne!(rows[0]["last_setup"], answer["last_setup"]);
}

#[test]
fn a_session_has_no_position_until_a_player_sends_one() {
    let table = Table::new(ALAPO, &site::start(ALAPO));
    let session = table.mock.add_game(ALAPO, [1, 2], TimeControl::numbered(1));
    let client = table.client(0);
    let request = json!({"id": session, "setup_required": true});
    assert_eq!(client.post("/session/recovery", request), (404, Value::Null));
    for (setup, before) in [("first", Value::Null), ("second", json!("first"))] {
        let (_, answer) =
            client.post("/session/recovery", json!({"id": session, "last_setup": setup}));
        assert_eq!(answer["last_setup"], before);
    }
    assert_eq!(table.mock.game(session).setup.as_deref(), Some("first"));
}

#[test]
fn an_arbiter_sets_the_positions_after_moves() {
    let table = Table::new(ALAPO, &site::start(ALAPO));
    let arbiter = table.mock.add_user("root", "pw-of-root-55ee");
    table.mock.make_admin(arbiter);
    let step = table.step();
    let mut body = table.body(0, 1, &step);
    body.as_object_mut().expect("fields").remove("setup_str");
    assert_eq!(table.client(0).post("/move", body).0, 201);
    for user in [0, 1] {
        assert_eq!(table.client(user).get("/session/current").1, json!([]));
    }
    let answer = table.recovery(1);
    assert_eq!(
        (&answer["last_turn"], &answer["last_setup"]),
        (&json!(1), &json!(site::start(ALAPO)))
    );
    let path = format!("/move/unconfirmed/{}", table.session);
    assert_eq!(table.client(0).get(&path).0, 403);
    let root = Client::login(&table.mock, "root", "pw-of-root-55ee", "test");
    let id = root.get(&path).1[0]["id"].clone();
    let confirm = json!({"id": id, "session_id": table.session, "setup_str": step.after,
        "next_player": 2});
    assert_eq!(root.post("/move/confirm", confirm).0, 200);
    assert_eq!(table.client(1).get("/session/current").1[0]["last_setup"], json!(step.after));
    assert_eq!(table.breaches(), []);
}
