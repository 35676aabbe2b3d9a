//! The functions that C calls. The only unsafe code of this crate.
//!
//! The promises of a caller are at the top of `damka.h`: each pointer is NULL or points to an object of
//! its type, a handle is open, and no other code uses memory while it is written. No function unwinds
//! into the caller: a panic, which would be a bug, becomes
//! [`DAMKA_BUG`](crate::DamkaStatus::DAMKA_BUG).
//!
//! * `handles.rs`: opens and closes handles.
//! * `texts.rs`: positions as text; `probes.rs`: positions as bitboards.
//! * `tables.rs`: tables as a whole; `list.rs`: their positions.
//! * `errors.rs`: the last error.
//! * `caller.rs` and `strings.rs`: common handling of the caller's pointers.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "the promises are at the top of the header")]

mod caller;
mod errors;
mod handles;
mod list;
mod probes;
mod strings;
mod tables;
mod texts;

pub use errors::{damka_error, damka_error_code, damka_version};
pub use handles::{DamkaTables, damka_close, damka_open, damka_open_with};
pub use list::damka_list;
pub use probes::{
    damka_probe_batch, damka_probe_cached, damka_probe_dtw, damka_probe_line, damka_probe_root,
    damka_probe_wdl,
};
pub use tables::{damka_largest, damka_pin, damka_prefetch, damka_preload, damka_tables};
pub use texts::{damka_best_move, damka_dtw, damka_read_fen, damka_wdl, damka_write_fen};
