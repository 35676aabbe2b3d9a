//! Directories in which tables of one metric are missing: those of the other metric are used.

use damka::generate::{Family, Options, Request, build};
use damka::probe::table_path;
use damka::{Alapo, Answer, AnyTables, Chess, DtwStatus, Filter, Game, Metric, MissingTable};
use damka::{Position, Query, Russian, Wdl};
use damka::{ProbeError, Signature, Tables};
use std::fs;
use std::ops::ControlFlow::Continue;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// The tables of a signature and of what it leads to, under both metrics.
fn complete<G: Family>(signature: Signature<G>) -> TempDir {
    let directory = tempdir().expect("a directory");
    let options = Options { threads: 1, ..Options::default() };
    build(&[signature], &Request { options, ..Request::new(directory.path()) }).expect("tables");
    directory
}

/// A copy of a directory with only the tables that are to be kept.
fn partial<G: Family>(
    game: G,
    complete: &Path,
    is_kept: impl Fn(usize, Metric) -> bool,
) -> TempDir {
    let directory = tempdir().expect("a directory");
    fs::create_dir(directory.path().join(game.name())).expect("a directory");
    let signatures = Tables::open(game, complete).signatures().expect("names");
    for (number, signature) in signatures.iter().enumerate() {
        for metric in Metric::ALL.into_iter().filter(|&metric| is_kept(number, metric)) {
            let [from, to] =
                [complete, directory.path()].map(|place| table_path(place, signature, metric));
            fs::copy(from, to).expect("a copy");
        }
    }
    directory
}

/// Compares the values of all positions of a signature from complete tables with those from
/// directories in which DTW tables replace all or some of the WDL tables.
fn compare<G: Family>(game: G, name: &str) {
    let signature = Signature::parse(game, name).expect("a signature");
    let complete = complete(signature);
    let all = Tables::open(game, complete.path());
    for (what, is_kept) in [
        ("with distances", (|_, metric| metric == Metric::Dtw) as fn(usize, Metric) -> bool),
        ("by turns", |number, metric| (number % 2 == 0) == (metric == Metric::Wdl)),
        ("by turns, the others", |number, metric| (number % 2 == 0) == (metric == Metric::Dtw)),
    ] {
        let directory = partial(game, complete.path(), is_kept);
        let some = Tables::open(game, directory.path());
        let mut positions = 0u64;
        let metric = Metric::Wdl;
        let query =
            Query { signature, metric, filter: Filter::default(), side: None, copies: true };
        let mut listing = all.list(query).expect("all tables");
        let mut other = some.list(query).expect("tables that answer");
        let mut listed = Vec::new();
        while other
            .advance(|found| {
                listed.push((found.position, found.value));
                Continue(())
            })
            .expect("tables that answer")
        {}
        let mut listed = listed.into_iter();
        while listing
            .advance(|found| {
                let (position, value) = (found.position, found.value);
                assert_eq!(listed.next(), Some((position, value)), "{what}");
                let context = || format!("{what}: {}", position.fen());
                let found = some.value(&position, metric);
                assert_eq!(found.unwrap_or_else(|error| panic!("{}: {error}", context())), value);
                let decoded = some.value_if_decoded(&position, metric);
                assert_eq!(decoded.expect("an answer"), Some(value), "{}", context());
                positions += 1;
                Continue(())
            })
            .expect("all tables")
        {}
        assert_eq!(listed.next(), None, "{what}");
        assert!(positions > 1000, "{name}: {positions}");
    }
}

/// In chess DTW tables hold one side to move only; values of the other side follow from moves.
#[test]
fn dtw_tables_replace_wdl_tables() {
    compare(Chess, "KPvK");
    compare(Russian, "KMvK");
    compare(Alapo, "RvF");
}

#[test]
fn a_missing_table_is_named_by_the_requested_metric() {
    let directory = tempdir().expect("a directory");
    let tables = Tables::open(Russian, directory.path());
    let position = Russian.parse_fen("W:WKa1:BKh4").expect("a position");
    for (metric, name) in [(Metric::Wdl, "KvK.wdl"), (Metric::Dtw, "KvK.dtw")] {
        match tables.value(&position, metric) {
            Err(ProbeError::Missing { path, .. }) => assert!(path.ends_with(name), "{path:?}"),
            other => panic!("{other:?}"),
        }
        assert!(tables.prefetch(&position, metric).expect_err("no table").is_missing());
    }
}

