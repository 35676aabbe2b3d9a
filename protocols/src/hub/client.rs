use super::command::Level;
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

/// How long an engine may take to say what it is.
const GREETING: Duration = Duration::from_secs(10);

/// How long it may take then to begin: it may have tables to load.
const START: Duration = Duration::from_secs(60);

/// Another engine, which we drive.
#[derive(Debug)]
pub struct Client {
    process: Process,
    numbering: Numbering,
}

/// What an engine plays, and what it thinks of it.
#[derive(Debug)]
pub struct Answer {
    /// Its move.
    pub mv: NumberedMove,
    /// What the move is worth to the engine, as far as it says so.
    pub score: Score,
    /// How deep it has searched, in plies; 0 if it does not say.
    pub depth: u16,
}

impl Client {
    /// Starts an engine, a program with its arguments, and has it play `variant`.
    ///
    /// # Errors
    /// It does not start, does not answer, or does not play this game.
    pub fn start(command: &str, variant: Draughts, control: &Control) -> Result<Client, Fault> {
        let numbering = Numbering::of_hub(variant);
        let variant = variant.name();
        let mut client = Client { process: Process::start(command)?, numbering };
        client.process.say("hub")?;
        let deadline = Instant::now() + GREETING;
        let mut has_variants = false;
        client.hear("wait", deadline, control, |line| {
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
        // An engine without this parameter plays one game only: we must trust the user.
        if has_variants {
            client.process.say(&format!("set-param name=variant value={}", quoted(variant)))?;
        }
        client.process.say("init")?;
        client.hear("ready", Instant::now() + START, control, |_| Ok(()))?;
        Ok(client)
    }

    /// Tells it that another game begins; `false` if it has ended.
    pub fn begin(&mut self) -> bool {
        !self.process.skip() && self.process.say("new-game").is_ok()
    }

    /// Has it search a position, and waits so long for its move.
    ///
    /// # Errors
    /// It does not answer in time, or with nonsense.
    pub fn think(
        &mut self,
        start: &Position,
        moves: &[Move],
        level: &Level,
        patience: Duration,
        control: &Control,
    ) -> Result<Answer, Fault> {
        self.process.skip();
        let mut position = format!("pos pos={}", LETTERS.format(start));
        if !moves.is_empty() {
            let moves: Vec<String> =
                moves.iter().map(|&mv| format_move(start.game(), mv, self.numbering)).collect();
            position += &format!(" moves={}", quoted(&moves.join(" ")));
        }
        for line in [&position, &level.to_string(), "go think"] {
            self.process.say(line)?;
        }
        let deadline = Instant::now() + patience;
        let (mut score, mut depth, mut mv) = (Score::DRAW, 0, None);
        let numbering = self.numbering;
        self.hear("done", deadline, control, |line| {
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
            Some(Ok(mv)) => Ok(Answer { mv, score, depth }),
            Some(Err(error)) => Err(Fault::Senseless(error.to_string())),
            None => Err(Fault::Senseless("`done` without a move".to_owned())),
        }
    }

    /// Hands the engine's lines on until the one that has the command `last`, that one
    /// included.
    fn hear(
        &mut self,
        last: &str,
        deadline: Instant,
        control: &Control,
        mut heed: impl FnMut(&Line<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        loop {
            let text = self.process.line(deadline, control)?;
            // Engines also write what is meant for people.
            let Ok(line) = Line::parse(&text) else { continue };
            if line.command == "error" {
                let message = line.get("message").unwrap_or(&text);
                return Err(Fault::Complaint(excerpt(message)));
            }
            heed(&line)?;
            if line.command == last {
                return Ok(());
            }
        }
    }
}
