//! The functions that JavaScript calls. Their attribute `no_mangle` is unsafe code, because no other function of
//! the program may have the same name. There is no other unsafe code in this crate.
//!
//! JavaScript makes room for a text or bytes with `damka_input`, writes them there, and calls a function
//! that reads them. The program has a single thread, so nothing else writes in the meantime.
#![allow(unsafe_code)]

use crate::session::Session;
use std::cell::RefCell;

#[derive(Default)]
struct Exchange {
    session: Session,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Runs code on the state. No export calls another one, so the state is never borrowed twice.
fn with<T>(run: impl FnOnce(&mut Exchange) -> T) -> T {
    EXCHANGE.with_borrow_mut(run)
}

/// Allocates `len` bytes for input. Returns their address.
#[unsafe(no_mangle)]
extern "C" fn damka_input(len: usize) -> *mut u8 {
    with(|exchange| {
        exchange.input.clear();
        exchange.input.resize(len, 0);
        exchange.input.as_mut_ptr()
    })
}

/// Answers the request in the input. Returns the length of the reply.
#[unsafe(no_mangle)]
extern "C" fn damka_request() -> usize {
    with(|exchange| {
        exchange.output = exchange.session.request(&exchange.input);
        exchange.output.len()
    })
}

/// The address of the reply.
#[unsafe(no_mangle)]
extern "C" fn damka_output() -> *const u8 {
    with(|exchange| exchange.output.as_ptr())
}

/// Stores a part of a file from the input: its name, a zero byte, and its bytes. Returns 1, or 0 if the
/// bytes are not those of the part.
#[unsafe(no_mangle)]
extern "C" fn damka_deliver() -> u32 {
    with(|exchange| u32::from(exchange.session.deliver(&exchange.input)))
}
