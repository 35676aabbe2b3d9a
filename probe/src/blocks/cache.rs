use super::frames::{Common, FRAME_BYTES, Frames};
use super::sync::{Arc, AtomicU64, AtomicUsize, Mutex, MutexGuard, fence};
use damka_system::NoMemory;
use std::iter::repeat_with;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{OnceLock, PoisonError, TryLockError};

/// Decoded blocks of many tables in a fixed number of frames, shared by threads.
///
/// Reading takes no lock and writes nothing, except for a rare mark. The place of a block contains
/// its frame; if the place is unchanged after the word has been read, the word belongs to the block
/// (a sequence lock). If all frames are in use, a block that was not read since it was last
/// considered is evicted (second chance).
#[derive(Debug)]
pub(crate) struct Cache {
    frames: Frames,
    tenancies: Tenancies,
    /// The clock hand: how many frames have been considered for eviction so far.
    hand: AtomicUsize,
}

/// The owners of the frames, in chunks that are created when the hand first reaches them.
#[derive(Debug)]
struct Tenancies {
    chunks: Box<[OnceLock<Chunk>]>,
    /// The number of frames.
    len: usize,
}

type Chunk = Box<[Mutex<Tenancy>]>;

impl Tenancies {
    const CHUNK: usize = if cfg!(loom) { 1 } else { 1 << 10 };

    fn new(len: usize) -> Tenancies {
        let chunks = repeat_with(OnceLock::new).take(len.div_ceil(Tenancies::CHUNK)).collect();
        Tenancies { chunks, len }
    }

    fn get(&self, number: usize) -> &Mutex<Tenancy> {
        let chunk = self.chunks[number / Tenancies::CHUNK]
            .get_or_init(|| repeat_with(Mutex::default).take(Tenancies::CHUNK).collect());
        &chunk[number % Tenancies::CHUNK]
    }
}

/// The block in a frame.
#[derive(Debug, Default)]
struct Tenancy {
    tenant: Option<(Arc<Places>, usize, Common)>,
    /// The number of blocks that the frame has held so far.
    tenants: u64,
}

/// The [places](mod@place) of a table's blocks.
#[derive(Debug)]
pub(crate) struct Places {
    places: Box<[AtomicU64]>,
    /// Locks by remainder of the block number, held while a block is decoded and stored, so that no
    /// two threads store the same one.
    decoding: [Mutex<()>; 16],
    /// The table's own frames for pinned blocks, and the number of those in use.
    pinned: OnceLock<Frames>,
    taken: AtomicUsize,
}

/// The place of a block as one word, so that it changes atomically.
mod place {
    use super::super::frames::Common;

    /// Not decoded.
    pub(super) const NONE: u64 = 0;
    /// Read since it was last considered for eviction.
    pub(super) const RECENT: u64 = 1;
    const KIND: u64 = 0b110;
    const FRAME: u64 = 0b010;
    const PINNED: u64 = 0b100;
    const SHIFT: u32 = 3;
    const FRAME_BITS: u32 = 24;
    /// The maximum number of frames: 256 GiB.
    pub(super) const FRAMES: usize = 1 << FRAME_BITS;

    /// The place of a block in this frame of the table, with this common byte.
    pub(super) fn pinned(frame: usize, common: Common) -> u64 {
        ((frame as u64) << Common::BITS | common.code()) << SHIFT | PINNED | RECENT
    }

    /// The place of a block whose bytes are all this one. Encoded like a block in a frame of the
    /// cache, but permanent.
    pub(super) fn constant(byte: u8) -> u64 {
        Common::all(byte).code() << SHIFT | FRAME | RECENT
    }

    /// The place of a block in this frame of the cache, with this common byte. `tenants`, the
    /// number of blocks that the frame has held, makes the place unique until the frame has held
    /// 2^27 more blocks; decoding each takes microseconds.
    pub(super) fn frame(frame: usize, common: Common, tenants: u64) -> u64 {
        let frame = tenants << FRAME_BITS | frame as u64;
        (frame << Common::BITS | common.code()) << SHIFT | FRAME
    }

