//! The directory of a site.

use super::SiteError;
use damka::AnyGame;
use damka_system::{create_directories, final_name_of, write_atomically};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file that marks the directory of a site. A process that writes the site locks it.
const MARK: &str = "damka-site.txt";
const MARK_TEXT: &[u8] = b"`damka site` writes the directories data, shell and tables that are \
beside this file,\nand index.html, site.json and sw.js. Other files are yours.\n";

/// The directories in which all files belong to the site.
const OWN: [&str; 3] = ["data", "shell", "tables"];

/// Makes GitHub Pages publish all files.
const NO_JEKYLL: &str = ".nojekyll";

/// The files with the same path in every version.
const FIXED: [&str; 5] = [MARK, NO_JEKYLL, "index.html", "site.json", "sw.js"];

/// The directory of a site, locked for writing.
pub(super) struct SiteDirectory {
    directory: PathBuf,
    /// The mark, locked while it is open.
    _mark: File,
}

impl SiteDirectory {
    /// Makes and locks the directory of a site.
    ///
    /// # Errors
    /// The directory has other files, is written by another process, or cannot be made.
    pub(super) fn claim(directory: &Path) -> Result<SiteDirectory, SiteError> {
        let failed = |error| SiteError::File { path: directory.to_owned(), error };
        create_directories(directory).map_err(failed)?;
        let mark = directory.join(MARK);
        if !mark.is_file() {
            // Hidden files belong to tools such as Git.
            for entry in fs::read_dir(directory).map_err(failed)? {
                let name = entry.map_err(failed)?.file_name();
                if !name.to_string_lossy().starts_with('.') {
                    return Err(SiteError::Foreign(directory.to_owned()));
                }
            }
            write_atomically(&mark, MARK_TEXT).map_err(failed)?;
        }
        let locked = File::open(&mark).map_err(failed)?;
        match locked.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SiteError::Busy(directory.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let place = SiteDirectory { directory: directory.to_owned(), _mark: locked };
        place.check_links()?;
        place.write_new(NO_JEKYLL, b"")?;
        Ok(place)
    }

    /// Checks that no directory in which files are removed is a link.
    fn check_links(&self) -> Result<(), SiteError> {
        let games = AnyGame::all().map(|game| format!("tables/{}", game.name()));
        for directory in OWN.map(str::to_owned).into_iter().chain(games) {
            let path = self.path(&directory);
            if path.is_symlink() {
                return Err(SiteError::Link(path));
            }
        }
        Ok(())
    }

    /// Whether another directory is in this one, after links are resolved.
    pub(super) fn holds(&self, other: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).ok();
        real(other).zip(real(&self.directory)).is_some_and(|(other, site)| other.starts_with(site))
    }

    /// The full path of a file of the site.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }

    /// Writes a file, or replaces it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), SiteError> {
        let path = self.path(path);
        let parent = path.parent().unwrap_or(&self.directory);
        let written = create_directories(parent).and_then(|()| write_atomically(&path, bytes));
        written.map_err(|error| SiteError::File { path, error })
    }

    /// Writes a file unless it already has these contents.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write_new(&self, path: &str, bytes: &[u8]) -> Result<(), SiteError> {
        match fs::read(self.path(path)).is_ok_and(|there| there == bytes) {
            true => Ok(()),
            false => self.write(path, bytes),
        }
    }

    /// Whether a JSON file exists and is complete.
    pub(super) fn is_json(&self, path: &str) -> bool {
        let text = fs::read(self.path(path)).unwrap_or_default();
        serde_json::from_slice::<serde::de::IgnoredAny>(&text).is_ok()
    }

    /// Writes a file with a hash of its contents in its name, `STEM-HASH.ENDING`. Returns the name.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write_named(
        &self,
        stem: &str,
        ending: &str,
        bytes: &[u8],
    ) -> Result<String, SiteError> {
        let hash = blake3::hash(bytes).to_hex();
        let path = format!("{stem}-{}.{ending}", &hash[..16]);
        self.write_new(&path, bytes)?;
        Ok(path)
    }

    /// The size of these files in bytes.
    ///
    /// # Errors
    /// A file is missing.
    pub(super) fn size(&self, files: &[String]) -> Result<u64, SiteError> {
        let size = |file: &String| match fs::metadata(self.path(file)) {
            Ok(metadata) => Ok(metadata.len()),
            Err(error) => Err(SiteError::File { path: self.path(file), error }),
        };
        files.iter().map(size).sum()
    }

    /// All files below a directory of the site, in order, except temporary files of a killed process.
    ///
    /// # Errors
    /// The directory cannot be read.
    fn files(&self, below: &str) -> Result<Vec<String>, SiteError> {
        let mut files = self.everything(below)?;
        files.retain(|file| final_name_of(file.rsplit('/').next().unwrap_or(file)).is_none());
        Ok(files)
    }

    /// All files below a directory of the site, in order.
    fn everything(&self, below: &str) -> Result<Vec<String>, SiteError> {
        let mut files = Vec::new();
        let mut directories = vec![below.to_owned()];
        while let Some(directory) = directories.pop() {
            let path = self.path(&directory);
            let entries = match fs::read_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| SiteError::File { path, error })?,
            };
            for entry in entries {
                let name = |error| SiteError::File { path: self.path(&directory), error };
                let entry = entry.map_err(name)?;
                let child = entry.file_name().to_string_lossy().into_owned();
                let child = format!("{directory}/{child}");
                match entry.file_type().map_err(name)?.is_dir() {
                    true => directories.push(child),
                    false => files.push(child),
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// Removes files of the site that are neither `needed` nor below the tables of one of the games,
    /// and temporary files of a killed process. Other files stay.
    ///
    /// # Errors
    /// A file or directory cannot be read or removed.
    pub(super) fn clean(&self, needed: &BTreeSet<String>, games: &[&str]) -> Result<(), SiteError> {
        let is_table = |file: &str| {
            let game = file.strip_prefix("tables/").and_then(|rest| rest.split('/').next());
            game.is_some_and(|game| games.contains(&game))
        };
        let own = |directory: &&str| self.everything(directory);
        let own: Vec<Vec<String>> = OWN.iter().map(own).collect::<Result<_, _>>()?;
        for file in own.into_iter().flatten() {
            if !needed.contains(&file) && !is_table(&file) {
                self.remove(&file)?;
            }
        }
        let failed = |error| SiteError::File { path: self.directory.clone(), error };
        for entry in fs::read_dir(&self.directory).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            if final_name_of(&name).is_some_and(|name| FIXED.contains(&name)) {
                self.remove(&name)?;
            }
        }
        OWN.iter().for_each(|directory| remove_empty(&self.path(directory)));
        Ok(())
    }

    /// Removes a file of the site.
    fn remove(&self, file: &str) -> Result<(), SiteError> {
        let path = self.path(file);
        fs::remove_file(&path).map_err(|error| SiteError::File { path, error })
    }

    /// The number of all files of the site, and their size in bytes.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(super) fn total(&self) -> Result<(u64, u64), SiteError> {
        let mut files: Vec<String> = FIXED.map(str::to_owned).into();
        for directory in OWN {
            files.extend(self.files(directory)?);
        }
        Ok((files.len() as u64, self.size(&files)?))
    }
}

/// Removes empty directories below a directory, and the directory itself if it is then empty.
fn remove_empty(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path());
        }
    }
    // Fails for a directory that is not empty.
    let _ = fs::remove_dir(directory);
}
