//! Learns evaluations from games and endgame tables: the weights of features (`weights.rs`), or a network
//! (`network.rs`).
//!
//! Each distinct quiet position of the games is an example. Its target is the value by the tables
//! if they have it, otherwise the mean result of the games with this position. The value of a win is
//! the higher the shorter it is, so that a player without tables makes progress. Optionally, the
//! score that the player noted in the game is mixed in: a shallow search sees more than an
//! evaluation, and is a better measure of one position than the result of a long game. The loss is
//! that of logistic regression (M. Buro, "Statistical feature combination for the evaluation of
//! game positions", 1995).

mod network;
mod target;
mod weights;

use crate::Playable;
use crate::endgame_tables::EndgameTables;
pub use crate::evaluate::network::{CHUNK, MAX_HIDDEN};
use crate::evaluate::{Network, Weights};
use crate::history::History;
use crate::score::Score;
use crate::zobrist::symmetric_key;
use damka_games::Random;
use damka_games::{Color, Game, Position};
use damka_records::{GameResult, Record};
use network::Trainer;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use target::Error;
use weights::Learner;

/// One of every 20 openings, with all games that begin with it, is reserved for the validation set.
const VALIDATION: usize = 20;
/// The number of plies of the opening of a game from the start position.
const OPENING: usize = 8;

/// Positions to learn from (training set), and others to measure the error on (validation set).
/// Positions of the validation set, and positions symmetric to them, are never learned from.
#[derive(Clone, Debug)]
pub struct Dataset<G: Game> {
    examples: Vec<Example<G>>,
    /// The index of each example, by the symmetric key of its position.
    places: HashMap<u64, usize>,
    /// The openings by their symmetric keys, and whether their games are for the validation set.
    openings: HashMap<u64, bool>,
    /// The keys of the games' positions and the results, to detect identical games.
    games: HashSet<(u64, GameResult)>,
    identical_games: usize,
    repeated_positions: usize,
}

/// A position and its result for the side to move: 1 for a win, 0 for a loss.
#[derive(Clone, Copy, Debug)]
struct Example<G: Game> {
    position: G::Position,
    /// The mean result of the games, or the [value](target::result) by the tables.
    result: f32,
    /// The number of games.
    games: u32,
    /// The score noted by the player to move, unless tables have the position.
    score: Option<Score>,
    is_validation: bool,
}

/// The error of predicted results: the mean cross-entropy in bits, smaller is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// On the positions that were learned from.
    pub training: f64,
    /// On the validation set; `None` if there are too few openings for one.
    pub validation: Option<f64>,
    /// The explained part of the variance of results in the validation set: 1 minus the mean squared error
    /// divided by the variance. `None` if there is no validation set, or if all its results are the same.
    pub explained: Option<f64>,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Training {
    /// The number of passes over the examples.
    pub rounds: u32,
    /// The weight of noted scores against results in the target, from 0 to 1.
    pub trust: f32,
    /// The seed of the order of the examples, and of the first weights of a network.
    pub seed: u64,
}

/// The network that learning begins with.
#[derive(Clone, Debug)]
pub enum FirstNetwork<G> {
    /// Small random weights, drawn with the seed of the [`Training`].
    Random {
        /// The number of hidden neurons of each side, a multiple of [`CHUNK`].
        hidden: usize,
    },
    /// A network that was learned before.
    Learned(Network<G>),
}

/// An evaluation while it is learned.
trait Model<G: Game> {
    /// The learned evaluation.
    type Learned;

    /// Learns once from each example, in this order. `rate` is the learning rate, as a fraction of
    /// the initial one.
    fn pass(&mut self, examples: &[Example<G>], rate: f32);

    /// The evaluation so far.
    fn learned(&self) -> Self::Learned;

    /// The error of the evaluation so far.
    fn error(&self, examples: &[Example<G>]) -> Error;
}

impl<G: Playable> Dataset<G> {
    /// An empty dataset.
    #[expect(clippy::new_without_default, reason = "without games there is nothing to learn")]
    pub fn new() -> Dataset<G> {
        Dataset {
            examples: Vec::new(),
            places: HashMap::new(),
            openings: HashMap::new(),
            games: HashSet::new(),
            identical_games: 0,
            repeated_positions: 0,
        }
    }

