//! With less memory than is wanted.

use crate::{Outcome, Place, outcome};
use std::process::Command;

/// Runs `damka` with so much address space, in KiB; what does not end is killed, with code 124.
fn damka_within(place: &Place, kib: u32, words: &str) -> Outcome {
    let damka = place.command();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v $0; exec timeout 60 \"$@\"", &kib.to_string()]);
    command.arg(damka.get_program()).args(words.split_whitespace());
    for (name, value) in damka.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    outcome(command.env("RUST_BACKTRACE", "1"))
}

/// Where a panic told of missing memory, its backtrace needed more, and had to wait for it for
/// ever.
#[test]
fn memory_that_cannot_be_had_is_an_error_with_the_amount() {
    let place = Place::with("russian 3");
    for words in ["probe russian W:WKa1,Kc1:BKh8", "search russian W:WKa1,Kc1:BKh8 --depth 2"] {
        for kib in [30_000, 60_000, 90_000, 150_000] {
            let outcome = damka_within(&place, kib, words);
            // What is wanted in advance is refused, what turns out to be missing fails.
            if let Some(code) = outcome.code.filter(|&code| code != 0) {
                assert!(code == 1 || code == 2, "{outcome:?}");
                let message = outcome.failure(code);
                assert!(message.contains("MiB of memory"), "{kib} KiB, {words}: {message}");
            }
        }
    }
    // The cache alone takes 64 MiB, of which blocks and summaries fill whole frames.
    let message = damka_within(&place, 60_000, "probe russian W:WKa1,Kc1:BKh8").failure(1);
    assert!(message.contains("no memory for decoded blocks: 63 MiB"), "{message}");
}
