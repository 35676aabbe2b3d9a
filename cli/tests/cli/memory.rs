//! Commands with too little memory.

use crate::{Outcome, Place, outcome};
use std::process::Command;

/// Runs `damka` with an address space of `kib` KiB; after a minute it is killed, with code 124.
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

/// Regression: a lack of memory caused a panic, whose backtrace needed memory and never ended.
#[test]
fn memory_that_cannot_be_had_is_an_error_with_the_amount() {
    let place = Place::with("russian 3");
    for words in ["probe russian W:WKa1,Kc1:BKh8", "search russian W:WKa1,Kc1:BKh8 --depth 2"] {
        // The program is loaded into 30 MiB; the first limit leaves it about two.
        for kib in [33_000, 60_000, 90_000, 150_000] {
            let outcome = damka_within(&place, kib, words);
            // Code 2: too much memory was requested; 1: it was missing later.
            if let Some(code) = outcome.code.filter(|&code| code != 0) {
                assert!(code == 1 || code == 2, "{outcome:?}");
                let message = outcome.failure(code);
                assert!(message.contains("MiB of memory"), "{kib} KiB, {words}: {message}");
            }
        }
    }
    // The cache alone takes 64 MiB, in whole frames.
    let message = damka_within(&place, 60_000, "probe russian W:WKa1,Kc1:BKh8").failure(1);
    assert!(message.contains("no memory for decoded blocks: cannot allocate 63 MiB"), "{message}");
}

/// Without a move, the client would lose the game.
#[test]
fn a_uci_client_gets_a_legal_move_whatever_memory_there_is() {
    let place = Place::new();
    let script = "position startpos moves e2e4\ngo depth 2\nquit\n";
    let path = place.home().join("script");
    std::fs::write(&path, script).expect("a script");
    for kib in [75_000, 80_000, 100_000] {
        let damka = place.command();
        let mut shell = Command::new("sh");
        let limited = "ulimit -v $0; exec timeout 60 \"$1\" engine chess < \"$2\"";
        shell.args(["-c", limited, &kib.to_string()]).arg(damka.get_program()).arg(&path);
        shell.env("DAMKA_TABLES", place.tables());
        let outcome = outcome(&mut shell);
        if outcome.code != Some(0) {
            // The default transposition table does not fit, and is refused at once.
            assert!(outcome.stderr.contains("MiB of memory requested"), "{kib} KiB: {outcome:?}");
            continue;
        }
        let best = outcome.stdout.lines().find_map(|line| line.strip_prefix("bestmove "));
        let best = best.unwrap_or_else(|| panic!("{kib} KiB: {outcome:?}"));
        assert_ne!(best.split(' ').next(), Some("0000"), "{kib} KiB: {outcome:?}");
    }
}
