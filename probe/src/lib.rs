//! Exact endgame results from a directory of damka tables: value, distance, the
//! moves ranked, best play to the end.
//!
//! ```no_run
//! use damka_games::{Game, Russian};
//! use damka_probe::Tables;
//!
//! let tables = Tables::<Russian>::open("/var/lib/damka");
//! let position = Russian::parse_fen("W:WKa1,Kc1,Ke1:BKh8").unwrap();
//! println!("{:?}", tables.dtw(&position)?.plies());
//! # Ok::<(), damka_probe::ProbeError>(())
//! ```

mod cache;
mod error;
mod known;
mod map;
mod opened;
mod source;
mod table;
mod tables;

pub use error::ProbeError;
pub use source::Access;
pub use table::{Table, list_tables, table_path};
pub use tables::{Options, RankedMove, Tables};
