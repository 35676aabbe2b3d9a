//! Values as bytes, for rows of positions that are worked on side by side.
//!
//! Bytes are ordered as values are, so that the best successor is a minimum: a
//! loss in p plies is p / 2, a draw 127, a win in p plies 254 - (p - 1) / 2. A
//! table without distances uses the ends of the scale.

use damka_tables::{Value, Wdl};

/// No successor, or no value. As the best of no successors it turns out as a
/// position that has been lost.
pub(super) const NONE: u8 = 255;
pub(super) const DRAW: u8 = 127;
/// Lost already, and the value of every loss when distances do not count.
pub(super) const LOSS: u8 = 0;
/// Won in one ply, and the value of every win when distances do not count.
pub(super) const WIN: u8 = 254;

/// The longest distance that can be solved: the move before it would not fit.
pub(super) const LONGEST: u16 = 252;

/// What the best successor, the one with the least score, is worth to the side
/// that can go there.
#[inline(always)]
pub(super) fn before_move(least: u8) -> u8 {
    // Losses and draws: 254 - score. A win takes one ply more than its number
    // of full moves says. NONE becomes LOSS.
    254u8.wrapping_sub(least).wrapping_add(u8::from(least > DRAW))
}

/// Whether a position can have this score: there is one too many for wins that can be
/// solved.
#[inline(always)]
pub(super) fn is_value(score: u8) -> bool {
    score != NONE && score != DRAW + 1
}

/// The score without its distance.
#[inline(always)]
pub(super) fn without_distance(score: u8) -> u8 {
    match score {
        0..DRAW => LOSS,
        DRAW => DRAW,
        _ => WIN,
    }
}

/// The same where there may be none.
#[inline(always)]
pub(super) fn without_distance_or_none(score: u8) -> u8 {
    if score == NONE { NONE } else { without_distance(score) }
}

/// The score of what is decided in `plies`.
#[inline]
pub(super) fn decided(plies: u16) -> u8 {
    match plies.is_multiple_of(2) {
        true => (plies / 2) as u8,
        false => WIN - (plies / 2) as u8,
    }
}

/// The value with this score.
#[inline]
pub(super) fn value(score: u8) -> Value {
    match score {
        0..DRAW => Value::decided(2 * u16::from(score)),
        DRAW => Value::DRAW,
        NONE => Value::DONT_CARE,
        _ => Value::decided(2 * u16::from(WIN - score) + 1),
    }
}

/// The score of a value with or without distance; `None` if it does not fit.
#[inline]
pub(super) fn of(value: Value) -> Option<u8> {
    match (value.wdl(), value.plies()) {
        (Wdl::Draw, _) => Some(DRAW),
        (_, Some(plies)) if plies <= LONGEST => Some(decided(plies)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_as_values_are() {
        let values: Vec<Value> = (0..=NONE).filter(|&score| is_value(score)).map(value).collect();
        assert_eq!(values.len(), 2 * usize::from(LONGEST / 2 + 1));
        assert!(values.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn scores_follow_values_through_a_move() {
        for plies in 0..LONGEST {
            let after = Value::decided(plies);
            let score = of(after).expect("it fits");
            assert_eq!(value(score), after);
            assert_eq!(value(before_move(score)), after.before_move());
            assert_eq!(value(without_distance(score)), after.without_distance());
        }
        assert_eq!(value(before_move(DRAW)), Value::DRAW);
        assert_eq!(value(before_move(NONE)), Value::LOST);
        assert_eq!(of(Value::decided(LONGEST + 1)), None);
    }
}
