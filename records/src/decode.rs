use std::borrow::Cow;

/// The characters of Windows-1252 in place of the control characters 0x80 to 0x9F.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The upper half of Windows-1251 up to the letters А to я.
#[rustfmt::skip]
const WINDOWS_1251: [char; 64] = [
    'Ђ', 'Ѓ', '‚', 'ѓ', '„', '…', '†', '‡', '€', '‰', 'Љ', '‹', 'Њ', 'Ќ', 'Ћ', 'Џ',
    'ђ', '‘', '’', '“', '”', '•', '–', '—', '\u{98}', '™', 'љ', '›', 'њ', 'ќ', 'ћ', 'џ',
    '\u{A0}', 'Ў', 'ў', 'Ј', '¤', 'Ґ', '¦', '§', 'Ё', '©', 'Є', '«', '¬', '\u{AD}', '®', 'Ї',
    '°', '±', 'І', 'і', 'ґ', 'µ', '¶', '·', 'ё', '№', 'є', '»', 'ј', 'Ѕ', 'ѕ', 'ї',
];

/// The text of a file of games, or of a list of positions. Many files are not UTF-8, and
/// collections are often glued together from several sources: each line that is not UTF-8 is read
/// as Windows-1251 if the file looks Cyrillic, otherwise as Windows-1252. A file that begins with
/// the byte order mark of UTF-16 is read as UTF-16. Decoding never fails and keeps the line breaks;
/// a byte order mark at the beginning is dropped.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = utf_16(bytes) {
        return text.into();
    }
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        return text.into();
    }
    let lines = || bytes.split_inclusive(|&byte| byte == b'\n');
    let one_byte = lines().filter(|line| str::from_utf8(line).is_err());
    let letter = if looks_cyrillic(one_byte) { windows_1251 } else { windows_1252 };
    let mut text = String::with_capacity(bytes.len());
    for line in lines() {
        match str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.extend(line.iter().copied().map(letter)),
        }
    }
    text.into()
}

/// Whether text in a one-byte encoding is Cyrillic. Cyrillic letters beyond ASCII come in words, or
/// before a digit or a colon as in a move; in Western languages most stand alone among ASCII letters.
fn looks_cyrillic<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let is_letter = |byte: u8| byte >= 0xC0 || matches!(byte, 0xA8 | 0xB8);
    let (mut letters, mut in_words) = (0u64, 0u64);
    for line in lines {
        for (at, _) in line.iter().enumerate().filter(|&(_, &byte)| is_letter(byte)) {
            let before = at.checked_sub(1).is_some_and(|before| is_letter(line[before]));
            let after = line.get(at + 1).copied().unwrap_or(b' ');
            letters += 1;
            in_words += u64::from(before || is_letter(after) || matches!(after, b'0'..=b':'));
        }
    }
    2 * in_words > letters
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

fn windows_1251(byte: u8) -> char {
    match byte {
        0x80..0xC0 => WINDOWS_1251[usize::from(byte - 0x80)],
        0xC0.. => char::from_u32(0x410 + u32::from(byte - 0xC0)).unwrap_or('?'),
        _ => char::from(byte),
    }
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

    /// Written by `iconv -t cp1251`.
    #[test]
    fn russian_files_are_windows_1251() {
        let bytes = b"[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]\n1. c3-d4 \xF1d6-e5 {\xB9 1, \xB8\xEB\xEA\xE0}\n";
        assert_eq!(decode(bytes), "[White \"Иванов\"]\n1. c3-d4 сd6-e5 {№ 1, ёлка}\n");
        // A single Cyrillic letter: no French word continues with a digit.
        assert_eq!(decode(b"1. \xF13-d4\n"), "1. с3-d4\n");
        // German, French and Portuguese names are not Cyrillic.
        let western =
            b"[White \"M\xFCller\"]\n[Black \"Fran\xE7ois\"]\n[Site \"S\xE3o Jo\xE3o\"]\n";
        assert!(decode(western).contains("Müller") && decode(western).contains("São João"));
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
