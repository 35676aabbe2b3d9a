use std::io::{self, BufRead, ErrorKind};

/// The maximum length of a line, in bytes: enough for a game of ten thousand moves.
pub(crate) const MAX_LINE: usize = 1 << 16;

/// The byte order mark.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// A piece of input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, without its line break and without a byte order mark, which some shells write before
    /// the first one. Invalid UTF-8 is replaced.
    Line(String),
    /// A line that is longer than [`MAX_LINE`].
    TooLong,
    /// The end of the input.
    End,
}

/// Reads a line. The last one may lack a line break.
///
/// # Errors
/// The input cannot be read.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Input> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let found = match input.fill_buf() {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let is_end = found.is_empty();
        if is_end && line.is_empty() && !is_too_long {
            return Ok(Input::End);
        }
        let end = found.iter().position(|&byte| byte == b'\n');
        let part = &found[..end.unwrap_or(found.len())];
        is_too_long |= line.len() + part.len() > MAX_LINE;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        let read = part.len() + usize::from(end.is_some());
        input.consume(read);
        if end.is_some() || is_end {
            return Ok(match is_too_long {
                true => Input::TooLong,
                false => {
                    let text = line.strip_prefix(MARK).unwrap_or(&line);
                    Input::Line(String::from_utf8_lossy(text).into_owned())
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor};

    #[test]
    fn lines_are_split_at_line_breaks() {
        let text =
            ["\u{FEFF}hub".as_bytes(), b"\n\xFF\0\n", &vec![b'x'; MAX_LINE + 1], b"\nping\nqui"]
                .concat();
        for size in [1, 7, 1 << 20] {
            let mut input = BufReader::with_capacity(size, Cursor::new(&text));
            let mut next = || read(&mut input).unwrap();
            assert_eq!(next(), Input::Line("hub".into()));
            assert_eq!(next(), Input::Line("\u{FFFD}\0".into()));
            assert_eq!(next(), Input::TooLong);
            assert_eq!(next(), Input::Line("ping".into()));
            assert_eq!(next(), Input::Line("qui".into()));
            assert_eq!(next(), Input::End);
        }
    }
}
