use damka_system::{InputLine, read_line};
use std::io::{self, BufRead};

/// The byte order mark.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// A piece of input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, without its line break and without a byte order mark, which some shells write before
    /// the first one. Invalid UTF-8 is replaced.
    Line(String),
    /// A line that is longer than [`MAX_LINE`](damka_system::MAX_LINE).
    TooLong,
    /// The end of the input.
    End,
}

/// Reads a line. The last one may lack a line break.
///
/// # Errors
/// The input cannot be read.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Input> {
    Ok(match read_line(input)? {
        InputLine::Line(line) => {
            let text = line.strip_prefix(MARK).unwrap_or(&line);
            Input::Line(String::from_utf8_lossy(text).into_owned())
        }
        InputLine::TooLong => Input::TooLong,
        InputLine::End => Input::End,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_text() {
        let mut input = &b"\xEF\xBB\xBFhub\n\n\xFF\0\nqui"[..];
        let mut next = || read(&mut input).expect("input in memory");
        assert_eq!(next(), Input::Line("hub".into()));
        assert_eq!(next(), Input::Line(String::new()));
        assert_eq!(next(), Input::Line("\u{FFFD}\0".into()));
        assert_eq!(next(), Input::Line("qui".into()));
        assert_eq!(next(), Input::End);
    }
}
