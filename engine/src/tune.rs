//! Learns the weights of the evaluation from games, with tables as teacher.
//!
//! Each quiet position of a game is a lesson: where tables know it its value, elsewhere
//! the result of the game is what the evaluation should have foreseen, and, if wanted, what the
//! players noted of it when they searched: a shallow search sees more than an
//! evaluation, and says more of one position than the result of a long game. How far an
//! evaluation is from that is measured by logistic regression (M. Buro, "Statistical
//! feature combination for the evaluation of game positions", 1995), and made less step
//! by step, each weight at a pace of its own (J. Duchi, E. Hazan and Y. Singer, "Adaptive
//! subgradient methods for online learning and stochastic optimization", 2011).

use crate::Playable;
use crate::endings::Endings;
use crate::evaluate::{Evaluated, Weights};
use crate::history::History;
use crate::score::Score;
use damka_games::Random;
use damka_games::{Color, Game, Position};
use damka_records::{GameResult, Record};
use damka_tables::Wdl;

/// How many pieces of evidence a weight needs before it moves freely.
const CAUTION: f32 = 20.0;
/// How far a weight moves at first, in hundredths of a man.
const STEP: f32 = 20.0;
/// Of so many games one is kept for the exam.
const EXAM: usize = 20;

/// Positions to learn from.
#[derive(Clone, Debug)]
pub struct Lessons<G: Game> {
    lessons: Vec<Lesson<G>>,
    exam: Vec<Lesson<G>>,
    games: usize,
}

/// A position, and what becomes of it for the side to move: 1 a win, 0 a loss.
#[derive(Clone, Copy, Debug)]
struct Lesson<G: Game> {
    position: G::Position,
    result: f32,
    /// What the player said whose move it was, where no table knows better.
    score: Option<Score>,
}

/// How well evaluations foresee results: the average of the logarithms of what was held
/// likely, in bits; the smaller the better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Of the positions that were learned from.
    pub lessons: f64,
    /// Of positions of other games; `None` if there are too few games to keep any apart.
    pub exam: Option<f64>,
}

impl<G: Playable> Lessons<G> {
    /// None yet.
    #[expect(clippy::new_without_default, reason = "without games there is nothing to learn")]
    pub fn new() -> Lessons<G> {
        Lessons { lessons: Vec::new(), exam: Vec::new(), games: 0 }
    }

    /// Adds the quiet positions of a game, in which nothing is taken next. None of those
    /// for which neither tables nor the result of the game tell who wins.
    pub fn add(&mut self, record: &Record<G>, endings: &Endings<G>) {
        let white = match record.result {
            GameResult::WhiteWins => Some(1.0),
            GameResult::BlackWins => Some(0.0),
            GameResult::Draw => Some(0.5),
            _ => None,
        };
        self.games += 1;
        let to = match self.games % EXAM {
            0 => &mut self.exam,
            _ => &mut self.lessons,
        };
        let mut game = History::<G>::new(record.start);
        for ply in &record.line.plies {
            game.play(ply.mv);
        }
        let next = record.line.plies.iter().map(Some).chain([None]);
        for (position, next) in game.positions().zip(next) {
            let is_exchange = next.is_some_and(|ply| position.is_capture(ply.mv));
            if is_exchange || G::is_forced(position) || G::is_threatened(position) {
                continue;
            }
            let known = endings.has(position).then(|| endings.wdl(position)).flatten();
            let result = match (known, position.turn()) {
                (Some(Wdl::Win), _) => Some(1.0),
                (Some(Wdl::Draw), _) => Some(0.5),
                (Some(Wdl::Loss), _) => Some(0.0),
                (None, Color::White) => white,
                (None, Color::Black) => white.map(|white| 1.0 - white),
            };
            let score = next.filter(|_| known.is_none()).and_then(|ply| noted(&ply.comments));
            to.extend(result.map(|result| Lesson { position: *position, result, score }));
        }
    }

