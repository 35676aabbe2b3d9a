use super::GameName;
use super::shared::{AccessArg, MOST_GAMES, TablesArg, book_choice};
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use damka_engine::book::BookChoice;
use damka_matches::Setup;
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
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The book to write.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) book: PathBuf,
    /// Recorded games: PDN, or PGN.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath, required_unless_present_any = ["self_play", "search"])]
    pub(crate) games: Vec<PathBuf>,
    /// Search the moves of so many positions, from the start on, and keep the good ones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) search: Option<u32>,
    /// How many positions a search of a move looks at.
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "search",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// By how much a move may be worse than the best, in hundredths of a man or pawn.
    #[arg(long, value_name = "N", default_value_t = 15, requires = "search",
        value_parser = clap::value_parser!(u16).range(..=1000))]
    pub(crate) margin: u16,
    /// Let the engine play so many games, made even, with itself.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub(crate) self_play: Option<u64>,
    /// How it plays them: settings as those of `damka match`.
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "nodes=20000")]
    pub(crate) player: Setup,
    /// How many random plies they begin with; what was searched takes their place.
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(..=40))]
    pub(crate) random: u32,
    /// What random moves depend on.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many games are played, or moves searched, at the same time.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: u16,
    /// Leave out moves that were played in fewer games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_games: u64,
    /// Only so many plies of each game.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) plies: usize,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

#[derive(ClapArgs)]
pub(crate) struct BookShowArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The book: a file, or own, the one that is built in.
    #[arg(value_name = "own|FILE", value_hint = ValueHint::FilePath, value_parser = book_choice())]
    pub(crate) book: BookChoice,
    /// The position; the start position if left out.
    #[arg(num_args = 0..)]
    pub(crate) fen: Vec<String>,
    /// Print a JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct BookAddArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The book to change.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) book: PathBuf,
    /// Recorded games: PDN, or PGN.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath, required = true)]
    pub(crate) games: Vec<PathBuf>,
    /// Only so many plies of each game.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) plies: usize,
}
