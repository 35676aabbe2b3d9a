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
    /// Learn a network with this many hidden neurons for each side, a multiple of 32, instead of
    /// weights of features.
    #[arg(long, value_name = "NEURONS", conflicts_with = "from", value_parser = hidden)]
    pub(crate) network: Option<usize>,
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

/// Parses the number of hidden neurons of a network.
fn hidden(text: &str) -> Result<usize, String> {
    let range = CHUNK..=MAX_HIDDEN;
    let hidden: Option<usize> = text.parse().ok();
    let hidden = hidden.filter(|hidden| range.contains(hidden) && hidden.is_multiple_of(CHUNK));
    hidden.ok_or_else(|| format!("a multiple of {CHUNK} up to {MAX_HIDDEN} expected"))
}
