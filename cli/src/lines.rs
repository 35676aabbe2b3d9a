//! Reads standard input line by line.

use crate::failure::Failure;
use damka_system::{InputLine, MAX_LINE, read_line};
use std::io::{self, BufRead, StdinLock};

/// The byte order mark that some editors put at the start of UTF-8 files.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line of the input.
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The line, trimmed, or an error.
    pub(crate) text: Result<String, Failure>,
}

/// The lines of an input.
pub(crate) struct Lines<R> {
    input: R,
    /// How many lines have been read.
    read: usize,
}

/// The lines of standard input.
pub(crate) fn lines() -> Lines<StdinLock<'static>> {
    Lines::new(io::stdin().lock())
}

impl<R: BufRead> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines { input, read: 0 }
    }

    fn next_line(&mut self) -> Result<Option<Line>, Failure> {
        let line = read_line(&mut self.input);
        let line =
            match line.map_err(|error| Failure::System(format!("standard input: {error}")))? {
                InputLine::Line(line) => Some(line),
                InputLine::TooLong => None,
                InputLine::End => return Ok(None),
            };
        self.read += 1;
        let text = match &line {
            Some(bytes) if self.read == 1 && is_utf16(bytes) => {
                let message = "standard input is UTF-16: expected UTF-8";
                return Err(Failure::Input(message.to_owned()));
            }
            Some(bytes) => {
                let mark = if self.read == 1 { BYTE_ORDER_MARK } else { &[] };
                let bytes = bytes.strip_prefix(mark).unwrap_or(bytes);
                // Invalid UTF-8 is replaced, so that only this line is refused, when it is parsed.
                Ok(String::from_utf8_lossy(bytes).trim().to_owned())
            }
            None => Err(Failure::Input(format!("the line is longer than {MAX_LINE} bytes"))),
        };
        Ok(Some(Line { number: self.read, text }))
    }
}

/// Whether a file with these first bytes is UTF-16.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFE\xFF") || bytes.starts_with(b"\xFF\xFE")
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line, Failure>;

    fn next(&mut self) -> Option<Result<Line, Failure>> {
        self.next_line().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &[u8]) -> Vec<Option<String>> {
        let lines = Lines::new(input).enumerate();
        let numbered = lines.map(|(place, line)| {
            let line = line.unwrap_or_else(|failure| panic!("{:?}", failure.message()));
            assert_eq!(line.number, place + 1);
            line.text.ok()
        });
        numbered.collect()
    }

    #[test]
    fn lines_end_as_files_have_them() {
        let some = |texts: &[&str]| -> Vec<_> {
            texts.iter().map(|text| Some((*text).to_owned())).collect()
        };
        assert_eq!(texts(b""), []);
        assert_eq!(texts(b"a\r\n\n b"), some(&["a", "", "b"]));
        assert_eq!(texts(b"a\xFF\n"), some(&["a\u{FFFD}"]));
        assert_eq!(texts(b"\xEF\xBB\xBFa\n\xEF\xBB\xBFa\n"), some(&["a", "\u{FEFF}a"]));
    }

    #[test]
    fn a_long_line_is_passed_over() {
        let fits = "x".repeat(MAX_LINE) + "\n";
        assert_eq!(texts(fits.as_bytes())[0].as_deref(), Some(fits.trim_end()));
        assert_eq!(texts(format!("x{fits}y").as_bytes()), [None, Some("y".to_owned())]);
    }

    #[test]
    fn another_encoding_is_reported() {
        for bytes in [b"\xFF\xFEa\0\n\0", b"\xFE\xFF\0a\0\n"] {
            let message = Lines::new(&bytes[..]).next().and_then(|line| line.err()?.message());
            assert!(message.is_some_and(|message| message.contains("UTF-16")));
        }
    }
}
