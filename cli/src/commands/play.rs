use super::input;
use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::lines::lines;
use crate::words;
use damka_engine::book::Book;
use damka_engine::{Control, End, Endings, Engine, History, Limits, Playable, pdn, write_whole};
use damka_games::{Color, printable};
use damka_probe::Tables;
use damka_tables::format::Metric;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const HELP: &str = "\
A move, such as c3-d4, c3:e5 or 22-17; or one of
  moves      the legal moves
  board      the board
  hint       what the engine would play
  tables     what tables say of the position
  undo       take your last move back
  save FILE  write the game, as PDN
  resign     give up
  quit       end
";

/// `damka play`.
pub(crate) fn play<G: Playable>(args: &PlayArgs) -> Result<(), Failure> {
    let start = match &args.fen {
        Some(fen) => input::position::<G>(fen)?,
        None => G::start(),
    };
    let tables = Arc::new(input::tables::<G>(&args.tables, &args.access)?);
    let mut engine = args.engine.engine::<G>()?;
    engine.set_tables(Some(Arc::new(Endings::new(Arc::clone(&tables))?)));
    let session = Session::<G> {
        game: History::new(start),
        person: args.color.into(),
        has_resigned: false,
        engine,
        limits: Limits {
            time: Some(Duration::from_millis(args.time)),
            depth: args.depth,
            ..Limits::default()
        },
        book: args.book.book.open()?,
        seed: args.book.seed(),
        tables,
        saved: None,
        out: io::stdout().lock(),
    };
    session.run()
}

/// A game between a person and the engine.
struct Session<G: Playable> {
    game: History<G>,
    /// The person's side.
    person: Color,
    /// Whether the person has given up.
    has_resigned: bool,
    engine: Engine<G>,
    limits: Limits,
    book: Option<Book<G>>,
    seed: u64,
    tables: Arc<Tables<G>>,
    /// Where the game was saved.
    saved: Option<PathBuf>,
    out: StdoutLock<'static>,
}

impl<G: Playable> Session<G> {
    fn run(mut self) -> Result<(), Failure> {
        let asks = io::stdin().is_terminal();
        writeln!(self.out, "You play {}. Type a move, or `help`.\n", self.person)?;
        self.show_board()?;
        self.answer()?;
        let mut lines = lines();
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
                ("help" | "?", "") => write!(self.out, "{HELP}")?,
                ("moves", "") => self.show_moves()?,
                ("board", "") => self.show_board()?,
                ("hint", "") => self.hint()?,
                ("tables", "") => self.show_tables()?,
                ("undo", "") => self.undo()?,
                ("save", "") => writeln!(self.out, "Where to? Say: save FILE")?,
                ("save", path) => self.save(Path::new(path))?,
                ("resign", "") => self.resign()?,
                ("quit" | "exit", "") => return Ok(()),
                _ => self.play_typed(&line)?,
            }
        }
    }

    /// Plays the person's move, and the engine's answer.
    fn play_typed(&mut self, text: &str) -> io::Result<()> {
        if self.is_over() {
            return writeln!(self.out, "The game is over. `undo` and `quit` are left.");
        }
        match G::parse_move(self.game.position(), text) {
            Ok(mv) => {
                self.game.play(mv);
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
        if !self.is_over() && G::turn(&position) != self.person {
            let from_book = self.book.as_ref().and_then(|book| book.choose(&position, self.seed));
            let (mv, thought) = match from_book {
                Some(mv) => (Some(mv), "book".to_owned()),
                None => self.think(),
            };
            if let Some(mv) = mv {
                let name = G::format_move(&position, mv);
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

    /// The engine's move in the position, and what it thinks of it.
    fn think(&mut self) -> (Option<G::Move>, String) {
        let found = self.engine.search(&self.game, &self.limits, &Control::default(), |_| ());
        (found.best(), format!("{}, depth {}", found.score, found.depth))
    }

    fn show_board(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let turn = G::turn(position);
        writeln!(self.out, "{}{turn} to move.", G::diagram(position))
    }

    fn show_moves(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let moves = G::moves(position).into_iter().map(|mv| G::format_move(position, mv));
        let moves: Vec<String> = moves.collect();
        match moves.is_empty() {
            true => writeln!(self.out, "There is no legal move."),
            false => writeln!(self.out, "{}", moves.join(" ")),
        }
    }

    fn hint(&mut self) -> io::Result<()> {
        match self.think() {
            (Some(mv), thought) => {
                let name = G::format_move(self.game.position(), mv);
                writeln!(self.out, "The engine would play {name} ({thought}).")
            }
            (None, _) => writeln!(self.out, "There is no legal move."),
        }
    }

    fn show_tables(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let value = |metric| self.tables.value(position, metric).map(|value| (value, metric));
        match value(Metric::Dtw).or_else(|_| value(Metric::Wdl)) {
            Ok((value, metric)) => {
                let result = words::result(value, G::turn(position), metric);
                writeln!(self.out, "{result}.")
            }
            Err(error) => writeln!(self.out, "Unknown: {error}."),
        }
    }

    /// Takes back what came after the person's last move, and that.
    fn undo(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.has_resigned) {
            return self.show_board();
        }
        let mut before = self.game.clone();
        while before.undo().is_some() {
            if G::turn(before.position()) == self.person {
                self.game = before;
                return self.show_board();
            }
        }
        writeln!(self.out, "There is nothing to take back.")
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
        if self.saved.as_deref() != Some(path) && path.exists() {
            return writeln!(self.out, "{} is there already: choose another.", path.display());
        }
        match write_whole(path, self.record().to_string().as_bytes()) {
            Ok(()) => {
                self.saved = Some(path.to_owned());
                writeln!(self.out, "Saved in {}.", path.display())
            }
            Err(error) => writeln!(self.out, "{} cannot be written: {error}.", path.display()),
        }
    }

    /// The game as it is written down.
    fn record(&self) -> pdn::Record<G> {
        let mut record = pdn::Record::new(*self.game.start());
        let names = match self.person {
            Color::White => ["A person", "damka"],
            Color::Black => ["damka", "A person"],
        };
        record.tags.set("Event", "A game in the terminal");
        record.tags.set("White", names[0]);
        record.tags.set("Black", names[1]);
        record.line.plies = self.game.moves().iter().map(|&mv| pdn::Ply::new(mv)).collect();
        let won_by = |color| match color {
            Color::White => pdn::GameResult::WhiteWins,
            Color::Black => pdn::GameResult::BlackWins,
        };
        record.result = match self.game.end() {
            _ if self.has_resigned => won_by(!self.person),
            Some(End::Won(winner)) => won_by(winner),
            Some(End::Drawn(_)) => pdn::GameResult::Draw,
            None => pdn::GameResult::Unknown,
        };
        record
    }

    fn is_over(&self) -> bool {
        self.has_resigned || self.game.end().is_some()
    }

    /// How the game has ended by the rules, if it has.
    fn result(&self) -> Option<String> {
        Some(match self.game.end()? {
            End::Won(winner) => format!("{winner} wins: {} has no legal move.", !winner),
            End::Drawn(reason) => format!("Draw: {reason}."),
        })
    }
}
