use std::borrow::Cow;

/// The characters of Windows-1252 in place of the control characters 0x80 to 0x9F.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Decodes a file of games or a list of positions. Many files are not UTF-8, and collections often
/// mix several sources. A text with a byte order mark of UTF-16 is decoded as such; otherwise each
/// line that is not UTF-8 is decoded as Windows-1252. Never fails. Keeps all lines, without the
/// byte order mark.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = utf_16(bytes) {
        return text.into();
    }
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.extend(line.iter().copied().map(windows_1252)),
        }
    }
    text.into()
}

/// The text after a byte order mark of UTF-16, if there is one.
fn utf_16(bytes: &[u8]) -> Option<String> {
    let unit = match bytes {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes[2..].as_chunks().0.iter().map(|&bytes| unit(bytes)).collect();
    Some(String::from_utf16_lossy(&units))
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..0xA0 => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn each_line_has_its_own_encoding() {
        let bytes = b"[White \"Fran\xE7ois\"]\n\xD0\x98\xD0\xB2\xD0\xB0\xD0\xBD\n1. c3\x96d4\n";
        assert_eq!(decode(bytes), "[White \"François\"]\nИван\n1. c3–d4\n");
        assert_eq!(decode("Иван".as_bytes()), "Иван");
    }

    #[test]
    fn marks_of_encodings_are_understood() {
        let text = "1. c3-d4 {Иван}";
        let marked = format!("\u{FEFF}{text}");
        assert_eq!(decode(marked.as_bytes()), text);
        assert_eq!(decode(&[marked.as_bytes(), b"\n\x96"].concat()), format!("{text}\n–"));
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = marked.encode_utf16().flat_map(unit).collect();
            assert_eq!(decode(&bytes), text);
            assert_eq!(decode(&bytes[..3]), "");
        }
    }
}
