use damka_system::{check_writable, open, read_whole, write_atomically};
use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A kind of file with the header that [`FileError`] describes.
#[derive(Debug)]
pub(crate) struct FileKind {
    /// The name of the kind in messages.
    pub(crate) name: &'static str,
    /// The two letters of the magic number.
    pub(crate) letters: [u8; 2],
    pub(crate) version: u16,
}

/// The length of the name of the game in the header, in bytes.
const NAME_LEN: usize = 16;

/// An error of a file of the engine: an opening book, weights or a network.
///
/// All these files have the same header:
///
/// | bytes | what |
/// |---|---|
/// | 8 | magic: `89 44 4D 4B`, two letters, `0D 0A` (to detect converted line endings) |
/// | 2 | version, little-endian |
/// | 16 | the name of the game, padded with zeros |
/// | 4 | the CRC-32 (IEEE) of the contents, little-endian |
/// | ... | the contents |
#[derive(Debug)]
pub struct FileError {
    /// The file; `None` if the bytes were not read from a file.
    pub path: Option<PathBuf>,
    /// The name of the kind of file.
    pub kind: &'static str,
    /// What is wrong.
    pub problem: FileProblem,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// The file could not be read or written.
    Io(io::Error),
    /// The file is of another kind.
    OtherKind,
    /// The file is of another kind and would have been overwritten.
    WouldOverwrite,
    /// The directory to write to does not exist.
    NoDirectory,
    /// The file has a version of its format that is not supported.
    UnknownVersion(u16),
    /// The file is for another game.
    OtherGame {
        /// The game named in the file.
        found: String,
        /// The game that was expected.
        wanted: &'static str,
    },
    /// The checksum is wrong, or the contents are invalid.
    Damaged(&'static str),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileError { path, kind, problem } = self;
        if let Some(path) = path {
            write!(f, "{}: ", path.display())?;
        }
        match problem {
            FileProblem::Io(error) => write!(f, "the {kind} cannot be read or written: {error}"),
            FileProblem::OtherKind => write!(f, "this is not a valid {kind}"),
            FileProblem::WouldOverwrite => {
                write!(f, "this is not a valid {kind}, and is not overwritten")
            }
            FileProblem::NoDirectory => {
                write!(f, "the {kind} cannot be written: there is no such directory")
            }
            FileProblem::UnknownVersion(version) => {
                write!(f, "the {kind} has the unsupported version {version}")
            }
            FileProblem::OtherGame { found, wanted } => {
                write!(f, "the {kind} is for the game `{found}`, not for `{wanted}`")
            }
            FileProblem::Damaged(how) => write!(f, "the {kind} is damaged: {how}"),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            FileProblem::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl FileError {
    /// Whether the file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(&self.problem, FileProblem::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl FileKind {
    /// Adds the header for `game` to the contents of a file.
    pub(crate) fn bytes(&self, game: &'static str, contents: &[u8]) -> Vec<u8> {
        let mut bytes = self.magic().to_vec();
        bytes.extend(self.version.to_le_bytes());
        let mut name = [0; NAME_LEN];
        name.iter_mut().zip(game.bytes()).for_each(|(to, byte)| *to = byte);
        bytes.extend(name);
        bytes.extend(crc32fast::hash(contents).to_le_bytes());
        bytes.extend(contents);
        bytes
    }

    /// Whether these bytes begin like a file of this kind.
    pub(crate) fn is_file(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(&self.magic())
    }

    /// Checks the header of a file of `game` and returns its contents.
    ///
    /// # Errors
    /// The bytes are not a valid file of this kind and game.
    pub(crate) fn contents<'a>(
        &self,
        game: &'static str,
        bytes: &'a [u8],
    ) -> Result<&'a [u8], FileError> {
        let rest = bytes.strip_prefix(&self.magic());
        let rest = rest.ok_or_else(|| self.error(FileProblem::OtherKind))?;
        let short = || self.damaged("it is too short");
        let (version, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let version = u16::from_le_bytes(*version);
        if version != self.version {
            return Err(self.error(FileProblem::UnknownVersion(version)));
        }
        let (name, rest) = rest.split_first_chunk::<NAME_LEN>().ok_or_else(short)?;
        let found = String::from_utf8_lossy(name);
        let found = found.trim_end_matches('\0');
        if found != game {
            let found = found.to_owned();
            return Err(self.error(FileProblem::OtherGame { found, wanted: game }));
        }
        let (crc, contents) = rest.split_first_chunk().ok_or_else(short)?;
        match crc32fast::hash(contents) == u32::from_le_bytes(*crc) {
            true => Ok(contents),
            false => Err(self.damaged("the checksum is wrong")),
        }
    }

    /// Reads a file and parses its bytes.
    ///
    /// # Errors
    /// The file cannot be read, or `parse` fails.
    pub(crate) fn read<T>(
        &self,
        path: &Path,
        parse: impl FnOnce(&[u8]) -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        let bytes = read_whole(path).map_err(|error| self.error(FileProblem::Io(error)));
        let parsed = bytes.and_then(|bytes| parse(&bytes));
        parsed.map_err(|error| FileError { path: Some(path.to_owned()), ..error })
    }

    /// Checks whether a file of this kind can be written to `path`. Files of other kinds are not
    /// overwritten, so that a user who forgets to name the output file does not lose an input.
    ///
    /// # Errors
    /// `path` is a file of another kind or cannot be read, or its directory does not exist or
    /// cannot be written to.
    pub(crate) fn check_place(&self, path: &Path) -> Result<(), FileError> {
        check_writable(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                FileError { path: Some(path.to_owned()), ..self.error(FileProblem::NoDirectory) }
            }
            _ => self.io_error(path, error),
        })?;
        let mut head = Vec::new();
        let magic = self.magic();
        let file = open(path);
        let read = file.and_then(|file| file.take(magic.len() as u64).read_to_end(&mut head));
        match read {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.io_error(path, error)),
            Ok(_) if head.is_empty() || head == magic => Ok(()),
            Ok(_) => Err(FileError {
                path: Some(path.to_owned()),
                ..self.error(FileProblem::WouldOverwrite)
            }),
        }
    }

    /// Writes a file atomically: on failure an existing file is unchanged.
    ///
    /// # Errors
    /// The file cannot be written, or [is of another kind](FileKind::check_place).
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        self.check_place(path)?;
        write_atomically(path, bytes).map_err(|error| self.io_error(path, error))
    }

    /// The error of a file that cannot be read or written.
    pub(crate) fn io_error(&self, path: &Path, error: io::Error) -> FileError {
        FileError { path: Some(path.to_owned()), ..self.error(FileProblem::Io(error)) }
    }

    /// The error of invalid contents.
    pub(crate) fn damaged(&self, how: &'static str) -> FileError {
        self.error(FileProblem::Damaged(how))
    }

    fn error(&self, problem: FileProblem) -> FileError {
        FileError { path: None, kind: self.name, problem }
    }

    fn magic(&self) -> [u8; 8] {
        let [a, b] = self.letters;
        [0x89, b'D', b'M', b'K', a, b, b'\r', b'\n']
    }
}
