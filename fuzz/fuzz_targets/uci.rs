#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    damka_fuzz::protocols::uci(bytes);
});
