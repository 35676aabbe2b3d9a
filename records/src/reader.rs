use crate::lexer::{Kind, Lexer, Location, Token, quote};
use crate::{
    DEEPEST_VARIATION, GameResult, Line, MOST_TAGS, Ply, Record, RecordError, RecordProblem,
    game_type, marks, tags,
};
use damka_games::{Counted, Game, Position};
use std::mem;

/// A limit in bytes that no position exceeds.
const LONGEST_FEN: usize = 1000;

/// Parses the games of a text one by one, as games of `game`.
///
/// A game ends with its result, or where the tags of another begin. A malformed game is an error
/// with the place and the problem, after which parsing continues. A result, a comment or a number
/// alone is not a game. If the result after the moves is missing or `*`, the one of the tag
/// `Result` is used.
pub fn read<G: Game>(game: G, text: &str) -> Reader<'_, G> {
    Reader { game, lexer: Lexer::new(text), pending: None, depth: 0 }
}

/// An iterator over the games of a text, see [`read`].
pub struct Reader<'a, G> {
    game: G,
    lexer: Lexer<'a>,
    /// A token that was read ahead.
    pending: Option<Token<'a>>,
    /// The number of open variations.
    depth: usize,
}

/// The part of a game before its moves.
struct Head<'a> {
    tags: Vec<(Location, &'a str, String)>,
    comments: Vec<String>,
}

/// A line that is being parsed.
struct Open<G: Game> {
    line: Line<G>,
    /// Where it begins in the text.
    place: Location,
    /// The position before its last move.
    before: G::Position,
    now: G::Position,
}

impl<G: Game> Iterator for Reader<'_, G> {
    type Item = Result<Record<G>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let first = self.take()?;
            let place = first.place;
            self.pending = Some(first);
            self.depth = 0;
            match self.game(place) {
                Ok(None) => {}
                Ok(Some(record)) => return Some(Ok(record)),
                Err(error) => {
                    self.skip_game();
                    return Some(Err(error));
                }
            }
        }
    }
}

