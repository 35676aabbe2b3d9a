//! Handles missing tables: builds small ones, and asks a person whether to build others that do not take
//! long. Otherwise the error names the command that builds them.

use crate::args::ProgressStyle;
use crate::failure::Failure;
use crate::progress::{self, OnlyWaits};
use crate::words::{duration, note, size};
use damka::{
    Answer, AnyGame, AnyTables, AskError, Builder, Cost, Metric, ProbeError, ProbeOptions,
};
use damka_games::printable;
use damka_gen::Progress;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The longest build that is offered for a question about a position, in seconds.
const WAIT: f64 = 60.0;
/// The longest build that is offered before a game, in seconds.
const WAIT_BEFORE_PLAY: f64 = 600.0;
/// Offered tables have at most this many pieces more than small tables. There is a limit because
/// estimating the time reads all existing tables.
const MORE_PIECES: u32 = 2;

/// Builds missing tables for a command.
pub(crate) struct Supply {
    builder: Builder,
    /// Set if nothing may be built, or a build has failed.
    is_forbidden: Cell<bool>,
    /// Set if a person can be asked and has not answered no.
    may_ask: Cell<bool>,
}

impl Supply {
    /// A supply for tables of `game` in `directory`; `is_forbidden` is `--no-build`.
    pub(crate) fn new(game: AnyGame, directory: &Path, is_forbidden: bool) -> Supply {
        let builder = Builder::new(game, directory);
        Supply { builder, is_forbidden: is_forbidden.into(), may_ask: Cell::new(can_ask()) }
    }

    /// This supply, but it never asks a person. For commands that use standard input for other things, or
    /// that can work without the tables.
    pub(crate) fn without_asking(self) -> Supply {
        self.may_ask.set(false);
        self
    }

    /// Builds the tables of a signature and of what it leads to: small ones with a note, others if
    /// a person agrees. Returns whether they were built.
    ///
    /// # Errors
    /// The tables cannot be built.
    pub(crate) fn build(&self, signature: &str) -> Result<bool, Failure> {
        if self.is_forbidden.get() {
            return Ok(false);
        }
        let what = format!("{signature} and what it leads to");
        let place = self.builder.directory().display();
        let pieces = self.builder.pieces(signature).map_err(AskError::from)?;
        let quick = self.builder.quick_pieces();
        if pieces <= quick {
            note(&format!("building {what} in {place}"));
            // Without these tables the command may still have an answer, or reports what is missing.
            return self.run(signature, &OnlyWaits).or_else(|failure| {
                self.is_forbidden.set(true);
                failure.message().iter().for_each(|message| note(message));
                Ok(false)
            });
        }
        if !self.may_ask.get() || pieces > quick + MORE_PIECES {
            return Ok(false);
        }
        let cost = self.builder.cost(&[signature.to_owned()])?;
        if cost.seconds > WAIT {
            return Ok(false);
        }
        if !ask(&format!("Build {what} in {place} ({})?", cost_text(&cost)))? {
            self.may_ask.set(false);
            return Ok(false);
        }
        self.run(signature, &*progress::of(ProgressStyle::Auto))
    }

    /// [Builds](Supply::build) the largest table that an answer lacks, with all it leads to.
    /// Returns whether it was built.
    ///
    /// # Errors
    /// The tables cannot be built.
    pub(crate) fn build_missing(&self, answer: &Result<Answer, AskError>) -> Result<bool, Failure> {
        let signatures: Vec<&str> = match answer {
            Ok(answer) => answer.missing.iter().map(|missing| &*missing.signature).collect(),
            Err(AskError::Probe(ProbeError::Missing { signature, .. })) => vec![signature],
            Err(_) => Vec::new(),
        };
        let pieces = |signature: &&str| self.builder.pieces(signature).ok();
        match signatures.into_iter().max_by_key(pieces) {
            Some(largest) => self.build(largest),
            None => Ok(false),
        }
    }

    /// [Builds](Supply::build) the tables of a signature if it has no table of these metrics.
    ///
    /// # Errors
    /// The tables cannot be built, or an existing one is damaged.
    pub(crate) fn build_unless(
        &self,
        tables: &dyn AnyTables,
        signature: &str,
        metrics: &[Metric],
    ) -> Result<(), Failure> {
        for &metric in metrics {
            // Damaged tables are reported when the command reads them.
            if tables.has_table(signature, metric).unwrap_or(true) {
                return Ok(());
            }
        }
        self.build(signature).map(drop)
    }

    fn run(&self, signature: &str, progress: &dyn Progress) -> Result<bool, Failure> {
        // A signal may end the process here: no incomplete table is left.
        self.builder.build(&[signature.to_owned()], progress)?;
        Ok(true)
    }
}

