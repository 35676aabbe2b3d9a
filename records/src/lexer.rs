use crate::{GameResult, RecordProblem, marks, tags};

/// A limit that no move exceeds: a capture of 12 pieces has 38 characters.
const LONGEST_WORD: usize = 100;
/// The maximum number of digits of a move number without a dot.
const LONGEST_NUMBER: usize = 3;
/// Redundant suffixes of chess moves.
const EN_PASSANT: &str = "e.p.";
/// The maximum number of characters that an error quotes.
const QUOTED: usize = 60;

/// A location in the text. Lines and columns count from 1; columns are in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

const START: Location = Location { line: 1, column: 1 };

/// White space within a line.
const BLANKS: [char; 2] = [' ', '\t'];

/// The byte order mark and the end-of-file mark of DOS, which remain where files are joined.
const FILE_MARKS: [char; 2] = ['\u{FEFF}', '\u{1A}'];

/// A token with its place.
#[derive(Debug)]
pub(crate) struct Token<'a> {
    pub(crate) place: Location,
    /// Whether it follows an empty line or the start of the text.
    pub(crate) after_blank: bool,
    pub(crate) kind: Result<Kind<'a>, RecordProblem>,
}

/// The kinds of token. Move numbers are skipped.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Tag {
        name: &'a str,
        value: String,
    },
    Comment(String),
    /// `(` and `)` around a variation.
    Open,
    Close,
    Nag(u8),
    /// Strength marks separate from a move.
    Marks(&'a str),
    Move {
        text: String,
        marks: &'a str,
    },
    Result(GameResult),
}

/// Splits a text into tokens, in time proportional to its length for any text.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    /// The rest of the text.
    rest: &'a str,
    place: Location,
}

