use super::level;
use crate::failure::Failure;
use crate::lines::Lines;
use anstream::AutoStream;
use damka_engine::book::Book;
use damka_engine::{Control, End, Engine, History, Limits, Playable, Report};
use damka_games::{Color, Position, printable};
use damka_probe::Tables;
use damka_records as records;
use damka_system::write_atomically;
use std::io::{self, IsTerminal, StdinLock, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What can be typed besides moves.
const COMMANDS: &str = "  moves        the legal moves, ranked if tables know them
  board        the board
  flip         turn the board
  fen          the position as a FEN
  hint         what the engine would play, and what it expects then
  tables       what tables say of the position
  undo         take your last move back
  redo         play again what was taken back
  level        how the engine plays; level time=500,depth=6,nodes=20000, or some of these,
               changes it: milliseconds, plies and positions for each move
  new          begin again; new white and new black choose your side
  save FILE    write the game, as PDN or PGN
  resign       give up
  quit         end
";

/// A game between a person and the engine.
pub(super) struct Session<G: Playable> {
    pub(super) game: History<G>,
    /// What was taken back, the last move first.
    undone: Vec<G::Move>,
    /// The person's side.
    person: Color,
    /// Whose side of the board is at the bottom.
    pub(super) viewer: Color,
    /// Whether the person has given up.
    has_resigned: bool,
    engine: Engine<G>,
    limits: Limits,
    book: Option<Book<G>>,
    seed: u64,
    pub(super) tables: Arc<Tables<G>>,
    /// Where the game was saved.
    saved: Option<PathBuf>,
    /// Colours are left out where they are not wanted or understood.
    pub(super) out: AutoStream<StdoutLock<'static>>,
}

impl<G: Playable> Session<G> {
    pub(super) fn new(
        game: History<G>,
        person: Color,
        engine: Engine<G>,
        limits: Limits,
        tables: Arc<Tables<G>>,
    ) -> Session<G> {
        Session {
            game,
            undone: Vec::new(),
            person,
            viewer: person,
            has_resigned: false,
            engine,
            limits,
            book: None,
            seed: 0,
            tables,
            saved: None,
            out: AutoStream::auto(io::stdout().lock()),
        }
    }

    /// Lets the engine play from a book; `seed` is what its choices depend on.
    pub(super) fn set_book(&mut self, book: Option<Book<G>>, seed: u64) {
        (self.book, self.seed) = (book, seed);
    }

    /// Plays, until the person ends it.
    pub(super) fn run(mut self, mut lines: Lines<StdinLock>) -> Result<(), Failure> {
        let asks = io::stdin().is_terminal();
        self.begin()?;
        loop {
            if asks {
                write!(self.out, "> ")?;
            }
            self.out.flush()?;
            let Some(line) = lines.next() else { return Ok(()) };
            let line = match line?.text {
                Ok(line) => line,
                Err(failure) => {
                    writeln!(self.out, "{}", failure.message().unwrap_or_default())?;
                    continue;
                }
            };
            let (word, rest) = match line.split_once(char::is_whitespace) {
                Some((word, rest)) => (word, rest.trim()),
                None => (&line[..], ""),
            };
            match (word, rest) {
                ("", _) => {}
                ("help" | "?", "") => self.help()?,
                ("moves", "") => self.show_moves()?,
                ("board", "") => self.show_board()?,
                ("flip", "") => self.flip()?,
                ("fen", "") => self.show_fen()?,
                ("hint", "") => self.hint()?,
                ("tables", "") => self.show_tables()?,
                ("undo", "") => self.undo()?,
                ("redo", "") => self.redo()?,
                ("level", rest) => self.level(rest)?,
                ("new", "") => self.start_again(self.person)?,
                ("new", "white") => self.start_again(Color::White)?,
                ("new", "black") => self.start_again(Color::Black)?,
                ("save", "") => writeln!(self.out, "Where to? Say: save FILE")?,
                ("save", path) => self.save(Path::new(path))?,
                ("resign", "") => self.resign()?,
                ("quit" | "exit", "") => return Ok(()),
                _ => self.play_typed(&line)?,
            }
        }
    }

    /// Tells what can be typed, a legal move first.
    fn help(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let named = position.moves().first().map(|&mv| position.format_move(mv));
        let example = named.map_or(String::new(), |name| format!(", such as {name}"));
        write!(self.out, "A move{example}; or one of\n{COMMANDS}")
    }

    /// Shows the first position, and lets the engine move if it is its turn.
    fn begin(&mut self) -> io::Result<()> {
        writeln!(self.out, "You play {}. Type a move, or `help`.\n", self.person)?;
        self.show_board()?;
        self.answer()
    }

    fn start_again(&mut self, person: Color) -> io::Result<()> {
        (self.person, self.viewer) = (person, person);
        while self.game.undo().is_some() {}
        self.undone.clear();
        self.has_resigned = false;
        self.engine.forget();
        // Another game's book moves.
        self.seed = self.seed.wrapping_add(1);
        self.begin()
    }

    /// Plays the person's move, and the engine's answer.
    fn play_typed(&mut self, text: &str) -> io::Result<()> {
        if self.is_over() {
            return writeln!(
                self.out,
                "The game is over. `undo`, `new`, `save FILE` and `quit` are left."
            );
        }
        match self.game.position().parse_move(text) {
            Ok(mv) => {
                self.game.play(mv);
                self.undone.clear();
                self.answer()
            }
            Err(error) => {
                let error = printable(&error.to_string());
                writeln!(self.out, "{error}. `help` tells what can be typed.")
            }
        }
    }

    /// Lets the engine move if it is its turn, and tells how the game ends if it does.
    fn answer(&mut self) -> io::Result<()> {
        let position = *self.game.position();
        if !self.is_over() && position.turn() != self.person {
            let from_book = self.book.as_ref().and_then(|book| book.choose(&position, self.seed));
            let (mv, thought) = match from_book {
                Some(mv) => (Some(mv), "book".to_owned()),
                None => {
                    let found = self.think();
                    (found.best(), thought(&found))
                }
            };
            if let Some(mv) = mv {
                let name = position.format_move(mv);
                self.game.play(mv);
                writeln!(self.out, "The engine plays {name} ({thought}).\n")?;
                self.show_board()?;
            }
        }
        match self.result() {
            Some(result) => writeln!(self.out, "{result}"),
            None => Ok(()),
        }
    }

    /// What the engine finds in the position.
    fn think(&mut self) -> Report<G> {
        self.engine.search(&self.game, &self.limits, &Control::default(), |_| ())
    }

    fn hint(&mut self) -> io::Result<()> {
        let found = self.think();
        self.show_hint(&found, &thought(&found))
    }

    fn flip(&mut self) -> io::Result<()> {
        self.viewer = !self.viewer;
        self.show_board()
    }

    /// Tells how the engine plays, or changes it.
    fn level(&mut self, wanted: &str) -> io::Result<()> {
        if !wanted.is_empty() {
            match level::parse(wanted) {
                Ok(limits) => self.limits = limits,
                Err(error) => return writeln!(self.out, "{error}."),
            }
        }
        writeln!(self.out, "The engine plays with {}.", level::text(&self.limits))
    }

    /// Takes back what came after the person's last move, and that.
    fn undo(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.has_resigned) {
            return self.show_board();
        }
        let mut before = self.game.clone();
        let mut undone = self.undone.clone();
        while let Some(mv) = before.undo() {
            undone.push(mv);
            if before.position().turn() == self.person {
                (self.game, self.undone) = (before, undone);
                return self.show_board();
            }
        }
        writeln!(self.out, "There is nothing to take back.")
    }

    /// Plays the person's last move that was taken back again, and what came after it.
    fn redo(&mut self) -> io::Result<()> {
        if self.undone.is_empty() {
            return writeln!(self.out, "There is nothing to play again.");
        }
        while let Some(mv) = self.undone.pop() {
            self.game.play(mv);
            if self.game.position().turn() == self.person {
                break;
            }
        }
        self.show_board()?;
        self.answer()
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.is_over() {
            return writeln!(self.out, "The game is over.");
        }
        self.has_resigned = true;
        writeln!(self.out, "{} resigns: {} wins.", self.person, !self.person)
    }

    /// Saves the game, but not over a file that it was not saved to before.
    fn save(&mut self, path: &Path) -> io::Result<()> {
        let shown = printable(&path.display().to_string());
        if self.saved.as_deref() != Some(path) && path.exists() {
            return writeln!(self.out, "{shown} is there already: choose another.");
        }
        match write_atomically(path, self.record().to_string().as_bytes()) {
            Ok(()) => {
                self.saved = Some(path.to_owned());
                writeln!(self.out, "Saved in {shown}.")
            }
            Err(error) => writeln!(self.out, "{shown} cannot be written: {error}."),
        }
    }

    /// The game as it is written down.
    fn record(&self) -> records::Record<G> {
        let mut record = records::Record::new(self.game.start());
        let names = match self.person {
            Color::White => ["A person", "damka"],
            Color::Black => ["damka", "A person"],
        };
        record.tags.set("Event", "A game in the terminal");
        record.tags.set("White", names[0]);
        record.tags.set("Black", names[1]);
        record.line.plies = self.game.moves().iter().map(|&mv| records::Ply::new(mv)).collect();
        let won_by = |color| match color {
            Color::White => records::GameResult::WhiteWins,
            Color::Black => records::GameResult::BlackWins,
        };
        record.result = match self.game.end() {
            _ if self.has_resigned => won_by(!self.person),
            Some(End::Won(winner)) => won_by(winner),
            Some(End::Drawn(_)) => records::GameResult::Draw,
            None => records::GameResult::Unknown,
        };
        record
    }

    fn is_over(&self) -> bool {
        self.has_resigned || self.game.end().is_some()
    }

    /// How the game has ended by the rules, if it has.
    fn result(&self) -> Option<String> {
        Some(match self.game.end()? {
            End::Won(winner) => format!("{winner} wins: {} {}.", !winner, G::LOST),
            End::Drawn(reason) => format!("Draw: {reason}."),
        })
    }
}

/// What the engine thinks of a position.
fn thought<G: Playable>(found: &Report<G>) -> String {
    format!("{}, depth {}", found.score, found.depth)
}