    /// Whether there is nothing to learn.
    pub fn is_empty(&self) -> bool {
        self.lessons.is_empty()
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The number of positions, those of the exam included.
    pub fn positions(&self) -> usize {
        self.lessons.len() + self.exam.len()
    }

    /// Learns from all lessons, `rounds` times, and calls `report` after each. What is learned is
    /// a mean of what the players noted, which counts the part `trust` of it, from 0 to 1, and the
    /// result. The same lessons in the same order give the same weights. Without lessons `first`
    /// stays as it is, and nothing is reported.
    pub fn learn(
        &mut self,
        first: &Weights<G>,
        rounds: u32,
        trust: f32,
        mut report: impl FnMut(u32, Loss),
    ) -> Weights<G> {
        let mut learner = Learner::new(first, trust);
        if self.is_empty() {
            return learner.weights();
        }
        learner.find_scale(&self.lessons);
        report(0, self.loss(&learner));
        let mut random = Random::new(1);
        for round in 1..=rounds {
            for i in (1..self.lessons.len()).rev() {
                self.lessons.swap(i, random.below(i as u64 + 1) as usize);
            }
            // Ever smaller steps.
            let step = STEP * (1.0 - (round - 1) as f32 / rounds as f32);
            self.lessons.iter().for_each(|lesson| learner.learn(lesson, step));
            report(round, self.loss(&learner));
        }
        learner.weights()
    }

    fn loss(&self, learner: &Learner<G>) -> Loss {
        let exam = (!self.exam.is_empty()).then(|| learner.loss(&self.exam));
        Loss { lessons: learner.loss(&self.lessons), exam }
    }
}

/// The score that a comment on a move begins with, as `damka match` writes it: `+0.25/12`.
fn noted(comments: &[String]) -> Option<Score> {
    comments.iter().find_map(|comment| comment.split('/').next()?.parse().ok())
}

/// Weights that are being learned.
struct Learner<G> {
    game: G,
    /// In hundredths of a man, at the end and at the start.
    weights: Vec<[f32; 2]>,
    /// The sums of the squares of all steps.
    squares: Vec<[f32; 2]>,
    /// An advantage of so many hundredths makes a win e times as likely as a loss.
    scale: f32,
    /// How much players are believed.
    trust: f32,
    /// The features of the position at hand.
    counts: Vec<(usize, f32)>,
}

impl<G: Evaluated> Learner<G> {
    fn new(first: &Weights<G>, trust: f32) -> Learner<G> {
        Learner {
            game: first.game(),
            weights: (0..G::FEATURES).map(|feature| first.get(feature)).collect(),
            squares: vec![[CAUTION; 2]; G::FEATURES],
            scale: 100.0,
            trust,
            counts: Vec::new(),
        }
    }

    /// How much a position belongs to the end and to the start of a game.
    fn stages(position: &G::Position) -> [f32; 2] {
        let start = G::stage(position) as f32 / G::STAGES as f32;
        [1.0 - start, start]
    }

    fn evaluate(&self, position: &G::Position) -> f32 {
        let stages = Self::stages(position);
        let mut sum = 0.0;
        G::count(position, |feature, count| {
            let [end, start] = self.weights[feature];
            sum += count as f32 * (end * stages[0] + start * stages[1]);
        });
        sum
    }

    /// How likely a win is.
    fn chance(&self, hundredths: f32) -> f32 {
        1.0 / (1.0 + (-hundredths / self.scale).exp())
    }

    /// What is to be foreseen of a position.
    fn aim(&self, lesson: &Lesson<G>) -> f32 {
        let Some(score) = lesson.score else { return lesson.result };
        let chance = self.chance(score.hundredths() as f32);
        self.trust * chance + (1.0 - self.trust) * lesson.result
    }

    fn loss(&self, lessons: &[Lesson<G>]) -> f64 {
        let loss = |lesson: &Lesson<G>| {
            let chance = f64::from(self.chance(self.evaluate(&lesson.position)));
            let chance = chance.clamp(1e-6, 1.0 - 1e-6);
            let result = f64::from(lesson.result);
            -(result * chance.log2() + (1.0 - result) * (1.0 - chance).log2())
        };
        lessons.iter().map(loss).sum::<f64>() / lessons.len().max(1) as f64
    }

    /// Finds the scale at which the weights foresee results best.
    fn find_scale(&mut self, lessons: &[Lesson<G>]) {
        let sample = &lessons[..lessons.len().min(100_000)];
        let scales = (0..40).map(|i| 30.0 * 1.08f32.powi(i));
        let losses = scales.map(|scale| {
            self.scale = scale;
            (self.loss(sample), scale)
        });
        let best = losses.collect::<Vec<_>>().into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        self.scale = best.map_or(self.scale, |(_, scale)| scale);
    }

