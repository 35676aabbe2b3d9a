use super::answer;
use super::command::{Command, LevelClock, Mode, SearchLimits};
use super::error::HubError;
use super::line::{Line, quoted};
use super::notation::{LETTERS, format_move, parse_move};
use super::parameters::{self, Parameters};
use crate::input::{self, Input};
use crate::numbering::Numbering;
use crate::player_slot::{Output, PlayerSlot};
use damka_engine::{Control, History, Level, Limits, Player, PlayerSettings, TimeControl};
use damka_games::{Draughts, Game, Position, excerpt};
use damka_system::MAX_LINE;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

/// Serves a client until it sends `quit` or its input ends. The client may change the settings and the
/// numbering of squares in moves (`None` for [`Numbering::of_hub`]).
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn serve(
    mut input: impl BufRead,
    output: impl Write + Send,
    settings: PlayerSettings<Draughts>,
    numbering: Option<Numbering>,
) -> io::Result<()> {
    let output = Output::new(output);
    thread::scope(|scope| {
        let mut session = Session {
            slot: PlayerSlot::new(scope),
            output: &output,
            parameters: Parameters { settings, numbering },
            is_ready: false,
            has_position: false,
            limits: Limits::default(),
            handicap: 0,
        };
        let ended = session.converse(&mut input);
        session.slot.end_search();
        ended
    })
}

/// The reply to a command.
enum Reply {
    Lines(Vec<String>),
    /// The client has sent `quit`.
    Farewell,
}

/// A session with a client.
struct Session<'scope, 'env, W> {
    output: &'env Output<W>,
    parameters: Parameters,
    /// Whether the client has sent `init`.
    is_ready: bool,
    /// Whether there is a position to search: one was sent, and the last one was not refused.
    has_position: bool,
    /// The limits of the next search.
    limits: Limits,
    /// How many levels below full strength the next search plays.
    handicap: u64,
    slot: PlayerSlot<'scope, 'env, Draughts>,
}

impl<'scope, 'env, W: Write + Send> Session<'scope, 'env, W> {
    fn converse(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        loop {
            let line = match input::read(input)? {
                Input::Line(line) => line,
                Input::TooLong => {
                    self.has_position = false;
                    self.complain(&HubError::TooLong(MAX_LINE))?;
                    continue;
                }
                Input::End => return Ok(()),
            };
            match self.answer(&line) {
                Ok(Reply::Lines(lines)) => lines.iter().try_for_each(|line| self.say(line))?,
                Ok(Reply::Farewell) => return Ok(()),
                Err(error) => self.complain(&error)?,
            }
        }
    }

    fn say(&self, line: &str) -> io::Result<()> {
        self.output.line(line)
    }

    fn complain(&self, error: &HubError) -> io::Result<()> {
        self.say(&format!("error message={}", quoted(&error.to_string())))
    }

    fn answer(&mut self, line: &str) -> Result<Reply, HubError> {
        // The invalid line may have been a position.
        let line = Line::parse(line).inspect_err(|_| self.has_position = false)?;
        let command = Command::of(&line).inspect_err(|_| {
            // The limits of the next search are unknown: let it answer at once.
            if line.command == "level" {
                self.limits.time = Some(Duration::ZERO);
            }
        })?;
        let mut lines = Vec::new();
        match command {
            Command::Ping => lines.push("pong".to_owned()),
            Command::Hub => {
                let version = env!("CARGO_PKG_VERSION");
                lines.push(format!("id name=damka version={version} author=\"damka authors\""));
                lines.extend(parameters::declare(&self.parameters));
                lines.push("wait".to_owned());
            }
            // These commands may arrive just after the search has ended, and then have no effect.
            Command::Stop => self.slot.stop(),
            Command::PonderHit => self.slot.ponder_hit(),
            Command::SetParam { name, value } => self.set_parameter(name, value)?,
            Command::Init => {
                self.finish("init")?;
                self.is_ready = true;
                self.player()?;
                lines.push("ready".to_owned());
            }
            Command::NewGame => {
                self.begin("new-game")?;
                self.player()?.new_game();
            }
            Command::Pos { start, moves } => {
                self.begin("pos")?;
                self.has_position = false;
                (self.limits, self.handicap) = (Limits::default(), 0);
                self.set_up(start, moves)?;
                self.has_position = true;
            }
            Command::Level(level) => {
                self.begin("level")?;
                self.limit(level);
            }
            Command::Go(mode) => {
                self.begin("go")?;
                lines.extend(self.go(mode)?);
            }
            Command::Quit => return Ok(Reply::Farewell),
        }
        Ok(Reply::Lines(lines))
    }

