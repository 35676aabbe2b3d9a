//! Pages of a list, as a server or a binding requests them.

use damka::{
    AnyTables, AskError, Color, Filter, Game, ListPage, ListQuery, ListRequest, Metric, Position,
    Russian, Wdl,
};
use std::time::Instant;

fn tables() -> Box<dyn AnyTables> {
    damka::open("russian".parse().expect("a game"), crate::golden(), Default::default())
}

fn query(signature: &str) -> ListQuery {
    ListQuery {
        signature: signature.to_owned(),
        metric: Metric::Dtw,
        filter: Filter { wdl: Some(Wdl::Win), ..Filter::default() },
        turn: None,
        copies: true,
    }
}

fn request() -> ListRequest {
    ListRequest { query: query("KvK"), from: None, limit: usize::MAX, deadline: None }
}

#[test]
fn pages_make_up_the_list() {
    let tables = tables();
    let whole = tables.list(&request()).expect("a page");
    // Published: 194 of 992 are won, with each side to move.
    assert_eq!((whole.positions.len(), whole.next), (2 * 194, None));
    let (mut pages, mut from) = (Vec::new(), None);
    loop {
        let page = tables.list(&ListRequest { from, limit: 50, ..request() }).expect("a page");
        assert!(page.positions.len() == 50 || page.next.is_none());
        pages.extend(page.positions);
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    assert_eq!(pages, whole.positions);
}

/// Each page makes progress, even after its deadline.
#[test]
fn a_deadline_ends_a_page() {
    let tables = tables();
    let late = ListRequest { deadline: Some(Instant::now()), ..request() };
    let ListPage { positions, next, .. } = tables.list(&late).expect("a page");
    let rest = tables.list(&ListRequest { from: next, ..request() }).expect("a page");
    assert!(next.is_some() && !positions.is_empty() && !rest.positions.is_empty());
    assert_eq!(positions.len() + rest.positions.len(), 2 * 194);
}

/// Places that the header of a table rules out are skipped, and positions that it names are found
/// at once; the list is the same.
#[test]
fn the_counts_of_a_table_shorten_a_list() {
    let tables = tables();
    let list = |query: &ListQuery| {
        let request = ListRequest { query: query.clone(), ..request() };
        tables.list(&request).expect("a page").positions
    };
    for (signature, copies) in [("KvM", false), ("KvM", true), ("KvK", false)] {
        let all = list(&ListQuery { filter: Filter::default(), copies, ..query(signature) });
        let longest = all.iter().filter_map(|listed| listed.dtw).max().expect("a win");
        let distances = (0..=longest + 1).map(Some).chain([None]);
        for plies in distances {
            for wdl in [None, Some(Wdl::Win), Some(Wdl::Draw), Some(Wdl::Loss)] {
                let filter = Filter { wdl, plies, ..Filter::default() };
                if wdl == Some(Wdl::Draw) && plies.is_some() {
                    continue;
                }
                let mut expected = all.clone();
                expected.retain(|listed| {
                    wdl.is_none_or(|wdl| listed.value == wdl)
                        && (plies.is_none() || listed.dtw == plies)
                });
                let found = list(&ListQuery { filter, copies, ..query(signature) });
                assert_eq!(found, expected, "{signature} {filter:?}");
            }
        }
    }
    for side in tables.stats("KvM").expect("counts") {
        let turn = if side.to_move == "white" { Color::White } else { Color::Black };
        let named = [
            (Wdl::Win, side.longest_win, side.longest_win_fen),
            (Wdl::Loss, side.longest_loss, side.longest_loss_fen),
        ];
        for (wdl, plies, fen) in named {
            let filter = Filter { wdl: Some(wdl), plies, ..Filter::default() };
            let query = ListQuery { filter, turn: Some(turn), copies: false, ..query("KvM") };
            let start = tables.listing(&query).expect("a table").cursor();
            let first = list(&query).into_iter().next();
            match fen {
                None => assert_eq!((start, first), (None, None)),
                Some(fen) => {
                    let first = first.expect("the longest");
                    assert_eq!(start.expect("a place").to_string(), first.cursor);
                    assert_eq!(first.fen, fen);
                    let random = tables.random(&query, 1, None).expect("a table");
                    assert_eq!(random.expect("a position").dtw, plies);
                }
            }
        }
    }
}

/// White has the side that a signature names first, whichever the table names first.
#[test]
fn the_order_of_a_signature_gives_the_colours() {
    let tables = tables();
    let position = |fen: &str| Russian.parse_fen(fen).expect("a FEN");
    let any = Filter::default();
    for filter in [any, Filter { only_move: true, ..any }, Filter { zugzwang: true, ..any }] {
        for turn in [None, Some(Color::White), Some(Color::Black)] {
            let query = |signature, turn| ListQuery { filter, turn, ..query(signature) };
            let list = |query| tables.list(&ListRequest { query, ..request() }).expect("a page");
            let as_named = list(query("KvM", turn.map(|turn| !turn)));
            let turned = list(query("MvK", turn));
            assert_eq!(turned.signature, "MvK");
            assert_eq!(turned.positions.len(), as_named.positions.len());
            for (turned, as_named) in turned.positions.iter().zip(&as_named.positions) {
                assert_eq!(position(&turned.fen), position(&as_named.fen).flip());
                let facts = |listed: &damka::ListedPosition| {
                    (listed.value, listed.dtw, listed.passed.clone(), listed.cursor.clone())
                };
                assert_eq!(facts(turned), facts(as_named));
                let Some(only) = &turned.only_move else { continue };
                let moves = tables.answer(&turned.fen, Metric::Dtw).expect("tables").moves;
                let keeping = moves.iter().filter(|mv| mv.value == Some(turned.value));
                assert_eq!(keeping.map(|mv| &mv.name).collect::<Vec<_>>(), [only]);
            }
        }
    }
    let kings = |color, fen: &str| position(fen).material(color)[damka::games::draughts::KING];
    for seed in 0..20 {
        let found = tables.random(&query("MvK"), seed, None).expect("a table").expect("a win");
        assert_eq!([Color::White, Color::Black].map(|color| kings(color, &found.fen)), [0, 1]);
    }
}

#[test]
fn invalid_signatures_are_refused() {
    let error = tables().list(&ListRequest { query: query("KvX"), ..request() });
    assert!(error.expect_err("no signature").to_string().contains("`KvX` is not a signature"));
}

/// Draws have no distance, and nothing has one under WDL: an empty list would suggest that there
/// are no such positions.
#[test]
fn a_distance_filter_on_values_without_one_is_an_error() {
    let tables = tables();
    let filter = |wdl| Filter { wdl, plies: Some(3), ..Filter::default() };
    let draws = ListQuery { filter: filter(Some(Wdl::Draw)), ..query("KvM") };
    let without = ListQuery { filter: filter(None), metric: Metric::Wdl, ..query("KvM") };
    for query in [draws, without] {
        let list = tables.list(&ListRequest { query, ..request() });
        assert!(matches!(list, Err(AskError::NoDistance)), "{list:?}");
    }
}
