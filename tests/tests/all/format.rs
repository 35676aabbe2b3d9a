//! Compares the file format with tables/FORMAT.md.

use crate::golden::golden;
use damka_games::{AnyGame, Draughts, Position, with_game};
use damka_probe::Table;
use damka_tables::format::TableReader;
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Signature};
use std::path::Path;

const FORMAT: &str = include_str!("../../../tables/FORMAT.md");

/// The bytes of the hexdump in FORMAT.md, `*` standing for lines of zeros.
fn documented_bytes() -> Vec<u8> {
    let dump = FORMAT.split("```hexdump\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let mut bytes = Vec::new();
    for line in dump.expect("a hexdump").lines().filter(|line| *line != "*") {
        let (offset, rest) = line.split_once(": ").expect("an offset");
        bytes.resize(usize::from_str_radix(offset, 16).expect("a hexadecimal offset"), 0);
        let hex = rest.split("  ").next().unwrap_or_default().split(' ');
        bytes.extend(hex.map(|byte| u8::from_str_radix(byte, 16).expect("a byte")));
    }
    bytes
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[test]
fn the_documented_example_is_what_the_text_says() {
    let bytes = documented_bytes();
    let field = |at: usize, len: usize| number(&bytes[at..at + len]);
    assert_eq!(bytes[..8], [0x89, 0x44, 0x4D, 0x4B, 0x0D, 0x0A, 0x1A, 0x0A]);
    assert_eq!((field(8, 2), field(10, 2), field(12, 4)), (1, 0, 512));
    assert_eq!(&bytes[16..23], b"russian");
    assert_eq!(bytes[36..40], [0, 0, 1, 1], "metric, packing, codec, parts");
    assert_eq!((field(40, 4), field(44, 4)), (16384, 64));
    assert_eq!(&bytes[48..51], b"KvK");
    assert_eq!(field(80, 8), 262);
    assert_eq!((field(96, 8), field(104, 8)), (0x214, bytes.len() as u64));
    assert_eq!((field(144, 8), field(152, 8), field(160, 8)), (194, 796, 2));
    assert_eq!((field(168, 2), field(178, 2)), (0xFFFF, 0xFFFF));
    assert!(bytes[232..508].iter().all(|&byte| byte == 0));
    assert_eq!(field(508, 4), u64::from(crc32(0, &bytes[..508])));
    // The directory has one group and one block.
    assert_eq!(field(512, 8), 0x214);
    assert_eq!((field(520, 4), field(524, 4)), (0, 33));
    let mut checked = number_bytes(0, 8);
    checked.extend(&bytes[512..528]);
    checked.extend(&bytes[532..]);
    assert_eq!(field(528, 4), u64::from(crc32(crc32(0, &bytes[..96]), &checked)));
}

fn number_bytes(number: u64, len: usize) -> Vec<u8> {
    number.to_le_bytes()[..len].to_vec()
}

/// CRC-32 (IEEE), bit by bit, from a previous value.
fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!crc, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    })
}

#[test]
fn the_documented_example_is_the_golden_table() {
    let bytes = documented_bytes();
    TableReader::open(bytes.clone()).expect("a table").check().expect("a sound table");
    assert_eq!(bytes, std::fs::read(golden().join("russian/KvK.wdl")).expect("a golden table"));
}

/// The rows of the table "Worked numbers": game, position, table, part and number.
fn worked_numbers() -> Vec<[&'static str; 5]> {
    let section = FORMAT.split("### Worked numbers\n").nth(1).expect("worked numbers");
    let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = |row: &'static str| {
        let cells = row.trim_matches('|').split('|').map(|cell| cell.trim_matches([' ', '`']));
        cells.collect::<Vec<_>>().try_into().expect("five cells")
    };
    rows.map(cells).collect()
}

/// The table, part and number of a position, in the page's form.
fn located<G: Indexable>(game: G, fen: &str) -> [String; 3] {
    let position = game.parse_fen(fen).expect("a position");
    assert!(G::is_stored(&position), "{fen} has no number that counts");
    let (signature, side) = Signature::<G>::of(&position);
    let [mover, opponent] = signature.to_move(side);
    let number = Index::new(game, mover, opponent).number(&position.with_white_to_move());
    [signature.to_string(), (side as u8).to_string(), number.to_string()]
}

#[test]
fn the_worked_numbers_are_those_of_the_index() {
    let rows = worked_numbers();
    for [game, fen, table, part, number] in &rows {
        let any: AnyGame = game.parse().expect("a game");
        let located = with_game!(any, game => located(game, fen));
        assert_eq!(located, [table, part, number].map(|cell| cell.to_string()), "{game} {fen}");
    }
    assert!(rows.len() >= 8);
}

/// The line of kings in the page's drawing is the one of the index.
#[test]
fn the_line_of_kings_is_as_drawn() {
    let drawing = FORMAT.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let ranks = drawing.expect("a drawing").lines().take(8);
    let places: Vec<u64> = ranks
        .flat_map(|rank| rank.split_whitespace().skip(1).filter_map(|place| place.parse().ok()))
        .collect();
    let line: Vec<u64> =
        (0..32).map(|square| u64::from(Draughts::line(1 << square).trailing_zeros())).collect();
    assert_eq!(places, line);
}

/// Every game is in FORMAT.md, in the reader that was written from it (which `.ci/programs` tests with
/// tables of every game), and in the page of the explorer.
#[test]
fn no_game_is_left_out_of_the_format_the_reader_and_the_page() {
    let page = [
        include_str!("../../../web/page/games.js"),
        include_str!("../../../web/page/i18n/en.js"),
        include_str!("../../../web/page/i18n/ru.js"),
    ];
    let reader = include_str!("../../reader/reader.py");
    let ci = include_str!("../../../.ci/programs");
    for game in AnyGame::all() {
        let name = game.name();
        assert!(FORMAT.contains(&format!("`{name}`")), "{name} is not in FORMAT.md");
        assert!(reader.contains(&format!("\"{name}\"")), "{name} is not in reader.py");
        let names = [format!("'{name}'"), format!("  {name}: '")];
        let is_in = |part: &str| names.iter().any(|name| part.contains(name.as_str()));
        assert!(page.into_iter().all(is_in), "{name} is not in the page");
        let is_built =
            |line: &str| line.split_whitespace().any(|word| word.trim_end_matches(';') == name);
        assert!(ci.lines().any(is_built), "{name} is not in .ci/programs");
    }
}

/// A table with other rules or another index version is refused, and gives no wrong answer.
#[test]
fn a_table_of_another_game_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("english");
    std::fs::create_dir(&place).expect("a directory");
    std::fs::copy(golden().join("russian/KvK.wdl"), place.join("KvK.wdl")).expect("a copy");
    fn open<G: Indexable>(game: G, directory: &Path) -> String {
        let signature = Signature::parse(game, "KvK").expect("a signature");
        Table::<G>::open(directory, signature, Metric::Wdl).expect_err("refused").to_string()
    }
    let message = open(damka_games::English, directory.path());
    assert!(message.contains("another table: russian KvK"), "{message}");
}
