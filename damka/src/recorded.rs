//! Recorded games, PDN or PGN, of a game that is named at run time.

use damka_games::{AnyGame, Color, Counted, Game, Position, with_game};
use damka_records::{Line, Ply, Record, RecordError, Tags, read};
use std::cell::OnceCell;
use std::ops::RangeInclusive;

/// A recorded game. Moves and positions of its main line are text.
pub trait AnyRecord: Send {
    /// The tags: who played, where and when.
    fn tags(&self) -> &Tags;

    /// The result, such as `1-0`; `*` if it is unknown.
    fn result(&self) -> String;

    /// The FEN of the position before the first move.
    fn start(&self) -> &str;

    /// The comments before the first move.
    fn comments(&self) -> &[String];

    /// The number of moves of the main line.
    fn ply_count(&self) -> usize;

    /// The moves of the main line, created at the first call. Each takes some hundred bytes.
    fn plies(&self) -> &[RecordedPly];

    /// The game as PDN or PGN, with the notes added to its first moves, one note to each. What the
    /// record already contains is not repeated. A move that already has a strength mark gets no
    /// other. Ends in a newline.
    fn annotated(&self, notes: &[Note]) -> String;
}

/// A move of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPly {
    /// The side that plays it.
    pub turn: Color,
    /// The move in the notation of the game.
    pub name: String,
    /// The move by its squares: UCI's `e2e4` in chess.
    pub coordinates: String,
    /// The FEN of the position after it.
    pub fen: String,
    /// Its numeric annotations (NAG) in the record, 1 to 6 for `!`, `?`, `!!`, `??`, `!?` and `?!`.
    pub nags: Vec<u8>,
    /// Its comments in the record.
    pub comments: Vec<String>,
    /// Its variations in the record, with their own comments.
    pub variations: Vec<String>,
}

/// A note that is added to a move of a recorded game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// A numeric annotation (NAG), 1 to 6 for `!`, `?`, `!!`, `??`, `!?` and `?!`.
    pub nag: Option<u8>,
    /// Comments.
    pub comments: Vec<String>,
    /// A variation: what could have been played instead. It ends before the first text that is not
    /// a legal move.
    pub variation: Vec<String>,
    /// The comments of the move that the note replaces.
    pub replaces: Vec<String>,
    /// The numeric annotations of the move that the note replaces.
    pub replaced_nags: Vec<u8>,
    /// Whether the note replaces the last variation, which an earlier note added, if it consists of
    /// moves alone.
    pub replaces_variation: bool,
}

/// The numeric annotations for `!`, `?`, `!!`, `??`, `!?` and `?!`.
const STRENGTH: RangeInclusive<u8> = 1..=6;

/// Reads the games of a text one by one, in order; see [`damka_records::read()`].
pub fn read_records(
    game: AnyGame,
    text: &str,
) -> Box<dyn Iterator<Item = Result<Box<dyn AnyRecord>, RecordError>> + Send + '_> {
    with_game!(game, game => Box::new(read(game, text).map(|record| {
        Ok(Box::new(Recorded::of(record?)) as Box<dyn AnyRecord>)
    })))
}

/// A record and its main line as text.
struct Recorded<G: Game> {
    record: Record<G>,
    start: String,
    plies: OnceCell<Vec<RecordedPly>>,
}

impl<G: Game> Recorded<G> {
    fn of(record: Record<G>) -> Recorded<G> {
        Recorded { start: record.start.fen(), record, plies: OnceCell::new() }
    }

    /// The moves of the main line as text.
    fn texts(&self) -> Vec<RecordedPly> {
        let mut now = self.record.start;
        let text = |(ply, variations): (&Ply<G>, Vec<String>)| {
            let position = now.position;
            now = now.play(ply.mv);
            RecordedPly {
                turn: position.turn(),
                name: position.format_move(ply.mv),
                coordinates: position.coordinates(ply.mv),
                fen: now.fen(),
                nags: ply.nags.clone(),
                comments: ply.comments.clone(),
                variations,
            }
        };
        self.record.line.plies.iter().zip(self.record.variations()).map(text).collect()
    }
}

impl<G: Game> AnyRecord for Recorded<G> {
    fn tags(&self) -> &Tags {
        &self.record.tags
    }

    fn result(&self) -> String {
        self.record.result.to_string()
    }

    fn start(&self) -> &str {
        &self.start
    }

    fn comments(&self) -> &[String] {
        &self.record.line.comments
    }

    fn ply_count(&self) -> usize {
        self.record.line.plies.len()
    }

    fn plies(&self) -> &[RecordedPly] {
        self.plies.get_or_init(|| self.texts())
    }

    fn annotated(&self, notes: &[Note]) -> String {
        let mut record = self.record.clone();
        let mut now = record.start;
        for (ply, note) in record.line.plies.iter_mut().zip(notes) {
            ply.nags.retain(|nag| !note.replaced_nags.contains(nag));
            let is_marked = ply.nags.iter().any(|nag| STRENGTH.contains(nag));
            if let Some(nag) = note.nag.filter(|_| !is_marked) {
                ply.nags.insert(0, nag);
            }
            ply.comments.retain(|comment| !note.replaces.contains(comment));
            for comment in &note.comments {
                if !ply.comments.contains(comment) {
                    ply.comments.push(comment.clone());
                }
            }
            let variation = line(now, &note.variation);
            let is_old = |last: &Line<G>| {
                let is_new = variation.plies.is_empty() || !begins_alike(last, &variation);
                note.replaces_variation && is_bare(last) && is_new
            };
            if ply.variations.last().is_some_and(is_old) {
                ply.variations.pop();
            }
            let is_there = ply.variations.iter().any(|old| begins_alike(old, &variation));
            if !variation.plies.is_empty() && !is_there {
                ply.variations.push(variation);
            }
            now = now.play(ply.mv);
        }
        record.to_string()
    }
}

/// Whether a line has no annotations and no variations.
fn is_bare<G: Game>(line: &Line<G>) -> bool {
    let is_bare =
        |ply: &Ply<G>| ply.nags.is_empty() && ply.comments.is_empty() && ply.variations.is_empty();
    line.comments.is_empty() && line.plies.iter().all(is_bare)
}

/// Whether one of two lines is the beginning of the other.
fn begins_alike<G: Game>(one: &Line<G>, other: &Line<G>) -> bool {
    one.plies.iter().zip(&other.plies).all(|(one, other)| one.mv == other.mv)
}

/// The line of these moves, up to the first that is not legal.
fn line<G: Game>(mut now: Counted<G::Position>, moves: &[String]) -> Line<G> {
    let mut line = Line::new();
    for text in moves {
        let Ok(mv) = now.position.parse_move(text) else { break };
        line.plies.push(Ply::new(mv));
        now = now.play(mv);
    }
    line
}
