use super::GameName;
use super::shared::{AccessArg, MOST_GAMES, TablesArg, book_choice, number};
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use damka_engine::book::BookChoice;
use damka_matches::EntrantSettings;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum BookCommand {
    /// Make a book from recorded games, or games that the engine plays with itself.
    Build(Box<BookBuildArgs>),
    /// Show the moves of a position.
    Show(BookShowArgs),
    /// Add recorded games to a book.
    Add(BookAddArgs),
}

#[derive(ClapArgs)]
pub(crate) struct BookBuildArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The book to write.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) book: PathBuf,
    /// Recorded games: PDN, or PGN.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath, required_unless_present_any = ["self_play", "search"])]
    pub(crate) games: Vec<PathBuf>,
    /// Search the moves of this many positions, beginning with the start position, and keep the good ones.
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=1_000_000))]
    pub(crate) search: Option<u32>,
    /// The number of nodes for each move.
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "search",
        value_parser = number::<u64>(1..))]
    pub(crate) nodes: u64,
    /// By how much a move may be worse than the best, in hundredths of a man or pawn.
    #[arg(long, value_name = "N", default_value_t = 15, requires = "search",
        value_parser = number::<u16>(..=1000))]
    pub(crate) margin: u16,
    /// Add this many games, rounded up to even, that the engine plays with itself.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=MOST_GAMES))]
    pub(crate) self_play: Option<u64>,
    /// The settings of the engine in these games, as for `damka match`.
    #[arg(
        long,
        value_name = "KEY=VALUE,...",
        default_value = "nodes=20000",
        requires = "self_play"
    )]
    pub(crate) player: EntrantSettings,
    /// The number of random plies at the start of these games. With --search they begin with the book.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "self_play",
        value_parser = number::<u32>(..=40))]
    pub(crate) random: u32,
    /// The seed of random moves.
    #[arg(long, value_name = "S", default_value_t = 1, requires = "self_play",
        value_parser = number::<u64>(..))]
    pub(crate) seed: u64,
    /// The number of games played, or moves searched, at the same time.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = number::<u16>(1..=256))]
    pub(crate) concurrency: u16,
    /// Leave out moves that were played in fewer games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    pub(crate) min_games: u64,
    /// Read only this many plies of each game.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>(..))]
    pub(crate) plies: usize,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

#[derive(ClapArgs)]
pub(crate) struct BookShowArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The book: a file, in chess also a Polyglot book, NAME.bin; or `own` for the built-in one.
    #[arg(value_name = "own|FILE", value_hint = ValueHint::FilePath, value_parser = book_choice())]
    pub(crate) book: BookChoice,
    /// The position. [default: the start position]
    #[arg(num_args = 0..)]
    pub(crate) fen: Vec<String>,
    /// Print a JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct BookAddArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The book to change.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) book: PathBuf,
    /// Recorded games: PDN, or PGN.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath, required = true)]
    pub(crate) games: Vec<PathBuf>,
    /// Read only this many plies of each game.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>(..))]
    pub(crate) plies: usize,
}
