use crate::files::{not_regular, parent_of, retry, sync, sync_directory};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A file that is either complete or absent. It is written under a temporary name beside its final
/// one, and renamed by [`publish`](AtomicFile::publish). If it is dropped before that, or anything
/// fails, it is removed and an existing file of the final name is unchanged. Only a killed process
/// leaves it behind, under a name that [`final_name_of`] recognizes.
#[derive(Debug)]
pub struct AtomicFile {
    file: NamedTempFile,
    path: PathBuf,
}

/// The number of random characters in a temporary name.
const RANDOM_CHARS: usize = 6;

/// The maximum number of bytes of the final name in the temporary one: systems allow 255 in total.
const MAX_NAME_BYTES: usize = 240;

impl AtomicFile {
    /// Creates a file that will replace `path`, as `.NAME.xxxxxx.tmp` beside it.
    ///
    /// # Errors
    /// Fails with the error of the system, or if `path` exists but is not a regular file.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        match fs::symlink_metadata(path) {
            // Renaming would replace a device or a link.
            Ok(metadata) if !metadata.is_file() => return Err(not_regular()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let end = (0..=MAX_NAME_BYTES.min(name.len())).rfind(|&end| name.is_char_boundary(end));
        let prefix = format!(".{}.", &name[..end.unwrap_or(0)]);
        let mut builder = Builder::new();
        builder.prefix(&prefix).rand_bytes(RANDOM_CHARS).suffix(".tmp");
        // The usual permissions of new files; the system applies the user's umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // `tempfile` would set the attribute for temporary files, which Windows avoids writing to
        // the disk.
        #[cfg(windows)]
        let file = builder.make_in(parent_of(path), |path| {
            File::options().read(true).write(true).create_new(true).open(path)
        });
        #[cfg(not(windows))]
        let file = builder.tempfile_in(parent_of(path));
        // The error of `tempfile` contains the temporary name, which the user does not know.
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(error.kind(), "there is no such directory"),
            kind => kind.into(),
        })?;
        Ok(AtomicFile { file, path: path.to_owned() })
    }

    /// The file, for writing.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// The path until the file is published; it can be read back from there.
    pub fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Syncs the file, so that what has been written survives a crash of the system.
    ///
    /// # Errors
    /// Fails with the error of the system.
    pub fn sync(&self) -> io::Result<()> {
        sync(self.file())
    }

    /// Syncs the file, renames it to its final name, replacing an existing file, and syncs the
    /// directory.
    ///
    /// # Errors
    /// Fails with the error of the system.
    pub fn publish(self) -> io::Result<()> {
        self.sync()?;
        let (_file, path) = self.rename()?;
        // On Windows, syncing the renamed file also writes its new name to the disk.
        #[cfg(windows)]
        sync(&_file)?;
        sync_directory(parent_of(&path))
    }

    /// Like [`publish`](AtomicFile::publish), but syncs nothing. For many files, a single
    /// [`sync_published`] is faster than syncing each file as it is written.
    ///
    /// # Errors
    /// Fails with the error of the system.
    pub fn publish_unsynced(self) -> io::Result<()> {
        self.rename().map(drop)
    }

    /// Gives the file its final name. Returns it and its path.
    fn rename(self) -> io::Result<(File, PathBuf)> {
        let (file, mut temporary) = self.file.into_parts();
        retry(|| fs::rename(&temporary, &self.path))?;
        temporary.disable_cleanup(true);
        Ok((file, self.path))
    }
}

/// Syncs files that were [published unsynced](AtomicFile::publish_unsynced), and their directories.
///
/// # Errors
/// Fails with the error of the system.
pub fn sync_published(paths: &[PathBuf]) -> io::Result<()> {
    let mut directories = BTreeSet::new();
    for path in paths {
        // Some systems sync a file only if it is open for writing.
        sync(&File::options().write(true).open(path)?)?;
        directories.insert(parent_of(path));
    }
    directories.into_iter().try_for_each(sync_directory)
}

/// The final name of the file with this temporary name; `None` if it is not a temporary name of an
/// [`AtomicFile`], or if it may hold only the beginning of a long final name.
pub fn final_name_of(name: &str) -> Option<&str> {
    let (name, random) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let is_random =
        random.len() == RANDOM_CHARS && random.bytes().all(|b| b.is_ascii_alphanumeric());
    (is_random && (1..MAX_NAME_BYTES).contains(&name.len())).then_some(name)
}

