//! The committed header is the one that cbindgen makes.

use std::path::Path;

/// `DAMKA_BLESS=1 cargo test -p damka-c --test header` writes it again.
#[test]
fn the_header_has_what_the_library_has() {
    let crate_ = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(crate_.join("cbindgen.toml")).expect("a config");
    let files = [
        "src/status.rs",
        "src/position.rs",
        "src/types.rs",
        "src/c/handles.rs",
        "src/c/texts.rs",
        "src/c/probes.rs",
        "src/c/tables.rs",
        "src/c/list.rs",
        "src/c/errors.rs",
    ];
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = files.iter().fold(builder, |builder, file| builder.with_src(crate_.join(file)));
    let mut made = Vec::new();
    builder.generate().expect("bindings").write(&mut made);
    let made = String::from_utf8(made).expect("text");
    let committed = crate_.join("damka.h");
    if std::env::var_os("DAMKA_BLESS").is_some() {
        std::fs::write(&committed, &made).expect("written");
    }
    assert_eq!(std::fs::read_to_string(committed).expect("a header"), made);
    let read = |file| std::fs::read_to_string(crate_.join(file)).expect("a file");
    let functions: String = files.into_iter().map(read).collect();
    let names = functions.lines().filter_map(|line| line.split_once("extern \"C\" fn damka_"));
    let names: Vec<&str> = names.filter_map(|(_, rest)| rest.split('(').next()).collect();
    assert!(names.len() > 20, "{names:?}");
    for function in names {
        assert!(made.contains(&format!("damka_{function}(")), "{function}");
    }
    let version = format!("#define DAMKA_VERSION \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(made.contains(&version), "cbindgen.toml has another version");
    let numbers = ["MAJOR", "MINOR", "PATCH"].into_iter().zip(env!("CARGO_PKG_VERSION").split('.'));
    for (name, number) in numbers {
        let version = format!("#define DAMKA_VERSION_{name} {number}\n");
        assert!(made.contains(&version), "cbindgen.toml has another version: {name}");
    }
}
