//! The values of the history heuristics, and how they change.

/// A history value is between this and its negative.
pub(super) const MAX_HISTORY: i16 = 1 << 13;

/// Adds `bonus` to a history value, and subtracts a part of the value in proportion to the bonus, so that
/// the value stays within its limits (history gravity).
pub(super) fn add_bonus(value: &mut i16, bonus: i16) {
    let decay = i32::from(*value) * i32::from(bonus.abs()) / i32::from(MAX_HISTORY);
    *value += bonus - decay as i16;
}
