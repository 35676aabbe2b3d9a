//! damka's readers must not crash on any input: typed or pasted positions, moves and games,
//! downloaded books, weights and tables, messages of other programs.
//!
//! This runs the code of the fuzz targets (`fuzz/README.md`) on their seeds and on random changes
//! of them, the same in every run, so that failures are reproducible.

use crate::fuzz;
use damka_games::Random;
use damka_tables::format::TableReader;
use damka_tests::below;
use std::fs;
use std::path::Path;

/// A body of a fuzz target.
type Body = fn(&[u8]) -> bool;

/// The seeds of a target, in order of their names.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let files = fs::read_dir(&directory).expect("the seeds");
    let mut paths: Vec<_> = files.map(|file| file.expect("a seed").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a seed")).collect()
}

/// Changes a few bytes, or moves, repeats or drops a stretch of bytes, or inserts one from another
/// seed.
fn mutate(seed: &[u8], seeds: &[Vec<u8>], letters: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + below(random, 4) {
        let stretch = |of: &[u8], random: &mut Random| {
            let start = below(random, of.len() + 1);
            let longest = [3, of.len()][below(random, 2)].min(of.len() - start);
            start..start + below(random, longest + 1)
        };
        let at = stretch(&bytes, random);
        let new = match below(random, 6) {
            0 => Vec::new(),
            1 => [&bytes[at.clone()], &bytes[at.clone()]].concat(),
            2 => {
                let other = &seeds[below(random, seeds.len())];
                other[stretch(other, random)].to_vec()
            }
            3 => bytes[at.clone()].iter().map(|byte| byte ^ (1 << below(random, 8))).collect(),
            4 => bytes[at.clone()].iter().map(|_| [0, 1, 255][below(random, 3)]).collect(),
            _ => vec![letters[below(random, letters.len())]],
        };
        // Mostly the following bytes stay at their places.
        let end = match below(random, 4) {
            0 => at.end,
            _ => (at.start + new.len()).min(bytes.len()),
        };
        bytes.splice(at.start..end, new);
    }
    bytes
}

/// Runs a target on its seeds and on `count` changes of them; returns the number of changes that
/// were accepted.
fn run(target: &str, body: Body, letters: &[u8], count: usize) -> usize {
    let seeds = seeds(target);
    let understood = seeds.iter().filter(|seed| body(seed)).count();
    assert!((2..seeds.len()).contains(&understood), "{understood} good seeds, and some bad ones");
    let mut random = Random::new(7);
    let mutants = (0..count).map(|i| mutate(&seeds[i % seeds.len()], &seeds, letters, &mut random));
    mutants.filter(|mutant| body(mutant)).count()
}

#[test]
fn any_text_is_a_position_or_an_error() {
    let letters = b"WBKwbQRFNPkqnp:,.-/ 0123456789abcdefgh+HF?&=;\n\xFF\xD0\xB0";
    let understood = run("fen", fuzz::fen, letters, 60_000);
    assert!((2_000..20_000).contains(&understood), "{understood}");
}

#[test]
fn any_text_is_a_move_or_an_error() {
    let letters = b"abcdefgh0123456789-x:X KWBNQRO=+#\n\xFF\xD0\xB0";
    let understood = run("moves", fuzz::moves, letters, 60_000);
    assert!((1_000..20_000).contains(&understood), "{understood}");
}

#[test]
fn any_text_is_games_or_errors() {
    let letters = b"abcdefgh0123456789-x:.*{}()[]$;%\" \n\xFF\xD0\xB0";
    let understood = run("games", fuzz::games, letters, 20_000);
    assert!((2_000..18_000).contains(&understood), "{understood}");
}

#[test]
fn any_bytes_are_a_book_or_an_error() {
    let letters: Vec<u8> = (0..=255).collect();
    let understood = run("book", fuzz::book, &letters, 40_000);
    assert!((1_000..30_000).contains(&understood), "{understood}");
}

#[test]
fn any_bytes_are_weights_or_an_error() {
    let letters: Vec<u8> = (0..=255).collect();
    let understood = run("weights", fuzz::weights, &letters, 10_000);
    assert!((100..8_000).contains(&understood), "{understood}");
}

#[test]
fn any_text_is_a_signature_or_an_error() {
    let letters = b"KMQRBWFvkm \x1b\xFF\xD0\xB0";
    let understood = run("signature", fuzz::signature, letters, 40_000);
    assert!((2_000..30_000).contains(&understood), "{understood}");
}

#[test]
fn any_client_of_hub_is_answered() {
    let letters = b"abcdefgh0123456789-x= \"\n\x1b\xFF";
    let understood = run("hub", fuzz::protocols::hub, letters, 2_000);
    assert!((100..1_900).contains(&understood), "{understood}");
}

#[test]
fn any_client_of_uci_is_answered() {
    let letters = b"abcdefghi0123456789- \n\x1b\xFF";
    let understood = run("uci", fuzz::protocols::uci, letters, 2_000);
    assert!((100..1_900).contains(&understood), "{understood}");
}

#[test]
fn any_client_of_dxp_is_answered() {
    let letters = b"RAMECBKWZ0123456789wze \0\x1b\xFF";
    let understood = run("dxp", fuzz::protocols::dxp, letters, 2_000);
    assert!((20..1_500).contains(&understood), "{understood}");
}

#[test]
fn any_bytes_are_a_table_or_an_error() {
    let letters: Vec<u8> = (0..=255).collect();
    let understood = run("table", fuzz::table, &letters, 40_000);
    assert!((100..15_000).contains(&understood), "{understood}");
}

#[test]
fn the_seeds_are_tables_of_this_format() {
    let sound = |seed: &Vec<u8>| TableReader::open(seed).and_then(|table| table.check()).is_ok();
    let count = seeds("table").iter().filter(|seed| sound(seed)).count();
    assert!(count >= 3, "{count}: after a change of format, make new seeds (fuzz/README.md)");
}
