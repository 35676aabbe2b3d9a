use super::input;
use super::missing::build_small;
use crate::args::{ProgressStyle, SiteArgs};
use crate::failure::Failure;
use crate::json;
use crate::signals::stop_on_signal;
use crate::words::{count, note, size, with_path};
use damka::AnyGame;
use damka::chunks::ChunksError;
use damka_web::site::{self, Advance, Reader, SiteError, SiteOptions, SiteSummary, Stage};
use serde::Serialize;
use serde_json::json;
use std::env;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// `damka site`.
pub(crate) fn site(args: &SiteArgs) -> Result<(), Failure> {
    // Read before tables are built: a site needs it.
    let named = args.wasm.clone().or_else(|| env::var_os("DAMKA_WASM").map(PathBuf::from));
    let reader = match &named {
        Some(directory) => Reader::read(directory)?,
        None => Reader::built_in().ok_or_else(no_reader)?,
    };
    let directories = input::directories(&args.tables)?;
    let games: Vec<AnyGame> = args.games.iter().map(|name| name.0).collect();
    if !args.build.no_build {
        let all = || AnyGame::all().collect();
        let requested = if games.is_empty() { all() } else { games.clone() };
        build_small(&requested, &directories, input::has_named_directories(&args.tables))?;
    }
    let options = SiteOptions { directories, games, pieces: args.pieces, reader };
    let (stop, progress) = (stop_on_signal(), SiteProgress::of(args.progress.style));
    let summary = site::write(&options, &args.directory, &|advance| {
        progress.report(advance);
        match stop.is_requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    Ok(print(&summary, args)?)
}

/// The failure when there is no WebAssembly reader; it says how to get one.
fn no_reader() -> Failure {
    Failure::Input(
        "this damka was built without the WebAssembly reader: in damka's source directory, \
         `bindings/wasm/build` makes it; then give `--wasm bindings/wasm/dist`"
            .to_owned(),
    )
}

/// A summary of the site, as `--json` prints it.
#[derive(Serialize)]
struct Written<'a> {
    directory: &'a Path,
    #[serde(flatten)]
    summary: &'a SiteSummary,
}

fn print(summary: &SiteSummary, args: &SiteArgs) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        let written = Written { directory: &args.directory, summary };
        return writeln!(out, "{}", json::object(written));
    }
    for game in &summary.games {
        let (tables, files) = (count(game.tables, "table"), count(game.files, "file"));
        let (before, after) = (size(game.table_bytes), size(game.bytes));
        writeln!(out, "{}: {tables} ({before}) in {files} ({after})", game.game)?;
    }
    let (files, bytes) = (count(summary.files, "file"), size(summary.bytes));
    writeln!(out, "{}: {files}, {bytes}", args.directory.display())
}

/// Progress on standard error.
struct SiteProgress {
    style: ProgressStyle,
    last: Mutex<Instant>,
}

impl SiteProgress {
    /// The interval of lines.
    const INTERVAL: Duration = Duration::from_secs(2);

    fn of(style: ProgressStyle) -> SiteProgress {
        SiteProgress { style, last: Mutex::new(Instant::now()) }
    }

    fn report(&self, Advance { game, stage, done, total }: Advance) {
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < SiteProgress::INTERVAL {
            return;
        }
        *last = Instant::now();
        let game = game.name();
        match (self.style, stage) {
            (ProgressStyle::None, _) => {}
            (ProgressStyle::Json, stage) => {
                let stage = match stage {
                    Stage::Tables => "tables",
                    Stage::Lists => "lists",
                };
                let object = json!({
                    "event": "progress", "game": game, "stage": stage, "done": done, "total": total,
                });
                // Errors are ignored: standard error may be closed.
                let _ = writeln!(io::stderr(), "{}", json::object(object));
            }
            (_, Stage::Tables) => {
                note(&format!("{game}: tables, {} of {}", size(done), size(total)));
            }
            (_, Stage::Lists) => {
                note(&format!("{game}: positions of {done} of {}", count(total, "signature")));
            }
        }
    }
}

impl From<SiteError> for Failure {
    fn from(error: SiteError) -> Failure {
        match error {
            SiteError::Tables(ChunksError::Table(error)) => error.into(),
            SiteError::Damaged { .. } => Failure::Damaged(format!("{error}; build it again")),
            SiteError::Unreadable { path, error } => {
                Failure::System(with_path(error, path.as_deref()))
            }
            SiteError::NoTables => Failure::Missing(format!("{error}: `damka gen` builds some")),
            SiteError::NoTablesOf(game) => {
                Failure::Missing(format!("{error}: `damka gen {game} 4` builds some"))
            }
            SiteError::Interrupted => {
                Failure::Interrupted(format!("{error}; run the same command again to continue"))
            }
            SiteError::Foreign(_) => {
                Failure::Input(format!("{error}: name an empty or a new directory"))
            }
            SiteError::TablesInside(_) => {
                Failure::System(format!("{error}: keep the tables elsewhere"))
            }
            SiteError::NoReader(_) => Failure::Input(error.to_string()),
            error => Failure::System(error.to_string()),
        }
    }
}
