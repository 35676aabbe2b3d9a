//! Answers with arbitrary contents.

use super::arena::Arena;
use super::{ALAPO, VARIANTS, log};
use damka_tests::dagaz::Fault;

/// With arbitrary answers a bot neither panics nor stops. When the answers are valid again, it plays.
#[test]
fn a_bot_survives_arbitrary_answers() {
    for seed in 1..=4 {
        let mut arena = Arena::new();
        for i in [0, 1] {
            let mut options = arena.options();
            (options.seek.create, options.seek.accept) = (true, true);
            options.seek.tournaments = true;
            options.seek.max_games = 4;
            arena.start(arena.account(i), options);
        }
        arena.mock.add_tournament(ALAPO, "Cup");
        arena.wait("logged in", |mock| mock.tokens().len() >= 4);
        arena.mock.plan().at_random(&[Fault::Mangled], 2, seed);
        arena.mock.break_off_after(40);
        for variant in VARIANTS {
            arena.mock.add_game(variant, arena.users, None);
        }
        arena.wait("asked often", |mock| mock.count_calls() > 1_500);
        arena.mock.plan().clear();
        let session = arena.mock.add_game(ALAPO, arena.users, None);
        arena.wait("played", |mock| mock.game(session).is_closed);
        arena.stop();
    }
    log::assert_clean();
}
