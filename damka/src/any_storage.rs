//! A storage of any type behind dynamic calls, so that the code of tables is compiled once, in this
//! crate, and not again in each crate with a storage of its own. The dynamic calls cost time only
//! for blocks that are not in the cache.

use damka_probe::Storage;
use damka_tables::format::Source;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// A storage of any type.
pub(crate) struct AnyStorage(Box<dyn DynStorage>);

impl AnyStorage {
    pub(crate) fn new<S>(storage: S) -> AnyStorage
    where
        S: Storage<Source: Send + Sync + 'static> + Send + Sync + 'static,
    {
        AnyStorage(Box::new(storage))
    }
}

impl Storage for AnyStorage {
    type Source = AnySource;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        self.0.list(game)
    }

    fn open(&self, name: &str) -> io::Result<AnySource> {
        self.0.open(name)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }
}

/// [`Storage`], but with a single type of sources, so that it can be a trait object.
trait DynStorage: Send + Sync {
    fn list(&self, game: &str) -> io::Result<Vec<String>>;
    fn open(&self, name: &str) -> io::Result<AnySource>;
    fn path(&self, name: &str) -> PathBuf;
}

impl<S> DynStorage for S
where
    S: Storage<Source: Send + Sync + 'static> + Send + Sync,
{
    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        Storage::list(self, game)
    }

    fn open(&self, name: &str) -> io::Result<AnySource> {
        Ok(AnySource(Box::new(Storage::open(self, name)?)))
    }

    fn path(&self, name: &str) -> PathBuf {
        Storage::path(self, name)
    }
}

/// The source of a storage of any type.
pub(crate) struct AnySource(Box<dyn Source + Send + Sync>);

impl Source for AnySource {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        self.0.read(offset, len, buffer)
    }

    fn advise_random(&self) {
        self.0.advise_random();
    }

    fn prefetch(&self, part: Range<u64>) {
        self.0.prefetch(part);
    }
}
