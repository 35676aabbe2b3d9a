//! The extension module of the Python package `damka`, over the crate of the same name.
//!
//! * `tables.rs`, `positions.rs`: questions to tables, and lists of positions
//! * `rows.rs`: questions about arrays of positions, and tables as arrays
//! * `engine.rs`, `build.rs`: the engine; tables built
//! * `arguments.rs`: what a caller passes; `objects.rs`: what it gets, the classes of `_types.py`;
//!   `failure.rs`: the exceptions of `_errors.py`
//! * `interrupt.rs`: long work without the interpreter's lock, which Ctrl-C ends
//!
//! `python/damka/_damka.pyi` has the types of what is here.

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

/// Questions to tables and to the engine.
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
