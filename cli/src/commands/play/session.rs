use super::clock::Clocks;
use super::command::{Command, HELP, Sides, usage};
use super::level;
use super::walk::Walk;
use crate::commands::input::tell_table_errors;
use crate::failure::Failure;
use crate::lines::Lines;
use anstream::AutoStream;
use damka_engine::{Control, GameEnd, History, Limits, Playable, Player, Report};
use damka_games::{Color, Position, printable};
use damka_probe::Tables;
use std::io::{self, IsTerminal, StdinLock, StdoutLock, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

/// A game between a person and the engine, or an analysis board.
pub(super) struct Session<G: Playable> {
    pub(super) walk: Walk<G>,
    /// The person's side; `None` if the person moves for both.
    pub(super) person: Sides,
    /// The side at the bottom of the board.
    pub(super) viewer: Color,
    /// Whether the game has ended at the current position by resignation or by time.
    pub(super) is_ended: bool,
    /// Whether the next move replaces one that was taken back.
    pub(super) replaces: bool,
    clocks: Option<Clocks>,
    player: Player<G>,
    limits: Limits,
    /// The seed of the engine's choices in this game; the next game uses the next number.
    seed: u64,
    pub(super) tables: Arc<Tables<G>>,
    /// Whether legal moves are shown with each board.
    pub(super) shows_moves: bool,
    pub(super) shows_eval: bool,
    /// When the game began.
    pub(super) started: SystemTime,
    /// Whether the game comes from a file.
    pub(super) is_loaded: bool,
    /// Where the game was saved.
    pub(super) saved: Option<PathBuf>,
    /// Removes colours if the terminal or the user does not want them.
    pub(super) out: AutoStream<StdoutLock<'static>>,
}

impl<G: Playable> Session<G> {
    pub(super) fn new(
        start: History<G>,
        person: Sides,
        player: Player<G>,
        limits: Limits,
        tables: Arc<Tables<G>>,
    ) -> Session<G> {
        Session {
            walk: Walk::new(start),
            person,
            viewer: person.unwrap_or(Color::White),
            is_ended: false,
            replaces: false,
            clocks: None,
            player,
            limits,
            seed: 0,
            tables,
            shows_moves: false,
            shows_eval: false,
            started: SystemTime::now(),
            is_loaded: false,
            saved: None,
            out: AutoStream::auto(io::stdout().lock()),
        }
    }

    /// Sets the seed of the engine's choices in this game.
    pub(super) fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.player.set_seed(seed);
    }

    /// Sets the clocks.
    pub(super) fn set_clocks(&mut self, clocks: Option<Clocks>) {
        self.clocks = clocks;
    }

    /// Runs until the person quits.
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
            if line.is_empty() || self.ends_by_time()? {
                continue;
            }
            match Command::parse(&line) {
                Some(Command::Quit) => return Ok(()),
                Some(command) => self.obey(command)?,
                None => match usage(&line) {
                    Some(usage) => writeln!(self.out, "`{}`? {usage}", printable(&line))?,
                    None => self.play_typed(&line)?,
                },
            }
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Help => self.help(),
            Command::Board => self.show_board(),
            Command::Flip => {
                self.viewer = !self.viewer;
                self.show_board()
            }
            Command::Fen => self.show_fen(),
            Command::Hint => self.hint(),
            Command::Tables => self.show_tables(),
            Command::Moves(None) => self.show_moves(),
            Command::Moves(Some(on)) => {
                self.shows_moves = on;
                self.show_board()
            }
            Command::Eval(None) => self.show_eval(),
            Command::Eval(Some(on)) => {
                self.shows_eval = on;
                self.show_board()
            }
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Back(plies) => self.back(plies),
            Command::Forward(ahead) => self.forward(ahead),
            Command::Main => match self.walk.promote() {
                Ok(()) => writeln!(self.out, "This is the main line."),
                Err(error) => writeln!(self.out, "{error}."),
            },
            Command::Go => self.go(),
            Command::Color(sides) => {
                self.person = sides;
                self.viewer = sides.unwrap_or(self.viewer);
                self.show_sides()?;
                self.answer()
            }
            Command::New(sides) => self.start_again(sides.unwrap_or(self.person)),
            Command::Level(text) => self.level(text),
            Command::Load(text) => self.load(text),
            Command::Save(path) => self.save(path),
            Command::Resign => self.resign(),
            Command::Quit => Ok(()),
        }
    }

    /// Explains what to type, with a legal move as an example.
    fn help(&mut self) -> io::Result<()> {
        let position = self.walk.position();
        let named = position.moves().first().map(|&mv| position.format_move(mv));
        let example = named.map_or(String::new(), |name| format!(", such as {name}"));
        write!(self.out, "A move{example}; or one of\n{HELP}")
    }

    fn show_sides(&mut self) -> io::Result<()> {
        match self.person {
            Some(side) if self.is_ended => writeln!(
                self.out,
                "You play {side}. The game is over: `undo` goes on with it, `new` begins another.\n"
            ),
            Some(side) => writeln!(self.out, "You play {side}. Type a move, or `help`.\n"),
            None => writeln!(self.out, "You move for both sides. Type a move, or `help`.\n"),
        }
    }

    /// Shows the first position, and lets the engine move if it is to move.
    fn begin(&mut self) -> io::Result<()> {
        self.show_sides()?;
        let is_over = self.is_over();
        if let Some(clocks) = self.clocks.as_mut().filter(|_| !is_over) {
            clocks.start(self.walk.position().turn());
        }
        self.show_board()?;
        self.answer()
    }

    fn start_again(&mut self, person: Sides) -> io::Result<()> {
        (self.person, self.viewer) = (person, person.unwrap_or(Color::White));
        let walk = self.walk.again();
        self.set_walk(walk);
        (self.is_loaded, self.started) = (false, SystemTime::now());
        self.set_seed(self.seed.wrapping_add(1));
        self.begin()
    }

    /// Switches to another game.
    pub(super) fn set_walk(&mut self, walk: Walk<G>) {
        self.walk = walk;
        (self.is_ended, self.replaces) = (false, false);
        self.player.clear();
    }

    /// Plays the person's move, then the engine's reply.
    fn play_typed(&mut self, text: &str) -> io::Result<()> {
        if self.is_over() {
            return writeln!(
                self.out,
                "The game is over. `undo`, `back`, `new`, `save FILE` and `quit` are left."
            );
        }
        match self.walk.position().parse_move(text) {
            Ok(mv) => {
                if self.play(mv)? && self.is_by_hand() {
                    self.show_board()?;
                }
                self.answer()
            }
            Err(error) => {
                let error = printable(&error.to_string());
                writeln!(self.out, "{error}. `help` lists what can be typed.")
            }
        }
    }

    /// Whether the person chooses the next move: the side to move is the person's, or both sides are.
    pub(super) fn is_by_hand(&self) -> bool {
        self.person.is_none_or(|person| person == self.walk.position().turn())
    }

    /// Plays a move. Returns whether this was possible.
    fn play(&mut self, mv: G::Move) -> io::Result<bool> {
        if let Err(error) = self.walk.play(mv) {
            writeln!(self.out, "{error}.")?;
            return Ok(false);
        }
        if std::mem::take(&mut self.replaces)
            && let Err(error) = self.walk.promote()
        {
            writeln!(self.out, "{error}.")?;
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.press();
        }
        if self.is_over() {
            self.stop_clocks();
        }
        Ok(true)
    }

    /// Lets the engine move if it is to move, and reports the end of the game.
    pub(super) fn answer(&mut self) -> io::Result<()> {
        if !self.is_over() && !self.is_by_hand() {
            self.engine_moves()?;
        }
        match self.result() {
            Some(result) => writeln!(self.out, "{result}"),
            None => Ok(()),
        }
    }

    /// Lets the engine move for the side to move, and then for its own side if that is to move.
    fn go(&mut self) -> io::Result<()> {
        if self.is_over() {
            return writeln!(self.out, "The game is over.");
        }
        self.engine_moves()?;
        self.answer()
    }

    /// Plays the engine's move.
    fn engine_moves(&mut self) -> io::Result<()> {
        let position = *self.walk.position();
        self.player.set_history(self.walk.game().clone());
        let (mv, thought) = match self.player.book_move() {
            Some(mv) => (Some(mv), "book".to_owned()),
            None => {
                let limits = self.limits();
                let found = self.player.think(&limits, &Control::default(), |_| ());
                tell_table_errors(self.player.take_table_errors());
                (found.best(), thought(&found))
            }
        };
        if self.ends_by_time()? {
            return Ok(());
        }
        if let Some(mv) = mv
            && self.play(mv)?
        {
            let name = position.format_move(mv);
            writeln!(self.out, "The engine plays {name} ({thought}).\n")?;
            self.show_board()?;
        }
        Ok(())
    }

    /// The limits of a search: by the clock if one runs.
    fn limits(&self) -> Limits {
        let clock = self.clocks.as_ref().and_then(Clocks::control);
        let time = self.limits.time.filter(|_| clock.is_none());
        Limits { clock, time, ..self.limits }
    }

    /// Searches the position, at full strength.
    pub(super) fn search(&mut self) -> Report<G> {
        self.player.set_history(self.walk.game().clone());
        self.player.search(&self.limits(), &Control::default(), |_| ())
    }

    fn hint(&mut self) -> io::Result<()> {
        let found = self.search();
        self.show_hint(&found, &thought(&found))
    }

    /// Shows or changes the level and the limits of the engine.
    fn level(&mut self, text: &str) -> io::Result<()> {
        if !text.is_empty() {
            match level::parse(text) {
                Ok((level, limits)) => {
                    self.player.set_level(level.unwrap_or(self.player.level()));
                    self.limits = limits.unwrap_or(self.limits);
                }
                Err(error) => return writeln!(self.out, "{error}."),
            }
        }
        let (level, limits) = (self.player.level(), level::text(&self.limits));
        match self.clocks_text() {
            None => writeln!(self.out, "The engine plays at level {level}, with {limits}."),
            Some(clocks) => writeln!(
                self.out,
                "The engine plays at level {level}, with {limits}, and by the clock while it runs: {clocks}."
            ),
        }
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.is_over() {
            return writeln!(self.out, "The game is over.");
        }
        let loser = self.person.unwrap_or(self.walk.position().turn());
        self.lose(loser, "resigns")
    }

    /// Ends the game if the side to move has run out of time. Returns whether it has.
    fn ends_by_time(&mut self) -> io::Result<bool> {
        match self.clocks.as_ref().and_then(Clocks::loser) {
            Some(loser) => self.lose(loser, "has no time left").map(|()| true),
            None => Ok(false),
        }
    }

    /// Ends the game: this side has lost it.
    fn lose(&mut self, loser: Color, why: &str) -> io::Result<()> {
        self.is_ended = true;
        self.walk.set_winner(Some(!loser));
        self.stop_clocks();
        writeln!(self.out, "{loser} {why}: {} wins.", !loser)
    }

    pub(super) fn stop_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
        }
    }

    /// The time left of both sides, if there are clocks.
    pub(super) fn clocks_text(&self) -> Option<String> {
        self.clocks.as_ref().map(Clocks::to_string)
    }

    fn is_over(&self) -> bool {
        self.is_ended || self.walk.game().end().is_some()
    }

    /// How the game has ended by the rules, if it has.
    fn result(&self) -> Option<String> {
        Some(match self.walk.game().end()? {
            GameEnd::Won(winner) => format!("{winner} wins: {} {}.", !winner, G::LOST),
            GameEnd::Drawn(reason) => format!("Draw: {reason}."),
        })
    }
}

/// The engine's judgement of a position, as text.
pub(super) fn thought<G: Playable>(found: &Report<G>) -> String {
    match found.depth {
        // Tables have answered.
        0 => found.score.to_string(),
        depth => format!("{}, depth {depth}", found.score),
    }
}
