//! The bot for DagazServer against a mock of the server, bot against bot: whole games, with
//! injected faults.

mod arena;
mod client;
mod faults;
mod games;
mod log;
mod mangled;
mod server;

/// The four games, by their numbers on the site.
const VARIANTS: [i64; 4] = [134, 3, 45, 31];
const ALAPO: i64 = 134;
const RUSSIAN: i64 = 3;
const CHESS: i64 = 31;

#[test]
fn the_mock_knows_the_games_that_the_bot_plays() {
    let played = damka_bots::dagaz::games();
    let known = VARIANTS.iter().filter_map(|&variant| damka_tests::dagaz::site::game(variant));
    let names = |game: damka_games::AnyGame| game.name();
    let mut played: Vec<_> = played.map(names).collect();
    let mut known: Vec<_> = known.map(names).collect();
    played.sort_unstable();
    known.sort_unstable();
    assert_eq!(played, known);
}
