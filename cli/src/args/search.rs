use super::GameName;
use super::shared::{AccessArg, EngineArgs, NoBuildArg, TablesArg, number};
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct SearchArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The positions, as for `probe`; `-` reads one per line from standard input.
    #[arg(default_value = "start")]
    pub(crate) fen: Vec<String>,
    /// The maximum depth, in plies.
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=250))]
    pub(crate) depth: Option<u16>,
    /// The time, in milliseconds. [default: 1000, if there is no other limit]
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..))]
    pub(crate) time: Option<u64>,
    /// The number of positions to search.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    pub(crate) nodes: Option<u64>,
    /// Find this many best moves (MultiPV), each with its score and line.
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=100))]
    pub(crate) lines: Option<u16>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
}

#[derive(ClapArgs)]
pub(crate) struct BenchArgs {
    /// The game.
    #[arg(default_value = "russian")]
    pub(crate) game: GameName,
    /// The depth, in plies. [default: one that takes a few seconds]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=250))]
    pub(crate) depth: Option<u16>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}
