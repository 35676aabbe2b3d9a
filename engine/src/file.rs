use damka_system::{check_place, open, read_whole, write_atomically};
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A kind of file that belongs to a game, as [`FileError`] describes them.
#[derive(Debug)]
pub(crate) struct FileKind {
    /// What people call it.
    pub(crate) name: &'static str,
    /// The two letters.
    pub(crate) letters: [u8; 2],
    pub(crate) version: u16,
}

const NAME_LEN: usize = 16;

/// Why a file of the engine, an opening book or weights, cannot be used.
///
/// All these files have the same head:
///
/// | bytes | what |
/// |---|---|
/// | 8 | magic: `89 44 4D 4B`, two letters, `0D 0A`: ends of lines changed on the way change it |
/// | 2 | version, little-endian |
/// | 16 | the game's name, filled up with zeros |
/// | 4 | the CRC-32 (IEEE) of what follows, little-endian |
/// | ... | the contents |
#[derive(Debug, Error)]
pub struct FileError {
    /// The file, if the bytes are of one.
    pub path: Option<PathBuf>,
    /// What people call such a file.
    pub kind: &'static str,
    /// What is wrong.
    pub problem: FileProblem,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// It could not be read or written.
    Io(io::Error),
    /// It is something else.
    OtherKind,
    /// It is something else, and would have been overwritten.
    InTheWay,
    /// The directory to write it in is not there.
    NoDirectory,
    /// It was made by another version of the program.
    UnknownVersion(u16),
    /// It is of another game.
    OtherGame {
        /// The game that the file names.
        found: String,
        /// The game that was asked for.
        wanted: &'static str,
    },
    /// The bytes are not those that were written, or were never right.
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
            FileProblem::OtherKind => write!(f, "this is no {kind}"),
            FileProblem::InTheWay => {
                write!(f, "this is no {kind}, and is not overwritten: choose another file")
            }
            FileProblem::NoDirectory => {
                write!(f, "the {kind} cannot be written: there is no such directory")
            }
            FileProblem::UnknownVersion(version) => {
                write!(f, "the {kind} has version {version}, which is not known")
            }
            FileProblem::OtherGame { found, wanted } => {
                write!(f, "the {kind} is of the game `{found}`, not of `{wanted}`")
            }
            FileProblem::Damaged(how) => write!(f, "the {kind} is damaged: {how}"),
        }
    }
}

impl FileError {
    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(&self.problem, FileProblem::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl FileKind {
    /// The bytes of a file of `game` with these contents.
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

    /// The contents of a file of `game` with these bytes.
    ///
    /// # Errors
    /// It is no sound file of this kind and game.
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

    /// Reads a file, whose bytes `parse` makes something of.
    ///
    /// # Errors
    /// It cannot be read, or `parse` fails.
    pub(crate) fn read<T>(
        &self,
        path: &Path,
        parse: impl FnOnce(&[u8]) -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        let bytes = read_whole(path).map_err(|error| self.error(FileProblem::Io(error)));
        let parsed = bytes.and_then(|bytes| parse(&bytes));
        parsed.map_err(|error| FileError { path: Some(path.to_owned()), ..error })
    }

    /// Looks whether a file of this kind may be written to `path`: what is not of this kind is
    /// not overwritten, so that whoever forgets to name the file to write loses no other.
    ///
    /// # Errors
    /// Something else is there, or it cannot be read; or the directory is not there, or cannot be
    /// written to.
    pub(crate) fn check_place(&self, path: &Path) -> Result<(), FileError> {
        check_place(path).map_err(|error| match error.kind() {
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
            Ok(_) => {
                Err(FileError { path: Some(path.to_owned()), ..self.error(FileProblem::InTheWay) })
            }
        }
    }

    /// Writes a file, which is complete or as it was before.
    ///
    /// # Errors
    /// What the system says, or that something else [is there](FileKind::check_place).
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        self.check_place(path)?;
        write_atomically(path, bytes).map_err(|error| self.io_error(path, error))
    }

    /// That a file cannot be read or written.
    pub(crate) fn io_error(&self, path: &Path, error: io::Error) -> FileError {
        FileError { path: Some(path.to_owned()), ..self.error(FileProblem::Io(error)) }
    }

    /// That bytes with a right checksum make no sense.
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
