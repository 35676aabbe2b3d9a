//! The extension module of the Python package `damka`, based on the crate `damka`.
//!
//! * `tables.rs`, `positions.rs`: probes of tables, and lists of positions
//! * `rows.rs`: probes of arrays of positions, and tables as arrays
//! * `engine.rs`, `build.rs`: the engine; building tables
//! * `arguments.rs`: arguments of callers; `objects.rs`: results, the classes of `_types.py`;
//!   `failure.rs`: the exceptions of `_errors.py`
//! * `interrupt.rs`: long work without the GIL, which Ctrl-C can end
//!
//! `python/damka/_damka.pyi` has the types of this module.

mod arguments;
mod build;
mod engine;
mod failure;
mod interrupt;
mod objects;
mod positions;
mod rows;
mod tables;

use pyo3::prelude::*;

/// Tables and the engine.
#[pymodule]
mod _damka {
    use super::*;

    #[pymodule_export]
    use build::build;
    #[pymodule_export]
    use engine::Engine;
    #[pymodule_export]
    use positions::Positions;
    #[pymodule_export]
    use rows::{decode, encode, layout};
    #[pymodule_export]
    use tables::{Tables, games, open};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
