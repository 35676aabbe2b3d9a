use super::GameName;
use super::shared::{AccessArg, MOST_GAMES, TablesArg, book_choice, number};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, ValueHint};
use damka_engine::book::BookChoice;
use damka_matches::EntrantSettings;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct MatchArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The first player, whose results are shown: settings such as time=100,threads=2 or level=3.
    #[arg(long, value_name = "KEY=VALUE,...")]
    pub(crate) a: EntrantSettings,
    /// The second player.
    #[arg(long, value_name = "KEY=VALUE,...")]
    pub(crate) b: EntrantSettings,
    /// A third player; --d to --h add more. Each plays a match against every other.
    #[arg(long, value_name = "KEY=VALUE,...", conflicts_with = "sprt")]
    pub(crate) c: Option<EntrantSettings>,
    #[arg(long, value_name = "KEY=VALUE,...", hide = true, requires = "c")]
    pub(crate) d: Option<EntrantSettings>,
    #[arg(long, value_name = "KEY=VALUE,...", hide = true, requires = "d")]
    pub(crate) e: Option<EntrantSettings>,
    #[arg(long, value_name = "KEY=VALUE,...", hide = true, requires = "e")]
    pub(crate) f: Option<EntrantSettings>,
    #[arg(long, value_name = "KEY=VALUE,...", hide = true, requires = "f")]
    pub(crate) g: Option<EntrantSettings>,
    #[arg(long, value_name = "KEY=VALUE,...", hide = true, requires = "g")]
    pub(crate) h: Option<EntrantSettings>,
    /// The number of games between each pair of players; an odd number is rounded up.
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = number::<u64>(1..=MOST_GAMES))]
    pub(crate) games: u64,
    /// A file of positions or games, random:PLIES[:MARGIN], endings:FROM-TO[:MARGIN] (pieces), or
    /// chess960 for the start positions of Chess960.
    #[arg(long, value_name = "OPENINGS", default_value = "random:8",
        value_parser = NonEmptyStringValueParser::new())]
    pub(crate) openings: String,
    /// Take random openings from a book instead: a file, or `own` for the built-in one.
    #[arg(long, value_name = "own|FILE", value_hint = ValueHint::FilePath,
        value_parser = book_choice(), conflicts_with = "openings")]
    pub(crate) book: Option<BookChoice>,
    /// The length of openings from games or from a book, in plies.
    #[arg(long, value_name = "N", value_parser = number::<usize>(..))]
    pub(crate) plies: Option<usize>,
    /// The seed of random openings and of the players' choices, from their books and between moves.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>(..))]
    pub(crate) seed: u64,
    /// The number of games played at the same time.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = number::<u16>(1..=256))]
    pub(crate) concurrency: u16,
    /// Games are drawn after this many plies.
    #[arg(long, value_name = "PLIES", default_value_t = 400,
        value_parser = number::<u32>(1..))]
    pub(crate) longest: u32,
    /// Play games to the end even if tables know the result.
    #[arg(long)]
    pub(crate) play_on: bool,
    /// Append the games to this file, as PDN or PGN.
    #[arg(long, visible_alias = "pgn", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) pdn: Option<PathBuf>,
    /// Sequential test (SPRT): end the match when it is decided whether the first player is
    /// stronger by ELO1 or only by ELO0, with errors of 5 %.
    #[arg(long, value_name = "ELO0,ELO1", value_delimiter = ',', num_args = 1)]
    pub(crate) sprt: Vec<f64>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

impl MatchArgs {
    /// The players with their names: the letters of their options, unless the settings name them.
    pub(crate) fn players(&self) -> Vec<(&str, &EntrantSettings)> {
        let MatchArgs { a, b, c, d, e, f, g, h, .. } = self;
        let more = [c, d, e, f, g, h].map(Option::as_ref);
        let letters = ["A", "B", "C", "D", "E", "F", "G", "H"];
        let players = letters.into_iter().zip([Some(a), Some(b)].into_iter().chain(more));
        let named = players.filter_map(|(letter, player)| Some((letter, player?)));
        named.map(|(letter, player)| (player.name.as_deref().unwrap_or(letter), player)).collect()
    }
}
