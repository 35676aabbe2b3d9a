//! `damka verify`: checksums, and every value against its successors.

use crate::Place;
use damka_games::{Draughts, Position, Russian};
use damka_probe::{Table, table_path};
use damka_tables::format::{BlockEncoder, TableWriter};
use damka_tables::metric::{Metric, PackedValues};
use damka_tables::{Index, Indexable, Side, Signature, Value};
use std::fs::{self, File};

#[test]
fn sound_tables_pass() {
    for (game, tables) in [("russian 3", 18), ("english 3", 18), ("alapo 2", 42)] {
        let place = Place::with(game);
        let game = game.split(' ').next().unwrap_or_default();
        let text = place.damka(&format!("verify {game}")).success();
        assert!(text.starts_with(&format!("{tables} tables, ")), "{text}");
        assert!(text.ends_with("every value follows from its successors\n"), "{text}");
    }
}

#[test]
fn one_metric_alone_can_be_verified() {
    for metric in ["wdl", "dtw"] {
        let place = Place::with(&format!("russian 3 --metric {metric}"));
        let text = place.damka("verify russian").success();
        assert!(text.starts_with("9 tables, "), "{text}");
    }
}

#[test]
fn only_what_is_named_is_verified() {
    let place = Place::with("russian 3");
    place.flip_last_byte("russian/KMvM.dtw");
    // The two tables, one for each metric, have one placement of every four symmetric ones.
    let text = place.damka("verify russian KvK").success();
    assert!(text.starts_with("2 tables, 262 positions"), "{text}");
    place.damka("verify russian KMvM").failure(4);
}

#[test]
fn one_damaged_table_does_not_hide_another() {
    let place = Place::with("russian 3");
    for name in ["KKvK.wdl", "KMvM.dtw"] {
        place.flip_last_byte(&format!("russian/{name}"));
    }
    // On a slow machine there would also be progress lines.
    let outcome = place.damka("verify russian --progress none");
    for name in ["KKvK.wdl", "KMvM.dtw"] {
        assert!(outcome.stdout.contains(name), "{name}: {outcome:?}");
    }
    outcome.failure(4);
}

#[test]
fn a_table_cannot_be_verified_without_those_it_leads_to() {
    let place = Place::with("russian KKvK");
    for metric in ["wdl", "dtw"] {
        fs::remove_file(place.table(&format!("russian/KvK.{metric}"))).expect("a table");
    }
    let outcome = place.damka("verify russian");
    assert!(outcome.stdout.contains("KvK.dtw is missing"), "{outcome:?}");
    outcome.failure(3);
}

#[test]
fn wrong_values_under_sound_checksums_are_found() {
    for metric in Metric::ALL {
        let name = metric.name();
        let place = Place::with(&format!("russian KMvK --metric {name}"));
        let fen = forge(&place, "KMvK", metric, 1);
        // A sample of more positions than there are has all of them.
        for words in ["", "--sample 1000000", "--sample 1000000 --threads 1"] {
            let outcome = place.damka(&format!("verify russian --progress none {words}"));
            let is_reported = outcome.stdout.lines().any(|line| {
                line.starts_with(&format!("KMvK.{name}: ")) && line.contains(&format!("`{fen}`"))
            });
            assert!(is_reported, "{words}: {fen}: {outcome:?}");
            assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(5), ""), "{outcome:?}");
        }
    }
}

/// Regression: a wrong WDL table beside a correct DTW table was called damaged.
#[test]
fn tables_of_two_metrics_that_disagree_are_wrong_not_damaged() {
    for metric in Metric::ALL {
        let place = Place::with("russian KKvK");
        forge(&place, "KKvK", metric, 1);
        for words in ["", "--sample 1000000"] {
            let outcome = place.damka(&format!("verify russian --progress none {words}"));
            assert!(outcome.stdout.contains("KKvK.wdl: 1 wrong values"), "{outcome:?}");
            assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(5), ""), "{outcome:?}");
        }
    }
}

#[test]
fn a_sample_has_the_requested_size_and_prints_its_seed() {
    for metric in ["wdl", "dtw", "wdl,dtw"] {
        let place = Place::with(&format!("russian 3 --metric {metric}"));
        let tables = if metric == "wdl,dtw" { 18 } else { 9 };
        let text = place.damka("verify russian --sample 10000 --seed 42").success();
        let expected = "10,000 positions sampled with seed 42: every one follows";
        assert_eq!(text, format!("{tables} tables, {expected} from its successors\n"));
    }
}

#[test]
fn a_sample_of_more_positions_than_there_are_has_each_once() {
    let place = Place::with("russian KMvK --metric wdl");
    let text = place.damka("verify russian KMvK --sample 1000000").success();
    let signature = Signature::parse(Russian, "KMvK").expect("a signature");
    let numbers = [Side::First, Side::Second].map(|side| {
        let [mover, opponent] = signature.to_move(side);
        Index::new(Russian, mover, opponent).len()
    });
    let plain: String = text.chars().filter(|&c| c != ',').collect();
    let expected = format!("1 table {} positions sampled", numbers.iter().sum::<u64>());
    assert!(plain.starts_with(&expected), "{text}");
}

