use crate::map::map;
use damka_tables::format::Source;
use memmap2::{Advice, Mmap};
use rustix::fs::{Advice as FileAdvice, fadvise};
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// How the bytes of tables are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Files are mapped into memory: nothing is copied, and reading what the system
    /// has in memory needs no system call. But an error of the disk, or a file that
    /// somebody cuts short, ends the process with SIGBUS.
    #[default]
    Map,
    /// Files are read with `pread`: two calls for each block that is not decoded yet.
    /// Errors are reported as such, and no address space is taken.
    Read,
}

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum Bytes {
    Map(Mmap),
    Read(File, u64),
}

impl Bytes {
    pub(crate) fn open(file: File, access: Access) -> io::Result<Bytes> {
        Ok(match access {
            Access::Map => Bytes::Map(map(&file)?),
            Access::Read => {
                let len = file.metadata()?.len();
                Bytes::Read(file, len)
            }
        })
    }

    /// Tells the system that what is read next says nothing about what comes then.
    pub(crate) fn expect_random(&self) {
        // A wish; without it, too much is read at once.
        let _ = match self {
            Bytes::Map(map) => map.advise(Advice::Random),
            Bytes::Read(file, _) => {
                fadvise(file, 0, None, FileAdvice::Random).map_err(io::Error::from)
            }
        };
    }

    /// Asks the system to read a part of the file soon, and does not wait for it.
    pub(crate) fn prefetch(&self, part: Range<u64>) {
        let Some(len) = NonZeroU64::new(part.end - part.start) else { return };
        // A wish; without it, a probe reads the part.
        let _ = match self {
            Bytes::Map(map) => {
                map.advise_range(Advice::WillNeed, part.start as usize, len.get() as usize)
            }
            Bytes::Read(file, _) => {
                fadvise(file, part.start, Some(len), FileAdvice::WillNeed).map_err(io::Error::from)
            }
        };
    }
}

impl Source for Bytes {
    fn size(&self) -> u64 {
        match self {
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
        match self {
            Bytes::Map(map) => map.read(offset, len, buffer),
            Bytes::Read(file, _) => {
                buffer.resize(len, 0);
                file.read_exact_at(buffer, offset)?;
                Ok(buffer)
            }
        }
    }
}
