use super::input;
use crate::args::{DagazArgs, LogFormat};
use crate::failure::Failure;
use damka_engine::book::BookChoice;
use damka_protocols::Settings;
use damka_protocols::dagaz::{self, Bot, BotOptions, Pace, Password, Seek};
use std::path::Path;
use std::time::Duration;
use std::{env, fs, io};

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
        access: args.access.into(),
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
    write_log(args.log_format);
    input::interruptible(|control| bot.run(control))?;
    match input::stop_on_signal().is_requested() {
        true => Err(Failure::Interrupted("interrupted; the same command goes on".to_owned())),
        false => Ok(()),
    }
}

/// The password: from the file, or else from the environment.
fn password(file: Option<&Path>) -> Result<Password, Failure> {
    const VARIABLE: &str = "DAMKA_PASSWORD";
    let text = match file {
        Some(path) => fs::read_to_string(path).map_err(|error| {
            Failure::Input(format!("--password-file: cannot read {}: {error}", path.display()))
        })?,
        None => env::var(VARIABLE).map_err(|error| match error {
            env::VarError::NotPresent => Failure::Input(format!(
                "there is no password: name a file by --password-file, or set {VARIABLE}"
            )),
            env::VarError::NotUnicode(_) => Failure::Input(format!("{VARIABLE} is no text")),
        })?,
    };
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(Failure::Input("the password is empty".to_owned())),
        text => Ok(Password::new(text)),
    }
}

/// Has the log written to standard error.
fn write_log(format: LogFormat) {
    let log = tracing_subscriber::fmt()
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
