use super::input;
use super::records::read_games;
use crate::args::{NetworkArg, TuneArgs};
use crate::failure::Failure;
use crate::signals::stop_on_signal;
use crate::words::{count, note};
use damka_engine::tune::{Dataset, FirstNetwork, Loss, Training};
use damka_engine::{Network, Playable, Weights};
use damka_games::printable;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What was learned.
enum Learned<G> {
    Network(Network<G>),
    Weights(Weights<G>),
}

/// The rounds so far.
#[derive(Default)]
struct Outcome {
    /// The last round.
    last: u32,
    /// The least error in validation, and its round, if there is a validation set.
    best: Option<(f64, u32)>,
}

impl Outcome {
    /// Prints and keeps the error after a round.
    fn add(&mut self, round: u32, loss: Loss) {
        self.last = round;
        let is_better = |validation: f64| self.best.is_none_or(|(least, _)| validation < least);
        if let Some(validation) = loss.validation.filter(|&validation| is_better(validation)) {
            self.best = Some((validation, round));
        }
        let validation = loss
            .validation
            .map_or(String::new(), |validation| format!(", validation {validation:.4}"));
        let explained = loss.explained.map_or(String::new(), |explained| {
            format!(", {:.1} % of its variance explained", 100.0 * explained)
        });
        note(&format!("round {round}: {:.4} bits{validation}{explained}", loss.training));
    }
}

/// `damka tune`.
pub(crate) fn tune<G: Playable>(game: G, args: &TuneArgs) -> Result<(), Failure> {
    let network = match &args.network {
        Some(NetworkArg::New(hidden)) => Some(FirstNetwork::Random { hidden: *hidden }),
        Some(NetworkArg::File(path)) => Some(FirstNetwork::Learned(Network::open(game, path)?)),
        None => None,
    };
    match network {
        Some(_) => Network::<G>::check_place(&args.weights)?,
        None => Weights::<G>::check_place(&args.weights)?,
    }
    let place = args.weights.display();
    if args.games.is_empty() && args.weights.exists() {
        return Err(Failure::Input(format!(
            "{place} is there already, and there are no games to learn from"
        )));
    }
    let first = match &args.from {
        Some(path) => Weights::open(game, path)?,
        None => game.initial_weights(),
    };
    let endings = input::endings(&Arc::new(input::tables(game, &args.tables, &args.access)?))?;
    let mut dataset = Dataset::new();
    let mut all_read = true;
    for path in &args.games {
        all_read &= read_games(game, path, |record| dataset.add(&record, &endings))?;
    }
    let games = count(dataset.games() as u64, "game");
    let positions = count(dataset.positions() as u64, "quiet position");
    note(&format!(
        "{positions} of {games}; left out: {} and {}",
        count(dataset.identical_games() as u64, "identical game"),
        count(dataset.repeated_positions() as u64, "repeated position"),
    ));
    if !args.games.is_empty() && dataset.is_empty() {
        return Err(Failure::Input(format!("there is nothing to learn: {place} is not written")));
    }
    let TuneArgs { rounds, seed, .. } = *args;
    let training = Training { rounds, trust: f32::from(args.trust) / 100.0, seed };
    let mut outcome = Outcome::default();
    let stop = stop_on_signal();
    let report = |round, loss| {
        outcome.add(round, loss);
        if stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let learned = match network {
        Some(first) => Learned::Network(dataset.learn_network(game, &first, &training, report)),
        None => Learned::Weights(dataset.learn(&first, &training, report)),
    };
    let Outcome { last, best } = outcome;
    let is_interrupted = stop.is_requested() && last < args.rounds;
    if is_interrupted && best.map_or(last, |(_, round)| round) == 0 {
        return Err(Failure::Interrupted(format!(
            "interrupted: no round did better than the first weights, so {place} is not written"
        )));
    }
    if let Some((validation, 0)) = best {
        return Err(Failure::Input(format!(
            "nothing was learned: no round did better in validation than the first weights \
             ({validation:.4}); {place} is not written"
        )));
    }
    match learned {
        Learned::Network(network) => network.save(&args.weights)?,
        Learned::Weights(weights) => weights.save(&args.weights)?,
    }
    if let Some((validation, round)) = best.filter(|&(_, round)| round < last) {
        note(&format!(
            "round {round} did best in validation ({validation:.4}): its weights are kept"
        ));
    }
    let path = printable(&place.to_string());
    writeln!(io::stdout().lock(), "{path}: learned from {games}")?;
    match (is_interrupted, all_read) {
        (true, _) => Err(Failure::Interrupted(format!(
            "interrupted: {last} of {} rounds learned",
            args.rounds
        ))),
        (false, true) => Ok(()),
        (false, false) => Err(Failure::No),
    }
}
