//! Compares lists of positions with the plain solver and the rules.

use damka_games::{Alapo, Chess, Color, English, Position, Russian, Setup};
use damka_gen::Family;
use damka_probe::{Cursor, Filter, Listed, Query, Sample, Table, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Side, Signature, Wdl};
use damka_tests::build_all;
use damka_tests::plain::Library;
use std::collections::HashSet;
use std::ops::ControlFlow::{Break, Continue};

/// All positions of a query, in steps that end after every third position.
fn list_query<G: Family>(tables: &Tables<G>, query: Query<G>) -> Vec<Listed<G>> {
    let mut listing = tables.list(query).expect("sound tables");
    let (mut all, mut before) = (Vec::new(), (0, 1));
    loop {
        let goes_on = listing.advance(|listed| {
            all.push(listed);
            if all.len() % 3 == 0 { Break(()) } else { Continue(()) }
        });
        let (done, total) = listing.progress();
        assert!(done >= before.0 && done <= total, "{done} of {total}");
        before = (done, total);
        if !goes_on.expect("sound tables") {
            assert_eq!((listing.cursor(), done), (None, total));
            return all;
        }
    }
}

/// The listed positions of a signature with one side to move, including symmetric copies.
fn list<G: Family>(
    tables: &Tables<G>,
    signature: &Signature<G>,
    side: Side,
    metric: Metric,
    filter: Filter,
) -> Vec<Listed<G>> {
    let signature = *signature;
    list_query(tables, Query { signature, metric, filter, side: Some(side), copies: true })
}

/// The moves that keep the result of a position.
fn keeping<G: Family>(library: &Library<G>, position: &G::Position) -> Vec<G::Move> {
    let value = library.value(position).wdl();
    let keeps = |mv: &G::Move| {
        let after = library.value(&position.play(*mv)).wdl();
        match value {
            Wdl::Win => after == Wdl::Loss,
            Wdl::Draw => after == Wdl::Draw,
            Wdl::Loss => true,
        }
    };
    position.moves().into_iter().filter(keeps).collect()
}

/// The result for White with each side to move, if both are legal.
fn results<G: Family>(library: &Library<G>, position: &G::Position) -> Option<[i32; 2]> {
    let mut results = [0; 2];
    for (result, turn) in results.iter_mut().zip(Color::BOTH) {
        let game = position.game();
        let position = game.position(&Setup { turn, ..position.setup() }).ok()?;
        if position.moves().is_empty() {
            return None;
        }
        let wins = match library.value(&position).wdl() {
            Wdl::Draw => 0,
            Wdl::Win => 1,
            Wdl::Loss => -1,
        };
        *result = if turn == Color::White { wins } else { -wins };
    }
    Some(results)
}

