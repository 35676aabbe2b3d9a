//! Games with injected faults, at chosen moments and at random.

use super::arena::{Arena, PASSWORDS};
use super::client::Client;
use super::{ALAPO, CHESS, VARIANTS};
use damka_tests::dagaz::{Call, Ending, Fault, Reply, TimeControl, site};
use std::ops::Range;
use std::time::Duration;

/// The calls of a game in which a fault can be injected.
const CALLS: [&str; 6] = [
    "GET /session/current",
    "POST /session/recovery",
    "GET /move/confirmed",
    "GET /session/export",
    "POST /move",
    "POST /session/close",
];

/// A position that ends soon.
fn short(variant: i64) -> String {
    let fen = match variant {
        ALAPO => "2k3/2w3/6/6/3W2/2R3 w",
        CHESS => "7k/8/8/5K2/8/8/8/6Q1 w - -",
        // Whatever is played, the man runs into the lower king.
        _ => "W:WKc1,Kh8:Ba3",
    };
    site::setup(variant, fen)
}

/// Plays short games of all four kinds, one after the other, with this fault in a call of each, and
/// asserts that they are played to an end.
fn plays_on(fault: Fault) {
    let arena = &mut match fault {
        Fault::Slow | Fault::Late => Arena::with_impatient_bots(),
        _ => Arena::with_bots(),
    };
    for (i, variant) in VARIANTS.into_iter().enumerate() {
        for call in CALLS {
            arena.mock.plan().at(call, i, fault);
            arena.mock.add_game_at(variant, arena.users, &short(variant));
        }
        arena.wait_for_ends();
    }
    arena.wait("all moments over", |mock| {
        mock.games().iter().filter(|game| game.is_closed).count() == 4 * CALLS.len()
    });
    arena.mock.plan().clear();
    arena.stop();
    match fault {
        Fault::ClosedByOthers => arena.assert_clean(),
        _ => arena.assert_played(),
    }
    assert!(arena.mock.faults().len() >= CALLS.len(), "the fault has been met");
}

macro_rules! each_fault {
    ($($name:ident: $fault:ident;)*) => {
        $(
            #[test]
            fn $name() {
                plays_on(Fault::$fault);
            }
        )*
    };
}

each_fault! {
    tokens_that_are_too_old: Expired;
    tokens_that_are_not_known: Forgotten;
    refusals: Forbidden;
    nothing_found: NotFound;
    failures: Failed;
    failures_after_it_was_done: FailedAfter;
    moves_half_stored: HalfStored;
    stops_between_a_move_and_its_session: StoppedHalfway;
    pages: Page;
    empty_answers: Empty;
    numbers_that_are_texts: Texts;
    fields_that_are_missing: Missing;
    answers_that_break_off: Cut;
    garbage: Garbage;
    answers_that_come_late: Slow;
    what_is_done_late: Late;
    connections_dropped_before: DroppedBefore;
    connections_dropped_after: DroppedAfter;
    restarts_of_the_server: Restart;
    games_closed_by_others: ClosedByOthers;
    clocks_that_run_out: ClockOut;
}

/// The server stores a move, and fails or stops before it stores whose turn is next, so that neither
/// player is asked to move. The move is taken back and made again, not made twice.
#[test]
fn a_move_stored_in_part_is_taken_back_and_made_again() {
    for fault in [Fault::HalfStored, Fault::StoppedHalfway] {
        for variant in VARIANTS {
            for turn in [0, 3] {
                let arena = &mut Arena::with_bots();
                arena.mock.plan().at("POST /move", turn, fault);
                arena.mock.break_off_after(20);
                arena.mock.add_game(variant, arena.users, TimeControl::numbered(2));
                arena.wait_for_ends();
                assert!(arena.mock.plan().is_done());
                arena.stop();
                arena.assert_clean();
            }
        }
    }
}

/// Bots that are started later do not know their seats. Once they have asked for them, the server takes
/// no move back. So they must neither move again nor guess.
#[test]
fn a_move_stored_in_part_is_not_repeated_by_another_bot() {
    let arena = &mut Arena::with(|options| options.pace.undo = Duration::from_secs(3600));
    arena.mock.plan().at("POST /move", 2, Fault::HalfStored);
    let session = arena.mock.add_game(ALAPO, arena.users, TimeControl::numbered(2));
    arena.wait("met", |mock| mock.plan().is_done());
    arena.stop();
    for i in [0, 1] {
        arena.start(arena.account(i), arena.options());
    }
    let calls = arena.mock.count_calls();
    arena.wait("looked at again", |mock| mock.count_calls() > calls + 400);
    let game = arena.mock.game(session);
    assert_eq!((game.moves.len(), game.is_closed), (3, false), "no move since");
    // Another user closes the game, and the bots play other games.
    arena.mock.close(session);
    arena.mock.add_game_at(ALAPO, arena.users, &short(ALAPO));
    arena.wait_for_ends();
    arena.stop();
    arena.assert_clean();
}

/// A move that the opponent's page has shown is not taken back.
#[test]
fn a_move_that_was_seen_is_not_taken_back() {
    let arena = &mut Arena::with(|options| options.pace.undo = Duration::from_secs(2));
    arena.mock.plan().at("POST /move", 2, Fault::HalfStored);
    let session = arena.mock.add_game(ALAPO, arena.users, TimeControl::numbered(2));
    arena.wait("met", |mock| mock.plan().is_done());
    let black = Client::login(&arena.mock, "black", PASSWORDS[1], "page");
    let uid = arena.mock.game(session).uids[1].expect("a seat");
    assert_eq!(black.get(&format!("/move/confirmed/{uid}")).1[0]["turn_num"], 3);
    let is_refused = |call: &Call| {
        call.name == "POST /move/undo" && matches!(call.reply, Some(Reply::Json(404, _)))
    };
    arena.wait("asked", |mock| mock.last_calls().iter().any(is_refused));
    assert_eq!(arena.mock.game(session).moves.len(), 3);
    arena.stop();
    arena.assert_clean();
}

#[test]
fn sixty_games_with_random_faults() {
    play_with_random_faults(0..3);
}

#[test]
#[ignore = "takes half a minute"]
fn two_hundred_more_games_with_random_faults() {
    play_with_random_faults(3..13);
}

/// Plays 20 games a round, with a fault in about every twelfth call.
fn play_with_random_faults(rounds: Range<u64>) {
    const GAMES: usize = 20;
    let mut met = Vec::new();
    let mut played = 0;
    for round in rounds.clone() {
        let arena = &mut Arena::with_impatient_bots();
        arena.wait("logged in", |mock| mock.tokens().len() >= 4);
        arena.mock.plan().at_random(&Fault::ALL, 12, round + 1);
        arena.mock.break_off_after(120);
        for i in 0..GAMES {
            let variant = VARIANTS[i % 4];
            let users = if i % 8 < 4 { arena.users } else { [arena.users[1], arena.users[0]] };
            match variant {
                ALAPO if i < 8 => arena.mock.add_game(variant, users, TimeControl::numbered(2)),
                _ => arena.mock.add_game_at(variant, users, &short(variant)),
            };
        }
        arena.wait_for_ends();
        arena.mock.plan().clear();
        arena.stop();
        arena.assert_clean();
        met.extend(arena.mock.faults());
        let games = arena.mock.games();
        assert_eq!(games.len(), GAMES);
        played += games.iter().filter(|game| game.ending != Some(Ending::Others)).count();
    }
    for fault in Fault::ALL {
        assert!(met.contains(&fault), "{fault:?}");
    }
    let all = rounds.count() * GAMES;
    assert!(played > all / 2, "{played} games of {all} have been played out");
}
