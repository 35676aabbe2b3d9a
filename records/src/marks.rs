//! Strength marks, `!` and `?`, as numeric annotations (NAGs).

/// The annotation for "forced move", whose mark is `*`.
const FORCED: u8 = 7;

/// The marks of annotations 1 to 6.
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Whether the character occurs in strength marks.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '*')
}

/// The annotations of a run of marks.
pub(crate) fn nags(marks: &str) -> impl Iterator<Item = u8> {
    let forced = marks.contains('*').then_some(FORCED);
    let strength: String = marks.chars().filter(|&c| c != '*').take(2).collect();
    let strength = MARKS.iter().position(|&mark| mark == strength);
    forced.into_iter().chain(strength.map(|index| index as u8 + 1))
}

/// The mark of an annotation. `*` is not written, because it could be read as the end of the game.
pub(crate) fn mark(nag: u8) -> Option<&'static str> {
    MARKS.get(usize::from(nag).checked_sub(1)?).copied()
}
