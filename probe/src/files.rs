use crate::Storage;
use crate::map::{advise_random, advise_will_need, map};
use damka_system::{expect_random_reads, expect_read, read_exact_at};
use damka_tables::format::Source;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Directories of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The directory, which need not exist yet.
    pub directory: PathBuf,
    /// More directories, searched in this order for tables that `directory` does not have.
    pub others: Vec<PathBuf>,
    /// The way in which files are read.
    pub access: Access,
}

/// The way in which the bytes of files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Memory-mapped: nothing is copied, and pages in the system's cache are read without a system
    /// call.
    ///
    /// If a file is truncated or the disk fails while a table is open, the process is killed by
    /// SIGBUS; the caller must rule this out. Replacing a table by renaming, as damka does, is
    /// safe, and changed bytes are detected.
    Map,
    /// Read with `pread`, two calls per block that is not yet decoded. Failures are reported as
    /// errors, and no address space is used.
    #[default]
    Read,
}

impl Files {
    /// One directory.
    pub fn new(directory: impl Into<PathBuf>, access: Access) -> Files {
        Files { directory: directory.into(), others: Vec::new(), access }
    }

    /// The paths that a file of this name may have.
    fn paths(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        std::iter::once(&self.directory).chain(&self.others).map(move |place| path(place, name))
    }
}

/// The path of a file with this name, whose parts are separated by `/`, below a directory.
fn path(directory: &Path, name: &str) -> PathBuf {
    let mut path = directory.to_owned();
    path.extend(name.split('/'));
    path
}

impl Storage for Files {
    type Source = FileBytes;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for path in self.paths(game) {
            let files = match std::fs::read_dir(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                files => files?,
            };
            for file in files {
                names.push(file?.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(names)
    }

    fn open(&self, name: &str) -> io::Result<FileBytes> {
        for path in self.paths(name) {
            match FileBytes::open(&path, self.access) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                opened => return opened,
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn path(&self, name: &str) -> PathBuf {
        let first = || path(&self.directory, name);
        match self.others.is_empty() {
            true => first(),
            false => self.paths(name).find(|path| path.exists()).unwrap_or_else(first),
        }
    }
}

/// The bytes of a file, mapped or read.
#[derive(Debug)]
pub struct FileBytes(Bytes);

#[derive(Debug)]
enum Bytes {
    Map(Mmap),
    Read(File, u64),
}

impl FileBytes {
    /// Opens a file.
    ///
    /// # Errors
    /// Fails with the error of the system, or if it is not a regular file.
    pub fn open(path: &Path, access: Access) -> io::Result<FileBytes> {
        let file = damka_system::open(path)?;
        Ok(FileBytes(match access {
            Access::Map => Bytes::Map(map(&file)?),
            Access::Read => {
                let len = file.metadata()?.len();
                Bytes::Read(file, len)
            }
        }))
    }
}

impl Source for FileBytes {
    fn size(&self) -> u64 {
        match &self.0 {
            Bytes::Map(map) => map.size(),
            Bytes::Read(_, len) => *len,
        }
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        match &self.0 {
            Bytes::Map(map) => map.read(offset, len, buffer),
            Bytes::Read(file, _) => {
                buffer.resize(len, 0);
                read_exact_at(file, buffer, offset)?;
                Ok(buffer)
            }
        }
    }

    fn advise_random(&self) {
        match &self.0 {
            Bytes::Map(map) => advise_random(map),
            Bytes::Read(file, _) => expect_random_reads(file),
        }
    }

    fn prefetch(&self, part: Range<u64>) {
        match &self.0 {
            Bytes::Map(map) => advise_will_need(map, part),
            Bytes::Read(file, _) => expect_read(file, part),
        }
    }
}