/// The front door's policy, which the command line, C and JSON share.
#[test]
fn without_distances_an_answer_has_the_values() {
    let signature = Signature::parse(Russian, "KKvK").expect("a signature");
    let complete = complete(signature);
    let wdl = partial(Russian, complete.path(), |_, metric| metric == Metric::Wdl);
    let tables = Tables::open(Russian, wdl.path());
    let position = Russian.parse_fen("W:WKa1,Kc1:BKh4").expect("a position");
    let all = Tables::open(Russian, complete.path());
    let full = Answer::of(&all, &position.into(), Metric::Dtw).expect("an answer");
    assert_eq!(full.missing, []);
    let answer = Answer::of(&tables, &position.into(), Metric::Dtw).expect("an answer");
    assert_eq!((answer.value, answer.dtw), (full.value, None));
    // Moves that give a king away lead to KvK.
    assert_eq!(answer.missing, [table("KKvK", Metric::Dtw), table("KvK", Metric::Dtw)]);
    assert_eq!(answer.moves.len(), full.moves.len());
    for mv in &answer.moves {
        let known = full.moves.iter().find(|known| known.name == mv.name).expect("a move");
        assert_eq!((mv.value, mv.dtw), (known.value, None));
        let is_drawn = mv.value == Some(Wdl::Draw);
        let status = if is_drawn { DtwStatus::Draw } else { DtwStatus::Unknown };
        assert_eq!(mv.dtw_status, status);
    }
    // Best play to the end needs distances.
    let any: &dyn AnyTables = &tables;
    let error = any.line(&position.fen()).expect_err("no distances").to_string();
    assert!(error.contains(".dtw is missing"), "{error}");
}

fn table(signature: &str, metric: Metric) -> MissingTable {
    MissingTable { signature: signature.to_owned(), metric }
}

/// All tables but those of a signature.
fn without<G: Family>(game: G, complete: &Path, missing: &str) -> TempDir {
    let signatures = Tables::open(game, complete).signatures().expect("names");
    partial(game, complete, |number, _| signatures[number].to_string() != missing)
}

/// A promotion leads to a table that is missing: the other moves are ranked.
#[test]
fn a_move_into_a_missing_table_is_unknown_and_the_others_are_ranked() {
    let signature = Signature::parse(Chess, "KPvK").expect("a signature");
    let complete = complete(signature);
    let some = without(Chess, complete.path(), "KQvK");
    let fen = "8/4P3/8/8/8/8/1k6/4K3 w - - 0 1";
    let [all, some] = [complete.path(), some.path()]
        .map(|path| damka::open("chess".parse().expect("a game"), path, Default::default()));
    let full = all.answer(fen, Metric::Dtw).expect("an answer");
    let answer = some.answer(fen, Metric::Dtw).expect("an answer");
    // Another move wins, but the promotion could win sooner.
    assert_eq!((answer.value, answer.dtw), (full.value, None));
    assert_eq!(answer.missing, [table("KQvK", Metric::Dtw)]);
    let (unknown, known): (Vec<_>, Vec<_>) = answer.moves.iter().partition(|mv| mv.value.is_none());
    assert_eq!(unknown.iter().map(|mv| &*mv.name).collect::<Vec<_>>(), ["e8=Q"]);
    assert_eq!(answer.moves.last().map(|mv| &*mv.name), Some("e8=Q"));
    assert_eq!(unknown[0].dtw_status, DtwStatus::Unknown);
    // The results of all others are known, but only distances that no promotion could shorten.
    for mv in &known {
        let full = full.moves.iter().find(|full| full.name == mv.name).expect("a move");
        assert_eq!(mv.value, full.value);
        assert!(mv.dtw.is_none() || mv.dtw == full.dtw, "{mv:?}");
    }
    assert_eq!((&*known[0].name, known[0].dtw), ("e8=R", Some(25)));
    assert!(known.is_sorted_by_key(|mv| std::cmp::Reverse(mv.value)));
}

/// Without its own table a position has the value of its best move, if that is certain.
#[test]
fn a_value_follows_from_the_moves_where_its_own_table_is_missing() {
    let signature = Signature::parse(Chess, "KPvK").expect("a signature");
    let complete = complete(signature);
    let some = without(Chess, complete.path(), "KPvK");
    let game = "chess".parse().expect("a game");
    let [all, some] =
        [complete.path(), some.path()].map(|path| damka::open(game, path, Default::default()));
    // A promotion wins, but something else could win sooner.
    let fen = "8/4P3/8/8/8/8/1k6/4K3 w - - 0 1";
    let answer = some.answer(fen, Metric::Dtw).expect("an answer");
    assert_eq!((answer.value, answer.dtw), (Some(Wdl::Win), None));
    assert_eq!(answer.dtw_status, DtwStatus::Unknown);
    // There is no legal move: stalemate.
    let stalemate = "k7/P7/K7/8/8/8/8/8 b - - 0 1";
    let full = all.answer(stalemate, Metric::Dtw).expect("an answer");
    let answer = some.answer(stalemate, Metric::Dtw).expect("an answer");
    assert_eq!((answer.value, answer.dtw), (full.value, full.dtw));
    // Nothing is known: an error names the table.
    let error = some.answer("8/8/8/8/4P3/8/1k6/4K3 w - - 0 1", Metric::Dtw).expect_err("unknown");
    assert!(error.is_missing() && error.to_string().contains("KPvK.dtw"), "{error}");
}

