//! The functions that C calls. The only unsafe code of this crate.
//!
//! What a caller promises is said once, at the top of `damka.h`: each pointer is NULL or points to
//! what its type says, a handle is open, and what is written to is not used by others meanwhile.
//! Nothing unwinds into the caller: a panic, which would be a bug, becomes
//! [`DAMKA_BUG`](crate::DamkaStatus::DAMKA_BUG).
//!
//! * `handles.rs`: handles are opened and closed.
//! * `texts.rs`: positions as text; `probes.rs`: as bitboards.
//! * `tables.rs`: tables as a whole; `list.rs`: their positions.
//! * `errors.rs`: what went wrong.
//! * `lent.rs` and `strings.rs`: what all of them do with pointers of the caller.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "the promises are at the top of the header")]

mod errors;
mod handles;
mod lent;
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