/// The list of the digests of a place.
fn list_of(place: &Place, games: &str) -> String {
    place.damka(&format!("tables {games} --digests")).success()
}

fn verified_by(place: &Place, list: &str, words: &str) -> crate::Outcome {
    let path = place.home().join("digests");
    fs::write(&path, list).expect("a list");
    let mut command = place.command();
    command.args(["verify", "russian", "--digests"]).arg(path).args(words.split_whitespace());
    crate::outcome(&mut command)
}

#[test]
fn tables_are_compared_with_a_list_of_digests() {
    let place = Place::with("russian 3");
    place.generate("english 2");
    // The list may have several games, and come from another directory.
    let list = list_of(&Place::with("russian 3"), "russian");
    let list = format!("# published\n{}{list}", list_of(&place, "english"));
    let expected = "18 tables, 176,602 positions: every digest is that of the list\n";
    assert_eq!(verified_by(&place, &list, "").success(), expected);
    assert_eq!(verified_by(&place, &list, "--threads 1 --access read").success(), expected);
    let some = verified_by(&place, &list, "2 kvkk").success();
    assert!(some.starts_with("8 tables, "), "{some}");
    let outcome = verified_by(&place, "KvK wdl 00", "").failure(2);
    assert!(outcome.contains("digests: line 1: `KvK wdl 00`"), "{outcome}");
    let message = place.damka("verify russian --digests no.such.file").failure(2);
    assert!(message.contains("no.such.file: "), "{message}");
}

/// No value changes: tables built now have the published digests.
#[test]
fn published_digests_are_those_of_what_is_built() {
    let sets = [
        ("russian", 4, 46),
        ("english", 3, 18),
        ("brazilian", 3, 18),
        ("pool", 3, 18),
        ("alapo", 2, 42),
        ("chess", 3, 12),
    ];
    let lists = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables/results/digests");
    for (game, pieces, tables) in sets {
        let place = match game {
            "russian" => Place::holding(crate::russian_4()),
            _ => Place::with(&format!("{game} {pieces}")),
        };
        let words = format!("verify {game} {pieces} --digests {lists}/{game}.txt");
        let text = place.damka(&words).success();
        assert!(text.starts_with(&format!("{tables} tables, ")), "{words}: {text}");
    }
}

/// The list decides, not the header of a table.
#[test]
fn tables_that_are_not_those_of_the_list_are_reported() {
    let list = list_of(&Place::with("russian 3"), "russian");
    let place = Place::with("russian KMvK");
    forge(&place, "KMvK", Metric::Wdl, 1);
    place.flip_last_byte("russian/KKvK.dtw");
    let wanted = list.lines().filter(|line| !line.contains("KvM wdl"));
    let wanted: String = wanted.map(|line| format!("{line}\n")).collect();
    let outcome = verified_by(&place, &wanted, "");
    for message in [
        "KMvK.wdl: the list has another digest\n",
        "KvM.wdl: it is not in the list\n",
        "KKvK.dtw cannot be used",
        "MvM.wdl is missing",
    ] {
        assert!(outcome.stdout.contains(message), "{message}: {outcome:?}");
    }
    assert_eq!(outcome.code, Some(5), "{outcome:?}");
    // The worst finding decides the exit code.
    verified_by(&place, &wanted, "KKvK").failure(4);
    assert_eq!(verified_by(&place, &wanted, "MvM").code, Some(3));
    let outcome = verified_by(&place, &wanted, "KvM");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), ""), "{outcome:?}");
    assert!(outcome.stdout.ends_with("1 table, 1,736 positions: these agree with the list\n"));
}

/// A header with the digest of the right values does not hide wrong values.
#[test]
fn the_values_must_have_the_digest_of_the_header() {
    let place = Place::with("russian KKvK");
    let list = list_of(&place, "russian");
    let name = "russian/KKvK.wdl";
    let sound = fs::read(place.table(name)).expect("a table");
    forge(&place, "KKvK", Metric::Wdl, 1);
    place.edit(name, |bytes| {
        // The digest and the checksum are at their places in FORMAT.md.
        bytes[112..144].copy_from_slice(&sound[112..144]);
        let crc = crc32fast::hash(&bytes[..508]);
        bytes[508..512].copy_from_slice(&crc.to_le_bytes());
    });
    let outcome = verified_by(&place, &list, "");
    let expected = "KKvK.wdl: the digest is not that of the values\n";
    assert_eq!((outcome.stdout.as_str(), outcome.code), (expected, Some(5)), "{outcome:?}");
}

