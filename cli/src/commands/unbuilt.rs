//! Tables for somebody who has none yet.

use crate::args::ProgressStyle;
use crate::failure::Failure;
use crate::progress;
use crate::words::{duration, size};
use damka_gen::{Family, Options, Plan, Stop, build, memory};
use damka_probe::list_tables;
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// The longest that somebody who only wants to play will wait for tables, in seconds.
const PATIENCE: f64 = 600.0;

/// What tables would be worth having where there are none.
pub(crate) struct Offer {
    game: &'static str,
    directory: PathBuf,
    /// Of up to how many pieces.
    pub(crate) pieces: u32,
    disk: u64,
    seconds: f64,
}

impl Offer {
    /// The offer for a directory, if it has no tables of the game.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn of<G: Family>(game: G, directory: &Path) -> Result<Option<Offer>, Failure> {
        if !list_tables(game, directory)?.is_empty() {
            return Ok(None);
        }
        let threads = available_parallelism().map_or(1, usize::from);
        let metrics = [Metric::Wdl, Metric::Dtw];
        // One piece more than what is built without asking, unless that takes long.
        let mut pieces = G::QUICK_PIECES + 1;
        let mut plan = Plan::new(&up_to(game, pieces), &metrics, threads, memory(), directory)?;
        if plan.seconds(threads) > PATIENCE {
            pieces = G::QUICK_PIECES;
            plan = Plan::new(&up_to(game, pieces), &metrics, threads, memory(), directory)?;
        }
        Ok(Some(Offer {
            game: game.name(),
            directory: directory.to_owned(),
            pieces,
            disk: plan.disk(),
            seconds: plan.seconds(threads),
        }))
    }

    /// What is missing, and how it can be had.
    pub(crate) fn advice(&self) -> String {
        let Offer { pieces, .. } = self;
        format!(
            "there are {}: `--build {pieces}` builds those of up to {}",
            self.lack(),
            self.cost()
        )
    }

    /// The same as a question.
    pub(crate) fn question(&self) -> String {
        format!("There are {}. Build those of up to {}? [y/N] ", self.lack(), self.cost())
    }

    fn lack(&self) -> String {
        format!("no tables of {} in {}", self.game, self.directory.display())
    }

    fn cost(&self) -> String {
        let (disk, time) = (size(self.disk), duration(self.seconds.max(1.0)));
        format!("{} pieces ({disk}, about {time})", self.pieces)
    }
}

/// Builds all tables of up to so many pieces that are missing, and shows progress.
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
    let stop = Stop::default();
    build(&up_to(game, pieces), directory, &Options::default(), &*progress, &stop)?;
    Ok(())
}

/// All signatures of 2 to `pieces` pieces.
fn up_to<G: Family>(game: G, pieces: u32) -> Vec<Signature<G>> {
    (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect()
}
