use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// Opens a file for reading. Follows symbolic links.
///
/// # Errors
/// Fails with the error of the system, or if it is not a regular file. The error for a dangling
/// symbolic link is not [`NotFound`](io::ErrorKind::NotFound): there is something of that name.
pub fn open(path: &Path) -> io::Result<File> {
    match open_regular(path, OpenOptions::new().read(true), Links::Follow) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            Err(io::Error::other("a symbolic link to a file that does not exist"))
        }
        opened => opened,
    }
}

/// Opens one of damka's own files, such as a lock, for reading and writing. Creates it if it does
/// not exist, and does not truncate it.
///
/// # Errors
/// Fails with the error of the system, or if it is not a regular file; a symbolic link is not
/// followed.
pub fn open_own_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    open_regular(path, &mut options, Links::Refuse)
}

/// Whether there is a file at `path` that [`open_own_file`] would open: a regular file, not a link.
pub fn is_own_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Whether every user of the system may read a file, by its Unix permission bits. False on other
/// systems, where this is not known.
pub fn is_readable_by_others(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        const READ_BY_OTHERS: u32 = 0o004;
        metadata.permissions().mode() & READ_BY_OTHERS != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// The name of a file or directory as text for people, without the directory that contains it.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The size limit of [`read_whole`] in bytes: far more than any collection of games needs.
const MAX_WHOLE_BYTES: u64 = 1 << 30;

/// Reads a whole file. Follows symbolic links.
///
/// # Errors
/// Fails with the error of the system, or if it is not a regular file or larger than 1 GiB.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::new(io::ErrorKind::InvalidData, "it holds more than 1 GiB");
    let file = open(path)?;
    if file.metadata()?.len() > MAX_WHOLE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // The file may grow meanwhile, and its length may be wrong, as under /proc.
    file.take(MAX_WHOLE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_WHOLE_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// Fills `buffer` with the bytes at `offset`, without moving the file's cursor.
///
/// # Errors
/// Fails with the error of the system, or with [`io::ErrorKind::UnexpectedEof`] if the file is too
/// short. Always fails on systems without files.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset);
    #[cfg(windows)]
    {
        use std::os::windows::fs::FileExt;
        let mut done = 0;
        while done < buffer.len() {
            match file.seek_read(&mut buffer[done..], offset + done as u64) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => done += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
    #[cfg(not(any(unix, windows)))]
    {
        let _ = (file, buffer, offset);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Tells the system that a file is read at random places, so that it reads nothing ahead. A hint;
/// does nothing on systems without such hints.
pub fn expect_random_reads(file: &File) {
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Random);
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// Tells the system that these bytes of a file will soon be read. A hint; does nothing on systems
/// without such hints.
pub fn expect_read(file: &File, bytes: Range<u64>) {
    #[cfg(target_os = "linux")]
    if let Some(len) = std::num::NonZeroU64::new(bytes.end.saturating_sub(bytes.start)) {
        let _ = rustix::fs::fadvise(file, bytes.start, Some(len), rustix::fs::Advice::WillNeed);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, bytes);
}

/// Makes a file `len` bytes long and reserves the space on the disk, so that later writes do not
/// fail for lack of space.
///
/// # Errors
/// Fails with the error of the system, usually because there is too little space.
pub fn reserve(file: &File, len: u64) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::{fs::FallocateFlags, io::Errno};
        match rustix::fs::fallocate(file, FallocateFlags::empty(), 0, len) {
            // Some file systems cannot reserve space, such as some network file systems.
            Err(error) if error == Errno::NOTSUP || error == Errno::OPNOTSUPP => fill(file, len),
            reserved => Ok(reserved?),
        }
    }
    // On NTFS, setting the length reserves the space.
    #[cfg(not(unix))]
    file.set_len(len)
}

/// Writes `len` zeros to a file that is empty.
#[cfg(unix)]
fn fill(mut file: &File, len: u64) -> io::Result<()> {
    io::copy(&mut io::repeat(0).take(len), &mut file).map(drop)
}

/// Syncs a file, so that what has been written survives a crash of the system.
///
/// # Errors
/// Fails with the error of the system.
pub fn sync(file: &File) -> io::Result<()> {
    let synced = file.sync_all();
    // The standard library asks macOS to empty the cache of the disk, which network disks refuse.
    #[cfg(target_vendor = "apple")]
    let synced = synced.or_else(|_| Ok(rustix::fs::fsync(file)?));
    synced
}

/// What [`open_regular`] does with symbolic links.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

/// Opens a regular file. Never waits, as opening a FIFO or a device would.
#[cfg(unix)]
fn open_regular(path: &Path, options: &mut OpenOptions, links: Links) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    flags.set(OFlags::NOFOLLOW, links == Links::Refuse);
    let file = options.custom_flags(flags.bits() as i32).open(path);
    let file = file.map_err(|error| match error.raw_os_error() {
        Some(code) if code == rustix::io::Errno::LOOP.raw_os_error() => not_regular(),
        _ => error,
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Opens a regular file. Never waits, as reading a console would.
#[cfg(windows)]
fn open_regular(path: &Path, options: &mut OpenOptions, links: Links) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    // FILE_FLAG_OPEN_REPARSE_POINT opens the link itself, which is not a regular file.
    const OPEN_LINK: u32 = 0x0020_0000;
    options.custom_flags(if links == Links::Refuse { OPEN_LINK } else { 0 });
    // Opening a directory would fail with "access denied".
    if path.is_dir() {
        return Err(not_regular());
    }
    let file = retry(|| options.open(path))?;
    // A device, such as NUL or CON, has no metadata.
    let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
    if is_regular { Ok(file) } else { Err(not_regular()) }
}

/// Always an error: this platform has no files.
#[cfg(not(any(unix, windows)))]
fn open_regular(path: &Path, options: &mut OpenOptions, _: Links) -> io::Result<File> {
    options.open(path)
}

/// Retries to rename, open or remove a file, for up to two seconds, while another program has it
/// open without sharing: a virus scanner may read each new file.
///
/// # Errors
/// Fails with the error of the last attempt.
#[cfg(windows)]
pub(crate) fn retry<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    use std::time::Duration;

    // ERROR_ACCESS_DENIED (the error of a rename that would replace an open file),
    // ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION.
    const MAY_BE_IN_USE: [i32; 3] = [5, 32, 33];
    // Two seconds in all.
    for wait in [10, 20, 40, 80, 150, 300, 600, 800].map(Duration::from_millis) {
        match attempt() {
            Err(error)
                if error.raw_os_error().is_some_and(|code| MAY_BE_IN_USE.contains(&code)) =>
            {
                std::thread::sleep(wait);
            }
            done => return done,
        }
    }
    attempt()
}

/// Tries once: only on Windows can other programs prevent the operation.
///
/// # Errors
/// Fails with the error of the attempt.
#[cfg(not(windows))]
pub(crate) fn retry<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    attempt()
}

/// Removes a file. On Windows, retries for up to two seconds while another program has it open.
///
/// # Errors
/// Fails with the error of the system.
pub fn remove_file(path: &Path) -> io::Result<()> {
    retry(|| fs::remove_file(path))
}

#[cfg(any(unix, windows))]
pub(crate) fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// Creates a directory and its missing parents, and syncs them, so that a crash of the system does
/// not lose their names.
///
/// # Errors
/// Fails with the error of the system, or if a component of the path is not a directory.
pub fn create_directories(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = parent_of(path);
    create_directories(parent)?;
    match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if !path.is_dir() {
                let message = format!("{} is not a directory", file_name(path));
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
        }
        made => made?,
    }
    sync_directory(parent)
}

/// Syncs a directory, so that a crash of the system does not lose the names in it. Does nothing
/// where directories cannot be synced: on some file systems, and in some directories of Windows.
///
/// # Errors
/// Fails with the error of the system.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return match sync(&File::open(path)?) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    };
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;

        // FILE_FLAG_BACKUP_SEMANTICS, which opening a directory requires.
        const OPEN_DIRECTORY: u32 = 0x0200_0000;
        let directory = OpenOptions::new().write(true).custom_flags(OPEN_DIRECTORY).open(path);
        // May fail for directories of other users and on file systems other than NTFS.
        let _ = directory.and_then(|directory| directory.sync_all());
        Ok(())
    }
    #[cfg(not(any(unix, windows)))]
    {
        let _ = path;
        Ok(())
    }
}

