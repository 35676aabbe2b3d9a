use super::command::SearchLimits;
use super::line::{Line, quoted};
use super::notation::{LETTERS, format_move, parse_move};
use crate::board::NumberedMove;
use crate::fault::Fault;
use crate::numbering::Numbering;
use crate::process::Process;
use damka_engine::{Control, Score};
use damka_games::draughts::{Move, Position};
use damka_games::{Draughts, Game, Position as _, excerpt};
use std::time::{Duration, Instant};

/// How long to wait for `wait`, the engine's answer to `hub`.
const GREETING: Duration = Duration::from_secs(10);

/// How long to wait for `ready`, the answer to `init`: the engine may have tables to load.
const START: Duration = Duration::from_secs(60);

/// Another engine, driven by Hub.
#[derive(Debug)]
pub struct Client {
    process: Process,
    numbering: Numbering,
}

/// The move of an engine and its score.
#[derive(Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: NumberedMove,
    /// The score from the engine's viewpoint; a draw if the engine reports none.
    pub score: Score,
    /// The depth of the search, in plies; 0 if the engine reports none.
    pub depth: u16,
}

impl Client {
    /// Starts an engine for games of `variant`. `command` is a program with its arguments.
    ///
    /// # Errors
    /// The engine does not start, does not answer, or does not play this game.
    pub fn start(command: &str, variant: Draughts, control: &Control) -> Result<Client, Fault> {
        let numbering = Numbering::of_hub(variant);
        let variant = variant.name();
        let mut client = Client { process: Process::start(command)?, numbering };
        client.process.say("hub")?;
        let deadline = Instant::now() + GREETING;
        let mut has_variants = false;
        client.read_until("wait", deadline, control, |line| {
            if line.command != "param" || line.get("name") != Some("variant") {
                return Ok(());
            }
            has_variants = true;
            let all = line.get("values").unwrap_or_default();
            match all.split_whitespace().any(|name| name == variant) || all.is_empty() {
                true => Ok(()),
                false => Err(Fault::OtherGame(format!("{variant}, only {}", excerpt(all)))),
            }
        })?;
        // An engine without this parameter has only one game, presumably this one.
        if has_variants {
            client.process.say(&format!("set-param name=variant value={}", quoted(variant)))?;
        }
        client.process.say("init")?;
        client.read_until("ready", Instant::now() + START, control, |_| Ok(()))?;
        Ok(client)
    }

    /// Announces a new game; false if the engine has ended.
    pub fn begin(&mut self) -> bool {
        !self.process.skip() && self.process.say("new-game").is_ok()
    }

    /// Lets the engine search a position, and waits at most `patience` for its move.
    ///
    /// # Errors
    /// The engine does not answer in time, or the answer is not understood.
    pub fn think(
        &mut self,
        start: &Position,
        moves: &[Move],
        limits: &SearchLimits,
        patience: Duration,
        control: &Control,
    ) -> Result<ScoredMove, Fault> {
        self.process.skip();
        let mut position = format!("pos pos={}", LETTERS.format(start));
        if !moves.is_empty() {
            let moves: Vec<String> =
                moves.iter().map(|&mv| format_move(start.game(), mv, self.numbering)).collect();
            position += &format!(" moves={}", quoted(&moves.join(" ")));
        }
        for line in [&position, &limits.to_string(), "go think"] {
            self.process.say(line)?;
        }
        let deadline = Instant::now() + patience;
        let (mut score, mut depth, mut mv) = (Score::DRAW, 0, None);
        let numbering = self.numbering;
        self.read_until("done", deadline, control, |line| {
            if let Some(men) = line.get("score").and_then(|text| text.parse::<f64>().ok()) {
                score = Score::evaluation((men * 100.0).round() as i32);
            }
            if let Some(found) = line.get("depth").and_then(|text| text.parse().ok()) {
                depth = found;
            }
            mv = line.get("move").map(|text| parse_move(text, numbering));
            Ok(())
        })?;
        match mv {
            Some(Ok(mv)) => Ok(ScoredMove { mv, score, depth }),
            Some(Err(error)) => Err(Fault::Nonsense(error.to_string())),
            None => Err(Fault::Nonsense("`done` without a move".to_owned())),
        }
    }

    /// Calls `handle` with each line up to and including the one with the command `last`.
    fn read_until(
        &mut self,
        last: &str,
        deadline: Instant,
        control: &Control,
        mut handle: impl FnMut(&Line<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        loop {
            let text = self.process.line(deadline, control)?;
            // Engines also write text for people.
            let Ok(line) = Line::parse(&text) else { continue };
            if line.command == "error" {
                let message = line.get("message").unwrap_or(&text);
                return Err(Fault::Complaint(excerpt(message)));
            }
            handle(&line)?;
            if line.command == last {
                return Ok(());
            }
        }
    }
}
