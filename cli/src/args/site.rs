use super::GameName;
use super::shared::{NoBuildArg, ProgressArg, number};
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct SiteArgs {
    /// The directory of the site. It is made if it is missing; a new site needs one without
    /// other files.
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
    /// The games, separated by commas. [default: all that have tables]
    #[arg(long, value_name = "GAMES", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) games: Vec<GameName>,
    /// The maximum number of pieces of a table. [default: all tables]
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=8))]
    pub(crate) pieces: Option<u32>,
    /// A directory of tables; may be given several times. A table is read from the first one that
    /// has it. [default: the platform's data directory] [env: DAMKA_TABLES]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) tables: Vec<PathBuf>,
    /// The WebAssembly reader for browsers: the directory that `bindings/wasm/build` makes.
    /// [default: the one that this damka was built with] [env: DAMKA_WASM]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) wasm: Option<PathBuf>,
    /// Print a summary of the site as a JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
    #[command(flatten)]
    pub(crate) progress: ProgressArg,
}
