use crate::words::quoted;
use damka_probe::Cursor;
use std::env;

/// The command that continues this list at a cursor, quoted for a shell.
pub(super) fn continuation(cursor: Cursor) -> String {
    let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    resumed(words, cursor)
}

fn resumed(words: impl Iterator<Item = String>, cursor: Cursor) -> String {
    let mut command = "damka".to_owned();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        if word == "--from" {
            words.next();
        } else if !word.starts_with("--from=") {
            command.push(' ');
            command += &quoted(&word);
        }
    }
    format!("{command} --from {cursor}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_tables::Side;

    #[test]
    fn a_cursor_replaces_the_one_before() {
        let cursor = Cursor { side: Side::First, place: 7 };
        let resumed = |words: &[&str]| resumed(words.iter().map(ToString::to_string), cursor);
        assert_eq!(resumed(&["list", "russian", "KvK"]), "damka list russian KvK --from w7");
        for from in [&["--from", "b1"][..], &["--from=b1"]] {
            let words = [&["list", "thai"][..], from, &["KvK", "--tables", "it's here"]].concat();
            let place = if cfg!(windows) { r#""it's here""# } else { r"'it'\''s here'" };
            let expected = format!("damka list thai KvK --tables {place} --from w7");
            assert_eq!(resumed(&words), expected);
        }
    }
}
