use super::input::{self, cannot_write, tell_unfinished};
use super::missing::build_quick;
use crate::args::AnnotateArgs;
use crate::columns::write_aligned;
use crate::failure::Failure;
use crate::stdout::Lenient;
use crate::words::{count, note};
use crate::{json, progress};
use damka::records::RecordError;
use damka::{
    AnnotatedGame, Annotator, AnyEngine, AnyRecord, AnyTables, AskError, Control, Limits,
    PlayerError, PlayerSettings, PlayerSummary, SearchRequest, open_engine, read_records,
};
use damka_engine::book::BookChoice;
use damka_games::printable;
use damka_gen::{Event, Progress};
use damka_system::{AtomicFile, is_reader_gone, read_whole};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// The size of each engine's transposition table, in bytes. It is small because searches are short.
const MEMORY: usize = 16 << 20;

/// The maximum number of letters of a player's name that are shown.
const NAME: usize = 40;

/// `damka annotate`.
pub(crate) fn annotate(args: &AnnotateArgs) -> Result<(), Failure> {
    let game = args.game.0;
    Output::check(args)?;
    let directory = input::directory(&args.tables)?;
    let bytes = read(&args.file)?;
    let text = damka::records::decode(&bytes);
    let total: u64 =
        read_records(game, &text).flatten().map(|game| game.ply_count() as u64 + 1).sum();
    if read_records(game, &text).next().is_none() {
        return Err(Failure::Input(format!("{}: there are no games", args.file.display())));
    }
    let tables = input::any_tables(game, &directory, &args.access);
    // Games that cannot be read need no tables.
    if !args.build.no_build && total > 0 {
        build_quick(game, &*tables, &directory)?;
    }
    let threads = match args.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let engines = engines(args, &directory, threads)?;
    // Created as late as possible: a signal that arrives before the work would leave the temporary file.
    let mut output = Output::new(args)?;
    let work = Work {
        games: Mutex::new(read_records(game, &text).enumerate()),
        tables: &*tables,
        request: SearchRequest { limits: limits(args), lines: None },
        done: AtomicU64::new(0),
        total,
        progress: progress::of(args.progress.style),
    };
    let (written, stopped) = input::interruptible(|control| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for (place, engine) in engines.into_iter().enumerate() {
                let (work, sender) = (&work, sender.clone());
                let work = move || work.run(engine, control, &sender);
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(error) if place == 0 => return Err(cannot_start_threads(&error)),
                    // The threads that were started annotate all the games.
                    Err(_) => break,
                }
            }
            drop(sender);
            let written = in_order(&receiver, |number, game| output.add(number, game));
            let stopped = control.is_stopped();
            // Without this, the threads would go on to annotate games that cannot be written.
            if written.is_err() {
                control.stop();
            }
            Ok((written, stopped))
        })
    })?;
    drop(work);
    match written {
        // The reader of the games has what it wants. The exit code still shows whether games have failed.
        Err(Failure::Reader(error)) if is_reader_gone(&error) => match output.failed {
            0 => Ok(()),
            _ => Err(Failure::No),
        },
        // The games that were written before an error are kept.
        written => written.and(output.finish(stopped)),
    }
}

/// The failure if no thread can be started.
fn cannot_start_threads(error: &io::Error) -> Failure {
    Failure::System(format!("cannot start threads: {error}"))
}

/// Reads a whole file, or standard input.
fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match file == Path::new("-") {
        true => io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes),
        false => read_whole(file),
    };
    read.map_err(|error| Failure::Input(format!("{}: {error}", file.display())))
}

fn limits(args: &AnnotateArgs) -> Limits {
    let time = args.nodes.is_none().then_some(Duration::from_millis(args.time));
    Limits { nodes: args.nodes, time, is_analysis: true, ..Limits::default() }
}

/// An engine for each thread, or none if only tables are used.
fn engines(
    args: &AnnotateArgs,
    directory: &Path,
    threads: usize,
) -> Result<Vec<Option<Box<dyn AnyEngine>>>, Failure> {
    if args.nodes.is_none() && args.time == 0 {
        return Ok((0..threads).map(|_| None).collect());
    }
    let settings = PlayerSettings {
        memory: MEMORY,
        tables: Some(directory.to_owned()),
        access: args.access.access.into(),
        book: BookChoice::None,
        ..PlayerSettings::new(args.game.0)
    };
    let no_memory = |error| match error {
        PlayerError::Memory(error) => Failure::System(format!("no memory for an engine: {error}")),
        error => error.into(),
    };
    let first = open_engine(&settings).map_err(no_memory)?;
    input::tell_table_errors(first.take_table_errors());
    let mut engines = Vec::with_capacity(threads);
    for _ in 1..threads {
        engines.push(Some(first.another().map_err(no_memory)?));
    }
    engines.push(Some(first));
    Ok(engines)
}

