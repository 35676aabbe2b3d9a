//! Compares tables with published figures.

use damka_games::{Alapo, English, Game, Russian};
use damka_probe::{Table, Tables, list_tables};
use damka_tables::metric::{Metric, Summary};
use damka_tables::{Indexable, Side, Signature, Value};
use damka_tests::{build_all, build_tables};
use std::path::Path;

/// The counts of a signature with the side of these pieces to move, from the table's header.
fn summary<G: Indexable>(game: G, directory: &Path, mover: &str, opponent: &str) -> Summary {
    let signature = Signature::parse(game, &format!("{mover}v{opponent}")).expect("a signature");
    let first = signature.to_string() == format!("{mover}v{opponent}");
    let side = if first { Side::First } else { Side::Second };
    let table = Table::open(directory, signature, Metric::Dtw).expect("a table");
    *table.header().summary(side)
}

/// Checks every row of a file of counts: mover, opponent, positions, wins, losses, draws, longest
/// win and longest loss in plies (`-`: none).
fn check_counts<G: Indexable>(game: G, directory: &Path, rows: &str) {
    let rows: Vec<&str> = rows.lines().filter(|row| !row.starts_with('#')).collect();
    assert_eq!(rows.len(), 41);
    for row in rows {
        let fields: Vec<&str> = row.split('\t').collect();
        let found = summary(game, directory, fields[0], fields[1]);
        let plies =
            |longest: Option<u16>| longest.map_or("-".to_owned(), |plies| plies.to_string());
        let found = [
            found.positions().to_string(),
            found.wins.to_string(),
            found.losses.to_string(),
            found.draws.to_string(),
            plies(found.longest_win.map(|longest| longest.plies)),
            plies(found.longest_loss.map(|longest| longest.plies)),
        ];
        assert_eq!(found, fields[2..], "{} {} v {}", game.name(), fields[0], fields[1]);
    }
}

/// The longest wins and losses of the headers are those of the tables.
fn check_examples<G: Indexable>(game: G, directory: &Path) {
    let tables = Tables::open(game, directory);
    for signature in list_tables(game, directory).expect("tables") {
        let table = Table::open(directory, signature, Metric::Dtw).expect("a table");
        for &side in signature.sides() {
            let summary = table.header().summary(side);
            for longest in [summary.longest_win, summary.longest_loss].into_iter().flatten() {
                let position = table.side_index(side).position(longest.number);
                let value = tables.dtw(&position).expect("a value");
                assert_eq!(value, Value::decided(longest.plies), "{signature} {position:?}");
            }
        }
    }
}

#[test]
fn russian_counts_are_the_published_ones() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 4, directory.path());
    check_counts(Russian, directory.path(), include_str!("../../data/counts_russian.tsv"));
    check_examples(Russian, directory.path());
}

#[test]
fn english_counts_are_the_published_ones() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(English, 4, directory.path());
    check_counts(English, directory.path(), include_str!("../../data/counts_english.tsv"));
    check_examples(English, directory.path());
}

/// The best-known ending of Russian draughts: three kings beat one, unless it holds the main
/// diagonal.
#[test]
fn three_kings_beat_one_unless_it_holds_the_main_road() {
    let directory = tempfile::tempdir().expect("a directory");
    let signature = Signature::parse(Russian, "KKKvK").expect("a signature");
    build_tables(&[signature], directory.path());
    let three = summary(Russian, directory.path(), "KKK", "K");
    assert_eq!((three.wins, three.positions()), (132_240, 143_840));
    assert_eq!(three.longest_win.map(|longest| longest.plies), Some(25));

    let tables = Tables::open(Russian, directory.path());
    let value = |fen| {
        let position = Russian.parse_fen(fen).expect("a position");
        tables.dtw(&position).expect("a value")
    };
    assert_eq!(value("W:WKb8,Kd8,Kf8:BKa1"), Value::DRAW);
}

/// Figures for one piece against one, White to move: wins, draws, losses, and the longest distance
/// in plies.
const ALAPO_ONE_AGAINST_ONE: [(&str, [u64; 3], u16); 6] = [
    ("F", [546, 0, 504], 9),
    ("W", [540, 0, 510], 18),
    ("K", [604, 64, 382], 15),
    ("B", [782, 0, 268], 4),
    ("R", [780, 150, 120], 1),
    ("Q", [812, 146, 92], 1),
];

#[test]
fn alapo_figures_are_the_published_ones() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Alapo, 3, directory.path());
    check_examples(Alapo, directory.path());
    let tables = list_tables(Alapo, directory.path()).expect("tables");
    let pieces = |n| tables.iter().filter(move |signature| signature.pieces() == n);
    // 36 pairs of one against one, 126 signatures of two against one; a pair
    // and its reverse share a table.
    assert_eq!(pieces(2).count(), 21);
    assert_eq!(pieces(3).count(), 126);

    for (piece, [wins, draws, losses], longest) in ALAPO_ONE_AGAINST_ONE {
        let found = summary(Alapo, directory.path(), piece, piece);
        assert_eq!(
            [found.wins, found.draws, found.losses],
            [wins, draws, losses],
            "{piece}v{piece}"
        );
        let distances = [found.longest_win, found.longest_loss].into_iter().flatten();
        assert_eq!(distances.map(|longest| longest.plies).max(), Some(longest), "{piece}v{piece}");
    }

    let longest = |summary: &Summary| {
        let both = [summary.longest_win, summary.longest_loss].into_iter().flatten();
        both.map(|longest| longest.plies).max().unwrap_or(0)
    };
    let summaries = |n| {
        pieces(n).flat_map(|&signature| {
            let table = Table::open(directory.path(), signature, Metric::Dtw).expect("a table");
            let sides = signature.sides().iter();
            sides.map(|&side| *table.header().summary(side)).collect::<Vec<_>>()
        })
    };
    // The published figures are for both colours to move: each of our positions counts twice.
    let total = |count: fn(&Summary) -> u64| summaries(2).map(|s| 2 * count(&s)).sum::<u64>();
    assert_eq!(total(Summary::positions), 75_600);
    assert_eq!(total(|s| s.wins), 45_008);
    assert_eq!(total(|s| s.draws), 1_984);
    assert_eq!(total(|s| s.losses), 28_608);
    assert_eq!(summaries(3).map(|s| longest(&s)).max(), Some(30));

    let tables = Tables::open(Alapo, directory.path());
    for (fen, value) in [
        ("k5/6/6/6/6/F5 w", Value::decided(10)),
        ("f5/6/6/6/6/F5 w", Value::decided(9)),
        ("6/6/6/6/k5/KW4 b", Value::decided(30)),
    ] {
        let position = Alapo.parse_fen(fen).expect("a position");
        assert_eq!(tables.dtw(&position).expect("a value"), value, "{fen}");
    }
}