/// Checks that the directory of `path` allows creating files.
///
/// # Errors
/// Fails if the directory does not exist or is not writable.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let directory = parent_of(path);
    #[cfg(unix)]
    {
        use rustix::fs::Access;
        Ok(rustix::fs::access(directory, Access::WRITE_OK | Access::EXEC_OK)?)
    }
    // Creates a file to test the access lists of Windows, and removes it at once.
    #[cfg(windows)]
    return tempfile::tempfile_in(directory).map(drop).map_err(|error| error.kind().into());
    #[cfg(not(any(unix, windows)))]
    match fs::metadata(directory)?.is_dir() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

pub(crate) fn parent_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

#[cfg(all(test, any(unix, windows)))]
mod tests {
    use super::*;
    use tempfile::tempdir;

    /// Asserts that opening failed, without blocking, because the path is not a regular file.
    #[track_caller]
    fn refused<T>(opened: io::Result<T>) {
        let error = opened.err().expect("not a regular file");
        assert_eq!(error.to_string(), "not a regular file");
    }

    #[test]
    fn only_regular_files_are_opened() {
        let place = tempdir().expect("a directory");
        refused(open(place.path()));
        open_own_file(place.path()).expect_err("it is a directory");
        assert!(!is_own_file(place.path()) && !is_own_file(&place.path().join("none")));
        assert_eq!(open(&place.path().join("none")).map_err(|error| error.kind()).err(), {
            Some(io::ErrorKind::NotFound)
        });
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_opened() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};

