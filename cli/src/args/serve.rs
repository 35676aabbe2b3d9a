use super::shared::{NoBuildArg, number, parse_size};
use clap::builder::UnknownArgumentValueParser;
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct ServeArgs {
    /// The address to listen on. Other machines can reach the server only at a network address,
    /// such as 0.0.0.0:8080.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = parse_listen)]
    pub(crate) listen: String,
    /// Hidden: `--port` only points to `--listen`.
    #[arg(
        long = "port",
        hide = true,
        value_name = "PORT",
        value_parser = UnknownArgumentValueParser::suggest("the port is part of the address: --listen 127.0.0.1:8080")
    )]
    _port: Option<String>,
    /// A directory of tables; may be given several times. A table is read from the first one that
    /// has it. [default: the platform's data directory] [env: DAMKA_TABLES]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) tables: Vec<PathBuf>,
    /// The size of the cache of decoded blocks, for each game.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_size)]
    pub(crate) cache: u64,
    /// An origin whose pages may use the API, such as https://example.org; may be given several
    /// times. [default: all]
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) origin: Vec<String>,
    /// The number of requests per second that one address may send, in the long run; 0 for
    /// no limit.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number::<u32>(..))]
    pub(crate) rate: u32,
    /// Search positions that are in no table with an engine, for this many milliseconds.
    /// [default: no engine]
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..=60_000))]
    pub(crate) engine: Option<u64>,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
}

/// Reads an address or host name with a port.
fn parse_listen(text: &str) -> Result<String, String> {
    let expected = |problem: &str| Err(format!("{problem}, such as 127.0.0.1:8080"));
    let Some((host, port)) = text.rsplit_once(':') else {
        return expected("expected an address and a port");
    };
    match (host, port.parse::<u16>()) {
        ("", _) => expected("expected an address before the port"),
        (_, Err(_)) => expected("expected a port up to 65535 after the address"),
        _ => Ok(text.to_owned()),
    }
}
