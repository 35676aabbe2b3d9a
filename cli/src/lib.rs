//! An empty library; the program is in `main.rs`.
//!
//! Only a package with a library can depend on itself. Through this dependency, its tests turn on the
//! feature `bot`.
