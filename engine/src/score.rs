use damka_tables::{Value, Wdl};
use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

/// What a position is worth to the side to move: what the evaluation says of it, in
/// hundredths of a man, or that it is won or lost.
///
/// The scale, from the best: wins in so many plies, the sooner the better; wins that
/// a table without distances tells, the sooner it is reached the better; evaluations;
/// and the same for losses. No evaluation is ever as good as a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

impl Score {
    /// A draw, or equal chances.
    pub const DRAW: Score = Score(0);
    /// Better than all scores.
    pub const INFINITE: Score = Score(32_000);
    /// Won at once. A distance takes so much off.
    const WON: i16 = 31_000;
    /// Won according to a table without distances, at the root.
    const TABLE: i16 = 29_000;
    /// The longest distance, in plies, that is told from others.
    const LONGEST: u16 = 1_000;
    /// The best evaluation.
    const MOST: i32 = 27_000;

    /// What the evaluation says, in hundredths of a man.
    #[inline]
    pub fn evaluation(hundredths: i32) -> Score {
        Score(hundredths.clamp(-Score::MOST, Score::MOST) as i16)
    }

    /// Decided in so many plies: won if they are odd, lost if they are even.
    #[inline]
    pub fn decided(plies: u16) -> Score {
        let score = Score::won_in(plies);
        if plies % 2 == 1 { score } else { -score }
    }

    /// A win of the side to move, so many plies from the root.
    #[inline]
    pub(crate) fn won_in(plies: u16) -> Score {
        Score(Score::WON - plies.min(Score::LONGEST) as i16)
    }

    /// Won, as a table without distances says, `ply` plies from the root.
    #[inline]
    pub fn table_win(ply: u16) -> Score {
        Score(Score::TABLE - ply.min(Score::LONGEST) as i16)
    }

    /// What a table without distances says of a position `ply` plies from the root.
    #[inline]
    pub(crate) fn of_wdl(wdl: Wdl, ply: u16) -> Score {
        match wdl {
            Wdl::Win => Score::table_win(ply),
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => -Score::table_win(ply),
        }
    }

    /// What a table with distances says of a position `ply` plies from the root.
    pub(crate) fn of_value(value: Value, ply: u16) -> Score {
        let won = Score::won_in(value.plies().unwrap_or_default().saturating_add(ply));
        match value.wdl() {
            Wdl::Win => won,
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => -won,
        }
    }

    /// What a win or loss counts that may come too late: less than any that is sure, the more the
    /// nearer it is.
    pub(crate) fn hoped_for(score: Score) -> Score {
        const HOPE: i32 = 2_000;
        let hope = HOPE - i32::from(score.plies().unwrap_or_default());
        Score::evaluation(if score.is_win() { hope } else { -hope })
    }

    /// Win, draw or loss, of a score that is no evaluation.
    pub(crate) fn wdl(self) -> Option<Wdl> {
        match self {
            Score::DRAW => Some(Wdl::Draw),
            _ if self.is_win() => Some(Wdl::Win),
            _ if self.is_loss() => Some(Wdl::Loss),
            _ => None,
        }
    }

    /// In how many plies the side to move wins or loses, if that is known.
    pub fn plies(self) -> Option<u16> {
        let plies = Score::WON - self.0.abs();
        (plies <= Score::LONGEST as i16).then_some(plies.unsigned_abs())
    }

    /// Whether the side to move wins, with or without known distance.
    pub fn is_win(self) -> bool {
        i32::from(self.0) > Score::MOST
    }

    /// Whether the side to move loses, with or without known distance.
    pub fn is_loss(self) -> bool {
        (-self).is_win()
    }

    /// The evaluation in hundredths of a man; for wins and losses a number greater or
    /// smaller than that of any evaluation.
    pub fn hundredths(self) -> i32 {
        self.0.into()
    }

    /// The score so much worse or better, if it is an evaluation.
    #[inline]
    pub(crate) fn shifted(self, hundredths: i32) -> Score {
        Score((i32::from(self.0) + hundredths).clamp(-31_999, 31_999) as i16)
    }

    /// A score of a position `ply` plies from the root with distances from the root, as
    /// the position itself has it.
    #[inline]
    pub(crate) fn at(self, ply: u16) -> i16 {
        if self.is_win() {
            self.0.saturating_add(ply as i16)
        } else if self.is_loss() {
            self.0.saturating_sub(ply as i16)
        } else {
            self.0
        }
    }

    /// The opposite of [`at`](Score::at).
    #[inline]
    pub(crate) fn seen_from_root(here: i16, ply: u16) -> Score {
        let score = Score(here);
        if score.is_win() {
            Score(here - ply as i16)
        } else if score.is_loss() {
            Score(here + ply as i16)
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

    /// Reads what is written so: `+1.25`, `win in 7`, `loss`.
    fn from_str(text: &str) -> Result<Score, ()> {
        let in_plies = |plies: &str| plies.parse().ok().filter(|&plies| plies <= Score::LONGEST);
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
    fn the_scale_is_in_order() {
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
        assert_eq!(Score::decided(0), -Score(Score::WON));
    }

    #[test]
    fn distances_count_from_the_root_or_from_the_position() {
        for plies in [0, 1, 40, 41] {
            let (here, root) = (Score::decided(plies), Score::decided(plies + 6));
            assert_eq!(root.at(6), here.0);
            assert_eq!(Score::seen_from_root(here.0, 6), root);
        }
        assert_eq!(Score::evaluation(-250).at(9), -250);
        assert_eq!(Score::seen_from_root(Score::table_win(0).0, 5), Score::table_win(5));
    }

    #[test]
    fn scores_are_words() {
        assert_eq!(Score::evaluation(125).to_string(), "+1.25");
        assert_eq!(Score::decided(8).to_string(), "loss in 8");
        assert_eq!((-Score::table_win(3)).to_string(), "loss");
    }

    #[test]
    fn words_are_scores() {
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
