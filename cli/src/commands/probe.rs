use super::board::diagram;
use super::input::{self, Positions};
use super::notation::numbered;
use super::small::{build_small, is_small};
use crate::args::ProbeArgs;
use crate::failure::Failure;
use crate::json;
use crate::words::{self, note};
use damka::{Answer, AnswerMove, Ply};
use damka_games::{Color, Position};
use damka_gen::Family;
use damka_probe::{ProbeError, Tables, tables_option};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::io::{self, Write};

/// What the tables say of a position, and what is shown with it.
struct Asked {
    answer: Answer,
    turn: Color,
    /// What tables say, in words.
    result: String,
    diagram: String,
}

/// `damka probe`.
pub(crate) fn probe<G: Family>(game: G, args: &ProbeArgs) -> Result<(), Failure> {
    answer_all(game, args, false)
}

/// `damka line`.
pub(crate) fn line<G: Family>(game: G, args: &ProbeArgs) -> Result<(), Failure> {
    answer_all(game, args, true)
}

/// Answers the positions of the command line, or each line of standard input.
fn answer_all<G: Family>(game: G, args: &ProbeArgs, with_line: bool) -> Result<(), Failure> {
    // All that can be read is, before tables are looked for or built.
    let positions = input::positions(game, &args.fen)?;
    let directory = match args.no_build {
        true => input::present_directory(&args.tables)?,
        false => input::directory(&args.tables)?,
    };
    let tables = input::tables_in(game, &directory, &args.access);
    let asker = Asker::<G> { args, tables, with_line };
    let position = match positions {
        Positions::One(asked) => asked.position,
        Positions::Many(positions) => {
            return input::answer_each(positions, args.json, |asked| {
                let answer = asker.ask(&asked.position)?;
                Ok(if args.json { answer.json() } else { answer.one_line() })
            });
        }
    };
    let answer = asker.ask(&position)?;
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", answer.json())?,
        false => write!(out, "{}", answer.text())?,
    }
    Ok(())
}

/// Asks the tables, and builds small ones that are missing.
struct Asker<'a, G> {
    args: &'a ProbeArgs,
    tables: Tables<G>,
    with_line: bool,
}

impl<G: Family> Asker<'_, G> {
    fn ask(&self, position: &G::Position) -> Result<Asked, Failure> {
        let error = match self.answer(position, Metric::Dtw) {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        if !error.is_missing() {
            return Err(error.into());
        }
        if let ProbeError::Missing { signature, .. } = &error
            && let Ok(missing) = Signature::parse(self.tables.game(), signature)
            && !self.args.no_build
            && is_small(&missing)
        {
            // The position's own signature leads to all it needs.
            let (own, _) = Signature::of(position);
            let wanted = if is_small(&own) { own } else { missing };
            build_small(wanted, self.tables.directory())?;
            return self.ask(position);
        }
        input::present_directory(&self.args.tables)?;
        if self.with_line {
            return Err(without_table(&self.tables, position, &error));
        }
        // Without distances the tables still know who wins.
        match self.answer(position, Metric::Wdl) {
            Err(also) if also.is_missing() => Err(without_table(&self.tables, position, &error)),
            answer => {
                let mut asked = answer?;
                asked.answer = asked.answer.with_unknown_distances();
                note("there are no distances for these pieces (no DTW table)");
                Ok(asked)
            }
        }
    }

    fn answer(&self, position: &G::Position, metric: Metric) -> Result<Asked, ProbeError> {
        let answer = match self.with_line {
            true => Answer::with_line(&self.tables, position)?,
            false => Answer::of(&self.tables, position, metric)?,
        };
        let turn = position.turn();
        let result = words::result::<G>(answer.value, answer.dtw, turn);
        Ok(Asked { answer, turn, result, diagram: diagram::<G>(position) })
    }
}

/// What is wrong, and what can be done where a table is missing or there can be none.
fn without_table<G: Family>(
    tables: &Tables<G>,
    position: &G::Position,
    error: &ProbeError,
) -> Failure {
    let (game, option) = (tables.game(), tables_option(tables.directory()));
    let advice = match error {
        ProbeError::Missing { signature, .. } => match Signature::parse(game, signature) {
            Ok(signature) if !is_small(&signature) => {
                format!("; `damka plan {} {signature}{option}` tells what that takes", game.name())
            }
            _ => return Failure::Missing(error.to_string()),
        },
        _ => String::new(),
    };
    let (game, fen) = (game.name(), position.fen());
    Failure::Missing(format!(
        "{error}{advice}; `damka search {game} '{fen}'{option}` finds a move without it"
    ))
}

impl Asked {
    fn json(&self) -> String {
        json::object(&self.answer)
    }

    /// The board, the result, and the moves ranked or the line.
    fn text(&self) -> String {
        let Asked { answer, turn, result, diagram } = self;
        let mut text = format!("{diagram}\n{turn} to move. {result}.\n");
        match &answer.line {
            Some(line) if !line.is_empty() => text += &format!("\n{}\n", self.line_text(line)),
            Some(_) => {}
            None => {
                let width = answer.moves.iter().map(|mv| mv.name.len()).max().unwrap_or(0);
                text += if answer.moves.is_empty() { "" } else { "\n" };
                for AnswerMove { name, value, dtw, .. } in &answer.moves {
                    text += &format!("  {name:width$}  {}\n", words::outcome(*value, *dtw));
                }
            }
        }
        text
    }

    /// The result in one line, for streams.
    fn one_line(&self) -> String {
        let (fen, result) = (&self.answer.fen, &self.result);
        match (&self.answer.line, self.answer.moves.first()) {
            (Some(line), _) if !line.is_empty() => {
                format!("{fen}\t{result}\t{}", self.line_text(line))
            }
            (_, Some(best)) => format!("{fen}\t{result}\t{}", best.name),
            (_, None) => format!("{fen}\t{result}"),
        }
    }

    /// A line with its moves numbered.
    fn line_text(&self, line: &[Ply]) -> String {
        numbered(self.turn, line.iter().map(|ply| &*ply.name))
    }
}