/// The annotated game, or why there is none.
type Outcome = Result<AnnotatedGame, Problem>;

/// Why a game could not be annotated.
enum Problem {
    /// The game cannot be read.
    Record(RecordError),
    /// Tables cannot be probed.
    Ask(AskError),
}

/// The games to annotate, and how far the work has come.
struct Work<'a, R> {
    games: Mutex<R>,
    tables: &'a dyn AnyTables,
    request: SearchRequest,
    /// The positions judged so far.
    done: AtomicU64,
    /// The positions of all games.
    total: u64,
    progress: Box<dyn Progress>,
}

impl<R> Work<'_, R>
where
    R: Iterator<Item = (usize, Result<Box<dyn AnyRecord>, RecordError>)>,
{
    /// Annotates games, one after the other, until none is left or the work is stopped.
    fn run(
        &self,
        mut engine: Option<Box<dyn AnyEngine>>,
        control: &Control,
        sender: &Sender<(usize, Outcome)>,
    ) {
        let next = || self.games.lock().unwrap_or_else(|lock| lock.into_inner()).next();
        while let Some((number, record)) = next() {
            let mut annotator = Annotator::new(self.tables);
            if let Some(engine) = engine.as_deref_mut() {
                annotator = annotator.with_engine(engine, self.request, control);
            }
            let outcome = match record {
                Err(error) => Err(Problem::Record(error)),
                Ok(record) => match annotator.annotate(&*record, &mut || self.advance(control)) {
                    Ok(None) => return,
                    Ok(Some(game)) => Ok(game),
                    Err(error) => Err(Problem::Ask(error)),
                },
            };
            if sender.send((number, outcome)).is_err() {
                return;
            }
        }
    }

    fn advance(&self, control: &Control) -> ControlFlow<()> {
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        let (total, share) = (self.total, done as f64 / self.total as f64);
        self.progress.event(Event::Advanced { done, total, signature_share: None, share });
        if control.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Passes the outcomes to `take` in the order of the games, with their numbers from 1. If an outcome is
/// missing, those after it are dropped.
fn in_order(
    receiver: &Receiver<(usize, Outcome)>,
    mut take: impl FnMut(usize, Outcome) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (number, outcome) in receiver {
        waiting.insert(number, outcome);
        while let Some(outcome) = waiting.remove(&next) {
            next += 1;
            take(next, outcome)?;
        }
    }
    Ok(())
}

/// The output of annotated games, and their summary.
struct Output<'a> {
    args: &'a AnnotateArgs,
    /// The new file; without one, games go to standard output.
    file: Option<AtomicFile>,
    /// The length of the file in bytes up to the end of its last complete game.
    len: u64,
    /// The first error of writing to standard output what is not in the file.
    unreported: Option<io::Error>,
    games: u64,
    failed: u64,
    /// The summaries by name of the player.
    players: BTreeMap<String, PlayerSummary>,
}

/// The JSON object that follows those of the games.
#[derive(Serialize)]
struct Summary {
    game: &'static str,
    games: u64,
    failed: u64,
    players: Vec<PlayerSummary>,
}

impl<'a> Output<'a> {
    /// Checks that the games can be written. Called before any long work.
    fn check(args: &AnnotateArgs) -> Result<(), Failure> {
        args.output.as_deref().map_or(Ok(()), input::check_new_file)
    }

    fn new(args: &'a AnnotateArgs) -> Result<Output<'a>, Failure> {
        Output::check(args)?;
        let create =
            |path: &PathBuf| AtomicFile::create(path).map_err(|error| cannot_write(path, &error));
        args.output.as_deref().inspect(|path| tell_unfinished(path));
        let file = args.output.as_ref().map(create).transpose()?;
        let (len, unreported) = (0, None);
        Ok(Output { args, file, len, unreported, games: 0, failed: 0, players: BTreeMap::new() })
    }

    /// Writes the game with this number in the file, or a note why there is none.
    fn add(&mut self, number: usize, outcome: Outcome) -> Result<(), Failure> {
        let file = self.args.file.display();
        let game = match outcome {
            Ok(game) => game,
            Err(problem) => {
                self.failed += 1;
                let message = match problem {
                    Problem::Record(error) => error.to_string(),
                    Problem::Ask(error) => Failure::from(error).message().unwrap_or_default(),
                };
                note(&format!("{file}: game {number}: {message}"));
                return Ok(());
            }
        };
        let text = match (self.args.json, self.games) {
            (true, _) => game.json() + "\n",
            (false, 0) => game.text.clone(),
            (false, _) => format!("\n{}", game.text),
        };
        match (&mut self.file, &self.args.output) {
            (Some(file), Some(path)) => {
                if let Err(error) = file.file().write_all(text.as_bytes()) {
                    let (path, kept) = (path.display(), count(self.games, "game"));
                    let message = format!("cannot write {path}: {error}; {kept} kept");
                    return Err(Failure::System(message));
                }
                self.len += text.len() as u64;
            }
            _ => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
        }
        self.games += 1;
        if self.file.is_some() && !self.args.json {
            let reported = writeln!(Lenient::lock(), "{}", line(number, &game));
            self.unreported = self.unreported.take().or(reported.err());
        }
        for player in &game.summary {
            let sum = self.players.entry(player.player.clone()).or_insert_with(|| PlayerSummary {
                player: player.player.clone(),
                ..PlayerSummary::default()
            });
            sum.add(player);
        }
        let [white, black] = &game.summary;
        if let Some(sum) =
            self.players.get_mut(&white.player).filter(|_| white.player == black.player)
        {
            // A game of a player against itself is one game.
            sum.games -= 1;
        }
        Ok(())
    }

    /// Ends the output. Annotated games are kept, even after an interruption or if the disk is full. If there
    /// are none, no file is left, because the next attempt would fail if the file existed.
    fn finish(self, is_stopped: bool) -> Result<(), Failure> {
        let Output { args, file, len, unreported, games, failed, players } = self;
        if let (Some(file), Some(path)) = (file, &args.output)
            && games > 0
        {
            // A part of a game that could not be written is cut off.
            let published = file.file().set_len(len).and_then(|()| file.publish());
            published.map_err(|error| cannot_write(path, &error))?;
        }
        if let Some(error) = unreported {
            return Err(error.into());
        }
        let players: Vec<PlayerSummary> = players.into_values().collect();
        match (args.json, &args.output) {
            (true, _) => {
                let summary = Summary { game: args.game.0.name(), games, failed, players };
                writeln!(Lenient::lock(), "{}", json::object(summary))?;
            }
            (false, Some(_)) => write_players(&mut Lenient::lock(), &players)?,
            // Errors are ignored: the games have been written.
            (false, None) => drop(write_players(&mut io::stderr().lock(), &players)),
        }
        if is_stopped {
            let games = count(games, "game");
            return Err(Failure::Interrupted(format!("interrupted: {games} annotated")));
        }
        match (games, failed) {
            (_, 0) => Ok(()),
            (0, _) => Err(Failure::Input(format!("{}: no game can be read", args.file.display()))),
            _ => Err(Failure::No),
        }
    }
}

/// One line about a game: who played, and their mistakes.
fn line(number: usize, game: &AnnotatedGame) -> String {
    let [white, black] = &game.summary;
    let name = |player: &PlayerSummary| short(&player.player);
    let mut line = format!("{number}. {} - {} {}", name(white), name(black), game.result);
    for (color, player) in [("White", white), ("Black", black)] {
        let marks: Vec<String> = faults(player)
            .into_iter()
            .filter(|&(_, number)| number > 0)
            .map(|(what, number)| format!("{what} {number}"))
            .collect();
        if !marks.is_empty() {
            line += &format!("; {color}: {}", marks.join(", "));
        }
    }
    line
}

/// The name of a player for a line of text.
fn short(name: &str) -> String {
    let name = printable(name);
    match name.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

/// The kinds of mistakes of a player, with their numbers.
fn faults(player: &PlayerSummary) -> [(&'static str, u64); 6] {
    [
        ("?!", player.inaccuracies),
        ("?", player.mistakes),
        ("??", player.blunders),
        ("wins lost", player.threw_away_wins),
        ("draws lost", player.threw_away_draws),
        ("given up", player.given_up),
    ]
}

/// Writes the summaries of players as a table.
fn write_players(out: &mut impl Write, players: &[PlayerSummary]) -> io::Result<()> {
    if players.is_empty() {
        return Ok(());
    }
    let faults_of_none = faults(&PlayerSummary::default());
    let mut heading = vec!["player", "games", "moves", "in tables", "only moves"];
    heading.extend(faults_of_none.map(|(what, _)| what));
    let mut lines = vec![heading.into_iter().map(str::to_owned).collect::<Vec<String>>()];
    for player in players {
        let PlayerSummary { games, moves, in_tables, only_moves, .. } = *player;
        let mut line = vec![short(&player.player)];
        line.extend([games, moves, in_tables, only_moves].map(|number| number.to_string()));
        line.extend(faults(player).map(|(_, number)| number.to_string()));
        lines.push(line);
    }
    writeln!(out)?;
    write_aligned(out, &lines, &[0])
}
