use damka_games::{Game, Position};
use std::cmp::Ordering;
use std::fmt;

/// The result with best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Wdl {
    /// The side to move loses.
    Loss = 0,
    /// Neither side can force a win.
    Draw = 1,
    /// The side to move wins.
    Win = 2,
}

impl Wdl {
    /// The result for the player who moved into a position with this result.
    #[inline]
    pub fn before_move(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// The word used in JSON: `win`, `draw` or `loss`.
    pub fn word(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The result with best play for the side to move, with the distance to win (DTW) in plies: the
/// winner plays the shortest way, the loser the longest.
///
/// A lost position without legal moves, in chess a mate, is a loss in 0 plies, so losses take an
/// even and wins an odd number of plies. One number is therefore enough, the code: 0 for a draw,
/// otherwise plies + 1.
///
/// Values are ordered from worst to best for the side to move: quick losses, slow losses, draws,
/// slow wins, quick wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(u16);

impl Value {
    /// Neither side can force a win.
    pub const DRAW: Value = Value(0);
    /// The side to move has lost.
    pub const LOST: Value = Value(1);
    /// During writing, marks positions whose value a table need not store.
    pub const DONT_CARE: Value = Value(u16::MAX);
    /// The longest distance that a table can store, in plies. Below the limit of the type, so that
    /// preceding moves can be added without overflow.
    pub const MAX_PLIES: u16 = 0xFEFF;

    /// The value with this code.
    #[inline]
    pub const fn from_code(code: u16) -> Value {
        Value(code)
    }

    /// The code: 0 for a draw, otherwise plies + 1.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The value of a position in which the side to move has no legal move.
    #[inline]
    pub fn without_moves<G: Game>(position: &G::Position) -> Value {
        match position.loses_when_stuck() {
            true => Value::LOST,
            false => Value::DRAW,
        }
    }

    /// The value of a win (odd) or loss (even) in `plies`.
    ///
    /// # Panics
    /// If `plies` is more than [`Value::MAX_PLIES`].
    #[inline]
    pub const fn decided(plies: u16) -> Value {
        assert!(plies <= Value::MAX_PLIES);
        Value(plies + 1)
    }

    /// The value without its distance, as in a WDL table: a win becomes a win in 1, a loss a loss
    /// in 0.
    #[inline]
    pub const fn without_distance(self) -> Value {
        // Branchless: a branch on the value would be unpredictable.
        let decided = 2 - self.0 % 2;
        Value(if decided < self.0 { decided } else { self.0 })
    }

    /// Win, draw or loss.
    #[inline]
    pub const fn wdl(self) -> Wdl {
        match self.0 {
            0 => Wdl::Draw,
            code if code % 2 == 0 => Wdl::Win,
            _ => Wdl::Loss,
        }
    }

    /// The distance to the win or loss in plies; `None` for a draw.
    #[inline]
    pub const fn plies(self) -> Option<u16> {
        self.0.checked_sub(1)
    }

    /// The value for the player who moved into a position with this value.
    #[inline]
    pub const fn before_move(self) -> Value {
        // Branchless: a branch on the value would be unpredictable.
        Value(self.0 + (self.0 != 0) as u16)
    }
}

/// `win in 5`, `loss in 4` or `draw`, in plies.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.wdl()),
            None => f.write_str(self.wdl().word()),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({self})")
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Value) -> Ordering {
        // Losses (odd codes) ascend, then comes the draw, then wins descend. Branchless: a branch on the value
        // would be unpredictable.
        let rank = |value: Value| {
            let code = value.0.wrapping_sub(1);
            code >> 1 ^ (code & 1).wrapping_neg()
        };
        rank(*self).cmp(&rank(*other))
    }
}

impl PartialOrd for Value {
    #[inline]
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_values_compare_greater() {
        let ascending = [
            Value::LOST,
            Value::decided(2),
            Value::decided(400),
            Value::DRAW,
            Value::decided(401),
            Value::decided(3),
            Value::decided(1),
        ];
        assert!(ascending.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn values_are_displayed_in_words() {
        let words = [Value::LOST, Value::decided(7), Value::DRAW].map(|value| value.to_string());
        assert_eq!(words, ["loss in 0", "win in 7", "draw"]);
    }

    #[test]
    fn a_move_adds_a_ply_and_changes_sides() {
        assert_eq!(Value::LOST.before_move(), Value::decided(1));
        assert_eq!(Value::decided(1).before_move().wdl(), Wdl::Loss);
        assert_eq!(Value::decided(7).before_move().plies(), Some(8));
        assert_eq!(Value::DRAW.before_move(), Value::DRAW);
        for value in [Value::LOST, Value::decided(1), Value::DRAW] {
            assert_eq!(value.before_move().wdl(), value.wdl().before_move());
        }
    }
}
