//! `damka rules`: the rules of the games, from their definitions in code.

use crate::args::RulesArgs;
use crate::columns::write_aligned;
use crate::failure::Failure;
use crate::json;
use damka_games::{AnyGame, Game, Position, with_game};
use serde::Serialize;
use std::io::{self, Write};

/// The rules of a game, as JSON.
#[derive(Serialize)]
struct GameRules {
    game: &'static str,
    /// Other names that are understood.
    names: &'static [&'static str],
    /// The rules of its family.
    basics: String,
    /// The rules of its family, broken into lines for a terminal.
    #[serde(skip)]
    basics_lines: &'static str,
    /// The rules in which it differs from its family.
    rules: Vec<String>,
    /// The start position, as a FEN.
    start: String,
    /// The letters of the pieces, as signatures have them.
    pieces: &'static [char],
}

/// `damka rules`.
pub(crate) fn rules(args: &RulesArgs) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let games: Vec<GameRules> = match args.game {
        Some(game) => vec![GameRules::of(game.0)],
        None => AnyGame::all().map(GameRules::of).collect(),
    };
    if args.json {
        for game in &games {
            writeln!(out, "{}", json::object(game))?;
        }
        return Ok(());
    }
    match &games[..] {
        [game] => write!(out, "{}", game.text())?,
        games => {
            let line = |game: &GameRules| vec![game.game.to_owned(), game.rules.join("; ")];
            write_aligned(&mut out, &games.iter().map(line).collect::<Vec<_>>(), &[0, 1])?;
        }
    }
    Ok(())
}

impl GameRules {
    fn of(game: AnyGame) -> GameRules {
        with_game!(game, game => GameRules::of_game(game))
    }

    fn of_game<G: Game>(game: G) -> GameRules {
        GameRules {
            game: game.name(),
            names: game.aliases(),
            basics: G::BASICS.replace('\n', " "),
            basics_lines: G::BASICS,
            rules: game.summary().split("; ").map(str::to_owned).collect(),
            start: game.start().fen(),
            pieces: G::KINDS,
        }
    }

    fn text(&self) -> String {
        let GameRules { game, names, basics_lines, rules, start, pieces, .. } = self;
        let names = match names.is_empty() {
            true => String::new(),
            false => format!(", also {}", names.join(", ")),
        };
        let rules: String = rules.iter().map(|rule| format!("  {rule}\n")).collect();
        let pieces: Vec<String> = pieces.iter().map(char::to_string).collect();
        let pieces = pieces.join(" ");
        format!("{game}{names}\n\n{basics_lines}\n\n{rules}\nstart   {start}\npieces  {pieces}\n")
    }
}
