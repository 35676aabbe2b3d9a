use super::board::diagram;
use super::input::{self, AnswerLine, Positions};
use super::missing::Supply;
use super::notation::numbered;
use super::picture;
use crate::args::{LineArgs, ProbeArgs};
use crate::failure::Failure;
use crate::words::{self, note, quoted, tables_option};
use damka::{Answer, AnswerMove, AnyGame, AnyTables, AskError, DtwStatus, Metric, ProbeError, Wdl};
use damka_games::{Color, Position, with_game};
use std::io::{self, Write};
use std::path::PathBuf;

/// The answer of tables about a position, and what is shown with it.
struct Reply {
    answer: Answer,
    turn: Color,
    /// The result in words.
    result: String,
    game: AnyGame,
    /// Best play with its moves numbered, if there is any.
    line: Option<String>,
    /// The text about missing tables, if the requested result or line is unknown.
    missing: Option<String>,
}

/// `damka probe`.
pub(crate) fn probe(args: &ProbeArgs) -> Result<(), Failure> {
    answer_all(&args.common, false, args.svg)
}

/// `damka line`.
pub(crate) fn line(args: &LineArgs) -> Result<(), Failure> {
    answer_all(args, true, false)
}

/// Answers the positions of the command line, or each line of standard input.
fn answer_all(args: &LineArgs, with_line: bool, as_picture: bool) -> Result<(), Failure> {
    let game = args.game.0;
    // The command line is read before tables are opened or built.
    let positions = input::positions(game, &args.fen)?;
    let directory = input::directory(&args.tables)?;
    let tables = input::any_tables(game, &directory, &args.access);
    let mut supply = Supply::new(game, &directory, args.build.no_build);
    if args.fen == ["-"] {
        supply = supply.without_asking();
    }
    let asker = Asker { game, directory, tables, supply, with_line };
    let fen = match positions {
        Positions::One(fen) => fen,
        Positions::Many(_) if as_picture => {
            return Err(Failure::Input("--svg shows one position".to_owned()));
        }
        Positions::Many(positions) => {
            return input::answer_each(positions, args.json, |fen| {
                let reply = asker.ask(fen)?;
                let text = if args.json { reply.json() } else { reply.one_line() };
                Ok(AnswerLine { text, missing: reply.missing })
            });
        }
    };
    let reply = asker.ask(&fen)?;
    let mut out = io::stdout().lock();
    match (args.json, as_picture) {
        (true, _) => writeln!(out, "{}", reply.json())?,
        (_, true) => write!(out, "{}", picture::of_answer(game, &reply.answer)?)?,
        _ => write!(out, "{}", reply.text()?)?,
    }
    reply.missing.map_or(Ok(()), |missing| Err(Failure::Missing(missing)))
}

/// Probes tables, and builds missing ones.
struct Asker {
    game: AnyGame,
    directory: PathBuf,
    tables: Box<dyn AnyTables>,
    supply: Supply,
    with_line: bool,
}

impl Asker {
    fn ask(&self, fen: &str) -> Result<Reply, Failure> {
        let answer = loop {
            let answer = match self.with_line {
                true => self.tables.line(fen),
                false => self.tables.answer(fen, Metric::Dtw),
            };
            if !self.supply.build_missing(&answer)? {
                break answer;
            }
        };
        let (answer, missing) = match answer {
            Ok(answer) => {
                let missing = answer.value.is_none().then(|| self.missing(&answer));
                (answer, missing)
            }
            // If the line is unknown, the result and the moves may still be known.
            Err(error) if self.with_line && error.is_missing() => {
                let missing = match self.failure(fen, error) {
                    Failure::Missing(missing) => missing,
                    failure => return Err(failure),
                };
                match self.tables.answer(fen, Metric::Dtw) {
                    Ok(answer) => (answer, Some(missing)),
                    Err(_) => return Err(Failure::Missing(missing)),
                }
            }
            Err(error) => return Err(self.failure(fen, error)),
        };
        if missing.is_none() {
            self.note_missing(&answer);
        }
        with_game!(self.game, game => {
            let counted = input::position(game, fen)?;
            let turn = counted.position.turn();
            let result = match (answer.value, answer.moves.is_empty()) {
                (Some(Wdl::Draw), true) => "Draw: no legal move".to_owned(),
                (value, _) => words::result_of(game, value, answer.dtw, turn),
            };
            let plies = answer.line.iter().flatten().map(|ply| &*ply.name);
            let line = Some(numbered(&counted, plies)).filter(|line| !line.is_empty());
            Ok(Reply { game: self.game, turn, result, line, answer, missing })
        })
    }

