use super::GameName;
use super::shared::{AccessArg, NoBuildArg, TablesArg, number};
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct BoardArgs {
    /// The game.
    pub(crate) game: GameName,
    /// The position: a FEN, also as `[FEN "..."]`, or `start`.
    #[arg(default_value = "start")]
    pub(crate) fen: Vec<String>,
    /// Print an SVG picture; this is the default, unless FILE ends in `.png`.
    #[arg(long, group = "format")]
    pub(crate) svg: bool,
    /// Print a PNG picture.
    #[arg(long, group = "format")]
    pub(crate) png: bool,
    /// Print the board as text.
    #[arg(long, group = "format", conflicts_with_all = ["flip", "size", "arrows", "marks", "map"])]
    pub(crate) text: bool,
    /// Write to this new file instead of standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Show the board from Black's side.
    #[arg(long)]
    pub(crate) flip: bool,
    /// Width and height of the picture, in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 480,
        value_parser = number::<u32>(16..=8192))]
    pub(crate) size: u32,
    /// Arrows, separated by commas: two squares with - between them.
    #[arg(long, value_name = "c3-d4,...", value_delimiter = ',')]
    pub(crate) arrows: Vec<String>,
    /// Squares to frame, separated by commas.
    #[arg(long, value_name = "e5,...", value_delimiter = ',')]
    pub(crate) marks: Vec<String>,
    /// Write on each square the value of the position with the piece of SQUARE there: + for a win,
    /// - for a loss, with the plies to the end, and = for a draw.
    #[arg(long, value_name = "SQUARE")]
    pub(crate) map: Option<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) access: AccessArg,
    #[command(flatten)]
    pub(crate) build: NoBuildArg,
}
