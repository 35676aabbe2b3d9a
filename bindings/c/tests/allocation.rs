//! A probe of decoded blocks by bitboards allocates no memory. The allocator of this program counts.
#![allow(unsafe_code)]

use damka_c::{
    DamkaAlapo, DamkaBoards, DamkaMetric, DamkaPosition, DamkaResult, DamkaStatus, DamkaValue,
    damka_close, damka_open, damka_prefetch, damka_probe_cached, damka_probe_dtw, damka_probe_wdl,
    damka_read_fen,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::{CString, c_int};
use std::path::Path;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator with a counter.
struct Counting;

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_warm_probe_allocates_nothing() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/golden");
    let directory = CString::new(directory.to_str().expect("text")).expect("text");
    for (game, fen) in [
        (c"russian", c"W:WKa1:BKh2"),
        (c"russian", c"B:WKg1:Ba7"),
        (c"chess", c"8/8/8/8/8/2k5/1R6/K7 w - - 0 1"),
        (c"alapo", c"6/6/6/2q3/6/3W2 w"),
    ] {
        // SAFETY: strings; a handle that is open until it is closed; places of our own.
        unsafe {
            let tables = damka_open(game.as_ptr(), directory.as_ptr(), 1 << 20);
            let boards = DamkaBoards { alapo: DamkaAlapo::default() };
            let mut position = DamkaPosition { family: 0, boards };
            let ok = DamkaStatus::DAMKA_OK;
            assert_eq!(damka_read_fen(tables, fen.as_ptr(), &mut position), ok);
            let mut result = DamkaResult::DAMKA_DRAW;
            let mut plies = 0;
            let mut value = DamkaValue { status: ok, result, plies };
            let mut ask = || {
                let wdl = DamkaMetric::DAMKA_WDL as c_int;
                assert_eq!(damka_probe_wdl(tables, &position, &mut result), ok);
                assert_eq!(damka_probe_dtw(tables, &position, &mut result, &mut plies), ok);
                assert_eq!(damka_probe_cached(tables, &position, wdl, &mut value), ok);
                assert_eq!(damka_prefetch(tables, &position, wdl), ok);
            };
            ask();
            let before = ALLOCATIONS.get();
            ask();
            assert_eq!(ALLOCATIONS.get(), before, "{fen:?}");
            damka_close(tables);
        }
    }
}
