use super::GameName;
use super::shared::{AccessArg, TablesArg};
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct TuneArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The weights to write.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) weights: PathBuf,
    /// Recorded games. Of none come the weights that learning begins with.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath)]
    pub(crate) games: Vec<PathBuf>,
    /// Begin with these weights.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,
    /// How often each lesson is learned.
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
    /// How far what players noted of a position is believed, rather than the result.
    #[arg(long, value_name = "PERCENT", default_value_t = 0,
        value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) trust: u8,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}
