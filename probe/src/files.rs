use crate::Storage;
use crate::map::{advise_random, advise_will_need, map};
use damka_system::{expect_random_reads, expect_read, read_exact_at};
use damka_tables::format::Source;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A directory of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The directory, which need not exist yet.
    pub directory: PathBuf,
    /// How files are read.
    pub access: Access,
}

/// How the bytes of files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Files are mapped into memory: nothing is copied, and reading what the system
    /// has in memory needs no system call.
    ///
    /// Whoever chooses this makes sure that nobody cuts a file short, and that the disk does
    /// not fail, while a table is open: either ends the process with SIGBUS. Tables that are
    /// replaced as damka does it, by renaming, do no harm; bytes that change are noticed.
    Map,
    /// Files are read with `pread`: two calls for each block that is not decoded yet.
    /// Errors are reported as such, and no address space is taken.
    #[default]
    Read,
}

impl Storage for Files {
    type Source = FileBytes;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        let files = match std::fs::read_dir(self.path(game)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            files => files?,
        };
        files.map(|file| Ok(file?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn open(&self, name: &str) -> io::Result<FileBytes> {
        FileBytes::open(&self.path(name), self.access)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
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
    /// What the system says, or that not a regular file.
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