    /// Implements [`add`](Dataset::add); compiled once for each family of games.
    #[doc(hidden)]
    pub fn add_any(&mut self, record: &Record<G>, endings: &EndgameTables<G>) {
        let white = match record.result {
            GameResult::WhiteWins => Some(1.0),
            GameResult::BlackWins => Some(0.0),
            GameResult::Draw => Some(0.5),
            _ => None,
        };
        let mut game = History::<G>::new(record.start);
        for ply in &record.line.plies {
            game.play(ply.mv);
        }
        if !self.games.insert((game.line_key(), record.result)) {
            self.identical_games += 1;
            return;
        }
        let is_validation = self.is_validation(&game);
        let next = record.line.plies.iter().map(Some).chain([None]);
        for (position, next) in game.positions().zip(next) {
            let is_exchange = next.is_some_and(|ply| position.is_capture(ply.mv));
            if is_exchange || G::is_forced(position) || G::is_threatened(position) {
                continue;
            }
            let known = endings.has(position).then(|| endings.score(position, 0)).flatten();
            let result = match (known, position.turn()) {
                (Some(score), _) => Some(target::result(score)),
                (None, Color::White) => white,
                (None, Color::Black) => white.map(|white| 1.0 - white),
            };
            let score = next.filter(|_| known.is_none()).and_then(|ply| noted(&ply.comments));
            if let Some(result) = result {
                let position = *position;
                self.add_example(Example { position, result, games: 1, score, is_validation });
            }
        }
    }

    /// Whether a game belongs to the validation set, like all games with its opening: the position
    /// that was set up, or the one after the first [`OPENING`] plies.
    fn is_validation(&mut self, game: &History<G>) -> bool {
        let start = game.position().game().start();
        let first = game.start().position;
        let plies = if first == start { OPENING } else { 0 };
        let plies = plies.min(game.moves().len());
        let opening = game.positions().nth(plies).unwrap_or(&first);
        let number = self.openings.len() + 1;
        let key = symmetric_key::<G>(opening);
        *self.openings.entry(key).or_insert(number.is_multiple_of(VALIDATION))
    }

    fn add_example(&mut self, example: Example<G>) {
        let key = symmetric_key::<G>(&example.position);
        let place = *self.places.entry(key).or_insert(self.examples.len());
        let Some(known) = self.examples.get_mut(place) else {
            self.examples.push(example);
            return;
        };
        self.repeated_positions += 1;
        match (known.is_validation, example.is_validation) {
            // A position of the training set is never in the validation set.
            (true, false) => *known = example,
            (false, true) => {}
            _ => {
                known.games += 1;
                known.result += (example.result - known.result) / known.games as f32;
                known.score = known.score.or(example.score);
            }
        }
    }

    /// Whether there are no examples to learn from.
    pub fn is_empty(&self) -> bool {
        self.examples.iter().all(|example| example.is_validation)
    }

    /// The number of different games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of games that were ignored because they are identical to an earlier one.
    pub fn identical_games(&self) -> usize {
        self.identical_games
    }

    /// The number of different positions, those of the validation set included.
    pub fn positions(&self) -> usize {
        self.examples.len()
    }

    /// The number of repeated positions, symmetric ones included.
    pub fn repeated_positions(&self) -> usize {
        self.repeated_positions
    }

    /// Implements [`learn`](Dataset::learn); compiled once for each family of games.
    #[doc(hidden)]
    pub fn learn_any(
        self,
        first: &Weights<G>,
        training: &Training,
        report: &mut dyn FnMut(u32, Loss) -> ControlFlow<()>,
    ) -> Weights<G> {
        self.train(training, report, |examples| Learner::new(first, examples, training.trust))
    }

    /// Implements [`learn_network`](Dataset::learn_network); compiled once for each family of games.
    #[doc(hidden)]
    pub fn learn_network_any(
        self,
        game: G,
        first: &FirstNetwork<G>,
        training: &Training,
        report: &mut dyn FnMut(u32, Loss) -> ControlFlow<()>,
    ) -> Network<G> {
        self.train(training, report, |examples| Trainer::new(game, first, examples, training))
    }

    /// Trains the model that `start` makes from the examples. Returns the result of the best round.
    fn train<M: Model<G>>(
        self,
        training: &Training,
        report: &mut dyn FnMut(u32, Loss) -> ControlFlow<()>,
        start: impl FnOnce(&[Example<G>]) -> M,
    ) -> M::Learned {
        let (validation, mut examples): (Vec<_>, Vec<_>) =
            self.examples.into_iter().partition(|example| example.is_validation);
        let mut model = start(&examples);
        if examples.is_empty() {
            return model.learned();
        }
        let loss = |model: &M, examples: &[Example<G>]| {
            let validation = (!validation.is_empty()).then(|| model.error(&validation));
            Loss {
                training: model.error(examples).bits,
                validation: validation.as_ref().map(|error| error.bits),
                explained: validation.and_then(|error| error.explained),
            }
        };
        let first = loss(&model, &examples);
        let mut best = (first.validation, model.learned());
        if report(0, first).is_break() {
            return best.1;
        }
        let mut random = Random::new(training.seed);
        let rounds = training.rounds;
        for round in 1..=rounds {
            for i in (1..examples.len()).rev() {
                examples.swap(i, random.below(i as u64 + 1) as usize);
            }
            // The learning rate decreases.
            model.pass(&examples, 1.0 - (round - 1) as f32 / rounds as f32);
            let loss = loss(&model, &examples);
            // Without a validation set the last round is returned.
            if loss.validation.is_none() || loss.validation < best.0 {
                best = (loss.validation, model.learned());
            }
            if report(round, loss).is_break() {
                break;
            }
        }
        best.1
    }
}

