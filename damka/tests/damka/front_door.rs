//! The queries of a server or a binding for a game named at run time, with tables in a directory
//! and in memory.

use crate::{golden, golden_of};
use damka::{
    AnyGame, AnyTables, AskError, BoardLayout, Boards, Filter, ListQuery, Metric, RowError, Setup,
    SideStats, Value, Wdl, read_setup, setup_fen,
};
use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow::{Break, Continue};
use std::path::PathBuf;

const FILES: [&str; 4] =
    ["russian/KvK.wdl", "russian/KvK.dtw", "russian/KvM.wdl", "russian/KvM.dtw"];

/// Tables that hold histograms.
fn newer() -> PathBuf {
    golden_of("golden-1.1")
}

/// The golden tables, in a directory and in memory.
fn places() -> [Box<dyn AnyTables>; 2] {
    let game: AnyGame = "russian".parse().expect("a game");
    let bytes =
        FILES.map(|name| (name.to_owned(), fs::read(golden().join(name)).expect("a table")));
    let memory: HashMap<String, Vec<u8>> = bytes.into();
    [damka::open(game, golden(), Default::default()), damka::open_in(game, memory, 1 << 20)]
}

#[test]
fn bytes_in_memory_answer_as_files_do() {
    let [files, memory] = places();
    for fen in ["W:WKa1:BKg7", "B:WKa1:BKg7", "W:WKd4:Bd8", "[FEN \"W:WKa1:BKh2\"] *"] {
        let [here, there] = [&files, &memory].map(|tables| tables.answer(fen, Metric::Dtw));
        assert_eq!(here.expect("an answer"), there.expect("an answer"));
        let [here, there] = [&files, &memory].map(|tables| tables.line(fen));
        assert_eq!(here.expect("a line"), there.expect("a line"));
    }
    let [here, there] = [&files, &memory].map(|tables| tables.stats("KvM").expect("counts"));
    assert_eq!(here, there);
}

/// The counts of a published list: 868 placements; White to move wins 746 of them.
#[test]
fn stats_and_histograms_agree() {
    let [tables, _] = places();
    let [white, black] = tables.stats("KvM").expect("counts");
    let SideStats { positions, wins, draws, losses, longest_win, .. } = white;
    assert_eq!((positions, wins, draws, losses), (868, 746, 122, 0));
    assert_eq!((longest_win, black.longest_loss), (Some(7), Some(8)));
    let mut steps = Vec::new();
    let progress = &mut |done, total| {
        steps.push((done, total));
        Continue(())
    };
    let histograms = tables.histogram("KvM", progress).expect("a histogram");
    assert!(
        !steps.is_empty() && steps.iter().all(|&(done, total)| done < total && total == 2 * 868)
    );
    // Newer tables hold the same numbers.
    assert_eq!(tables.stored_histogram("KvM").expect("a table"), None);
    let newer = damka::open("russian".parse().expect("a game"), newer(), Default::default());
    assert_eq!(newer.stored_histogram("KvM").expect("a table").as_ref(), Some(&histograms));
    let no_progress = &mut |_, _| panic!("nothing is counted");
    assert_eq!(newer.histogram("KvM", no_progress).expect("a histogram"), histograms);
    assert!(newer.stored_histogram("KKvK").expect_err("no table").is_missing());
    let [histogram, _] = histograms;
    let of = |wdl| {
        let bars = histogram.histogram.iter().filter(|bar| bar.value == wdl);
        bars.map(|bar| bar.positions).sum::<u64>()
    };
    assert_eq!((of(Wdl::Win), of(Wdl::Draw), of(Wdl::Loss)), (746, 122, 0));
    assert_eq!(histogram.histogram[0].dtw, Some(1));
    let interrupted = tables.histogram("KvM", &mut |_, _| Break(()));
    assert!(matches!(interrupted, Err(AskError::Interrupted)));
}

