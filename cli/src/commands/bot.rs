use super::input;
use crate::args::{DagazArgs, LogFormat, LogLevel};
use crate::failure::Failure;
use crate::signals::stop_on_signal;
use damka_engine::book::BookChoice;
use damka_protocols::Settings;
use damka_protocols::dagaz::{self, Bot, BotOptions, Pace, Password, Seek};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;
use std::{env, str};
use tracing::{Level, error, info, warn};

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
    let directory = input::directory(&args.tables)?;
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
    let Secret { password, is_open_to_others } = secret(args.password_file.as_deref())?;
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
        ..BotOptions::new(&args.url, &args.user, password)
    })?;
    write_log(args.log_format, args.log_level);
    if is_open_to_others {
        warn!("others may read the password file: `chmod 600` keeps it to its user");
    }
    let ended = input::interruptible(|control| bot.run(control)).map_err(Failure::from);
    let failure = match ended {
        _ if stop_on_signal().is_requested() => {
            Failure::Interrupted("interrupted; the same command goes on".to_owned())
        }
        Ok(()) => return Ok(()),
        Err(failure) => failure,
    };
    let message = failure.message().unwrap_or_default();
    match (args.log_format, &failure) {
        (LogFormat::Plain, _) => drop(writeln!(io::stderr(), "damka: {message}")),
        // Programs that read the log read the end as well.
        (LogFormat::Json, Failure::Interrupted(_)) => info!("{message}"),
        (LogFormat::Json, _) => error!("{message}"),
    }
    Err(Failure::Told(Box::new(failure)))
}

/// The password, and how it is kept.
struct Secret {
    password: Password,
    /// Whether it is in a file that any user may read.
    is_open_to_others: bool,
}

/// The password: from the file, or else from the environment.
fn secret(file: Option<&Path>) -> Result<Secret, Failure> {
    const VARIABLE: &str = "DAMKA_PASSWORD";
    let (text, is_open_to_others) = match file {
        Some(path) => line_of(path).map_err(|problem| {
            Failure::Input(format!("--password-file: {}: {problem}", path.display()))
        })?,
        None => match env::var(VARIABLE) {
            Ok(text) => (text, false),
            Err(env::VarError::NotPresent) => {
                return Err(Failure::Input(format!(
                    "there is no password: name a file by --password-file, or set {VARIABLE}"
                )));
            }
            Err(env::VarError::NotUnicode(_)) => {
                return Err(Failure::Input(format!("{VARIABLE} is no text")));
            }
        },
    };
    match text.is_empty() {
        true => Err(Failure::Input("the password is empty".to_owned())),
        false => Ok(Secret { password: Password::new(text), is_open_to_others }),
    }
}

/// What a file has in its only line, and whether any user may read it; or what is wrong
/// with it.
fn line_of(path: &Path) -> Result<(String, bool), String> {
    /// No password has more bytes.
    const LONGEST: u64 = 4096;
    let file = damka_system::open(path).map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    let is_open_to_others = damka_system::is_readable_by_others(&metadata);
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
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
    Ok((line.to_owned(), is_open_to_others))
}

/// Has the log written to standard error.
fn write_log(format: LogFormat, level: LogLevel) {
    let log = tracing_subscriber::fmt()
        .with_max_level(match level {
            LogLevel::Error => Level::ERROR,
            LogLevel::Warn => Level::WARN,
            LogLevel::Info => Level::INFO,
            LogLevel::Debug => Level::DEBUG,
        })
        .with_writer(io::stderr)
        .with_ansi(false)
        .with_target(false)
        // Nobody is told that nobody can be told: where standard error is closed that would end the bot.
        .log_internal_errors(false);
    match format {
        LogFormat::Plain => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
