//! The C interface of damka: `damka.h` says what there is.

mod c;
mod failure;
mod status;

pub use c::{
    DamkaAccess, DamkaResult, DamkaTables, damka_best_move, damka_close, damka_dtw, damka_error,
    damka_open, damka_open_with, damka_wdl,
};
pub use status::DamkaStatus;
