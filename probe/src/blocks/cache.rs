use super::frames::{Common, FRAME_BYTES, Frames};
use super::sync::{Arc, AtomicU64, AtomicUsize, Mutex, MutexGuard, fence};
use damka_system::NoMemory;
use std::iter::repeat_with;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{OnceLock, PoisonError, TryLockError};

/// Decoded blocks of many tables in a fixed number of frames, shared by threads.
///
/// Reading takes no lock and writes nothing, but for a mark once in a while: the place
/// of a block tells its frame; if the place is still the same when the word has been
/// read, the word is the block's (a sequence lock). When all frames are taken, a block
/// that was not read since it was last considered gives way (second chance).
#[derive(Debug)]
pub(crate) struct Cache {
    frames: Frames,
    tenancies: Tenancies,
    /// Counts the frames considered.
    hand: AtomicUsize,
}

/// Whose blocks are in the frames, in chunks that are made when the hand first comes to them.
#[derive(Debug)]
struct Tenancies {
    chunks: Box<[OnceLock<Chunk>]>,
    /// How many there are.
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

/// Whose block is in a frame.
#[derive(Debug, Default)]
struct Tenancy {
    tenant: Option<(Arc<Places>, usize, Common)>,
    /// How many blocks it has had.
    tenants: u64,
}

/// Where the decoded blocks of a table are: one [place](mod@place) for each block.
#[derive(Debug)]
pub(crate) struct Places {
    places: Box<[AtomicU64]>,
    /// Held while a block is decoded and kept, so that no two threads keep the same one: the
    /// lock of its number's remainder.
    decoding: [Mutex<()>; 16],
    /// Frames of the table's own, for blocks that stay, and how many are taken.
    pinned: OnceLock<Frames>,
    taken: AtomicUsize,
}

/// The place of a block in one word, so that it changes at once.
mod place {
    use super::super::frames::Common;

    /// Not decoded.
    pub(super) const NONE: u64 = 0;
    /// Read since it was last considered for giving way.
    pub(super) const RECENT: u64 = 1;
    const KIND: u64 = 0b110;
    const FRAME: u64 = 0b010;
    const PINNED: u64 = 0b100;
    const SHIFT: u32 = 3;
    const FRAME_BITS: u32 = 24;
    /// The most frames: 256 GiB.
    pub(super) const FRAMES: usize = 1 << FRAME_BITS;

    /// In this frame of the table's own, with this common byte.
    pub(super) fn pinned(frame: usize, common: Common) -> u64 {
        ((frame as u64) << Common::BITS | common.code()) << SHIFT | PINNED | RECENT
    }

    /// All bytes of the block are this one. Like what is in a frame of the cache, any of
    /// them, but for good.
    pub(super) fn constant(byte: u8) -> u64 {
        Common::all(byte).code() << SHIFT | FRAME | RECENT
    }

    /// In this frame of the cache, for now, with this common byte; the frame has had so many
    /// blocks: 2^27, each taking microseconds, before a place is ever the same again.
    pub(super) fn frame(frame: usize, common: Common, tenants: u64) -> u64 {
        let frame = tenants << FRAME_BITS | frame as u64;
        (frame << Common::BITS | common.code()) << SHIFT | FRAME
    }

    /// Whether a block that is decoded is in a frame of the table's own.
    #[inline]
    pub(super) fn is_pinned(place: u64) -> bool {
        place & KIND == PINNED
    }

    /// The frame and the common byte of a block that is decoded.
    #[inline]
    pub(super) fn of(place: u64) -> (usize, Common) {
        let value = place >> SHIFT;
        ((value >> Common::BITS) as usize & (FRAMES - 1), Common::from_code(value))
    }
}

impl Places {
    /// The places of this many blocks, none of them decoded.
    ///
    /// # Errors
    /// There is not that much memory.
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

    /// Room for all blocks in frames of the table's own, which the system gives as they
    /// are filled.
    ///
    /// # Errors
    /// There is not that much memory.
    pub(crate) fn make_room(&self) -> Result<(), NoMemory> {
        if self.pinned.get().is_none() {
            // Another thread may have done the same.
            let _ = self.pinned.set(Frames::new(self.places.len())?);
        }
        Ok(())
    }

