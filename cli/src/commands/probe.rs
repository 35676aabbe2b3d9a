use super::input::{self, Positions};
use super::notation::{named, numbered};
use super::small::{build_small, is_small};
use crate::args::ProbeArgs;
use crate::failure::Failure;
use crate::words::{self, note};
use damka_games::{Game, Position};
use damka_gen::Family;
use damka_probe::{ProbeError, RankedMove, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Signature, Value};
use serde::Serialize;
use std::io::{self, Write};

/// Everything the tables say of a position.
struct Answer<G: Game> {
    position: G::Position,
    value: Value,
    moves: Vec<RankedMove<G>>,
    /// Best play to the end, if it was asked for.
    line: Option<Vec<RankedMove<G>>>,
    /// Whether distances are known.
    metric: Metric,
}

#[derive(Serialize)]
struct AnswerJson {
    game: &'static str,
    fen: String,
    value: &'static str,
    dtw: Option<u16>,
    moves: Vec<MoveJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<PlyJson>>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    fen: String,
    value: &'static str,
    dtw: Option<u16>,
}

#[derive(Serialize)]
struct PlyJson {
    #[serde(rename = "move")]
    mv: String,
    fen: String,
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
        Positions::One(position) => position,
        Positions::Many(positions) => {
            return input::answer_each(positions, args.json, |position| {
                let answer = asker.ask(position)?;
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
    fn ask(&self, position: &G::Position) -> Result<Answer<G>, Failure> {
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
            return Err(without_table(self.tables.game(), &error));
        }
        // Without distances the tables still know who wins.
        match self.answer(position, Metric::Wdl) {
            Err(also) if also.is_missing() => Err(without_table(self.tables.game(), &error)),
            answer => {
                let answer = answer?;
                note("there are no distances for these pieces (no DTW table)");
                Ok(answer)
            }
        }
    }

    fn answer(&self, position: &G::Position, metric: Metric) -> Result<Answer<G>, ProbeError> {
        Ok(Answer {
            position: *position,
            value: self.tables.value(position, metric)?,
            moves: self.tables.moves(position, metric)?,
            line: self.with_line.then(|| self.tables.line(position)).transpose()?,
            metric,
        })
    }
}

/// What is wrong, and what can be done where a table is missing or there can be none.
fn without_table<G: Family>(game: G, error: &ProbeError) -> Failure {
    let advice = match error {
        ProbeError::Missing { signature, .. } => match Signature::parse(game, signature) {
            Ok(signature) if !is_small(&signature) => {
                format!("; `damka plan {} {signature}` tells what that takes", game.name())
            }
            _ => return Failure::Missing(error.to_string()),
        },
        _ => String::new(),
    };
    let game = game.name();
    Failure::Missing(format!("{error}{advice}; `damka search {game}` finds a move without it"))
}

impl<G: Family> Answer<G> {
    fn json(&self) -> String {
        let moves = self.named_moves().map(|(mv, ranked)| MoveJson {
            mv,
            fen: ranked.position.fen(),
            value: ranked.value.wdl().word(),
            dtw: words::plies(ranked.value, self.metric),
        });
        let plies = self.line.as_ref().map(|line| {
            let names = named::<G>(&self.position, line.iter().map(|ply| ply.mv));
            let plies = names.into_iter().zip(line);
            plies.map(|(mv, ply)| PlyJson { mv, fen: ply.position.fen() }).collect()
        });
        let answer = AnswerJson {
            game: self.position.game().name(),
            fen: self.position.fen(),
            value: self.value.wdl().word(),
            dtw: words::plies(self.value, self.metric),
            moves: moves.collect(),
            line: plies,
        };
        serde_json::to_string(&answer).unwrap_or_default()
    }

    /// The board, the result, and the moves ranked or the line.
    fn text(&self) -> String {
        let turn = self.position.turn();
        let result = words::result(self.value, turn, self.metric);
        let mut text = format!("{}\n{turn} to move. {result}.\n", self.position.diagram());
        match &self.line {
            Some(line) if !line.is_empty() => {
                text += &format!("\n{}\n", line_text(&self.position, line))
            }
            Some(_) => {}
            None => {
                let named: Vec<_> = self.named_moves().collect();
                let width = named.iter().map(|(mv, _)| mv.len()).max().unwrap_or(0);
                text += if named.is_empty() { "" } else { "\n" };
                for (mv, ranked) in named {
                    let outcome = words::outcome(ranked.value, self.metric);
                    text += &format!("  {mv:width$}  {outcome}\n");
                }
            }
        }
        text
    }

    /// The result in one line, for streams.
    fn one_line(&self) -> String {
        let turn = self.position.turn();
        let result = words::result(self.value, turn, self.metric);
        let fen = self.position.fen();
        match &self.line {
            Some(line) if !line.is_empty() => {
                format!("{fen}\t{result}\t{}", line_text(&self.position, line))
            }
            _ => match self.named_moves().next() {
                Some((best, _)) => format!("{fen}\t{result}\t{best}"),
                None => format!("{fen}\t{result}"),
            },
        }
    }

    fn named_moves(&self) -> impl Iterator<Item = (String, &RankedMove<G>)> {
        self.moves.iter().map(|ranked| (self.position.format_move(ranked.mv), ranked))
    }
}

/// A line with its moves numbered.
fn line_text<G: Family>(position: &G::Position, line: &[RankedMove<G>]) -> String {
    numbered(&named::<G>(position, line.iter().map(|ply| ply.mv)))
}