fn listed_is_what_the_plain_solver_finds<G: Family>(game: G, pieces: u32) {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(game, pieces, directory.path());
    let tables = Tables::open(game, directory.path());
    let mut library = Library::<G>::default();
    let (mut only_moves, mut zugzwangs) = (0, 0);
    for signature in (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)) {
        library.solved(&signature);
        let table = Table::open(directory.path(), signature, Metric::Dtw).expect("a table");
        for side in [Side::First, Side::Second] {
            let list = |metric, filter| list(&tables, &signature, side, metric, filter);
            let all = list(Metric::Dtw, Filter::default());
            let summary = table.header().summary(side);
            assert_eq!(all.len() as u64, summary.positions(), "{signature}");
            let distinct: HashSet<_> = all.iter().map(|listed| listed.position).collect();
            assert_eq!(distinct.len(), all.len(), "{signature}");
            for listed in &all {
                assert_eq!(listed.position.turn(), side.color());
                assert_eq!(Signature::of(&listed.position).0, signature);
                assert_eq!(listed.value, library.value(&listed.position));
            }
            let count = |wdl| all.iter().filter(|listed| listed.value.wdl() == wdl).count() as u64;
            let counts = [Wdl::Win, Wdl::Draw, Wdl::Loss].map(count);
            assert_eq!(counts, [summary.wins, summary.draws, summary.losses], "{signature}");

            let histogram = tables.histogram(&signature, side, |_, _| Continue(()));
            let histogram = histogram.expect("sound tables").expect("not interrupted");
            let counted: u64 = histogram.values().map(|(_, count)| count).sum();
            assert_eq!(
                (counted, histogram.positions(Wdl::Draw)),
                (all.len() as u64, summary.draws)
            );
            for (value, count) in histogram.values() {
                let Some(plies) = value.plies() else { continue };
                let filter = Filter { plies: Some(plies), ..Filter::default() };
                let some = list(Metric::Dtw, filter);
                let expected = all.iter().filter(|listed| listed.value.plies() == Some(plies));
                assert!(some.iter().eq(expected), "{signature} in {plies}");
                assert_eq!(some.len() as u64, count, "{signature} in {plies}");
            }

            let positions = || all.iter().map(|listed| listed.position);
            let with_only_move = positions().filter_map(|position| {
                let keeping = keeping::<G>(&library, &position);
                let others = position.moves().len() > keeping.len();
                (keeping.len() == 1 && others).then(|| (position, Some(keeping[0])))
            });
            let with_only_move: Vec<_> = with_only_move.collect();
            // White does worse with White to move, and so does Black with Black to move.
            let is_zugzwang = |position: &G::Position| {
                results(&library, position).is_some_and(|[white, black]| white < black)
            };
            let in_zugzwang: Vec<_> = positions().filter(is_zugzwang).collect();
            for metric in Metric::ALL {
                let filter = Filter { only_move: true, ..Filter::default() };
                let listed = list(metric, filter).into_iter();
                let listed: Vec<_> = listed.map(|l| (l.position, l.only_move)).collect();
                assert_eq!(listed, with_only_move, "{signature}");
                only_moves += listed.len();

                let filter = Filter { zugzwang: true, ..Filter::default() };
                let listed: Vec<_> = list(metric, filter).into_iter().map(|l| l.position).collect();
                assert_eq!(listed, in_zugzwang, "{signature}");
                zugzwangs += listed.len();
            }

            // Without copies only the first of each set of images is listed.
            let filter = Filter::default();
            let metric = Metric::Dtw;
            let query = Query { signature, metric, filter, side: Some(side), copies: false };
            let once = list_query(&tables, query);
            let order = all.len().div_ceil(once.len().max(1)) as u64;
            let known = |listed: &Listed<G>| (listed.position, listed.value);
            let every: HashSet<_> = all.iter().map(known).collect();
            assert!(order <= 8 && once.iter().all(|one| every.contains(&known(one))));
            let index = table.side_index(side);
            let numbers = |listed: &[Listed<G>]| -> HashSet<u64> {
                let white = listed.iter().map(|listed| listed.position.with_white_to_move());
                white.map(|position| index.number(&position)).collect()
            };
            assert_eq!(numbers(&once), numbers(&all), "{signature}");
            assert_eq!(numbers(&once).len(), once.len(), "{signature}");
        }
    }
    assert!(only_moves > 100 && zugzwangs > 100, "{only_moves}, {zugzwangs}");
}

/// A side in check cannot pass. If the kings face each other with a pawn behind one, it is a
/// disadvantage to move, as every book on endings says.
#[test]
fn zugzwang_in_chess() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Chess, 3, directory.path());
    let tables = Tables::open(Chess, directory.path());
    let filter = Filter { zugzwang: true, ..Filter::default() };
    let zugzwangs = |text, side| -> Vec<String> {
        let signature = Signature::parse(Chess, text).expect("a signature");
        let listed = list(&tables, &signature, side, Metric::Wdl, filter);
        listed.iter().map(|listed| listed.position.fen()).collect()
    };
    let of_white = zugzwangs("KPvK", Side::First);
    // A king in front of its pawn needs the opposition, except on the sixth rank.
    assert!(of_white.contains(&"8/4k3/8/4K3/4P3/8/8/8 w - - 0 1".to_owned()));
    assert!(!of_white.contains(&"3k4/8/3K4/3P4/8/8/8/8 w - - 0 1".to_owned()));
    assert!(zugzwangs("KQvK", Side::First).is_empty());

    // Each placement has a mirror image, and both sides to move.
    let signature = Signature::parse(Chess, "KPvK").expect("a signature");
    let metric = Metric::Wdl;
    let query = Query { signature, metric, filter, side: None, copies: false };
    let all = list_query(&tables, Query { copies: true, ..query }).len();
    assert_eq!(all, 4 * list_query(&tables, query).len());
}

/// In chess some images have numbers of their own, but are counted as one position.
fn each_position_of_chess_is_listed_once(signatures: &[Signature<Chess>]) {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Chess, 3, directory.path());
    let tables = Tables::open(Chess, directory.path());
    let metric = Metric::Wdl;
    for &signature in signatures {
        let table = Table::open(directory.path(), signature, metric).expect("a table");
        for side in [Side::First, Side::Second] {
            let all = list(&tables, &signature, side, metric, Filter::default());
            let distinct: HashSet<_> = all.iter().map(|listed| listed.position).collect();
            let positions = table.header().summary(side).positions();
            assert_eq!((all.len() as u64, distinct.len()), (positions, all.len()), "{signature}");
        }
    }
}

#[test]
fn chess_positions() {
    let signatures = ["KPvK", "KNvK"].map(|text| Signature::parse(Chess, text));
    each_position_of_chess_is_listed_once(&signatures.map(|found| found.expect("a signature")));
}

#[test]
#[ignore = "takes twenty seconds"]
fn all_chess_positions_of_three_men() {
    each_position_of_chess_is_listed_once(&Signature::all(Chess, 3));
}

