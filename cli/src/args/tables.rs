use super::GameName;
use super::play::ColorName;
use super::shared::{AccessArg, NoBuildArg, ProgressArg, TablesArg, WorkArgs, number};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use damka_probe::Cursor;
use damka_tables::Wdl;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    pub(crate) common: LineArgs,
    /// Print an SVG picture of the position, with its best move as an arrow.
    #[arg(long, conflicts_with = "json")]
    pub(crate) svg: bool,
}

#[derive(ClapArgs)]
pub(crate) struct LineArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The positions: FENs, also as `[FEN "..."]`, or `start`; `-` reads one per line from standard
    /// input.
    #[arg(required = true)]
    pub(crate) fen: Vec<String>,
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
pub(crate) struct StatsArgs {
    /// The game.
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM; a number N selects all existing tables of up to N pieces.
    /// [default: all existing tables]
    #[arg(value_name = "PIECES|SIGNATURE")]
    pub(crate) signature: Vec<String>,
    /// Show the number of positions of each value. Tables before version 1.1 of the format do not
    /// store these numbers: all their positions are read.
    #[arg(long)]
    pub(crate) histogram: bool,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values, with a header line.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) progress: ProgressArg,
}

#[derive(ClapArgs)]
pub(crate) struct ListArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The signature, such as KKMvKM. White has the side named first: KMvKKM has the same
    /// positions with colours exchanged.
    pub(crate) signature: String,
    /// Only positions that the side to move wins, draws or loses.
    #[arg(long, value_enum)]
    pub(crate) value: Option<ValueName>,
    /// Only wins (odd) or losses (even) in exactly this many plies.
    #[arg(long, value_name = "PLIES", value_parser = number::<u16>(..))]
    pub(crate) distance: Option<u16>,
    /// Only positions in which exactly one move keeps the win or the draw.
    #[arg(long)]
    pub(crate) only_move: bool,
    /// Only mutual zugzwangs: each side would do better if the other were to move.
    #[arg(long)]
    pub(crate) zugzwang: bool,
    /// Only positions with this side to move.
    #[arg(long, value_enum)]
    pub(crate) turn: Option<ColorName>,
    /// List all symmetric positions, not one for each group.
    #[arg(long)]
    pub(crate) all: bool,
    /// The maximum number of positions; 0 for all. [default: 100, all with --npy]
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    pub(crate) limit: Option<u64>,
    /// Continue at a cursor. A note after an incomplete list names one, and each JSON
    /// object has one.
    #[arg(long, value_name = "CURSOR")]
    pub(crate) from: Option<Cursor>,
    /// List N random positions, each with equal probability.
    #[arg(long, value_name = "N", conflicts_with_all = ["limit", "count", "from"],
        value_parser = number::<u32>(1..))]
    pub(crate) sample: Option<u32>,
    /// The seed of the sample: the same seed gives the same positions.
    #[arg(long, value_name = "S", requires = "sample", default_value_t = 0,
        conflicts_with_all = ["limit", "count", "from"], value_parser = number::<u64>(..))]
    pub(crate) seed: u64,
    /// Print only how many positions there are.
    #[arg(long, conflicts_with = "limit")]
    pub(crate) count: bool,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values, with a header line.
    #[arg(long, conflicts_with_all = ["json", "count"])]
    pub(crate) csv: bool,
    /// Write bitboards and values to a file as a NumPy array, which docs/NPY.md describes.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        conflicts_with_all = ["json", "csv", "count"])]
    pub(crate) npy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) progress: ProgressArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValueName {
    Win,
    Draw,
    Loss,
}

impl From<ValueName> for Wdl {
    fn from(name: ValueName) -> Wdl {
        match name {
            ValueName::Win => Wdl::Win,
            ValueName::Draw => Wdl::Draw,
            ValueName::Loss => Wdl::Loss,
        }
    }
}

#[derive(ClapArgs)]
pub(crate) struct InventoryArgs {
    /// The game. [default: all games]
    pub(crate) game: Option<GameName>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print a list of digests that `verify --digests` reads.
    #[arg(long, conflicts_with = "json")]
    pub(crate) digests: bool,
}

#[derive(ClapArgs)]
pub(crate) struct VerifyArgs {
    /// The game.
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM; a number N selects all existing tables of up to N pieces.
    /// [default: all existing tables]
    #[arg(value_name = "PIECES|SIGNATURE")]
    pub(crate) signature: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Compare tables with the digests in this list, instead of checking values against successors.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "sample")]
    pub(crate) digests: Option<PathBuf>,
    /// Check only this many random positions.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    pub(crate) sample: Option<u64>,
    /// The seed of the sample: the same seed chooses the same positions.
    #[arg(long, value_name = "S", requires = "sample", value_parser = number::<u64>(..))]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(ClapArgs)]
pub(crate) struct PerftArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The depth, in plies.
    #[arg(value_parser = number::<u32>(..=100))]
    pub(crate) depth: u32,
    /// The positions, as for `probe`.
    #[arg(default_value = "start")]
    pub(crate) fen: Vec<String>,
    /// Print the count of each move.
    #[arg(long)]
    pub(crate) divide: bool,
}
