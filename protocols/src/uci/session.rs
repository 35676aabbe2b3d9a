use super::NO_MOVE;
use super::answer;
use super::command::{Command, Go};
use super::error::UciError;
use super::options::{CLEAR_HASH, Options};
use crate::input::{self, Input};
use crate::player_slot::{Output, PlayerSlot};
use damka_engine::{
    Control, History, Limits, MOVE_OVERHEAD, Playable, PlayerSettings, TimeControl,
};
use damka_games::{Counted, Position, excerpt, printable};
use damka_system::MAX_LINE;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

/// How long a search lasts if the client has given limits, but none is valid.
const WITHOUT_LIMIT: Duration = Duration::from_secs(1);

/// Serves a client until it sends `quit` or its input ends. The client may change the settings.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn serve<G: Playable>(
    mut input: impl BufRead,
    output: impl Write + Send,
    settings: PlayerSettings<G>,
) -> io::Result<()> {
    let output = Output::new(output);
    thread::scope(|scope| {
        let mut session = Session {
            slot: PlayerSlot::new(scope),
            output: &output,
            game: Some(History::new(settings.game.start())),
            options: Options::new(settings),
            debug: false,
            ponders: false,
        };
        let ended = session.converse(&mut input);
        session.slot.end_search();
        ended
    })
}

/// A session with a client.
struct Session<'scope, 'env, W, G: Playable> {
    slot: PlayerSlot<'scope, 'env, G>,
    output: &'env Output<W>,
    options: Options<G>,
    /// The game to search; `None` if the last position was refused.
    game: Option<History<G>>,
    /// Whether lines without a command are reported to the client.
    debug: bool,
    /// Whether the search ponders, so that `ponderhit` starts its clock.
    ponders: bool,
}

impl<'scope, 'env, W: Write + Send, G: Playable> Session<'scope, 'env, W, G> {
    fn converse(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        loop {
            let line = match input::read(input)? {
                Input::Line(line) => line,
                Input::TooLong => {
                    // The long line may have been a position.
                    self.game = None;
                    self.complain(&UciError::TooLong(MAX_LINE))?;
                    continue;
                }
                Input::End => return Ok(()),
            };
            match Command::parse(&line) {
                Some(Command::Quit) => return Ok(()),
                Some(command) => self.answer(command)?,
                None if self.debug && !line.trim().is_empty() => {
                    self.complain(&UciError::NoCommand(excerpt(line.trim())))?;
                }
                None => {}
            }
        }
    }

    fn say(&self, line: &str) -> io::Result<()> {
        self.output.line(line)
    }

    fn complain(&self, error: &UciError) -> io::Result<()> {
        self.say(&format!("info string {}", printable(&error.to_string())))
    }

    /// Reports the limits and moves of a search that are invalid and ignored.
    fn report_invalid(&self, go: &Go<'_>) -> io::Result<()> {
        for &word in &go.invalid {
            self.complain(&UciError::NoLimit(word.to_owned()))?;
        }
        if let Some(&word) = go.unknown.first() {
            self.complain(&UciError::NoArgument(excerpt(word)))?;
        }
        let Some(game) = &self.game else { return Ok(()) };
        let refused = go.moves.iter().filter_map(|text| game.position().parse_move(text).err());
        refused.map(UciError::from).try_for_each(|error| self.complain(&error))
    }

    fn answer(&mut self, command: Command<'_>) -> io::Result<()> {
        let done = match command {
            Command::Uci => {
                self.say(concat!("id name damka ", env!("CARGO_PKG_VERSION")))?;
                self.say("id author damka authors")?;
                self.options.declare().iter().try_for_each(|line| self.say(line))?;
                return self.say("uciok");
            }
            Command::IsReady => {
                // During a search the engine is always ready.
                if !self.slot.is_searching() {
                    match self.slot.player(&self.options.settings) {
                        Ok(_) => {
                            let errors = self.slot.table_errors();
                            errors.iter().try_for_each(|error| self.say(&table_error(error)))?;
                        }
                        Err(error) => self.complain(&error.into())?,
                    }
                }
                return self.say("readyok");
            }
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Stop => {
                self.slot.stop();
                Ok(())
            }
            Command::PonderHit => {
                if self.ponders {
                    self.slot.ponder_hit();
                }
                Ok(())
            }
            Command::SetOption { name, value } => {
                self.slot.end_search();
                let before = self.options.settings.clone();
                let set = self.options.set(&name, &value);
                if self.options.settings != before || name.eq_ignore_ascii_case(CLEAR_HASH) {
                    self.slot.dismiss();
                }
                set
            }
            Command::NewGame => {
                let player = self.slot.player(&self.options.settings);
                player.map(|player| player.new_game()).map_err(UciError::from)
            }
            Command::Position { start, moves } => {
                self.slot.end_search();
                self.game = None;
                self.set_up(start.as_deref(), &moves).map(|game| self.game = Some(game))
            }
            Command::Go(go) => {
                self.slot.end_search();
                self.report_invalid(&go)?;
                return self.go(&go);
            }
            Command::Register | Command::Quit => Ok(()),
        };
        done.or_else(|error| self.complain(&error))
    }