impl Token<'_> {
    /// Whether the tags of another game begin here.
    pub(crate) fn begins_game(&self) -> bool {
        match self.kind {
            Ok(Kind::Tag { .. }) => true,
            Err(RecordProblem::BadTag(_)) => self.after_blank,
            _ => false,
        }
    }
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { rest: text, place: START }
    }

    /// The next token; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let lines = self.skip_space();
            let place = self.place;
            let kind = match self.rest.chars().next()? {
                '[' => self.tag(lines > 0),
                '{' => self.comment(),
                ';' => Ok(Kind::Comment(tidy(&self.take_line()[1..]))),
                '(' => Ok(self.open()),
                '$' => self.nag(),
                ')' => {
                    self.take(1);
                    Ok(Kind::Close)
                }
                '}' => {
                    self.take(1);
                    Err(RecordProblem::UnopenedComment)
                }
                _ => match self.word().transpose() {
                    Some(kind) => kind,
                    None => continue,
                },
            };
            return Some(Token { place, after_blank: lines > 1, kind });
        }
    }

    /// Consumes this many bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        for (i, c) in taken.char_indices() {
            let ends_line = match c {
                '\n' => true,
                '\r' => !self.rest[i + 1..].starts_with('\n'),
                _ => false,
            };
            match ends_line {
                true => self.place = Location { line: self.place.line + 1, column: 1 },
                false => self.place.column += usize::from(!FILE_MARKS.contains(&c)),
            }
        }
        self.rest = rest;
        taken
    }

    /// Consumes the rest of the line.
    fn take_line(&mut self) -> &'a str {
        self.take(self.rest.find(['\n', '\r']).unwrap_or(self.rest.len()))
    }

    /// Skips white space and lines that begin with `%`. Returns the number of line ends, and 2 more
    /// at the start of the text, which is treated like an empty line.
    fn skip_space(&mut self) -> usize {
        let above = if self.place == START { 2 } else { 0 };
        let line = self.place.line;
        loop {
            self.take(leading(self.rest, is_space));
            if self.place.column > 1 || !self.rest.starts_with('%') {
                return above + self.place.line - line;
            }
            self.take_line();
        }
    }

    /// Reads a tag. If it is malformed, the error covers the rest of the line, provided that it can
    /// only be a tag; otherwise it covers only the bracket.
    fn tag(&mut self, first_in_line: bool) -> Result<Kind<'a>, RecordProblem> {
        let tag = tag_name(self.rest).map(|(name, value)| (name, tag_value(value)));
        if let Some((name, Some((value, rest)))) = tag {
            self.take(self.rest.len() - rest.len());
            return Ok(Kind::Tag { name, value });
        }
        let bad = match first_in_line || tag.is_some() {
            true => self.take_line(),
            false => self.take(1),
        };
        Err(RecordProblem::BadTag(quote(bad)))
    }

    /// Reads a comment in braces. An unclosed comment ends before the next tags after an empty
    /// line, so that it affects one game only.
    fn comment(&mut self) -> Result<Kind<'a>, RecordProblem> {
        let inside = &self.rest[1..];
        // The line break before the current line, if this line is empty so far.
        let mut empty_line = None;
        for (i, c) in inside.char_indices() {
            match c {
                '}' => {
                    self.take(i + 2);
                    return Ok(Kind::Comment(tidy(&inside[..i])));
                }
                '\n' => {
                    let next = inside[i + 1..].trim_start_matches(BLANKS);
                    match empty_line {
                        Some(before) if tag_name(next).is_some() => {
                            self.take(1 + before);
                            return Err(RecordProblem::UnclosedComment);
                        }
                        before => empty_line = before.or(Some(i)),
                    }
                }
                c if c.is_whitespace() => {}
                _ => empty_line = None,
            }
        }
        self.take(self.rest.len());
        Err(RecordProblem::UnclosedComment)
    }

    /// Reads the start of a variation, or strength marks in parentheses.
    fn open(&mut self) -> Kind<'a> {
        self.take(1);
        let marks = self.rest.find(|c| !marks::is_mark(c)).unwrap_or(0);
        if marks > 0 && self.rest[marks..].starts_with(')') {
            let marks = self.take(marks);
            self.take(1);
            return Kind::Marks(marks);
        }
        Kind::Open
    }

    fn nag(&mut self) -> Result<Kind<'a>, RecordProblem> {
        let digits = leading(&self.rest[1..], |c| c.is_ascii_digit());
        let nag = self.take(1 + digits);
        nag[1..].parse().map(Kind::Nag).map_err(|_| RecordProblem::BadNag(quote(nag)))
    }

    /// Reads a move or a result. Skips a move number and the suffix for en passant.
    fn word(&mut self) -> Result<Option<Kind<'a>>, RecordProblem> {
        let digits = leading(self.rest, |c| c.is_ascii_digit());
        let dots = leading(&self.rest[digits..], |c| matches!(c, '.' | '…'));
        if dots > 0 {
            self.take(digits + dots);
            return Ok(None);
        }
        let word = self.take(leading(self.rest, is_in_word));
        let is_number = word.len() == digits && digits <= LONGEST_NUMBER;
        if word == EN_PASSANT || is_number && self.move_follows() {
            return Ok(None);
        }
        if word.len() > LONGEST_WORD {
            return Err(RecordProblem::TooLong(quote(word)));
        }
        if word.starts_with("/FEN") {
            return Err(RecordProblem::SetUp);
        }
        if let Some(result) = GameResult::parse(word) {
            return Ok(Some(Kind::Result(result)));
        }
        let (text, marks) = word.split_at(word.trim_end_matches(marks::is_mark).len());
        Ok(Some(match text {
            "" => Kind::Marks(marks),
            _ => Kind::Move { text: text.replace('*', "x"), marks },
        }))
    }

    /// Whether the next word is more than a number. If so, a number before it may be a move number;
    /// otherwise both might be squares.
    fn move_follows(&self) -> bool {
        let next = self.rest.trim_start_matches(is_space);
        next.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(is_in_word)
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || FILE_MARKS.contains(&c)
}

fn is_in_word(c: char) -> bool {
    !is_space(c) && !matches!(c, '{' | '}' | '(' | ')' | '[' | ';' | '$')
}

/// The length in bytes of the longest prefix of characters that `accepts` accepts.
fn leading(text: &str, accepts: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accepts(c)).unwrap_or(text.len())
}

/// The name of the tag that begins here, and the text from its value.
fn tag_name(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('[')?.trim_start_matches(BLANKS);
    let (name, rest) = text.split_at(leading(text, tags::is_in_name));
    let value = rest.trim_start_matches(BLANKS).strip_prefix('"')?;
    (!name.is_empty()).then_some((name, value))
}

/// A tag's value and the text after the tag. The value ends at the first quotation mark before a
/// bracket, because many programs do not escape quotation marks inside.
fn tag_value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.chars();
    loop {
        let c = match chars.next()? {
            '\n' | '\r' => return None,
            '\\' if chars.as_str().starts_with(['"', '\\']) => chars.next()?,
            '"' => match chars.as_str().trim_start_matches(BLANKS).strip_prefix(']') {
                Some(rest) => return Some((value, rest)),
                None => '"',
            },
            c => c,
        };
        value.push(c);
    }
}

/// The words of a comment, separated by single spaces.
fn tidy(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text, for errors.
pub(crate) fn quote(text: &str) -> String {
    text.trim_end().chars().take(QUOTED).collect()
}