/// A mate in one is exact although no table has the values of the other moves.
#[test]
fn nothing_is_quicker_than_a_win_in_one_ply() {
    let game = "chess".parse().expect("a game");
    let tables = damka::open_in(game, std::collections::HashMap::<String, Vec<u8>>::new(), 0);
    let answer = tables.answer("k7/8/1K6/8/8/8/8/7R w - -", Metric::Dtw).expect("an answer");
    assert_eq!((answer.value, answer.dtw), (Some(Wdl::Win), Some(1)));
    assert_eq!(answer.dtw_status, DtwStatus::Known);
    assert_eq!((&*answer.moves[0].name, answer.moves[1].value), ("Rh8#", None));
}

/// A move is the best one only if it has the value of the position. If all that are known are worse, moves of
/// unknown value come first.
#[test]
fn the_best_move_may_be_unknown() {
    fn check<G: Family>(game: G, name: &str, missing: &str, fen: &str, best: &str) {
        let complete = complete(Signature::parse(game, name).expect("a signature"));
        let some = without(game, complete.path(), missing);
        let game = game.name().parse().expect("a game");
        let [all, some] = [complete.path(), some.path()].map(|path| {
            let tables = damka::open(game, path, Default::default());
            tables.answer(fen, Metric::Dtw).expect("an answer")
        });
        assert_eq!(all.best().map(|best| &*best.name), Some(best));
        assert_eq!((some.value, some.best()), (all.value, None));
        let is_known: Vec<bool> = some.moves.iter().map(|mv| mv.value.is_some()).collect();
        assert!(is_known.is_sorted() && !is_known[0] && is_known.contains(&true), "{some:?}");
    }
    check(Chess, "KPvK", "KQvK", "8/1k1P4/8/2K5/8/8/8/8 b - -", "Kc7");
    check(Russian, "KMMvK", "KKMvK", "W:WKa1,c7,a5:BKh2", "c7-b8");
}

/// A position with castling rights has no table. The tables of the positions after its moves are
/// reported as missing.
#[test]
fn a_table_of_the_moves_is_missing_where_the_position_has_none() {
    let directory = tempdir().expect("a directory");
    let game = "chess".parse().expect("a game");
    let tables = damka::open(game, directory.path(), Default::default());
    let lacks = |fen: &str| tables.answer(fen, Metric::Dtw).expect_err("no tables").to_string();
    assert_eq!(lacks("4k3/8/8/8/8/8/7n/R3K3 w Q -"), "the table KRvKN.dtw is missing");
    assert_eq!(lacks("start"), "there are no tables of positions in which a side may castle");
}

/// If the best move is unknown, no other move is suggested instead. An engine's score is not
/// compared with a result of tables.
#[cfg(feature = "engine")]
#[test]
fn games_are_judged_by_what_is_known() {
    use damka::{Annotator, Control, Judgement, Limits, PlayerSettings, SearchRequest};

    let complete = complete(Signature::parse(Chess, "KPvK").expect("a signature"));
    let some = without(Chess, complete.path(), "KQvK");
    let game = "chess".parse().expect("a game");
    let tables = damka::open(game, some.path(), Default::default());
    let mut engine = damka::open_engine(&PlayerSettings::minimal(game)).expect("an engine");
    let control = Control::default();
    let request = SearchRequest { limits: Limits::nodes(1000), lines: None };
    let mut annotator = Annotator::new(&*tables).with_engine(&mut *engine, request, &control);
    let mut judged = |moves: &str| {
        let text = format!("[FEN \"8/1k1P4/8/2K5/8/8/8/8 b - - 0 1\"]\n\n1... {moves} *");
        let record =
            damka::read_records(game, &text).next().expect("a game").expect("a sound game");
        let annotated = annotator.annotate(&*record, &mut || Continue(())).expect("sound tables");
        let ply = annotated.expect("it is not interrupted").plies.remove(0);
        (ply.judgement, ply.best_moves)
    };
    assert_eq!(judged("Ka6"), (Some(Judgement::ThrewAwayDraw), Vec::new()));
    assert_eq!(judged("Kc7"), (None, Vec::new()));
}
