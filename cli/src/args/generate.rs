use super::GameName;
use super::shared::{MetricName, TablesArg, WorkArgs, parse_size};
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct GenArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// A number stands for all signatures of up to so many pieces, KKMvKM for one of them and
    /// what it leads to.
    #[arg(value_name = "PIECES|SIGNATURE", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What to write: win/draw/loss for search, distances for study.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// The memory that may be used, e.g. 512M or 16G; with little, large arrays are kept in
    /// scratch files. [default: all that the machine, or the container, has]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// How often unfinished work on a signature is saved, in seconds; 0 for all the time.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub(crate) checkpoint: u32,
    /// At the end, tell where the time went: nanoseconds of one core for each position.
    #[arg(long)]
    pub(crate) profile: bool,
}

#[derive(ClapArgs)]
pub(crate) struct PlanArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// A number stands for all signatures of up to so many pieces, KKMvKM for one of them and
    /// what it leads to.
    #[arg(value_name = "PIECES|SIGNATURE", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What would be written.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    /// The memory that may be used, e.g. 16G. [default: all that the machine, or the container,
    /// has]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Threads that would work. [default: one per processor]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) threads: u16,
    /// Print JSON, one object a signature.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct RehearseArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The signature.
    pub(crate) signature: String,
    /// Only positions in which every man has come at least so many steps.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What would be written: distances take longer to solve.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl")]
    pub(crate) metric: Vec<MetricName>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}