impl<'a, G: Game> Reader<'a, G> {
    fn take(&mut self) -> Option<Token<'a>> {
        self.pending.take().or_else(|| self.lexer.next())
    }

    /// Parses a game; `None` if there are neither tags nor moves.
    fn game(&mut self, place: Location) -> Result<Option<Record<G>>, RecordError> {
        let head = self.head()?;
        let untagged = head.tags.is_empty();
        let (mut record, tagged) = begin(self.game, head)?;
        let start = record.start.position;
        let root = Open::new(mem::take(&mut record.line), place, start, start);
        (record.line, record.result) = self.moves(root, tagged)?;
        let empty = untagged && record.line.plies.is_empty();
        Ok((!empty).then_some(record))
    }

    /// Parses the tags of a game and the comments among them. Reads to the end of the tags even if
    /// some are malformed.
    fn head(&mut self) -> Result<Head<'a>, RecordError> {
        let mut head = Head { tags: Vec::new(), comments: Vec::new() };
        let mut error = None;
        while let Some(token) = self.take() {
            let place = token.place;
            match token.kind {
                // The tags of another game: this one has no moves.
                Ok(Kind::Tag { name, .. }) if token.after_blank && head.has(name) => {
                    self.pending = Some(token);
                    break;
                }
                Ok(Kind::Tag { .. }) if head.tags.len() == MOST_TAGS => {
                    error.get_or_insert(fault(place, RecordProblem::TooManyTags));
                }
                Ok(Kind::Tag { name, value }) => head.tags.push((place, name, value)),
                Ok(Kind::Comment(comment)) => head.comments.push(comment),
                Err(problem @ RecordProblem::BadTag(_)) => {
                    error.get_or_insert(fault(place, problem));
                }
                _ => {
                    self.pending = Some(token);
                    break;
                }
            }
        }
        error.map_or(Ok(head), Err)
    }

    /// Parses the moves of a game with comments and variations, and its result. `tagged` is the
    /// result of the tag `Result`, if any.
    fn moves(
        &mut self,
        root: Open<G>,
        tagged: Option<GameResult>,
    ) -> Result<(Line<G>, GameResult), RecordError> {
        let mut open = root;
        let mut around: Vec<Open<G>> = Vec::new();
        while let Some(token) = self.take() {
            if token.begins_game() {
                self.pending = Some(token);
                break;
            }
            let place = token.place;
            let kind = token.kind.map_err(|problem| fault(place, problem))?;
            if let Kind::Result(result) = kind
                && let Some(mv) = result.as_move(&open.now)
            {
                open.play(mv);
                continue;
            }
            match kind {
                Kind::Move { text, marks } => {
                    let mv = open.now.parse_move(&text).map_err(|error| fault(place, error))?;
                    open.play(mv);
                    open.annotate(place, marks, marks::nags(marks))?;
                }
                Kind::Marks(marks) => open.annotate(place, marks, marks::nags(marks))?,
                Kind::Nag(nag) => open.annotate(place, &format!("${nag}"), [nag])?,
                Kind::Comment(comment) => open.comment(comment),
                Kind::Open => {
                    open.last(place, "(")?;
                    if around.len() == DEEPEST_VARIATION {
                        return Err(fault(place, RecordProblem::TooDeep));
                    }
                    let variation = Open::new(Line::new(), place, open.before, open.before);
                    around.push(mem::replace(&mut open, variation));
                }
                Kind::Close => {
                    let outer = around.pop();
                    let outer = outer.ok_or(fault(place, RecordProblem::UnopenedVariation))?;
                    let variation = mem::replace(&mut open, outer).line;
                    open.last(place, ")")?.variations.push(variation);
                }
                // A result inside a variation is ignored.
                Kind::Result(result) if !around.is_empty() && self.closes_next() => {
                    open.comment(result.to_string());
                }
                Kind::Result(end) => {
                    let problem = match tagged {
                        _ if !around.is_empty() => {
                            Some((open.place, RecordProblem::UnclosedVariation))
                        }
                        Some(tag) if tag != end && end != GameResult::Unknown => {
                            Some((place, RecordProblem::ResultsDiffer { end, tag }))
                        }
                        _ => None,
                    };
                    if let Some((place, problem)) = problem {
                        // Puts the result back: `skip_game` ends the game with it.
                        self.pending = Some(Token { kind: Ok(Kind::Result(end)), ..token });
                        return Err(fault(place, problem));
                    }
                    for comment in self.comments_on(place.line) {
                        open.comment(comment);
                    }
                    return Ok((open.line, tagged.unwrap_or(end)));
                }
                Kind::Tag { .. } => unreachable!("a tag begins a game"),
            }
            self.depth = around.len();
        }
        match around.is_empty() {
            true => Ok((open.line, tagged.unwrap_or(GameResult::Unknown))),
            false => Err(fault(open.place, RecordProblem::UnclosedVariation)),
        }
    }

    /// Skips the rest of a malformed game. `0-0` may be castling, so it does not end the game.
    fn skip_game(&mut self) {
        let mut depth = self.depth;
        while let Some(token) = self.take() {
            if token.begins_game() {
                self.pending = Some(token);
                return;
            }
            match token.kind {
                Ok(Kind::Open) => depth += 1,
                Ok(Kind::Close) => depth = depth.saturating_sub(1),
                Ok(Kind::Result(result))
                    if result != GameResult::BothLose && (depth == 0 || !self.closes_next()) =>
                {
                    self.comments_on(token.place.line);
                    return;
                }
                _ => {}
            }
        }
    }

    /// Whether a variation ends here. No token may have been read ahead.
    fn closes_next(&self) -> bool {
        matches!(self.lexer.clone().next(), Some(Token { kind: Ok(Kind::Close), .. }))
    }

    /// Reads the comments that begin on this line. After a result, they belong to the game that the
    /// result ends.
    fn comments_on(&mut self, line: usize) -> Vec<String> {
        let mut comments = Vec::new();
        while let Some(token) = self.take() {
            match token.kind {
                Ok(Kind::Comment(comment)) if token.place.line == line => comments.push(comment),
                kind => {
                    self.pending = Some(Token { kind, ..token });
                    break;
                }
            }
        }
        comments
    }
}