    /// Whether a block stays.
    pub(crate) fn is_pinned(&self, block: usize) -> bool {
        let place = self.places[block].load(Relaxed);
        place::is_pinned(place) || place::of(place).1.is_all()
    }

    /// Keeps a decoded block for good. The caller holds its
    /// [`decoding`](Places::decoding), has seen that it is not pinned, and has made
    /// room.
    pub(crate) fn pin(&self, block: usize, bytes: &[u8]) {
        let place = match constant(bytes) {
            Some(byte) => place::constant(byte),
            None => {
                let frame = self.taken.fetch_add(1, Relaxed);
                let common = self.pinned.get().expect("room").store(frame, bytes);
                place::pinned(frame, common)
            }
        };
        // An exchange, though a store would do: loom does not know that no store comes between
        // what `vacate` compares and what it puts there.
        self.places[block].swap(place, Release);
    }

    /// The memory that pinned blocks take, in bytes.
    pub(crate) fn pinned_bytes(&self) -> u64 {
        self.taken.load(Relaxed) as u64 * FRAME_BYTES
    }

    /// Waits until no other thread decodes this block.
    pub(crate) fn decoding(&self, block: usize) -> MutexGuard<'_, ()> {
        self.decoding_lock(block).lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` if another thread decodes this block or one that shares its lock. To decode it
    /// as well takes no longer than to wait; and a thread that sleeps may, when it is woken,
    /// take the processor of the one that wakes it, for milliseconds.
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
    /// A cache of up to `bytes` bytes, which are taken as blocks come.
    ///
    /// # Errors
    /// There is not that much address space.
    pub(crate) fn new(bytes: u64) -> Result<Cache, NoMemory> {
        let frames = (bytes / FRAME_BYTES).min(place::FRAMES as u64) as usize;
        Ok(Cache {
            frames: Frames::new(frames)?,
            tenancies: Tenancies::new(frames),
            hand: AtomicUsize::new(0),
        })
    }

    /// Has the system give the memory that so many blocks will take now, if there is so much
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
        // If the word is of a later block, then the place is seen to have changed.
        fence(Acquire);
        if (place.load(Relaxed) ^ seen) & !place::RECENT != 0 {
            return None;
        }
        if seen & place::RECENT == 0 {
            // Nothing is lost if the place changes meanwhile.
            let _ = place.compare_exchange(seen, seen | place::RECENT, Relaxed, Relaxed);
        }
        Some(value)
    }

    /// Keeps a decoded block. The caller holds its [`decoding`](Places::decoding) and
    /// has seen that it is not there.
    pub(crate) fn keep(&self, places: &Arc<Places>, block: usize, bytes: &[u8]) {
        let place = &places.places[block];
        if let Some(byte) = constant(bytes) {
            place.store(place::constant(byte), Release);
            return;
        }
        // There is none only while other threads fill them all, or read what is in them all.
        let Some((number, mut tenancy)) = self.vacate() else { return };
        // Whoever reads a word stored from here on sees that the place of the block
        // that was here has changed.
        fence(Release);
        let common = self.frames.store(number, bytes);
        tenancy.tenants += 1;
        place.store(place::frame(number, common, tenancy.tenants), Release);
        tenancy.tenant = Some((Arc::clone(places), block, common));
    }

    /// Takes a frame from the block it holds, if any.
    fn vacate(&self) -> Option<(usize, MutexGuard<'_, Tenancy>)> {
        // Once around no block may have been idle; then it is the second chance of all.
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
                // If the place tells something else, the block was pinned meanwhile.
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

/// The byte that all bytes of a block are, if they are all the same.
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

    /// A block half of whose words tell the block and the word; the others repeat a value.
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
    fn what_was_read_gets_a_second_chance() {
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
        // All were read: the first one considered gives way.
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
        // The frame of the block that was cached before is free, and nothing else is.
        for number in [3, 3] {
            cache.keep(&places, number, &block(number));
            assert!([0, 2, 3].iter().all(|&number| is_there(&cache, &places, number)));
            assert_eq!(cache.word(&places, 1, 7), Some(0x0909_0909_0909_0909));
        }
    }

    /// Threads read and decode more blocks than there is room for: a word is the block's,
    /// or there is none.
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
            // On a busy machine the readers may start late.
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
