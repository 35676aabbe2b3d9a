use super::GameName;
use super::shared::{AccessArg, NoBuildArg, ProgressArg, TablesArg, number, thread_count};
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct AnnotateArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The recorded games, PDN or PGN; `-` for standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Write the annotated games to this new file, and the summary to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// How long the engine searches each position that is in no table, in milliseconds; 0 to use
    /// tables alone.
    #[arg(long, value_name = "MS", default_value_t = 100, conflicts_with = "nodes",
        value_parser = number::<u64>(..))]
    pub(crate) time: u64,
    /// Search this many nodes instead; then the result is always the same.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    pub(crate) nodes: Option<u64>,
    /// How many games are annotated at a time; 0 for one per processor.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count)]
    pub(crate) threads: u16,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
    /// Print one JSON object per line: each game, then a summary of the players.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) progress: ProgressArg,
}
