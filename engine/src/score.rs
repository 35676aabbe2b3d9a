use damka_tables::{Value, Wdl};
use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

/// The value of a position for the side to move: an evaluation in hundredths of a man, or a win or
/// loss.
///
/// From best to worst: wins with a known distance in plies, shortest first; wins of unknown
/// distance, from WDL tables, those nearest to the root first; evaluations; then losses in the
/// reverse order. Every win is above every evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// How often a side wins at an evaluation: a logistic function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// The evaluation, in hundredths of a man, at which half of the games are won.
    pub even: f64,
    /// The increase of the evaluation, in hundredths of a man, that makes the odds e times as good.
    pub scale: f64,
}

impl Score {
    /// A draw, or equal chances.
    pub const DRAW: Score = Score(0);
    /// Better than all scores.
    pub const INFINITE: Score = Score(32_000);
    /// A win in 0 plies; each ply of distance subtracts 1.
    const WIN: i16 = 31_000;
    /// A win of unknown distance, from a WDL table, at the root; each further ply subtracts 1.
    const TABLE_WIN: i16 = 29_000;
    /// The longest distance that is represented, in plies. Longer ones are clamped to it.
    const MAX_DISTANCE: u16 = 1_000;
    /// The greatest evaluation, in hundredths of a man.
    const MAX_EVALUATION: i32 = 27_000;

    /// An evaluation in hundredths of a man, clamped to the range of evaluations.
    #[inline]
    pub fn evaluation(hundredths: i32) -> Score {
        Score(hundredths.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION) as i16)
    }

    /// A win or loss in `plies` plies: a win if odd, a loss if even.
    #[inline]
    pub fn decided(plies: u16) -> Score {
        let score = Score::won_in(plies);
        if plies % 2 == 1 { score } else { -score }
    }

    /// A win `plies` plies from the root.
    #[inline]
    pub(crate) fn won_in(plies: u16) -> Score {
        Score(Score::WIN - plies.min(Score::MAX_DISTANCE) as i16)
    }

    /// A win of unknown distance, from a WDL table, found `ply` plies from the root.
    #[inline]
    pub fn table_win(ply: u16) -> Score {
        Score(Score::TABLE_WIN - ply.min(Score::MAX_DISTANCE) as i16)
    }

    /// The score of a position `ply` plies from the root by a table without distances.
    #[inline]
    pub(crate) fn of_wdl(wdl: Wdl, ply: u16) -> Score {
        match wdl {
            Wdl::Win => Score::table_win(ply),
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => -Score::table_win(ply),
        }
    }

    /// The score of a position `ply` plies from the root by a table with distances.
    pub(crate) fn of_value(value: Value, ply: u16) -> Score {
        let won = Score::won_in(value.plies().unwrap_or_default().saturating_add(ply));
        match value.wdl() {
            Wdl::Win => won,
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => -won,
        }
    }

    /// The score of a win or loss that a draw rule may prevent: an evaluation, below all certain
    /// wins and the higher the shorter the distance.
    pub(crate) fn uncertain(score: Score) -> Score {
        const UNCERTAIN_WIN: i32 = 2_000;
        let hundredths = UNCERTAIN_WIN - i32::from(score.plies().unwrap_or_default());
        Score::evaluation(if score.is_win() { hundredths } else { -hundredths })
    }

    /// The chances of a win, a draw and a loss, in thousandths.
    pub fn chances(self, rate: WinRate) -> [u16; 3] {
        let WinRate { even, scale } = rate;
        let won = |score: Score| match (score.is_win(), score.is_loss()) {
            (true, _) => 1000,
            (_, true) => 0,
            _ => {
                let excess = (f64::from(score.0) - even) / scale;
                (1000.0 / (1.0 + (-excess).exp())).round() as u16
            }
        };
        let [win, loss] = [won(self), won(-self)];
        [win, 1000 - win - loss, loss]
    }

    /// Win or loss if the score is one, draw if it is 0; `None` for other evaluations.
    pub(crate) fn wdl(self) -> Option<Wdl> {
        match self {
            Score::DRAW => Some(Wdl::Draw),
            _ if self.is_win() => Some(Wdl::Win),
            _ if self.is_loss() => Some(Wdl::Loss),
            _ => None,
        }
    }

    /// The distance of a win or loss in plies, if known.
    pub fn plies(self) -> Option<u16> {
        let plies = Score::WIN - self.0.abs();
        (plies <= Score::MAX_DISTANCE as i16).then_some(plies.unsigned_abs())
    }

    /// Whether the side to move wins, with or without known distance.
    pub fn is_win(self) -> bool {
        i32::from(self.0) > Score::MAX_EVALUATION
    }

    /// Whether the side to move loses, with or without known distance.
    pub fn is_loss(self) -> bool {
        (-self).is_win()
    }

    /// The evaluation in hundredths of a man; for wins and losses a number above or below those of
    /// all evaluations.
    pub fn hundredths(self) -> i32 {
        self.0.into()
    }

    /// The score plus `hundredths`, clamped to within the infinite scores.
    #[inline]
    pub(crate) fn shifted(self, hundredths: i32) -> Score {
        Score((i32::from(self.0) + hundredths).clamp(-31_999, 31_999) as i16)
    }

    /// Converts a score whose distance counts from the root to one that counts from the position
    /// itself, `ply` plies from the root, as stored in the transposition table.
    #[inline]
    pub(crate) fn to_tt(self, ply: u16) -> i16 {
        if self.is_win() {
            self.0.saturating_add(ply as i16)
        } else if self.is_loss() {
            self.0.saturating_sub(ply as i16)
        } else {
            self.0
        }
    }

    /// The inverse of [`to_tt`](Score::to_tt).
    #[inline]
    pub(crate) fn from_tt(stored: i16, ply: u16) -> Score {
        let score = Score(stored);
        if score.is_win() {
            Score(stored - ply as i16)
        } else if score.is_loss() {
            Score(stored + ply as i16)
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// `+1.25`, `win in 7`, `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match (self.is_win(), self.is_loss()) {
            (true, _) => "win",
            (_, true) => "loss",
            _ => return write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        };
        match self.plies() {
            Some(plies) => write!(f, "{word} in {plies}"),
            None => f.write_str(word),
        }
    }
}

