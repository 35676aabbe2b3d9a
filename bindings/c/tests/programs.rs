//! Programs in C and C++, compiled and run: the whole interface, the examples, the code in the headers
//! and docs/C.md, the comparison with Fathom, and the installation by `make install`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn crate_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Small tables of all games.
fn tables() -> PathBuf {
    crate_path("../../tests/data/golden")
}

/// The path of the built library, beside the tests.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test");
    test.parent().expect("a directory").join(name)
}

/// The SONAME of the shared library.
fn soname() -> String {
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    let version = if major == "0" { format!("0.{minor}") } else { major.to_owned() };
    format!("libdamka_c.so.{version}")
}

/// Runs a command, which must succeed, and returns its output.
fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("a program");
    let (out, errors) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{out}{errors}");
    out.into_owned()
}

/// A directory for programs, with the shared library.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["libdamka_c.so", &soname()] {
            symlink(built("libdamka_c.so"), directory.path().join(name)).expect("a link");
        }
        Place(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compiles a program with strict warnings, and runs it.
    fn run<S: AsRef<OsStr>>(&self, source: &Path, flags: &[&str], arguments: &[S]) -> String {
        let (compiler, standard) = match source.extension().and_then(OsStr::to_str) {
            Some("cpp") => ("c++", "-std=c++17"),
            _ => ("cc", "-std=c99"),
        };
        let directory = self.0.path();
        let mut rpath = std::ffi::OsString::from("-Wl,-rpath,");
        rpath.push(directory);
        let compile = &mut Command::new(compiler);
        compile.args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"]).args(flags);
        compile.arg("-I").arg(crate_path("")).arg(source).arg("-o").arg(self.path("program"));
        run(compile.arg("-L").arg(directory).arg(rpath).args(["-ldamka_c", "-pthread"]));
        run(Command::new(self.path("program")).args(arguments))
    }

    fn example(&self, name: &str, arguments: &[&str]) -> String {
        let tables = tables();
        let tables = tables.to_str().expect("text");
        let arguments = arguments.iter().map(|word| if *word == "DIR" { tables } else { word });
        self.run(&crate_path("examples").join(name), &[], &arguments.collect::<Vec<&str>>())
    }
}

/// Once without and once with the sanitizers, which report memory errors.
#[test]
fn the_interface_holds_in_c() {
    let program = crate_path("tests/programs/api.c");
    Place::new().run(&program, &[], &[tables()]);
    Place::new().run(&program, &["-fsanitize=address,undefined"], &[tables()]);
}

#[test]
fn the_interface_holds_in_cpp() {
    let program = crate_path("tests/programs/api.cpp");
    Place::new().run(&program, &[], &[tables()]);
    Place::new().run(&program, &["-fsanitize=address,undefined"], &[tables()]);
}

/// The values are those of a queen against a king, and of a bishop.
#[test]
fn a_call_of_fathom_is_ported() {
    let output = Place::new().example("fathom.c", &["DIR"]);
    assert_eq!(output, "up to 3 pieces\nqueen: 4\nmoved: 0\nbishop: 2\ncastling: failed\n");
}

/// A stand-in for Fathom that calls everything a draw, which is right for a bishop and wrong for a queen.
#[test]
fn the_comparison_with_fathom_finds_differences() {
    let place = Place::new();
    let (source, library) = (place.path("draws.c"), place.path("draws.so"));
    let draws = "int tb_init(const char *path) { return path != 0; }\n\
                 unsigned tb_probe_wdl_impl(void) { return 2; }\n";
    fs::write(&source, draws).expect("written");
    run(Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]));
    let program = crate_path("../../tests/crosscheck/fathom_check.c");
    let tables = tables();
    let arguments =
        |material| [library.as_os_str(), "none".as_ref(), tables.as_ref(), "10".as_ref(), material];
    let output = place.run(&program, &["-ldl"], &arguments("KBvK".as_ref()));
    assert!(
        output.starts_with("KBvK: 10 positions") && output.ends_with("; 0 differ\n"),
        "{output}"
    );
    let differing = Command::new(place.path("program")).args(arguments("KQvK".as_ref())).output();
    let differing = differing.expect("a program");
    assert_eq!(differing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&differing.stdout).contains(": damka 1, Fathom 0\n"));
}

#[test]
fn a_look_up_of_checkers_databases_is_ported() {
    let output = Place::new().example("egdb.c", &["russian", "DIR"]);
    // White captures the last piece, for which no block is needed.
    let expected = "conditional: 1\nWhite to move: 1\n\
                    conditional: -1\nWhite to move: 3\nconditional: 3\n";
    assert_eq!(output, expected);
}

#[test]
fn small_programs_probe_a_position() {
    let place = Place::new();
    let output = place.example("bitboards.c", &["DIR"]);
    assert_eq!(output, "result 1 in 1 plies, 1 moves\na1xh8: 1 in 1\n");
    let output = place.example("root.cpp", &["russian", "DIR", "B:WKg1:Ba7"]);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[..2], ["B:WKg1:Ba7: loses in 2", "  a7-b6 loses in 2"]);
    assert!(lines[2].starts_with("a7-b6 g1x"), "{output}");
    // Examples must be short.
    for name in ["fathom.c", "egdb.c", "bitboards.c", "root.cpp", "probe.c"] {
        let text = fs::read_to_string(crate_path("examples").join(name)).expect("an example");
        assert!(text.lines().count() < 100, "{name}");
    }
}

