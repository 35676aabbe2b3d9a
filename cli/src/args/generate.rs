use super::GameName;
use super::shared::{MetricName, TablesArg, WorkArgs, number, parse_size, thread_count};
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct GenArgs {
    /// The game.
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM, each with all it leads to; a number stands for all signatures of
    /// 2 to that many pieces.
    #[arg(value_name = "PIECES|SIGNATURE", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What to write: win/draw/loss for search, distances for study.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// The memory to use, e.g. 512M or 16G; where it is too little, large arrays are kept in scratch
    /// files. [default: all that the machine, or the container, has]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Save unfinished work on a signature after this many seconds; 0 saves after every round.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = number::<u32>(..))]
    pub(crate) checkpoint: u32,
    /// At the end, print a profile: nanoseconds of processor time per position.
    #[arg(long)]
    pub(crate) profile: bool,
}

#[derive(ClapArgs)]
pub(crate) struct PlanArgs {
    /// The game.
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM, each with all it leads to; a number stands for all signatures of
    /// 2 to that many pieces.
    #[arg(value_name = "PIECES|SIGNATURE", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What would be written.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    /// The memory to use, e.g. 16G. [default: all that the machine, or the container, has]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// The number of threads. [default: one per processor]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true,
        value_parser = thread_count)]
    pub(crate) threads: u16,
    /// Print one JSON object per signature.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct RehearseArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The signature.
    pub(crate) signature: String,
    /// Only positions in which every man has advanced at least this many rows.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u32>(..))]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What would be written: distances take longer to solve.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl")]
    pub(crate) metric: Vec<MetricName>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}
