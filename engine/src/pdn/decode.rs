use std::borrow::Cow;

/// What Windows-1252 has in place of the control characters 0x80 to 0x9F.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The text of a PDN file. Many are not UTF-8, and collections are often glued
/// together from several sources: each line that is not UTF-8 is taken for
/// Windows-1252. This never fails and keeps the lines as they are.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
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
}
