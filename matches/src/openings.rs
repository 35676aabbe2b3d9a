use damka_engine::book::OpeningBook;
use damka_engine::{Control, Engine, History, Limits, Playable, symmetric_key};
use damka_games::chess::CHESS960_POSITIONS;
use damka_games::{Color, Counted, Game, Position, PositionError, Random};
use damka_records::{self as records, RecordError};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use thiserror::Error;

/// The openings of a match, by number.
///
/// A match plays each opening once: if two numbers have the same opening, or symmetric ones, the later
/// number gets another as long as there are any.
#[derive(Clone, Debug)]
pub struct Openings<G: Game> {
    game: G,
    source: Source<G>,
    /// The number of openings of a list that were left out.
    duplicates: usize,
    /// A random opening is accepted if a short search finds neither side better by more than this, in
    /// hundredths of a man.
    margin: i32,
}

#[derive(Clone, Debug)]
enum Source<G: Game> {
    Listed(Vec<History<G>>),
    Random { plies: u32, seed: u64 },
    Endings { pieces: RangeInclusive<u32>, seed: u64 },
    Book { book: OpeningBook<G>, plies: usize, seed: u64 },
}

/// Openings are invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// A line is not a position.
    #[error("line {line}: {error}")]
    Fen {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        error: PositionError,
    },
    /// A game cannot be read.
    #[error(transparent)]
    Game(#[from] RecordError),
    /// The game is over after the opening.
    #[error("the game is already over after opening {0}: leave this opening out")]
    Over(usize),
    /// The list is empty.
    #[error("there are no openings")]
    None,
}

/// The default margin of random openings, in hundredths of a man.
const MARGIN: i32 = 40;

/// The limits of the search that measures the balance, and the size of its transposition table in
/// bytes.
const LIMITS: Limits =
    Limits { depth: Some(7), nodes: Some(8_000), time: None, clock: None, is_analysis: false };
const MEMORY: usize = 1 << 18;

/// The number of random openings that are searched before the most balanced one is taken.
const ATTEMPTS: u32 = 200;

/// The maximum number of searches for an opening that replaces a repeated one. Other threads wait
/// for these.
const REPEATED_SEARCHES: usize = 24;

/// The greatest length of a random game, in plies.
const LONGEST: usize = 500;

