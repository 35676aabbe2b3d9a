//! An allocator that counts for each thread alone, so that tests may run side by side.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The memory that a thread has allocated.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) allocations: usize,
    pub(crate) bytes: usize,
}

thread_local! {
    static TAKEN: Cell<Taken> = const { Cell::new(Taken { allocations: 0, bytes: 0 }) };
}

/// The memory that this thread has allocated so far.
pub(crate) fn taken() -> Taken {
    TAKEN.get()
}

/// The system's allocator, counting.
struct Counting;

fn count(bytes: usize) {
    let Taken { allocations, bytes: before } = TAKEN.get();
    TAKEN.set(Taken { allocations: allocations + 1, bytes: before + bytes });
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
