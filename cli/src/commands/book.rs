use super::board::diagram;
use super::input;
use super::records::read_games;
use crate::args::{BookAddArgs, BookBuildArgs, BookShowArgs};
use crate::failure::Failure;
use crate::json;
use crate::words::{count, grouped, note};
use damka_engine::Playable;
use damka_engine::book::{Book, BookMove, Exploration, Journal};
use damka_games::{Position, printable};
use damka_matches::{Contested, Entrant, Match, Openings};
use serde_json::json;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The interval of progress lines.
const INTERVAL: Duration = Duration::from_secs(2);

/// Self-play games are drawn after this many plies.
const LONGEST: usize = 300;

/// `damka book build`.
pub(crate) fn build<G: Contested>(game: G, args: &BookBuildArgs) -> Result<(), Failure> {
    Book::<G>::check_place(&args.book)?;
    let mut book = Book::new(game);
    let mut all_read = true;
    let path = PathBuf::from(format!("{}.searched", args.book.display()));
    let journal = match args.search {
        Some(positions) => {
            let (journal, found) = explore(game, args, positions, &path)?;
            book = found;
            Some(journal)
        }
        None => None,
    };
    all_read &= add_files(&mut book, &args.games, args.plies)?;
    if let Some(games) = args.self_play {
        add_own_games(&mut book, args, games)?;
    }
    book.prune(args.min_games);
    if book.is_empty() {
        let games = args.min_games;
        return Err(Failure::Input(format!(
            "no move was played in {} or more: no book is written",
            count(games, "game")
        )));
    }
    finish(&book, &args.book, all_read)?;
    match journal {
        Some(journal) => Ok(journal.remove()?),
        None => Ok(()),
    }
}

/// Makes a book by search. Positions already in the journal are not searched again.
fn explore<G: Playable>(
    game: G,
    args: &BookBuildArgs,
    positions: u32,
    path: &Path,
) -> Result<(Journal<G>, Book<G>), Failure> {
    let plan = Exploration {
        positions: positions as usize,
        nodes: args.nodes,
        margin: args.margin.into(),
        threads: args.concurrency.into(),
    };
    let (mut journal, known) = Journal::open(game, path, plan.nodes)?;
    if !known.is_empty() {
        note(&format!(
            "{}: {} searched before",
            path.display(),
            count(known.len() as u64, "position")
        ));
    }
    let (mut done, mut last_report, mut failure) = (known.len(), Instant::now(), None);
    let book = input::interruptible(|control| {
        Book::explore(game, &plan, &known, control, |position, scores| {
            done += 1;
            if last_report.elapsed() >= INTERVAL {
                last_report = Instant::now();
                note(&format!(
                    "{} of {} positions searched",
                    grouped(done as u64),
                    grouped(positions.into())
                ));
            }
            failure = journal.add(position, scores).err();
            failure.is_none()
        })
    });
    let book = book.map_err(|error| Failure::System(format!("no memory for a search: {error}")))?;
    match (failure, book) {
        (Some(error), _) => Err(error.into()),
        (None, Some(book)) => Ok((journal, book)),
        (None, None) => Err(interrupted(args)),
    }
}

fn interrupted(args: &BookBuildArgs) -> Failure {
    let next = match args.search {
        Some(_) => "run the same command again to continue",
        None => "no book is written",
    };
    Failure::Interrupted(format!("interrupted; {next}"))
}

/// `damka book add`.
pub(crate) fn add<G: Playable>(game: G, args: &BookAddArgs) -> Result<(), Failure> {
    let mut book = Book::open(game, &args.book)?;
    let all_read = add_files(&mut book, &args.games, args.plies)?;
    finish(&book, &args.book, all_read)
}