/// The example in the comment at the top of a header: its indented part.
fn example_of(header: &str) -> String {
    let text = fs::read_to_string(crate_path(header)).expect("a header");
    let comment = text.lines().take_while(|line| line.starts_with("//"));
    let code =
        comment.filter_map(|line| line.strip_prefix("//     ").or((line == "//").then_some("")));
    let code = code.take_while(|line| !line.contains("$(pkg-config"));
    code.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_examples_of_the_headers_work() {
    let place = Place::new();
    let tables = tables();
    for (header, name, expected) in [
        ("damka.h", "header.c", "result 1 in 1 plies\n"),
        ("damka.hpp", "header.cpp", "wins in 1 plies\na1xh8\n"),
    ] {
        let code = example_of(header).replace("/var/lib/damka", tables.to_str().expect("text"));
        assert!(code.contains("main"), "{code}");
        fs::write(place.path(name), code).expect("written");
        assert_eq!(place.run::<&str>(&place.path(name), &[], &[]), expected);
    }
}

/// `docs/C.md` has programs and parts of programs, each followed by its output.
#[test]
fn what_the_page_shows_works() {
    let page = fs::read_to_string(crate_path("../../docs/C.md")).expect("the page");
    let tables = tables();
    let tables = tables.to_str().expect("text");
    let mut blocks = page.split("\n```").skip(1).step_by(2).peekable();
    let mut shown = 0;
    while let Some(block) = blocks.next() {
        let (language, code) = block.split_once('\n').expect("a block");
        if language != "c" && language != "cpp" {
            continue;
        }
        let expected = blocks.next().and_then(|block| block.strip_prefix("text\n"));
        let expected = expected.expect("what it prints follows");
        let program = match (code.contains("main("), language) {
            (true, _) => code.to_owned(),
            (false, "cpp") => format!(
                "#include <damka.hpp>\n#include <iostream>\nint main() {{\n\
                 const damka::Tables tables(\"chess\", \"/var/lib/damka\");\n{code}}}\n"
            ),
            (false, _) => format!(
                "#include <damka.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{\n\
                 DamkaTables *tables = damka_open(\"chess\", \"/var/lib/damka\", 64 << 20);\n\
                 DamkaPosition position;\n\
                 damka_read_fen(tables, \"8/8/8/8/8/2k5/1R6/K7 w - - 0 1\", &position);\n\
                 {code}\ndamka_close(tables);\nreturn 0;\n}}\n"
            ),
        };
        let place = Place::new();
        let source = place.path(if language == "cpp" { "shown.cpp" } else { "shown.c" });
        fs::write(&source, program.replace("/var/lib/damka", tables)).expect("written");
        let output = place.run::<&str>(&source, &[], &[]);
        assert_eq!(output.trim_end(), expected.trim_end(), "{code}");
        shown += 1;
    }
    assert!(shown >= 5, "{shown}");
}

/// The installed library is found by pkg-config, linked dynamically and statically, and uninstalled.
#[test]
fn an_installed_library_is_used() {
    let place = Place::new();
    let (target, prefix) = (place.path("target"), place.path("usr"));
    fs::create_dir_all(target.join("release")).expect("a directory");
    for name in ["libdamka_c.so", "libdamka_c.a"] {
        symlink(built(name), target.join("release").join(name)).expect("a link");
    }
    let make = |goal: &str| {
        let mut command = Command::new("make");
        // It is built already.
        command.args(["-s", "CARGO=true", goal]).arg("-C").arg(crate_path(""));
        let directories = [("PREFIX", &prefix), ("CARGO_TARGET_DIR", &target)];
        command.args(directories.map(|(name, path)| format!("{name}={}", path.display())));
        // Variables of a make that runs the tests must have no effect.
        command.env_remove("MAKEFLAGS");
        run(&mut command)
    };
    make("install");
    let library = prefix.join("lib");
    let files = ["libdamka_c.so", &soname(), "libdamka_c.a", "pkgconfig/damka.pc"];
    assert!(files.iter().all(|name| library.join(name).exists()));
    let pkg_config = |options: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.args(options).arg("damka").env("PKG_CONFIG_PATH", library.join("pkgconfig"));
        run(&mut command).split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(pkg_config(&["--modversion"]), [env!("CARGO_PKG_VERSION")]);
    let program = place.path("program");
    let run_program = || {
        let output = run(Command::new(&program).arg(tables()).env("LD_LIBRARY_PATH", &library));
        assert!(output.starts_with("result 1 in 1 plies"), "{output}");
    };
    let source = crate_path("examples/bitboards.c");
    let compile = |flags: &[String]| {
        run(Command::new("cc").arg("-std=c99").arg(&source).arg("-o").arg(&program).args(flags));
    };
    compile(&pkg_config(&["--cflags", "--libs"]));
    run_program();
    let dynamic = run(Command::new("readelf").arg("-d").arg(&program));
    assert!(dynamic.contains(&format!("[{}]", soname())), "{dynamic}");
    // With only the archive left, the linker uses it.
    for name in ["libdamka_c.so", &soname()] {
        fs::remove_file(library.join(name)).expect("removed");
    }
    compile(&pkg_config(&["--cflags", "--static", "--libs"]));
    run_program();
    make("uninstall");
    assert!(!files.iter().any(|name| library.join(name).exists()));
    assert!(!prefix.join("include/damka.h").exists());
}
