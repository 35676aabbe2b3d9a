//! Positions pasted from PDN and PGN: `[FEN "B:W18,K10:B12."] *`.

use crate::{FenError, FenProblem};
use std::ops::Range;

/// What may follow the tags: the end of a game without moves.
const RESULTS: [&str; 8] = ["*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"];

/// The range of the FEN in a text: the value of the tag `FEN` if the text begins with tags,
/// otherwise the whole text. Quotation marks may be missing, because shells remove unprotected
/// ones.
pub(crate) fn fen(text: &str) -> Result<Range<usize>, FenError> {
    let expected = |at: usize, wanted| {
        let found = text[at..].trim_end().to_owned();
        FenError::at(1 + text[..at].chars().count(), FenProblem::Unexpected(found, wanted))
    };
    let is_tagged = text.trim_start().starts_with('[');
    if !is_tagged {
        return Ok(0..text.len());
    }
    let mut found = None;
    let mut at = text.len() - text.trim_start().len();
    while text[at..].starts_with('[') {
        let Some(Tag { name, value, end }) = tag(text, at) else {
            return Err(expected(at, "a tag `[FEN \"...\"]`"));
        };
        let is_fen = text[name].eq_ignore_ascii_case("FEN");
        if is_fen && found.replace(value).is_some() {
            return Err(expected(at, "one tag `[FEN \"...\"]`, not two,"));
        }
        at = text.len() - text[end..].trim_start().len();
    }
    let rest = text[at..].trim_end();
    if !rest.is_empty() && !RESULTS.contains(&rest) {
        return Err(expected(at, "`*` or the end, no moves,"));
    }
    found.ok_or_else(|| expected(0, "a tag `[FEN \"...\"]`"))
}

/// A tag, as the ranges of its parts in a text.
struct Tag {
    name: Range<usize>,
    value: Range<usize>,
    end: usize,
}

/// Parses the tag whose bracket is at `start`.
fn tag(text: &str, start: usize) -> Option<Tag> {
    let inside = &text[start + 1..];
    let skipped = inside.len() - inside.trim_start().len();
    let inside = &inside[skipped..];
    let start = start + 1 + skipped;
    let name = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let rest = inside[name..].trim_start();
    let value = start + inside.len() - rest.len();
    let (value, length) = match rest.strip_prefix('"') {
        Some(rest) => (value + 1, rest.find('"')?),
        None => (value, rest.find(']')?),
    };
    let after = text[value + length..].trim_start_matches('"').trim_start();
    let end = text.len() - after.strip_prefix(']')?.len();
    (length > 0).then_some(Tag { name: start..start + name, value: value..value + length, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fen_is_found_among_tags() {
        for text in [
            "B:W18",
            "[FEN \"B:W18\"]",
            "  [fen   \"B:W18\" ] \r\n",
            "[FEN B:W18]",
            "[FEN \"B:W18\"] *",
            "[FEN B:W18] *",
            "\n[FEN \"B:W18\"]\n*\n",
            "[Event \"a [b]\"]\r\n[Result \"*\"]\r\n[FEN \"B:W18\"]\r\n[SetUp \"1\"]\r\n1/2-1/2\r\n",
        ] {
            assert_eq!(fen(text).map(|found| &text[found]), Ok("B:W18"), "{text}");
        }
    }

    #[test]
    fn errors_have_the_place_of_the_problem() {
        for (text, at) in [
            ("[FEN \"B:W18\"] 1. 11-15 *", 15),
            ("[FEN \"B:W18\"] [FEN \"B:W17\"]", 15),
            ("é[", 0),
            (" [Event \"é\"] [FEN", 14),
            ("[Event \"B:W18\"]", 1),
            ("[FEN]", 1),
            ("[FEN \"\"]", 1),
            ("[", 1),
            ("[é]", 1),
        ] {
            assert_eq!(fen(text).err().map_or(0, |error| error.at), at, "{text}");
        }
    }
}
