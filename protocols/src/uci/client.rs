use super::options::CHESS960;
use super::{NO_MOVE, Notation};
use crate::fault::Fault;
use crate::process::Process;
use damka_engine::{Control, History, Playable, Score, TimeControl};
use damka_games::{Position, excerpt};
use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

/// How long to wait for `uciok`.
const GREETING: Duration = Duration::from_secs(10);

/// How long to wait for `readyok`: the engine may have tables to load.
const START: Duration = Duration::from_secs(60);

/// Another engine that plays `G`, driven by UCI.
#[derive(Debug)]
pub struct Client<G> {
    process: Process,
    /// Whether the engine plays Chess960.
    has_chess960: bool,
    /// The notation of moves that was last set in the engine.
    notation: Notation,
    game: PhantomData<G>,
}

/// The move of an engine and its score.
#[derive(Debug)]
pub struct ScoredMove<G: Playable> {
    /// The move.
    pub mv: G::Move,
    /// The score from the engine's viewpoint; a draw if the engine reports none.
    pub score: Score,
    /// The depth of the search, in plies; 0 if the engine reports none.
    pub depth: u16,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// The maximum depth, in plies.
    pub depth: Option<u16>,
    /// The maximum number of positions.
    pub nodes: Option<u64>,
    /// The time for the move.
    pub move_time: Option<Duration>,
    /// The game clock. The same time is sent for the opponent's clock.
    pub clock: Option<TimeControl>,
}

/// The options to set in an engine, by name.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Those that many engines have; left out if this one does not.
    pub usual: Vec<(&'static str, String)>,
    /// Those that the engine must have. They are set after the usual ones.
    pub required: Vec<(String, String)>,
}

impl<G: Playable> Client<G> {
    /// Starts an engine, and sets `options`: `command` is a program with its arguments.
    ///
    /// # Errors
    /// The engine does not start, does not answer, or lacks a required option.
    pub fn start(command: &str, options: &Options, control: &Control) -> Result<Client<G>, Fault> {
        let mut client = Client {
            process: Process::start(command)?,
            has_chess960: false,
            notation: Notation::Standard,
            game: PhantomData,
        };
        client.process.say("uci")?;
        let mut known = Vec::new();
        client.read_until("uciok", Instant::now() + GREETING, control, |line| {
            let rest = line.strip_prefix("option name ");
            known.extend(rest.and_then(|rest| rest.split(" type ").next()).map(str::to_owned));
        })?;
        let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        if let Some((name, _)) = options.required.iter().find(|(name, _)| !is_known(name)) {
            return Err(Fault::NoOption(name.clone()));
        }
        let usual = options.usual.iter().map(|(name, value)| (*name, value));
        let required = options.required.iter().map(|(name, value)| (&**name, value));
        for (name, value) in usual.filter(|(name, _)| is_known(name)).chain(required) {
            client.process.say(&format!("setoption name {name} value {value}"))?;
        }
        client.has_chess960 = is_known(CHESS960);
        client.wait(control)?;
        Ok(client)
    }

    /// Announces a new game, and waits until the engine is ready.
    ///
    /// # Errors
    /// The engine does not answer, or has ended.
    pub fn begin(&mut self, control: &Control) -> Result<(), Fault> {
        if self.process.skip() {
            return Err(Fault::Gone);
        }
        self.process.say("ucinewgame")?;
        self.wait(control)
    }

