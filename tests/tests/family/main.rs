//! Follows CONTRIBUTING's recipe for a new family of games with a toy game. Its tables are built,
//! verified, probed and listed, and the engine plays it, also by UCI, without a bot notation, a
//! book or learned weights.

mod game;

use damka_engine::book::Book;
use damka_engine::{
    Control, EndgameTables, GameEnd, History, Limits, Outcome, Player, PlayerSettings, Resources,
    solve,
};
use damka_games::{Game, Position as _};
use damka_gen::{Check, Request, verify};
use damka_probe::{Filter, Query, Tables};
use damka_protocols::uci;
use damka_tables::metric::Metric;
use damka_tables::{Signature, Wdl};
use damka_tests::build_all;
use damka_tests::plain::Library;
use game::Toy;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The maximum number of pieces of the tables.
const PIECES: u32 = 4;

fn tables() -> (tempfile::TempDir, Arc<Tables<Toy>>) {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Toy, PIECES, directory.path());
    let tables = Arc::new(Tables::open(Toy, directory.path()));
    (directory, tables)
}

/// All listed positions of a signature.
fn list(tables: &Tables<Toy>, signature: Signature<Toy>) -> Vec<(game::Position, u16)> {
    let (metric, filter) = (Metric::Dtw, Filter::default());
    let query = Query { signature, metric, filter, side: None, copies: true };
    let mut listing = tables.list(query).expect("a table");
    let mut all = Vec::new();
    while listing
        .advance(|listed| {
            all.push((listed.position, listed.value.code()));
            ControlFlow::Continue(())
        })
        .expect("a sound table")
    {}
    all
}

/// The values of all positions are those of the plain solver, and short wins and losses those of a
/// search by the rules alone.
#[test]
fn tables_of_a_new_family_are_exact() {
    const DEPTH: u32 = 5;
    let (directory, tables) = tables();
    let mut library = Library::<Toy>::default();
    let signatures = tables.signatures().expect("tables");
    assert_eq!(signatures.len(), 4, "{signatures:?}");
    let mut decided = 0;
    for signature in signatures {
        library.solved(&signature);
        let listed = list(&tables, signature);
        assert!(listed.len() > 100, "{signature}: {}", listed.len());
        for (position, code) in listed {
            let value = tables.dtw(&position).expect("a value");
            assert_eq!(value.code(), code, "{}", position.fen());
            assert_eq!(value, library.value(&position), "{}", position.fen());
            assert_eq!(tables.wdl(&position).expect("a value"), value.wdl());
            let plies = value.plies().map(u32::from).filter(|&plies| plies <= DEPTH);
            let expected = match (value.wdl(), plies) {
                (Wdl::Win, Some(plies)) => Outcome::Win(plies),
                (Wdl::Loss, Some(plies)) => Outcome::Loss(plies),
                _ => Outcome::Unknown,
            };
            decided += u32::from(expected != Outcome::Unknown);
            assert_eq!(solve::<Toy>(&position, DEPTH), expected, "{}", position.fen());
        }
    }
    assert!(decided > 100, "{decided}");
    let signatures: Vec<_> = tables.signatures().expect("tables");
    let verified = verify(&signatures, Check::Whole, &Request::new(directory.path()));
    let verified = verified.expect("a verification");
    assert!(verified.findings.is_empty(), "{:?}", verified.findings);
}

/// A player without a book and learned weights plays a game to the end, and finds the distances of
/// the tables.
#[test]
fn the_engine_plays_a_new_family() {
    let (_directory, tables) = tables();
    assert!(Book::built_in(Toy).is_none());
    let resources = Resources::open(&PlayerSettings::new(Toy)).expect("no tables");
    let settings = PlayerSettings::minimal(Toy);
    let mut player = Player::with_resources(&settings, resources).expect("a player");
    let mut plies = 0;
    let end = loop {
        if let Some(end) = player.history().end() {
            break end;
        }
        let found = player.search(&Limits::depth(6), &Control::default(), |_| ());
        player.play(found.best().expect("a move"));
        plies += 1;
        assert!(plies < 500, "the game does not end");
    };
    assert!(matches!(end, GameEnd::Won(_) | GameEnd::Drawn(_)));
    player.set_tables(Some(Arc::new(EndgameTables::new(Arc::clone(&tables)).expect("tables"))));
    let position = Toy.parse_fen("b......ww w").expect("a position");
    let value = tables.dtw(&position).expect("a value");
    player.set_history(History::new(position));
    let found = player.search(&Limits::depth(2), &Control::default(), |_| ());
    assert_eq!(found.value, Some(value));
    assert_eq!(found.score.plies(), value.plies());
}

/// A session of UCI works for the new family, from the first command to a move.
#[test]
fn a_client_plays_a_new_family_by_uci() {
    let script = "uci\nisready\nposition startpos moves a1a2\ngo depth 3\n";
    let mut answers = Vec::new();
    let settings = PlayerSettings::minimal(Toy);
    uci::serve(script.as_bytes(), &mut answers, settings).expect("a session");
    let answers = String::from_utf8(answers).expect("text");
    let last = answers.lines().last().expect("an answer");
    let position = Toy.parse_fen("bbbw...ww b").expect("a position");
    let mv = last.strip_prefix("bestmove ").and_then(|moves| moves.split(' ').next());
    assert!(mv.is_some_and(|mv| position.parse_move(mv).is_ok()), "{answers}");
}
