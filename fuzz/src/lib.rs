//! Runs readers on arbitrary bytes, for the fuzz targets. Each function panics if a reader breaks a
//! promise; an error is allowed. It returns whether a reader accepted the bytes.
//!
//! `tests/tests/all/readers.rs` runs these functions on the seeds.

pub mod protocols;
pub mod tamper;

use damka_engine::book::Book;
use damka_engine::{Evaluator, Network, Playable, Weights};
use damka_games::{Alapo, AnyGame, Counted, Game, Position, PositionError, Russian, with_game};
use damka_records as records;
use damka_tables::format::{Decoder, TableReader};
use damka_tables::{Side, Signature};

/// Calls a reader for each game. Returns whether any game accepted the text.
macro_rules! in_any_game {
    ($reader:ident($($argument:expr),*)) => {
        AnyGame::all()
            .map(|game| with_game!(game, game => $reader(game, $($argument),*)))
            .fold(false, |any, understood| any | understood)
    };
}

/// Reads a position in each game.
pub fn fen(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    in_any_game!(fen_of(&text))
}

fn fen_of<G: Game>(game: G, text: &str) -> bool {
    let counted = match Counted::parse(game, text) {
        Ok(counted) => counted,
        Err(error) => {
            if let PositionError::Text(error) = error {
                let places = 1..=text.chars().count() + 1;
                assert!(places.contains(&error.at), "{text:?}: {error}");
            }
            return false;
        }
    };
    assert_eq!(Counted::parse(game, &counted.fen()), Ok(counted), "{}", counted.fen());
    let position = counted.position;
    assert_eq!(game.parse_fen(&position.fen()), Ok(position), "{}", position.fen());
    assert_eq!(game.position(&position.setup()), Ok(position));
    assert_eq!(position.flip().flip(), position);
    assert!(!position.diagram().is_empty());
    let moves = position.moves();
    assert_eq!(position.count_moves(), moves.len() as u64);
    for mv in moves {
        position.play(mv);
        move_reads_back::<G>(&position, mv);
    }
    position.unmoves();
    true
}

/// Reads the name of a table in each game.
pub fn signature(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    in_any_game!(signature_of(&text))
}

fn signature_of<G: Game>(game: G, text: &str) -> bool {
    let signature = match Signature::parse(game, text) {
        Ok(signature) => signature,
        Err(error) => {
            assert!(!error.to_string().contains(char::is_control), "{error}");
            return false;
        }
    };
    assert_eq!(Signature::parse(game, &signature.to_string()), Ok(signature), "{text:?}");
    let [first, second] = signature.materials();
    assert!(first.total() >= second.total() && second.total() > 0);
    true
}

/// Reads a position on the first line, then a move, in each game.
pub fn moves(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let (position, text) = text.split_once('\n').unwrap_or((&text, ""));
    in_any_game!(move_of(position, text))
}