impl Head<'_> {
    fn has(&self, name: &str) -> bool {
        self.tags.iter().any(|&(_, tag, _)| tag == name)
    }
}

impl<G: Game> Open<G> {
    fn new(line: Line<G>, place: Location, before: G::Position, now: G::Position) -> Open<G> {
        Open { line, place, before, now }
    }

    fn play(&mut self, mv: G::Move) {
        self.before = self.now;
        self.now = self.now.play(mv);
        self.line.plies.push(Ply::new(mv));
    }

    /// The last move, which the annotation `text` refers to.
    fn last(&mut self, place: Location, text: &str) -> Result<&mut Ply<G>, RecordError> {
        let last = self.line.plies.last_mut();
        last.ok_or_else(|| fault(place, RecordProblem::NoMove(text.to_owned())))
    }

    fn annotate(
        &mut self,
        place: Location,
        text: &str,
        nags: impl IntoIterator<Item = u8>,
    ) -> Result<(), RecordError> {
        self.last(place, text)?.nags.extend(nags);
        Ok(())
    }

    fn comment(&mut self, comment: String) {
        match self.line.plies.last_mut() {
            Some(last) => last.comments.push(comment),
            None => self.line.comments.push(comment),
        }
    }
}

/// The record as far as the tags determine it, and the result of the tags, if any.
fn begin<G: Game>(game: G, head: Head) -> Result<(Record<G>, Option<GameResult>), RecordError> {
    let mut record = Record::new(game.start());
    record.line.comments = head.comments;
    let mut position = None;
    let mut result = None;
    for (place, name, value) in head.tags {
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "gametype" => {
                let start = game_type::start(game, value);
                record.start = start.map_err(|problem| fault(place, problem))?.into();
            }
            "fen" => {
                let read = read_fen(game, value).and_then(|read| one_of(position, read, "FEN"));
                position = read.map_err(|problem| fault(place, problem))?;
            }
            "result" => {
                let read = read_result(value).and_then(|read| one_of(result, read, "Result"));
                result = read.map_err(|problem| fault(place, problem))?;
            }
            _ if tags::is_derived(name) => {}
            _ => {
                if name.eq_ignore_ascii_case(tags::VARIANT) {
                    let checked = game_type::check_variant(game, value);
                    checked.map_err(|problem| fault(place, problem))?;
                }
                record.tags.set(name, value);
            }
        }
    }
    record.start = position.unwrap_or(record.start);
    let start: G::Position = record.start.position;
    if start.setup().is_chess960() {
        record.tags.remove(tags::VARIANT);
    }
    Ok((record, result))
}

/// The value of a tag that may occur twice, if both values are the same.
fn one_of<T: PartialEq>(
    first: Option<T>,
    second: Option<T>,
    tag: &'static str,
) -> Result<Option<T>, RecordProblem> {
    match (first, second) {
        (Some(first), Some(second)) if first != second => Err(RecordProblem::TwoValues(tag)),
        (first, second) => Ok(second.or(first)),
    }
}

fn read_fen<G: Game>(game: G, value: &str) -> Result<Option<Counted<G::Position>>, RecordProblem> {
    match value.len() {
        0 => Ok(None),
        1..=LONGEST_FEN => Ok(Some(Counted::parse(game, value)?)),
        _ => Err(RecordProblem::TooLong(quote(value))),
    }
}

fn read_result(value: &str) -> Result<Option<GameResult>, RecordProblem> {
    if matches!(value, "" | "?" | "*") {
        return Ok(None);
    }
    let result = GameResult::parse(&value.replace(char::is_whitespace, ""));
    result.map(Some).ok_or_else(|| RecordProblem::BadResult(quote(value)))
}

fn fault(place: Location, problem: impl Into<RecordProblem>) -> RecordError {
    RecordError { line: place.line, column: place.column, problem: problem.into() }
}