#[test]
fn russian_positions() {
    listed_is_what_the_plain_solver_finds(Russian, 3);
}

#[test]
#[ignore = "takes ten seconds"]
fn english_positions() {
    listed_is_what_the_plain_solver_finds(English, 3);
}

#[test]
fn alapo_positions() {
    listed_is_what_the_plain_solver_finds(Alapo, 2);
}

/// A position must pass all filters.
#[test]
fn filters_add_up() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 3, directory.path());
    let tables = Tables::open(Russian, directory.path());
    let signature = Signature::parse(Russian, "KMvM").expect("a signature");
    let list = |filter| list(&tables, &signature, Side::First, Metric::Dtw, filter);
    let one = Filter { wdl: Some(Wdl::Win), ..Filter::default() };
    let both = Filter { plies: Some(5), only_move: true, ..one };
    let some = list(both);
    let expected = list(Filter { only_move: true, ..Filter::default() });
    let expected = expected.into_iter().filter(|listed| listed.value.plies() == Some(5));
    assert!(!some.is_empty() && some.iter().cloned().eq(expected));
    assert!(list(Filter { wdl: Some(Wdl::Draw), plies: Some(5), ..one }).is_empty());
}

/// A list continues after an interruption, and from the cursor of any position.
#[test]
fn a_list_is_resumed() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 2, directory.path());
    let tables = Tables::open(Russian, directory.path());
    let signature = Signature::parse(Russian, "KvM").expect("a signature");
    for copies in [false, true] {
        let (metric, filter) = (Metric::Dtw, Filter { wdl: Some(Wdl::Win), ..Filter::default() });
        let query = Query { signature, metric, filter, side: None, copies };
        let all = list_query(&tables, query);
        assert!(all.iter().map(|listed| listed.cursor).is_sorted());
        for from in [0, 1, all.len() / 2, all.len() - 1] {
            let mut listing = tables.list(query).expect("sound tables");
            listing.resume(all[from].cursor).expect("a place of the list");
            let mut rest = Vec::new();
            while listing
                .advance(|listed| {
                    rest.push(listed);
                    Continue(())
                })
                .expect("sound tables")
            {}
            assert_eq!(rest, all[from..]);
        }
        let mut listing = tables.list(query).expect("sound tables");
        let first = listing.cursor();
        let past_the_end = Cursor { side: Side::Second, place: u64::MAX };
        assert!(listing.resume(past_the_end).is_err());
        assert_eq!(listing.cursor(), first);
    }
}

/// Each position of a list is sampled with equal probability: the frequencies of many samples of
/// one position agree with the binomial distribution. Both methods of sampling are tested.
#[test]
fn samples_are_uniform() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 3, directory.path());
    let tables = Tables::open(Russian, directory.path());
    let metric = Metric::Wdl;
    // If many positions pass the filters, random ones are drawn; if few, all are walked through.
    for (name, wdl, buckets) in [("KKvK", Wdl::Win, 16), ("KvK", Wdl::Loss, 0)] {
        let signature = Signature::parse(Russian, name).expect("a signature");
        let filter = Filter { wdl: Some(wdl), ..Filter::default() };
        let query = Query { signature, metric, filter, side: Some(Side::First), copies: true };
        let all = list_query(&tables, query);
        let buckets = if buckets == 0 { all.len() } else { buckets };
        // Both methods can be interrupted.
        let sample = Sample { positions: 1, seed: 0 };
        let ended = tables.list(query).expect("tables").sample(sample, |_, _| Break(()));
        assert!(ended.expect("sound tables").is_none(), "{name}");
        let mut counts = vec![0; buckets];
        for seed in 0..2000 {
            let sample = Sample { positions: 1, seed };
            let chosen = tables.list(query).expect("tables").sample(sample, |_, _| Continue(()));
            let chosen = chosen.expect("sound tables").expect("a whole sample");
            let place =
                all.iter().position(|listed| *listed == chosen[0]).expect("one of the list");
            counts[place * buckets / all.len()] += 1;
        }
        let expected = 2000.0 / buckets as f64;
        let far = 5.0 * expected.sqrt();
        let is_near = |&count: &i32| (f64::from(count) - expected).abs() < far;
        assert!(counts.iter().all(is_near), "{name}: {counts:?}");
    }
}

/// An index of the second signature would take hours and gigabytes.
#[test]
fn nothing_is_listed_without_a_table() {
    let tables = Tables::open(Russian, "no such directory");
    for signature in ["KKvK", "KKKKKKvKKKKKK"] {
        let signature = Signature::parse(Russian, signature).expect("a signature");
        let (metric, filter) = (Metric::Wdl, Filter::default());
        let query = Query { signature, metric, filter, side: None, copies: true };
        assert!(tables.list(query).err().expect("no table").is_missing());
        let histogram = tables.histogram(&signature, Side::First, |_, _| Continue(()));
        assert!(histogram.expect_err("no table").is_missing());
    }
}