    fn set_up(&self, start: Option<&str>, moves: &[&str]) -> Result<History<G>, UciError> {
        let game = self.options.settings.game;
        let mut game = match start {
            Some(fen) => History::<G>::new(Counted::parse(game, fen)?),
            None => History::new(game.start()),
        };
        for text in moves {
            game.play(game.position().parse_move(text)?);
        }
        Ok(game)
    }

    /// Starts a search. If the options cannot be honoured, the reason is reported and the client still
    /// gets a move: by a search with little memory, or else any legal move.
    fn go(&mut self, go: &Go<'_>) -> io::Result<()> {
        let Some(game) = self.game.clone() else {
            self.say(&format!("bestmove {NO_MOVE}"))?;
            return self.complain(&UciError::NoPosition);
        };
        let position = *game.position();
        let settings = self.options.settings.clone();
        for settings in [&settings, &PlayerSettings::minimal(settings.game)] {
            match self.begin(go, game.clone(), settings) {
                Ok(()) => return Ok(()),
                Err(error) => self.complain(&error)?,
            }
        }
        let any = chosen::<G>(go, &position).into_iter().chain(position.moves()).next();
        self.say(&answer::best::<G>(&position, any.as_slice(), self.options.notation))
    }

    /// Starts a search with these settings, or answers at once with a move of the book.
    fn begin(
        &mut self,
        go: &Go<'_>,
        game: History<G>,
        settings: &PlayerSettings<G>,
    ) -> Result<(), UciError> {
        let position = *game.position();
        let moves = chosen::<G>(go, &position);
        let (limits, is_endless) = self.limits(go, &position);
        let Options { lines, shows_wdl, notation, .. } = self.options;
        let player = self.slot.player(settings)?;
        player.set_history(game);
        let output = self.output;
        // An error is ignored here: if the client has closed the output, the session's next write fails too.
        let send = move |line: String| drop(output.line(&line));
        let is_free = !go.ponder && !limits.is_analysis && !is_endless && moves.is_empty();
        if is_free && let Some(mv) = player.book_move() {
            send(answer::best::<G>(&position, &[mv], notation));
            return Ok(());
        }
        player.set_multi_pv(lines);
        player.set_root_moves(moves);
        // A search without limits lasts until `stop`, like pondering.
        let control =
            if go.ponder || is_endless { Control::pondering() } else { Control::default() };
        let most = go.mate.map(|moves| 2 * u32::from(moves) - 1);
        self.ponders = go.ponder && !is_endless;
        let started = self.slot.search(
            limits,
            control,
            move |found, control| {
                answer::info(&position, found, shows_wdl, notation).into_iter().for_each(send);
                let plies = found.score.plies().filter(|_| found.score.is_win());
                if plies.zip(most).is_some_and(|(plies, most)| u32::from(plies) <= most) {
                    control.stop();
                }
            },
            move |found, errors| {
                errors.iter().map(|error| table_error(error)).for_each(send);
                send(answer::best::<G>(&position, &found.pv, notation));
            },
        );
        started.map_err(UciError::Thread)
    }

    /// The limits of a search, and whether it lasts until `stop`. If the client has sent limits, but none is
    /// valid, the search gets a time limit: the client does not expect that it must send `stop`.
    fn limits(&self, go: &Go<'_>, position: &G::Position) -> (Limits, bool) {
        // The search itself reserves `MOVE_OVERHEAD`. At most half of the time is reserved here.
        let overhead = self.options.overhead.saturating_sub(MOVE_OVERHEAD);
        let less = |time: Duration| time - overhead.min(time / 2);
        let side = position.turn() as usize;
        let clock = go.left[side].map(|left| TimeControl {
            left: less(left),
            increment: go.increment[side],
            moves: go.moves_to_go,
        });
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            time: go.move_time.map(less),
            clock,
            is_analysis: go.infinite || go.mate.is_some() || self.options.is_analysis,
        };
        let is_limited = Limits { is_analysis: false, ..limits } != Limits::default();
        let is_endless = go.infinite || !is_limited && go.mate.is_none();
        match is_endless && !go.infinite && !(go.invalid.is_empty() && go.unknown.is_empty()) {
            true => (Limits::time(WITHOUT_LIMIT), false),
            // A search until `stop` is an analysis.
            false => {
                (Limits { is_analysis: limits.is_analysis || is_endless, ..limits }, is_endless)
            }
        }
    }
}

/// The line that reports a table that the engine cannot use.
fn table_error(error: &str) -> String {
    format!("info string {}; the engine continues without these values", printable(error))
}

/// The legal moves among those of `searchmoves`.
fn chosen<G: Playable>(go: &Go<'_>, position: &G::Position) -> Vec<G::Move> {
    go.moves.iter().filter_map(|text| position.parse_move(text).ok()).collect()
}
