use crate::files::{not_regular, parent_of, sync_directory};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A file that is there as a whole or not at all: it is written under a temporary name beside
/// the one that it is to have, and given that one by [`publish`](AtomicFile::publish). If it is
/// dropped before, or anything fails, it is removed, and what was there is as it was; only a
/// process that is killed leaves it behind, under a name that [`temporary_for`] knows.
#[derive(Debug)]
pub struct AtomicFile {
    file: NamedTempFile,
    path: PathBuf,
}

/// The letters by chance in a temporary name.
const RANDOM: usize = 6;

/// How many bytes of a file's name are found again in its temporary one: systems allow 255.
const LONGEST: usize = 240;

impl AtomicFile {
    /// Begins a file that is to replace what is at `path`, if anything, as `.NAME.xxxxxx.tmp`
    /// beside it.
    ///
    /// # Errors
    /// What the system says, or that something else than a regular file is there.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        match fs::symlink_metadata(path) {
            // Renaming would replace a device or a link.
            Ok(metadata) if !metadata.is_file() => return Err(not_regular()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!(".{}.", &name[..name.floor_char_boundary(LONGEST)]);
        let mut builder = Builder::new();
        builder.prefix(&prefix).rand_bytes(RANDOM).suffix(".tmp");
        // Like any new file: the system takes away what the user's mask says.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(parent_of(path));
        // The name that could not be made is none that anybody knows.
        let file = file.map_err(|error| error.kind())?;
        Ok(AtomicFile { file, path: path.to_owned() })
    }

    /// The file, to be written to.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Where it is before it is published: there it can be read back.
    pub fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Sees to it that what has been written outlasts a crash of the system.
    ///
    /// # Errors
    /// What the system says.
    pub fn sync(&self) -> io::Result<()> {
        self.file().sync_all()
    }

    /// Syncs the file, gives it its name, in place of what has it, and syncs the name.
    ///
    /// # Errors
    /// What the system says.
    pub fn publish(self) -> io::Result<()> {
        self.sync()?;
        self.file.persist(&self.path).map_err(|error| error.error)?;
        sync_directory(parent_of(&self.path))
    }
}

/// The name that a file with this temporary name was to have; `None` if no [`AtomicFile`] has
/// such a name, or not all of the other is in it.
pub fn temporary_for(name: &str) -> Option<&str> {
    let (name, random) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let is_random = random.len() == RANDOM && random.bytes().all(|b| b.is_ascii_alphanumeric());
    (is_random && (1..LONGEST).contains(&name.len())).then_some(name)
}

/// Writes a file so that either all of it is there or what was there before.
///
/// # Errors
/// What the system says, or that there is something else than a regular file.
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
    fn nothing_is_there_before_it_is_published() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("KvK.wdl");
        let file = AtomicFile::create(&path).expect("a file");
        file.file().write_all(b"half").expect("it is written");
        let [name] = &names(place.path())[..] else { panic!("one file") };
        assert_eq!(temporary_for(name), Some("KvK.wdl"), "{name}");
        assert_eq!(fs::read(file.temporary_path()).expect("it is read back"), b"half");
        drop(file);
        assert!(names(place.path()).is_empty());

        write_atomically(&path, b"whole").expect("it is written");
        assert_eq!(names(place.path()), ["KvK.wdl"]);
        let file = AtomicFile::create(&path).expect("a file");
        file.file().write_all(b"other").expect("it is written");
        drop(file);
        assert_eq!(fs::read(&path).expect("the file"), b"whole");
    }

    #[test]
    fn the_longest_names_have_temporary_ones() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("n".repeat(255));
        write_atomically(&path, b"text").expect("it is written");
        assert_eq!(fs::read(&path).expect("the file"), b"text");
    }

    #[test]
    fn only_temporary_names_are_known_as_such() {
        assert_eq!(temporary_for(".KvK.dtw.Xa3b9Z.tmp"), Some("KvK.dtw"));
        assert_eq!(temporary_for(".a.Xa3b9Z.tmp"), Some("a"));
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
            assert_eq!(temporary_for(name), None, "{name}");
        }
    }
}
