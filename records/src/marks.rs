//! Strength marks, `!` and `?`, as numeric annotations (NAGs).

/// The annotation for "forced move", whose mark is `*`.
const FORCED: u8 = 7;

/// The marks of annotations 1 to 6.
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Whether strength marks consist of such characters.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '*')
}

/// The annotations that a run of marks stands for.
pub(crate) fn nags(marks: &str) -> impl Iterator<Item = u8> {
    let forced = marks.contains('*').then_some(FORCED);
    let strength: String = marks.chars().filter(|&c| c != '*').take(2).collect();
    let strength = MARKS.iter().position(|&mark| mark == strength);
    forced.into_iter().chain(strength.map(|index| index as u8 + 1))
}

/// The mark that stands for an annotation. `*` is no longer written: a reader
/// might take it for the end of the game.
pub(crate) fn mark(nag: u8) -> Option<&'static str> {
    MARKS.get(usize::from(nag).checked_sub(1)?).copied()
}
