//! Tables that are missing: small ones are built, others offered where a person can be asked and
//! it does not take long. Else the error tells the command that builds them.

use crate::args::ProgressStyle;
use crate::failure::Failure;
use crate::progress;
use crate::words::{duration, note, size};
use damka_games::printable;
use damka_gen::{Family, NoProgress, Options, Plan, Progress, Request, build, memory};
use damka_probe::{ProbeError, Table, list_tables};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// The longest that a person who has asked about a position is offered to wait, in seconds.
const WAIT: f64 = 60.0;
/// The longest that a person who wants to play is offered to wait, in seconds.
const WAIT_BEFORE_PLAY: f64 = 600.0;
/// Of at most this many pieces more than small tables have, tables are offered. To estimate the
/// time, those that are there are read.
const MORE_PIECES: u32 = 2;

/// Builds tables that a command lacks.
pub(crate) struct Supply<'a> {
    directory: &'a Path,
    /// Nothing may be built.
    is_forbidden: bool,
    /// A person may be asked, and has not said no yet.
    may_ask: Cell<bool>,
}

impl<'a> Supply<'a> {
    /// Tables are missing in `directory`; `is_forbidden` is `--no-build`.
    pub(crate) fn new(directory: &'a Path, is_forbidden: bool) -> Supply<'a> {
        Supply { directory, is_forbidden, may_ask: Cell::new(can_ask()) }
    }

    /// Nobody is asked: standard input is needed for something else, or the command does without.
    pub(crate) fn without_asking(self) -> Supply<'a> {
        self.may_ask.set(false);
        self
    }

    /// Builds the tables of a signature and of what it leads to: small ones, saying so, and others
    /// if a person agrees. Returns whether they were built.
    ///
    /// # Errors
    /// They cannot be built.
    pub(crate) fn build<G: Family>(&self, signature: Signature<G>) -> Result<bool, Failure> {
        if self.is_forbidden {
            return Ok(false);
        }
        let options = Options::default();
        let what = format!("{signature} and what it leads to");
        let place = self.directory.display();
        if is_small(&signature) {
            note(&format!("building {what} in {place}"));
            return self.run(signature, &options, &NoProgress);
        }
        if !self.may_ask.get() || signature.pieces() > G::QUICK_PIECES + MORE_PIECES {
            return Ok(false);
        }
        let cost = Cost::of(&[signature], self.directory)?;
        if cost.seconds > WAIT {
            return Ok(false);
        }
        if !ask(&format!("Build {what} in {place} ({})?", cost.text()))? {
            self.may_ask.set(false);
            return Ok(false);
        }
        self.run(signature, &options, &*progress::of(ProgressStyle::Auto))
    }

    /// [Builds](Supply::build) the tables of a signature if it has none of these metrics.
    ///
    /// # Errors
    /// They cannot be built.
    pub(crate) fn build_unless<G: Family>(
        &self,
        signature: Signature<G>,
        metrics: &[Metric],
    ) -> Result<(), Failure> {
        let is_missing = |&metric: &Metric| {
            let table = Table::open(self.directory, signature, metric);
            table.is_err_and(|error| error.is_missing())
        };
        if metrics.iter().all(is_missing) {
            self.build(signature)?;
        }
        Ok(())
    }

