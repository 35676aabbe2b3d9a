use super::shared::{NoBuildArg, number, parse_size};
use clap::{Args as ClapArgs, ValueHint};
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct ServeArgs {
    /// The address to listen on. Programs on other machines reach the server only at an address
    /// of the network, such as 0.0.0.0:8080.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// A directory of tables; may be given several times. A table is read from the first one that
    /// has it. [default: the platform's data directory] [env: DAMKA_TABLES]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) tables: Vec<PathBuf>,
    /// The cache of decoded blocks of each game.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_size)]
    pub(crate) cache: u64,
    /// An origin whose pages may use the API, such as https://example.org; may be given several
    /// times. [default: all]
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) origin: Vec<String>,
    /// How many requests a second one address may send, in the long run; 0 for any number.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number::<u32>(..))]
    pub(crate) rate: u32,
    /// Let an engine search positions that no table knows, for this many milliseconds.
    /// [default: no engine]
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..=60_000))]
    pub(crate) engine: Option<u64>,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
}
