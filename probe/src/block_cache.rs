use crate::blocks::Cache;
use damka_system::NoMemory;
use std::sync::{Arc, OnceLock};

/// A cache of decoded blocks for the tables of one game, or of several
/// ([`Tables::with_cache`](crate::Tables::with_cache)). Clones are the same cache.
#[derive(Clone, Debug)]
pub struct BlockCache(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes: u64,
    /// Created when the first table is opened.
    cache: OnceLock<Cache>,
}

impl BlockCache {
    /// A cache of up to `bytes` bytes, at most 256 GiB. If there is no room for even one block,
    /// nothing is cached. Allocates nothing before the first table is opened.
    pub fn new(bytes: u64) -> BlockCache {
        BlockCache(Arc::new(Shared { bytes, cache: OnceLock::new() }))
    }

    /// The cache, if it has been created.
    #[inline]
    pub(crate) fn get(&self) -> Option<&Cache> {
        self.0.cache.get()
    }

    /// The cache, created if necessary.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub(crate) fn get_or_create(&self) -> Result<&Cache, NoMemory> {
        if let Some(cache) = self.get() {
            return Ok(cache);
        }
        let cache = Cache::new(self.0.bytes)?;
        Ok(self.0.cache.get_or_init(|| cache))
    }
}
