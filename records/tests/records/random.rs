use super::outline;
use damka_games::{
    Alapo, Brazilian, Chess, Draughts, English, Game, Pool, Position, Random, Russian,
};
use damka_records::{GameResult, Line, Ply, Record, decode, read};
use proptest::prelude::*;

/// Makes random games.
struct Author(Random);

impl Author {
    fn new(seed: u64) -> Author {
        Author(Random::new(seed))
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        self.0.pick(items).expect("something to choose from")
    }

    /// Words and signs that have a meaning in PDN or PGN.
    fn words(&mut self) -> String {
        const WORDS: [&str; 20] = [
            "a",
            "good",
            "move",
            "}",
            "{",
            "%",
            "; x",
            "(",
            ")",
            "\"",
            "\\",
            "1-0",
            "*",
            "1.",
            "$1",
            "[Event",
            "[%clk",
            "début",
            "партия",
            "c3-d4",
        ];
        let words: Vec<_> = (0..self.below(12)).map(|_| self.pick(&WORDS)).collect();
        words.join(" ")
    }

    fn comments(&mut self) -> Vec<String> {
        match self.one_in(8) {
            true => (0..=self.below(2)).map(|_| self.words()).collect(),
            false => Vec::new(),
        }
    }

    fn line<G: Game>(&mut self, mut position: G::Position, plies: usize, depth: usize) -> Line<G> {
        let mut line = Line { comments: self.comments(), plies: Vec::new() };
        for _ in 0..plies {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let mut ply = Ply::new(self.pick(&moves));
            if self.one_in(6) {
                ply.nags = (0..=self.below(3)).map(|_| self.below(16) as u8).collect();
            }
            ply.comments = self.comments();
            while depth > 0 && self.one_in(8) {
                let plies = self.below(6);
                ply.variations.push(self.line(position, plies, depth - 1));
            }
            position = position.play(ply.mv);
            line.plies.push(ply);
        }
        line
    }

    /// A game from the start position, or from a random one.
    fn record<G: Game>(&mut self, game: G) -> Record<G> {
        use GameResult::*;
        let mut start = game.start();
        let plies = if self.one_in(3) { self.below(60) } else { 0 };
        for _ in 0..plies {
            let after = start.play(self.pick(&start.moves()));
            // No game starts from a position without moves.
            if after.moves().is_empty() {
                break;
            }
            start = after;
        }
        let plies = self.below(80);
        let mut record = Record::new(start);
        record.line = self.line(start, plies, 3);
        record.result = self.pick(&[WhiteWins, BlackWins, Draw, BothLose, Unknown]);
        for name in ["Annotator", "White", "Event", "Round", "Date", "x"] {
            if self.one_in(2) {
                record.tags.set(name, &self.words());
            }
        }
        record
    }
}

/// Checks that random games, written one after the other, are read back unchanged.
fn survive<G: Game>(game: G, count: usize) {
    let mut author = Author::new(count as u64);
    let records: Vec<Record<G>> = (0..count).map(|_| author.record(game)).collect();
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    let mut games = read(game, &text);
    for record in &records {
        let game = games.next().expect("a game is missing");
        assert!(game.as_ref() == Ok(record), "{game:?}\n{record}\n{}", outline(record));
    }
    assert_eq!(games.next(), None);
    let variations = text.matches(" (").count();
    assert!(variations > count, "{variations} variations are too few");
    // Lines may be longer if a comment cannot be broken: before `%` or `[`, or after `;`.
    let may_be_long = |line: &&str| {
        line.starts_with('[') || line.contains("; ") || line.contains(" %") || line.contains(" [")
    };
    let too_long = |line: &&str| line.chars().count() > 80 && !may_be_long(line);
    assert_eq!(text.lines().find(too_long), None);
}

#[test]
fn random_russian_games_round_trip() {
    survive(Russian, 4000);
}

#[test]
fn random_english_games_round_trip() {
    survive(English, 3000);
}

#[test]
fn random_brazilian_games_round_trip() {
    survive(Brazilian, 1100);
}

#[test]
fn random_pool_games_round_trip() {
    survive(Pool, 1000);
}

#[test]
fn random_alapo_games_round_trip() {
    survive(Alapo, 900);
}

#[test]
fn random_chess_games_round_trip() {
    survive(Chess, 10_000);
}

/// Reads any text. Checks that the games are read back as written, and that errors are at lines of
/// the text.
fn read_anything<G: Game>(game: G, text: &str) {
    for read in read(game, text) {
        match read {
            Ok(record) => assert_eq!(super::game(game, &record.to_string()), record),
            Err(error) => {
                let line = text.split(['\n', '\r']).nth(error.line - 1);
                assert!(line.is_some(), "{error}");
            }
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_anything(Russian, &decode(&bytes));
    }

    #[test]
    fn no_words_make_the_reader_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "c3-d4", "f6-g5", "11-15", "a2-a3", "zz", "1.", "2...", "3", "(", ")", "(!)", "!", "?!",
                "e4", "Nf6", "0-0", "e.p.", "$1", "$300", "{", "}", "{a}", ";", "%", "\n", "\n\n", "\r", "\r\n", "[", "]",
                "[Event \"x\"]", "[Event \"x", "[FEN \"W:WKa1:BKh8\"]", "[FEN \"", "[GameType \"25\"]",
                "[Result \"1-0\"]", "1-0", "0-1", "*", "\"", "\\", "é", "\u{FEFF}", "\0",
            ]),
            0..60,
        ),
        spaced in any::<bool>(),
    ) {
        let text = words.join(if spaced { " " } else { "" });
        read_anything(Russian, &text);
        read_anything(English, &text);
        read_anything(Alapo, &text);
        read_anything(Chess, &text);
    }

    #[test]
    fn no_damage_makes_the_reader_panic(
        seed in any::<u64>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..10),
    ) {
        let mut author = Author::new(seed);
        let games: [Record<Draughts>; 2] = [author.record(Russian), author.record(Russian)];
        let mut bytes = games.map(|game| game.to_string()).concat().into_bytes();
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        read_anything(Russian, &decode(&bytes));
    }
}