    /// Whether a decoded block is in a frame of its table, not of the cache.
    #[inline]
    pub(super) fn is_pinned(place: u64) -> bool {
        place & KIND == PINNED
    }

    /// The frame and the common byte of a decoded block.
    #[inline]
    pub(super) fn of(place: u64) -> (usize, Common) {
        let value = place >> SHIFT;
        ((value >> Common::BITS) as usize & (FRAMES - 1), Common::from_code(value))
    }
}

impl Places {
    /// The places of blocks that are not decoded.
    ///
    /// # Errors
    /// Fails if the memory cannot be allocated.
    pub(crate) fn new(blocks: u64) -> Result<Places, NoMemory> {
        let mut places = Vec::new();
        let failed = |_| NoMemory::AllocationFailed(blocks.saturating_mul(size_of::<u64>() as u64));
        places.try_reserve_exact(blocks as usize).map_err(failed)?;
        places.extend((0..blocks).map(|_| AtomicU64::new(place::NONE)));
        Ok(Places {
            places: places.into(),
            decoding: Default::default(),
            pinned: OnceLock::new(),
            taken: AtomicUsize::new(0),
        })
    }

    /// Creates frames for all blocks of the table. The system provides their memory as they are
    /// filled.
    ///
    /// # Errors
    /// Fails if the memory cannot be allocated.
    pub(crate) fn make_room(&self) -> Result<(), NoMemory> {
        if self.pinned.get().is_none() {
            // Another thread may have created them.
            let _ = self.pinned.set(Frames::new(self.places.len())?);
        }
        Ok(())
    }

    /// Whether a block is pinned.
    pub(crate) fn is_pinned(&self, block: usize) -> bool {
        let place = self.places[block].load(Relaxed);
        place::is_pinned(place) || place::of(place).1.is_all()
    }

    /// Pins a decoded block. The caller holds its [`decoding`](Places::decoding) lock, has checked
    /// that it is not pinned, and has created the frames.
    pub(crate) fn pin(&self, block: usize, bytes: &[u8]) {
        let place = match constant(bytes) {
            Some(byte) => place::constant(byte),
            None => {
                let frame = self.taken.fetch_add(1, Relaxed);
                let common = self.pinned.get().expect("room").store(frame, bytes);
                place::pinned(frame, common)
            }
        };
        // A swap instead of a store, because loom does not know that no store can come between the
        // comparison and the exchange in `vacate`.
        self.places[block].swap(place, Release);
    }

    /// The memory of pinned blocks in bytes.
    pub(crate) fn pinned_bytes(&self) -> u64 {
        self.taken.load(Relaxed) as u64 * FRAME_BYTES
    }

    /// Waits until no other thread decodes this block.
    pub(crate) fn decoding(&self, block: usize) -> MutexGuard<'_, ()> {
        self.decoding_lock(block).lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock for decoding this block; `None` if another thread holds it, for this block or
    /// one that shares the lock. Then decoding the block twice is better than waiting: it takes no
    /// longer, and a sleeping thread, once woken, may take the processor of the thread that woke it
    /// for milliseconds.
    pub(crate) fn try_decoding(&self, block: usize) -> Option<MutexGuard<'_, ()>> {
        match self.decoding_lock(block).try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn decoding_lock(&self, block: usize) -> &Mutex<()> {
        &self.decoding[block % self.decoding.len()]
    }
}

impl Cache {
    /// A cache of up to `bytes` bytes, whose memory is used as blocks are added.
    ///
    /// # Errors
    /// Fails if the address space cannot be reserved.
    pub(crate) fn new(bytes: u64) -> Result<Cache, NoMemory> {
        let frames = (bytes / FRAME_BYTES).min(place::FRAMES as u64) as usize;
        Ok(Cache {
            frames: Frames::new(frames)?,
            tenancies: Tenancies::new(frames),
            hand: AtomicUsize::new(0),
        })
    }

