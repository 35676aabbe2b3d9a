//! The C interface of damka, which `damka.h` describes.
//!
//! * `c/`: the functions of the header; all `unsafe` code is there
//! * `types.rs`, `status.rs`, `position.rs`: its types; positions as bitboards, by family
//! * `call.rs`: runs the work of a call, so that no panic unwinds into the caller; `failure.rs`: errors with their
//!   status

mod c;
mod call;
mod failure;
mod position;
mod status;
mod types;

pub use c::{
    DamkaTables, damka_best_move, damka_close, damka_dtw, damka_error, damka_error_code,
    damka_largest, damka_list, damka_open, damka_open_with, damka_pin, damka_prefetch,
    damka_preload, damka_probe_batch, damka_probe_cached, damka_probe_dtw, damka_probe_line,
    damka_probe_root, damka_probe_wdl, damka_read_fen, damka_tables, damka_version, damka_wdl,
    damka_write_fen,
};
pub use position::{
    DamkaAlapo, DamkaBoards, DamkaChess, DamkaColor, DamkaDraughts, DamkaFamily, DamkaPosition,
};
pub use status::DamkaStatus;
pub use types::{
    DAMKA_ANY, DAMKA_NAME_SIZE, DAMKA_UNKNOWN_PLIES, DamkaAccess, DamkaListed, DamkaMetric,
    DamkaMove, DamkaQuery, DamkaResult, DamkaTable, DamkaValue,
};