#[test]
fn a_piece_is_put_on_every_square() {
    let [tables, _] = places();
    let map = tables.square_map("W:WKa1:BKh2", "h2", None, Metric::Dtw).expect("a map");
    // 32 squares but the one of the other king.
    assert_eq!(map.len(), 31);
    for place in &map {
        let value = tables.dtw(&place.fen).expect("a value");
        assert_eq!((place.value, place.dtw), (Some(value.wdl()), value.plies()));
    }
    let error = tables.square_map("W:WKa1:BKh2", "c3", None, Metric::Dtw).expect_err("no piece");
    assert!(matches!(error, AskError::NoPiece { .. }), "{error}");
    // A square with a piece of the same kind is not free either.
    let fen = "W:WKa1,Kc1:BKh2";
    let map = tables.square_map(fen, "a1", None, Metric::Wdl).expect("a map");
    assert_eq!(map.len(), 30);
    assert!(map.iter().all(|place| place.square != "c1" && place.fen.matches('K').count() == 3));
    // Chess: no pawn on an end rank, and none that attacks the king of the side not to move.
    let chess = damka::open("chess".parse().expect("a game"), golden(), Default::default());
    let map = chess.square_map("4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1", "e2", None, Metric::Wdl);
    assert_eq!(map.expect("a map").iter().filter(|place| place.value.is_none()).count(), 45);
}

#[test]
fn rows_of_bitboards_are_probed_in_one_call() {
    let layout = BoardLayout::of("russian".parse().expect("a game"));
    let mut rows = Vec::<u32>::new();
    for fen in ["W:WKa1:BKg7", "B:WKa1:BKb8", "W:WKd4:Bd8", "W:WKa1:BKb8"] {
        layout.push_fen(fen, &mut rows).expect("a position");
    }
    // Two men on one square, no side to move, more pieces than there are tables of.
    rows.extend([0, 1 << 9, 0, 1 << 9, 0]);
    rows.extend([1, 0, 2, 0, 2]);
    rows.extend([7, 0, 0, 1 << 20, 0]);
    let wide: Vec<u64> = rows.iter().map(|&word| word.into()).collect();
    for tables in places() {
        // The first time blocks are decoded, the second time they are in memory.
        for boards in [Boards::Narrow(&rows), Boards::Wide(&wide), Boards::Narrow(&rows)] {
            let mut values: [Option<Result<Value, AskError>>; 7] = Default::default();
            let found = &mut |number: usize, value| {
                assert!(values[number].replace(value).is_none(), "{number}");
                Continue(())
            };
            tables.values(boards, Metric::Dtw, found).expect("whole rows");
            let values = values.map(|value| value.expect("each has been found"));
            for (row, value) in rows.chunks(layout.columns()).zip(&values).take(4) {
                let fen = layout.fen(row).expect("a position");
                assert_eq!(value.as_ref().expect("a value"), &tables.dtw(&fen).expect("a value"));
            }
            assert!(matches!(values[4], Err(AskError::Setup(_))), "{:?}", values[4]);
            assert!(matches!(values[5], Err(AskError::Row(RowError::Turn(2)))), "{:?}", values[5]);
            assert!(values[6].as_ref().expect_err("no table").is_missing());
        }
        let mut found = 0;
        let count = &mut |_, _| {
            found += 1;
            Break(())
        };
        tables.values(Boards::Narrow(&rows), Metric::Dtw, count).expect("whole rows");
        assert_eq!(found, 1);
        let error = tables.values(Boards::Narrow(&rows[1..]), Metric::Dtw, &mut |_, _| Break(()));
        assert_eq!(error, Err(RowError::Length { words: 34, columns: 5 }));
    }
}

/// A setup has the same value as its FEN.
#[test]
fn setups_are_probed_without_text() {
    let russian: AnyGame = "russian".parse().expect("a game");
    let fens = ["W:WKa1:BKg7", "B:WKa1:BKb8", "W:WKa1:BKb8"];
    let setups = fens.map(|fen| read_setup(russian, fen).expect("a position"));
    let impossible = Setup { pieces: Default::default(), ..setups[0] };
    for tables in places() {
        for (fen, setup) in fens.into_iter().zip(&setups) {
            assert_eq!(setup_fen(russian, setup).expect("a position"), fen);
            let value = tables.setup_dtw(setup).expect("a value");
            assert_eq!(value, tables.dtw(fen).expect("a value"));
            assert_eq!(tables.setup_wdl(setup).expect("a value"), value.wdl());
            let decoded = tables.setup_value_if_decoded(setup, Metric::Dtw).expect("a position");
            assert_eq!(decoded, Some(value));
            tables.prefetch_setup(setup, Metric::Wdl).expect("a table");
        }
        let mut values = Vec::new();
        let setup = |number: usize| match setups.get(number) {
            Some(setup) => Ok(*setup),
            None if number == 3 => Ok(impossible),
            None => Err(RowError::Kinds.into()),
        };
        tables.setup_values(5, Metric::Dtw, &setup, &mut |number, value| {
            values.push((number, value));
            Continue(())
        });
        values.sort_by_key(|&(number, _)| number);
        assert_eq!(values.len(), 5);
        for ((_, value), fen) in values.iter().zip(fens) {
            assert_eq!(value.as_ref().expect("a value"), &tables.dtw(fen).expect("a value"));
        }
        assert!(matches!(values[3].1, Err(AskError::Setup(_))));
        assert!(matches!(values[4].1, Err(AskError::Row(RowError::Kinds))));
        assert!(matches!(tables.setup_wdl(&impossible), Err(AskError::Setup(_))));
        tables.preload("KvM", Metric::Wdl).expect("a table");
        assert!(tables.preload("KKKvK", Metric::Wdl).expect_err("no table").is_missing());
    }
}

