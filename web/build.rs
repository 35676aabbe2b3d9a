//! Lists the files of the page and of the WebAssembly reader, so that they become part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The variable that names the directory made by `bindings/wasm/build`. Without it the program has no
/// reader.
const READER: &str = "DAMKA_WASM";

fn main() -> io::Result<()> {
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("page");
    let mut files = Vec::new();
    collect(&page, &mut files)?;
    let mut lists = list("PAGE", "All files of the page.", &page, files)?;

    println!("cargo::rerun-if-env-changed={READER}");
    let mut files = Vec::new();
    let reader = env::var_os(READER).map(PathBuf::from).unwrap_or_default();
    if !reader.as_os_str().is_empty() {
        collect(&reader, &mut files)?;
    }
    lists += &list("READER", "What `DAMKA_WASM` named.", &reader, files)?;
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("page.rs"), lists)
}

/// A list of files with their paths in a directory.
fn list(name: &str, what: &str, directory: &Path, mut files: Vec<PathBuf>) -> io::Result<String> {
    if !files.is_empty() {
        println!("cargo::rerun-if-changed={}", directory.display());
    }
    files.sort();
    let mut list = format!("/// {what}\nstatic {name}: [Asset; {}] = [\n", files.len());
    for file in &files {
        let path = file.strip_prefix(directory).map_err(io::Error::other)?;
        let path = path.to_string_lossy().replace('\\', "/");
        let file = fs::canonicalize(file)?;
        let file = file.to_string_lossy();
        writeln!(list, "    Asset::new({path:?}, include_bytes!({file:?})),")
            .map_err(io::Error::other)?;
    }
    list.push_str("];\n");
    Ok(list)
}

/// Adds all files below a directory.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
