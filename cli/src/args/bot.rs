use super::GameName;
use super::shared::{BookArgs, EngineArgs, ServerAccessArg, TablesArg};
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

The password is that of the user NAME, who must be registered on the server. It is read from
--password-file, or else from the environment variable DAMKA_PASSWORD; it is never shown, and a
bot for other games may be logged in as the same user at the same time.

The bot plays every open game of its user in which it is its turn, whoever has brought it about;
with --create, --accept and --tournaments it looks for more each half minute, until --max-games are
open, not counting those in which nobody has moved for an hour; a tournament may bring more at once.
It thinks about --searches positions at a time, each with --threads. The searches share tables and book;
the transposition tables of each of the four kinds of games take --memory in all. Of the games that
wait, the one comes first whose clock would run out first. Where nobody has set up the pieces, it does
so, if its user begins.

The server takes twice the time of a turn from the clock, so that half an hour is a quarter of an
hour of thinking: that is reckoned with. A draw is accepted where tables, or a search to the end, see
no win; where the bot is half a man or pawn behind; and after 40 moves if nobody is ahead. It is
offered where the rules of the game make it one, as by the third repetition, for the server counts
nothing. A game is closed when it is won, lost or stalemate.

The log on standard error says why a game is left alone, which games begin and how they end, and where
an opponent has not kept to the rules: the game goes on from the position that the server has. Each
ten minutes it has a summary: open games, moves, failed requests, and how long ago the last one
succeeded. A game that has not moved on for ten minutes, though it is the bot's turn, is an ERROR.
--log-level debug adds each move. Nothing is logged that the server or an opponent has written.
Whatever the server answers, the bot goes on; only what is wrong from the start ends it.
Ctrl-C lets it make the moves in hand, and wait half a minute at most for an answer; a second one does
not. Where a bot of this user for the same games runs on this machine, a second one does not begin:
both would make each move. Nothing is kept on disk: the same command goes on with all games.")]
    Dagaz(Box<DagazArgs>),
}

#[derive(ClapArgs)]
pub(crate) struct DagazArgs {
    /// Where the server is, http://HOST:PORT or https://HOST.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    /// The user as whom the bot plays.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) user: String,
    /// The file with his password, in one line. [default: the environment variable DAMKA_PASSWORD]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) password_file: Option<PathBuf>,
    /// The games, with commas between. [default: all that the server has, too]
    #[arg(long, value_name = "GAMES", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) game: Vec<GameName>,
    /// Let one game of each kind wait for an opponent; the server seats it in a game that waits
    /// already, if there is one.
    #[arg(long)]
    pub(crate) create: bool,
    /// Join games of others that wait.
    #[arg(long)]
    pub(crate) accept: bool,
    /// Enter tournaments.
    #[arg(long)]
    pub(crate) tournaments: bool,
    /// Look for no more games when so many are open, those that wait included, but not those in which
    /// nobody has moved for an hour.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) max_games: u16,
    /// The clock of games that are created, by the server's number: 0 none, 1 two hours and a minute,
    /// 2 half an hour and 20 seconds, 3 four hours and three minutes, 4 a sandglass of 15 minutes.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=4))]
    pub(crate) time_control: u32,
    /// The longest time for a move, in milliseconds. [default: what the clock allows, a minute at
    /// most; 5 seconds without a clock]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub(crate) move_time: Option<u64>,
    /// How many positions are searched at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) searches: u16,
    /// An arbiter confirms moves: they are sent without the position they lead to, so that the
    /// opponent sees them when he has said yes; and he sets up the pieces and closes games that are won or
    /// drawn.
    #[arg(long)]
    pub(crate) arbiter: bool,
    /// Look for games once, if that is told, make the moves that are due now, and end: with status 1 if
    /// one failed.
    #[arg(long)]
    pub(crate) once: bool,
    /// Tell what would be done now, and end: nothing is sent but the login and questions that
    /// change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How often the server is asked for games, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub(crate) poll: u64,
    /// How the log is written.
    #[arg(long, value_enum, default_value = "plain")]
    pub(crate) log_format: LogFormat,
    /// What is logged: `debug` adds each move.
    #[arg(long, value_enum, default_value = "info")]
    pub(crate) log_level: LogLevel,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) access: ServerAccessArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people.
    Plain,
    /// One JSON object a line.
    Json,
}

/// The least important messages that are logged.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Games that do not move on, and faults of the bot.
    Error,
    /// Besides, requests that failed and games that are left alone.
    Warn,
    /// Besides, games that begin and end, and summaries.
    Info,
    /// Besides, each move.
    Debug,
}