    fn set_up(&mut self, start: Option<&str>, moves: &str) -> Result<(), HubError> {
        let game = self.parameters.settings.game;
        let start = start.map(|text| LETTERS.parse(game, text)).transpose()?;
        let numbering = self.parameters.numbering();
        let player = self.player()?;
        player.set_history(History::new(start.unwrap_or_else(|| game.start())));
        for text in moves.split_whitespace() {
            let mv = parse_move(text, numbering)?.legal(player.position());
            player.play(mv.ok_or_else(|| HubError::IllegalMove(excerpt(text)))?);
        }
        Ok(())
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), HubError> {
        self.finish("set-param")?;
        parameters::set(&mut self.parameters, name, value)?;
        self.slot.dismiss();
        self.has_position = false;
        Ok(())
    }

    /// Checks that `command` comes after `init` and not during a search.
    fn begin(&mut self, command: &'static str) -> Result<(), HubError> {
        match self.is_ready {
            true => self.finish(command),
            false => Err(HubError::NotReady(command)),
        }
    }

    /// Waits for a search that is about to end. Refuses `command` during any other search.
    fn finish(&mut self, command: &'static str) -> Result<(), HubError> {
        if self.slot.is_searching() {
            return Err(HubError::Searching(command));
        }
        self.slot.end_search();
        Ok(())
    }

    /// The player with the current parameters. Ends a running search.
    fn player(&mut self) -> Result<&mut Player<Draughts>, HubError> {
        let player = self.slot.player(&self.parameters.settings);
        player.map_err(|error| HubError::Player(error.to_string()))
    }

    fn limit(&mut self, limits: SearchLimits) {
        let SearchLimits { depth, nodes, move_time, clock, handicap } = limits;
        self.handicap = handicap.unwrap_or(self.handicap);
        let limits = &mut self.limits;
        limits.depth = depth.map(|depth| depth.min(u16::MAX.into()) as u16).or(limits.depth);
        limits.nodes = nodes.or(limits.nodes);
        limits.time = move_time.map(seconds).or(limits.time);
        limits.clock = clock.map(time_control).or(limits.clock);
    }

    /// Starts a search, or answers at once with a move of the book.
    fn go(&mut self, mode: Mode) -> Result<Option<String>, HubError> {
        if !self.has_position {
            return Err(HubError::NoPosition);
        }
        if self.player()?.position().moves().is_empty() {
            return Err(HubError::GameOver);
        }
        let level = Level::below_full(std::mem::take(&mut self.handicap));
        self.player()?.set_level(level);
        if mode == Mode::Think
            && let Some(mv) = self.player()?.book_move()
        {
            self.limits = Limits::default();
            let mv = format_move(self.parameters.settings.game, mv, self.parameters.numbering());
            return Ok(Some(format!("done move={mv}")));
        }
        let mut limits = std::mem::take(&mut self.limits);
        limits.is_analysis = mode == Mode::Analyze;
        let control = match mode {
            Mode::Ponder => Control::pondering(),
            Mode::Think | Mode::Analyze => Control::default(),
        };
        let (variant, numbering) = (self.parameters.settings.game, self.parameters.numbering());
        let output = self.output;
        // An error is ignored here: if the client has closed the output, the session's next write fails too.
        let send = move |line: String| drop(output.line(&line));
        let started = self.slot.search(
            limits,
            control,
            move |found, _| send(answer::info(variant, found, numbering)),
            move |found, _| send(answer::done(variant, found, numbering)),
        );
        started.map_err(|error| HubError::Thread(error.to_string()))?;
        Ok(None)
    }
}

/// Converts a time in seconds, clamped to 0 to four months.
fn seconds(time: f64) -> Duration {
    const MAX: f64 = 1e7;
    Duration::try_from_secs_f64(time.clamp(0.0, MAX)).unwrap_or_default()
}

fn time_control(clock: LevelClock) -> TimeControl {
    TimeControl {
        // In Hub the increment is added before the move.
        left: seconds(clock.time + clock.increment),
        increment: seconds(clock.increment),
        moves: (clock.moves > 0).then(|| clock.moves.try_into().unwrap_or(u32::MAX)),
    }
}
