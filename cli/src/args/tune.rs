use super::GameName;
use super::shared::{AccessArg, TablesArg, number};
use clap::{Args as ClapArgs, ValueHint};
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
    /// The number of passes over the training positions.
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = number::<u32>(1..=1000))]
    pub(crate) rounds: u32,
    /// The weight of the scores that players noted, against the result, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 0,
        value_parser = number::<u8>(..=100))]
    pub(crate) trust: u8,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}
