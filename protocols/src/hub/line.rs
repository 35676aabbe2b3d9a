use super::HubError;

/// A line of the protocol: a command, and arguments with values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) command: &'a str,
    /// Names and values. Flags have an empty value.
    arguments: Vec<(&'a str, &'a str)>,
}

impl<'a> Line<'a> {
    /// Reads `command name=value name="value in quotes" flag`.
    ///
    /// # Errors
    /// There is no command, a name is missing, or a quote is not closed.
    pub(super) fn parse(text: &'a str) -> Result<Line<'a>, HubError> {
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err(HubError::NoCommand);
        }
        let command = name(&mut rest)?;
        let mut arguments = Vec::new();
        while !rest.is_empty() {
            let name = name(&mut rest)?;
            let value = match rest.strip_prefix('=') {
                None => "",
                Some(after) => {
                    rest = after.trim_start();
                    value(&mut rest)?
                }
            };
            arguments.push((name, value));
        }
        Ok(Line { command, arguments })
    }

    /// The value of an argument, if it is given; if several times, the last.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        let mut arguments = self.arguments.iter().rev();
        arguments.find(|argument| argument.0 == name).map(|argument| argument.1)
    }
}

/// Takes a name and the space after it from the text.
fn name<'a>(rest: &mut &'a str) -> Result<&'a str, HubError> {
    let end = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
    if end == 0 {
        return Err(HubError::unexpected(rest));
    }
    let (name, after) = rest.split_at(end);
    *rest = after.trim_start();
    Ok(name)
}

/// Takes a value and the space after it from the text.
fn value<'a>(rest: &mut &'a str) -> Result<&'a str, HubError> {
    let Some(quoted) = rest.strip_prefix('"') else {
        return name(rest);
    };
    let (value, after) = quoted.split_once('"').ok_or(HubError::OpenQuote)?;
    *rest = after.trim_start();
    Ok(value)
}

/// Whether a value may hold this character without quotes.
fn is_plain(c: char) -> bool {
    !c.is_control() && !c.is_whitespace() && c != '=' && c != '"'
}

/// Writes a value, in quotes if needed. Characters that a value cannot contain are replaced.
pub(super) fn quoted(value: &str) -> String {
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    let inner: String = value
        .chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() => '?',
            c => c,
        })
        .collect();
    format!("\"{inner}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_examples_of_the_protocol_are_read() {
        let line = Line::parse("  id name=Scan version=3.1 author=\"Fabien Letouzey\"").unwrap();
        assert_eq!((line.command, line.get("name")), ("id", Some("Scan")));
        assert_eq!(line.get("author"), Some("Fabien Letouzey"));
        let line = Line::parse("level infinite").unwrap();
        assert_eq!((line.get("infinite"), line.get("depth")), (Some(""), None));
        let line = Line::parse("pos pos = Bee moves=\"38-15 5-41 48-26\"").unwrap();
        assert_eq!(line.get("pos"), Some("Bee"));
        assert_eq!(line.get("moves"), Some("38-15 5-41 48-26"));
        assert_eq!(Line::parse("set-param name=book value=\"\"").unwrap().get("value"), Some(""));
        assert_eq!(Line::parse("go think\r").unwrap().get("think"), Some(""));
    }

    #[test]
    fn invalid_lines_are_errors() {
        assert_eq!(Line::parse(" \t"), Err(HubError::NoCommand));
        assert_eq!(Line::parse("pos moves=\"1-5"), Err(HubError::OpenQuote));
        for text in ["=", "\"", "pos =", "pos a==b", "pos a=", "pos \0", "pos a=\u{7}"] {
            assert!(matches!(Line::parse(text), Err(HubError::Unexpected(_))), "{text:?}");
        }
    }

    #[test]
    fn values_are_quoted_where_needed() {
        assert_eq!(quoted("32-28"), "32-28");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted("a b"), "\"a b\"");
        assert_eq!(quoted("say \"=\"\n"), "\"say '='?\"");
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_again(value in "[^\"\\p{Cc}]*") {
            let text = format!("x a={} b", quoted(&value));
            let line = Line::parse(&text).unwrap();
            prop_assert_eq!((line.get("a"), line.get("b")), (Some(value.as_str()), Some("")));
        }

        #[test]
        fn any_line_is_read_or_refused(text in ".*") {
            let _ = Line::parse(&text);
        }
    }
}
