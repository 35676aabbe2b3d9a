use std::fmt;

/// The rule by which a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DrawReason {
    /// A position has occurred three times, in Italian draughts four times.
    Repetition,
    /// Both sides have moved kings only and captured nothing for this number of moves.
    KingsOnly {
        /// The moves of each side.
        moves: u16,
    },
    /// Both sides have kings, and nothing was captured or promoted for this number of moves.
    SameMaterial {
        /// The moves of each side.
        moves: u16,
    },
    /// Three kings or more have not caught a lone king in this number of moves.
    ThreeAgainstOne {
        /// The moves of each side.
        moves: u16,
    },
    /// A lone king has held the main road, the diagonal a1-h8, against three pieces for this number
    /// of moves.
    MainRoad {
        /// The moves of each side.
        moves: u16,
    },
    /// The side to move has no legal move and has not lost.
    Stalemate,
    /// No capture and no move of a pawn for this number of moves.
    NoProgress {
        /// The moves of each side.
        moves: u16,
    },
    /// Neither side has enough pieces to win, however the other plays.
    InsufficientMaterial,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawReason::Repetition => write!(f, "repetition of the position"),
            DrawReason::KingsOnly { moves } => {
                write!(f, "{moves} moves without a capture or a move of a man")
            }
            DrawReason::SameMaterial { moves } => {
                write!(f, "{moves} moves without a capture or a promotion")
            }
            DrawReason::ThreeAgainstOne { moves } => {
                write!(f, "three kings did not catch one in {moves} moves")
            }
            DrawReason::MainRoad { moves } => {
                write!(f, "a king held the main road for {moves} moves")
            }
            DrawReason::Stalemate => write!(f, "stalemate"),
            DrawReason::NoProgress { moves } => {
                write!(f, "{moves} moves without a capture or a move of a pawn")
            }
            DrawReason::InsufficientMaterial => write!(f, "too few pieces to win"),
        }
    }
}

/// The counters of the draw rules, in plies, except for repetition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Since the last zeroing move: a capture, or a move of a man or pawn.
    pub since_zeroing: u16,
    /// Since the last capture or promotion.
    pub since_material: u16,
    /// For how long a lone king has stood on the main road against three pieces, with the same
    /// material.
    pub on_main_road: u16,
}

impl Counters {
    /// The counters after a move, given whether it changes the material, whether it moves a man
    /// or pawn, and whether a lone king holds the main road after it.
    #[inline]
    pub(crate) fn after(self, material: bool, man: bool, on_main_road: bool) -> Counters {
        let count = |from: u16, reset| if reset { 0 } else { from.saturating_add(1) };
        Counters {
            since_zeroing: count(self.since_zeroing, material || man),
            since_material: count(self.since_material, material),
            on_main_road: count(self.on_main_road, material || !on_main_road),
        }
    }
}

/// The draw rules of a variant of draughts, except for repetition. All numbers are moves of each side.
/// `docs/RULES.md` names their sources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawRules {
    /// Moves with kings only, without a capture.
    pub(crate) kings_only: Option<u16>,
    /// Three kings or more against one: moves since the material last changed.
    pub(crate) three_against_one: Option<u16>,
    /// For positions in which both sides have kings: pairs of a maximum number of pieces and a
    /// number of moves without a capture or promotion.
    pub(crate) same_material: &'static [(u32, u16)],
    /// A lone king holds the main road against three pieces: moves.
    pub(crate) main_road: Option<u16>,
}

impl DrawRules {
    /// The rules of the FMJD for draughts on 64 squares, 7.2: Russian and Brazilian.
    pub(crate) const FMJD: DrawRules = DrawRules {
        kings_only: Some(15),
        three_against_one: Some(15),
        same_material: &[(3, 5), (5, 30), (7, 60)],
        main_road: Some(5),
    };
    /// The rules of the FMJD for Czech draughts.
    pub(crate) const CZECH: DrawRules = DrawRules {
        kings_only: Some(15),
        three_against_one: None,
        same_material: &[],
        main_road: None,
    };
    /// The 40-move rule of the World Checkers Draughts Federation.
    pub(crate) const ENGLISH: DrawRules = DrawRules {
        kings_only: Some(40),
        three_against_one: None,
        same_material: &[],
        main_road: None,
    };
    /// The rules of the American Pool Checkers Association.
    pub(crate) const POOL: DrawRules = DrawRules {
        kings_only: None,
        three_against_one: Some(13),
        same_material: &[],
        main_road: None,
    };

