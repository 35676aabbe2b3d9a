use super::GameName;
use super::shared::{AccessArg, TablesArg, number};
use clap::{Args as ClapArgs, ValueHint};
use damka_engine::tune::{CHUNK, MAX_HIDDEN};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct TuneArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The weights to write.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) weights: PathBuf,
    /// Recorded games. Without any, the initial weights are written.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath)]
    pub(crate) games: Vec<PathBuf>,
    /// Start from these weights.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,
    /// Learn a network instead of weights of features: a new one with this many hidden neurons for
    /// each side, a multiple of 32 up to 1024, or the network in FILE further.
    #[arg(long, value_name = "NEURONS|FILE", conflicts_with = "from", value_parser = network)]
    pub(crate) network: Option<NetworkArg>,
    /// The number of passes over the training positions.
    #[arg(long, value_name = "N", default_value_t = 10, requires = "games",
        value_parser = number::<u32>(1..=1000))]
    pub(crate) rounds: u32,
    /// The weight of the scores noted with the moves, relative to the result, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, requires = "games",
        value_parser = number::<u8>(..=100))]
    pub(crate) trust: u8,
    /// The seed of the order of positions, and of the first weights of a network.
    #[arg(long, value_name = "S", default_value_t = 1, requires = "games",
        value_parser = number::<u64>(..))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

/// The network that learning begins with.
#[derive(Clone)]
pub(crate) enum NetworkArg {
    /// A new network with this number of hidden neurons.
    New(usize),
    /// The network of a file.
    File(PathBuf),
}

/// Parses a number of hidden neurons or the name of a file.
fn network(text: &str) -> Result<NetworkArg, String> {
    let Ok(hidden) = text.parse::<i64>() else {
        return Ok(NetworkArg::File(text.into()));
    };
    let hidden = usize::try_from(hidden).ok();
    hidden
        .filter(|hidden| (CHUNK..=MAX_HIDDEN).contains(hidden) && hidden.is_multiple_of(CHUNK))
        .map(NetworkArg::New)
        .ok_or_else(|| format!("expected a multiple of {CHUNK} up to {MAX_HIDDEN}, or a file"))
}
