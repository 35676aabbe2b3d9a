/// Escapes characters of untrusted text that are invisible or affect other output: control
/// characters, terminal escapes, marks of writing direction. The result is a single line.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_hidden = c.is_control()
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
        match is_hidden {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// Untrusted text as quoted in errors: [`printable`], and at most 60 characters.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    const MORE: &str = "...";
    // Do not process what is cut off: the text may have any length.
    let end = text.char_indices().nth(LONGEST + 1).map_or(text.len(), |(end, _)| end);
    let shown = printable(&text[..end]);
    match shown.char_indices().nth(LONGEST) {
        Some(_) => shown.chars().take(LONGEST - MORE.len()).chain(MORE.chars()).collect(),
        None => shown,
    }
}

/// The Latin letter or ASCII sign that looks like this character, if it is a Cyrillic letter such
/// as `а`, a dash or a multiplication sign. Other characters are returned unchanged.
///
/// With a Russian keyboard the two alphabets are easily mixed up.
pub(crate) fn latin(c: char) -> char {
    match c {
        'а' => 'a',
        'А' => 'A',
        'В' => 'B',
        'с' => 'c',
        'С' => 'C',
        'е' => 'e',
        'Е' => 'E',
        'Н' => 'H',
        'К' => 'K',
        'о' => 'o',
        'О' => 'O',
        'х' | '×' => 'x',
        'Х' => 'X',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hidden_is_printed() {
        assert_eq!(printable("W:Wa1:Bb8, Дамка"), "W:Wa1:Bb8, Дамка");
        assert_eq!(printable("\x1b[2J\x1b]0;x\x07\r\n"), "\\u{1b}[2J\\u{1b}]0;x\\u{7}\\r\\n");
        assert_eq!(printable("\u{202E}\u{9b}"), "\\u{202e}\\u{9b}");
    }

    #[test]
    fn quotes_are_short() {
        let dots = |text: &str| format!("{text}...");
        assert_eq!(excerpt(&"x".repeat(60)), "x".repeat(60));
        assert_eq!(excerpt(&"x".repeat(61)), dots(&"x".repeat(57)));
        assert_eq!(excerpt(&"ж".repeat(1 << 20)), dots(&"ж".repeat(57)));
        assert_eq!(excerpt(&"\0".repeat(40)).chars().count(), 60);
    }
}