    /// The rule by which a game with these kings and men (White's first) is drawn, if any.
    #[inline]
    pub(crate) fn drawn(
        &self,
        kings: [u32; 2],
        men: [u32; 2],
        counters: &Counters,
    ) -> Option<DrawReason> {
        /// No rule applies before this number of plies.
        const MIN_PLIES: u16 = 10;
        if counters.since_material.max(counters.since_zeroing) < MIN_PLIES {
            return None;
        }
        let past = |plies: u16, moves: u16| plies >= 2 * moves;
        if let Some(moves) = self.kings_only
            && past(counters.since_zeroing, moves)
        {
            return Some(DrawReason::KingsOnly { moves });
        }
        if men == [0, 0]
            && kings[0].min(kings[1]) == 1
            && kings[0].max(kings[1]) >= 3
            && let Some(moves) = self.three_against_one
            && past(counters.since_material, moves)
        {
            return Some(DrawReason::ThreeAgainstOne { moves });
        }
        if let Some(moves) = self.main_road
            && past(counters.on_main_road, moves)
        {
            return Some(DrawReason::MainRoad { moves });
        }
        if kings[0] == 0 || kings[1] == 0 {
            return None;
        }
        let pieces: u32 = kings.iter().chain(&men).sum();
        let rule = self.same_material.iter().find(|(most, _)| pieces <= *most);
        let (_, moves) = *rule?;
        past(counters.since_material, moves).then_some(DrawReason::SameMaterial { moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counters after these numbers of plies: kings' moves, same material, main road.
    fn counters(kings: u16, material: u16, road: u16) -> Counters {
        Counters { since_zeroing: kings, since_material: material, on_main_road: road }
    }

    #[test]
    fn every_rule_applies_from_its_number_of_moves() {
        use DrawReason::{KingsOnly, MainRoad, SameMaterial, ThreeAgainstOne};
        let [fmjd, english, pool] = [DrawRules::FMJD, DrawRules::ENGLISH, DrawRules::POOL];
        let czech = DrawRules::CZECH;
        let same = |moves| Some(SameMaterial { moves });
        // Kings, men, counters.
        for (rules, kings, men, counters, reason) in [
            (fmjd, [1, 1], [0, 0], counters(9, 9, 0), None),
            (fmjd, [1, 1], [0, 0], counters(10, 10, 0), same(5)),
            (fmjd, [2, 1], [0, 0], counters(10, 10, 0), same(5)),
            (fmjd, [1, 1], [1, 0], counters(0, 10, 0), same(5)),
            (fmjd, [2, 0], [0, 1], counters(0, 200, 0), None),
            (fmjd, [3, 1], [0, 0], counters(29, 29, 0), None),
            (fmjd, [3, 1], [0, 0], counters(30, 30, 0), Some(KingsOnly { moves: 15 })),
            (fmjd, [2, 1], [1, 1], counters(29, 59, 0), None),
            (fmjd, [2, 1], [1, 1], counters(29, 60, 0), same(30)),
            (fmjd, [2, 1], [1, 3], counters(29, 119, 0), None),
            (fmjd, [2, 1], [1, 3], counters(29, 120, 0), same(60)),
            (fmjd, [2, 2], [2, 2], counters(29, 400, 0), None),
            (fmjd, [2, 2], [2, 2], counters(30, 30, 0), Some(KingsOnly { moves: 15 })),
            (fmjd, [1, 1], [2, 0], counters(0, 10, 10), Some(MainRoad { moves: 5 })),
            (czech, [1, 1], [0, 0], counters(29, 29, 0), None),
            (czech, [2, 1], [0, 0], counters(30, 30, 0), Some(KingsOnly { moves: 15 })),
            (czech, [1, 1], [2, 0], counters(0, 400, 400), None),
            (pool, [3, 1], [0, 0], counters(25, 25, 0), None),
            (pool, [4, 1], [0, 0], counters(26, 26, 0), Some(ThreeAgainstOne { moves: 13 })),
            (pool, [3, 2], [0, 0], counters(500, 500, 0), None),
            (english, [1, 1], [2, 2], counters(79, 300, 0), None),
            (english, [1, 1], [2, 2], counters(80, 300, 0), Some(KingsOnly { moves: 40 })),
        ] {
            assert_eq!(
                rules.drawn(kings, men, &counters),
                reason,
                "{kings:?} {men:?} {counters:?}"
            );
        }
    }
}
