//! Lists the files of the page, so that they become part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("page");
    println!("cargo::rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    collect(&page, &mut files)?;
    files.sort();
    let mut list =
        format!("/// All files of the page.\nstatic PAGE: [Asset; {}] = [\n", files.len());
    for file in &files {
        let path = file.strip_prefix(&page).map_err(io::Error::other)?;
        let path = path.to_string_lossy().replace('\\', "/");
        let file = file.to_string_lossy();
        writeln!(list, "    Asset::new({path:?}, include_bytes!({file:?})),")
            .map_err(io::Error::other)?;
    }
    list.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("page.rs"), list)
}

/// Adds the files of a directory and those below it.
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