    fn learn(&mut self, lesson: &Lesson<G>, step: f32) {
        let stages = Self::stages(&lesson.position);
        let mut counts = std::mem::take(&mut self.counts);
        counts.clear();
        G::count(&lesson.position, |feature, count| counts.push((feature, count as f32)));
        let sum: f32 = counts
            .iter()
            .map(|&(feature, count)| {
                let [end, start] = self.weights[feature];
                count * (end * stages[0] + start * stages[1])
            })
            .sum();
        let error = self.chance(sum) - self.aim(lesson);
        for &(feature, count) in &counts {
            let pairs = self.weights[feature].iter_mut().zip(&mut self.squares[feature]);
            for ((weight, square), stage) in pairs.zip(stages) {
                let slope = error * count * stage;
                *square += slope * slope;
                *weight -= step * slope / square.sqrt();
            }
        }
        self.counts = counts;
    }

    fn weights(&self) -> Weights<G> {
        let mut weights = Weights::zero(self.game);
        for (feature, &pair) in self.weights.iter().enumerate() {
            weights.set(feature, pair);
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Draughts, Russian};
    use damka_probe::Tables;
    use damka_records::Ply;
    use std::sync::Arc;

    /// Positions far into games that are played at random.
    fn positions(count: usize) -> Vec<<Draughts as Game>::Position> {
        let mut random = Random::new(7);
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut position = Russian.start();
            for _ in 0..random.below(40) {
                let Some(mv) = random.pick(&position.moves()) else { break };
                position = position.play(mv);
            }
            let [white, black] = Color::BOTH.map(|color| position.side(color));
            if !white.is_empty() && !black.is_empty() {
                positions.push(position);
            }
        }
        positions
    }

    /// Games whose results come from known weights by chance: nobody foresees them better
    /// than those weights, and who has learned should come near.
    #[test]
    fn what_decides_games_is_found_out() {
        let truth = Learner::<Draughts>::new(&Russian.first_weights(), 0.0);
        let mut random = Random::new(3);
        let empty = tempfile::tempdir().expect("a directory");
        let endings =
            Endings::new(Arc::new(Tables::open(Russian, empty.path()))).expect("no tables");
        let mut lessons = Lessons::new();
        for position in positions(30_000) {
            let mut record = Record::<Draughts>::new(position);
            let chance = truth.chance(truth.evaluate(&position));
            let mover_wins = (random.below(1 << 20) as f32) < chance * (1 << 20) as f32;
            record.result = match mover_wins == (position.turn() == Color::White) {
                true => GameResult::WhiteWins,
                false => GameResult::BlackWins,
            };
            lessons.add(&record, &endings);
        }
        assert_eq!(lessons.games(), 30_000);
        assert!(lessons.positions() < 30_000, "captures are no lessons");

        let best = truth.loss(&lessons.exam);
        let (mut first, mut last) = (0.0, 0.0);
        let learned = lessons.learn(&Weights::zero(Russian), 6, 0.0, |round, loss| match round {
            0 => first = loss.exam.expect("games"),
            _ => last = loss.exam.expect("games"),
        });
        assert!((first - 1.0).abs() < 1e-6, "who knows nothing needs a bit for each game");
        assert!(last < best + 0.2 * (first - best), "{first} to {last}, {best} at best");
        let again = lessons.clone().learn(&learned, 1, 0.0, |_, _| ());
        assert_ne!(again, Weights::zero(Russian));
    }

    /// A game was drawn in which White thought that it was two men better: who trusts it by half
    /// learns a chance in the middle between that of two men and an even one.
    #[test]
    fn players_are_believed_as_far_as_they_are_trusted() {
        let position = Russian.parse_fen("W:Wc3,e3,g3:Bd8").expect("a position");
        let mut record = Record::<Draughts>::new(position);
        record.result = GameResult::Draw;
        let mut ply = Ply::new(position.parse_move("c3-d4").expect("a move"));
        ply.comments = ["as expected", "+2.00/9"].map(str::to_owned).to_vec();
        record.line.plies.push(ply);
        let empty = tempfile::tempdir().expect("a directory");
        let endings =
            Endings::new(Arc::new(Tables::open(Russian, empty.path()))).expect("no tables");
        let mut lessons = Lessons::new();
        lessons.add(&record, &endings);
        let scores: Vec<_> = lessons.lessons.iter().map(|lesson| lesson.score).collect();
        assert_eq!(scores, [Some(Score::evaluation(200)), None]);

        for (trust, expected) in [(0.0, 0.5), (0.5, 0.69), (1.0, 0.88)] {
            let mut learner = Learner::new(&Weights::zero(Russian), trust);
            (0..1000).for_each(|_| learner.learn(&lessons.lessons[0], STEP));
            // 1 / (1 + e^-2) is 0.88.
            let chance = learner.chance(learner.evaluate(&position));
            assert!((chance - expected).abs() < 0.01, "{trust}: {chance}");
        }
    }
}
