//! A probe allocates no memory once its tables are open.

use crate::counting::taken;
use damka_games::draughts::Position;
use damka_games::{Position as _, Russian};
use damka_probe::{Access, ProbeOptions, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Index, Side, Signature};
use std::path::Path;

fn positions(signature: &str) -> Vec<Position> {
    let signature = Signature::parse(Russian, signature).expect("a signature");
    let both = [Side::First, Side::Second].into_iter().flat_map(|side| {
        let [mover, opponent] = signature.to_move(side);
        let index = Index::new(Russian, mover, opponent);
        (0..index.len()).map(move |number| index.position(number))
    });
    both.flat_map(|position| [position, position.flip()]).collect()
}

/// Whether blocks stay decoded or, without room, are decoded again for every probe.
#[test]
fn a_probe_allocates_nothing() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden");
    let positions: Vec<Position> = ["KvK", "KvM", "KKvK"].into_iter().flat_map(positions).collect();
    let captures = positions.iter().filter(|position| position.captures_only()).count();
    assert!((1000..positions.len() - 1000).contains(&captures), "{captures}");
    for access in [Access::Map, Access::Read] {
        for cache_bytes in [0, 1 << 20] {
            let tables = Tables::open_with(Russian, &golden, ProbeOptions { cache_bytes, access });
            let probe = || {
                positions.iter().for_each(|position| {
                    tables.wdl(position).expect("a value");
                    let value = tables.value_if_decoded(position, Metric::Wdl).expect("no damage");
                    assert!(value.is_some() || cache_bytes == 0);
                });
                taken().allocations
            };
            let before = probe();
            assert!(before > 0, "opening tables allocates");
            assert_eq!(probe(), before, "{access:?}, {cache_bytes} bytes");
        }
    }
}
