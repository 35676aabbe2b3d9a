use crate::job::Job;
use crate::needs::Needs;
use crate::parallel;
use crate::request::Request;
use crate::run::Runner;
use crate::solve::{MemoryOptions, Method, Part};
use crate::users::OutsideUsers;
use crate::{GenError, Options, Solvable};
use damka_games::{Color, Material, Position};
use damka_system::memory;
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature};

/// Solves a part of a signature; see [`rehearse`](crate::rehearse()).
pub fn rehearse<G: Solvable>(
    signature: Signature<G>,
    steps: u32,
    request: &Request<'_>,
) -> Result<(), GenError> {
    let options = &request.options;
    let squares = squares_beyond(signature.game(), steps);
    if !G::MEN.is_empty() && squares == [0, 0] {
        return Err(GenError::AdvanceTooFar { steps });
    }
    let pool = options.thread_pool()?;
    parallel::install(&pool, || {
        // Solve these signatures whether their tables exist or not.
        let jobs = Needs::new(&[signature]).in_order().into_iter();
        let has_tables = |other: &Signature<G>| {
            G::Method::LOADING.is_some() && other.pieces() < signature.pieces()
        };
        let jobs = jobs.filter(|other| !has_tables(other));
        let jobs: Vec<Job<G>> =
            jobs.map(|signature| Job::new(signature, options.metrics.clone())).collect();
        jobs.iter().try_for_each(|job| check_memory(job, options))?;
        let (all, part, scratch) = (0..jobs.len(), Part::MenOn(squares), None);
        let stages = std::slice::from_ref(&all);
        let (outside_users, directories) = (&OutsideUsers::None, &[request.directory][..]);
        let runner =
            Runner { jobs: &jobs, stages, outside_users, directories, request, scratch, part };
        runner.run(signature.game(), |_, _, _, _| Ok(0))?;
        Ok(())
    })
}

/// Checks that there is enough memory for a job that is solved whole because it has no men.
fn check_memory<G: Solvable>(job: &Job<G>, options: &Options) -> Result<(), GenError> {
    let materials = job.signature.materials();
    if G::MEN.iter().any(|&kind| materials.iter().any(|side| side[kind] > 0)) {
        return Ok(());
    }
    let (metric, threads) = (Metric::to_solve(&options.metrics), options.threads);
    let solving = MemoryOptions { metric, threads, spill: false };
    let needed = G::Method::footprint(&job.signature, job.positions, &[], solving).memory;
    let allowed = options.memory.unwrap_or_else(memory);
    match needed <= allowed {
        true => Ok(()),
        false => Err(GenError::Memory { signature: job.signature.to_string(), needed, allowed }),
    }
}

/// The squares that a man of each side cannot reach in fewer than `steps` steps.
fn squares_beyond<G: Solvable>(game: G, steps: u32) -> [u64; 2] {
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
