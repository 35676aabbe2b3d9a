//! Scores: values as single bytes, so that vector instructions process many positions at once.
//!
//! Scores are ordered like values, so the best successor is a minimum: a loss in p plies is p / 2,
//! a draw is 127, a win in p plies is 254 - (p - 1) / 2. Without distances only the two ends of the
//! scale and the draw occur.

use damka_tables::metric::{Metric, pack_two_bits};
use damka_tables::{Value, Wdl};

/// No successor or no value. [`before_move`] would turn it into LOSS; its callers exclude it.
pub(super) const NONE: u8 = 255;
pub(super) const DRAW: u8 = 127;
/// Lost in 0 plies; every loss in scores without distances.
pub(super) const LOSS: u8 = 0;
/// Won in 1 ply; every win in scores without distances.
pub(super) const WIN: u8 = 254;

/// The longest distance in plies that can be solved. A win in one ply more has a score, but the loss
/// before it has none.
pub(super) const MAX_PLIES: u16 = 252;

/// The score of a win in one ply more than [`MAX_PLIES`]. The method of chess accepts such wins in a
/// signature that no other signature looks up.
pub(super) const SLOWEST_WIN: u8 = DRAW + 1;

/// The shortest loss, in plies, without a score of its own: its score would equal DRAW. The method of
/// chess records such losses separately.
pub(super) const SLOWEST_LOSS: u16 = MAX_PLIES + 2;

/// The score of a position whose best successor, the one with the lowest score, has score `best`.
#[inline(always)]
pub(super) fn before_move(best: u8) -> u8 {
    // Losses and draws become 254 - score. The score of a win counts full moves, so the loss before
    // it takes one more. NONE becomes LOSS.
    254u8.wrapping_sub(best).wrapping_add(u8::from(best > DRAW))
}

/// Whether a solved position can have this score. Excludes NONE and [`SLOWEST_WIN`], whose distance
/// is too long.
#[inline(always)]
pub(super) fn is_value(score: u8) -> bool {
    score != NONE && score != SLOWEST_WIN
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

/// Like [`without_distance`], but leaves NONE unchanged.
#[inline(always)]
pub(super) fn without_distance_or_none(score: u8) -> u8 {
    if score == NONE { NONE } else { without_distance(score) }
}

/// The score of a win or loss in `plies` plies.
#[inline]
pub(super) fn decided(plies: u16) -> u8 {
    match plies.is_multiple_of(2) {
        true => (plies / 2) as u8,
        false => WIN - (plies / 2) as u8,
    }
}

/// The value of a score; NONE is a don't-care.
#[inline]
pub(super) fn value(score: u8) -> Value {
    match score {
        0..DRAW => Value::decided(2 * u16::from(score)),
        DRAW => Value::DRAW,
        NONE => Value::DONT_CARE,
        _ => Value::decided(2 * u16::from(WIN - score) + 1),
    }
}

/// The score of a value, with or without distance; `None` if the distance does not fit.
#[inline]
pub(super) fn of(value: Value) -> Option<u8> {
    match (value.wdl(), value.plies()) {
        (Wdl::Draw, _) => Some(DRAW),
        (_, Some(plies)) if plies <= MAX_PLIES => Some(decided(plies)),
        _ => None,
    }
}

/// Appends scores to `packed` in the format in which a table of `metric` stores values, with NONE
/// as a don't-care. `start` is the number of the first score. Bits of the first and last byte that
/// belong to other numbers are 0.
pub(super) fn pack(metric: Metric, start: u64, scores: &[u8], packed: &mut Vec<u8>) {
    match metric.has_distances() {
        false => {
            // 0 loss, 1 draw, 2 win, 3 don't-care.
            let code =
                |score| u8::from(score >= DRAW) + u8::from(score > DRAW) + u8::from(score == NONE);
            pack_two_bits((start % 4) as usize, scores, code, packed);
        }
        true => packed.extend(scores.iter().map(|&score| code(score))),
    }
}

/// The code of the score's value in a distance table; NONE is unchanged.
#[inline(always)]
fn code(score: u8) -> u8 {
    match score {
        0..DRAW => 2 * score + 1,
        DRAW => 0,
        NONE => NONE,
        _ => 2 * (NONE - score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Random;
    use damka_tables::metric::{PackedValues, Packing};

    #[test]
    fn scores_are_ordered_like_values() {
        let values: Vec<Value> = (0..=NONE).filter(|&score| is_value(score)).map(value).collect();
        assert_eq!(values.len(), 2 * usize::from(MAX_PLIES / 2 + 1));
        assert!(values.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn scores_follow_values_through_a_move() {
        for plies in 0..MAX_PLIES {
            let after = Value::decided(plies);
            let score = of(after).expect("it fits");
            assert_eq!(value(score), after);
            assert_eq!(value(before_move(score)), after.before_move());
            assert_eq!(value(without_distance(score)), after.without_distance());
        }
        assert_eq!(value(before_move(DRAW)), Value::DRAW);
        assert_eq!(value(before_move(NONE)), Value::LOST);
        assert_eq!(of(Value::decided(MAX_PLIES + 1)), None);
    }

    /// Pseudo-random scores of all kinds.
    fn scores(len: usize) -> Vec<u8> {
        let mut random = Random::new(len as u64);
        let mut scores = Vec::new();
        while scores.len() < len {
            let score = random.next() as u8;
            scores.push(if score.is_multiple_of(3) { DRAW } else { score });
            scores.retain(|&score| is_value(score));
        }
        scores
    }

    #[test]
    fn scores_are_packed_like_their_values() {
        for (start, len) in (0..40).flat_map(|len| [0, 1, 2, 3, 30].map(|start| (start, len))) {
            for metric in Metric::ALL {
                let mut scores = scores(len);
                scores.iter_mut().step_by(5).for_each(|score| *score = NONE);
                if metric == Metric::Wdl {
                    scores.iter_mut().for_each(|score| *score = without_distance_or_none(*score));
                }
                let packing = Packing::of(metric, MAX_PLIES);
                let lead = (start % packing.per_bytes(1)) as usize;
                let nothing = if metric == Metric::Wdl { Value::LOST } else { Value::DRAW };
                let mut values = vec![nothing; lead];
                values.extend(scores.iter().map(|&score| value(score)));
                values
                    .resize(values.len().next_multiple_of(packing.per_bytes(1) as usize), nothing);
                let mut packed = Vec::new();
                pack(metric, start, &scores, &mut packed);
                if len == 0 {
                    values.clear();
                }
                let found = PackedValues::new(packing, values.len(), packed);
                assert_eq!(found, PackedValues::pack(packing, &values), "{metric:?} {start} {len}");
            }
        }
    }
}
