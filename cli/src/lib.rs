//! The program of this package is `damka`: see `main.rs`.
//!
//! There is nothing here. With a library a package can depend on itself, and by that its tests turn on
//! the feature `bot`.