#[test]
fn a_row_has_no_castling_rights() {
    let layout = BoardLayout::of("chess".parse().expect("a game"));
    let mut rows = Vec::<u64>::new();
    let castling = layout.push_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &mut rows);
    assert!(matches!(castling, Err(AskError::Row(RowError::State(_)))));
    let en_passant = layout.push_fen("4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1", &mut rows);
    assert!(matches!(en_passant, Err(AskError::Row(RowError::State(_)))));
    layout.push_fen("4k3/8/8/8/8/8/8/4K2R b - - 3 9", &mut rows).expect("a row");
    assert_eq!((rows.len(), layout.columns(), layout.bits), (13, 13, 64));
    assert_eq!(layout.fen(&rows).expect("a position"), "4k3/8/8/8/8/8/8/4K2R b - - 0 1");
}

#[test]
fn decoded_values_need_no_reading() {
    let [tables, _] = places();
    let fen = "W:WKa1:BKb8";
    tables.prefetch(fen, Metric::Wdl).expect("a table");
    assert_eq!(tables.value_if_decoded(fen, Metric::Wdl).expect("a position"), None);
    let value = tables.wdl(fen).expect("a value");
    let decoded = tables.value_if_decoded(fen, Metric::Wdl).expect("a position");
    assert_eq!(decoded.map(damka::Value::wdl), Some(value));
    assert!(tables.pin("KvM", Metric::Dtw).expect("memory") > 0);
}

#[test]
fn an_inventory_lists_what_there_is() {
    let [_, memory] = places();
    assert_eq!(memory.signatures().expect("names"), ["KvM", "KvK"]);
    let inventory = memory.inventory().expect("tables");
    assert_eq!((inventory.tables.len(), inventory.damaged.len()), (4, 0));
    assert!(memory.has_table("KvM", Metric::Dtw).expect("a signature"));
    assert!(!memory.has_table("KKvM", Metric::Dtw).expect("a signature"));
    assert!(memory.has_table("KvX", Metric::Dtw).is_err());
}

/// Once its blocks are decoded, an answer without reading is the same as one with reading.
#[test]
fn an_answer_from_decoded_blocks_is_the_one_that_is_read() {
    for tables in places() {
        let fen = "W:WKd4:Bd8";
        assert_eq!(tables.answer_if_decoded(fen, Metric::Dtw).expect("a position"), None);
        for fen in ["W:WKa1:BKg7", "B:WKa1:BKh2", fen] {
            let read = tables.answer(fen, Metric::Dtw).expect("an answer");
            let decoded = tables.answer_if_decoded(fen, Metric::Dtw).expect("a position");
            assert_eq!(decoded, Some(read.clone()));
            let value = tables.value(fen, Metric::Dtw).expect("a value");
            assert_eq!((Some(value.value), value.dtw), (read.value, read.dtw));
            let legal = tables.legal_moves(fen).expect("a position");
            assert_eq!((legal.value, legal.moves.len()), (None, read.moves.len()));
        }
    }
}

#[test]
fn random_positions_are_of_the_list_and_repeat_with_their_seed() {
    let [tables, _] = places();
    let query = ListQuery {
        signature: "KvM".to_owned(),
        metric: Metric::Dtw,
        filter: Filter { wdl: Some(Wdl::Loss), ..Filter::default() },
        turn: None,
        copies: false,
    };
    let random = |seed| tables.random(&query, seed, None).expect("a list");
    for seed in 0..50 {
        let position = random(seed).expect("a position");
        assert_eq!((position.value, random(seed)), (Wdl::Loss, Some(position)));
    }
    // White to move never loses: the list is empty.
    let none = ListQuery { turn: Some(damka::Color::White), ..query.clone() };
    assert_eq!(tables.random(&none, 1, None).expect("a list"), None);
}
