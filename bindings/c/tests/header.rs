//! The committed header is the one that cbindgen makes.

use std::path::Path;

/// `DAMKA_BLESS=1 cargo test -p damka-c --test header` writes it anew.
#[test]
fn the_header_says_what_the_library_has() {
    let crate_ = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(crate_.join("cbindgen.toml")).expect("a config");
    let [status, functions] = ["src/status.rs", "src/c.rs"].map(|file| crate_.join(file));
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = builder.with_src(status).with_src(functions);
    let mut made = Vec::new();
    builder.generate().expect("bindings").write(&mut made);
    let made = String::from_utf8(made).expect("text");
    let committed = crate_.join("damka.h");
    if std::env::var_os("DAMKA_BLESS").is_some() {
        std::fs::write(&committed, &made).expect("written");
    }
    assert_eq!(std::fs::read_to_string(committed).expect("a header"), made);
    for function in ["open", "open_with", "close", "wdl", "dtw", "best_move", "error"] {
        assert!(made.contains(&format!("damka_{function}(")), "{function}");
    }
}