        let place = tempdir().expect("a directory");
        let fifo = place.path().join("fifo");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
        refused(open(&fifo));
        refused(open_own_file(&fifo));
        refused(open(Path::new("/dev/zero")));
        refused(read_whole(Path::new("/dev/zero")));
        refused(open_own_file(Path::new("/dev/null")));
        assert!(!is_own_file(&fifo));
    }

    #[cfg(windows)]
    #[test]
    fn devices_are_not_opened() {
        for name in ["NUL", r"\\.\NUL"] {
            refused(open(Path::new(name)));
            refused(open_own_file(Path::new(name)));
            refused(read_whole(Path::new(name)));
        }
    }

    /// A virus scanner may have a new file open for a moment without sharing it.
    #[cfg(windows)]
    #[test]
    fn files_that_are_in_use_for_a_moment_are_waited_for() {
        use std::os::windows::fs::OpenOptionsExt;
        use std::thread;
        use std::time::Duration;

        let place = tempdir().expect("a directory");
        let path = place.path().join("table");
        fs::write(&path, "old").expect("a file");
        for action in [
            |path: &Path| open(path).map(drop),
            |path: &Path| crate::write_atomically(path, b"new"),
            |path: &Path| remove_file(path),
        ] {
            let scanned =
                OpenOptions::new().read(true).share_mode(0).open(&path).expect("the file");
            let scanner = thread::spawn(move || {
                thread::sleep(Duration::from_millis(100));
                drop(scanned);
            });
            action(&path).expect("it is let go");
            scanner.join().expect("it has ended");
        }
        assert!(!path.exists());
    }

    #[test]
    fn bytes_are_read_at_an_offset() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("table");
        fs::write(&path, "0123456789").expect("a file");
        let file = open(&path).expect("the file");
        expect_random_reads(&file);
        expect_read(&file, 2..5);
        expect_read(&file, 5..5);
        let mut bytes = [0; 3];
        read_exact_at(&file, &mut bytes, 2).expect("three bytes");
        assert_eq!(&bytes, b"234");
        let error = read_exact_at(&file, &mut bytes, 8).expect_err("the file ends");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn space_is_reserved() {
        let file = tempfile::tempfile().expect("a file");
        reserve(&file, 1 << 20).expect("a megabyte");
        assert_eq!(file.metadata().expect("its length").len(), 1 << 20);
        let error = reserve(&file, 1 << 62).expect_err("no disk is that large");
        assert!(file.metadata().expect("its length").len() < 1 << 62, "{error}");
    }

    /// The fallback for file systems that cannot reserve space.
    #[cfg(unix)]
    #[test]
    fn space_is_taken_by_zeros() {
        let mut file = tempfile::tempfile().expect("a file");
        fill(&file, 100_000).expect("some zeros");
        let mut bytes = Vec::new();
        io::Seek::rewind(&mut file).and_then(|()| file.read_to_end(&mut bytes)).expect("the zeros");
        assert_eq!(bytes, [0; 100_000]);
    }

    #[test]
    fn files_over_1_gib_are_refused() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("games");
        fs::write(&path, "1. c3-d4").expect("a file");
        assert_eq!(read_whole(&path).expect("the file"), b"1. c3-d4");
        // A sparse file takes no space on disk.
        File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
        assert_eq!(
            read_whole(&path).expect_err("too much").to_string(),
            "it holds more than 1 GiB"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_for_reading() {
        use std::os::unix::fs::symlink;

        let place = tempdir().expect("a directory");
        let [target, link] = ["target", "link"].map(|name| place.path().join(name));
        fs::write(&target, "mine").expect("a file");
        symlink(&target, &link).expect("a link");
        open(&link).expect("links are followed to read");
        refused(open_own_file(&link));
        assert!(is_own_file(&target) && !is_own_file(&link));
        assert_eq!(fs::read(&target).expect("the file"), b"mine");
        // A dangling link does not create its target.
        fs::remove_file(&target).expect("it is removed");
        refused(open_own_file(&link));
        assert!(!target.exists());
    }

    #[test]
    fn opening_does_not_truncate() {
        let place = tempdir().expect("a directory");
        let path = place.path().join("lock");
        drop(open_own_file(&path).expect("it is made"));
        fs::write(&path, "text").expect("a file");
        drop(open_own_file(&path).expect("it is opened"));
        assert_eq!(fs::read(&path).expect("the file"), b"text");
    }

    #[test]
    fn missing_directories_are_created() {
        let place = tempdir().expect("a directory");
        let deep = place.path().join("a/b/c");
        create_directories(&deep).expect("they are made");
        create_directories(&deep).expect("they are there");
        assert!(deep.is_dir());
        fs::write(place.path().join("file"), "").expect("a file");
        let error =
            create_directories(&place.path().join("file/d")).expect_err("a file is in the way");
        assert!(error.to_string().ends_with("file is not a directory"), "{error}");
        create_directories(&place.path().join("file")).expect_err("a file is in the way");
    }
}
