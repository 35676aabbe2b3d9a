use super::{input, round_robin};
use crate::args::MatchArgs;
use crate::failure::Failure;
use crate::json;
use crate::signals::stop_on_signal;
use crate::words::{count, note};
use damka_engine::Playable;
use damka_games::excerpt;
use damka_matches::{
    Contested, Elo, Entrant, EntrantSettings, Match, Openings, Opponent, Pair, Reason, Sprt,
    Standings, Tally, Verdict,
};
use damka_records as records;
use damka_system::{check_memory, read_whole};
use damka_tables::Signature;
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The errors of the sequential test.
const ERRORS: [f64; 2] = [0.05, 0.05];

/// How often progress is told.
const INTERVAL: Duration = Duration::from_secs(2);

/// `damka match`.
pub(crate) fn matches<G: Contested>(game: G, args: &MatchArgs) -> Result<(), Failure> {
    let players = args.players();
    let is_dxp = |&(_, setup): &Player<'_>| matches!(setup.opponent, Opponent::Dxp(_));
    if args.concurrency > 1 && players.iter().any(is_dxp) {
        let message = "--concurrency: a program that plays by DXP plays one game at a time";
        return Err(Failure::Input(message.to_owned()));
    }
    // Each game that is played at the same time has players of its own.
    let mut memory: Vec<u64> = players.iter().map(|(_, setup)| setup.memory as u64).collect();
    memory.sort_unstable_by(|left, right| right.cmp(left));
    let memory = memory[..2].iter().sum::<u64>() * u64::from(args.concurrency);
    check_memory(memory).map_err(|error| {
        Failure::Input(format!("{error}; memory= of each player sets how much it takes"))
    })?;
    let tables = Arc::new(input::tables(game, &args.tables, &args.access)?);
    let sprt = match args.sprt[..] {
        [] => None,
        [elo0, elo1] => {
            let sprt = Sprt::new(elo0, elo1, ERRORS[0], ERRORS[1]);
            Some(sprt.map_err(|error| Failure::Input(format!("--sprt: {error}")))?)
        }
        _ => return Err(Failure::Input("--sprt: two numbers expected, as in 0,5".to_owned())),
    };
    let endings = Arc::new(input::endings(&tables)?);
    let mut games = match &args.pdn {
        Some(path) => Some(Games::open(game, path, &args.openings)?),
        None => None,
    };
    let mut standings = Standings::new(players.len());
    let mut repeated_openings = 0;
    let every_two = (0..players.len())
        .flat_map(|first| (first + 1..players.len()).map(move |second| [first, second]));
    let every_two: Vec<_> = every_two.collect();
    // Mistakes in any player are told before the first game.
    let mut planned = Vec::with_capacity(every_two.len());
    for pairing in &every_two {
        let entrant = |player: usize| {
            let (name, setup) = players[player];
            Entrant::new(game, name, setup.clone(), Some(Arc::clone(&endings)))
        };
        planned.push(Match {
            entrants: [entrant(pairing[0])?, entrant(pairing[1])?],
            openings: openings(game, args, planned.is_empty())?,
            pairs: args.games.div_ceil(2),
            seed: args.seed,
            concurrency: args.concurrency.into(),
            longest: args.longest as usize,
            tables: (!args.play_on).then(|| Arc::clone(&tables)),
            sprt,
        });
    }
    for (planned, pairing) in planned.iter().zip(&every_two) {
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
    let mut out = io::stdout().lock();
    let names: Vec<&str> = players.iter().map(|&(name, _)| name).collect();
    let answer = match (players.len(), args.json) {
        (2, true) => format!("{}\n", object(&standings.pairings()[0].tally, sprt)),
        (2, false) => text(&standings.pairings()[0].tally, sprt),
        (_, true) => format!("{}\n", round_robin::object(&names, &standings)),
        (_, false) => round_robin::text(&names, &standings),
    };
    out.write_all(answer.as_bytes())?;
    match stop_on_signal().is_requested() {
        true => Err(Failure::Interrupted(format!(
            "interrupted: {played} of {} games played",
            2 * args.games.div_ceil(2) * every_two.len() as u64
        ))),
        false => Ok(()),
    }
}

/// A player's name and settings.
type Player<'a> = (&'static str, &'a EntrantSettings);

/// Plays the match of two players, tells its progress, and writes its games.
fn one_match<G: Contested>(
    planned: &Match<G>,
    mut games: Option<&mut Games<'_>>,
    repeated_openings: &mut u64,
) -> Result<Tally, Failure> {
    let (mut told, mut has_forfeited) = (Instant::now(), [false; 2]);
    let mut failure = None;
    let names = planned.entrants.each_ref().map(|entrant| entrant.name.as_str());
    let tally = input::interruptible(|control| {
        planned.run(control, |pair, tally| {
            if told.elapsed() >= INTERVAL {
                told = Instant::now();
                // Errors are ignored: standard error may be closed.
                let _ = writeln!(io::stderr(), "{}", line(names, tally, planned.sprt));
            }
            *repeated_openings += u64::from(pair.repeats_opening);
            for (loser, reason) in pair.forfeits() {
                // One tells what is wrong; the result has their number.
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

/// Notes why a player forfeits a game: a program that fails must not look like a weak one.
fn note_forfeit(name: &str, reason: &Reason) {
    note(&match reason {
        Reason::Fault(fault) => format!("{name} forfeits a game: the program {fault}"),
        reason => format!("{name} forfeits a game: {reason}"),
    });
}

/// The file that takes the games.
struct Games<'a> {
    path: &'a Path,
    file: File,
    /// What comes between the games before and the next.
    gap: &'static str,
}

impl<'a> Games<'a> {
    /// Opens the file, behind the games that it holds. To a file with something else nothing
    /// is added.
    fn open<G: Playable>(game: G, path: &'a Path, openings: &str) -> Result<Games<'a>, Failure> {
        let bytes = match read_whole(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read.map_err(|error| input::cannot_write(path, &error)),
        }?;
        let holds_games =
            records::read(game, &records::decode(&bytes)).next().is_none_or(|game| game.is_ok());
        let is_needed = fs::canonicalize(openings)
            .is_ok_and(|openings| fs::canonicalize(path).is_ok_and(|path| path == openings));
        if !holds_games || is_needed {
            return Err(Failure::Input(format!(
                "--pdn {}: {}, and is not changed: choose another file",
                path.display(),
                if is_needed { "it has the openings" } else { "it holds no games of this kind" },
            )));
        }
        let file = File::options().append(true).create(true).open(path);
        let file = file.map_err(|error| input::cannot_write(path, &error))?;
        let gap = match bytes.last() {
            None => "",
            Some(b'\n') => "\n",
            Some(_) => "\n\n",
        };
        Ok(Games { path, file, gap })
    }

    /// Writes both games at once: what is in the file can be read at any time.
    fn write<G: Playable>(&mut self, pair: &Pair<G>, names: [&str; 2]) -> Result<(), Failure> {
        let [first, second] = pair.records(names);
        let gap = std::mem::replace(&mut self.gap, "\n");
        let text = format!("{gap}{first}\n{second}");
        let failed = |error| input::cannot_write(self.path, &error);
        let len = self.file.metadata().map_err(failed)?.len();
        self.file.write_all(text.as_bytes()).map_err(|error| {
            // Half a game would make the file unreadable.
            let _ = self.file.set_len(len);
            failed(error)
        })
    }
}

/// The openings that were asked for. If told, those that are left out are noted.
fn openings<G: Playable>(
    game: G,
    args: &MatchArgs,
    tells_duplicates: bool,
) -> Result<Openings<G>, Failure> {
    let bad = |expected: &str| {
        Failure::Input(format!("--openings {}: {expected} expected", excerpt(&args.openings)))
    };
    if let Some(choice) = &args.book {
        let book = input::book(game, choice)?;
        return match book.is_empty() {
            true => Err(Failure::Input("--book: the book is empty".to_owned())),
            false => Ok(Openings::book(book, args.plies.unwrap_or(usize::MAX), args.seed)),
        };
    }
    if args.openings == "chess960" {
        return Openings::chess960(game, args.seed).map_err(|_| {
            Failure::Input("--openings chess960: these are positions of chess".to_owned())
        });
    }
    if let Some(plies) = args.openings.strip_prefix("random:") {
        let plies = plies.parse().ok().filter(|&plies| plies <= 40);
        return Ok(Openings::random(
            game,
            plies.ok_or_else(|| bad("at most 40 plies"))?,
            args.seed,
        ));
    }
    if let Some(pieces) = args.openings.strip_prefix("endings:") {
        let (start, _) = Signature::<G>::of(&game.start());
        let pieces = range(pieces).filter(|pieces| *pieces.end() <= start.pieces());
        let pieces = pieces.ok_or_else(|| bad("numbers of pieces, as in 8-10,"))?;
        return Ok(Openings::endings(game, pieces, args.seed));
    }
    let path = Path::new(&args.openings);
    let bytes = read_whole(path).map_err(|error| {
        Failure::Input(format!(
            "--openings {}: {error}; a file, random:PLIES, endings:FROM-TO or chess960 expected",
            path.display()
        ))
    })?;
    let text = records::decode(&bytes);
    let is = |name| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(name));
    let openings = match is("pdn") || is("pgn") {
        true => Openings::from_games(game, &text, args.plies),
        false => Openings::from_fens(game, &text),
    };
    let openings =
        openings.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    if tells_duplicates && openings.duplicates() > 0 {
        let left_out = count(openings.duplicates() as u64, "opening");
        note(&format!("{}: {left_out} left out: an earlier one is the same", path.display()));
    }
    Ok(openings)
}

/// `8-10` or `8`.
fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let range = from.parse().ok()?..=to.parse().ok()?;
    (*range.start() >= 2 && !range.is_empty()).then_some(range)
}

/// The result so far, in a line.
fn line(names: [&str; 2], tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally { wins, draws, losses, .. } = tally;
    let [first, second] = names;
    let mut line =
        format!("{first}-{second}{:>6} games: +{wins} ={draws} -{losses}", tally.games());
    if tally.identical > 0 {
        line += &format!(", {} identical", tally.identical);
    }
    if let Some(elo) = elo_text(tally) {
        line += &format!(", Elo {elo}");
    }
    if let Some(sprt) = sprt {
        let [low, high] = sprt.bounds();
        line += &format!(", LLR {:.2} ({low:.2} to {high:.2})", sprt.ratio(tally));
    }
    line
}

/// The difference of a match.
fn elo_text(tally: &Tally) -> Option<String> {
    tally.elo().as_ref().map(with_bars)
}

/// A difference with its error bars: `+12.3 (-4.5 to +29.1)`.
pub(super) fn with_bars(elo: &Elo) -> String {
    let [low, high] = elo.interval;
    format!("{:+.1} ({low:+.1} to {high:+.1})", elo.difference)
}

fn text(tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally { wins, draws, losses, pairs, identical, forfeits } = tally;
    let mut text =
        format!("games        {}: A has won {wins}, drawn {draws}, lost {losses}\n", tally.games());
    if *identical > 0 {
        text +=
            &format!("identical    {identical} more, not counted: earlier pairs had these games\n");
    }
    if let [a, b] = *forfeits
        && a + b > 0
    {
        text += &format!("forfeits     A: {a}, B: {b}, of the games lost\n");
    }
    let [none, half, one, more, two] = pairs;
    text += &format!("pairs        0: {none}, 1/2: {half}, 1: {one}, 3/2: {more}, 2: {two}\n");
    if let Some(score) = tally.score() {
        text += &format!("score        {:.1} %\n", score * 100.0);
    }
    if let Some(elo) = elo_text(tally) {
        text += &format!("Elo          {elo}\n");
    }
    if let Some(sure) = tally.superiority() {
        text += &format!("superiority  {:.1} %\n", sure * 100.0);
    }
    if let Some(sprt) = sprt {
        let [low, high] = sprt.bounds();
        let verdict = match sprt.verdict(tally) {
            None => "undecided",
            Some(Verdict::Accepted) => "H1: A is stronger by the greater difference",
            Some(Verdict::Rejected) => "H0: A is stronger by no more than the smaller difference",
        };
        let ratio = sprt.ratio(tally);
        text += &format!("SPRT         {ratio:.2} ({low:.2} to {high:.2}): {verdict}\n");
    }
    text
}

/// The result of a match, as an object of JSON.
pub(super) fn result(tally: &Tally) -> serde_json::Value {
    let elo = tally.elo();
    // What is infinite is null.
    json!({
        "games": tally.games(), "wins": tally.wins, "draws": tally.draws,
        "losses": tally.losses, "pairs": tally.pairs, "identical": tally.identical,
        "forfeits": tally.forfeits,
        "elo": elo.map(|elo| elo.difference),
        "elo_low": elo.map(|elo| elo.interval[0]),
        "elo_high": elo.map(|elo| elo.interval[1]),
        "superiority": tally.superiority(),
    })
}

fn object(tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut object = result(tally);
    if let Some(sprt) = sprt {
        let [low, high] = sprt.bounds();
        object["llr"] = sprt.ratio(tally).into();
        object["llr_low"] = low.into();
        object["llr_high"] = high.into();
        object["verdict"] = match sprt.verdict(tally) {
            None => serde_json::Value::Null,
            Some(Verdict::Rejected) => "H0".into(),
            Some(Verdict::Accepted) => "H1".into(),
        };
    }
    json::object(object)
}
