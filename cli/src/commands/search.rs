use super::input;
use super::small::{build_small, is_small};
use crate::args::SearchArgs;
use crate::failure::Failure;
use crate::words;
use damka_engine::{Control, Endings, History, Limits, Playable, Report, Score};
use damka_games::Game;
use damka_gen::Solvable;
use damka_tables::{Signature, Wdl};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// The time for a search that nothing else limits.
const TIME: Duration = Duration::from_secs(1);

#[derive(Serialize)]
struct ReportJson {
    game: &'static str,
    fen: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    score: i32,
    value: &'static str,
    dtw: Option<u16>,
    depth: u16,
    nodes: u64,
    tb_hits: u64,
    pv: Vec<String>,
}

/// `damka search`.
pub(crate) fn search<G: Solvable + Playable>(args: &SearchArgs) -> Result<(), Failure> {
    let position = input::position::<G>(&args.fen.join(" "))?;
    let directory = match args.no_build {
        true => input::present_directory(&args.tables)?,
        false => input::directory(&args.tables)?,
    };
    let tables = input::tables_in::<G>(&directory, &args.access);
    let (signature, _) = Signature::<G>::of(&position);
    let is_missing = || tables.dtw(&position).is_err_and(|error| error.is_missing());
    if !args.no_build && is_small(&signature) && is_missing() {
        build_small(signature, &directory)?;
    }
    let mut engine = args.engine.engine::<G>()?;
    engine.set_tables(Some(Arc::new(Endings::new(Arc::new(tables))?)));
    let mut limits = Limits {
        depth: args.depth,
        nodes: args.nodes,
        time: args.time.map(Duration::from_millis),
        ..Limits::default()
    };
    if limits == Limits::default() {
        limits.time = Some(TIME);
    }
    limits.is_analysis = true;
    let game = History::new(position);
    let mut told = Ok(());
    let found = engine.search(&game, &limits, &Control::default(), |report| {
        if !args.json && told.is_ok() {
            told = writeln!(io::stderr(), "{}", progress(&position, report));
        }
    });
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", json::<G>(&position, &found))?,
        false => write!(out, "{}", text::<G>(&position, &found))?,
    }
    Ok(())
}

/// One depth of a search: `12  +0.35    1,234,567  c3-d4 b6-a5`.
fn progress<G: Playable>(position: &G::Position, report: &Report<G>) -> String {
    let score = report.score.to_string();
    let nodes = words::grouped(report.nodes);
    let line = named_line::<G>(position, &report.line).join(" ");
    format!("{:>3}  {score:<12}{nodes:>15}  {line}", report.depth)
}

fn text<G: Playable>(position: &G::Position, report: &Report<G>) -> String {
    let mut text = format!("{}\n{} to move", G::diagram(position), G::turn(position));
    let line = named_line::<G>(position, &report.line);
    let Some(best) = line.first() else {
        return text + ": no legal move.\n";
    };
    text += &format!(". Best is {best}: {}.\n", report.score);
    text += &format!("\n{}\n", line.join(" "));
    let speed = report.nodes as f64 / report.time.as_secs_f64().max(1e-9);
    text + &format!(
        "\ndepth {}, {} positions, {} of them in tables, {} a second\n",
        report.depth,
        words::grouped(report.nodes),
        words::grouped(report.table_hits),
        words::grouped(speed as u64),
    )
}

fn json<G: Playable>(position: &G::Position, report: &Report<G>) -> String {
    let pv = named_line::<G>(position, &report.line);
    let json = ReportJson {
        game: G::NAME,
        fen: G::fen(position),
        mv: pv.first().cloned(),
        score: report.score.hundredths(),
        value: value(report),
        dtw: report.score.plies(),
        depth: report.depth,
        nodes: report.nodes,
        tb_hits: report.table_hits,
        pv,
    };
    serde_json::to_string(&json).unwrap_or_default()
}

/// The result, as far as it is certain.
fn value<G: Playable>(report: &Report<G>) -> &'static str {
    let score = report.score;
    match report.value {
        Some(value) => value.wdl().word(),
        None if score > Score::DRAW && score.is_win() => Wdl::Win.word(),
        None if score.is_loss() => Wdl::Loss.word(),
        None => "unknown",
    }
}

/// The moves of a line by name.
pub(crate) fn named_line<G: Game>(position: &G::Position, line: &[G::Move]) -> Vec<String> {
    let mut position = *position;
    line.iter()
        .map(|&mv| {
            let name = G::format_move(&position, mv);
            position = G::play(&position, mv);
            name
        })
        .collect()
}
