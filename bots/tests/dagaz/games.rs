//! Whole games, bot against bot.

use super::arena::{Arena, PASSWORDS};
use super::{ALAPO, CHESS, RUSSIAN, VARIANTS, log};
use damka_bots::Password;
use damka_bots::dagaz::{self, Account};
use damka_engine::Control;
use damka_tests::dagaz::{Ending, TimeControl, site};

#[test]
fn whole_games_of_all_four_are_played_to_the_end() {
    let arena = &mut Arena::with_bots();
    for variant in VARIANTS {
        for users in [arena.users, [arena.users[1], arena.users[0]]] {
            arena.mock.add_game(variant, users, TimeControl::numbered(2));
        }
    }
    arena.wait_for_ends();
    arena.stop();
    arena.assert_played();
    for (game, variant) in arena.mock.games().iter().zip(VARIANTS.iter().flat_map(|v| [v, v])) {
        assert_eq!(game.variant, *variant);
        assert!(game.moves.len() > 8, "{game:?}");
    }
}

#[test]
fn bots_find_each_other() {
    let mut arena = Arena::new();
    for (i, (create, accept)) in [(true, false), (false, true)].into_iter().enumerate() {
        let mut options = arena.options();
        options.games.retain(|game| game.name() == "alapo");
        (options.seek.create, options.seek.accept) = (create, accept);
        options.seek.max_games = 2;
        arena.start(arena.account(i), options);
    }
    arena
        .wait("three games", |mock| mock.games().iter().filter(|game| game.is_closed).count() >= 3);
    arena.stop();
    arena.assert_clean();
    let open = arena.mock.games().into_iter().filter(|game| !game.is_closed);
    assert!(open.count() <= 2, "no more than asked for");
}

#[test]
fn bots_enter_tournaments() {
    let mut arena = Arena::new();
    let tournament = arena.mock.add_tournament(ALAPO, "Cup");
    for i in [0, 1] {
        let mut options = arena.options();
        options.seek.tournaments = true;
        arena.start(arena.account(i), options);
    }
    arena.wait("a game", |mock| mock.games().iter().any(|game| game.is_closed));
    arena.stop();
    arena.assert_played();
    assert_eq!(tournament, 1);
    assert_eq!(arena.mock.games().len(), 1, "one game for two members");
}

#[test]
fn unreadable_games_do_not_hide_others() {
    let arena = &mut Arena::with_bots();
    let starved: Vec<i64> = [
        (ALAPO, "?turn=0;&setup=nonsense w"),
        (ALAPO, "?turn=0;&setup=6/6/6/6/6/6 w"),
        (CHESS, "?turn=1;&setup=8/8/8/8/8/8/8/K7 b ---- - 0 1"),
        (RUSSIAN, ""),
        (9999, "?turn=0;&setup=8/8 w"),
    ]
    .map(|(variant, setup)| arena.mock.add_game_at(variant, arena.users, setup))
    .to_vec();
    let good = arena.mock.add_game(ALAPO, arena.users, None);
    arena.wait("played", |mock| mock.game(good).is_closed);
    arena.stop();
    arena.assert_clean();
    for session in starved {
        assert_eq!(arena.mock.game(session).moves, [""; 0]);
    }
}

#[test]
fn many_games_are_played_at_once_while_others_end_some() {
    let arena = &mut Arena::with_bots();
    let games: Vec<i64> = (0..12)
        .map(|_| arena.mock.add_game(ALAPO, arena.users, TimeControl::numbered(1)))
        .collect();
    for &session in &games[..6] {
        arena.wait("begun", |mock| mock.game(session).moves.len() > 2);
        if !arena.mock.game(session).is_closed {
            arena.mock.close(session);
        }
    }
    arena.wait_for_ends();
    arena.stop();
    arena.assert_clean();
    for session in &games[6..] {
        let ending = arena.mock.game(*session).ending;
        assert!(matches!(ending, Some(Ending::Played | Ending::Agreed)), "{ending:?}");
    }
}