    fn run<G: Family>(
        &self,
        signature: Signature<G>,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<bool, Failure> {
        // A signal ends the process, which leaves no half table either.
        let options = options.clone();
        build(&[signature], &Request { options, progress, ..Request::new(self.directory) })?;
        Ok(true)
    }
}

/// Whether the tables of a signature are built in seconds.
pub(crate) fn is_small<G: Family>(signature: &Signature<G>) -> bool {
    signature.pieces() <= G::QUICK_PIECES
}

/// The signature whose table is missing, unless there can be none.
pub(crate) fn signature<G: Family>(game: G, error: &ProbeError) -> Option<Signature<G>> {
    match error {
        ProbeError::Missing { signature, .. } => Signature::parse(game, signature).ok(),
        _ => None,
    }
}

/// Whether a person can be asked, on standard error, and answer.
fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a person, on standard error. Only what begins with `y` is a yes.
///
/// # Errors
/// The answer cannot be read.
fn ask(question: &str) -> Result<bool, Failure> {
    let failed = |error| Failure::System(format!("standard input: {error}"));
    let mut err = io::stderr().lock();
    write!(err, "{} [y/N] ", printable(question)).and_then(|()| err.flush()).map_err(failed)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(failed)?;
    Ok(answer.trim_start().to_ascii_lowercase().starts_with('y'))
}

/// What it takes to build tables, estimated.
struct Cost {
    disk: u64,
    seconds: f64,
}

impl Cost {
    /// Of the tables of these signatures, and of what they lead to, that are missing.
    ///
    /// # Errors
    /// The tables that are there cannot be read.
    fn of<G: Family>(signatures: &[Signature<G>], directory: &Path) -> Result<Cost, Failure> {
        let threads = available_parallelism().map_or(1, usize::from);
        let plan = Plan::new(signatures, &Metric::ALL, threads, memory(), directory)?;
        Ok(Cost { disk: plan.disk(), seconds: plan.seconds(threads) })
    }

    fn text(&self) -> String {
        format!("{}, about {}", size(self.disk), duration(self.seconds.max(1.0)))
    }
}

/// Tables for a person who wants to play and has none of the game.
pub(crate) struct Offer {
    game: &'static str,
    directory: PathBuf,
    /// Of up to how many pieces.
    pieces: u32,
    cost: Cost,
}

impl Offer {
    /// The offer for a directory, if it has no tables of the game: of one piece more than small
    /// tables have, unless that takes long.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(crate) fn of<G: Family>(game: G, directory: &Path) -> Result<Option<Offer>, Failure> {
        if !list_tables(game, directory)?.is_empty() {
            return Ok(None);
        }
        let cost = |pieces| Cost::of(&up_to(game, pieces), directory);
        let mut pieces = G::QUICK_PIECES + 1;
        let mut taken = cost(pieces)?;
        if taken.seconds > WAIT_BEFORE_PLAY {
            pieces = G::QUICK_PIECES;
            taken = cost(pieces)?;
        }
        let directory = directory.to_owned();
        Ok(Some(Offer { game: game.name(), directory, pieces, cost: taken }))
    }

    /// What is missing, and how to get it.
    pub(crate) fn advice(&self) -> String {
        let Offer { pieces, .. } = self;
        format!("there are {}: `--build {pieces}` builds {}", self.lack(), self.tables())
    }

    /// Builds the tables if a person can be asked and agrees.
    ///
    /// # Errors
    /// They cannot be built.
    pub(crate) fn make<G: Family>(&self, game: G) -> Result<(), Failure> {
        let question = format!("There are {}. Build {}?", self.lack(), self.tables());
        match can_ask() && ask(&question)? {
            true => build_up_to(game, self.pieces, &self.directory),
            false => Ok(()),
        }
    }

    fn lack(&self) -> String {
        format!("no tables of {} in {}", self.game, self.directory.display())
    }

    fn tables(&self) -> String {
        format!("those of up to {} pieces ({})", self.pieces, self.cost.text())
    }
}

/// Builds all tables of up to this many pieces that are missing, and shows progress.
///
/// # Errors
/// They cannot be built.
pub(crate) fn build_up_to<G: Family>(
    game: G,
    pieces: u32,
    directory: &Path,
) -> Result<(), Failure> {
    let progress = progress::of(ProgressStyle::Auto);
    // A signal ends the process, which leaves no half table either.
    let request = Request { progress: &*progress, ..Request::new(directory) };
    build(&up_to(game, pieces), &request)?;
    Ok(())
}

/// All signatures of 2 to `pieces` pieces.
fn up_to<G: Family>(game: G, pieces: u32) -> Vec<Signature<G>> {
    (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect()
}
