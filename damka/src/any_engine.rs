//! An engine for a game that is named at run time. Positions and moves are text.

use crate::{AskError, DtwStatus, Ply, read_position};
use damka_engine::{
    Control, History, Limits, Playable, Player, PlayerError, PlayerSettings, Report, Resources,
    Score,
};
use damka_games::{AnyGame, Counted, Game, Position, with_game};
use damka_probe::ProbeError;
use damka_tables::Wdl;
use std::time::Duration;

/// An engine for a game that is named at run time. Positions are text, as for
/// [`AnyTables`](crate::AnyTables), and so are moves. [`open_engine`] makes one.
///
/// An engine runs one search at a time. A server that searches several positions at once keeps
/// several engines, which share tables, weights and book: see [`another`](AnyEngine::another).
pub trait AnyEngine: Send {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// An engine with the same settings that shares tables, weights and book, but has a
    /// transposition table of its own. It is at the start position.
    ///
    /// # Errors
    /// The memory for the transposition table cannot be allocated.
    fn another(&self) -> Result<Box<dyn AnyEngine>, PlayerError>;

    /// The errors of tables that are damaged or cannot be read, one for each file, that this
    /// engine, or one that shares its tables, has found since the last call.
    fn take_table_errors(&self) -> Vec<ProbeError>;

    /// Sets the game so far: its first position, and the moves since then. They matter for the
    /// draw rules. On an error the game so far is kept.
    ///
    /// # Errors
    /// A text is not a position, or not a legal move.
    fn set_position(&mut self, fen: &str, moves: &[&str]) -> Result<(), AskError>;

    /// Prepares for another game: clears the transposition table and draws the next seed of book
    /// choices. Keeps the game so far.
    fn new_game(&mut self);

    /// A move of the book in the current position, if it has one.
    fn book_move(&self) -> Option<Ply>;

    /// The move to play in the current position, at the level and with the variety of the settings: a
    /// move of the book, or the best one that a search finds within the limits. `None` if there is no
    /// legal move.
    fn choose(&mut self, limits: &Limits, control: &Control) -> Option<Ply>;

    /// Searches the current position at full strength until a limit is reached or `control`, which
    /// another thread may hold, stops the search. Calls `report` after each depth. Does not use the
    /// book.
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &Control,
        report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport;
}

/// The request for a search: its limits, and how many lines to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// The limits. Without any, only [`Control`] ends the search.
    pub limits: Limits,
    /// How many of the best moves are searched (MultiPV), each with its score and line. `None` for
    /// the best move alone, and a report without [`lines`](SearchReport::lines).
    pub lines: Option<usize>,
}

/// The result of a search, or of its depths so far. Scores and values are for the side to move.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SearchReport {
    /// The game's name.
    pub game: &'static str,
    /// The position, with its move counters.
    pub fen: String,
    /// The best move in the notation of the game; `None` if there is no legal move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: Option<String>,
    /// The best move by its squares.
    pub coordinates: Option<String>,
    /// The score; hundredths of a man or pawn in JSON.
    #[cfg_attr(feature = "serde", serde(serialize_with = "hundredths"))]
    pub score: Score,
    /// The result, if it is certain.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::answer::value_word"))]
    pub value: Option<Wdl>,
    /// The distance to the win or loss in plies, if it is known.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
    /// The last completed depth, in plies.
    pub depth: u16,
    /// The number of positions searched.
    pub nodes: u64,
    /// The number of positions whose value came from tables.
    #[cfg_attr(feature = "serde", serde(rename = "tb_hits"))]
    pub table_hits: u64,
    /// The best line (principal variation) in the notation of the game.
    pub pv: Vec<String>,
    /// The best line by its squares.
    pub pv_coordinates: Vec<String>,
    /// The best lines, best first, if several were requested; empty if there is no legal move.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lines: Option<Vec<SearchLine>>,
    /// The time taken; not in JSON.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub time: Duration,
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SearchLine {
    /// The first move in the notation of the game.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: String,
    /// The first move by its squares.
    pub coordinates: String,
    /// The score; hundredths of a man or pawn in JSON.
    #[cfg_attr(feature = "serde", serde(serialize_with = "hundredths"))]
    pub score: Score,
    /// The result, if it is certain.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::answer::value_word"))]
    pub value: Option<Wdl>,
    /// The distance to the win or loss in plies, if it is known.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
    /// The moves in the notation of the game.
    pub pv: Vec<String>,
    /// The moves by their squares.
    pub pv_coordinates: Vec<String>,
}

/// The score in JSON.
#[cfg(feature = "serde")]
fn hundredths<S: serde::Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(score.hundredths())
}

/// An engine with these settings, at the start position. Opens all tables.
///
/// # Errors
/// The directory of tables, the weights or the book cannot be read, or memory cannot be allocated.
///
/// ```
/// use damka::{AnyGame, Control, Limits, PlayerSettings, SearchRequest, open_engine};
///
/// let game: AnyGame = "russian".parse()?;
/// let mut engine = open_engine(&PlayerSettings::minimal(game))?;
/// // The man must take the king.
/// engine.set_position("W:Wc3,g1:BKd4,h8", &[])?;
/// let request = SearchRequest { limits: Limits::depth(5), lines: None };
/// let found = engine.search(&request, &Control::default(), &mut |_| ());
/// assert_eq!(found.name.as_deref(), Some("c3xe5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_engine(settings: &PlayerSettings<AnyGame>) -> Result<Box<dyn AnyEngine>, PlayerError> {
    with_game!(settings.game, game => {
        let settings = settings.clone().with_game(game);
        let resources = Resources::open(&settings)?;
        Ok(Box::new(GameEngine::new(settings, resources)?))
    })
}