#[test]
fn a_bot_plays_on_when_its_clock_has_run_out() {
    let arena = &mut Arena::new();
    let session = arena.mock.add_game(ALAPO, arena.users, TimeControl::numbered(2));
    for player in [1, 2] {
        arena.mock.set_time(session, player, 0);
    }
    for i in [0, 1] {
        arena.start(arena.account(i), arena.options());
    }
    arena.wait_for_ends();
    arena.stop();
    arena.assert_played();
}

#[test]
fn a_restarted_bot_goes_on_where_it_was() {
    let arena = &mut Arena::with_bots();
    let session = arena.mock.add_game(CHESS, arena.users, None);
    for plies in [6, 12, 18] {
        arena.wait("begun", |mock| mock.game(session).moves.len() >= plies);
        arena.stop();
        for i in [0, 1] {
            arena.start(arena.account(i), arena.options());
        }
    }
    arena.wait_for_ends();
    arena.stop();
    arena.assert_played();
}

#[test]
fn bots_wait_for_an_arbiter_who_confirms_moves() {
    let mut arena = Arena::new();
    for i in [0, 1] {
        let account = Account { arbiter: true, ..arena.account(i) };
        arena.start(account, arena.options());
    }
    let session = arena.mock.add_game(ALAPO, arena.users, None);
    let root = arena.mock.add_user("root", "pw-of-root-9d2b");
    arena.mock.make_admin(root);
    let arbiter = super::client::Client::login(&arena.mock, "root", "pw-of-root-9d2b", "arbiter");
    let calls = arena.mock.count_calls();
    arena.wait("asked often", |mock| mock.count_calls() > calls + 40);
    assert_eq!(arena.mock.game(session).setup, None, "the arbiter sets up the pieces");
    let set_up = serde_json::json!({"id": session, "last_setup": site::start(ALAPO)});
    assert_eq!(arbiter.post("/session/recovery", set_up).0, 200);
    // With such short searches two bots may repeat moves forever: with an arbiter neither offers a draw.
    arena.mock.break_off_after(60);
    arena.wait("over", |mock| {
        let (_, unconfirmed) = arbiter.get(&format!("/move/unconfirmed/{session}"));
        let game = mock.game(session);
        if let Some(row) = unconfirmed.get(0) {
            let judged =
                site::judge(ALAPO, &game.setup.expect("a position")).expect("one of Alapo");
            let step = judged.steps.iter().find(|step| row["move_str"] == step.names[0]);
            let confirmed = serde_json::json!({"id": row["id"], "session_id": session,
                "setup_str": step.expect("a legal move").after, "next_player": 3 - judged.player});
            assert_eq!(arbiter.post("/move/confirm", confirmed).0, 200);
        }
        game.is_closed
    });
    assert!(arena.mock.game(session).moves.len() > 4, "moves that were confirmed");
    arena.stop();
    arena.assert_clean();
}

/// All tests assert that the log has no secret. This test checks that secrets would be found.
#[test]
fn no_secret_is_logged() {
    let arena = &mut Arena::with_bots();
    arena.mock.add_game(ALAPO, arena.users, None);
    arena.wait_for_ends();
    arena.stop();
    arena.assert_played();
    let tokens = arena.mock.tokens();
    assert!(tokens.iter().all(|token| log::is_secret(token)), "{tokens:?}");
    assert!(PASSWORDS.into_iter().all(log::is_secret));
    // The messages about a refused login have no secret either.
    let password = Password::new("pw-that-is-wrong-12ab");
    let account = Account { password, ..arena.account(0) };
    let shown = format!("{account:?}");
    let bot = dagaz::bot(account, arena.options());
    let error = bot.expect("a bot").run(&Control::default()).expect_err("no login");
    let shown = format!("{shown} {error} {error:?}");
    assert!(!log::is_secret(&shown), "{shown}");
}