    /// Lets the engine search the current position of a game, and waits at most `patience` for its
    /// move.
    ///
    /// # Errors
    /// The engine does not answer in time, the answer is not a legal move, or the game is Chess960 and
    /// the engine does not support Chess960.
    pub fn think(
        &mut self,
        game: &History<G>,
        limits: &SearchLimits,
        patience: Duration,
        control: &Control,
    ) -> Result<ScoredMove<G>, Fault> {
        self.process.skip();
        let (start, position) = (game.start(), game.position());
        self.set_notation(start.position.setup().is_chess960())?;
        let mut line = match start == position.game().start().into() {
            true => "position startpos".to_owned(),
            false => format!("position fen {}", start.fen()),
        };
        line += if game.moves().is_empty() { "" } else { " moves" };
        for (before, &mv) in game.positions().zip(game.moves()) {
            line += &format!(" {}", self.notation.format(before, mv));
        }
        self.process.say(&line)?;
        self.process.say(&limits.to_string())?;
        let (mut score, mut depth, mut best_move) = (Score::DRAW, 0, None);
        self.read_until("bestmove", Instant::now() + patience, control, |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => best_move = words.next().map(str::to_owned),
                // With MultiPV the first variation is the best.
                Some("info") if value(line, "multipv").is_none_or(|number| number == "1") => {
                    score = parse_score(line).unwrap_or(score);
                    let found = value(line, "depth").and_then(|found| found.parse().ok());
                    depth = found.unwrap_or(depth);
                }
                _ => {}
            }
        })?;
        let no_move = |word: &String| word != NO_MOVE && word != "(none)";
        let Some(best_move) = best_move.filter(no_move) else {
            return Err(Fault::Nonsense("`bestmove` without a move".to_owned()));
        };
        let mv =
            position.parse_move(&best_move).map_err(|_| Fault::IllegalMove(excerpt(&best_move)))?;
        Ok(ScoredMove { mv, score, depth })
    }

    /// Tells the engine whether the game is Chess960, if that has changed.
    fn set_notation(&mut self, is_chess960: bool) -> Result<(), Fault> {
        let notation = if is_chess960 { Notation::Chess960 } else { Notation::Standard };
        if notation == self.notation {
            return Ok(());
        }
        if !self.has_chess960 {
            return Err(Fault::OtherGame("Chess960".to_owned()));
        }
        self.notation = notation;
        self.process.say(&format!("setoption name {CHESS960} value {is_chess960}"))
    }

    /// Waits until the engine is ready.
    fn wait(&mut self, control: &Control) -> Result<(), Fault> {
        self.process.say("isready")?;
        self.read_until("readyok", Instant::now() + START, control, |_| ())
    }

    /// Calls `handle` with each line up to and including the one that begins with the word `last`.
    fn read_until(
        &mut self,
        last: &str,
        deadline: Instant,
        control: &Control,
        mut handle: impl FnMut(&str),
    ) -> Result<(), Fault> {
        loop {
            let line = self.process.line(deadline, control)?;
            handle(line.trim());
            if line.split_whitespace().next() == Some(last) {
                return Ok(());
            }
        }
    }
}

/// The word after `name`. The words after `string` and `pv` are not searched.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace().take_while(|&word| word != "string" && word != "pv");
    words.find(|&word| word == name)?;
    words.next()
}

/// The score in a line: `score cp -20`, or `score mate 3` in moves.
fn parse_score(line: &str) -> Option<Score> {
    let number: i32 = value(line, value(line, "score")?)?.parse().ok()?;
    let plies = |moves: i32| u16::try_from(moves.unsigned_abs().saturating_mul(2)).ok();
    match value(line, "score")? {
        "cp" => Some(Score::evaluation(number)),
        "mate" if number > 0 => Some(Score::decided(plies(number)?.saturating_sub(1))),
        "mate" => Some(Score::decided(plies(number)? & !1)),
        _ => None,
    }
}

impl fmt::Display for SearchLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(TimeControl { left, increment, moves }) = self.clock {
            let (left, increment) = (left.as_millis(), increment.as_millis());
            write!(f, " wtime {left} btime {left} winc {increment} binc {increment}")?;
            moves.map_or(Ok(()), |moves| write!(f, " movestogo {moves}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_lines() {
        let line = |score| format!("info depth 9 seldepth 12 score {score} nodes 5 pv score cp 7");
        for (score, found) in [
            ("cp -20", Some(Score::evaluation(-20))),
            ("cp 35 lowerbound", Some(Score::evaluation(35))),
            ("mate 1", Some(Score::decided(1))),
            ("mate 3", Some(Score::decided(5))),
            ("mate -2", Some(Score::decided(4))),
            ("mate 0", Some(Score::decided(0))),
            ("mate", None),
            ("wdl 1 2 3", None),
        ] {
            assert_eq!(parse_score(&line(score)), found, "{score}");
        }
        assert_eq!(parse_score("info string score cp 100"), None);
        assert_eq!(value(&line("cp 1"), "depth"), Some("9"));
    }

    #[test]
    fn a_pace_is_written_as_go() {
        let [left, increment] = [61_000, 500].map(Duration::from_millis);
        let clock = Some(TimeControl { left, increment, moves: None });
        let limits =
            SearchLimits { depth: Some(9), nodes: Some(5), move_time: Some(increment), clock };
        assert_eq!(
            limits.to_string(),
            "go depth 9 nodes 5 movetime 500 wtime 61000 btime 61000 winc 500 binc 500"
        );
    }
}
