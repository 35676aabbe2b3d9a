//! The commands that a person can type in addition to moves.

use damka_games::Color;

/// The text of `help`.
// No line continuations: they would lose the indent.
pub(super) const HELP: &str = "  board        the board; flip turns it
  moves        the legal moves, ranked if tables know them; moves on and moves off: with each board
  fen          the position as a FEN
  hint         what the engine would play, and what it expects then
  eval         what the engine thinks of the position; eval on and eval off: with each board
  tables       what tables say of the position
  undo         take your last move back; what is played instead replaces it, as a variation
  redo         play again what was taken back
  back N       go back by N plies, or by one; what is played there is a variation
  forward N    go forward by N plies, or by one, on the line that was played last
  forward MOVE go forward into a variation
  main         make the line that leads here the main line
  go           let the engine move for the side to move
  color SIDE   choose your side: white, black, or both, to move for both by hand
  level        how the engine plays; level 3 changes it, from 1, a beginner, to 10, and level
               time=500,depth=6,nodes=20000, or some of these, what it has for each move:
               milliseconds, plies and positions
  new          begin again; new white, new black and new both choose your side
  load FILE N  read the N-th game, or the first, of a file of PDN or PGN, with its variations
  save FILE    write the game with its variations, as PDN or PGN
  resign       give up
  quit         end
";

/// A command that was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Help,
    Board,
    Flip,
    Fen,
    Hint,
    Tables,
    Undo,
    Redo,
    Main,
    Go,
    Resign,
    Quit,
    /// Shows the moves once, or switches them on or off for each board.
    Moves(Option<bool>),
    Eval(Option<bool>),
    Back(usize),
    Forward(Ahead<'a>),
    /// The sides that the person plays.
    Color(Sides),
    New(Option<Sides>),
    Level(&'a str),
    Load(&'a str),
    Save(&'a str),
}

/// The target of `forward`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead<'a> {
    Plies(usize),
    /// Into the variation that begins with this move.
    Into(&'a str),
}

/// The person's side; `None` for both.
pub(super) type Sides = Option<Color>;

impl<'a> Command<'a> {
    /// Parses a command. `None` if the text is not one; it may be a move.
    pub(super) fn parse(line: &'a str) -> Option<Command<'a>> {
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        Some(match (word, rest) {
            ("help" | "?", "") => Command::Help,
            ("board", "") => Command::Board,
            ("flip", "") => Command::Flip,
            ("fen", "") => Command::Fen,
            ("hint", "") => Command::Hint,
            ("tables", "") => Command::Tables,
            ("undo", "") => Command::Undo,
            ("redo", "") => Command::Redo,
            ("main", "") => Command::Main,
            ("go", "") => Command::Go,
            ("resign", "") => Command::Resign,
            ("quit" | "exit", "") => Command::Quit,
            ("moves", rest) => Command::Moves(switch(rest)?),
            ("eval", rest) => Command::Eval(switch(rest)?),
            ("back", "") => Command::Back(1),
            ("back", rest) => Command::Back(rest.parse().ok()?),
            ("forward", "") => Command::Forward(Ahead::Plies(1)),
            ("forward", rest) => {
                Command::Forward(rest.parse().map_or(Ahead::Into(rest), Ahead::Plies))
            }
            ("color", rest) => Command::Color(sides(rest)?),
            ("new", "") => Command::New(None),
            ("new", rest) => Command::New(Some(sides(rest)?)),
            ("level", rest) => Command::Level(rest),
            ("load", rest) => Command::Load(rest),
            ("save", rest) => Command::Save(rest),
            _ => return None,
        })
    }
}

/// The help on the command that a line begins with, if any.
pub(super) fn usage(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next()?;
    let is_about = |help: &&str| help.split_whitespace().next() == Some(word);
    HELP.lines().filter(|help| !help.starts_with("   ")).find(is_about).map(str::trim)
}

fn switch(text: &str) -> Option<Option<bool>> {
    match text {
        "" => Some(None),
        "on" => Some(Some(true)),
        "off" => Some(Some(false)),
        _ => None,
    }
}

fn sides(text: &str) -> Option<Sides> {
    match text {
        "white" => Some(Some(Color::White)),
        "black" => Some(Some(Color::Black)),
        "both" => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_distinguished_from_moves() {
        for (line, command) in [
            ("back", Command::Back(1)),
            ("back  12", Command::Back(12)),
            ("forward 2", Command::Forward(Ahead::Plies(2))),
            ("forward c3-d4", Command::Forward(Ahead::Into("c3-d4"))),
            ("moves", Command::Moves(None)),
            ("eval off", Command::Eval(Some(false))),
            ("color both", Command::Color(None)),
            ("new", Command::New(None)),
            ("new black", Command::New(Some(Some(Color::Black)))),
            ("load a b.pdn 3", Command::Load("a b.pdn 3")),
        ] {
            assert_eq!(Command::parse(line), Some(command), "{line}");
        }
        for line in ["c3-d4", "back x", "color red", "moves 5", "undo 2", "Nf3"] {
            assert_eq!(Command::parse(line), None, "{line}");
        }
        assert_eq!(usage("undo 2").map(|usage| &usage[..4]), Some("undo"));
        assert_eq!(usage("c3-d4"), None);
        for command in HELP.lines().filter(|line| !line.starts_with("   ")) {
            let word = command.split_whitespace().next().unwrap_or_default();
            let found = [word.to_owned(), format!("{word} white")];
            assert!(found.iter().any(|line| Command::parse(line).is_some()), "{word}");
        }
    }
}
