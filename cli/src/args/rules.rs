use super::GameName;
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct RulesArgs {
    /// The game. [default: all games, one per line]
    pub(crate) game: Option<GameName>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
}
