use super::GameName;
use super::shared::{
    AccessArg, BookArgs, BuildArg, EngineArgs, SeedArg, ServerAccessArg, TablesArg, book_choice,
    number,
};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use damka_engine::Level;
use damka_engine::book::BookChoice;
use damka_games::Color;
use damka_matches::GameClock;
use damka_protocols::Numbering;
use std::time::Duration;

#[derive(ClapArgs)]
pub(crate) struct PlayArgs {
    /// The game.
    pub(crate) game: GameName,
    /// Your side. With both you move for both sides, and `go` lets the engine move.
    #[arg(long, value_enum, default_value = "white")]
    pub(crate) color: SidesName,
    /// How well the engine plays, from 1, a beginner, to 10, full strength.
    #[arg(long, value_name = "1..10", default_value = "10")]
    pub(crate) level: Level,
    /// In the first plies of a game, the engine plays any move at most this many hundredths of a
    /// man or pawn worse than its best, so that games differ; 0 plays the best.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = number::<u16>(..=1000))]
    pub(crate) variety: u16,
    /// A clock for each side: minutes for the game and seconds for each move. A side whose time is
    /// up loses.
    #[arg(long, value_name = "MINUTES+SECONDS", value_parser = clock, conflicts_with = "time")]
    pub(crate) clock: Option<GameClock>,
    /// The engine's time for a move, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000,
        value_parser = number::<u64>(1..))]
    pub(crate) time: u64,
    /// The maximum depth of the engine, in plies.
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=250))]
    pub(crate) depth: Option<u16>,
    /// The position. [default: the start position]
    #[arg(long)]
    pub(crate) fen: Option<String>,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) build: BuildArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorName {
    White,
    Black,
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Color {
        match name {
            ColorName::White => Color::White,
            ColorName::Black => Color::Black,
        }
    }
}

/// The sides that a person plays.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SidesName {
    White,
    Black,
    Both,
}

impl SidesName {
    /// The side, or `None` for both.
    pub(crate) fn side(self) -> Option<Color> {
        match self {
            SidesName::White => Some(Color::White),
            SidesName::Black => Some(Color::Black),
            SidesName::Both => None,
        }
    }
}

/// Reads a clock: `5+3` is five minutes, plus three seconds for each move.
fn clock(text: &str) -> Result<GameClock, String> {
    /// The longest times, in seconds: a day for the game, an hour for each move.
    const LONGEST: [f64; 2] = [86_400.0, 3_600.0];
    let read = |text: &str, unit: f64, longest: f64| {
        let seconds = text.parse::<f64>().ok()? * unit;
        (0.0..=longest).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
    };
    let clock = text.split_once('+').and_then(|(minutes, seconds)| {
        let base = read(minutes, 60.0, LONGEST[0]).filter(|base| !base.is_zero())?;
        Some(GameClock { base, increment: read(seconds, 1.0, LONGEST[1])? })
    });
    clock.ok_or_else(|| {
        "expected minutes for the game, more than 0, and seconds for each move, such as 5+3".into()
    })
}

#[derive(ClapArgs)]
pub(crate) struct EngineServerArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The protocol. [default: hub in draughts, uci in other games]
    #[arg(long, value_enum)]
    pub(crate) protocol: Option<ProtocolName>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) build: BuildArg,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// The opening book: the engine's own, none, or a file; in chess also a Polyglot book, NAME.bin.
    /// [default: own; in UCI none, unless the option Book names one]
    #[arg(long, value_name = "own|none|FILE", value_hint = ValueHint::FilePath, value_parser = book_choice())]
    pub(crate) book: Option<BookChoice>,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    #[command(flatten)]
    pub(crate) access: ServerAccessArg,
    /// Hub and DXP: how moves number the squares: top (1 is b8, 32 is g1), bottom (1 is a1, 32 is h8) or turned
    /// (1 is g1, 32 is b8). [default: as pydraughts and PDN do]
    #[arg(long, value_name = "top|bottom|turned")]
    pub(crate) numbering: Option<Numbering>,
    /// DXP: the time for each move, in milliseconds. [default: from the game's clock]
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..=3_600_000))]
    pub(crate) time: Option<u64>,
    /// DXP: the longest time for a move, whatever the game's clock allows, in milliseconds. [default: 60000]
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..=3_600_000))]
    pub(crate) longest_move: Option<u64>,
    /// DXP: disconnect a program that is silent for this many seconds. [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = number::<u64>(1..=86_400))]
    pub(crate) idle: Option<u64>,
    /// DXP: wait at this address for programs that request games. [default: 127.0.0.1:27531]
    #[arg(long, value_name = "ADDRESS", value_parser = dxp_address, conflicts_with = "connect")]
    pub(crate) listen: Option<String>,
    /// DXP: request a game from the program at this address.
    #[arg(long, value_name = "ADDRESS", value_parser = dxp_address)]
    pub(crate) connect: Option<String>,
}

/// Reads a host, perhaps with a port.
fn dxp_address(text: &str) -> Result<String, String> {
    let (host, port) = match text.rsplit_once(':') {
        // An IPv6 address also has colons; before a port it is in brackets.
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    match !host.is_empty() && port.is_none_or(|port| port.parse::<u16>().is_ok()) {
        true => Ok(text.to_owned()),
        false => Err("expected HOST or HOST:PORT, with a port up to 65535".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolName {
    /// Hub 2, on standard input and output.
    Hub,
    /// DXP, over TCP.
    Dxp,
    /// UCI, on standard input and output.
    Uci,
}
