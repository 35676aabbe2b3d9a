//! Sets the SONAME of the shared library, as `Makefile` installs it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    // Mach-O and PE have no SONAME.
    if variable("CARGO_CFG_TARGET_FAMILY") == "unix"
        && variable("CARGO_CFG_TARGET_VENDOR") != "apple"
    {
        let (major, minor) =
            (variable("CARGO_PKG_VERSION_MAJOR"), variable("CARGO_PKG_VERSION_MINOR"));
        // Before 1.0 every minor version may change the interface.
        let version = if major == "0" { format!("0.{minor}") } else { major };
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdamka_c.so.{version}");
    }
}