/// `damka book show`.
pub(crate) fn show<G: Playable>(game: G, args: &BookShowArgs) -> Result<(), Failure> {
    let book = input::book(game, &args.book)?;
    let counted = match args.fen.is_empty() {
        true => game.start().into(),
        false => input::position(game, &args.fen.join(" "))?,
    };
    let position = counted.position;
    let moves = book.moves(&position);
    let mut out = io::stdout().lock();
    if args.json {
        let moves = moves.iter().map(|BookMove { mv, weight, results }| {
            json!({
                "move": position.format_move(*mv), "coordinates": position.coordinates(*mv),
                "games": results.map(|results| results.games()),
                "wins": results.map(|results| results.wins),
                "draws": results.map(|results| results.draws),
                "losses": results.map(|results| results.losses),
                "weight": weight,
            })
        });
        let object = json::object(json!({
            "game": game.name(), "fen": counted.fen(), "positions": book.len(),
            "moves": moves.collect::<Vec<_>>(),
        }));
        return Ok(writeln!(out, "{object}")?);
    }
    let turn = position.turn();
    writeln!(out, "{}\n{turn} to move.", diagram(game, &position))?;
    let total: u64 = moves.iter().map(|book| book.weight).sum();
    let names = moves.iter().map(|book| position.format_move(book.mv));
    let names: Vec<String> = names.collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max("move".len());
    // A Polyglot book has weights only.
    let head: &[&str] = match moves.iter().any(|book| book.results.is_some()) {
        true => &["games", "won", "drawn", "lost", "chosen"],
        false => &["weight", "chosen"],
    };
    let head: String = head.iter().map(|word| format!("{word:>10}")).collect();
    match moves.is_empty() {
        true => writeln!(out, "\nThe book has no moves here.")?,
        false => writeln!(out, "\n{:width$}{head}", "move")?,
    }
    for (name, BookMove { weight, results, .. }) in names.iter().zip(&moves) {
        let counts = match results {
            Some(found) => {
                let (wins, draws, losses) = (found.wins, found.draws, found.losses);
                vec![found.games(), wins.into(), draws.into(), losses.into()]
            }
            None => vec![*weight],
        };
        let counts: String = counts.into_iter().map(|n| format!("{:>10}", grouped(n))).collect();
        let share = 100.0 * *weight as f64 / total.max(1) as f64;
        writeln!(out, "{name:width$}{counts}{share:>8.1} %")?;
    }
    writeln!(out, "\n{} in the book", count(book.len() as u64, "position"))?;
    Ok(())
}

/// Adds the games of files. Unreadable games are reported and left out. Returns whether all could be
/// read.
///
/// # Errors
/// A file cannot be read, or no file has a game.
fn add_files<G: Playable>(
    book: &mut Book<G>,
    paths: &[PathBuf],
    plies: usize,
) -> Result<bool, Failure> {
    let (mut all_read, mut total) = (true, 0);
    for path in paths {
        let (mut added, mut unfinished) = (0u64, 0);
        all_read &= read_games(book.game(), path, |record| match book.add(&record, plies) {
            true => added += 1,
            false => unfinished += 1,
        })?;
        total += added;
        note(&format!(
            "{}: {}, and {} without a result",
            path.display(),
            count(added, "game"),
            grouped(unfinished)
        ));
    }
    match total == 0 && !paths.is_empty() {
        true => {
            Err(Failure::Input("no game with a result was read: no book is written".to_owned()))
        }
        false => Ok(all_read),
    }
}

/// Adds games that the engine plays against itself.
///
/// # Errors
/// The games cannot be played, or were interrupted.
fn add_own_games<G: Contested>(
    book: &mut Book<G>,
    args: &BookBuildArgs,
    games: u64,
) -> Result<(), Failure> {
    let game = book.game();
    let tables = Arc::new(input::tables(game, &args.tables, &args.access)?);
    let endings = Arc::new(input::endings(&tables)?);
    let entrant = |name| Entrant::new(game, name, args.player.clone(), Some(Arc::clone(&endings)));
    let openings = match args.search {
        Some(_) => Openings::book(book.clone(), args.plies, args.seed),
        None => Openings::random(game, args.random, args.seed),
    };
    let planned = Match {
        entrants: [entrant("A")?, entrant("B")?],
        openings,
        pairs: games.div_ceil(2),
        seed: args.seed,
        concurrency: args.concurrency.into(),
        longest: LONGEST,
        tables: Some(Arc::clone(&tables)),
        sprt: None,
    };
    let mut last_report = Instant::now();
    let tally = input::interruptible(|control| {
        planned.run(control, |pair, tally| {
            let records = (!pair.is_identical).then(|| pair.records(["A", "B"]));
            for record in records.into_iter().flatten() {
                match args.search {
                    Some(_) => book.add_results(&record, args.plies),
                    None => book.add(&record, args.plies),
                };
            }
            if last_report.elapsed() >= INTERVAL {
                last_report = Instant::now();
                note(&format!("{} of {} games played", grouped(tally.played()), grouped(games)));
            }
            ControlFlow::Continue(())
        })
    })?;
    let identical = match tally.identical {
        0 => String::new(),
        identical => format!(", {} of them identical to earlier ones", grouped(identical)),
    };
    note(&format!("{} played{identical}", count(tally.played(), "game")));
    match tally.played() < games {
        true => Err(interrupted(args)),
        false => Ok(()),
    }
}

/// Writes the book, and prints the number of its positions.
fn finish<G: Playable>(book: &Book<G>, path: &Path, all_read: bool) -> Result<(), Failure> {
    book.save(path)?;
    let positions = count(book.len() as u64, "position");
    let path = printable(&path.display().to_string());
    writeln!(io::stdout().lock(), "{path}: {positions}")?;
    match all_read {
        true => Ok(()),
        false => Err(Failure::No),
    }
}