impl FromStr for Score {
    type Err = ();

    /// Parses the format of `Display`: `+1.25`, `win in 7`, `loss`.
    fn from_str(text: &str) -> Result<Score, ()> {
        let in_plies =
            |plies: &str| plies.parse().ok().filter(|&plies| plies <= Score::MAX_DISTANCE);
        let score = match text.split_once(" in ") {
            Some(("win", plies)) => in_plies(plies).map(Score::won_in),
            Some(("loss", plies)) => in_plies(plies).map(|plies| -Score::won_in(plies)),
            Some(_) => None,
            None if text == "win" => Some(Score::table_win(0)),
            None if text == "loss" => Some(-Score::table_win(0)),
            None => {
                let men = text.parse().ok().filter(|men: &f64| men.is_finite());
                men.map(|men| Score::evaluation((men * 100.0).round() as i32))
            }
        };
        score.ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered() {
        let scale = [
            Score::INFINITE,
            Score::decided(1),
            Score::decided(251),
            Score::decided(999),
            Score::table_win(0),
            Score::table_win(999),
            Score::evaluation(i32::MAX),
            Score::evaluation(100),
            Score::DRAW,
        ];
        assert!(scale.is_sorted_by(|better, worse| better > worse), "{scale:?}");
        assert!(scale.iter().all(|&score| -score <= score && -(-score) == score));
        assert_eq!(Score::decided(0), -Score(Score::WIN));
    }

    #[test]
    fn distances_count_from_the_root_or_from_the_position() {
        for plies in [0, 1, 40, 41] {
            let (here, root) = (Score::decided(plies), Score::decided(plies + 6));
            assert_eq!(root.to_tt(6), here.0);
            assert_eq!(Score::from_tt(here.0, 6), root);
        }
        assert_eq!(Score::evaluation(-250).to_tt(9), -250);
        assert_eq!(Score::from_tt(Score::table_win(0).0, 5), Score::table_win(5));
    }

    #[test]
    fn chances_add_up_to_a_thousand() {
        let rate = WinRate { even: 100.0, scale: 50.0 };
        assert_eq!(Score::evaluation(100).chances(rate), [500, 482, 18]);
        assert_eq!(Score::decided(3).chances(rate), [1000, 0, 0]);
        assert_eq!((-Score::table_win(3)).chances(rate), [0, 0, 1000]);
        for hundredths in (-3000..3000).step_by(7) {
            let [win, draw, loss] = Score::evaluation(hundredths).chances(rate);
            assert_eq!(Score::evaluation(-hundredths).chances(rate), [loss, draw, win]);
            assert_eq!(win + draw + loss, 1000);
        }
    }

    #[test]
    fn scores_are_formatted() {
        assert_eq!(Score::evaluation(125).to_string(), "+1.25");
        assert_eq!(Score::decided(8).to_string(), "loss in 8");
        assert_eq!((-Score::table_win(3)).to_string(), "loss");
    }

    #[test]
    fn formatted_scores_are_parsed() {
        let evaluations = [-27_000, -101, -7, 0, 29, 27_000].map(Score::evaluation);
        let others = [Score::decided(0), Score::decided(11), Score::table_win(0)];
        for score in evaluations.into_iter().chain(others).chain(others.map(Neg::neg)) {
            assert_eq!(score.to_string().parse(), Ok(score), "{score}");
        }
        for text in ["", "win in", "win in 1001", "draw", "+NaN", "1.2.3", "win in 7 plies"] {
            assert_eq!(text.parse::<Score>(), Err(()), "{text}");
        }
    }
}
