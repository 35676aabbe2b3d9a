use super::GameName;
use super::shared::{AccessArg, TablesArg, WorkArgs};
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct ProbeArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The positions: FENs, also as `[FEN "..."]`, or `start`; `-` reads one a line from
    /// standard input.
    #[arg(required = true)]
    pub(crate) fen: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not build missing small tables.
    #[arg(long)]
    pub(crate) no_build: bool,
}

#[derive(ClapArgs)]
pub(crate) struct StatsArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM; every table there is if left out.
    pub(crate) signature: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct VerifyArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM; every table there is if left out.
    pub(crate) signature: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Check this many positions, chosen by chance; all if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) sample: Option<u64>,
    /// Choose the same positions as a sample that was told to have this seed.
    #[arg(long, value_name = "S", requires = "sample")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(ClapArgs)]
pub(crate) struct PerftArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// How many plies deep.
    #[arg(value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) depth: u32,
    /// The positions, as for `probe`.
    #[arg(default_value = "start")]
    pub(crate) fen: Vec<String>,
    /// Print the count behind each move.
    #[arg(long)]
    pub(crate) divide: bool,
}
