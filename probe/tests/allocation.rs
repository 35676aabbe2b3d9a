//! A probe takes no memory once its tables are open: alone in its binary, because the
//! allocator counts for the whole process.
#![allow(unsafe_code)]

use damka_games::draughts::Position;
use damka_games::{Position as _, Russian};
use damka_probe::{Access, Options, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Index, Side, Signature};
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting what it is asked for.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
            let tables = Tables::open_with(Russian, &golden, Options { cache_bytes, access });
            let probe = || {
                positions.iter().for_each(|position| {
                    tables.wdl(position).expect("a value");
                    let value = tables.value_if_decoded(position, Metric::Wdl).expect("no damage");
                    assert!(value.is_some() || cache_bytes == 0);
                });
                ALLOCATIONS.load(Ordering::Relaxed)
            };
            let before = probe();
            assert!(before > 0, "opening tables allocates");
            assert_eq!(probe(), before, "{access:?}, {cache_bytes} bytes");
        }
    }
}
