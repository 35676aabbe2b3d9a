//! Reads standard input line by line.

use crate::failure::Failure;
use std::io::{self, BufRead, StdinLock};

/// The maximum length of a line, in bytes. No valid input is longer.
const LONGEST: usize = 1 << 16;

/// The byte order mark that some editors put at the start of UTF-8 files.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line of the input.
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The line, trimmed, or an error.
    pub(crate) text: Result<String, Failure>,
}

/// The lines of an input. Only the beginning of a line that is too long is held in memory.
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

    /// Reads a line with its end. Returns whether it fits. At the end of the input the line is empty.
    fn take_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let mut is_whole = true;
        loop {
            let found = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                found => found?,
            };
            let end = found.iter().position(|&byte| byte == b'\n');
            let taken = end.map_or(found.len(), |end| end + 1);
            is_whole &= line.len() + taken <= LONGEST;
            if is_whole {
                line.extend_from_slice(&found[..taken]);
            }
            self.input.consume(taken);
            if end.is_some() || taken == 0 {
                return Ok(is_whole);
            }
        }
    }

    fn next_line(&mut self) -> Result<Option<Line>, Failure> {
        let mut bytes = Vec::new();
        let is_whole = self.take_line(&mut bytes);
        let is_whole =
            is_whole.map_err(|error| Failure::System(format!("standard input: {error}")))?;
        if is_whole && bytes.is_empty() {
            return Ok(None);
        }
        self.read += 1;
        let mut bytes = &bytes[..];
        if self.read == 1 {
            if bytes.starts_with(b"\xFE\xFF") || bytes.starts_with(b"\xFF\xFE") {
                let message = "standard input is UTF-16: expected UTF-8";
                return Err(Failure::Input(message.to_owned()));
            }
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        let text = match is_whole {
            // Invalid UTF-8 is replaced, so that only this line is refused, when it is parsed.
            true => Ok(String::from_utf8_lossy(bytes).trim().to_owned()),
            false => Err(Failure::Input(format!("the line is longer than {LONGEST} bytes"))),
        };
        Ok(Some(Line { number: self.read, text }))
    }
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
    use std::io::Read;

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
    fn a_long_line_is_passed_over_and_never_held() {
        let fits = "x".repeat(LONGEST - 1) + "\n";
        assert_eq!(texts(fits.as_bytes())[0].as_deref(), Some(fits.trim_end()));
        assert_eq!(texts(format!("x{fits}y").as_bytes()), [None, Some("y".to_owned())]);
        let endless = io::BufReader::with_capacity(LONGEST, io::repeat(0).take(1 << 26));
        let mut lines = Lines::new(endless);
        assert!(lines.next().is_some_and(|line| line.is_ok_and(|line| line.text.is_err())));
        assert!(lines.next().is_none());
    }

    #[test]
    fn another_encoding_is_reported() {
        for bytes in [b"\xFF\xFEa\0\n\0", b"\xFE\xFF\0a\0\n"] {
            let message = Lines::new(&bytes[..]).next().and_then(|line| line.err()?.message());
            assert!(message.is_some_and(|message| message.contains("UTF-16")));
        }
    }
}
