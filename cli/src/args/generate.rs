use super::GameName;
use super::shared::{MetricName, TablesArg, WorkArgs, number, parse_size, thread_count};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct GenArgs {
    /// The game.
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM, each with all it leads to; a number N selects all signatures of
    /// 2 to N pieces.
    #[arg(value_name = "PIECES|SIGNATURE", required_unless_present = "only")]
    pub(crate) what: Vec<String>,
    /// Build only these signatures, as one of several processes that build the set together, and
    /// seed files for the other processes. Exits with 3 if an input is not built yet.
    #[arg(long, value_name = "SIGNATURE", num_args = 1..)]
    pub(crate) only: Vec<String>,
    /// Read tables and seed files of other processes here. [default: the directory of tables]
    #[arg(long, value_name = "DIR", requires = "only", value_hint = ValueHint::DirPath)]
    pub(crate) inputs: Option<PathBuf>,
    /// Where this process writes. [default: the directory of tables]
    #[arg(long, value_name = "DIR", requires = "only", conflicts_with = "tables",
        value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What to write: win/draw/loss for search, distances for study.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// The memory to use, e.g. 512M or 16G; if it is too little, large arrays are kept in scratch
    /// files. [default: all memory of the machine or container]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Save unfinished work on a signature after this many seconds; 0 saves after every round.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = number::<u32>(..))]
    pub(crate) checkpoint: u32,
    /// Keep one side to move of each table, the one that takes less space, when all are built. Tables
    /// take about half the space; a probe of the other side looks one move ahead.
    #[arg(long, conflicts_with = "only")]
    pub(crate) half: bool,
    /// Read all existing tables again, also those that have not changed since they were last read.
    #[arg(long)]
    pub(crate) recheck: bool,
    /// At the end, print a profile: nanoseconds of processor time per position.
    #[arg(long)]
    pub(crate) profile: bool,
}

/// How a plan is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// A line for each signature, for people.
    Text,
    /// The jobs of several processes, one JSON object each.
    Json,
    /// A Makefile.
    Make,
    /// A Snakefile.
    Snakemake,
    /// A script that submits jobs to Slurm.
    Slurm,
}

#[derive(ClapArgs)]
pub(crate) struct PlanArgs {
    /// The game.
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM, each with all it leads to; a number N selects all signatures of
    /// 2 to N pieces.
    #[arg(value_name = "PIECES|SIGNATURE", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What would be written.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    /// The memory to use, e.g. 16G. [default: all memory of the machine or container]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// The number of threads. [default: one per processor]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true,
        value_parser = thread_count)]
    pub(crate) threads: u16,
    /// How to print the plan: for people, or as jobs of several processes for a program that runs
    /// them. Memory and threads are then those of each job.
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: PlanFormat,
    /// Print one JSON object per signature.
    #[arg(long, conflicts_with = "format")]
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
