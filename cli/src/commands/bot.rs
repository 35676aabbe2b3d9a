use super::input;
use crate::args::{DagazArgs, LogFormat};
use crate::failure::Failure;
use crate::signals::stop_on_signal;
use damka_engine::book::BookChoice;
use damka_protocols::Settings;
use damka_protocols::dagaz::{self, Bot, BotOptions, Pace, Password, Secrets, Seek};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;
use std::{env, str};
use tracing::{error, info};

/// `damka bot dagaz`.
pub(crate) fn dagaz(args: &DagazArgs) -> Result<(), Failure> {
    let games: Vec<_> = match &args.game[..] {
        [] => dagaz::games().collect(),
        games => games.iter().map(|game| game.0).collect(),
    };
    if matches!(args.book.book, BookChoice::File(_)) && games.len() != 1 {
        return Err(Failure::Input(
            "--book: a file is of one game: name that by --game".to_owned(),
        ));
    }
    let directory = input::present_directory(&args.tables)?;
    let settings = Settings {
        threads: args.engine.threads(),
        memory: args.engine.memory()?,
        // Where nobody has named a directory, there need not be one.
        tables: Some(directory).filter(|path| path.is_dir()),
        access: args.access.access.into(),
        book: args.book.book.clone(),
        seed: args.book.seed(),
        ..Settings::new(())
    };
    let bot = Bot::new(BotOptions {
        games,
        settings,
        searches: args.searches.into(),
        move_time: args.move_time.map(Duration::from_millis),
        seek: Seek {
            create: args.create,
            accept: args.accept,
            tournaments: args.tournaments,
            max_games: args.max_games.into(),
            time_control: args.time_control,
        },
        arbiter: args.arbiter,
        once: args.once,
        dry_run: args.dry_run,
        pace: Pace { poll: Duration::from_millis(args.poll), ..Pace::default() },
        ..BotOptions::new(&args.url, &args.user, password(args.password_file.as_deref())?)
    })?;
    write_log(args.log_format, bot.secrets());
    let ended = input::interruptible(|control| bot.run(control)).map_err(Failure::from);
    let failure = match ended {
        _ if stop_on_signal().is_requested() => {
            Failure::Interrupted("interrupted; the same command goes on".to_owned())
        }
        Ok(()) => return Ok(()),
        Err(failure) => failure,
    };
    let message = bot.secrets().hide(&failure.message().unwrap_or_default());
    match (args.log_format, &failure) {
        (LogFormat::Plain, _) => drop(writeln!(io::stderr(), "damka: {message}")),
        // Programs that read the log read the end as well.
        (LogFormat::Json, Failure::Interrupted(_)) => info!("{message}"),
        (LogFormat::Json, _) => error!("{message}"),
    }
    Err(Failure::Told(Box::new(failure)))
}

/// The password: from the file, or else from the environment.
fn password(file: Option<&Path>) -> Result<Password, Failure> {
    const VARIABLE: &str = "DAMKA_PASSWORD";
    let text = match file {
        Some(path) => line_of(path).map_err(|problem| {
            Failure::Input(format!("--password-file: {}: {problem}", path.display()))
        })?,
        None => env::var(VARIABLE).map_err(|error| match error {
            env::VarError::NotPresent => Failure::Input(format!(
                "there is no password: name a file by --password-file, or set {VARIABLE}"
            )),
            env::VarError::NotUnicode(_) => Failure::Input(format!("{VARIABLE} is no text")),
        })?,
    };
    match &*text {
        "" => Err(Failure::Input("the password is empty".to_owned())),
        text => Ok(Password::new(text)),
    }
}

/// What a file has in its only line; or what is wrong with it.
fn line_of(path: &Path) -> Result<String, String> {
    /// No password has more bytes, and `/dev/zero` has.
    const LONGEST: u64 = 4096;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("a password has at most {LONGEST} bytes"));
    }
    let text = str::from_utf8(&bytes).map_err(|_| "it is no text in UTF-8".to_owned())?;
    // Some editors put a mark before a text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = text.strip_suffix('\n').unwrap_or(text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.contains(['\r', '\n']) {
        return Err("it has more than one line: the password is to be the only one".to_owned());
    }
    Ok(line.to_owned())
}

/// Has the log written to standard error.
fn write_log(format: LogFormat, secrets: Secrets) {
    let log = tracing_subscriber::fmt()
        .with_writer(move || Hiding { secrets: secrets.clone() })
        .with_ansi(false)
        .with_target(false)
        // Nobody is told that nobody can be told: where standard error is closed that would end the bot.
        .log_internal_errors(false);
    match format {
        LogFormat::Plain => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}

/// Standard error without secrets; it is given whole lines.
struct Hiding {
    secrets: Secrets,
}

impl Write for Hiding {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let shown = self.secrets.hide(&String::from_utf8_lossy(line));
        io::stderr().write_all(shown.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
