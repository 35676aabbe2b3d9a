use super::input;
use crate::args::TuneArgs;
use crate::failure::Failure;
use crate::words::{grouped, note};
use damka_engine::tune::Lessons;
use damka_engine::{Endings, Playable, Weights, pdn};
use std::fs;
use std::io::{self, Write};
use std::sync::Arc;

/// `damka tune`.
pub(crate) fn tune<G: Playable>(args: &TuneArgs) -> Result<(), Failure> {
    let first = match &args.from {
        Some(path) => Weights::<G>::open(path)?,
        None => G::first_weights(),
    };
    let endings = Endings::new(Arc::new(input::tables::<G>(&args.tables, &args.access)?))?;
    let mut lessons = Lessons::new();
    let mut all_read = true;
    for path in &args.games {
        let bytes = fs::read(path)
            .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
        for record in pdn::read::<G>(&pdn::decode(&bytes)) {
            match record {
                Ok(record) => lessons.add(&record, &endings),
                Err(error) => {
                    note(&format!("{}: {error}", path.display()));
                    all_read = false;
                }
            }
        }
    }
    let [games, positions] = [lessons.games(), lessons.positions()].map(|n| grouped(n as u64));
    note(&format!("{positions} quiet positions of {games} games"));
    let weights = lessons.learn(&first, args.rounds, |round, loss| {
        note(&format!("round {round}: {:.4} bits, exam {:.4}", loss.lessons, loss.exam));
    });
    weights.save(&args.weights)?;
    writeln!(io::stdout().lock(), "{}: learned from {games} games", args.weights.display())?;
    match all_read {
        true => Ok(()),
        false => Err(Failure::No),
    }
}
