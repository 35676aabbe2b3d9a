//! `damka match`: games between two settings of the engine, or other engines.

mod games;
mod openings;
mod round_robin;
mod tally;

use super::input;
use crate::args::MatchArgs;
use crate::failure::Failure;
use crate::signals::stop_on_signal;
use crate::words::{count, note};
use damka_matches::{
    Contested, Entrant, EntrantSettings, Match, Opponent, Reason, Sprt, Standings, Tally,
};
use damka_system::check_memory;
use games::Games;
use openings::openings;
use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The error probabilities of the sequential test.
const ERRORS: [f64; 2] = [0.05, 0.05];

/// The interval of progress lines.
const INTERVAL: Duration = Duration::from_secs(2);

/// `damka match`.
pub(crate) fn matches<G: Contested>(game: G, args: &MatchArgs) -> Result<(), Failure> {
    let players = args.players();
    check(args, &players)?;
    let tables = Arc::new(input::tables(game, &args.tables, &args.access)?);
    let sprt = match args.sprt[..] {
        [] => None,
        [elo0, elo1] => {
            let sprt = Sprt::new(elo0, elo1, ERRORS[0], ERRORS[1]);
            Some(sprt.map_err(|error| Failure::Input(format!("--sprt: {error}")))?)
        }
        _ => return Err(Failure::Input("--sprt: expected two numbers, such as 0,5".to_owned())),
    };
    let endings = Arc::new(input::endings(&tables)?);
    let mut games = match &args.pdn {
        Some(path) => Some(Games::open(game, path, &args.openings)?),
        None => None,
    };
    let every_two = (0..players.len())
        .flat_map(|first| (first + 1..players.len()).map(move |second| [first, second]));
    // Errors in any player's settings are reported before the first game.
    let mut schedule: Vec<([usize; 2], Match<G>)> = Vec::new();
    for pairing in every_two {
        let entrant = |player: usize| {
            let (name, setup) = players[player];
            Entrant::new(game, name, setup.clone(), Some(Arc::clone(&endings)))
        };
        let planned = Match {
            entrants: [entrant(pairing[0])?, entrant(pairing[1])?],
            openings: openings(game, args, schedule.is_empty())?,
            pairs: args.games.div_ceil(2),
            seed: args.seed,
            concurrency: args.concurrency.into(),
            longest: args.longest as usize,
            tables: (!args.play_on).then(|| Arc::clone(&tables)),
            sprt,
        };
        schedule.push((pairing, planned));
    }
    let mut standings = Standings::new(players.len());
    let mut repeated_openings = 0;
    for (pairing, planned) in &schedule {
        let tally = one_match(planned, games.as_mut(), &mut repeated_openings)?;
        standings.add(*pairing, tally);
        if stop_on_signal().is_requested() {
            break;
        }
    }
    input::tell_table_errors(endings.take_errors());
    let all = || standings.pairings().iter().map(|pairing| pairing.tally);
    let played: u64 = all().map(|tally| tally.played()).sum();
    if repeated_openings > 0 {
        note(&format!(
            "there are too few openings: {} of {} began with one that had been played",
            repeated_openings,
            count(played / 2, "pair")
        ));
    }
    if let Some((games, path)) = games.as_ref().zip(args.pdn.as_deref())
        && games.repeated() > 0
    {
        let (repeated, path) = (count(games.repeated(), "game"), path.display());
        note(&format!("{path}: {repeated} were in the file before; another --seed gives others"));
    }
    let names: Vec<&str> = players.iter().map(|&(name, _)| name).collect();
    let answer = match (players.len(), args.json) {
        (2, true) => format!("{}\n", tally::object(&standings.pairings()[0].tally, sprt)),
        (2, false) => tally::text([names[0], names[1]], &standings.pairings()[0].tally, sprt),
        (_, true) => format!("{}\n", round_robin::object(&names, &standings)),
        (_, false) => round_robin::text(&names, &standings),
    };
    io::stdout().lock().write_all(answer.as_bytes())?;
    match stop_on_signal().is_requested() {
        true => Err(Failure::Interrupted(format!(
            "interrupted: {played} of {} games played",
            2 * args.games.div_ceil(2) * schedule.len() as u64
        ))),
        false => Ok(()),
    }
}

/// Checks the settings of the players together.
fn check(args: &MatchArgs, players: &[Player<'_>]) -> Result<(), Failure> {
    let mut names = HashSet::new();
    if let Some((name, _)) = players.iter().find(|(name, _)| !names.insert(name)) {
        return Err(Failure::Input(format!("two players are called {name}: set name= of each")));
    }
    let is_dxp = |&(_, setup): &Player<'_>| matches!(setup.opponent, Opponent::Dxp(_));
    if args.concurrency > 1 && players.iter().any(is_dxp) {
        let message = "--concurrency: a program that plays by DXP plays one game at a time";
        return Err(Failure::Input(message.to_owned()));
    }
    // Each game played at the same time has its own players.
    let mut memory: Vec<u64> = players.iter().map(|(_, setup)| setup.memory as u64).collect();
    memory.sort_unstable_by(|left, right| right.cmp(left));
    let memory = memory[..2].iter().sum::<u64>() * u64::from(args.concurrency);
    check_memory(memory).map_err(|error| {
        Failure::Input(format!("{error}; memory= of each player sets how much it takes"))
    })
}

/// A player's name and settings.
type Player<'a> = (&'a str, &'a EntrantSettings);

/// Plays the match of two players, prints progress, and writes the games.
fn one_match<G: Contested>(
    planned: &Match<G>,
    mut games: Option<&mut Games<'_>>,
    repeated_openings: &mut u64,
) -> Result<Tally, Failure> {
    let (mut last_report, mut has_forfeited) = (Instant::now(), [false; 2]);
    let mut failure = None;
    let names = planned.entrants.each_ref().map(|entrant| entrant.name.as_str());
    let tally = input::interruptible(|control| {
        planned.run(control, |pair, tally| {
            if last_report.elapsed() >= INTERVAL {
                last_report = Instant::now();
                // Errors are ignored: standard error may be closed.
                let _ = writeln!(io::stderr(), "{}", tally::line(names, tally, planned.sprt));
            }
            *repeated_openings += u64::from(pair.repeats_opening);
            for (loser, reason) in pair.forfeits() {
                // Only a player's first forfeit is reported; the result contains the number of forfeits.
                if !std::mem::replace(&mut has_forfeited[loser], true) {
                    note_forfeit(names[loser], reason);
                }
            }
            let games = games.as_mut().filter(|_| !pair.is_identical);
            let written = games.map_or(Ok(()), |games| games.write(pair, names));
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        })
    });
    match failure {
        Some(failure) => Err(failure),
        None => Ok(tally?),
    }
}

/// Prints why a player forfeits a game: a program that fails must not look like a weak player.
fn note_forfeit(name: &str, reason: &Reason) {
    note(&match reason {
        Reason::Fault(fault) => format!("{name} forfeits a game: the program {fault}"),
        reason => format!("{name} forfeits a game: {reason}"),
    });
}
