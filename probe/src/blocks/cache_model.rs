//! Checks the cache with loom, which tries every order of the threads' steps and every value that
//! the memory model allows.
//!
//! ```text
//! RUSTFLAGS='--cfg loom' cargo test -p damka-probe --lib --target-dir target/loom cache_model
//! ```
//!
//! There is a single frame of two words, so every stored block evicts another.

use super::cache::{Cache, Places};
use super::frames::{FRAME_BYTES, FRAME_WORDS};
use super::sync::Arc;
use loom::model::Builder;
use loom::thread;

/// A block whose words identify the block.
fn block(number: usize) -> Vec<u8> {
    (0..FRAME_WORDS).flat_map(|word| expected(number, word).to_le_bytes()).collect()
}

fn expected(number: usize, word: usize) -> u64 {
    (number as u64 + 1) << 32 | word as u64
}

/// Whether a word of a block is decoded. Checks that the word belongs to the block.
fn look(cache: &Cache, places: &Places, number: usize, word: usize) -> bool {
    let found = cache.word(places, number, word);
    assert!(found.is_none_or(|found| found == expected(number, word)), "another block's word");
    found.is_some()
}

/// Stores a block like a thread that has decoded it.
fn decode(cache: &Cache, places: &Arc<Places>, number: usize) {
    if let Some(_decoding) = places.try_decoding(number)
        && !look(cache, places, number, 0)
    {
        cache.keep(places, number, &block(number));
    }
}

/// Runs threads on a cache and the places of three blocks.
fn model(
    preemptions: Option<usize>,
    check: impl Fn(Arc<Cache>, Arc<Places>) + Send + Sync + 'static,
) {
    let mut builder = Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(move || {
        let cache = Arc::new(Cache::new(FRAME_BYTES).expect("memory"));
        let places = Arc::new(Places::new(3).expect("memory"));
        decode(&cache, &places, 0);
        assert!(look(&cache, &places, 0, 1));
        check(cache, places);
    });
}

#[test]
fn a_reader_sees_no_word_of_the_block_that_takes_the_frame() {
    model(None, |cache, places| {
        let reader = {
            let (cache, places) = (Arc::clone(&cache), Arc::clone(&places));
            thread::spawn(move || {
                look(&cache, &places, 0, 0);
                look(&cache, &places, 1, 1);
            })
        };
        decode(&cache, &places, 1);
        // Not always decoded: block 0 stays if the reader marks it before each visit of the hand.
        look(&cache, &places, 1, 0);
        reader.join().expect("no wrong word");
    });
}

#[test]
fn two_that_decode_and_one_that_reads_do_not_mix_blocks() {
    model(Some(2), |cache, places| {
        let threads: Vec<_> = [1, 2]
            .into_iter()
            .map(|number| {
                let (cache, places) = (Arc::clone(&cache), Arc::clone(&places));
                thread::spawn(move || {
                    decode(&cache, &places, number);
                    look(&cache, &places, 3 - number, 1);
                })
            })
            .collect();
        look(&cache, &places, 1, 0);
        threads.into_iter().for_each(|thread| thread.join().expect("no wrong word"));
        // There is only one frame.
        let there = [0, 1, 2].into_iter().filter(|&number| look(&cache, &places, number, 0));
        assert!(there.count() <= 1);
    });
}

#[test]
fn a_block_that_is_pinned_while_its_frame_is_taken_stays() {
    model(None, |cache, places| {
        places.make_room().expect("memory");
        let pinning = {
            let places = Arc::clone(&places);
            thread::spawn(move || {
                let _decoding = places.decoding(0);
                assert!(!places.is_pinned(0));
                places.pin(0, &block(0));
            })
        };
        decode(&cache, &places, 1);
        look(&cache, &places, 0, 1);
        pinning.join().expect("pinned");
        assert!(places.is_pinned(0) && look(&cache, &places, 0, 0));
    });
}
