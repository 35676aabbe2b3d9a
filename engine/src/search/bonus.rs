//! The values of all history heuristics.

/// A history value is between this and its negative.
pub(super) const MAX_HISTORY: i16 = 1 << 13;

/// Adds `bonus` to a history value, scaled down as the value approaches its limit.
pub(super) fn add_bonus(value: &mut i16, bonus: i16) {
    let decay = i32::from(*value) * i32::from(bonus.abs()) / i32::from(MAX_HISTORY);
    *value += bonus - decay as i16;
}