/// Whether a person can be asked on standard error, and can answer.
fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a person, on standard error. Only `y` and `yes` mean yes.
///
/// # Errors
/// The answer cannot be read.
fn ask(question: &str) -> Result<bool, Failure> {
    let failed = |error| Failure::System(format!("standard input: {error}"));
    let mut err = io::stderr().lock();
    write!(err, "{} [y/N] ", printable(question)).and_then(|()| err.flush()).map_err(failed)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(failed)?;
    Ok(matches!(&*answer.trim().to_ascii_lowercase(), "y" | "yes"))
}

/// The disk space and time to build tables, in words.
fn cost_text(cost: &Cost) -> String {
    format!("{}, about {}", size(cost.disk), duration(cost.seconds.max(1.0)))
}

/// An offer to build tables before a game if there are none.
pub(crate) struct Offer {
    builder: Builder,
    game: AnyGame,
    /// The maximum number of pieces of the tables.
    pieces: u32,
    cost: Cost,
}

impl Offer {
    /// The offer for a directory without tables of the game: tables with one piece more than small
    /// tables, unless that takes too long.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(crate) fn of(game: AnyGame, directory: &Path) -> Result<Option<Offer>, Failure> {
        if !damka::open(game, directory, ProbeOptions::default()).signatures()?.is_empty() {
            return Ok(None);
        }
        let builder = Builder::new(game, directory);
        let mut pieces = builder.quick_pieces() + 1;
        let mut cost = builder.cost(&up_to(&builder, pieces))?;
        if cost.seconds > WAIT_BEFORE_PLAY {
            pieces = builder.quick_pieces();
            cost = builder.cost(&up_to(&builder, pieces))?;
        }
        Ok(Some(Offer { builder, game, pieces, cost }))
    }

    /// A text that says what is missing, and how to build it.
    pub(crate) fn advice(&self) -> String {
        let Offer { pieces, .. } = self;
        format!("there are {}: `--build {pieces}` builds {}", self.missing_text(), self.tables())
    }

    /// Builds the tables if a person can be asked and agrees.
    ///
    /// # Errors
    /// The tables cannot be built.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        let question = format!("There are {}. Build {}?", self.missing_text(), self.tables());
        match can_ask() && ask(&question)? {
            true => build_up_to(self.game, self.pieces, self.builder.directory()),
            false => Ok(()),
        }
    }

    fn missing_text(&self) -> String {
        format!("no tables of {} in {}", self.game.name(), self.builder.directory().display())
    }

    fn tables(&self) -> String {
        format!("those of up to {} pieces ({})", self.pieces, cost_text(&self.cost))
    }
}

/// Builds missing small tables of all signatures, with a note.
///
/// # Errors
/// The tables cannot be built.
pub(crate) fn build_quick(
    game: AnyGame,
    tables: &dyn AnyTables,
    directory: &Path,
) -> Result<(), Failure> {
    let builder = Builder::new(game, directory);
    let pieces = builder.quick_pieces();
    // Damaged tables are reported when they are read.
    let is_there = |name: &String| tables.has_table(name, Metric::Dtw).unwrap_or(true);
    let signatures = up_to(&builder, pieces);
    if signatures.iter().all(is_there) {
        return Ok(());
    }
    let (game, place) = (game.name(), directory.display());
    note(&format!("building the tables of {game} of up to {pieces} pieces in {place}"));
    Ok(builder.build(&signatures, &OnlyWaits)?)
}

/// Builds missing small tables of these games, which takes seconds, into the first directory, so that
/// there is something to show. Directories that the user has named are not changed if they have any table
/// of these games.
///
/// # Errors
/// The tables cannot be built.
pub(crate) fn build_small(
    games: &[AnyGame],
    directories: &[PathBuf],
    has_named_directories: bool,
) -> Result<(), Failure> {
    for &game in games {
        let tables = damka::open_all(game, directories, ProbeOptions::default());
        if has_named_directories && !tables.signatures()?.is_empty() {
            return Ok(());
        }
    }
    for &game in games {
        let tables = damka::open(game, &directories[0], ProbeOptions::default());
        build_quick(game, &*tables, &directories[0])?;
    }
    Ok(())
}

/// Builds all missing tables of up to this many pieces, and shows progress.
///
/// # Errors
/// The tables cannot be built.
pub(crate) fn build_up_to(game: AnyGame, pieces: u32, directory: &Path) -> Result<(), Failure> {
    let builder = Builder::new(game, directory);
    let progress = progress::of(ProgressStyle::Auto);
    // A signal may end the process here: no incomplete table is left.
    builder.build(&up_to(&builder, pieces), &*progress)?;
    Ok(())
}

/// All signatures of 2 to `pieces` pieces.
fn up_to(builder: &Builder, pieces: u32) -> Vec<String> {
    (2..=pieces).flat_map(|pieces| builder.signatures(pieces)).collect()
}
