use super::GameName;
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct RulesArgs {
    /// The game; all games, one a line, if left out.
    pub(crate) game: Option<GameName>,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}
