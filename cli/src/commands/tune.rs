use super::input;
use super::records::read_games;
use crate::args::{NetworkArg, TuneArgs};
use crate::failure::Failure;
use crate::words::{count, note};
use damka_engine::tune::{Dataset, FirstNetwork, Loss, Training};
use damka_engine::{Network, Playable, Weights};
use damka_games::printable;
use std::io::{self, Write};
use std::sync::Arc;

/// What was learned.
enum Learned<G> {
    Network(Network<G>),
    Weights(Weights<G>),
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
    if args.games.is_empty() && args.weights.exists() {
        return Err(Failure::Input(format!(
            "{} is there already, and there are no games to learn from",
            args.weights.display()
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
        let place = args.weights.display();
        return Err(Failure::Input(format!("there is nothing to learn: {place} is not written")));
    }
    let TuneArgs { rounds, seed, .. } = *args;
    let training = Training { rounds, trust: f32::from(args.trust) / 100.0, seed };
    let mut best: Option<(f64, u32)> = None;
    let report = |round, loss: Loss| {
        if let Some(validation) =
            loss.validation.filter(|&validation| best.is_none_or(|(least, _)| validation < least))
        {
            best = Some((validation, round));
        }
        let validation = loss
            .validation
            .map_or(String::new(), |validation| format!(", validation {validation:.4}"));
        let explained = loss.explained.map_or(String::new(), |explained| {
            format!(", {:.1} % of its variance explained", 100.0 * explained)
        });
        note(&format!("round {round}: {:.4} bits{validation}{explained}", loss.training));
    };
    let learned = match network {
        Some(first) => Learned::Network(dataset.learn_network(game, &first, &training, report)),
        None => Learned::Weights(dataset.learn(&first, &training, report)),
    };
    if let Some((validation, 0)) = best {
        let place = args.weights.display();
        return Err(Failure::Input(format!(
            "nothing was learned: no round did better in validation than the first weights \
             ({validation:.4}); {place} is not written"
        )));
    }
    match learned {
        Learned::Network(network) => network.save(&args.weights)?,
        Learned::Weights(weights) => weights.save(&args.weights)?,
    }
    if let Some((validation, round)) = best.filter(|&(_, round)| round < args.rounds) {
        note(&format!(
            "round {round} did best in validation ({validation:.4}): its weights are kept"
        ));
    }
    let path = printable(&args.weights.display().to_string());
    writeln!(io::stdout().lock(), "{path}: learned from {games}")?;
    match all_read {
        true => Ok(()),
        false => Err(Failure::No),
    }
}
