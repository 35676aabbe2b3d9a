use super::board::diagram;
use super::input::{self, Positions};
use super::missing::{self, Supply, is_small};
use super::notation::numbered;
use crate::args::ProbeArgs;
use crate::failure::Failure;
use crate::json;
use crate::words::{self, note, tables_option};
use damka::{Answer, AnswerMove, Ply};
use damka_games::{Color, Counted, Position};
use damka_gen::Family;
use damka_probe::{ProbeError, Tables};
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
    let directory = input::directory(&args.tables)?;
    let tables = input::tables_in(game, &directory, &args.access);
    let mut supply = Supply::new(&directory, args.build.no_build);
    if args.fen == ["-"] {
        supply = supply.without_asking();
    }
    let asker = Asker::<G> { tables, supply, with_line };
    let asked = match positions {
        Positions::One(asked) => asked,
        Positions::Many(positions) => {
            return input::answer_each(positions, args.json, |asked| {
                let answer = asker.ask(asked)?;
                Ok(if args.json { answer.json() } else { answer.one_line() })
            });
        }
    };
    let answer = asker.ask(&asked)?;
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", answer.json())?,
        false => write!(out, "{}", answer.text())?,
    }
    Ok(())
}

/// Asks the tables, and builds some that are missing.
struct Asker<'a, G> {
    tables: Tables<G>,
    supply: Supply<'a>,
    with_line: bool,
}

impl<G: Family> Asker<'_, G> {
    fn ask(&self, asked: &Counted<G::Position>) -> Result<Asked, Failure> {
        let answer = match self.with_line {
            true => Answer::with_line(&self.tables, asked),
            false => Answer::of(&self.tables, asked, Metric::Dtw),
        };
        if let Some(missing) = self.missing(&asked.position, &answer) {
            // The position's own signature leads to all it needs.
            let (own, _) = Signature::of(&asked.position);
            if self.supply.build(if is_small(&own) { own } else { missing })? {
                return self.ask(asked);
            }
        }
        let answer = answer.map_err(|error| failure(&self.tables, asked, error))?;
        if answer.metric == Metric::Wdl {
            note("there are no distances for these pieces (no DTW table)");
        }
        let turn = asked.position.turn();
        let result = words::result::<G>(answer.value, answer.dtw, turn);
        Ok(Asked { answer, turn, result, diagram: diagram::<G>(&asked.position) })
    }

    /// The signature whose table keeps an answer from having all that was asked for.
    fn missing(
        &self,
        position: &G::Position,
        answer: &Result<Answer, ProbeError>,
    ) -> Option<Signature<G>> {
        let game = self.tables.game();
        match answer {
            Ok(answer) if answer.metric == Metric::Dtw => None,
            Ok(_) => {
                let distance = self.tables.dtw(position).map(drop);
                let distances = || self.tables.moves(position, Metric::Dtw).map(drop);
                missing::signature(game, &distance.and_then(|()| distances()).err()?)
            }
            Err(error) => missing::signature(game, error),
        }
    }
}

/// Why there is no answer; and what finds a move where there can be no table.
fn failure<G: Family>(
    tables: &Tables<G>,
    asked: &Counted<G::Position>,
    error: ProbeError,
) -> Failure {
    match error {
        ProbeError::TooManyPieces { .. } | ProbeError::NoTable(_) => {
            let (game, fen) = (tables.game().name(), asked.fen());
            let option = tables_option(tables.directory());
            Failure::Missing(format!(
                "{error}; `damka search {game} '{fen}'{option}` finds a move without"
            ))
        }
        error => error.into(),
    }
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