/// A histogram that fits the counts of the header, but not the values.
#[test]
fn the_histogram_must_be_that_of_the_values() {
    let place = Place::with("russian KKvK");
    place.edit("russian/KKvK.dtw", |bytes| {
        // As in FORMAT.md, the numbers of codes are before the checksum at the end.
        let end = bytes.len() - 8;
        let codes = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let counts = end - 8 * (codes(end) + codes(end + 2));
        let [win_in_1, win_in_3] = [2, 4].map(|code| counts + 8 * code);
        assert_ne!(bytes[win_in_1..][..8], bytes[win_in_3..][..8]);
        for at in 0..8 {
            bytes.swap(win_in_1 + at, win_in_3 + at);
        }
        let mut crc = crc32fast::Hasher::new_with_initial(crc32fast::hash(&bytes[..96]));
        crc.update(&bytes[counts..end + 4]);
        bytes[end + 4..].copy_from_slice(&crc.finalize().to_le_bytes());
    });
    let outcome = place.damka("verify russian KKvK");
    let expected = "KKvK.dtw: the histogram is not that of the values\n";
    assert_eq!((outcome.stdout.as_str(), outcome.code), (expected, Some(5)), "{outcome:?}");
}

#[test]
fn the_seed_decides_what_is_checked() {
    let place = Place::with("russian KKvK");
    forge(&place, "KKvK", Metric::Dtw, usize::MAX);
    let sampled = |seed: &str| {
        let outcome = place.damka(&format!("verify russian KKvK --sample 2000 {seed}"));
        assert_eq!(outcome.code, Some(5), "{outcome:?}");
        outcome.stdout
    };
    // The wrong values found show which positions were checked.
    let output = sampled("--seed 42");
    assert_eq!(sampled("--seed 42 --threads 1"), output);
    assert_ne!(sampled("--seed 43").replace("seed 43", "seed 42"), output);
    // A random seed is printed.
    let output = sampled("");
    let seed = output.split_once("sampled with seed ").and_then(|(_, rest)| rest.split_once(':'));
    let (seed, _) = seed.expect("a seed");
    assert_eq!(sampled(&format!("--seed {seed}")), output);
}

#[test]
fn a_sample_finds_damage_and_missing_tables() {
    let place = Place::with("russian KKvK");
    place.edit("russian/KvK.dtw", |bytes| bytes[540] ^= 1);
    let outcome = place.damka("verify russian KKvK --sample 1000000 --seed 42");
    assert!(outcome.stdout.contains("KvK.dtw cannot be used"), "{outcome:?}");
    assert!(outcome.stdout.contains("seed 42: errors found"), "{outcome:?}");
    outcome.failure(4);
    fs::remove_file(place.table("russian/KvK.dtw")).expect("a table");
    let outcome = place.damka("verify russian KKvK --sample 1000000");
    assert!(outcome.stdout.contains("KvK.dtw is missing"), "{outcome:?}");
    outcome.failure(3);
}

#[test]
fn a_sample_that_makes_no_sense_is_refused() {
    let place = Place::with("russian KvK");
    for words in ["--sample 0", "--sample many", "--sample -5", "--sample 10 --seed x", "--seed 42"]
    {
        place.damka(&format!("verify russian {words}")).failure(2);
    }
}

#[test]
fn a_program_can_follow_the_verification() {
    let place = Place::with("russian 3");
    let outcome = place.damka("verify russian --progress json --threads 2");
    for line in outcome.stderr.lines() {
        let event: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(event["event"].is_string(), "{line}");
    }
    outcome.success();
}

/// Rewrites a table with up to `most` draws changed into wins and correct checksums. Returns the
/// first position with a wrong value.
fn forge(place: &Place, signature: &str, metric: Metric, most: usize) -> String {
    let signature = Signature::parse(Russian, signature).expect("a signature");
    let table = Table::open(&place.tables(), signature, metric).expect("a table");
    let (mut parts, mut summaries, mut histograms) = (Vec::new(), Vec::new(), Vec::new());
    let mut forged = Vec::new();
    for &side in signature.sides() {
        let index = table.side_index(side);
        let mut values = Vec::new();
        table.read_values(side, |block| values.extend_from_slice(block)).expect("values");
        for (number, value) in values.iter_mut().enumerate() {
            let position = index.position(number as u64);
            if !Draughts::is_stored(&position) {
                *value = Value::DONT_CARE;
            } else if *value == Value::DRAW && forged.len() < most {
                *value = Value::decided(1);
                forged.push(position.fen());
            }
        }
        parts.push(values);
        summaries.push(*table.header().summary(side));
        histograms.extend(table.histogram(side).expect("a sound table"));
    }

    let packing = table.header().packing();
    let positions = parts.iter().map(|values| values.len() as u64).collect();
    let path = table_path(&place.tables(), &signature, metric);
    drop(table);
    let file = File::create(path).expect("a file");
    let mut writer =
        TableWriter::new(file, &signature, metric, packing, positions).expect("a writer");
    let mut encoder = BlockEncoder::new(packing).expect("an encoder");
    let block_positions = writer.block_positions();
    for block in parts.iter().flat_map(|values| values.chunks(block_positions)) {
        let block = PackedValues::pack(packing, block);
        writer.digest(&block);
        writer.append(&encoder.encode(&block).expect("a block")).expect("a block is written");
    }
    writer.finish(summaries, &histograms).expect("a table");
    forged.into_iter().next().expect("a draw")
}