/// A player, with the settings and resources to make another one.
struct GameEngine<G: Playable> {
    settings: PlayerSettings<G>,
    resources: Resources<G>,
    player: Player<G>,
}

impl<G: Playable> GameEngine<G> {
    fn new(
        settings: PlayerSettings<G>,
        resources: Resources<G>,
    ) -> Result<GameEngine<G>, PlayerError> {
        let player = Player::with_resources(&settings, resources.clone())?;
        Ok(GameEngine { settings, resources, player })
    }

    /// A move in the current position.
    fn ply(&self, mv: G::Move) -> Ply {
        let counted = self.player.history().counted();
        Ply {
            name: counted.position.format_move(mv),
            coordinates: counted.position.coordinates(mv),
            fen: counted.play(mv).fen(),
        }
    }
}

impl<G: Playable> AnyEngine for GameEngine<G> {
    fn game(&self) -> &'static str {
        self.settings.game.name()
    }

    fn another(&self) -> Result<Box<dyn AnyEngine>, PlayerError> {
        Ok(Box::new(GameEngine::new(self.settings.clone(), self.resources.clone())?))
    }

    fn take_table_errors(&self) -> Vec<ProbeError> {
        self.player.take_table_errors()
    }

    fn set_position(&mut self, fen: &str, moves: &[&str]) -> Result<(), AskError> {
        let mut history = History::<G>::new(read_position(self.settings.game, fen)?);
        for text in moves {
            let mv = history.position().parse_move(text)?;
            history.play(mv);
        }
        self.player.set_history(history);
        Ok(())
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn book_move(&self) -> Option<Ply> {
        self.player.book_move().map(|mv| self.ply(mv))
    }

    fn choose(&mut self, limits: &Limits, control: &Control) -> Option<Ply> {
        let in_book = self.player.book_move();
        self.player.set_multi_pv(1);
        let mv = in_book.or_else(|| self.player.think(limits, control, |_| ()).best())?;
        Some(self.ply(mv))
    }

    fn search(
        &mut self,
        request: &SearchRequest,
        control: &Control,
        report: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let counted = self.player.history().counted();
        let with_lines = request.lines.is_some();
        self.player.set_multi_pv(request.lines.unwrap_or(1));
        let found = self.player.search(&request.limits, control, |found| {
            report(&SearchReport::of(&counted, found, with_lines));
        });
        SearchReport::of(&counted, &found, with_lines)
    }
}

impl SearchReport {
    fn of<G: Playable>(
        counted: &Counted<G::Position>,
        found: &Report<G>,
        with_lines: bool,
    ) -> SearchReport {
        let position = &counted.position;
        let known = found.value.map(|value| value.wdl());
        let (value, dtw, dtw_status) = certain(found.score, known);
        let (pv, pv_coordinates) = texts::<G>(position, &found.pv);
        let lines = with_lines.then(|| {
            let best = SearchLine::of::<G>(position, found.score, known, &found.pv);
            let others = found.other_lines.iter();
            let others =
                others.map(|line| SearchLine::of::<G>(position, line.score, line.wdl, &line.moves));
            std::iter::once(best).chain(others).flatten().collect()
        });
        SearchReport {
            game: position.game().name(),
            fen: counted.fen(),
            name: pv.first().cloned(),
            coordinates: pv_coordinates.first().cloned(),
            score: found.score,
            value,
            dtw,
            dtw_status,
            depth: found.depth,
            nodes: found.nodes,
            table_hits: found.table_hits,
            pv,
            pv_coordinates,
            lines,
            time: found.time,
        }
    }
}

impl SearchLine {
    /// A line, unless it has no move.
    fn of<G: Game>(
        position: &G::Position,
        score: Score,
        known: Option<Wdl>,
        moves: &[G::Move],
    ) -> Option<SearchLine> {
        let (value, dtw, dtw_status) = certain(score, known);
        let (pv, pv_coordinates) = texts::<G>(position, moves);
        let (name, coordinates) = (pv.first()?.clone(), pv_coordinates.first()?.clone());
        Some(SearchLine { name, coordinates, score, value, dtw, dtw_status, pv, pv_coordinates })
    }
}

/// The result as far as it is certain, its distance, and why there is one or none.
fn certain(score: Score, known: Option<Wdl>) -> (Option<Wdl>, Option<u16>, DtwStatus) {
    let value = match known {
        None if score.is_win() => Some(Wdl::Win),
        None if score.is_loss() => Some(Wdl::Loss),
        known => known,
    };
    match score.plies() {
        Some(plies) => (value, Some(plies), DtwStatus::Known),
        None if value == Some(Wdl::Draw) => (value, None, DtwStatus::Draw),
        None => (value, None, DtwStatus::Unknown),
    }
}

/// The moves of a line in the notation of the game, and by their squares.
fn texts<G: Game>(start: &G::Position, moves: &[G::Move]) -> (Vec<String>, Vec<String>) {
    let mut position = *start;
    let texts = moves.iter().map(|&mv| {
        let texts = (position.format_move(mv), position.coordinates(mv));
        position = position.play(mv);
        texts
    });
    texts.unzip()
}
