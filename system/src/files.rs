use rustix::fs::{Access, OFlags};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a file to read it. Symbolic links are followed.
///
/// # Errors
/// What the system says, or that it is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    open_regular(path, OpenOptions::new().read(true), OFlags::empty())
}

/// Opens a file of damka's own, such as a lock, to read and to change it; makes it if there is
/// none. What it holds stays as it is.
///
/// # Errors
/// What the system says, or that it is no regular file: not even a link to one.
pub fn open_own(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    open_regular(path, &mut options, OFlags::NOFOLLOW)
}

/// Whether there is a file at `path` that [`open_own`] would open: a regular one, no link.
pub fn is_own(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// The most that [`read_whole`] takes, in bytes: far more than any collection of games has.
const MOST: u64 = 1 << 30;

/// All that a file holds. Symbolic links are followed.
///
/// # Errors
/// What the system says; that it is no regular file, or one of more than 1 GiB.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let too_much = || io::Error::new(io::ErrorKind::InvalidData, "it holds more than 1 GiB");
    let file = open(path)?;
    if file.metadata()?.len() > MOST {
        return Err(too_much());
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile, and its length may be a lie, as under /proc.
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST { Err(too_much()) } else { Ok(bytes) }
}

fn open_regular(path: &Path, options: &mut OpenOptions, flags: OFlags) -> io::Result<File> {
    // Opening a FIFO or a device must not wait for anybody.
    let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = options.custom_flags(flags.bits() as i32).open(path);
    let file = file.map_err(|error| match error.raw_os_error() {
        Some(code) if code == rustix::io::Errno::LOOP.raw_os_error() => not_regular(),
        _ => error,
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

pub(crate) fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")
}

/// Makes a directory and those above it, as far as they are missing, so that a crash of the
/// system does not lose their names.
///
/// # Errors
/// What the system says, or that something is no directory.
pub fn create_directories(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = parent_of(path);
    create_directories(parent)?;
    match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if !path.is_dir() {
                let message = format!("{} is no directory", path.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
        }
        made => made?,
    }
    sync_directory(parent)
}

/// Sees to it that a crash of the system does not lose the names in a directory; where
/// directories cannot be synced it must do without.
///
/// # Errors
/// What the system says.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// Whether a file may be written to `path`, as far as its directory tells.
///
/// # Errors
/// There is no such directory, or it cannot be written to.
pub fn check_place(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(parent_of(path), Access::WRITE_OK | Access::EXEC_OK)?)
}

pub(crate) fn parent_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_atomically;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::os::unix::fs::symlink;
    use tempfile::tempdir;

    /// Opens, which must not wait, and must not succeed.
    #[track_caller]
    fn refused<T>(opened: io::Result<T>) {
        let error = opened.err().expect("it is no regular file");
        assert_eq!(error.to_string(), "it is no regular file");
    }

    #[test]
    fn only_regular_files_are_opened() {
        let place = tempdir().expect("a directory");
        let fifo = place.path().join("fifo");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
        refused(open(&fifo));
        refused(open_own(&fifo));
        refused(write_atomically(&fifo, b"text"));
        refused(open(place.path()));
        refused(open(Path::new("/dev/zero")));
        refused(read_whole(Path::new("/dev/zero")));
        refused(open_own(Path::new("/dev/null")));
        refused(write_atomically(Path::new("/dev/null"), b"text"));
        assert!(!is_own(&fifo) && !is_own(place.path()) && !is_own(&place.path().join("none")));
        assert_eq!(open(&place.path().join("none")).map_err(|error| error.kind()).err(), {
            Some(io::ErrorKind::NotFound)
        });
    }

    #[test]
    fn no_more_is_read_than_any_file_of_games_has() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("games");
        fs::write(&path, "1. c3-d4").expect("a file");
        assert_eq!(read_whole(&path).expect("the file"), b"1. c3-d4");
        // It takes no space on disk.
        File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
        assert_eq!(
            read_whole(&path).expect_err("too much").to_string(),
            "it holds more than 1 GiB"
        );
    }

    #[test]
    fn a_file_that_cannot_be_made_is_told_without_its_temporary_name() {
        let path = Path::new("/proc/games.pdn");
        let error = write_atomically(path, b"text").expect_err("nothing is made there").to_string();
        assert!(!error.contains(".tmp"), "{error}");
    }

    #[test]
    fn what_a_link_leads_to_is_read_but_never_changed() {
        let place = tempdir().expect("a directory");
        let [target, link] = ["target", "link"].map(|name| place.path().join(name));
        fs::write(&target, "mine").expect("a file");
        symlink(&target, &link).expect("a link");
        open(&link).expect("links are followed to read");
        refused(open_own(&link));
        refused(write_atomically(&link, b"other"));
        assert!(is_own(&target) && !is_own(&link));
        assert_eq!(fs::read(&target).expect("the file"), b"mine");
        // Nothing is made where a link leads to nothing.
        fs::remove_file(&target).expect("it is removed");
        refused(open_own(&link));
        assert!(!target.exists());
    }

    #[test]
    fn what_is_opened_is_not_cut_short() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("lock");
        drop(open_own(&path).expect("it is made"));
        fs::write(&path, "text").expect("a file");
        drop(open_own(&path).expect("it is opened"));
        assert_eq!(fs::read(&path).expect("the file"), b"text");
        write_atomically(&path, b"other").expect("it is written");
        assert_eq!(fs::read(&path).expect("the file"), b"other");
    }

    #[test]
    fn directories_are_made_as_far_as_they_are_missing() {
        let place = tempdir().expect("a directory");
        let deep = place.path().join("a/b/c");
        create_directories(&deep).expect("they are made");
        create_directories(&deep).expect("they are there");
        assert!(deep.is_dir());
        fs::write(place.path().join("file"), "").expect("a file");
        let error =
            create_directories(&place.path().join("file/d")).expect_err("a file is in the way");
        assert!(error.to_string().ends_with("file is no directory"), "{error}");
        create_directories(&place.path().join("file")).expect_err("a file is in the way");
    }
}
