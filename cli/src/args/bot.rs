use super::GameName;
use super::shared::{BookArgs, EngineArgs, SeedArg, ServerAccessArg, TablesArg, number};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum BotCommand {
    /// Play on a DagazServer: Alapo, Russian and English draughts, and chess.
    #[command(after_long_help = "\
Examples:
  damka bot dagaz --url https://HOST --user NAME --password-file FILE
  damka bot dagaz --url http://127.0.0.1:3000 --user NAME --game alapo --create
  damka bot dagaz --url https://HOST --user NAME --accept --max-games 10 --searches 2
  damka bot dagaz --url https://HOST --user NAME --dry-run    what it would do now

The user NAME must be registered on the server. The password is read from --password-file, or else
from the environment variable DAMKA_PASSWORD. It is never shown. Bots for other games may be logged in
as the same user at the same time.

The bot plays all games of its user, no matter who has started them. With --create, --accept and
--tournaments it looks for new games every half minute, until --max-games are open; games without a
move for an hour do not count. A tournament may start more at once.

It searches --searches positions at a time, each with --threads. The searches share tables and book;
the transposition tables of each of the four kinds of games take --memory in all. Of the waiting
games, the one whose clock runs out first comes first. If a game has no position yet and its user
begins, the bot sends the start position.

The server subtracts twice the time of a turn from the clock, so half an hour is a quarter of an hour of
thinking, which the bot takes into account. A draw is accepted if tables or a search to the end see no
win, if the bot is half a man or pawn behind, and after 40 moves if neither side is ahead. A draw is offered
if the game is drawn by its rules, such as a third repetition, because the server does not detect this.
A game is closed when it is won, lost or stalemate.

The log on standard error shows why the bot does not play in a game, which games begin and how they
end, and illegal moves of opponents, after which the bot plays on from the position of the server. Every
ten minutes it has a summary: open games, moves, failed requests, and how long ago a request succeeded.
A game without progress for ten minutes in which the bot is to move is an ERROR. --log-level debug adds
each move. Text from the server or an opponent is never logged. Only errors at the start end the bot. On
Ctrl-C it finishes the moves in hand, and waits at most half a minute for an answer; a second Ctrl-C ends
it at once. A second bot of the same user for the same games on this machine is refused, as both would
play each move. Nothing is stored on disk: the same command continues all games.")]
    Dagaz(Box<DagazArgs>),
}

#[derive(ClapArgs)]
pub(crate) struct DagazArgs {
    /// The address of the server, http://HOST:PORT or https://HOST.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    /// The user of the bot.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) user: String,
    /// The file with the password, in one line. [default: the environment variable DAMKA_PASSWORD]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) password_file: Option<PathBuf>,
    /// The games, separated by commas. [default: all games of the server]
    #[arg(long, value_name = "GAMES", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) game: Vec<GameName>,
    /// Create one game of each kind, or join a waiting one; the server decides which.
    #[arg(long)]
    pub(crate) create: bool,
    /// Join waiting games of others.
    #[arg(long)]
    pub(crate) accept: bool,
    /// Enter tournaments.
    #[arg(long)]
    pub(crate) tournaments: bool,
    /// Look for no more games when this number is open. Waiting games count; games without a move
    /// for an hour do not.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u16>(1..))]
    pub(crate) max_games: u16,
    /// The clock of created games, by the server's number: 0 none, 1 two hours and a minute,
    /// 2 half an hour and 20 seconds, 3 four hours and three minutes, 4 a sandglass of 15 minutes.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u32>(0..=4))]
    pub(crate) time_control: u32,
    /// The longest time for a move, in milliseconds. [default: what the clock allows, a minute at
    /// most; 5 seconds without a clock]
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..=3_600_000))]
    pub(crate) move_time: Option<u64>,
    /// The number of searches at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1..=64))]
    pub(crate) searches: u16,
    /// An arbiter confirms moves, sets up the pieces and closes games. Moves are sent without the position
    /// they lead to, and the opponent sees them when they are confirmed.
    #[arg(long)]
    pub(crate) arbiter: bool,
    /// Look for games once, if requested, play the moves that are due now, and exit; with status 1
    /// if one failed.
    #[arg(long)]
    pub(crate) once: bool,
    /// Show what would be done now, and exit. Only the login and requests without side effects are sent.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The interval between requests for games, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000,
        value_parser = number::<u64>(1..=3_600_000))]
    pub(crate) poll: u64,
    /// The format of the log.
    #[arg(long, value_enum, default_value = "plain")]
    pub(crate) log_format: LogFormat,
    /// The level of the log: `debug` adds each move.
    #[arg(long, value_enum, default_value = "info")]
    pub(crate) log_level: LogLevel,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    #[command(flatten)]
    pub(crate) access: ServerAccessArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people.
    Plain,
    /// One JSON object per line.
    Json,
}

/// The lowest level that is logged.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Games that make no progress, and bugs in the bot.
    Error,
    /// Also failed requests, and games in which the bot does not play.
    Warn,
    /// Also games that begin and end, and summaries.
    Info,
    /// Also each move.
    Debug,
}