    /// Asks the system to provide the memory for this many blocks now, as far as the cache has
    /// room.
    pub(crate) fn claim(&self, blocks: u64) {
        let frames = self.tenancies.len;
        self.frames.claim(usize::try_from(blocks).map_or(frames, |blocks| blocks.min(frames)));
    }

    /// A word of a block; `None` if the block is not decoded.
    #[inline(always)]
    pub(crate) fn word(&self, places: &Places, block: usize, word: usize) -> Option<u64> {
        let place = &places.places[block];
        let seen = place.load(Acquire);
        if seen == place::NONE {
            return None;
        }
        let frames = match place::is_pinned(seen) {
            true => places.pinned.get()?,
            false => &self.frames,
        };
        let (frame, common) = place::of(seen);
        let value = frames.word(frame, common, word);
        // If the word belongs to a later block, the second load sees that the place has changed.
        fence(Acquire);
        if (place.load(Relaxed) ^ seen) & !place::RECENT != 0 {
            return None;
        }
        if seen & place::RECENT == 0 {
            // If the place changes meanwhile, the mark is not needed.
            let _ = place.compare_exchange(seen, seen | place::RECENT, Relaxed, Relaxed);
        }
        Some(value)
    }

    /// Adds a decoded block. The caller holds its [`decoding`](Places::decoding) lock and has
    /// checked that it is not in the cache.
    pub(crate) fn keep(&self, places: &Arc<Places>, block: usize, bytes: &[u8]) {
        let place = &places.places[block];
        if let Some(byte) = constant(bytes) {
            place.store(place::constant(byte), Release);
            return;
        }
        // This fails only while other threads fill all frames or read from all of them.
        let Some((number, mut tenancy)) = self.vacate() else { return };
        // A reader of a word stored from here on sees that the place of the previous block has
        // changed.
        fence(Release);
        let common = self.frames.store(number, bytes);
        tenancy.tenants += 1;
        place.store(place::frame(number, common, tenancy.tenants), Release);
        tenancy.tenant = Some((Arc::clone(places), block, common));
    }

    /// Finds a frame for a new block, and evicts the block in it, if any.
    fn vacate(&self) -> Option<(usize, MutexGuard<'_, Tenancy>)> {
        // On the first round all blocks may have been read; the second round evicts one.
        for _ in 0..2 * self.tenancies.len {
            let number = self.hand.fetch_add(1, Relaxed) % self.tenancies.len;
            let tenancy = match self.tenancies.get(number).try_lock() {
                Ok(tenancy) => tenancy,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => continue,
            };
            if let Some((places, block, common)) = &tenancy.tenant {
                let place = &places.places[*block];
                let here = place::frame(number, *common, tenancy.tenants);
                let recent = here | place::RECENT;
                // If the place has another value, the block has been pinned meanwhile: the frame is
                // free.
                if place.compare_exchange(here, place::NONE, Relaxed, Relaxed) == Err(recent) {
                    let _ = place.compare_exchange(recent, here, Relaxed, Relaxed);
                    continue;
                }
            }
            return Some((number, tenancy));
        }
        None
    }
}

