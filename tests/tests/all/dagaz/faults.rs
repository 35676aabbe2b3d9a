//! Games with everything going wrong that can, at chosen moments and at random.

use super::arena::Arena;
use super::{ALAPO, CHESS, VARIANTS};
use damka_tests::dagaz::{Ending, Fault, TimeControl, site};

/// The calls of a game, each of which may go wrong.
const CALLS: [&str; 6] = [
    "GET /session/current",
    "POST /session/recovery",
    "GET /move/confirmed",
    "GET /session/export",
    "POST /move",
    "POST /session/close",
];

/// A game that is over soon.
fn short(variant: i64) -> String {
    let fen = match variant {
        ALAPO => "2k3/2w3/6/6/3W2/2R3 w",
        CHESS => "7k/8/8/5K2/8/8/8/6Q1 w - -",
        // Whatever the kings do, the man runs into the one below.
        _ => "W:WKc1,Kh8:Ba3",
    };
    site::setup(variant, fen)
}

/// Plays short games of all four, one after the other, in each of which a call goes wrong in this
/// way: whatever it is, they are played to an end.
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

/// The server stores a move and fails before it notes whose turn it is. To the list it is still the
/// bot's turn: a bot that moved again would move twice.
#[test]
fn half_of_a_move_is_not_made_whole_by_another() {
    for variant in VARIANTS {
        let arena = &mut Arena::with_bots();
        arena.mock.plan().at("POST /move", 2, Fault::HalfStored);
        let session = arena.mock.add_game(variant, arena.users, TimeControl::numbered(2));
        arena.wait("met", |mock| mock.plan().is_done());
        let calls = arena.mock.count_calls();
        arena.wait("looked at again", |mock| mock.count_calls() > calls + 60);
        let game = arena.mock.game(session);
        assert_eq!((game.moves.len(), game.is_closed), (3, false), "nobody has moved since");
        // The game is lost to bots: somebody ends it, and they play on.
        arena.mock.close(session);
        arena.mock.add_game_at(variant, arena.users, &short(variant));
        arena.wait_for_ends();
        arena.stop();
        arena.assert_clean();
    }
}

/// 200 games, in each of which about every twelfth call goes wrong.
#[test]
fn two_hundred_games_with_random_faults() {
    const ROUNDS: u64 = 10;
    const GAMES: usize = 20;
    // A game whose move is half stored cannot go on.
    let faults: Vec<Fault> =
        Fault::ALL.into_iter().filter(|&fault| fault != Fault::HalfStored).collect();
    let mut met = Vec::new();
    let mut played = 0;
    for round in 0..ROUNDS {
        let arena = &mut Arena::with_impatient_bots();
        arena.wait("logged in", |mock| mock.tokens().len() >= 4);
        arena.mock.plan().at_random(&faults, 12, round + 1);
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
    for fault in faults {
        assert!(met.contains(&fault), "{fault:?}");
    }
    let all = ROUNDS as usize * GAMES;
    assert!(played > all / 2, "{played} games of {all} have been played out");
}
