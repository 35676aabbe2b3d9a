use std::fmt;
use thiserror::Error;

/// A part of a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The header.
    Header,
    /// A block or its directory entries; blocks are numbered from 0.
    Block(u64),
    /// The space between or after the blocks.
    Layout,
    /// The number of positions of each value.
    Histogram,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Section::Header => f.write_str("the header"),
            Section::Block(number) => write!(f, "block {number}"),
            Section::Layout => f.write_str("the layout of the blocks"),
            Section::Histogram => f.write_str("the histogram"),
        }
    }
}

/// Why the bytes of a table could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file does not start like a table.
    #[error("this is not a damka table")]
    NotATable,
    /// The file is a table of a version that this program does not support.
    #[error(
        "the table has format version {major}.{minor}, but this program reads versions up to {known}"
    )]
    UnknownVersion {
        /// The file's major version.
        major: u16,
        /// The file's minor version.
        minor: u16,
        /// The latest major version that this program reads.
        known: u16,
    },
    /// The file uses a feature that this program does not support.
    #[error("the table uses an unknown {0}: it was made by a newer program")]
    Unsupported(&'static str),
    /// The file is shorter or longer than its header says.
    #[error("the file has {found} bytes instead of {expected}: it was cut short or changed")]
    WrongLength {
        /// The length given in the header, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// Bytes of the file have changed since they were written.
    #[error("{0} is damaged")]
    Corrupt(Section),
    /// The file is a valid table, but not the requested one.
    #[error("the file holds another table: {0}")]
    OtherTable(String),
    /// The file leaves out the values of the requested side to move: they follow from the other
    /// side's.
    #[error("the table leaves out one side to move; the complete table is needed")]
    LeftOut,
    /// Reading failed.
    #[error("reading failed: {0}")]
    Io(#[from] std::io::Error),
}
