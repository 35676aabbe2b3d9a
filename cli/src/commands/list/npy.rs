use super::Output;
use crate::commands::input::cannot_write;
use crate::failure::Failure;
use crate::words::{count, note};
use damka::npy::NpyWriter;
use damka::{AnyGame, AnyListed, Metric};
use damka_games::printable;
use damka_system::AtomicFile;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// An array in a file, which is there when it is complete.
pub(super) struct Npy {
    path: PathBuf,
    file: AtomicFile,
    writer: NpyWriter<File>,
}

impl Npy {
    pub(super) fn create(path: &Path, game: AnyGame, metric: Metric) -> Result<Npy, Failure> {
        let failed = |error: io::Error| cannot_write(path, &error);
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
