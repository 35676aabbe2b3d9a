use super::Output;
use crate::commands::input::{cannot_write, tell_unfinished};
use crate::failure::Failure;
use crate::words::{count, note};
use damka::npy::{MAGIC, NpyWriter};
use damka::{AnyGame, AnyListed, Metric};
use damka_games::printable;
use damka_system::{AtomicFile, open};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// An array in a file, which appears when it is complete.
pub(super) struct Npy {
    path: PathBuf,
    file: AtomicFile,
    writer: NpyWriter<File>,
}

impl Npy {
    pub(super) fn create(path: &Path, game: AnyGame, metric: Metric) -> Result<Npy, Failure> {
        let failed = |error: io::Error| cannot_write(path, &error);
        if path == Path::new("-") {
            return Err(Failure::Input("--npy: a file is needed, not a stream".to_owned()));
        }
        if !is_replaceable(path).map_err(failed)? {
            return Err(Failure::Input(format!(
                "--npy {}: it is not an array, and is not overwritten",
                path.display()
            )));
        }
        tell_unfinished(path);
        let file = AtomicFile::create(path).map_err(failed)?;
        let writer = file.file().try_clone().and_then(|file| NpyWriter::new(file, game, metric));
        Ok(Npy { path: path.to_owned(), file, writer: writer.map_err(failed)? })
    }
}

impl Output for Npy {
    fn push(&mut self, listed: &dyn AnyListed) -> Result<(), Failure> {
        self.writer.push(listed).map_err(|error| cannot_write(&self.path, &error))
    }

    fn flush(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let Npy { path, file, writer } = *self;
        let finished = writer.finish().and_then(|records| file.publish().map(|()| records));
        let records = finished.map_err(|error| cannot_write(&path, &error))?;
        let path = printable(&path.to_string_lossy());
        note(&format!("{} in {path}", count(records, "position")));
        Ok(())
    }
}

/// Whether a file may be replaced by an array: it does not exist, is empty, or holds an array.
fn is_replaceable(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        file => file?.take(MAGIC.len() as u64).read_to_end(&mut start)?,
    };
    Ok(start.is_empty() || start == MAGIC)
}