/// The byte that a block repeats, if all its bytes are equal.
fn constant(block: &[u8]) -> Option<u8> {
    let (&first, rest) = block.split_first()?;
    rest.iter().all(|&byte| byte == first).then_some(first)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::frames::FRAME_WORDS;
    use super::*;
    use damka_tables::format::BLOCK_LEN;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    const LEN: usize = BLOCK_LEN as usize;

    /// A block in which every second word identifies the block and the word; the others repeat a
    /// value.
    fn block(number: usize) -> Vec<u8> {
        (0..FRAME_WORDS).flat_map(|word| expected(number, word).to_le_bytes()).collect()
    }

    fn expected(number: usize, word: usize) -> u64 {
        match word % 2 {
            0 => (number as u64 + 1) << 32 | word as u64,
            _ => [0, 0x5555_5555_5555_5555, 0xAAAA_AAAA_AAAA_AAAA][number % 3],
        }
    }

    fn is_there(cache: &Cache, places: &Places, block: usize) -> bool {
        let word = cache.word(places, block, 6);
        assert!(word.is_none_or(|word| word == expected(block, 6)));
        word.is_some()
    }

    #[test]
    fn blocks_that_were_read_get_a_second_chance() {
        let cache = Cache::new(3 * FRAME_BYTES).expect("memory");
        cache.claim(u64::MAX);
        let places = Arc::new(Places::new(9).expect("memory"));
        for number in 0..3 {
            assert!(!is_there(&cache, &places, number));
            cache.keep(&places, number, &block(number));
        }
        assert!(is_there(&cache, &places, 0) && is_there(&cache, &places, 2));
        cache.keep(&places, 3, &block(3));
        assert!(!is_there(&cache, &places, 1), "the only one that was not read");
        for number in [0, 2, 3] {
            assert!(is_there(&cache, &places, number));
        }
        // All were read, so the first one considered is evicted.
        cache.keep(&places, 4, &block(4));
        assert_eq!((0..5).filter(|&number| is_there(&cache, &places, number)).count(), 3);
        assert!(is_there(&cache, &places, 4));
    }

    #[test]
    fn a_block_of_equal_bytes_takes_no_frame() {
        let cache = Cache::new(0).expect("memory");
        let places = Arc::new(Places::new(2).expect("memory"));
        cache.keep(&places, 0, &[0x5A; 100]);
        cache.keep(&places, 1, &block(1));
        assert_eq!(cache.word(&places, 0, 3), Some(0x5A5A_5A5A_5A5A_5A5A));
        assert_eq!(cache.word(&places, 1, 3), None, "no room");
    }

    #[test]
    fn pinned_blocks_stay() {
        let cache = Cache::new(FRAME_BYTES).expect("memory");
        let places = Arc::new(Places::new(4).expect("memory"));
        cache.keep(&places, 0, &block(0));
        places.make_room().expect("memory");
        for number in [2, 0] {
            assert!(!places.is_pinned(number));
            places.pin(number, &block(number));
        }
        places.pin(1, &[9; LEN]);
        assert_eq!(places.pinned_bytes(), 2 * FRAME_BYTES);
        // Block 0, which had the only frame of the cache, is pinned now, so this frame is free.
        for number in [3, 3] {
            cache.keep(&places, number, &block(number));
            assert!([0, 2, 3].iter().all(|&number| is_there(&cache, &places, number)));
            assert_eq!(cache.word(&places, 1, 7), Some(0x0909_0909_0909_0909));
        }
    }

    /// Threads read and decode more blocks than the cache holds. A read returns a word of the
    /// requested block, or nothing.
    #[test]
    fn no_thread_reads_another_blocks_word() {
        const BLOCKS: usize = 3;
        let cache = Cache::new(FRAME_BYTES).expect("memory");
        let places = Arc::new(Places::new(BLOCKS as u64).expect("memory"));
        let blocks: Vec<_> = (0..BLOCKS).map(block).collect();
        let is_over = AtomicBool::new(false);
        let found = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for i in (0..).take_while(|_| !is_over.load(Relaxed)) {
                        let [number, word] = [i % BLOCKS, i % 5];
                        if let Some(value) = cache.word(&places, number, word) {
                            assert_eq!(value, expected(number, word));
                            found.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
            // On a busy machine, readers may start late.
            let is_enough = |round: usize| round >= 200_000 && found.load(Relaxed) > 10_000;
            for round in (0..).take_while(|&round| !is_enough(round)) {
                let number = round % BLOCKS;
                let _decoding = places.decoding(number);
                if cache.word(&places, number, 0).is_none() {
                    cache.keep(&places, number, &blocks[number]);
                }
            }
            is_over.store(true, Relaxed);
        });
        assert!(found.into_inner() > 10_000);
    }
}