impl<G: Playable> Openings<G> {
    /// The positions of a text, one on each line. Empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// A line is not a position, a game is over, or there are no positions.
    pub fn from_fens(game: G, text: &str) -> Result<Openings<G>, OpeningError> {
        let mut list = Vec::new();
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if !text.is_empty() && !text.starts_with('#') {
                let start = Counted::parse(game, text);
                list.push(History::new(start.map_err(|error| OpeningError::Fen { line, error })?));
            }
        }
        Openings::listed(game, list)
    }

    /// The games of a text of PDN or PGN, or the first `plies` plies of each.
    ///
    /// # Errors
    /// A game cannot be read or is over, or there are no games.
    pub fn from_games(
        game: G,
        text: &str,
        plies: Option<usize>,
    ) -> Result<Openings<G>, OpeningError> {
        let mut list = Vec::new();
        for record in records::read(game, text) {
            let record = record?;
            let mut opening = History::new(record.start);
            let moves = record.line.plies.iter().map(|ply| ply.mv);
            moves.take(plies.unwrap_or(usize::MAX)).for_each(|mv| opening.play(mv));
            list.push(opening);
        }
        Openings::listed(game, list)
    }

    /// The start positions of Chess960 in an order that the seed determines.
    ///
    /// # Errors
    /// The game is not chess.
    pub fn chess960(game: G, seed: u64) -> Result<Openings<G>, OpeningError> {
        let mut random = Random::new(seed);
        let mut numbers: Vec<u16> = (0..CHESS960_POSITIONS).collect();
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, random.below(last as u64 + 1) as usize);
        }
        let fens = numbers.into_iter().map(|number| format!("chess960:{number}\n"));
        Openings::from_fens(game, &fens.collect::<String>())
    }

    fn listed(game: G, mut list: Vec<History<G>>) -> Result<Openings<G>, OpeningError> {
        if list.is_empty() {
            return Err(OpeningError::None);
        }
        if let Some(place) = list.iter().position(|opening| opening.end().is_some()) {
            return Err(OpeningError::Over(place + 1));
        }
        let (mut keys, all) = (HashSet::new(), list.len());
        list.retain(|opening| keys.insert(symmetric_key::<G>(opening.position())));
        let duplicates = all - list.len();
        Ok(Openings { duplicates, ..Openings::from_source(game, Source::Listed(list)) })
    }

    /// Balanced positions after `plies` random moves from the start position. They are determined by the
    /// seed.
    pub fn random(game: G, plies: u32, seed: u64) -> Openings<G> {
        Openings::from_source(game, Source::Random { plies, seed })
    }

    /// Balanced positions with this number of pieces, reached by random moves. They are determined by
    /// the seed.
    pub fn endings(game: G, pieces: RangeInclusive<u32>, seed: u64) -> Openings<G> {
        Openings::from_source(game, Source::Endings { pieces, seed })
    }

    /// Sets the margin of random openings and endings, in hundredths of a man: one is accepted if a short
    /// search finds neither side better by more than this. Without it the margin is 40. With a large
    /// margin one side may be far ahead; from such games an evaluation learns what an advantage is worth.
    /// Openings from a list or a book do not change.
    pub fn within(self, margin: u16) -> Openings<G> {
        Openings { margin: margin.into(), ..self }
    }

    /// The first `plies` plies that a book plays from the start position. They are determined by the
    /// seed.
    pub fn book(book: impl Into<OpeningBook<G>>, plies: usize, seed: u64) -> Openings<G> {
        let book = book.into();
        let game = book.game();
        Openings::from_source(game, Source::Book { book, plies, seed })
    }

    fn from_source(game: G, source: Source<G>) -> Openings<G> {
        Openings { game, source, duplicates: 0, margin: MARGIN }
    }

    /// The number of different openings of a list; `None` if openings are generated.
    pub fn count(&self) -> Option<usize> {
        match &self.source {
            Source::Listed(list) => Some(list.len()),
            Source::Random { .. } | Source::Endings { .. } | Source::Book { .. } => None,
        }
    }

    /// The number of openings of a list that were left out because an earlier one leads to the same
    /// position or a symmetric one.
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// The opening with this number, from 0. Several numbers may have the same generated opening. A list
    /// starts again after its last opening.
    pub fn get(&self, number: u64) -> History<G> {
        let found = match &self.source {
            Source::Listed(list) => {
                return list[(number % list.len() as u64) as usize].clone();
            }
            Source::Random { .. } | Source::Endings { .. } => {
                self.balanced(number, ATTEMPTS as usize, |_| true)
            }
            Source::Book { book, plies, seed } => {
                Some(self.played_from(book, *plies, Random::numbered(*seed, number).next()))
            }
        };
        found.unwrap_or_else(|| History::new(self.game.start()))
    }

    /// Another opening for this number, whose position has none of these symmetric keys; `None` if none
    /// is found.
    pub(super) fn other(&self, number: u64, keys: &HashSet<u64>) -> Option<History<G>> {
        let is_new = |opening: &History<G>| !keys.contains(&symmetric_key::<G>(opening.position()));
        match &self.source {
            Source::Listed(_) => None,
            Source::Random { .. } | Source::Endings { .. } => {
                self.balanced(number, REPEATED_SEARCHES, is_new)
            }
            Source::Book { book, plies, seed } => {
                let mut seeds = Random::numbered(*seed, number);
                let mut found = (0..ATTEMPTS).map(|_| self.played_from(book, *plies, seeds.next()));
                found.find(is_new)
            }
        }
    }

    /// The moves that a book plays from the start position.
    fn played_from(&self, book: &OpeningBook<G>, plies: usize, seed: u64) -> History<G> {
        let mut game = History::new(self.game.start());
        while game.moves().len() < plies
            && game.end().is_none()
            && let Some(mv) = book.choose(game.position(), seed)
        {
            game.play(mv);
        }
        // A book of whole games may have led to the end of one.
        while game.end().is_some() && game.undo().is_some() {}
        game
    }

    /// One attempt at a random opening; `None` if it fails, or if openings are not random.
    fn attempt(&self, random: &mut Random) -> Option<History<G>> {
        match &self.source {
            Source::Random { plies, .. } => {
                play_randomly_until(self.game, random, |game| game.moves().len() >= *plies as usize)
            }
            Source::Endings { pieces, .. } => {
                let span = pieces.end().saturating_sub(*pieces.start());
                let most = pieces.start() + random.below(u64::from(span) + 1) as u32;
                let ending = play_randomly_until(self.game, random, |game| {
                    piece_count::<G>(game.position()) <= most
                })?;
                let game = History::new(*ending.position());
                pieces.contains(&piece_count::<G>(game.position())).then_some(game)
            }
            Source::Listed(_) | Source::Book { .. } => None,
        }
    }

    /// The first balanced opening among the random ones that `accepts` accepts, or the most balanced
    /// one after this number of searches. `None` if no opening is accepted.
    fn balanced(
        &self,
        number: u64,
        searches: usize,
        accepts: impl Fn(&History<G>) -> bool,
    ) -> Option<History<G>> {
        let (Source::Random { seed, .. } | Source::Endings { seed, .. }) = self.source else {
            return None;
        };
        let mut random = Random::numbered(seed, number);
        let mut engine = Engine::new(self.game, MEMORY);
        let mut best: Option<(i32, History<G>)> = None;
        let attempts = (0..ATTEMPTS).filter_map(|_| self.attempt(&mut random));
        for opening in attempts.filter(|opening| accepts(opening)).take(searches) {
            engine.clear();
            let found = engine.search(&opening, &LIMITS, &Control::default(), |_| ());
            let imbalance = found.score.hundredths().abs();
            if imbalance <= self.margin {
                return Some(opening);
            }
            if best.as_ref().is_none_or(|&(least, _)| imbalance < least) {
                best = Some((imbalance, opening));
            }
        }
        best.map(|(_, opening)| opening)
    }
}

/// Plays random moves from the start position until `is_reached` holds; `None` if the game ends.
fn play_randomly_until<G: Playable>(
    game: G,
    random: &mut Random,
    is_reached: impl Fn(&History<G>) -> bool,
) -> Option<History<G>> {
    let mut game = History::new(game.start());
    for _ in 0..LONGEST {
        if game.end().is_some() {
            return None;
        }
        if is_reached(&game) {
            return Some(game);
        }
        game.play(random.pick(&game.position().moves())?);
    }
    None
}

/// The number of pieces on the board.
fn piece_count<G: Game>(position: &G::Position) -> u32 {
    Color::BOTH.into_iter().map(|color| position.side(color).len()).sum()
}