/// The score at the beginning of a comment on a move, as written by `damka match`: `+0.25/12`.
fn noted(comments: &[String]) -> Option<Score> {
    comments.iter().find_map(|comment| comment.split('/').next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluated;
    use damka_games::{Draughts, Russian};
    use damka_probe::Tables;
    use damka_records::Ply;
    use std::sync::Arc;

    fn training(rounds: u32, trust: f32) -> Training {
        Training { rounds, trust, seed: 1 }
    }

    /// Positions far into random games.
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

    /// Games whose results are drawn from known weights, and the error of these weights on the validation set,
    /// in bits: no evaluation predicts the results better.
    fn known() -> (Dataset<Draughts>, f64) {
        let truth = Learner::<Draughts>::new(&Russian.initial_weights(), &[], 0.0);
        let mut random = Random::new(3);
        let empty = tempfile::tempdir().expect("a directory");
        let endings =
            EndgameTables::new(Arc::new(Tables::open(Russian, empty.path()))).expect("no tables");
        let mut dataset = Dataset::new();
        for position in positions(30_000) {
            let mut record = Record::<Draughts>::new(position);
            let chance = truth.target.chance(truth.evaluate(&position));
            let mover_wins = (random.below(1 << 20) as f32) < chance * (1 << 20) as f32;
            record.result = match mover_wins == (position.turn() == Color::White) {
                true => GameResult::WhiteWins,
                false => GameResult::BlackWins,
            };
            dataset.add(&record, &endings);
        }
        assert_eq!(dataset.games() + dataset.identical_games(), 30_000);
        assert!(dataset.positions() < 30_000, "captures are left out");
        let validation: Vec<_> =
            dataset.examples.iter().filter(|example| example.is_validation).copied().collect();
        let best = truth.error(&validation).bits;
        (dataset, best)
    }

    #[test]
    fn known_weights_are_learned() {
        let (dataset, best) = known();
        let (mut first, mut last) = (0.0, 0.0);
        let zero = Weights::zero(Russian);
        let learned = dataset.clone().learn(&zero, &training(6, 0.0), |round, loss| {
            *(if round == 0 { &mut first } else { &mut last }) = loss.validation.expect("games");
            ControlFlow::Continue(())
        });
        assert!((first - 1.0).abs() < 1e-6, "zero weights need a bit for each game");
        assert!(last < best + 0.2 * (first - best), "{first} to {last}, {best} at best");
        let again = dataset.learn(&learned, &training(1, 0.0), |_, _| ControlFlow::Continue(()));
        assert_ne!(again, zero);
    }

    /// Training removes most of the error that can be avoided, and gives the same network for the
    /// same games and seed.
    #[test]
    fn a_network_learns_from_results() {
        let (dataset, best) = known();
        let first = FirstNetwork::Random { hidden: 32 };
        let mut losses = Vec::new();
        let mut train = |seed| {
            let training = Training { seed, ..training(40, 0.0) };
            let dataset = dataset.clone();
            let report = |_, loss: Loss| {
                losses.push(loss.validation.expect("games"));
                ControlFlow::Continue(())
            };
            dataset.learn_network(Russian, &first, &training, report)
        };
        let network = train(1);
        assert_eq!(network, train(1));
        assert_ne!(network, train(2));
        let [first, last] = [losses[0], losses[40]];
        assert!(last < best + 0.4 * (first - best), "{first} to {last}, {best} at best");
        // Learning goes on from the best round, whose network was returned.
        let least = losses[..=40].iter().copied().fold(f64::INFINITY, f64::min);
        let first = FirstNetwork::Learned(network);
        dataset.learn_network(Russian, &first, &training(1, 0.0), |round, loss| {
            let validation = loss.validation.expect("games");
            assert!(round > 0 || (validation - least).abs() < 1e-6, "{validation} after {least}");
            ControlFlow::Continue(())
        });
    }

    /// The best weights so far are returned.
    #[test]
    fn learning_can_be_ended_after_a_round() {
        let (dataset, _) = known();
        let zero = Weights::zero(Russian);
        let ended_after = |last| {
            let mut reported = 0;
            let learned = dataset.clone().learn(&zero, &training(6, 0.0), |round, _| {
                reported = round;
                if round == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(reported, last);
            learned
        };
        assert_eq!(ended_after(0), zero);
        assert_ne!(ended_after(1), zero);
    }

    /// Games with the same opening, and repeated games, are either in the validation set or in the training set.
    #[test]
    fn validation_positions_are_not_trained_on_and_none_is_repeated() {
        let empty = tempfile::tempdir().expect("a directory");
        let endings =
            EndgameTables::new(Arc::new(Tables::open(Russian, empty.path()))).expect("no tables");
        let (mut dataset, mut random) = (Dataset::<Draughts>::new(), Random::new(5));
        let results = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
        // With few plies games have many positions in common.
        let mut games = HashSet::new();
        for _ in 0..600 {
            let mut record = Record::<Draughts>::new(Russian.start());
            let mut game = History::<Draughts>::new(record.start);
            for _ in 0..9 {
                let Some(mv) = random.pick(&game.position().moves()) else { break };
                record.line.plies.push(Ply::new(mv));
                game.play(mv);
            }
            record.result = random.pick(&results).unwrap_or(GameResult::Draw);
            games.insert((game.line_key(), record.result));
            dataset.add(&record, &endings);
        }
        let [validation, learned] = [true, false].map(|is_validation| {
            let keys =
                dataset.examples.iter().filter(|example| example.is_validation == is_validation);
            keys.map(|example| symmetric_key::<Draughts>(&example.position)).collect::<Vec<_>>()
        });
        let distinct: HashSet<_> = validation.iter().chain(&learned).collect();
        assert!(
            validation.len() > 20 && learned.len() > 400,
            "{} {}",
            validation.len(),
            learned.len()
        );
        assert_eq!(distinct.len(), validation.len() + learned.len());
        assert!(dataset.repeated_positions() > 600, "the start alone comes as often");
        assert_eq!(dataset.games(), games.len());
        // The start position is an example with the mean of all results.
        let start = dataset.examples[dataset.places[&symmetric_key::<Draughts>(&Russian.start())]];
        assert!(!start.is_validation && (start.result - 0.5).abs() < 0.1, "{start:?}");
    }

    #[test]
    fn an_identical_game_is_ignored() {
        let empty = tempfile::tempdir().expect("a directory");
        let endings =
            EndgameTables::new(Arc::new(Tables::open(Russian, empty.path()))).expect("no tables");
        let mut dataset = Dataset::<Draughts>::new();
        for result in [GameResult::WhiteWins, GameResult::WhiteWins, GameResult::BlackWins] {
            let mut record = Record::new(Russian.parse_fen("W:Wc3,e3:Bd8").expect("a position"));
            record.result = result;
            dataset.add(&record, &endings);
        }
        assert_eq!((dataset.games(), dataset.identical_games()), (2, 1));
        assert_eq!((dataset.positions(), dataset.repeated_positions()), (1, 1));
        assert_eq!(dataset.examples[0].result, 0.5);
    }

    /// A drawn game in which White noted an advantage of two men. With a trust of one half, the target is
    /// the mean of the two probabilities.
    #[test]
    fn trust_is_the_weight_of_noted_scores() {
        let position = Russian.parse_fen("W:Wc3,e3,g3:Bd8").expect("a position");
        let mut record = Record::<Draughts>::new(position);
        record.result = GameResult::Draw;
        let mut ply = Ply::new(position.parse_move("c3-d4").expect("a move"));
        ply.comments = ["as expected", "+2.00/9"].map(str::to_owned).to_vec();
        record.line.plies.push(ply);
        let empty = tempfile::tempdir().expect("a directory");
        let endings =
            EndgameTables::new(Arc::new(Tables::open(Russian, empty.path()))).expect("no tables");
        let mut dataset = Dataset::new();
        dataset.add(&record, &endings);
        let scores: Vec<_> = dataset.examples.iter().map(|example| example.score).collect();
        assert_eq!(scores, [Some(Score::evaluation(200)), None]);

        for (trust, expected) in [(0.0, 0.5), (0.5, 0.69), (1.0, 0.88)] {
            let mut learner = Learner::new(&Weights::zero(Russian), &[], trust);
            (0..1000).for_each(|_| learner.learn(&dataset.examples[0], weights::LEARNING_RATE));
            // 1 / (1 + e^-2) is 0.88.
            let chance = learner.target.chance(learner.evaluate(&position));
            assert!((chance - expected).abs() < 0.01, "{trust}: {chance}");
        }
    }
}
