use super::input;
use crate::args::{DagazArgs, LogFormat, LogLevel};
use crate::failure::Failure;
use crate::signals::stop_on_signal;
use damka_bots::dagaz::{self, Account};
use damka_bots::{BotOptions, Pace, Password, PasswordError, PasswordFile, SeekOptions};
use damka_engine::PlayerSettings;
use damka_engine::book::BookChoice;
use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;
use tracing::{Level, error, info, warn};

/// `damka bot dagaz`.
pub(crate) fn dagaz(args: &DagazArgs) -> Result<(), Failure> {
    let games: Vec<_> = match &args.game[..] {
        [] => dagaz::games().collect(),
        games => games.iter().map(|game| game.0).collect(),
    };
    if matches!(args.book.book, BookChoice::File(_)) && games.len() != 1 {
        return Err(Failure::Input(
            "--book: a book file is for one game: name the game with --game".to_owned(),
        ));
    }
    if args.engine.weights.is_some() && games.len() != 1 {
        return Err(Failure::Input(
            "--weights: a file of weights is for one game: name the game with --game".to_owned(),
        ));
    }
    let directory = input::directory(&args.tables)?;
    let settings = PlayerSettings {
        // The default directory need not exist.
        tables: Some(directory).filter(|path| path.is_dir()),
        access: args.access.access.into(),
        book: args.book.book.clone(),
        seed: args.seed.get(),
        ..args.engine.settings(())?
    };
    let PasswordFile { password, is_open_to_others } = password(args.password_file.as_deref())?;
    let account = Account {
        arbiter: args.arbiter,
        time_control: args.time_control,
        ..Account::new(&args.url, &args.user, password)
    };
    let options = BotOptions {
        settings,
        searches: args.searches.into(),
        move_time: args.move_time.map(Duration::from_millis),
        seek: SeekOptions {
            create: args.create,
            accept: args.accept,
            tournaments: args.tournaments,
            max_games: args.max_games.into(),
        },
        once: args.once,
        dry_run: args.dry_run,
        pace: Pace { poll: Duration::from_millis(args.poll), ..Pace::default() },
        ..BotOptions::new(games)
    };
    let bot = dagaz::bot(account, options)?;
    write_log(args.log_format, args.log_level);
    if is_open_to_others {
        warn!("others may read the password file: protect it with `chmod 600`");
    }
    let ended = input::interruptible(|control| bot.run(control)).map_err(Failure::from);
    let failure = match ended {
        _ if stop_on_signal().is_requested() => {
            Failure::Interrupted("interrupted; run the same command again to continue".to_owned())
        }
        Ok(()) => return Ok(()),
        Err(failure) => failure,
    };
    let message = failure.message().unwrap_or_default();
    match (args.log_format, &failure) {
        (LogFormat::Plain, _) => drop(writeln!(io::stderr(), "damka: {message}")),
        // The reason for the end is also in the log.
        (LogFormat::Json, Failure::Interrupted(_)) => info!("{message}"),
        (LogFormat::Json, _) => error!("{message}"),
    }
    Err(Failure::Logged(Box::new(failure)))
}

/// The password, from the file or else from the environment.
fn password(file: Option<&Path>) -> Result<PasswordFile, Failure> {
    const VARIABLE: &str = "DAMKA_PASSWORD";
    let Some(path) = file else {
        return match env::var(VARIABLE) {
            Ok(text) if text.is_empty() => Err(Failure::Input(PasswordError::Empty.to_string())),
            Ok(text) => {
                Ok(PasswordFile { password: Password::new(text), is_open_to_others: false })
            }
            Err(env::VarError::NotPresent) => Err(Failure::Input(format!(
                "there is no password: name a file by --password-file, or set {VARIABLE}"
            ))),
            Err(env::VarError::NotUnicode(_)) => {
                Err(Failure::Input(format!("{VARIABLE} is not UTF-8 text")))
            }
        };
    };
    Password::read(path)
        .map_err(|error| Failure::Input(format!("--password-file: {}: {error}", path.display())))
}

/// Writes the log to standard error.
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
        // If standard error is closed, a message about a failed write would end the bot.
        .log_internal_errors(false);
    match format {
        LogFormat::Plain => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