fn move_of<G: Game>(game: G, position: &str, text: &str) -> bool {
    let Ok(position) = game.parse_fen(position) else { return false };
    match position.parse_move(text) {
        Ok(mv) => {
            assert!(position.moves().contains(&mv), "{text:?} is no legal move");
            move_reads_back::<G>(&position, mv);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn move_reads_back<G: Game>(position: &G::Position, mv: G::Move) {
    let text = position.format_move(mv);
    assert_eq!(position.parse_move(&text), Ok(mv), "{} {text}", position.fen());
}

/// Reads recorded games in each game.
pub fn games(bytes: &[u8]) -> bool {
    let text = records::decode(bytes);
    in_any_game!(games_of(&text))
}

fn games_of<G: Playable>(game: G, text: &str) -> bool {
    // A line ends with CR, LF or both.
    let ends = text.replace("\r\n", "\n");
    let lines: Vec<&str> = ends.split(['\n', '\r']).collect();
    let mut any = false;
    for read in records::read(game, text) {
        match read {
            Ok(record) => {
                let written = record.to_string();
                let again: Vec<_> = records::read(game, &written).collect();
                assert_eq!(again, [Ok(record)], "{written}");
                any = true;
            }
            Err(error) => {
                let line = lines.get(error.line - 1).unwrap_or_else(|| panic!("{error}: {text:?}"));
                assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}");
            }
        }
    }
    any
}

/// Reads an opening book, also with a corrected checksum.
pub fn book(bytes: &[u8]) -> bool {
    read_book(bytes);
    let mut sealed = bytes.to_vec();
    tamper::seal_contents(&mut sealed);
    read_book(&sealed)
}

/// Reads weights of Alapo, which has few, or a network, also with a corrected checksum.
pub fn weights(bytes: &[u8]) -> bool {
    read_weights(bytes);
    let mut sealed = bytes.to_vec();
    tamper::seal_contents(&mut sealed);
    read_weights(&sealed)
}

fn read_weights(bytes: &[u8]) -> bool {
    let Ok(weights) = Weights::from_bytes(Alapo, bytes) else { return read_network(bytes) };
    let again = weights.to_bytes().map(|bytes| Weights::from_bytes(Alapo, &bytes));
    assert!(again.is_ok_and(|again| again.is_ok_and(|again| again == weights)));
    true
}

fn read_network(bytes: &[u8]) -> bool {
    let Ok(network) = Network::from_bytes(Alapo, bytes) else { return false };
    let again = network.to_bytes().map(|bytes| Network::from_bytes(Alapo, &bytes));
    assert!(again.is_ok_and(|again| again.is_ok_and(|again| again == network)));
    network.evaluate(&Alapo.start());
    true
}

fn read_book(bytes: &[u8]) -> bool {
    let Ok(book) = Book::from_bytes(Russian, bytes) else { return false };
    let again = Book::from_bytes(Russian, &book.to_bytes());
    assert!(again.is_ok_and(|again| again == book));
    let start = Russian.start();
    let chosen = book.choose(&start, 7);
    assert!(chosen.is_none_or(|mv| start.moves().contains(&mv)));
    true
}

/// Reads a table, also with corrected checksums.
pub fn table(bytes: &[u8]) -> bool {
    read_table(bytes);
    let mut sealed = bytes.to_vec();
    tamper::seal(&mut sealed);
    read_table(&sealed)
}

fn read_table(bytes: &[u8]) -> bool {
    /// The maximum number of values that are read, to be quick.
    const ENOUGH: u64 = 1 << 17;

    let Ok(table) = TableReader::open(bytes) else { return false };
    let header = table.header();
    // The number of blocks is bounded, as each has an entry in the file.
    assert!(header.blocks() < bytes.len() as u64);
    let sound = table.check().is_ok();
    for side in [Side::First, Side::Second] {
        let positions = header.positions(side);
        let is_left_out = header.left_out() == Some(side);
        assert!(is_left_out || table.locate(side, positions - 1).0 < header.blocks());
        let summary = header.summary(side);
        let longest = [summary.longest_win, summary.longest_loss].into_iter().flatten();
        assert!(longest.map(|longest| longest.number).all(|number| number < positions));
        // The counts add up, without overflow.
        let positions_of_all = summary.positions();
        let histogram = table.histogram(side);
        assert!(histogram.is_ok() || !sound, "check() missed {histogram:?}");
        if let Ok(Some(histogram)) = histogram {
            let counts = histogram.values().map(|(_, count)| count);
            assert_eq!(counts.sum::<u64>(), positions_of_all);
        }
        let mut found = 0;
        if positions <= ENOUGH && table.read_values(side, |values| found += values.len()).is_ok() {
            assert_eq!(found as u64, positions);
        }
    }
    let mut decoder = Decoder::new().expect("memory");
    let mut block = Vec::new();
    for number in 0..header.blocks().min(ENOUGH / header.block_positions()) {
        let read = table.read_block(&mut decoder, number, &mut block);
        assert!(read.is_ok() || !sound, "check() missed {read:?}");
        // Reading after the end of a block is also an error.
        let places = 0..header.block_positions() as usize + 4;
        let values = places.map(|place| table.value(number, &block, place).is_ok());
        assert!(values.count() > 0);
    }
    sound
}