    /// Prints a note if the result is known but other parts of the answer are missing.
    fn note_missing(&self, answer: &Answer) {
        let moves = answer.moves.iter().map(|mv| (mv.value, mv.dtw_status));
        let all: Vec<_> = moves.chain([(answer.value, answer.dtw_status)]).collect();
        if answer.dtw_status == DtwStatus::Unknown && all.iter().all(|(value, _)| value.is_some()) {
            note("there are no distances for these pieces (no DTW table)");
        } else if all.iter().any(|&(value, status)| value.is_none() || status == DtwStatus::Unknown)
        {
            note(&self.missing(answer));
        }
    }

    /// A text that names the missing tables and the command that builds them.
    fn missing(&self, answer: &Answer) -> String {
        let mut names: Vec<&str> =
            answer.missing.iter().map(|missing| &*missing.signature).collect();
        names.dedup();
        let (game, option) = (self.game.name(), tables_option(&self.directory));
        match names[..] {
            [] => "no table can have the positions after some moves".to_owned(),
            _ => format!(
                "tables are missing; `damka gen {game} {}{option}` builds them",
                names.join(" ")
            ),
        }
    }

    /// The failure when there is no answer. If no table can have the position, it suggests a search.
    fn failure(&self, fen: &str, error: AskError) -> Failure {
        match error {
            AskError::Probe(ProbeError::TooManyPieces { .. } | ProbeError::NoTable(_)) => {
                let (game, option) = (self.game.name(), tables_option(&self.directory));
                Failure::Missing(format!(
                    "{error}; `damka search {game} {}{option}` finds a move without tables",
                    quoted(fen)
                ))
            }
            error => error.into(),
        }
    }
}

impl Reply {
    fn json(&self) -> String {
        self.answer.json()
    }

    /// The board, the result, and the ranked moves or the line.
    fn text(&self) -> Result<String, Failure> {
        let Reply { game, answer, turn, result, line, .. } = self;
        let diagram = with_game!(*game, game => {
            diagram(game, &input::position(game, &answer.fen)?.position)
        });
        let mut text = format!("{diagram}\n{turn} to move. {result}.\n");
        if let Some(line) = line {
            text += &format!("\n{line}\n");
        }
        if answer.line.is_none() && !answer.moves.is_empty() {
            let width = answer.moves.iter().map(|mv| mv.name.len()).max().unwrap_or(0);
            text.push('\n');
            for AnswerMove { name, value, dtw, .. } in &answer.moves {
                text += &format!("  {name:width$}  {}\n", words::outcome_or_unknown(*value, *dtw));
            }
        }
        Ok(text)
    }

    /// The result on one line, for streams, with the best move or the line; if it is unknown, with the
    /// moves whose results are known.
    fn one_line(&self) -> String {
        let (fen, result, moves) = (&self.answer.fen, &self.result, &self.answer.moves);
        if self.answer.value.is_none() {
            let known = moves.iter().filter_map(|AnswerMove { name, value, dtw, .. }| {
                Some(format!("{name} {}", words::outcome((*value)?, *dtw)))
            });
            return format!("{fen}\t{result}\t{}", known.collect::<Vec<_>>().join(", "));
        }
        let best = self.answer.best().map(|best| &best.name);
        match self.line.as_ref().or(best) {
            Some(moves) => format!("{fen}\t{result}\t{moves}"),
            None => format!("{fen}\t{result}"),
        }
    }
}
