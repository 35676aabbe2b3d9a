use crate::fibre::{Means, Part, Stock, solve};
use crate::needs::Needs;
use crate::plan::{Job, last_use};
use crate::profile::{Phase, Profile, Who};
use crate::{Event, GenError, Options, Progress, Solvable, Stop};
use damka_games::{Color, Material, Position};
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Solves a part of a signature, see [`rehearse`](crate::rehearse()).
pub(crate) fn rehearse<G: Solvable>(
    signature: Signature<G>,
    steps: u32,
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    let squares = squares_behind(signature.game(), steps);
    if !G::MEN.is_empty() && squares == [0, 0] {
        return Err(GenError::TooFar { steps });
    }
    let part = Part::MenOn(squares);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    pool.install(|| {
        // Whether their tables are there or not.
        let jobs = Needs::new(&[signature]).in_order().into_iter();
        let jobs = jobs.filter(|other| other.pieces() == signature.pieces());
        let jobs: Vec<Job<G>> =
            jobs.map(|signature| Job::new(signature, options.metrics.clone())).collect();
        let last_use = last_use(&jobs);
        let metric = Metric::strongest(&options.metrics);
        let mut stock = Stock::new(signature.game(), directory, metric, options.instructions, None);
        for (place, job) in jobs.iter().enumerate() {
            stock.retain(|known| last_use.get(known).is_some_and(|&last| last >= place));
            solve_part(job, part, &mut stock, options, progress, stop)?;
        }
        Ok(())
    })
}

fn solve_part<G: Solvable>(
    job: &Job<G>,
    part: Part,
    stock: &mut Stock<G>,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    let signature = job.signature.to_string();
    progress.event(Event::Started { signature: signature.clone() });
    let profile = Profile::default();
    let shelf = profile.time(Phase::Load, Who::All, || stock.shelf(&job.signature))?;
    let solved = AtomicU64::new(0);
    let (_, frames) = solve(
        job.signature,
        &Means {
            metric: Metric::strongest(&options.metrics),
            instructions: options.instructions,
            shelf: &shelf,
            crews: stock.crews(),
            scratch: None,
            journal: None,
            part,
            profile: &profile,
            stop,
            advanced: &|positions| {
                solved.fetch_add(positions, Ordering::Relaxed);
            },
        },
    )?;
    stock.insert(frames);
    let positions = solved.into_inner();
    let planned = job.solving() * positions as f64 / job.positions.max(1) as f64;
    progress.event(Event::Finished {
        signature,
        positions,
        bytes: 0,
        times: profile.times(),
        planned: Duration::from_secs_f64(planned),
    });
    Ok(())
}

/// The squares that a man of each side gets to by no fewer than `steps` steps.
fn squares_behind<G: Solvable>(game: G, steps: u32) -> [u64; 2] {
    let mut squares = [0; 2];
    for &kind in G::MEN {
        let alone = Index::fibres(game, Material::default().with(kind), Material::default());
        for man in alone.positions(0..alone.len()).filter(|man| G::advance(man) >= steps) {
            squares[Color::White as usize] |= man.pieces(Color::White, kind).bits();
            squares[Color::Black as usize] |= man.flip().pieces(Color::Black, kind).bits();
        }
    }
    squares
}
