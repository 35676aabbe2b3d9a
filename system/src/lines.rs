use std::io::{self, BufRead, ErrorKind};

/// The maximum length of a line of [`read_line`], in bytes, without its line break: enough for a game of ten
/// thousand moves.
pub const MAX_LINE: usize = 1 << 16;

/// A piece of input.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// A line, without its line break.
    Line(Vec<u8>),
    /// A line that is longer than [`MAX_LINE`].
    TooLong,
    /// The end of the input.
    End,
}

/// Reads a line. The last one may lack a line break. A line that is too long is read to its end, but not held
/// in memory.
///
/// # Errors
/// The input cannot be read.
pub fn read_line(input: &mut impl BufRead) -> io::Result<InputLine> {
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
            return Ok(InputLine::End);
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
            return Ok(if is_too_long { InputLine::TooLong } else { InputLine::Line(line) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor, Read};

    #[test]
    fn lines_are_split_at_line_breaks() {
        let fits = vec![b'x'; MAX_LINE];
        let text = [b"hub\r\n\n\xFF\0\n", &fits[..], b"\nx", &fits, b"\nping\nqui"].concat();
        for size in [1, 7, 1 << 20] {
            let mut input = BufReader::with_capacity(size, Cursor::new(&text));
            let mut next = || read_line(&mut input).expect("input in memory");
            let line = |bytes: &[u8]| InputLine::Line(bytes.to_vec());
            assert_eq!(next(), line(b"hub\r"));
            assert_eq!(next(), line(b""));
            assert_eq!(next(), line(b"\xFF\0"));
            assert_eq!(next(), line(&fits));
            assert_eq!(next(), InputLine::TooLong);
            assert_eq!(next(), line(b"ping"));
            assert_eq!(next(), line(b"qui"));
            assert_eq!(next(), InputLine::End);
        }
    }

    #[test]
    fn an_endless_line_is_not_held() {
        let mut endless = BufReader::new(io::repeat(0).take(1 << 26));
        assert_eq!(read_line(&mut endless).expect("zeros"), InputLine::TooLong);
        assert_eq!(read_line(&mut endless).expect("zeros"), InputLine::End);
    }
}
