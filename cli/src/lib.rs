//! An empty library; the program is in `main.rs`.
//!
//! With a library a package can depend on itself, and so its tests can turn on the feature `bot`.