/// The temporary files of [`AtomicFile`]s at `path`: of processes that were killed, or that still write.
/// Empty if the directory cannot be read.
pub fn unfinished_files(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let entries = fs::read_dir(parent_of(path)).into_iter().flatten().flatten();
    let unfinished = entries.filter(|entry| {
        entry.file_name().to_str().is_some_and(|temporary| final_name_of(temporary) == Some(name))
    });
    unfinished.map(|entry| entry.path()).collect()
}

/// Writes a file atomically: afterwards it has either its new contents or, on an error or crash,
/// the old ones.
///
/// # Errors
/// Fails with the error of the system, or if `path` exists but is not a regular file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = AtomicFile::create(path)?;
    file.file().write_all(bytes)?;
    file.publish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    /// The names of all files in a directory.
    fn names(place: &Path) -> Vec<String> {
        let entries = fs::read_dir(place).expect("a directory").map(|entry| entry.expect("a file"));
        entries.map(|entry| entry.file_name().into_string().expect("text")).collect()
    }

    #[test]
    fn a_file_has_no_final_name_until_published() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("KvK.wdl");
        let file = AtomicFile::create(&path).expect("a file");
        file.file().write_all(b"half").expect("it is written");
        let [name] = &names(place.path())[..] else { panic!("one file") };
        assert_eq!(final_name_of(name), Some("KvK.wdl"), "{name}");
        assert_eq!(fs::read(file.temporary_path()).expect("it is read back"), b"half");
        assert_eq!(unfinished_files(&path), [file.temporary_path()]);
        assert!(unfinished_files(&place.path().join("vK.wdl")).is_empty());
        drop(file);
        assert!(unfinished_files(&path).is_empty());
        assert!(names(place.path()).is_empty());

        write_atomically(&path, b"whole").expect("it is written");
        assert_eq!(names(place.path()), ["KvK.wdl"]);
        let file = AtomicFile::create(&path).expect("a file");
        file.file().write_all(b"other").expect("it is written");
        drop(file);
        assert_eq!(fs::read(&path).expect("the file"), b"whole");
    }

    /// Asserts that nothing is written because `path` is not a regular file.
    #[cfg(unix)]
    #[track_caller]
    fn refused(path: &Path) {
        let error = write_atomically(path, b"text").expect_err("not a regular file");
        assert_eq!(error.to_string(), not_regular().to_string());
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_replaced() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        use std::os::unix::fs::symlink;

        let place = tempdir().expect("a directory");
        let [fifo, target, link] = ["fifo", "target", "link"].map(|name| place.path().join(name));
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
        refused(&fifo);
        refused(Path::new("/dev/null"));
        fs::write(&target, "mine").expect("a file");
        symlink(&target, &link).expect("a link");
        refused(&link);
        assert_eq!(fs::read(&target).expect("the file"), b"mine");
    }

    #[cfg(unix)]
    #[test]
    fn errors_do_not_show_the_temporary_name() {
        let path = Path::new("/proc/games.pdn");
        let error = write_atomically(path, b"text").expect_err("nothing is made there").to_string();
        assert!(!error.contains(".tmp"), "{error}");
    }

    #[test]
    fn the_longest_names_can_be_written() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("n".repeat(255));
        write_atomically(&path, b"text").expect("it is written");
        assert_eq!(fs::read(&path).expect("the file"), b"text");
    }

    #[test]
    fn only_temporary_names_are_recognized() {
        assert_eq!(final_name_of(".KvK.dtw.Xa3b9Z.tmp"), Some("KvK.dtw"));
        assert_eq!(final_name_of(".a.Xa3b9Z.tmp"), Some("a"));
        for name in [
            ".tmp",
            ".notes.tmp",
            "KvK.dtw.Xa3b9Z.tmp",
            ".KvK.dtw.tmp",
            ".KvK.dtw.Xa3b9.tmp",
            ".KvK.dtw.Xa3b9-.tmp",
            "..Xa3b9Z.tmp",
            ".KvK.dtw.Xa3b9Z",
        ] {
            assert_eq!(final_name_of(name), None, "{name}");
        }
    }
}
