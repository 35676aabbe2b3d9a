//! Pages of a list, as a server or a binding asks for them.

use damka::{AnyTables, Filter, ListPage, ListQuery, ListRequest, Metric, Wdl};
use std::time::Instant;

fn tables() -> Box<dyn AnyTables> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
    damka::open("russian".parse().expect("a game"), golden, Default::default())
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

/// However late it is, each page goes on a little.
#[test]
fn a_deadline_ends_a_page() {
    let tables = tables();
    let late = ListRequest { deadline: Some(Instant::now()), ..request() };
    let ListPage { positions, next } = tables.list(&late).expect("a page");
    let rest = tables.list(&ListRequest { from: next, ..request() }).expect("a page");
    assert!(next.is_some() && !positions.is_empty() && !rest.positions.is_empty());
    assert_eq!(positions.len() + rest.positions.len(), 2 * 194);
}

#[test]
fn what_is_no_signature_is_refused() {
    let error = tables().list(&ListRequest { query: query("KvX"), ..request() });
    assert!(error.expect_err("no signature").to_string().contains("`KvX` is not a signature"));
}
